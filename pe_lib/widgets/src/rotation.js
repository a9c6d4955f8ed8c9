// Choose p, k and a pair: the arrow turns, and both sides of PE(p + k) = M_k PE(p) agree.

import { choose, drawing, follow, html, narrator, number, select, slider, svg } from "./dom.js";
import { arrow, polyline, spiral } from "./draw.js";
import { encodePair, frequencies, matmul, shiftBlock } from "./formulas.js";

const LIMITS = [-1000, 1000];
const DIMS = [4, 8, 16, 32, 64, 128, 512];
const R = 88; // radius of the dial
const WAVE = { width: 640, height: 90, first: -14, last: 42 };

export default function rotation(model, root) {
  const controls = buildControls(model);
  const dial = buildDial();
  const waves = buildWaves();
  const equation = buildEquation();
  const narration = narrator();
  root.append(
    html("div", { class: "pe-beside" }, dial.element, controls.element),
    waves.element,
    equation.element,
    narration.element,
  );

  let before;
  const stop = follow(model, ["position", "shift", "pair", "dim"], () => {
    const dim = model.get("dim");
    const pair = Math.min(model.get("pair"), dim / 2 - 1);
    const [p, k] = [model.get("position"), model.get("shift")];
    const omega = frequencies(dim)[pair];
    const state = { p, k, pair, dim, omega };
    controls.show(state);
    dial.show(state);
    waves.show(state);
    equation.show(state);
    narration.say(sentence(state, before));
    before = state;
  });
  return () => {
    stop();
    narration.stop();
  };
}

function sentence({ p, k, pair, omega }, before) {
  if (k === 0) return "A shift of 0 turns nothing: the matrix is the identity, and both arrows coincide.";
  const degrees = number((Math.abs(omega * k) * 180) / Math.PI, 2);
  const way = k > 0 ? "clockwise" : "counterclockwise";
  const turn = `From position ${short(p)} to ${short(p + k)}, pair ${pair} turns ${way} by ${degrees}°.`;
  if (before && before.p !== p && before.k === k && before.omega === omega)
    return `${turn} Only p moved: both arrows turned, but the angle between them and the matrix did not change.`;
  if (before && before.k !== k) return `${turn} A new shift: the angle between the arrows and the matrix changed.`;
  if (before && before.omega !== omega) return `${turn} Another pair, another frequency: the same shift, another angle.`;
  return `${turn} Move p: both arrows turn, but the angle between them and the matrix stay as they are.`;
}

const short = (value) => number(value, 6).replace(/\.?0+$/, "");

function buildControls(model) {
  const tokens = (trait, label, name, min, max) =>
    slider({
      ...{ label, name, min, max, step: 0.5, limits: LIMITS },
      pick: (value) => choose(model, { [trait]: value }),
    });
  const p = tokens("position", "position <var>p</var>", "position p", 0, 24);
  const k = tokens("shift", "shift <var>k</var>", "shift k", -12, 12);
  const pair = slider({
    ...{ label: "pair <var>i</var>", name: "pair i", min: 0, max: 1, step: 1, limits: [0, 255] },
    pick: (value) => choose(model, { pair: Math.min(Math.round(value), model.get("dim") / 2 - 1) }),
  });
  const dim = select("channels d", (value) =>
    choose(model, { pair: Math.min(model.get("pair"), value / 2 - 1), dim: value }),
  );
  dim.options(DIMS.map((d) => [d, d]));
  const pace = html("p", { class: "pe-note" });
  return {
    element: html("div", { class: "pe-controls" }, p.element, k.element, pair.element, dim.element, pace),
    show(state) {
      p.set(state.p);
      k.set(state.k);
      pair.bound(0, state.dim / 2 - 1);
      pair.set(state.pair);
      dim.set(state.dim);
      const round = (2 * Math.PI) / state.omega;
      pace.textContent = `ω = ${Number(state.omega.toPrecision(4))} rad per token: once around in ${Number(round.toPrecision(4))} tokens`;
    },
  };
}

function buildDial() {
  const others = Array.from({ length: 32 }, () => svg("circle", { r: 2, class: "pe-faint-fill" }));
  const sweep = svg("path", { class: "pe-sweep" });
  const tip = svg("path", { class: "pe-sweep-tip", d: "M0 0l-4 -8h8z" });
  const from = arrow(R, "pe-from");
  const to = arrow(R, "pe-to");
  const [fromName, toName] = ["p", "p + k"].map((text) => svg("text", { class: "pe-on-dial" }, text));
  const frame = svg(
    "g",
    { transform: "translate(130 122)" },
    svg("line", { class: "pe-faint", x1: -R - 12, x2: R + 12 }),
    svg("line", { class: "pe-faint", y1: -R - 12, y2: R + 12 }),
    svg("circle", { class: "pe-faint", r: R }),
    svg("text", { class: "pe-small", x: R + 16, y: 4 }, "sin"),
    svg("text", { class: "pe-small", x: 4, y: -R - 16, "text-anchor": "middle" }, "cos"),
    ...[...others, sweep, tip, from.element, to.element, fromName, toName],
  );
  const name = "The pair as arrows on the unit circle, sine to the right and cosine upward: PE(p) and PE(p + k)";
  const around = (angle, radius) => [radius * Math.sin(angle), -radius * Math.cos(angle)];
  const put = (node, angle, radius) => {
    const [x, y] = around(angle, radius);
    node.setAttribute("transform", `translate(${x} ${y})`);
  };
  return {
    element: drawing(260, 240, name, frame),
    show({ p, k, omega }) {
      const [start, turn] = [omega * p, omega * k];
      // The code at angle a points to (sin a, cos a): a clock's hand, turning clockwise.
      from.point(Math.PI / 2 - start);
      to.point(Math.PI / 2 - start - turn);
      others.forEach((dot, position) => put(dot, omega * position, R));
      put(fromName, start, R + 14);
      put(toName, start + turn, R + 20);
      fromName.style.opacity = Math.cos(turn) > 0.97 ? 0 : 1;
      sweep.setAttribute("d", spiral(Math.PI / 2 - start, Math.PI / 2 - start - turn, 30, 58));
      const turns = Math.min(Math.abs(turn) / (2 * Math.PI), 6);
      const [x, y] = around(start + turn, 30 + (28 * turns) / 6);
      const heading = ((start + turn) * 180) / Math.PI - (turn > 0 ? 90 : -90);
      tip.setAttribute("transform", `translate(${x} ${y}) rotate(${heading})`);
      tip.style.opacity = Math.abs(turn) > 0.25 ? 1 : 0;
    },
  };
}

function buildWaves() {
  const { width, height } = WAVE;
  const curves = ["sine", "cosine"].map((wave) => svg("path", { class: `pe-wave pe-${wave}` }));
  const marks = ["from", "to"].map((side) => ({
    line: svg("line", { class: `pe-mark pe-${side}`, y1: 0, y2: height }),
    dots: curves.map(() => html("span", { class: `pe-dot pe-${side}` })),
    label: html("span", { class: "pe-mark-label" }, side === "from" ? "p" : "p + k"),
  }));
  const name = "The pair's two waves over positions, with p and p + k marked";
  const picture = drawing(width, height, name, svg("line", { class: "pe-faint", y1: 45, y2: 45, x2: width }));
  picture.append(...curves, ...marks.map((mark) => mark.line));
  picture.setAttribute("preserveAspectRatio", "none");
  const legend = html("p", { class: "pe-legend" });
  legend.innerHTML =
    '<span class="pe-swatch pe-sine"></span><span>sin <var>ω</var><sub>i</sub><var>p</var></span>' +
    '<span class="pe-swatch pe-cosine"></span><span>cos <var>ω</var><sub>i</sub><var>p</var></span>' +
    "<span>over position</span>";
  let drawn = "";
  return {
    element: html(
      "div",
      { class: "pe-waves" },
      legend,
      html("div", { class: "pe-plot" }, picture, ...marks.flatMap((mark) => [mark.label, ...mark.dots])),
    ),
    show({ p, k, omega }) {
      const first = Math.min(WAVE.first, p - 4, p + k - 4);
      const last = Math.max(WAVE.last, p + 4, p + k + 4);
      const span = last - first;
      const view = `${omega} ${first} ${last}`;
      if (view !== drawn) {
        const steps = Math.min(2000, Math.max(200, Math.ceil((omega * span * 24) / 6)));
        curves.forEach((curve, channel) =>
          curve.setAttribute(
            "d",
            polyline(steps, (t) => [t * width, 45 - 40 * encodePair(omega * (first + t * span))[channel]]),
          ),
        );
        drawn = view;
      }
      [p, p + k].forEach((position, i) => {
        const share = (position - first) / span;
        marks[i].line.setAttribute("x1", share * width);
        marks[i].line.setAttribute("x2", share * width);
        marks[i].label.style.left = `${100 * share}%`;
        // The two labels stand outside of the two lines, whichever comes first.
        marks[i].label.style.translate = (i === 0) === k >= 0 ? "-100%" : "0";
        encodePair(omega * position).forEach((value, channel) => {
          marks[i].dots[channel].style.left = `${100 * share}%`;
          marks[i].dots[channel].style.top = `${(100 * (45 - 40 * value)) / height}%`;
        });
      });
    },
  };
}

function buildEquation() {
  const slots = (count) => Array.from({ length: count }, () => html("span", { class: "pe-number" }));
  const matrix = slots(4);
  const before = slots(2);
  const after = slots(2);
  const bracket = (columns, cells) =>
    html("span", { class: "pe-matrix", style: `grid-template-columns: repeat(${columns}, auto)` }, ...cells);
  const term = (name, values) => {
    const label = html("span", { class: "pe-term" });
    label.innerHTML = name;
    return html("span", { class: "pe-factor" }, label, values);
  };
  const product = html(
    "div",
    { class: "pe-product", role: "group", "aria-label": "M k times PE of p equals PE of p plus k" },
    ...[term("<var>M</var><sub>k</sub>", bracket(2, matrix)), html("span", {}, "·")],
    ...[term("PE(<var>p</var>)", bracket(1, before)), html("span", {}, "=")],
    term("PE(<var>p</var> + <var>k</var>)", bracket(1, after)),
  );
  const rows = ["sin", "cos"].map((wave) => {
    const cells = [html("td", { class: "pe-number" }), html("td", { class: "pe-number" })];
    const head = html("th", { scope: "row" });
    return { wave, head, cells, element: html("tr", {}, head, ...cells) };
  });
  const head = html("tr");
  head.innerHTML =
    '<th scope="col">channel</th><th scope="col"><var>M</var><sub>k</sub> PE(<var>p</var>), turned</th>' +
    '<th scope="col">PE(<var>p</var> + <var>k</var>), defined</th>';
  const table = html("table", { class: "pe-table" });
  table.append(html("thead", {}, head), html("tbody", {}, ...rows.map((row) => row.element)));
  return {
    element: html("div", { class: "pe-equation" }, product, table),
    show({ p, k, pair, omega }) {
      const block = shiftBlock(omega * k);
      const code = encodePair(omega * p);
      const turned = matmul(block, code.map((value) => [value])).map(([value]) => value);
      const defined = encodePair(omega * (p + k));
      const fill = (spans, values) => spans.forEach((span, i) => (span.textContent = number(values[i], 4)));
      fill(matrix, block.flat());
      fill(before, code);
      fill(after, defined);
      rows.forEach(({ wave, head, cells }, i) => {
        head.textContent = `${2 * pair + i} (${wave})`;
        cells[0].textContent = number(turned[i], 12);
        cells[1].textContent = number(defined[i], 12);
      });
    },
  };
}
