// One query looks back: the slope of a head decides how its attention falls with the distance.

import { choose, drawing, follow, html, narrator, number, slider, svg } from "./dom.js";
import { polyline } from "./draw.js";
import { alibiBound, alibiSlopes, alibiWeights } from "./formulas.js";

// As in pe_lib/widgets/alibi.py.
const MOST_HEADS = 128;
const LAST = 4096;
const MOST_EXTRA = 12;
const PLOT = { width: 640, height: 200 };
const FAMILY = 8; // so many heads are drawn as thin lines, at most

export default function alibi(model, root) {
  const controls = buildControls(model);
  const plot = buildPlot();
  const results = buildResults();
  const narration = narrator();
  root.append(controls.element, plot.element, results.element, narration.element);
  let before;
  const traits = ["num_heads", "head", "query_position", "distance", "extra"];
  const stop = follow(model, traits, () => {
    const state = compute(...traits.map((trait) => model.get(trait)));
    controls.show(state);
    plot.show(state);
    results.show(state);
    narration.say(sentence(state, before));
    before = state;
  });
  return () => {
    stop();
    narration.stop();
  };
}

function compute(heads, head, query, distance, extra) {
  const slopes = alibiSlopes(heads);
  const slope = slopes[head];
  const weights = alibiWeights(slope, query, distance, extra);
  const beyond = weights.slice(distance).reduce((sum, weight) => sum + weight, 0);
  const bound = alibiBound(slope, distance, extra);
  return { heads, head, query, distance, extra, slopes, slope, halfLife: Math.LN2 / slope, weights, beyond, bound };
}

const short = (value) => String(Number(value.toPrecision(3)));
const tokens = (count) => `${short(count)} ${count === 1 ? "token" : "tokens"}`;

function sentence(state, before) {
  const { heads, head, query, distance, extra, slope, halfLife, beyond } = state;
  const now = `Head ${head} halves a weight every ${tokens(halfLife)}; ${number(100 * beyond, 1)}\u00a0% of its attention lies ${tokens(distance)} back or farther.`;
  if (before && before.heads !== heads) {
    const flattest = Math.LN2 / Math.min(...state.slopes);
    return `${now} The flattest of ${heads === 1 ? "this one head" : `these ${heads} heads`} has a half-life of ${tokens(flattest)}.`;
  }
  if (before && before.query !== query)
    return `${now} Of the ${query + 1} tokens in view, the query's own key weighs ${number(state.weights[0], 6)}.`;
  if (before && before.extra !== extra)
    return `${now} ${number(extra, 1)} logits make up for ${tokens(extra / slope)} of distance.`;
  return now;
}

function buildControls(model) {
  const whole = (label, name, max, pick, min = 0) =>
    slider({ ...{ label, name, min, max, step: 1, limits: [min, max] }, pick: (value) => pick(Math.round(value)) });
  const heads = whole(
    "heads <var>H</var>",
    "number of heads H",
    MOST_HEADS,
    (value) => choose(model, { num_heads: value, head: Math.min(model.get("head"), value - 1) }),
    1,
  );
  const head = whole("head <var>h</var>", "head h", MOST_HEADS - 1, (value) =>
    choose(model, { head: Math.min(value, model.get("num_heads") - 1) }),
  );
  const query = whole("query at <var>m</var>", "query position m", LAST, (value) =>
    choose(model, { query_position: value, distance: Math.min(model.get("distance"), value) }),
  );
  const distance = whole("key <var>t</var> tokens back", "distance t", LAST, (value) =>
    choose(model, { distance: Math.min(value, model.get("query_position")) }),
  );
  const extra = slider({
    ...{ label: "its extra score", name: "extra score", min: 0, max: MOST_EXTRA, step: 0.5, limits: [0, MOST_EXTRA] },
    pick: (value) => choose(model, { extra: value }),
  });
  const all = [heads, head, query, distance, extra].map(({ element }) => element);
  return {
    element: html("div", { class: "pe-controls pe-across" }, ...all),
    show(state) {
      heads.set(state.heads);
      head.bound(0, state.heads - 1);
      head.set(state.head);
      query.set(state.query);
      distance.bound(0, state.query);
      distance.set(state.distance);
      extra.set(state.extra);
    },
  };
}

function buildPlot() {
  const { width, height } = PLOT;
  const family = svg("path", { class: "pe-wave pe-family" });
  const own = svg("path", { class: "pe-wave pe-alibi-curve" });
  const beyond = svg("rect", { class: "pe-beyond", height });
  const stem = svg("line", { class: "pe-mark pe-key", y1: height });
  const name = "Weight by distance back from the query, as a multiple of the weight of its own key";
  const picture = drawing(width, height, name, beyond, family, own, stem);
  picture.setAttribute("preserveAspectRatio", "none");
  const [half, key] = ["pe-alibi-curve", "pe-key"].map((c) => html("span", { class: `pe-dot ${c}` }));
  const legend = html("p", { class: "pe-legend" });
  const entry = (kind, text) =>
    `<span class="pe-entry"><span class="pe-swatch ${kind}"></span><span>${text}</span></span>`;
  legend.innerHTML =
    entry("pe-alibi-curve", "this head’s weights, own key = 1; dot: half-life") +
    entry("pe-family", "other heads") +
    entry("pe-key", "the key <var>t</var> tokens back");
  const ends = ["", "", ""].map((text) => html("span", {}, text));
  const axis = html("div", { class: "pe-axis", "aria-hidden": "true" }, ...ends);
  const waves = html("div", { class: "pe-plot" }, picture, half, key);
  let drawn;
  return {
    element: html("div", { class: "pe-waves" }, legend, waves, axis),
    show(state) {
      const { query, distance, extra, slope, slopes, halfLife } = state;
      const last = Math.max(query, 1);
      const value = Math.exp(extra - slope * distance);
      const top = Math.max(1, value);
      const y = (weight) => height - (weight / top) * (height - 8);
      const curve = (rate) => polyline(40, (u) => [u * u * width, y(Math.exp(-rate * u * u * last))]);
      const shown = `${slopes.length} ${last} ${top}`;
      if (shown !== drawn) {
        const step = Math.ceil(slopes.length / FAMILY);
        family.setAttribute("d", slopes.filter((_, h) => h % step === 0).map(curve).join(""));
      }
      drawn = shown;
      own.setAttribute("d", curve(slope));
      const x = (distance / last) * width;
      beyond.setAttribute("x", x);
      beyond.setAttribute("width", width - x);
      stem.setAttribute("x1", x);
      stem.setAttribute("x2", x);
      stem.setAttribute("y2", y(value));
      at(key, distance / last, y(value) / height);
      half.hidden = halfLife > last;
      at(half, Math.min(1, halfLife / last), y(0.5) / height);
      ends[0].textContent = "own key";
      ends[1].textContent = "distance (tokens)";
      ends[2].textContent = String(query);
    },
  };
}

function at(dot, across, down) {
  dot.style.left = `${100 * across}%`;
  dot.style.top = `${100 * down}%`;
}

function buildResults() {
  const names = [
    "slope μ<sub><var>h</var></sub>",
    "half-life (tokens)",
    "weight of the own key",
    "weight of the key at <var>t</var>",
    "weight at <var>t</var> and beyond",
    "bound on that, at any length",
  ];
  const cells = names.map(() => html("td", { class: "pe-number" }));
  const rows = names.map((name, i) => {
    const head = html("th", { scope: "row" });
    head.innerHTML = name;
    return html("tr", {}, head, cells[i]);
  });
  return {
    element: html("table", { class: "pe-table" }, html("tbody", {}, ...rows)),
    show({ slope, halfLife, weights, distance, beyond, bound }) {
      [slope, halfLife, weights[0], weights[distance], beyond, bound].forEach(
        (value, i) => (cells[i].textContent = number(value, 12)),
      );
    },
  };
}
