// What every page runs, bundled into one file by scripts.mjs.

import "./site.js";
import "./print.js";
import "./scrolling.js";
import "./previews.js";
import "./copied.js";
