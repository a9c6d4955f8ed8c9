// src/dom.js
var SVG = "http://www.w3.org/2000/svg";
function build(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== void 0) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}
var html = (tag, attributes = {}, ...children) => build(document.createElement(tag), attributes, children);
var svg = (tag, attributes = {}, ...children) => build(document.createElementNS(SVG, tag), attributes, children);
var drawing = (width, height, label, ...children) => svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label }, ...children);
function number(value, digits) {
  const text = value.toFixed(digits);
  return (Number(text) === 0 ? text.replace("-", "") : text).replace("-", "−");
}
function slider({ label, name, min, max, step, limits, pick }) {
  const heard = (event) => {
    const value = event.target.valueAsNumber;
    if (Number.isFinite(value)) pick(Math.min(Math.max(value, limits[0]), limits[1]));
  };
  const range = html("input", { type: "range", min, max, step, "aria-label": name, oninput: heard });
  const box = html("input", {
    ...{ type: "number", min: limits[0], max: limits[1], step: Number.isInteger(step) ? step : "any" },
    ...{ "aria-label": `${name}, exact value`, onchange: heard }
  });
  const caption = html("span", { "aria-hidden": "true" });
  caption.innerHTML = label;
  return {
    element: html("div", { class: "pe-slider" }, caption, box, range),
    bound(low, high) {
      range.min = low;
      range.max = high;
    },
    set(value) {
      range.value = value;
      if (box.valueAsNumber !== value) box.value = value;
    }
  };
}
function checkbox(label, pick) {
  const input = html("input", { type: "checkbox", onchange: () => pick(input.checked) });
  return { element: html("label", { class: "pe-check" }, input, label), set: (on) => input.checked = on };
}
function select(label, pick) {
  const input = html("select", { onchange: () => pick(Number(input.value)) });
  return {
    element: html("label", { class: "pe-select" }, label, input),
    options(pairs) {
      input.replaceChildren(...pairs.map(([value, text]) => html("option", { value }, text)));
    },
    set(value) {
      input.value = value;
      if (input.selectedIndex >= 0) return;
      input.append(html("option", { value }, value));
      input.value = value;
    }
  };
}
var button = (label, press) => html("button", { type: "button", onclick: press }, label);
function narrator() {
  const element = html("p", { class: "pe-says", "aria-live": "polite" });
  let next = "";
  let timer;
  const speak = () => {
    if (element.textContent !== next) element.textContent = next;
  };
  return {
    element,
    say(text) {
      next = text;
      if (timer !== void 0) return;
      speak();
      timer = setTimeout(() => {
        timer = void 0;
        speak();
      }, 200);
    },
    stop: () => clearTimeout(timer)
  };
}
function follow(model, traits, update) {
  let waiting = false;
  const later = () => {
    if (waiting) return;
    waiting = true;
    queueMicrotask(() => {
      waiting = false;
      update();
    });
  };
  for (const trait of traits) model.on(`change:${trait}`, later);
  update();
  return () => {
    for (const trait of traits) model.off(`change:${trait}`, later);
  };
}
function choose(model, traits) {
  for (const [name, value] of Object.entries(traits)) model.set(name, value);
  model.save_changes();
}

// src/draw.js
var channelsOf = (hex) => [1, 3, 5].map((at3) => parseInt(hex.slice(at3, at3 + 2), 16));
function colorAt(stops, t) {
  const clipped = Math.min(Math.max(t, 0), 1) * 2;
  const from = clipped < 1 ? 0 : 1;
  const [a, b] = [channelsOf(stops[from]), channelsOf(stops[from + 1])];
  return a.map((value, i) => Math.round(value + (b[i] - value) * (clipped - from)));
}
function cell(width, height, stops) {
  const box = svg("rect", { width: width - 2, height: height - 2, x: 1, y: 1, rx: 3 });
  const text = svg("text", { x: width / 2, y: height / 2, class: "pe-cell" });
  const element = svg("g", {}, box, text);
  let shown;
  return {
    element,
    show(label, t) {
      const rgb = colorAt(stops, t);
      if (shown === `${label} ${rgb}`) return;
      shown = `${label} ${rgb}`;
      const light = 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2] > 130;
      box.style.fill = `rgb(${rgb})`;
      text.style.fill = light ? "#1c1e21" : "#fff";
      text.textContent = label;
    }
  };
}
function place(element, x, y) {
  element.style.transform = `translate(${x}px, ${y}px)`;
}
function arrow(length, className) {
  const tip = Math.max(length, 0.01);
  const head = Math.min(9, tip);
  const element = svg(
    "g",
    { class: `pe-arrow ${className}` },
    svg("line", { x2: tip - head }),
    svg("path", { d: `M${tip} 0l${-head - 2} ${-head / 2}v${head}z` })
  );
  return {
    element,
    point: (angle) => element.setAttribute("transform", `rotate(${-angle * 180 / Math.PI})`)
  };
}
function spiral(from, to, radius, widest) {
  const turns = Math.abs(to - from) / (2 * Math.PI);
  const whole = Math.max(0, Math.floor(turns) - 5);
  const start = from + Math.sign(to - from) * whole * 2 * Math.PI;
  const steps = Math.max(2, Math.ceil((turns - whole) * 40));
  const growth = Math.min(turns - whole, 6) / 6;
  return polyline(steps, (t) => {
    const angle = start + (to - start) * t;
    const r = radius + (widest - radius) * growth * t;
    return [r * Math.cos(angle), -r * Math.sin(angle)];
  });
}
function polyline(steps, point) {
  let path = "M";
  for (let i = 0; i <= steps; i++) path += point(i / steps).map((c) => c.toFixed(2)).join(" ") + " ";
  return path;
}

// src/formulas.js
function frequencies(dim, base = 1e4) {
  return Array.from({ length: dim / 2 }, (_, i) => base ** (-2 * i / dim));
}
function encodePair(angle) {
  return [Math.sin(angle), Math.cos(angle)];
}
function channels(i, dim, layout) {
  if (layout === "interleaved") return [2 * i, 2 * i + 1];
  if (layout === "half") return [i, i + dim / 2];
  throw new Error(`layout must be "interleaved" or "half", got ${layout}`);
}
function encode(position, dim, layout) {
  const code = new Array(dim);
  frequencies(dim).forEach((omega, i) => {
    const [a, b] = channels(i, dim, layout);
    [code[a], code[b]] = encodePair(omega * position);
  });
  return code;
}
function shiftBlock(angle) {
  const [sin, cos] = encodePair(angle);
  return [
    [cos, sin],
    [-sin, cos]
  ];
}
function rotate(x, position, omegas, layout) {
  const turned = new Array(x.length);
  omegas.forEach((omega, i) => {
    const [a, b] = channels(i, x.length, layout);
    const [sin, cos] = encodePair(omega * position);
    turned[a] = x[a] * cos - x[b] * sin;
    turned[b] = x[a] * sin + x[b] * cos;
  });
  return turned;
}
function dot(a, b) {
  return a.reduce((sum, value, i) => sum + value * b[i], 0);
}
function add(a, b) {
  return a.map((row, i) => row.map((value, j) => value + b[i][j]));
}
function transpose(a) {
  return a[0].map((_, j) => a.map((row) => row[j]));
}
function matmul(a, b) {
  const columns = transpose(b);
  return a.map((row) => columns.map((column) => dot(row, column)));
}
function softmax(scores) {
  const highest = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - highest));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}
function weights(q, k, causal) {
  const scale = Math.sqrt(q[0].length);
  const masked = (score, i, j) => causal && j > i ? -Infinity : score / scale;
  const scores = matmul(q, transpose(k));
  return scores.map((row, i) => softmax(row.map((score, j) => masked(score, i, j))));
}
function selfAttention(x, wq, wk, wv, causal) {
  const a = weights(matmul(x, wq), matmul(x, wk), causal);
  return { weights: a, output: matmul(a, matmul(x, wv)) };
}
function permuteRows(x, order) {
  return order.map((i) => x[i]);
}
function largestDifference(a, b) {
  return Math.max(...a.map((row, i) => Math.max(...row.map((value, j) => Math.abs(value - b[i][j])))));
}
function wavelengths(dim, base) {
  return frequencies(dim, base).map((omega) => 2 * Math.PI / omega);
}
function slowPairs(dim, base, context) {
  return wavelengths(dim, base).filter((length) => length > context).length;
}
function shownPairs(dim, most) {
  const pairs = dim / 2;
  const rows = Math.min(pairs, most);
  return Array.from({ length: rows }, (_, row) => Math.floor(row * (pairs - 1) / Math.max(rows - 1, 1) + 0.5));
}
function alibiSlopes(numHeads) {
  const power = 2 ** Math.floor(Math.log2(numHeads));
  const first = Array.from({ length: power }, (_, h) => (h + 1) / power);
  const rest = Array.from({ length: numHeads - power }, (_, h) => (2 * h + 1) / (2 * power));
  return [...first, ...rest].map((share) => 2 ** (-8 * share));
}
function alibiWeights(slope, query, distance, extra) {
  const score = (t) => -slope * t + (t === distance ? extra : 0);
  return softmax(Array.from({ length: query + 1 }, (_, t) => score(t)));
}
function alibiBound(slope, distance, spread) {
  const power = Math.exp(-slope * distance);
  return Math.exp(spread) * power / (1 + Math.expm1(spread) * power);
}
function scaledFrequencies(method, dim, base, factor) {
  if (method === "linear") return frequencies(dim, base).map((omega) => omega / factor);
  if (method === "ntk") return frequencies(dim, base * factor ** (dim / (dim - 2)));
  if (method === "none") return frequencies(dim, base);
  throw new Error(`method must be "none", "linear" or "ntk", got ${method}`);
}
function angleCoverage(omegas, scaled, trained, length) {
  return omegas.map((omega, i) => {
    const [seen, met] = [omega * (trained - 1), scaled[i] * (length - 1)];
    return { seen, met, fresh: 2 * Math.PI / omega > trained && met >= omega * trained };
  });
}

// src/construction.js
var DIMS = [4, 8, 16, 32, 64, 128, 512];
var CONTEXTS = [64, 512, 2048, 8192, 131072];
var [LONGEST, LARGEST, ROWS] = [2 ** 20, 1e9, 8];
var TURNS = 60;
var STRIP = { width: 400, height: 40 };
var R = 19;
function construction(model, root) {
  const controls = buildControls(model);
  const legend = html("p", { class: "pe-legend" });
  legend.innerHTML = '<span class="pe-swatch pe-sine"></span><span>sin <var>ω</var><sub>i</sub><var>p</var></span><span class="pe-swatch pe-cosine"></span><span>cos <var>ω</var><sub>i</sub><var>p</var></span>';
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
var grouped = (value, digits = 0) => value.toFixed(digits).replace(/\B(?=(\d{3})+(\.|$))/g, ",");
var brief = (value) => value >= 1e4 ? grouped(value) : String(Number(value.toPrecision(5)));
var degrees = (angle) => `${Number((angle * 180 / Math.PI).toPrecision(3))}°`;
function sentence({ p, dim, base, context, omegas, slow }, before) {
  const last = omegas[omegas.length - 1];
  const share = `${slow} of ${dim / 2} pairs turn less than once in ${grouped(context)} tokens.`;
  if (before && before.base !== base)
    return dim === 2 ? "With a single pair the base has no effect: its exponent is 0." : `Pair 0 still turns 1 rad per token; a ${base > before.base ? "larger" : "smaller"} base makes every other hand ${base > before.base ? "slower" : "faster"}. ${share}`;
  if (before && before.dim !== dim)
    return `The last wavelength is now ${brief(2 * Math.PI / last)} tokens, below the limit 2π · base = ${brief(2 * Math.PI * base)}. ${share}`;
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
    pick: (value) => choose(model, { position: Math.min(value, model.get("context")) })
  });
  const base = buildBase((value) => choose(model, { base: value }));
  const dim = select("channels d", (value) => choose(model, { dim: value }));
  const context = select(
    "context (tokens)",
    (value) => choose(model, { position: Math.min(model.get("position"), value), context: value })
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
    }
  };
}
function buildBase(pick) {
  const range = html("input", {
    ...{ type: "range", min: 0.5, max: 7, step: 0.05, "aria-label": "base, as a power of ten" },
    oninput: () => pick(Number((10 ** range.valueAsNumber).toPrecision(3)))
  });
  const box = html("input", {
    ...{ type: "number", min: 1.001, max: LARGEST, step: "any", "aria-label": "base, exact value" },
    onchange: () => Number.isFinite(box.valueAsNumber) && pick(Math.min(Math.max(box.valueAsNumber, 1.001), LARGEST))
  });
  return {
    element: html("div", { class: "pe-slider" }, html("span", { "aria-hidden": "true" }, "base"), box, range),
    set(value) {
      range.value = Math.log10(value);
      range.setAttribute("aria-valuetext", brief(value));
      if (box.valueAsNumber !== value) box.value = value;
    }
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
    html("div", { class: "pe-pair-values" }, ...values)
  );
  let drawn = "";
  return {
    element,
    show({ p, context, omegas }, pair) {
      element.hidden = pair === void 0;
      if (element.hidden) return;
      const omega = omegas[pair];
      const length = 2 * Math.PI / omega;
      const around = context / length;
      name.textContent = `pair ${pair}: λ = ${brief(length)}`;
      turns.textContent = `${Number(around.toPrecision(3))} turns`;
      element.setAttribute("aria-label", `pair ${pair}`);
      hand.point(Math.PI / 2 - omega * p);
      const share = p / context * width;
      line.setAttribute("x1", share);
      line.setAttribute("x2", share);
      const code = encodePair(omega * p);
      values.forEach((node, i) => node.textContent = `${i ? "cos" : "sin"} ${number(code[i], 4).padStart(7, " ")}`);
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
    }
  };
}
function buildFacts() {
  const entries = [
    ["longest wavelength", (s) => `${grouped(wavelengths(s.dim, s.base)[s.dim / 2 - 1], 2)} tokens`],
    ["ratio of neighboring frequencies", (s) => s.dim > 2 ? number(s.omegas[1] / s.omegas[0], 5) : "none"],
    ["pairs that turn less than once", (s) => `${s.slow} of ${s.dim / 2}`]
  ];
  const cells = entries.map(() => html("td", { class: "pe-number" }));
  const body = html("tbody", {}, ...entries.map(([name], i) => html("tr", {}, html("th", { scope: "row" }, name), cells[i])));
  return {
    element: html("table", { class: "pe-table" }, body),
    show: (state) => entries.forEach(([, text], i) => cells[i].textContent = text(state))
  };
}

// src/alibi.js
var MOST_HEADS = 128;
var LAST = 4096;
var MOST_EXTRA = 12;
var PLOT = { width: 640, height: 200 };
var FAMILY = 8;
function alibi(model, root) {
  const controls = buildControls2(model);
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
    narration.say(sentence2(state, before));
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
  const weights2 = alibiWeights(slope, query, distance, extra);
  const beyond = weights2.slice(distance).reduce((sum, weight) => sum + weight, 0);
  const bound = alibiBound(slope, distance, extra);
  return { heads, head, query, distance, extra, slopes, slope, halfLife: Math.LN2 / slope, weights: weights2, beyond, bound };
}
var short = (value) => String(Number(value.toPrecision(3)));
var tokens = (count) => `${short(count)} ${count === 1 ? "token" : "tokens"}`;
function sentence2(state, before) {
  const { heads, head, query, distance, extra, slope, halfLife, beyond } = state;
  const now = `Head ${head} halves a weight every ${tokens(halfLife)}; ${number(100 * beyond, 1)} % of its attention lies ${tokens(distance)} back or farther.`;
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
function buildControls2(model) {
  const whole = (label, name, max, pick, min = 0) => slider({ ...{ label, name, min, max, step: 1, limits: [min, max] }, pick: (value) => pick(Math.round(value)) });
  const heads = whole(
    "heads <var>H</var>",
    "number of heads H",
    MOST_HEADS,
    (value) => choose(model, { num_heads: value, head: Math.min(model.get("head"), value - 1) }),
    1
  );
  const head = whole(
    "head <var>h</var>",
    "head h",
    MOST_HEADS - 1,
    (value) => choose(model, { head: Math.min(value, model.get("num_heads") - 1) })
  );
  const query = whole(
    "query at <var>m</var>",
    "query position m",
    LAST,
    (value) => choose(model, { query_position: value, distance: Math.min(model.get("distance"), value) })
  );
  const distance = whole(
    "key <var>t</var> tokens back",
    "distance t",
    LAST,
    (value) => choose(model, { distance: Math.min(value, model.get("query_position")) })
  );
  const extra = slider({
    ...{ label: "its extra score", name: "extra score", min: 0, max: MOST_EXTRA, step: 0.5, limits: [0, MOST_EXTRA] },
    pick: (value) => choose(model, { extra: value })
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
    }
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
  const entry = (kind, text) => `<span class="pe-entry"><span class="pe-swatch ${kind}"></span><span>${text}</span></span>`;
  legend.innerHTML = entry("pe-alibi-curve", "this head’s weights, own key = 1; dot: half-life") + entry("pe-family", "other heads") + entry("pe-key", "the key <var>t</var> tokens back");
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
      const y = (weight) => height - weight / top * (height - 8);
      const curve = (rate) => polyline(40, (u) => [u * u * width, y(Math.exp(-rate * u * u * last))]);
      const shown = `${slopes.length} ${last} ${top}`;
      if (shown !== drawn) {
        const step = Math.ceil(slopes.length / FAMILY);
        family.setAttribute("d", slopes.filter((_, h) => h % step === 0).map(curve).join(""));
      }
      drawn = shown;
      own.setAttribute("d", curve(slope));
      const x = distance / last * width;
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
    }
  };
}
function at(dot2, across, down) {
  dot2.style.left = `${100 * across}%`;
  dot2.style.top = `${100 * down}%`;
}
function buildResults() {
  const names = [
    "slope μ<sub><var>h</var></sub>",
    "half-life (tokens)",
    "weight of the own key",
    "weight of the key at <var>t</var>",
    "weight at <var>t</var> and beyond",
    "bound on that, at any length"
  ];
  const cells = names.map(() => html("td", { class: "pe-number" }));
  const rows = names.map((name, i) => {
    const head = html("th", { scope: "row" });
    head.innerHTML = name;
    return html("tr", {}, head, cells[i]);
  });
  return {
    element: html("table", { class: "pe-table" }, html("tbody", {}, ...rows)),
    show({ slope, halfLife, weights: weights2, distance, beyond, bound }) {
      [slope, halfLife, weights2[0], weights2[distance], beyond, bound].forEach(
        (value, i) => cells[i].textContent = number(value, 12)
      );
    }
  };
}

// src/figures.css
var figures_default = `/* Colors and type follow JupyterLab (--jp-*), the site's page.css, or the reader's system. */
.pe-figure {
  --pe-ink: var(--jp-content-font-color1, var(--text, CanvasText));
  --pe-paper: var(--jp-layout-color0, var(--paper, Canvas));
  --pe-quiet: color-mix(in srgb, var(--pe-ink) 72%, var(--pe-paper));
  --pe-rule: color-mix(in srgb, var(--pe-ink) 22%, var(--pe-paper));
  container-type: inline-size;
  color: var(--pe-ink);
  font-family: var(--jp-ui-font-family, var(--font-sans, system-ui, sans-serif));
  font-size: 0.9rem;
  line-height: 1.4;
  text-align: left;
  padding: 0.25rem 0;
  max-width: 46rem;
  margin: 0 auto;
}
:is([data-theme="dark"], [data-jp-theme-light="false"]) .pe-figure {
  color-scheme: dark;
}
:is([data-theme="light"], [data-jp-theme-light="true"]) .pe-figure {
  color-scheme: light;
}
.pe-figure *,
.pe-figure *::before {
  box-sizing: border-box;
}
.pe-figure :is(p, ol) {
  margin: 0;
  padding: 0;
}
.pe-figure svg {
  display: block;
  width: 100%;
  height: auto;
  overflow: visible;
}
.pe-figure svg text {
  fill: var(--pe-ink);
  font-size: 12px;
  font-family: inherit;
}
.pe-figure :is(.pe-caption, .pe-note, .pe-legend, .pe-heads) {
  color: var(--pe-quiet);
  font-size: 0.82rem;
  font-style: normal;
  text-align: center;
}
.pe-figure .pe-number {
  font-variant-numeric: tabular-nums;
  font-family: var(--jp-code-font-family, var(--font-mono, ui-monospace, monospace));
  font-size: 0.8rem;
  white-space: nowrap;
}

/* Controls */
.pe-figure .pe-controls {
  display: flex;
  flex-direction: column;
  gap: 0.6rem;
}
.pe-figure .pe-bar {
  flex-flow: row wrap;
  align-items: center;
  gap: 0.5rem 1rem;
  margin-bottom: 0.75rem;
}
.pe-figure .pe-across {
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr));
  gap: 0.6rem 1.5rem;
  margin: 0.75rem 0;
}
.pe-figure button,
.pe-figure select,
.pe-figure input[type="number"] {
  font: inherit;
  color: var(--pe-ink);
  background: color-mix(in srgb, var(--pe-ink) 5%, var(--pe-paper));
  border: 1px solid color-mix(in srgb, var(--pe-ink) 50%, var(--pe-paper));
  border-radius: 5px;
  padding: 0.15rem 0.5rem;
  min-height: 1.8rem;
  margin: 0;
}
.pe-figure button {
  cursor: pointer;
}
.pe-figure button:hover {
  background: color-mix(in srgb, var(--pe-ink) 12%, var(--pe-paper));
}
.pe-figure :is(button, select, input):focus-visible {
  outline: 2px solid var(--pe-sinusoidal);
  outline-offset: 2px;
}
.pe-figure input {
  accent-color: var(--pe-sinusoidal);
}
.pe-figure .pe-slider {
  display: grid;
  grid-template-columns: 1fr 5.2rem;
  align-items: center;
  gap: 0.1rem 0.5rem;
}
.pe-figure .pe-slider input[type="range"] {
  grid-column: 1 / -1;
  width: 100%;
  min-height: 1.5rem;
  margin: 0;
}
.pe-figure .pe-slider input[type="number"] {
  text-align: right;
  font-variant-numeric: tabular-nums;
}
.pe-figure :is(.pe-check, .pe-select) {
  display: flex;
  align-items: center;
  gap: 0.45rem;
  margin: 0;
  min-height: 1.5rem;
  cursor: pointer;
}
.pe-figure .pe-select {
  flex-wrap: wrap;
}
.pe-figure .pe-select select {
  flex: 1 1 13rem;
  min-width: 0;
}
.pe-figure .pe-check input {
  width: 1.1rem;
  height: 1.1rem;
  margin: 0;
}
.pe-figure .pe-controls .pe-note {
  text-align: left;
}

/* Sentence and result */
.pe-figure .pe-says {
  margin-top: 0.6rem;
  min-height: 7em; /* the longest sentence: nothing below moves when it changes */
}
/* Slanted letters lean into the bracket that follows. */
.pe-figure .pe-at var {
  margin-right: 0.12em;
}
.pe-figure .pe-result {
  display: block;
  text-align: center;
  margin-top: 0.6rem;
}

/* Drawings */
.pe-figure .pe-faint {
  stroke: var(--pe-rule);
  fill: none;
  vector-effect: non-scaling-stroke;
}
.pe-figure .pe-faint-fill {
  fill: var(--pe-rule);
}
.pe-figure svg .pe-small {
  font-size: 11px;
  fill: var(--pe-quiet);
}
.pe-figure svg :is(.pe-cell, .pe-on-dial, .pe-sign) {
  text-anchor: middle;
  dominant-baseline: central;
}
.pe-figure svg .pe-cell {
  font-size: 10px;
  font-variant-numeric: tabular-nums;
}
.pe-figure svg .pe-row {
  text-anchor: end;
  dominant-baseline: central;
}
.pe-figure svg .pe-sign {
  font-size: 14px;
}
.pe-figure svg .pe-sign.pe-differs {
  font-weight: bold;
  font-size: 18px;
}
.pe-figure .pe-arrow line {
  stroke: var(--pe-hand);
  stroke-width: 3;
}
.pe-figure .pe-arrow path {
  fill: var(--pe-hand);
}
.pe-figure .pe-from {
  --pe-hand: var(--pe-sinusoidal);
}
.pe-figure .pe-to {
  --pe-hand: var(--pe-rope);
}
.pe-figure .pe-shadow {
  --pe-hand: var(--pe-rule);
}
.pe-figure .pe-arrow.pe-query {
  --pe-hand: var(--pe-query);
}
.pe-figure .pe-arrow.pe-key {
  --pe-hand: var(--pe-key);
}
.pe-figure .pe-sweep {
  stroke: var(--pe-quiet);
  stroke-width: 1.5;
  fill: none;
}
.pe-figure .pe-sweep-tip {
  fill: var(--pe-quiet);
}
.pe-figure .pe-wave {
  fill: none;
  stroke: var(--pe-hand);
  stroke-width: 1.8;
  vector-effect: non-scaling-stroke;
}
.pe-figure .pe-waves .pe-sine {
  --pe-hand: var(--pe-sine);
}
.pe-figure .pe-waves .pe-cosine {
  --pe-hand: var(--pe-cosine);
}
.pe-figure .pe-whole {
  --pe-hand: var(--pe-ink);
}
.pe-figure .pe-part {
  --pe-hand: var(--pe-rope);
}
.pe-figure .pe-mark {
  stroke: var(--pe-hand);
  stroke-width: 2;
  vector-effect: non-scaling-stroke;
}
.pe-figure .pe-waves {
  position: relative;
  margin-top: 0.75rem;
}
.pe-figure .pe-waves svg {
  height: 5.5rem;
}
.pe-figure .pe-legend {
  display: flex;
  flex-wrap: wrap;
  gap: 0.1rem 0.5rem;
  align-items: center;
}
.pe-figure .pe-swatch {
  width: 1.4rem;
  height: 0;
  border-top: 3px solid var(--pe-hand);
}
.pe-figure .pe-mark-label {
  position: absolute;
  top: 100%;
  padding: 0 2px;
  font-size: 0.82rem;
  font-style: italic;
  white-space: nowrap;
}
.pe-figure .pe-plot {
  position: relative;
}
.pe-figure .pe-dot {
  position: absolute;
  width: 0.7rem;
  height: 0.7rem;
  border-radius: 50%;
  background: var(--pe-hand);
  border: 2px solid var(--pe-paper);
  transform: translate(-50%, -50%);
}
.pe-figure .pe-axis {
  display: flex;
  justify-content: space-between;
  font-size: 0.78rem;
  color: var(--pe-quiet);
}

/* Rotation explorer */
.pe-figure .pe-beside {
  display: grid;
  gap: 0.5rem 1.5rem;
  align-items: center;
}
.pe-figure .pe-beside svg {
  max-width: 20rem;
  margin: 0 auto;
}
.pe-figure .pe-equation {
  margin-top: 1.75rem;
}
.pe-figure .pe-product {
  display: flex;
  flex-wrap: wrap;
  gap: 0.3rem 0.5rem;
  align-items: end;
  justify-content: center;
}
.pe-figure .pe-factor {
  display: grid;
  justify-items: center;
  gap: 0.2rem;
}
.pe-figure .pe-product > span:not(.pe-factor) {
  align-self: end;
  margin-bottom: 0.8rem;
}
.pe-figure .pe-matrix {
  display: grid;
  gap: 0.1rem 0.6rem;
  text-align: right;
  padding: 0.15rem 0.4rem;
  border: solid var(--pe-ink);
  border-width: 0 1.5px;
  border-radius: 8px;
}
.pe-figure .pe-table {
  border-collapse: collapse;
  margin: 0.9rem auto 0;
  width: auto;
  font-size: 0.82rem;
  color: var(--pe-ink);
}
.pe-figure .pe-table :is(td, th) {
  padding: 0.15rem 0 0.15rem 0.75rem;
  text-align: right;
  border: 0;
  background: none;
}
.pe-figure .pe-table th {
  font-weight: normal;
  color: var(--pe-quiet);
}
.pe-figure .pe-table tbody tr {
  border-top: 1px solid var(--pe-rule);
  background: none;
}

/* RoPE dials */
.pe-figure .pe-dials .pe-caption {
  min-height: 2.8em;
}
.pe-figure .pe-dials {
  display: grid;
  grid-template-columns: repeat(2, 1fr);
  gap: 0.5rem 1rem;
}
.pe-figure .pe-dials .pe-picture:last-child {
  grid-column: 1 / -1;
  justify-self: center;
  width: 50%;
}

/* ALiBi heads */
.pe-figure .pe-alibi-curve {
  --pe-hand: var(--pe-alibi);
}
.pe-figure .pe-family {
  --pe-hand: var(--pe-rule);
}
.pe-figure .pe-wave.pe-family {
  stroke-width: 1;
}
.pe-figure :is(.pe-dot, .pe-swatch, .pe-mark).pe-key {
  --pe-hand: var(--pe-key);
}
.pe-figure .pe-beyond {
  fill: color-mix(in srgb, var(--pe-key) 12%, transparent);
}
.pe-figure .pe-entry {
  display: inline-flex;
  align-items: center;
  gap: 0.5rem;
}
.pe-alibi .pe-waves svg {
  height: 9rem;
}

/* Permutation playground */
.pe-figure :is(.pe-panels, .pe-dials) {
  max-width: 21rem;
  margin: 0 auto;
}
.pe-figure .pe-panels {
  display: grid;
  gap: 1rem 1.5rem;
}
.pe-figure .pe-words {
  display: grid;
  grid-template-columns: repeat(var(--pe-count), 1fr);
  margin-left: var(--pe-gutter);
  list-style: none;
  user-select: none;
}
.pe-figure .pe-words li {
  display: grid;
  justify-items: stretch;
  gap: 2px;
  margin: 0;
  min-width: 0;
}
.pe-figure .pe-chip {
  text-align: center;
  cursor: grab;
  touch-action: pan-y;
  padding: 0.2rem 0;
  border-radius: 5px;
  font-size: 0.82rem;
  overflow: hidden;
  margin: 0 1px;
  background: color-mix(in srgb, var(--pe-sinusoidal) 18%, var(--pe-paper));
}
.pe-figure .pe-chip.pe-held {
  cursor: grabbing;
  background: color-mix(in srgb, var(--pe-sinusoidal) 45%, var(--pe-paper));
}
.pe-figure .pe-steps {
  display: flex;
  flex-wrap: wrap;
  justify-content: center;
  padding-bottom: 4px;
}
.pe-figure .pe-steps button {
  min-width: 24px;
  min-height: 24px;
  padding: 0;
  line-height: 1;
  border-color: transparent;
  background: none;
}
.pe-figure .pe-steps button[aria-disabled="true"] {
  color: var(--pe-rule);
}
.pe-figure .pe-heads {
  display: grid;
  grid-template-columns: 1fr 1fr;
  gap: 1rem;
  margin-left: var(--pe-gutter);
  padding-bottom: 4px;
}
/* Context explorer */
.pe-figure .pe-bars {
  position: relative;
  margin: 0.7rem 0 0.7rem 3.2rem;
}
.pe-figure .pe-entry {
  display: inline-flex;
  align-items: center;
  gap: 0.4rem;
  margin-right: 0.8rem;
  white-space: nowrap;
}
.pe-figure .pe-bars svg {
  height: 10rem;
  overflow: hidden;
  border-bottom: 1px solid var(--pe-ink);
}
.pe-figure .pe-bars .pe-tick {
  position: absolute;
  right: calc(100% + 0.4rem);
  transform: translateY(-50%);
  font-size: 0.78rem;
  white-space: nowrap;
  color: var(--pe-quiet);
}
.pe-figure .pe-seen {
  --pe-hand: color-mix(in srgb, var(--pe-ink) 55%, var(--pe-paper));
}
.pe-figure .pe-idle {
  --pe-hand: color-mix(in srgb, var(--pe-ink) 22%, var(--pe-paper));
}
.pe-figure .pe-new {
  --pe-hand: var(--pe-rope);
}
.pe-figure .pe-bar {
  fill: var(--pe-hand);
}
.pe-figure .pe-bars .pe-chosen {
  fill: none;
  stroke: var(--pe-ink);
  stroke-width: 2;
  vector-effect: non-scaling-stroke;
}
.pe-figure .pe-ring {
  stroke: var(--pe-hand);
  stroke-width: 9;
  fill: none;
}
.pe-figure .pe-closely {
  display: grid;
  gap: 0.5rem 1.5rem;
  align-items: center;
}
.pe-figure .pe-closely svg {
  max-width: 9rem;
  margin: 0 auto;
}
.pe-figure .pe-legend .pe-swatch.pe-block {
  border-top-width: 0.7rem;
}

@media (prefers-reduced-motion: no-preference) {
  .pe-figure .pe-glide {
    transition: transform 0.25s ease;
  }
}

@container (max-width: 22rem) {
  .pe-figure .pe-equation .pe-product {
    gap: 0.3rem 0.3rem;
  }
  .pe-figure :is(.pe-number, .pe-table) {
    font-size: 0.7rem;
  }
  .pe-figure .pe-table :is(td, th) {
    padding-left: 0.5rem;
  }
}
@container (max-width: 18.5rem) {
  .pe-figure :is(.pe-product .pe-number, .pe-table, .pe-table .pe-number) {
    font-size: 0.64rem;
  }
  .pe-figure .pe-matrix {
    padding: 0.15rem 0.3rem;
  }
}
@container (min-width: 34rem) {
  .pe-figure .pe-says {
    min-height: 2.8em;
  }
  .pe-figure :is(.pe-panels, .pe-dials) {
    max-width: none;
  }
  .pe-figure .pe-panels,
  .pe-figure .pe-beside {
    grid-template-columns: 1fr 1fr;
  }
  .pe-figure .pe-closely {
    grid-template-columns: 1fr 2fr;
  }
  .pe-figure .pe-closely .pe-table {
    margin-top: 0;
  }
  .pe-figure .pe-dials {
    grid-template-columns: repeat(3, 1fr);
  }
  .pe-figure .pe-dials .pe-picture:last-child {
    grid-column: auto;
    width: 100%;
  }
  .pe-figure .pe-dials .pe-caption {
    min-height: 0;
  }
  .pe-figure .pe-heads {
    min-height: calc(1.9rem + 30px);
    align-content: end;
  }
}

/* Wave explorer */
.pe-figure .pe-rows {
  display: grid;
  gap: 0.3rem;
  margin-top: 0.5rem;
  min-height: 33.7rem; /* eight rows: nothing below moves when there are fewer */
  align-content: start;
}
.pe-figure .pe-row-of-pair {
  display: grid;
  grid-template: auto auto / 2.75rem 1fr 6rem;
  align-items: center;
  gap: 0 0.5rem;
  font-size: 0.82rem;
}
.pe-figure .pe-row-of-pair[hidden] {
  display: none;
}
.pe-figure .pe-pair-name {
  grid-area: 1 / 1 / 2 / 4;
  display: flex;
  gap: 0 0.5rem;
}
.pe-figure .pe-quiet {
  color: var(--pe-quiet);
}
.pe-figure .pe-pair-values {
  grid-area: 2 / 3 / 3 / 4;
  justify-self: end;
  display: grid;
}
.pe-figure .pe-clock {
  grid-area: 2 / 1 / 3 / 2;
}
.pe-figure .pe-strip {
  grid-area: 2 / 2 / 3 / 3;
}
.pe-figure .pe-strip svg {
  height: 2.5rem;
}
.pe-figure .pe-clock svg {
  height: auto;
}
.pe-figure .pe-band {
  fill: var(--pe-sine);
  opacity: 0.25;
}
@container (min-width: 34rem) {
  .pe-figure .pe-rows {
    min-height: 24.5rem;
  }
  .pe-figure .pe-row-of-pair {
    grid-template: auto / 8.5rem 2.75rem 1fr 6rem;
  }
  .pe-figure .pe-row-of-pair > * {
    grid-area: auto;
  }
  .pe-figure .pe-pair-name {
    display: grid;
  }
}
`;

// src/interpolation.js
var DIM = 128;
var LENGTHS = { shortest: 2048, longest: 131072, limit: 1048576 };
var METHODS = [
  ["none", "unchanged"],
  ["linear", "linear: divided by s"],
  ["ntk", "NTK-aware: larger base"]
];
var BARS = { width: 640, height: 160, decades: 3 };
var R2 = 52;
var TURN = 2 * Math.PI;
function interpolation(model, root) {
  const models = model.get("models");
  const controls = buildControls3(model, models);
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
    narration.say(sentence3(state, trained, pairs, scaled));
  });
  return () => {
    stop();
    narration.stop();
  };
}
function sentence3({ model, length, method, factor }, trained, pairs, scaled) {
  const fresh = pairs.filter((pair) => pair.fresh).length;
  const how = {
    none: "with unchanged frequencies",
    linear: `with all frequencies divided by ${short2(factor)}`,
    ntk: `with a larger base, factor ${short2(factor)}`
  }[method];
  const which = fresh ? `${fresh} of ${pairs.length} pairs meet` : "no pair meets";
  return `${model} was trained on ${trained} tokens. At ${length}, ${how}, ${which} new angles. One token turns the fastest pair by ${short2(scaled[0])} rad.`;
}
var short2 = (value) => String(Number(value.toPrecision(3)));
function buildControls3(model, models) {
  const which = select("model", (index) => choose(model, { model: models[index][0] }));
  which.options(models.map(([name, trained, base], i) => [i, `${name}: ${trained} tokens, base ${base}`]));
  const method = select("method", (index) => choose(model, { method: METHODS[index][0] }));
  method.options(METHODS.map(([, text], i) => [i, text]));
  const length = slider({
    ...{ label: "tokens now", name: "tokens now", min: LENGTHS.shortest, max: LENGTHS.longest },
    ...{ step: LENGTHS.shortest, limits: [2, LENGTHS.limit] },
    pick: (value) => choose(model, { length: Math.round(value) })
  });
  const factor = slider({
    ...{ label: "factor <var>s</var>", name: "factor s", min: 1, max: 64, step: 0.1, limits: [1, 1e3] },
    pick: (value) => choose(model, { factor: value })
  });
  const pair = slider({
    ...{ label: "pair <var>i</var>", name: "pair i", min: 0, max: DIM / 2 - 1, step: 1 },
    limits: [0, DIM / 2 - 1],
    pick: (value) => choose(model, { pair: Math.round(value) })
  });
  length.element.querySelector("input[type=number]").step = 1;
  const all = [which, method, length, factor, pair].map((control) => control.element);
  return {
    element: html("div", { class: "pe-controls pe-across" }, ...all),
    show(state) {
      which.set(models.findIndex(([name]) => name === state.model));
      method.set(METHODS.findIndex(([name]) => name === state.method));
      length.set(state.length);
      factor.set(state.factor);
      pair.set(state.pair);
    }
  };
}
var level = (angle) => Math.min(Math.max(1 + Math.log10(angle / TURN) / BARS.decades, 0), 1);
function buildBars(pick) {
  const { width, height, decades } = BARS;
  const count = DIM / 2;
  const step = width / count;
  const chosen = svg("rect", { class: "pe-chosen", y: 1, width: step, height: height - 2 });
  const [used, idle, above] = ["seen", "idle", "new"].map((kind) => svg("path", { class: `pe-bar pe-${kind}` }));
  const lines = Array.from({ length: decades }, (_, i) => {
    const y = i * height / decades;
    return svg("line", { class: "pe-faint", x2: width, y1: y, y2: y });
  });
  const picture = drawing(width, height, "", ...lines, used, idle, above, chosen);
  picture.setAttribute("preserveAspectRatio", "none");
  picture.addEventListener("click", ({ clientX }) => {
    const box = picture.getBoundingClientRect();
    pick(Math.min(Math.max(Math.floor((clientX - box.left) / box.width * count), 0), count - 1));
  });
  const ticks = ["1 turn", "1/10", "1/100", "1/1000"].map((text, i) => {
    const tick = html("span", { class: "pe-tick", "aria-hidden": "true" }, text);
    tick.style.top = `${100 * i / decades}%`;
    return tick;
  });
  const legend = html("p", { class: "pe-legend" });
  legend.innerHTML = [
    ["seen", "seen in training"],
    ["new", "met now, never seen"],
    ["idle", "seen, not met now"]
  ].map(([kind, text]) => `<span class="pe-entry"><span class="pe-swatch pe-block pe-${kind}"></span>${text}</span>`).join("");
  const axis = html("div", { class: "pe-axis", "aria-hidden": "true" });
  axis.append(...["pair 0, fastest", `pair ${count - 1}, slowest`].map((text) => html("span", {}, text)));
  const bar = (i, low, high) => high > low ? `M${i * step + 1} ${((1 - high) * height).toFixed(4)}h${step - 2}V${((1 - low) * height).toFixed(4)}h${2 - step}z` : "";
  return {
    element: html(
      "div",
      {},
      legend,
      html("div", { class: "pe-bars" }, html("div", { class: "pe-plot" }, picture, ...ticks), axis)
    ),
    show(pairs, pair) {
      const levels = pairs.map(({ seen, met, fresh: fresh2 }) => [level(seen), level(met), fresh2]);
      const draw = (path, ends) => path.setAttribute("d", levels.map((l, i) => bar(i, ...ends(l))).join(""));
      draw(used, ([top, now]) => [0, Math.min(top, now)]);
      draw(idle, ([top, now]) => [now, top]);
      draw(above, ([top, now, fresh2]) => [top, fresh2 ? now : top]);
      chosen.setAttribute("x", pair * step);
      const fresh = pairs.filter((p) => p.fresh).length;
      picture.setAttribute("aria-label", `Angles seen and met by ${count} pairs: ${fresh} pairs meet new angles`);
    }
  };
}
function buildClosely() {
  const ring = (kind) => svg("path", { class: `pe-ring ${kind}` });
  const [seenRing, idleRing, newRing] = ["pe-seen", "pe-idle", "pe-new"].map(ring);
  const circle = svg("circle", { class: "pe-faint", r: R2 });
  const start = svg("line", { class: "pe-faint", x2: R2 });
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
      picture.setAttribute("aria-label", `Circle of pair ${pair}: ${short2(seen / TURN)} turns in training, ${short2(met / TURN)} now`);
      const values = [
        [omega, scaled, 12],
        [seen, met, 6],
        [seen / TURN, met / TURN, 4]
      ];
      rows.forEach(({ cells }, i) => cells.forEach((cell2, j) => cell2.textContent = number(values[i][j], values[i][2])));
    }
  };
}
function arc(from, to) {
  if (to - from < 1e-9) return "";
  const end = Math.min(to, from + TURN - 1e-4);
  const at3 = (angle) => `${(R2 * Math.cos(angle)).toFixed(3)} ${(-R2 * Math.sin(angle)).toFixed(3)}`;
  return `M${at3(from)}A${R2} ${R2} 0 ${end - from > Math.PI ? 1 : 0} 0 ${at3(end)}`;
}

// src/permutation.js
var WIDTH = 300;
var GUTTER = 54;
var ROW = 32;
var SAME = 1e-12;
var at2 = (argument) => `<span class="pe-at"><var>f</var>(<var>${argument}</var>)</span>`;
function permutation(model, root) {
  const tokens3 = model.get("tokens");
  const identity = tokens3.map((_, i) => i);
  const reorder = (order) => choose(model, { order });
  const sentence6 = buildSentence(model, tokens3, reorder);
  const map = buildMap(model, tokens3);
  const outputs = buildOutputs(model, tokens3);
  const largest = html("b", { class: "pe-number" });
  const result = html("p", { class: "pe-result" });
  result.innerHTML = `largest |${at2("PX")} − <var>P</var> ${at2("X")}| = `;
  result.append(largest);
  const code = checkbox("add position codes", (on) => choose(model, { encoding: on }));
  const mask = checkbox("causal mask", (on) => choose(model, { causal: on }));
  const middle = Math.floor(tokens3.length / 2);
  const traded = [...identity.slice(-middle), ...identity.slice(middle, -middle), ...identity.slice(0, middle)];
  const narration = narrator();
  root.append(
    html(
      "div",
      { class: "pe-controls pe-bar" },
      button("Swap the ends", () => reorder(traded.map((i) => model.get("order")[i]))),
      button("Original order", () => reorder(identity)),
      ...[code.element, mask.element]
    ),
    html("div", { class: "pe-panels" }, html("div", {}, sentence6.element, map.element), outputs.element),
    result,
    narration.element
  );
  const stop = follow(model, ["order", "encoding", "causal"], () => {
    const state = compute2(model, identity);
    code.set(state.encoding);
    mask.set(state.causal);
    sentence6.show(state);
    map.show(state);
    outputs.show(state);
    largest.textContent = number(state.difference, 12);
    narration.say(describe(state, tokens3, identity));
  });
  return () => {
    stop();
    narration.stop();
  };
}
function compute2(model, identity) {
  const [x, wq, wk, wv] = ["embeddings", "w_q", "w_k", "w_v"].map((name) => model.get(name));
  const [order, encoding, causal] = ["order", "encoding", "causal"].map((name) => model.get(name));
  const attend = (rows) => {
    const codes = rows.map((row, place2) => encode(place2, row.length, "interleaved"));
    return selfAttention(encoding ? add(rows, codes) : rows, wq, wk, wv, causal);
  };
  const now = attend(permuteRows(x, order));
  const moved = permuteRows(attend(permuteRows(x, identity)).output, order);
  const changes = now.output.map((row, i) => largestDifference([row], [moved[i]]));
  return { order, encoding, causal, ...now, moved, changes, difference: Math.max(...changes) };
}
function describe({ order, encoding, causal, changes, difference }, tokens3, identity) {
  const words = `“${order.map((i) => tokens3[i]).join(" ")}”`;
  const because = [encoding && "position codes stay at their places", causal && "the mask stays where it is"].filter(Boolean).join(" and ");
  if (order.every((token, i) => token === identity[i]))
    return because ? `${words}: the original order, so nothing can differ yet. Move a word.` : `${words}: the original order. Move a word: its row and its column go with it.`;
  if (difference < SAME)
    return because ? `${words}: this order gives the same outputs, although ${because}.` : `${words}: every row and column moved with its word, and so did every output. Attention cannot tell this sentence from the original.`;
  const most = tokens3[order[changes.indexOf(difference)]];
  return `${words}: the words moved, but ${because}. Now the order counts: the output of “${most}” changed most, by ${number(difference, 2)}.`;
}
function buildSentence(model, tokens3, reorder) {
  const list = html("ol", { class: "pe-words", "aria-label": "The sentence, in your order" });
  list.style.setProperty("--pe-count", tokens3.length);
  list.style.setProperty("--pe-gutter", `${100 * GUTTER / WIDTH}%`);
  const move = (token, to) => {
    const order = model.get("order").filter((other) => other !== token);
    order.splice(Math.min(Math.max(to, 0), order.length), 0, token);
    if (order.some((other, i) => other !== model.get("order")[i])) reorder(order);
  };
  const items = tokens3.map((word, token) => {
    const step = (by) => move(token, model.get("order").indexOf(token) + by);
    const arrows = [
      ["left", "←", -1],
      ["right", "→", 1]
    ].map(
      ([side, sign, by]) => html("button", { type: "button", "aria-label": `move ${word} ${side}`, onclick: () => step(by) }, sign)
    );
    const chip = html("span", { class: "pe-chip", "data-token": token }, word);
    const keys = { ArrowLeft: -1, ArrowRight: 1 };
    const onkeydown = (event) => {
      if (!(event.key in keys)) return;
      event.preventDefault();
      step(keys[event.key]);
    };
    return html("li", { onkeydown }, chip, html("span", { class: "pe-steps" }, ...arrows));
  });
  dragAlong(list, tokens3.length, move);
  let before = [];
  return {
    element: list,
    show({ order }) {
      if (order.every((token, at3) => token === before[at3])) return;
      order.forEach((token, at3) => {
        const [left, right] = items[token].querySelectorAll("button");
        left.setAttribute("aria-disabled", at3 === 0);
        right.setAttribute("aria-disabled", at3 === order.length - 1);
      });
      const focused = list.getRootNode().activeElement;
      order.forEach((token, at3) => {
        if (list.children[at3] !== items[token]) list.insertBefore(items[token], list.children[at3]);
      });
      if (focused && list.contains(focused)) focused.focus();
      glide(items, before, order);
      before = order;
    }
  };
}
function glide(items, before, order) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  before.forEach((token, from) => {
    const columns = from - order.indexOf(token);
    if (!columns) return;
    const start = { transform: `translateX(${100 * columns}%)` };
    items[token].animate([start, {}], { duration: 250, easing: "ease" });
  });
}
function dragAlong(list, count, move) {
  let held;
  list.addEventListener("pointerdown", (event) => {
    held = event.target.closest(".pe-chip");
    if (!held || event.button !== 0) return held = void 0;
    list.setPointerCapture(event.pointerId);
    held.classList.add("pe-held");
    event.preventDefault();
  });
  list.addEventListener("pointermove", (event) => {
    if (!held) return;
    const { left, width } = list.getBoundingClientRect();
    move(Number(held.dataset.token), Math.floor((event.clientX - left) / width * count));
  });
  const release = () => {
    held?.classList.remove("pe-held");
    held = void 0;
  };
  list.addEventListener("pointerup", release);
  list.addEventListener("pointercancel", release);
}
function rowLabels(tokens3) {
  return tokens3.map((word) => svg("text", { class: "pe-row pe-glide", x: GUTTER - 6, y: ROW / 2 }, word));
}
function buildMap(model, tokens3) {
  const size = (WIDTH - GUTTER) / tokens3.length;
  const stops = model.get("colors").sequential;
  const labels = rowLabels(tokens3);
  const cells = tokens3.map(() => tokens3.map(() => cell(size, ROW, stops)));
  cells.flat().forEach(({ element }) => element.classList.add("pe-glide"));
  const name = "Attention weights: one row per query, one column per key, both in your order";
  const picture = drawing(WIDTH, ROW * tokens3.length, name, ...labels);
  picture.append(...cells.flat().map(({ element }) => element));
  return {
    element: html("div", { class: "pe-picture" }, picture, html("p", { class: "pe-caption" }, "attention weights: row = query, column = key")),
    show({ order, weights: weights2 }) {
      order.forEach((query, i) => {
        place(labels[query], 0, i * ROW);
        order.forEach((key, j) => {
          const weight = weights2[i][j];
          place(cells[query][key].element, GUTTER + j * size, i * ROW);
          cells[query][key].show(weight === 0 ? "" : number(weight, 2), weight);
        });
      });
    }
  };
}
function buildOutputs(model, tokens3) {
  const dim = model.get("w_v")[0].length;
  const gap = 20;
  const size = (WIDTH - GUTTER - gap) / (2 * dim);
  const stops = model.get("colors").diverging;
  const labels = rowLabels(tokens3);
  const rows = tokens3.map(() => {
    const cells = [0, 1].map(() => Array.from({ length: dim }, () => cell(size, ROW, stops)));
    cells.forEach(
      (half, side) => half.forEach(({ element }, j) => place(element, GUTTER + side * (dim * size + gap) + j * size, 0))
    );
    const sign = svg("text", { class: "pe-sign", x: GUTTER + dim * size + gap / 2, y: ROW / 2 });
    const elements = cells.flat().map(({ element }) => element);
    return { cells, sign, element: svg("g", { class: "pe-glide" }, ...elements, sign) };
  });
  const name = "Output vectors, one row per word: of your order, and of the original order with its rows moved along";
  const picture = drawing(WIDTH, ROW * tokens3.length, name, ...labels, ...rows.map((row) => row.element));
  const heads = html("div", { class: "pe-heads", "aria-hidden": "true" });
  heads.style.setProperty("--pe-gutter", `${100 * GUTTER / WIDTH}%`);
  heads.innerHTML = `<span>${at2("PX")}<br>your order</span><span><var>P</var> ${at2("X")}<br>moved along</span>`;
  return {
    element: html("div", {}, heads, html("div", { class: "pe-picture" }, picture, html("p", { class: "pe-caption" }, "outputs, 4 channels per word"))),
    show({ order, output, moved, changes }) {
      const span = Math.max(...[...output, ...moved].flat().map(Math.abs));
      order.forEach((token, i) => {
        const { cells, sign, element } = rows[token];
        place(labels[token], 0, i * ROW);
        place(element, 0, i * ROW);
        [output, moved].forEach(
          (values, side) => values[i].forEach((value, j) => cells[side][j].show(number(value, 1), 0.5 + value / span / 2))
        );
        sign.textContent = changes[i] < SAME ? "=" : "≠";
        sign.classList.toggle("pe-differs", changes[i] >= SAME);
      });
    }
  };
}

// src/rope.js
var LAST2 = 32;
var R3 = 74;
var CURVE = { width: 640, height: 110 };
var LAYOUT = "interleaved";
function rope(model, root) {
  const [query, key] = [model.get("query"), model.get("key")];
  const omegas = frequencies(query.length);
  const controls = buildControls4(model, omegas);
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
    narration.element
  );
  let before;
  const stop = follow(model, ["query_position", "key_position", "pair"], () => {
    const state = { m: model.get("query_position"), n: model.get("key_position"), pair: model.get("pair") };
    controls.show(state);
    dials.forEach((dial) => dial.show(state));
    curve.show(state);
    const score = scores.show(state);
    narration.say(sentence4(state, before, score, omegas[state.pair]));
    before = state;
  });
  return () => {
    stop();
    narration.stop();
  };
}
function sentence4({ m, n, pair }, before, score, omega) {
  const offset = n - m;
  const where = offset === 0 ? "at the query's own place" : `${tokens2(Math.abs(offset))} ${offset < 0 ? "before" : "after"} the query`;
  const now = `The key stands ${where}; the score is ${number(score, 6)}.`;
  const moved = before && (before.m !== m || before.n !== n);
  if (moved && before.n - before.m === offset)
    return `${now} Both moved: both arrows turned, but the angle between them and the score did not change.`;
  if (moved) return `${now} The offset changed, and the score with it.`;
  if (before && before.pair !== pair)
    return `${now} Pair ${pair} turns once in ${Number((2 * Math.PI / omega).toPrecision(3))} tokens.`;
  return `${now} Move both together: the arrows turn, the score stays.`;
}
var tokens2 = (count) => `${count} ${count === 1 ? "token" : "tokens"}`;
function buildControls4(model, omegas) {
  const position = (trait, label, name) => slider({
    ...{ label, name, min: 0, max: LAST2, step: 1, limits: [0, LAST2] },
    pick: (value) => choose(model, { [trait]: Math.round(value) })
  });
  const m = position("query_position", "query at <var>m</var>", "query position m");
  const n = position("key_position", "key at <var>n</var>", "key position n");
  const both = slider({
    ...{ label: "move both", name: "move both", min: 0, max: LAST2, step: 1, limits: [0, LAST2] },
    pick(value) {
      const [mNow, nNow] = [model.get("query_position"), model.get("key_position")];
      const by = Math.min(Math.round(value), LAST2 - Math.abs(nNow - mNow)) - Math.min(mNow, nNow);
      choose(model, { query_position: mNow + by, key_position: nNow + by });
    }
  });
  const pair = select("pair shown", (value) => choose(model, { pair: value }));
  pair.options(omegas.map((omega, i) => [i, `${i}: ω = ${Number(omega.toPrecision(3))}`]));
  return {
    element: html("div", { class: "pe-controls pe-across" }, m.element, n.element, both.element, pair.element),
    show(state) {
      m.set(state.m);
      n.set(state.n);
      both.bound(0, LAST2 - Math.abs(state.n - state.m));
      both.set(Math.min(state.m, state.n));
      pair.set(state.pair);
    }
  };
}
function buildDial(kind, query, key, omegas, longest) {
  const shown = kind === "both" ? ["query", "key"] : [kind];
  const vectors = { query, key };
  const hands = svg("g");
  const sweep = svg("path", { class: "pe-sweep" });
  const caption = html("p", { class: "pe-caption" });
  const frame = svg("g", { transform: "translate(90 90)" }, svg("circle", { class: "pe-faint", r: R3 }), sweep, hands);
  const picture = drawing(180, 180, "", frame);
  let drawn;
  let arrows;
  const angle = (side, pair) => Math.atan2(vectors[side][2 * pair + 1], vectors[side][2 * pair]);
  const length = (side, pair) => R3 * Math.hypot(vectors[side][2 * pair], vectors[side][2 * pair + 1]) / longest(pair);
  const rebuild = (pair) => {
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
        query: `query turned by <var>m</var>ω, <var>m</var> = ${m}`,
        key: `key turned by <var>n</var>ω, <var>n</var> = ${n}`,
        both: `from the query: <var>n</var> − <var>m</var> = ${number(n - m, 0)}`
      }[kind];
      picture.setAttribute("aria-label", caption.textContent);
    }
  };
}
var wrapped = (angle) => angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
var part = (x, pair) => x.slice(2 * pair, 2 * pair + 2);
function buildCurve(query, key, omegas) {
  const { width, height } = CURVE;
  const score = (offset) => dot(query, rotate(key, offset, omegas, LAYOUT));
  const pairScore = (offset, pair) => dot(part(query, pair), part(rotate(key, offset, omegas, LAYOUT), pair));
  const bound = omegas.reduce(
    (sum, _, pair) => sum + Math.hypot(...part(query, pair)) * Math.hypot(...part(key, pair)),
    0
  );
  const y = (value) => height / 2 - value / bound * (height / 2 - 6);
  const trace = (f) => polyline(LAST2 * 12, (t) => [t * width, y(f((2 * t - 1) * LAST2))]);
  const whole = svg("path", { class: "pe-wave pe-whole", d: trace(score) });
  const own = svg("path", { class: "pe-wave pe-part" });
  const line = svg("line", { class: "pe-mark pe-faint", y2: height });
  const zero = svg("line", { class: "pe-faint", x2: width, y1: y(0), y2: y(0) });
  const picture = drawing(width, height, "Score against the offset n minus m", zero, line, own, whole);
  picture.setAttribute("preserveAspectRatio", "none");
  const [dotWhole, dotOwn] = ["pe-whole", "pe-part"].map((c) => html("span", { class: `pe-dot ${c}` }));
  const legend = html("p", { class: "pe-legend" });
  legend.innerHTML = `<span class="pe-swatch pe-whole"></span><span>score of all pairs</span><span class="pe-swatch pe-part"></span><span>of the pair shown</span><span>over offset <var>n</var> − <var>m</var></span>`;
  const axis = html("div", { class: "pe-axis", "aria-hidden": "true" });
  axis.append(...[`−${LAST2}`, "0", `${LAST2}`].map((text) => html("span", {}, text)));
  const plot = html("div", { class: "pe-plot" }, picture, dotOwn, dotWhole);
  let drawn;
  return {
    element: html("div", { class: "pe-waves" }, legend, plot, axis),
    show({ m, n, pair }) {
      if (pair !== drawn) own.setAttribute("d", trace((offset) => pairScore(offset, pair)));
      drawn = pair;
      const share = (n - m + LAST2) / (2 * LAST2);
      line.setAttribute("x1", share * width);
      line.setAttribute("x2", share * width);
      [
        [dotWhole, score(n - m)],
        [dotOwn, pairScore(n - m, pair)]
      ].forEach(([node, value]) => {
        node.style.left = `${100 * share}%`;
        node.style.top = `${100 * y(value) / height}%`;
      });
    }
  };
}
function buildScores(query, key, omegas) {
  const rows = [
    "(<var>R</var><sub>m</sub><b>q</b>) · (<var>R</var><sub>n</sub><b>k</b>)",
    "<b>q</b> · <var>R</var><sub>n−m</sub><b>k</b>"
  ].map((name) => {
    const head2 = html("th", { scope: "row" });
    head2.innerHTML = name;
    const cells = [html("td", { class: "pe-number" }), html("td", { class: "pe-number" })];
    return { cells, element: html("tr", {}, head2, ...cells) };
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
        [dot(part(query, pair), part(apart, pair)), dot(query, apart)]
      ];
      rows.forEach(({ cells }, i) => cells.forEach((cell2, j) => cell2.textContent = number(values[i][j], 12)));
      return values[0][1];
    }
  };
}

// src/rotation.js
var LIMITS = [-1e3, 1e3];
var DIMS2 = [4, 8, 16, 32, 64, 128, 512];
var R4 = 88;
var WAVE = { width: 640, height: 90, first: -14, last: 42 };
function rotation(model, root) {
  const controls = buildControls5(model);
  const dial = buildDial2();
  const waves = buildWaves();
  const equation = buildEquation();
  const narration = narrator();
  root.append(
    html("div", { class: "pe-beside" }, dial.element, controls.element),
    waves.element,
    equation.element,
    narration.element
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
    narration.say(sentence5(state, before));
    before = state;
  });
  return () => {
    stop();
    narration.stop();
  };
}
function sentence5({ p, k, pair, omega }, before) {
  if (k === 0) return "A shift of 0 turns nothing: the matrix is the identity, and both arrows coincide.";
  const degrees2 = number(Math.abs(omega * k) * 180 / Math.PI, 2);
  const way = k > 0 ? "clockwise" : "counterclockwise";
  const turn = `From position ${short3(p)} to ${short3(p + k)}, pair ${pair} turns ${way} by ${degrees2}°.`;
  if (before && before.p !== p && before.k === k && before.omega === omega)
    return `${turn} Only p moved: both arrows turned, but the angle between them and the matrix did not change.`;
  if (before && before.k !== k) return `${turn} A new shift: the angle between the arrows and the matrix changed.`;
  if (before && before.omega !== omega) return `${turn} Another pair, another frequency: the same shift, another angle.`;
  return `${turn} Move p: both arrows turn, but the angle between them and the matrix stay as they are.`;
}
var short3 = (value) => number(value, 6).replace(/\.?0+$/, "");
function buildControls5(model) {
  const tokens3 = (trait, label, name, min, max) => slider({
    ...{ label, name, min, max, step: 0.5, limits: LIMITS },
    pick: (value) => choose(model, { [trait]: value })
  });
  const p = tokens3("position", "position <var>p</var>", "position p", 0, 24);
  const k = tokens3("shift", "shift <var>k</var>", "shift k", -12, 12);
  const pair = slider({
    ...{ label: "pair <var>i</var>", name: "pair i", min: 0, max: 1, step: 1, limits: [0, 255] },
    pick: (value) => choose(model, { pair: Math.min(Math.round(value), model.get("dim") / 2 - 1) })
  });
  const dim = select(
    "channels d",
    (value) => choose(model, { pair: Math.min(model.get("pair"), value / 2 - 1), dim: value })
  );
  dim.options(DIMS2.map((d) => [d, d]));
  const pace = html("p", { class: "pe-note" });
  return {
    element: html("div", { class: "pe-controls" }, p.element, k.element, pair.element, dim.element, pace),
    show(state) {
      p.set(state.p);
      k.set(state.k);
      pair.bound(0, state.dim / 2 - 1);
      pair.set(state.pair);
      dim.set(state.dim);
      const round = 2 * Math.PI / state.omega;
      pace.textContent = `ω = ${Number(state.omega.toPrecision(4))} rad per token: once around in ${Number(round.toPrecision(4))} tokens`;
    }
  };
}
function buildDial2() {
  const others = Array.from({ length: 32 }, () => svg("circle", { r: 2, class: "pe-faint-fill" }));
  const sweep = svg("path", { class: "pe-sweep" });
  const tip = svg("path", { class: "pe-sweep-tip", d: "M0 0l-4 -8h8z" });
  const from = arrow(R4, "pe-from");
  const to = arrow(R4, "pe-to");
  const [fromName, toName] = ["p", "p + k"].map((text) => svg("text", { class: "pe-on-dial" }, text));
  const frame = svg(
    "g",
    { transform: "translate(130 122)" },
    svg("line", { class: "pe-faint", x1: -R4 - 12, x2: R4 + 12 }),
    svg("line", { class: "pe-faint", y1: -R4 - 12, y2: R4 + 12 }),
    svg("circle", { class: "pe-faint", r: R4 }),
    svg("text", { class: "pe-small", x: R4 + 16, y: 4 }, "sin"),
    svg("text", { class: "pe-small", x: 4, y: -R4 - 16, "text-anchor": "middle" }, "cos"),
    ...[...others, sweep, tip, from.element, to.element, fromName, toName]
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
      from.point(Math.PI / 2 - start);
      to.point(Math.PI / 2 - start - turn);
      others.forEach((dot2, position) => put(dot2, omega * position, R4));
      put(fromName, start, R4 + 14);
      put(toName, start + turn, R4 + 20);
      fromName.style.opacity = Math.cos(turn) > 0.97 ? 0 : 1;
      sweep.setAttribute("d", spiral(Math.PI / 2 - start, Math.PI / 2 - start - turn, 30, 58));
      const turns = Math.min(Math.abs(turn) / (2 * Math.PI), 6);
      const [x, y] = around(start + turn, 30 + 28 * turns / 6);
      const heading = (start + turn) * 180 / Math.PI - (turn > 0 ? 90 : -90);
      tip.setAttribute("transform", `translate(${x} ${y}) rotate(${heading})`);
      tip.style.opacity = Math.abs(turn) > 0.25 ? 1 : 0;
    }
  };
}
function buildWaves() {
  const { width, height } = WAVE;
  const curves = ["sine", "cosine"].map((wave) => svg("path", { class: `pe-wave pe-${wave}` }));
  const marks = ["from", "to"].map((side) => ({
    line: svg("line", { class: `pe-mark pe-${side}`, y1: 0, y2: height }),
    dots: curves.map(() => html("span", { class: `pe-dot pe-${side}` })),
    label: html("span", { class: "pe-mark-label" }, side === "from" ? "p" : "p + k")
  }));
  const name = "The pair's two waves over positions, with p and p + k marked";
  const picture = drawing(width, height, name, svg("line", { class: "pe-faint", y1: 45, y2: 45, x2: width }));
  picture.append(...curves, ...marks.map((mark) => mark.line));
  picture.setAttribute("preserveAspectRatio", "none");
  const legend = html("p", { class: "pe-legend" });
  legend.innerHTML = '<span class="pe-swatch pe-sine"></span><span>sin <var>ω</var><sub>i</sub><var>p</var></span><span class="pe-swatch pe-cosine"></span><span>cos <var>ω</var><sub>i</sub><var>p</var></span><span>over position</span>';
  let drawn = "";
  return {
    element: html(
      "div",
      { class: "pe-waves" },
      legend,
      html("div", { class: "pe-plot" }, picture, ...marks.flatMap((mark) => [mark.label, ...mark.dots]))
    ),
    show({ p, k, omega }) {
      const first = Math.min(WAVE.first, p - 4, p + k - 4);
      const last = Math.max(WAVE.last, p + 4, p + k + 4);
      const span = last - first;
      const view = `${omega} ${first} ${last}`;
      if (view !== drawn) {
        const steps = Math.min(2e3, Math.max(200, Math.ceil(omega * span * 24 / 6)));
        curves.forEach(
          (curve, channel) => curve.setAttribute(
            "d",
            polyline(steps, (t) => [t * width, 45 - 40 * encodePair(omega * (first + t * span))[channel]])
          )
        );
        drawn = view;
      }
      [p, p + k].forEach((position, i) => {
        const share = (position - first) / span;
        marks[i].line.setAttribute("x1", share * width);
        marks[i].line.setAttribute("x2", share * width);
        marks[i].label.style.left = `${100 * share}%`;
        marks[i].label.style.translate = i === 0 === k >= 0 ? "-100%" : "0";
        encodePair(omega * position).forEach((value, channel) => {
          marks[i].dots[channel].style.left = `${100 * share}%`;
          marks[i].dots[channel].style.top = `${100 * (45 - 40 * value) / height}%`;
        });
      });
    }
  };
}
function buildEquation() {
  const slots = (count) => Array.from({ length: count }, () => html("span", { class: "pe-number" }));
  const matrix = slots(4);
  const before = slots(2);
  const after = slots(2);
  const bracket = (columns, cells) => html("span", { class: "pe-matrix", style: `grid-template-columns: repeat(${columns}, auto)` }, ...cells);
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
    term("PE(<var>p</var> + <var>k</var>)", bracket(1, after))
  );
  const rows = ["sin", "cos"].map((wave) => {
    const cells = [html("td", { class: "pe-number" }), html("td", { class: "pe-number" })];
    const head2 = html("th", { scope: "row" });
    return { wave, head: head2, cells, element: html("tr", {}, head2, ...cells) };
  });
  const head = html("tr");
  head.innerHTML = '<th scope="col">channel</th><th scope="col"><var>M</var><sub>k</sub> PE(<var>p</var>), turned</th><th scope="col">PE(<var>p</var> + <var>k</var>), defined</th>';
  const table = html("table", { class: "pe-table" });
  table.append(html("thead", {}, head), html("tbody", {}, ...rows.map((row) => row.element)));
  return {
    element: html("div", { class: "pe-equation" }, product, table),
    show({ p, k, pair, omega }) {
      const block = shiftBlock(omega * k);
      const code = encodePair(omega * p);
      const turned = matmul(block, code.map((value) => [value])).map(([value]) => value);
      const defined = encodePair(omega * (p + k));
      const fill = (spans, values) => spans.forEach((span, i) => span.textContent = number(values[i], 4));
      fill(matrix, block.flat());
      fill(before, code);
      fill(after, defined);
      rows.forEach(({ wave, head: head2, cells }, i) => {
        head2.textContent = `${2 * pair + i} (${wave})`;
        cells[0].textContent = number(turned[i], 12);
        cells[1].textContent = number(defined[i], 12);
      });
    }
  };
}

// src/index.js
var FIGURES = { alibi, construction, interpolation, permutation, rope, rotation };
function render({ model, el }) {
  const figure = document.createElement("div");
  figure.className = `pe-figure pe-${model.get("figure")}`;
  figure.addEventListener("focusin", ({ target }) => target.dataset.lmSuppressShortcuts = "true");
  for (const [name, color] of Object.entries(model.get("colors"))) {
    if (typeof color === "string") figure.style.setProperty(`--pe-${name}`, color);
  }
  const style = document.createElement("style");
  style.textContent = figures_default;
  el.append(style, figure);
  const stop = FIGURES[model.get("figure")](model, figure);
  return () => {
    stop();
    style.remove();
    figure.remove();
  };
}
var index_default = { render };
export {
  index_default as default
};
