// Walk along the positions, change d, base and context: clocks turn, waves stretch.

import { choose, drawing, follow, html, narrator, number, select, slider, svg } from "./dom.js";
import { arrow, polyline } from "./draw.js";
import { encodePair, frequencies, shownPairs, slowPairs, wavelengths } from "./formulas.js";

const DIMS = [4, 8, 16, 32, 64, 128, 512];
const CONTEXTS = [64, 512, 2048, 8192, 131072];
const [LONGEST, LARGEST, ROWS] = [2 ** 20, 1e9, 8]; // as in pe_lib/widgets/construction.py
const TURNS = 60; // more of them in one strip are a band, as in the still
const STRIP = { width: 400, height: 40 };
const R = 19; // radius of a clock

export default function construction(model, root) {
  const controls = buildControls(model);
  const legend = html("p", { class: "pe-legend" });
  legend.innerHTML =
    '<span class="pe-swatch pe-sine"></span><span>sin <var>ω</var><sub>i</sub><var>p</var></span>' +
    '<span class="pe-swatch pe-cosine"></span><span>cos <var>ω</var><sub>i</sub><var>p</var></span>';
  const range = html("span");
  legend.append(range);
  const rows = Array.from({ length: ROWS }, buildRow);
  const list = html("div", { class: "pe-rows" }, ...rows.map((row) => row.element));
  const waves = html("div", { class: "pe-waves" }, legend, list);
  const facts = buildFacts();
  const narration = narrator();
  root.append(controls.element, waves, facts.element, narration.element);
  let before;
  const stop = follow(model, ["position", "dim", "base", "context"], () => {
    const [p, dim, base, context] = ["position", "dim", "base", "context"].map((name) => model.get(name));
    const omegas = frequencies(dim, base);
    const state = { p, dim, base, context, omegas, slow: slowPairs(dim, base, context) };
    controls.show(state);
    range.textContent = `over positions 0 to ${grouped(context)}`;
    const pairs = shownPairs(dim, ROWS);
    rows.forEach((row, i) => row.show(state, pairs[i]));
    facts.show(state);
    narration.say(sentence(state, before));
    before = state;
  });
  return () => {
    stop();
    narration.stop();
  };
}

const grouped = (value, digits = 0) => value.toFixed(digits).replace(/\B(?=(\d{3})+(\.|$))/g, ",");
const brief = (value) => (value >= 1e4 ? grouped(value) : String(Number(value.toPrecision(5))));
const degrees = (angle) => `${Number(((angle * 180) / Math.PI).toPrecision(3))}°`;

function sentence({ p, dim, base, context, omegas, slow }, before) {
  const last = omegas[omegas.length - 1];
  const share = `${slow} of ${dim / 2} pairs turn less than once in ${grouped(context)} tokens.`;
  if (before && before.base !== base)
    return dim === 2
      ? "With a single pair the base has no effect: its exponent is 0."
      : `Pair 0 still turns 1 rad per token; a ${base > before.base ? "larger" : "smaller"} base makes every other hand ${base > before.base ? "slower" : "faster"}. ${share}`;
  if (before && before.dim !== dim)
    return `The last wavelength is now ${brief((2 * Math.PI) / last)} tokens, below the limit 2π · base = ${brief(2 * Math.PI * base)}. ${share}`;
  if (before && before.context !== context) return `The code is the same, only the view is ${context > before.context ? "longer" : "shorter"}. ${share}`;
  if (before && before.p !== p) {
    const step = Math.abs(p - before.p);
    const moved = `${brief(step)} ${step === 1 ? "token" : "tokens"} ${p > before.p ? "further on" : "back"}`;
    return `${moved}: pair 0 turned by ${degrees(step)}, the last pair by ${degrees(step * last)}.`;
  }
  return `All hands point to twelve at position 0. ${share}`;
}

function buildControls(model) {
  const position = slider({
    ...{ label: "position <var>p</var>", name: "position p", min: 0, max: 64, step: 1, limits: [0, LONGEST] },
    pick: (value) => choose(model, { position: Math.min(value, model.get("context")) }),
  });
  const base = buildBase((value) => choose(model, { base: value }));
  const dim = select("channels d", (value) => choose(model, { dim: value }));
  const context = select("context (tokens)", (value) =>
    choose(model, { position: Math.min(model.get("position"), value), context: value }),
  );
  dim.options(DIMS.map((d) => [d, d]));
  context.options(CONTEXTS.map((length) => [length, grouped(length)]));
  return {
    element: html("div", { class: "pe-controls pe-across" }, position.element, base.element, dim.element, context.element),
    show(state) {
      position.bound(0, state.context);
      position.set(state.p);
      base.set(state.base);
      dim.set(state.dim);
      context.set(state.context);
    },
  };
}

/** A slider over powers of ten, with a box for the exact base. */
function buildBase(pick) {
  const range = html("input", {
    ...{ type: "range", min: 0.5, max: 7, step: 0.05, "aria-label": "base, as a power of ten" },
    oninput: () => pick(Number((10 ** range.valueAsNumber).toPrecision(3))),
  });
  const box = html("input", {
    ...{ type: "number", min: 1.001, max: LARGEST, step: "any", "aria-label": "base, exact value" },
    onchange: () => Number.isFinite(box.valueAsNumber) && pick(Math.min(Math.max(box.valueAsNumber, 1.001), LARGEST)),
  });
  return {
    element: html("div", { class: "pe-slider" }, html("span", { "aria-hidden": "true" }, "base"), box, range),
    set(value) {
      range.value = Math.log10(value);
      range.setAttribute("aria-valuetext", brief(value));
      if (box.valueAsNumber !== value) box.value = value;
    },
  };
}

function buildRow() {
  const { width, height } = STRIP;
  const hand = arrow(R - 2, "pe-from");
  const face = svg("g", { transform: "translate(22 22)" }, svg("circle", { class: "pe-faint", r: R }), hand.element);
  const clock = drawing(44, 44, "", face);
  const band = svg("rect", { class: "pe-band", width, y: 4, height: height - 8 });
  const curves = ["sine", "cosine"].map((wave) => svg("path", { class: `pe-wave pe-${wave}` }));
  const line = svg("line", { class: "pe-mark pe-whole", y2: height });
  const strip = drawing(width, height, "", band, ...curves, line);
  strip.setAttribute("preserveAspectRatio", "none");
  const name = html("span");
  const turns = html("span", { class: "pe-quiet" });
  const values = [html("span", { class: "pe-number" }), html("span", { class: "pe-number" })];
  const element = html(
    "div",
    { class: "pe-row-of-pair", role: "group" },
    html("div", { class: "pe-pair-name" }, name, turns),
    html("div", { class: "pe-clock" }, clock),
    html("div", { class: "pe-strip" }, strip),
    html("div", { class: "pe-pair-values" }, ...values),
  );
  let drawn = "";
  return {
    element,
    show({ p, context, omegas }, pair) {
      element.hidden = pair === undefined;
      if (element.hidden) return;
      const omega = omegas[pair];
      const length = (2 * Math.PI) / omega;
      const around = context / length;
      name.textContent = `pair ${pair}: λ = ${brief(length)}`;
      turns.textContent = `${Number(around.toPrecision(3))} turns`;
      element.setAttribute("aria-label", `pair ${pair}`);
      hand.point(Math.PI / 2 - omega * p); // (sin, cos) of the angle: a clock's hand
      const share = (p / context) * width;
      line.setAttribute("x1", share);
      line.setAttribute("x2", share);
      const code = encodePair(omega * p);
      values.forEach((node, i) => (node.textContent = `${i ? "cos" : "sin"} ${number(code[i], 4).padStart(7, "\u2007")}`));
      const view = `${omega} ${context}`;
      if (view === drawn) return;
      drawn = view;
      clock.setAttribute("aria-label", `The hand of pair ${pair}: sine to the right, cosine upward`);
      strip.setAttribute("aria-label", `The sine and the cosine of pair ${pair} over the context, with p marked`);
      band.style.display = around > TURNS ? "" : "none";
      const steps = 24 + 16 * Math.floor(around);
      curves.forEach((curve, channel) => {
        const trace = (t) => [t * width, height / 2 - (height / 2 - 4) * encodePair(omega * context * t)[channel]];
        curve.setAttribute("d", around > TURNS ? "" : polyline(steps, trace));
      });
    },
  };
}

function buildFacts() {
  const entries = [
    ["longest wavelength", (s) => `${grouped(wavelengths(s.dim, s.base)[s.dim / 2 - 1], 2)} tokens`],
    ["ratio of neighboring frequencies", (s) => (s.dim > 2 ? number(s.omegas[1] / s.omegas[0], 5) : "none")],
    ["pairs that turn less than once", (s) => `${s.slow} of ${s.dim / 2}`],
  ];
  const cells = entries.map(() => html("td", { class: "pe-number" }));
  const body = html("tbody", {}, ...entries.map(([name], i) => html("tr", {}, html("th", { scope: "row" }, name), cells[i])));
  return {
    element: html("table", { class: "pe-table" }, body),
    show: (state) => entries.forEach(([, text], i) => (cells[i].textContent = text(state))),
  };
}
