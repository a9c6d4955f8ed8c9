// Bundles what every page runs into one file: npm run scripts
import { build } from "esbuild";

await build({
  entryPoints: ["scripts/index.js"],
  outfile: "assets/site.js",
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
});
