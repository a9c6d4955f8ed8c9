// Bundles the interactive figures into one module: npm run bundle [-- <other output file>]
import { build } from "esbuild";
import { fileURLToPath } from "node:url";

const widgets = new URL("../pe_lib/widgets/", import.meta.url);

await build({
  entryPoints: [fileURLToPath(new URL("src/index.js", widgets))],
  absWorkingDir: fileURLToPath(widgets),
  outfile: process.argv[2] ?? fileURLToPath(new URL("static/figures.js", widgets)),
  bundle: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  loader: { ".css": "text" },
});
