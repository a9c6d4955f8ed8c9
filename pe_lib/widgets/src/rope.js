// Two dials: a query turned by its position m, a key turned by its position n. The score keeps n - m.

import { choose, drawing, follow, html, narrator, number, select, slider, svg } from "./dom.js";
import { arrow, polyline, spiral } from "./draw.js";
import { dot, frequencies, rotate } from "./formulas.js";

const LAST = 32; // as in pe_lib/widgets/rope.py
const R = 74; // radius of a dial
const CURVE = { width: 640, height: 110 };
const LAYOUT = "interleaved";

export default function rope(model, root) {
  const [query, key] = [model.get("query"), model.get("key")];
  const omegas = frequencies(query.length);
  const controls = buildControls(model, omegas);
  const longest = (pair) => Math.max(...[query, key].map((x) => Math.hypot(x[2 * pair], x[2 * pair + 1])));
  const dials = ["query", "key", "both"].map((kind) => buildDial(kind, query, key, omegas, longest));
  const curve = buildCurve(query, key, omegas);
  const scores = buildScores(query, key, omegas);
  const narration = narrator();
  root.append(
    html("div", { class: "pe-dials" }, ...dials.map((dial) => dial.element)),
    controls.element,
    curve.element,
    scores.element,
    narration.element,
  );
  let before;
  const stop = follow(model, ["query_position", "key_position", "pair"], () => {
    const state = { m: model.get("query_position"), n: model.get("key_position"), pair: model.get("pair") };
    controls.show(state);
    dials.forEach((dial) => dial.show(state));
    curve.show(state);
    const score = scores.show(state);
    narration.say(sentence(state, before, score, omegas[state.pair]));
    before = state;
  });
  return () => {
    stop();
    narration.stop();
  };
}

function sentence({ m, n, pair }, before, score, omega) {
  const offset = n - m;
  const where =
    offset === 0 ? "at the query's own place" : `${tokens(Math.abs(offset))} ${offset < 0 ? "before" : "after"} the query`;
  const now = `The key stands ${where}; the score is ${number(score, 6)}.`;
  const moved = before && (before.m !== m || before.n !== n);
  if (moved && before.n - before.m === offset)
    return `${now} Both moved: both arrows turned, but the angle between them and the score did not change.`;
  if (moved) return `${now} The offset changed, and the score with it.`;
  if (before && before.pair !== pair)
    return `${now} Pair ${pair} turns once in ${Number(((2 * Math.PI) / omega).toPrecision(3))} tokens.`;
  return `${now} Move both together: the arrows turn, the score stays.`;
}

const tokens = (count) => `${count} ${count === 1 ? "token" : "tokens"}`;

function buildControls(model, omegas) {
  const position = (trait, label, name) =>
    slider({
      ...{ label, name, min: 0, max: LAST, step: 1, limits: [0, LAST] },
      pick: (value) => choose(model, { [trait]: Math.round(value) }),
    });
  const m = position("query_position", "query at <var>m</var>", "query position m");
  const n = position("key_position", "key at <var>n</var>", "key position n");
  const both = slider({
    ...{ label: "move both", name: "move both", min: 0, max: LAST, step: 1, limits: [0, LAST] },
    pick(value) {
      const [mNow, nNow] = [model.get("query_position"), model.get("key_position")];
      const by = Math.min(Math.round(value), LAST - Math.abs(nNow - mNow)) - Math.min(mNow, nNow);
      choose(model, { query_position: mNow + by, key_position: nNow + by });
    },
  });
  const pair = select("pair shown", (value) => choose(model, { pair: value }));
  pair.options(omegas.map((omega, i) => [i, `${i}: ω = ${Number(omega.toPrecision(3))}`]));
  return {
    element: html("div", { class: "pe-controls pe-across" }, m.element, n.element, both.element, pair.element),
    show(state) {
      m.set(state.m);
      n.set(state.n);
      both.bound(0, LAST - Math.abs(state.n - state.m));
      both.set(Math.min(state.m, state.n));
      pair.set(state.pair);
    },
  };
}

function buildDial(kind, query, key, omegas, longest) {
  const shown = kind === "both" ? ["query", "key"] : [kind];
  const vectors = { query, key };
  const hands = svg("g");
  const sweep = svg("path", { class: "pe-sweep" });
  const caption = html("p", { class: "pe-caption" });
  const frame = svg("g", { transform: "translate(90 90)" }, svg("circle", { class: "pe-faint", r: R }), sweep, hands);
  const picture = drawing(180, 180, "", frame);
  let drawn;
  let arrows;
  const angle = (side, pair) => Math.atan2(vectors[side][2 * pair + 1], vectors[side][2 * pair]);
  const length = (side, pair) =>
    (R * Math.hypot(vectors[side][2 * pair], vectors[side][2 * pair + 1])) / longest(pair);
  const rebuild = (pair) => {
    // The arrows as stored, before any turn, stay as shadows.
    const shadows = kind === "both" ? [] : shown.map((side) => arrow(length(side, pair), "pe-shadow"));
    shadows.forEach((shadow) => shadow.point(angle(kind, pair)));
    arrows = Object.fromEntries(shown.map((side) => [side, arrow(length(side, pair), `pe-${side}`)]));
    hands.replaceChildren(...shadows.map((s) => s.element), ...Object.values(arrows).map((a) => a.element));
    drawn = pair;
  };
  return {
    element: html("div", { class: "pe-picture" }, picture, caption),
    show({ m, n, pair }) {
      if (pair !== drawn) rebuild(pair);
      const turns = { query: kind === "both" ? 0 : m, key: kind === "both" ? n - m : n };
      const angles = shown.map((side) => angle(side, pair) + omegas[pair] * turns[side]);
      shown.forEach((side, i) => arrows[side].point(angles[i]));
      const start = kind === "both" ? angles[0] : angle(kind, pair);
      const end = kind === "both" ? angles[0] + wrapped(angles[1] - angles[0]) : angles[0];
      sweep.setAttribute("d", spiral(start, end, 24, 56));
      caption.innerHTML = {
        query: `query turned by <var>m</var>ω, <var>m</var>\u00a0=\u00a0${m}`,
        key: `key turned by <var>n</var>ω, <var>n</var>\u00a0=\u00a0${n}`,
        both: `from the query: <var>n</var>\u00a0−\u00a0<var>m</var>\u00a0=\u00a0${number(n - m, 0)}`,
      }[kind];
      picture.setAttribute("aria-label", caption.textContent);
    },
  };
}

/** The same angle between -pi and pi. */
const wrapped = (angle) => angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));

const part = (x, pair) => x.slice(2 * pair, 2 * pair + 2);

function buildCurve(query, key, omegas) {
  const { width, height } = CURVE;
  const score = (offset) => dot(query, rotate(key, offset, omegas, LAYOUT));
  const pairScore = (offset, pair) =>
    dot(part(query, pair), part(rotate(key, offset, omegas, LAYOUT), pair));
  const bound = omegas.reduce(
    (sum, _, pair) => sum + Math.hypot(...part(query, pair)) * Math.hypot(...part(key, pair)),
    0,
  );
  const y = (value) => height / 2 - (value / bound) * (height / 2 - 6);
  const trace = (f) => polyline(LAST * 12, (t) => [t * width, y(f((2 * t - 1) * LAST))]);
  const whole = svg("path", { class: "pe-wave pe-whole", d: trace(score) });
  const own = svg("path", { class: "pe-wave pe-part" });
  const line = svg("line", { class: "pe-mark pe-faint", y2: height });
  const zero = svg("line", { class: "pe-faint", x2: width, y1: y(0), y2: y(0) });
  const picture = drawing(width, height, "Score against the offset n minus m", zero, line, own, whole);
  picture.setAttribute("preserveAspectRatio", "none");
  const [dotWhole, dotOwn] = ["pe-whole", "pe-part"].map((c) => html("span", { class: `pe-dot ${c}` }));
  const legend = html("p", { class: "pe-legend" });
  legend.innerHTML =
    '<span class="pe-swatch pe-whole"></span><span>score of all pairs</span>' +
    '<span class="pe-swatch pe-part"></span><span>of the pair shown</span>' +
    `<span>over offset <var>n</var> − <var>m</var></span>`;
  const axis = html("div", { class: "pe-axis", "aria-hidden": "true" });
  axis.append(...[`−${LAST}`, "0", `${LAST}`].map((text) => html("span", {}, text)));
  const plot = html("div", { class: "pe-plot" }, picture, dotOwn, dotWhole);
  let drawn;
  return {
    element: html("div", { class: "pe-waves" }, legend, plot, axis),
    show({ m, n, pair }) {
      if (pair !== drawn) own.setAttribute("d", trace((offset) => pairScore(offset, pair)));
      drawn = pair;
      const share = (n - m + LAST) / (2 * LAST);
      line.setAttribute("x1", share * width);
      line.setAttribute("x2", share * width);
      [
        [dotWhole, score(n - m)],
        [dotOwn, pairScore(n - m, pair)],
      ].forEach(([node, value]) => {
        node.style.left = `${100 * share}%`;
        node.style.top = `${(100 * y(value)) / height}%`;
      });
    },
  };
}

function buildScores(query, key, omegas) {
  const rows = [
    "(<var>R</var><sub>m</sub><b>q</b>) · (<var>R</var><sub>n</sub><b>k</b>)",
    "<b>q</b> · <var>R</var><sub>n−m</sub><b>k</b>",
  ].map((name) => {
    const head = html("th", { scope: "row" });
    head.innerHTML = name;
    const cells = [html("td", { class: "pe-number" }), html("td", { class: "pe-number" })];
    return { cells, element: html("tr", {}, head, ...cells) };
  });
  const head = html("tr");
  head.innerHTML = '<td></td><th scope="col">this pair</th><th scope="col">all pairs</th>';
  const table = html("table", { class: "pe-table" });
  table.append(html("thead", {}, head), html("tbody", {}, ...rows.map((row) => row.element)));
  return {
    element: table,
    show({ m, n, pair }) {
      const q = rotate(query, m, omegas, LAYOUT);
      const k = rotate(key, n, omegas, LAYOUT);
      const apart = rotate(key, n - m, omegas, LAYOUT);
      const values = [
        [dot(part(q, pair), part(k, pair)), dot(q, k)],
        [dot(part(query, pair), part(apart, pair)), dot(query, apart)],
      ];
      rows.forEach(({ cells }, i) => cells.forEach((cell, j) => (cell.textContent = number(values[i][j], 12))));
      return values[0][1];
    },
  };
}
