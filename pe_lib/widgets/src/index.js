// The entry point of all figures: one bundle, dispatched on the trait `figure`.

import construction from "./construction.js";
import alibi from "./alibi.js";
import css from "./figures.css";
import interpolation from "./interpolation.js";
import permutation from "./permutation.js";
import rope from "./rope.js";
import rotation from "./rotation.js";

const FIGURES = { alibi, construction, interpolation, permutation, rope, rotation };

function render({ model, el }) {
  const figure = document.createElement("div");
  figure.className = `pe-figure pe-${model.get("figure")}`;
  // In JupyterLab the keys belong to the control that has the focus, not to the notebook.
  figure.addEventListener("focusin", ({ target }) => (target.dataset.lmSuppressShortcuts = "true"));
  for (const [name, color] of Object.entries(model.get("colors"))) {
    if (typeof color === "string") figure.style.setProperty(`--pe-${name}`, color);
  }
  const style = document.createElement("style");
  style.textContent = css;
  el.append(style, figure);
  const stop = FIGURES[model.get("figure")](model, figure);
  return () => {
    stop();
    style.remove();
    figure.remove();
  };
}

export default { render };
