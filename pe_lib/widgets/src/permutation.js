// Reorder the words: rows and columns of the attention map move along, and nothing else changes,
// until a position code or a mask is switched on.

import { button, checkbox, choose, drawing, follow, html, narrator, number, svg } from "./dom.js";
import { cell, place } from "./draw.js";
import { add, encode, largestDifference, permuteRows, selfAttention } from "./formulas.js";

const WIDTH = 300; // of a drawing
const GUTTER = 54; // for the words beside the rows
const ROW = 32;
const SAME = 1e-12; // closer than this is rounding

const at = (argument) => `<span class="pe-at"><var>f</var>(<var>${argument}</var>)</span>`;

export default function permutation(model, root) {
  const tokens = model.get("tokens");
  const identity = tokens.map((_, i) => i);
  const reorder = (order) => choose(model, { order });
  const sentence = buildSentence(model, tokens, reorder);
  const map = buildMap(model, tokens);
  const outputs = buildOutputs(model, tokens);
  const largest = html("b", { class: "pe-number" });
  const result = html("p", { class: "pe-result" });
  result.innerHTML = `largest |${at("PX")} − <var>P</var> ${at("X")}| = `;
  result.append(largest);
  const code = checkbox("add position codes", (on) => choose(model, { encoding: on }));
  const mask = checkbox("causal mask", (on) => choose(model, { causal: on }));
  const middle = Math.floor(tokens.length / 2);
  const traded = [...identity.slice(-middle), ...identity.slice(middle, -middle), ...identity.slice(0, middle)];
  const narration = narrator();
  root.append(
    html(
      "div",
      { class: "pe-controls pe-bar" },
      button("Swap the ends", () => reorder(traded.map((i) => model.get("order")[i]))),
      button("Original order", () => reorder(identity)),
      ...[code.element, mask.element],
    ),
    html("div", { class: "pe-panels" }, html("div", {}, sentence.element, map.element), outputs.element),
    result,
    narration.element,
  );

  const stop = follow(model, ["order", "encoding", "causal"], () => {
    const state = compute(model, identity);
    code.set(state.encoding);
    mask.set(state.causal);
    sentence.show(state);
    map.show(state);
    outputs.show(state);
    largest.textContent = number(state.difference, 12);
    narration.say(describe(state, tokens, identity));
  });
  return () => {
    stop();
    narration.stop();
  };
}

function compute(model, identity) {
  const [x, wq, wk, wv] = ["embeddings", "w_q", "w_k", "w_v"].map((name) => model.get(name));
  const [order, encoding, causal] = ["order", "encoding", "causal"].map((name) => model.get(name));
  const attend = (rows) => {
    const codes = rows.map((row, place) => encode(place, row.length, "interleaved"));
    return selfAttention(encoding ? add(rows, codes) : rows, wq, wk, wv, causal);
  };
  const now = attend(permuteRows(x, order));
  const moved = permuteRows(attend(permuteRows(x, identity)).output, order);
  const changes = now.output.map((row, i) => largestDifference([row], [moved[i]]));
  return { order, encoding, causal, ...now, moved, changes, difference: Math.max(...changes) };
}

function describe({ order, encoding, causal, changes, difference }, tokens, identity) {
  const words = `“${order.map((i) => tokens[i]).join(" ")}”`;
  const because = [encoding && "position codes stay at their places", causal && "the mask stays where it is"]
    .filter(Boolean)
    .join(" and ");
  if (order.every((token, i) => token === identity[i]))
    return because
      ? `${words}: the original order, so nothing can differ yet. Move a word.`
      : `${words}: the original order. Move a word: its row and its column go with it.`;
  if (difference < SAME)
    return because
      ? `${words}: this order gives the same outputs, although ${because}.`
      : `${words}: every row and column moved with its word, and so did every output. Attention cannot tell this sentence from the original.`;
  const most = tokens[order[changes.indexOf(difference)]];
  return `${words}: the words moved, but ${because}. Now the order counts: the output of “${most}” changed most, by ${number(difference, 2)}.`;
}

/** The words above the columns: drag them, or move them with the arrows beneath. */
function buildSentence(model, tokens, reorder) {
  const list = html("ol", { class: "pe-words", "aria-label": "The sentence, in your order" });
  list.style.setProperty("--pe-count", tokens.length);
  list.style.setProperty("--pe-gutter", `${(100 * GUTTER) / WIDTH}%`);
  const move = (token, to) => {
    const order = model.get("order").filter((other) => other !== token);
    order.splice(Math.min(Math.max(to, 0), order.length), 0, token);
    if (order.some((other, i) => other !== model.get("order")[i])) reorder(order);
  };
  const items = tokens.map((word, token) => {
    const step = (by) => move(token, model.get("order").indexOf(token) + by);
    const arrows = [
      ["left", "←", -1],
      ["right", "→", 1],
    ].map(([side, sign, by]) =>
      html("button", { type: "button", "aria-label": `move ${word} ${side}`, onclick: () => step(by) }, sign),
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
  dragAlong(list, tokens.length, move);
  let before = [];
  return {
    element: list,
    show({ order }) {
      if (order.every((token, at) => token === before[at])) return;
      order.forEach((token, at) => {
        const [left, right] = items[token].querySelectorAll("button");
        left.setAttribute("aria-disabled", at === 0);
        right.setAttribute("aria-disabled", at === order.length - 1);
      });
      const focused = list.getRootNode().activeElement;
      order.forEach((token, at) => {
        if (list.children[at] !== items[token]) list.insertBefore(items[token], list.children[at]);
      });
      if (focused && list.contains(focused)) focused.focus();
      glide(items, before, order);
      before = order;
    },
  };
}

/** Let the words that moved glide from their old columns, which are all of one width. */
function glide(items, before, order) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  before.forEach((token, from) => {
    const columns = from - order.indexOf(token);
    if (!columns) return;
    const start = { transform: `translateX(${100 * columns}%)` };
    items[token].animate([start, {}], { duration: 250, easing: "ease" });
  });
}

/** While a pointer holds a word, the word takes the column under the pointer. */
function dragAlong(list, count, move) {
  let held;
  list.addEventListener("pointerdown", (event) => {
    held = event.target.closest(".pe-chip");
    if (!held || event.button !== 0) return (held = undefined);
    list.setPointerCapture(event.pointerId); // the word itself leaves the page for a moment
    held.classList.add("pe-held");
    event.preventDefault();
  });
  list.addEventListener("pointermove", (event) => {
    if (!held) return;
    const { left, width } = list.getBoundingClientRect();
    move(Number(held.dataset.token), Math.floor(((event.clientX - left) / width) * count));
  });
  const release = () => {
    held?.classList.remove("pe-held");
    held = undefined;
  };
  list.addEventListener("pointerup", release);
  list.addEventListener("pointercancel", release);
}

function rowLabels(tokens) {
  return tokens.map((word) => svg("text", { class: "pe-row pe-glide", x: GUTTER - 6, y: ROW / 2 }, word));
}

/** One group per word and one cell per pair of words: a cell keeps its pair wherever that goes. */
function buildMap(model, tokens) {
  const size = (WIDTH - GUTTER) / tokens.length;
  const stops = model.get("colors").sequential;
  const labels = rowLabels(tokens);
  const cells = tokens.map(() => tokens.map(() => cell(size, ROW, stops)));
  cells.flat().forEach(({ element }) => element.classList.add("pe-glide"));
  const name = "Attention weights: one row per query, one column per key, both in your order";
  const picture = drawing(WIDTH, ROW * tokens.length, name, ...labels);
  picture.append(...cells.flat().map(({ element }) => element));
  return {
    element: html("div", { class: "pe-picture" }, picture, html("p", { class: "pe-caption" }, "attention weights: row = query, column = key")),
    show({ order, weights }) {
      order.forEach((query, i) => {
        place(labels[query], 0, i * ROW);
        order.forEach((key, j) => {
          const weight = weights[i][j];
          place(cells[query][key].element, GUTTER + j * size, i * ROW);
          cells[query][key].show(weight === 0 ? "" : number(weight, 2), weight);
        });
      });
    },
  };
}

/** f(PX) and P f(X) side by side, with = or ≠ between their rows. */
function buildOutputs(model, tokens) {
  const dim = model.get("w_v")[0].length;
  const gap = 20;
  const size = (WIDTH - GUTTER - gap) / (2 * dim);
  const stops = model.get("colors").diverging;
  const labels = rowLabels(tokens);
  const rows = tokens.map(() => {
    const cells = [0, 1].map(() => Array.from({ length: dim }, () => cell(size, ROW, stops)));
    cells.forEach((half, side) =>
      half.forEach(({ element }, j) => place(element, GUTTER + side * (dim * size + gap) + j * size, 0)),
    );
    const sign = svg("text", { class: "pe-sign", x: GUTTER + dim * size + gap / 2, y: ROW / 2 });
    const elements = cells.flat().map(({ element }) => element);
    return { cells, sign, element: svg("g", { class: "pe-glide" }, ...elements, sign) };
  });
  const name = "Output vectors, one row per word: of your order, and of the original order with its rows moved along";
  const picture = drawing(WIDTH, ROW * tokens.length, name, ...labels, ...rows.map((row) => row.element));
  const heads = html("div", { class: "pe-heads", "aria-hidden": "true" });
  heads.style.setProperty("--pe-gutter", `${(100 * GUTTER) / WIDTH}%`);
  heads.innerHTML =
    `<span>${at("PX")}<br>your order</span><span><var>P</var> ${at("X")}<br>moved along</span>`;
  return {
    element: html("div", {}, heads, html("div", { class: "pe-picture" }, picture, html("p", { class: "pe-caption" }, "outputs, 4 channels per word"))),
    show({ order, output, moved, changes }) {
      const span = Math.max(...[...output, ...moved].flat().map(Math.abs));
      order.forEach((token, i) => {
        const { cells, sign, element } = rows[token];
        place(labels[token], 0, i * ROW);
        place(element, 0, i * ROW);
        [output, moved].forEach((values, side) =>
          values[i].forEach((value, j) => cells[side][j].show(number(value, 1), 0.5 + value / span / 2)),
        );
        sign.textContent = changes[i] < SAME ? "=" : "≠";
        sign.classList.toggle("pe-differs", changes[i] >= SAME);
      });
    },
  };
}
