// Per pair: the angles that training showed, and the angles that a longer context meets.

import { choose, drawing, follow, html, narrator, number, select, slider, svg } from "./dom.js";
import { angleCoverage, frequencies, scaledFrequencies } from "./formulas.js";

const DIM = 128; // this and the limits as in pe_lib/widgets/interpolation.py
const LENGTHS = { shortest: 2048, longest: 131072, limit: 1048576 };
const METHODS = [
  ["none", "unchanged"],
  ["linear", "linear: divided by s"],
  ["ntk", "NTK-aware: larger base"],
];
const BARS = { width: 640, height: 160, decades: 3 };
const R = 52; // radius of the circle
const TURN = 2 * Math.PI;

export default function interpolation(model, root) {
  const models = model.get("models");
  const controls = buildControls(model, models);
  const bars = buildBars((pair) => choose(model, { pair }));
  const closely = buildClosely();
  const narration = narrator();
  root.append(controls.element, bars.element, closely.element, narration.element);
  const traits = ["model", "length", "factor", "method", "pair"];
  const stop = follow(model, traits, () => {
    const state = Object.fromEntries(traits.map((trait) => [trait, model.get(trait)]));
    const [, trained, base] = models.find(([name]) => name === state.model);
    const omegas = frequencies(DIM, base);
    const scaled = scaledFrequencies(state.method, DIM, base, state.factor);
    const pairs = angleCoverage(omegas, scaled, trained, state.length);
    controls.show(state);
    bars.show(pairs, state.pair);
    closely.show(pairs[state.pair], omegas[state.pair], scaled[state.pair], state.pair);
    narration.say(sentence(state, trained, pairs, scaled));
  });
  return () => {
    stop();
    narration.stop();
  };
}

function sentence({ model, length, method, factor }, trained, pairs, scaled) {
  const fresh = pairs.filter((pair) => pair.fresh).length;
  const how = {
    none: "with unchanged frequencies",
    linear: `with all frequencies divided by ${short(factor)}`,
    ntk: `with a larger base, factor ${short(factor)}`,
  }[method];
  const which = fresh ? `${fresh} of ${pairs.length} pairs meet` : "no pair meets";
  return (
    `${model} was trained on ${trained} tokens. At ${length}, ${how}, ${which} new angles. ` +
    `One token turns the fastest pair by ${short(scaled[0])} rad.`
  );
}

const short = (value) => String(Number(value.toPrecision(3)));

function buildControls(model, models) {
  const which = select("model", (index) => choose(model, { model: models[index][0] }));
  which.options(models.map(([name, trained, base], i) => [i, `${name}: ${trained} tokens, base ${base}`]));
  const method = select("method", (index) => choose(model, { method: METHODS[index][0] }));
  method.options(METHODS.map(([, text], i) => [i, text]));
  const length = slider({
    ...{ label: "tokens now", name: "tokens now", min: LENGTHS.shortest, max: LENGTHS.longest },
    ...{ step: LENGTHS.shortest, limits: [2, LENGTHS.limit] },
    pick: (value) => choose(model, { length: Math.round(value) }),
  });
  const factor = slider({
    ...{ label: "factor <var>s</var>", name: "factor s", min: 1, max: 64, step: 0.1, limits: [1, 1000] },
    pick: (value) => choose(model, { factor: value }),
  });
  const pair = slider({
    ...{ label: "pair <var>i</var>", name: "pair i", min: 0, max: DIM / 2 - 1, step: 1 },
    limits: [0, DIM / 2 - 1],
    pick: (value) => choose(model, { pair: Math.round(value) }),
  });
  length.element.querySelector("input[type=number]").step = 1; // any whole number may be typed
  const all = [which, method, length, factor, pair].map((control) => control.element);
  return {
    element: html("div", { class: "pe-controls pe-across" }, ...all),
    show(state) {
      which.set(models.findIndex(([name]) => name === state.model));
      method.set(METHODS.findIndex(([name]) => name === state.method));
      length.set(state.length);
      factor.set(state.factor);
      pair.set(state.pair);
    },
  };
}

/** Part of a full turn, on a scale of a thousand: 0 at 1/1000 of a turn, 1 at a turn and beyond. */
const level = (angle) => Math.min(Math.max(1 + Math.log10(angle / TURN) / BARS.decades, 0), 1);

function buildBars(pick) {
  const { width, height, decades } = BARS;
  const count = DIM / 2;
  const step = width / count;
  const chosen = svg("rect", { class: "pe-chosen", y: 1, width: step, height: height - 2 });
  // One path for each kind of bar: three elements to change, not three for each pair.
  const [used, idle, above] = ["seen", "idle", "new"].map((kind) => svg("path", { class: `pe-bar pe-${kind}` }));
  const lines = Array.from({ length: decades }, (_, i) => {
    const y = (i * height) / decades;
    return svg("line", { class: "pe-faint", x2: width, y1: y, y2: y });
  });
  const picture = drawing(width, height, "", ...lines, used, idle, above, chosen);
  picture.setAttribute("preserveAspectRatio", "none");
  picture.addEventListener("click", ({ clientX }) => {
    const box = picture.getBoundingClientRect();
    pick(Math.min(Math.max(Math.floor(((clientX - box.left) / box.width) * count), 0), count - 1));
  });
  const ticks = ["1 turn", "1/10", "1/100", "1/1000"].map((text, i) => {
    const tick = html("span", { class: "pe-tick", "aria-hidden": "true" }, text);
    tick.style.top = `${(100 * i) / decades}%`;
    return tick;
  });
  const legend = html("p", { class: "pe-legend" });
  legend.innerHTML = [
    ["seen", "seen in training"],
    ["new", "met now, never seen"],
    ["idle", "seen, not met now"],
  ]
    .map(([kind, text]) => `<span class="pe-entry"><span class="pe-swatch pe-block pe-${kind}"></span>${text}</span>`)
    .join("");
  const axis = html("div", { class: "pe-axis", "aria-hidden": "true" });
  axis.append(...["pair 0, fastest", `pair ${count - 1}, slowest`].map((text) => html("span", {}, text)));
  const bar = (i, low, high) =>
    high > low
      ? `M${i * step + 1} ${((1 - high) * height).toFixed(4)}h${step - 2}V${((1 - low) * height).toFixed(4)}h${2 - step}z`
      : "";
  return {
    element: html(
      "div",
      {},
      legend,
      html("div", { class: "pe-bars" }, html("div", { class: "pe-plot" }, picture, ...ticks), axis),
    ),
    show(pairs, pair) {
      const levels = pairs.map(({ seen, met, fresh }) => [level(seen), level(met), fresh]);
      const draw = (path, ends) => path.setAttribute("d", levels.map((l, i) => bar(i, ...ends(l))).join(""));
      draw(used, ([top, now]) => [0, Math.min(top, now)]);
      draw(idle, ([top, now]) => [now, top]);
      draw(above, ([top, now, fresh]) => [top, fresh ? now : top]);
      chosen.setAttribute("x", pair * step);
      const fresh = pairs.filter((p) => p.fresh).length;
      picture.setAttribute("aria-label", `Angles seen and met by ${count} pairs: ${fresh} pairs meet new angles`);
    },
  };
}

function buildClosely() {
  const ring = (kind) => svg("path", { class: `pe-ring ${kind}` });
  const [seenRing, idleRing, newRing] = ["pe-seen", "pe-idle", "pe-new"].map(ring);
  const circle = svg("circle", { class: "pe-faint", r: R });
  const start = svg("line", { class: "pe-faint", x2: R });
  const frame = svg("g", { transform: "translate(65 65)" }, circle, start, seenRing, idleRing, newRing);
  const picture = drawing(130, 130, "", frame);
  const rows = ["rad per token", "rad in all", "turns in all"].map((name) => {
    const cells = [html("td", { class: "pe-number" }), html("td", { class: "pe-number" })];
    return { cells, element: html("tr", {}, html("th", { scope: "row" }, name), ...cells) };
  });
  const head = html("tr");
  head.innerHTML = '<td></td><th scope="col">in training</th><th scope="col">now</th>';
  const table = html("table", { class: "pe-table" });
  table.append(html("thead", {}, head), html("tbody", {}, ...rows.map((row) => row.element)));
  return {
    element: html("div", { class: "pe-closely" }, picture, table),
    show({ seen, met, fresh }, omega, scaled, pair) {
      const [top, now] = [Math.min(seen, TURN), Math.min(met, TURN)];
      seenRing.setAttribute("d", arc(0, Math.min(top, now)));
      idleRing.setAttribute("d", arc(now, top));
      newRing.setAttribute("d", arc(top, fresh ? now : top));
      picture.setAttribute("aria-label", `Circle of pair ${pair}: ${short(seen / TURN)} turns in training, ${short(met / TURN)} now`);
      const values = [
        [omega, scaled, 12],
        [seen, met, 6],
        [seen / TURN, met / TURN, 4],
      ];
      rows.forEach(({ cells }, i) => cells.forEach((cell, j) => (cell.textContent = number(values[i][j], values[i][2]))));
    },
  };
}

/** Part of a circle, counterclockwise from the right; nothing if it ends before it starts. */
function arc(from, to) {
  if (to - from < 1e-9) return "";
  const end = Math.min(to, from + TURN - 1e-4); // a whole circle would be no arc at all
  const at = (angle) => `${(R * Math.cos(angle)).toFixed(3)} ${(-R * Math.sin(angle)).toFixed(3)}`;
  return `M${at(from)}A${R} ${R} 0 ${end - from > Math.PI ? 1 : 0} 0 ${at(end)}`;
}
