// Elements, native controls and text, shared by the figures.

const SVG = "http://www.w3.org/2000/svg";

function build(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

export const html = (tag, attributes = {}, ...children) =>
  build(document.createElement(tag), attributes, children);

export const svg = (tag, attributes = {}, ...children) =>
  build(document.createElementNS(SVG, tag), attributes, children);

/** A drawing that scales with its width; its label says what it is. */
export const drawing = (width, height, label, ...children) =>
  svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label }, ...children);

/** Text with a true minus sign and no minus zero. */
export function number(value, digits) {
  const text = value.toFixed(digits);
  return (Number(text) === 0 ? text.replace("-", "") : text).replace("-", "−");
}

/** A range with a box for the exact value. set(value) shows a value; pick(value) hears of one. */
export function slider({ label, name, min, max, step, limits, pick }) {
  const heard = (event) => {
    const value = event.target.valueAsNumber;
    if (Number.isFinite(value)) pick(Math.min(Math.max(value, limits[0]), limits[1]));
  };
  const range = html("input", { type: "range", min, max, step, "aria-label": name, oninput: heard });
  const box = html("input", {
    ...{ type: "number", min: limits[0], max: limits[1], step: Number.isInteger(step) ? step : "any" },
    ...{ "aria-label": `${name}, exact value`, onchange: heard },
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
    },
  };
}

export function checkbox(label, pick) {
  const input = html("input", { type: "checkbox", onchange: () => pick(input.checked) });
  return { element: html("label", { class: "pe-check" }, input, label), set: (on) => (input.checked = on) };
}

export function select(label, pick) {
  const input = html("select", { onchange: () => pick(Number(input.value)) });
  return {
    element: html("label", { class: "pe-select" }, label, input),
    options(pairs) {
      input.replaceChildren(...pairs.map(([value, text]) => html("option", { value }, text)));
    },
    set(value) {
      input.value = value;
      if (input.selectedIndex >= 0) return;
      input.append(html("option", { value }, value)); // only the kernel chooses what is not offered
      input.value = value;
    },
  };
}

export const button = (label, press) => html("button", { type: "button", onclick: press }, label);

/** A sentence under the figure. While a control is dragged it speaks at most five times a second. */
export function narrator() {
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
      if (timer !== undefined) return;
      speak();
      timer = setTimeout(() => {
        timer = undefined;
        speak();
      }, 200);
    },
    stop: () => clearTimeout(timer),
  };
}

/** Call update now, and once after traits changed; returns the way to stop. */
export function follow(model, traits, update) {
  let waiting = false;
  const later = () => {
    if (waiting) return;
    waiting = true; // traits that belong together change one after the other
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

/** Set traits and tell the kernel, if there is one. */
export function choose(model, traits) {
  for (const [name, value] of Object.entries(traits)) model.set(name, value);
  model.save_changes();
}
