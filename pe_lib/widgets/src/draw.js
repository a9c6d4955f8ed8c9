// Pieces that several drawings use: cells of a matrix, arrows, dials, curves.

import { svg } from "./dom.js";

const channelsOf = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));

/** Color at t in [0, 1] of a map given by its low, middle and high color. */
export function colorAt(stops, t) {
  const clipped = Math.min(Math.max(t, 0), 1) * 2;
  const from = clipped < 1 ? 0 : 1;
  const [a, b] = [channelsOf(stops[from]), channelsOf(stops[from + 1])];
  return a.map((value, i) => Math.round(value + (b[i] - value) * (clipped - from)));
}

/** One cell of a matrix with its number; show(value, t) colors it. */
export function cell(width, height, stops) {
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
      // Perceived lightness (Rec. 601): dark cells carry white numbers.
      const light = 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2] > 130;
      box.style.fill = `rgb(${rgb})`;
      text.style.fill = light ? "#1c1e21" : "#fff";
      text.textContent = label;
    },
  };
}

/** Move an element to (x, y); style sheets may let it glide there. */
export function place(element, x, y) {
  element.style.transform = `translate(${x}px, ${y}px)`;
}

/** An arrow from the origin along +x; turn it with point(angle), counterclockwise in rad. */
export function arrow(length, className) {
  const tip = Math.max(length, 0.01);
  const head = Math.min(9, tip);
  const element = svg(
    "g",
    { class: `pe-arrow ${className}` },
    svg("line", { x2: tip - head }),
    svg("path", { d: `M${tip} 0l${-head - 2} ${-head / 2}v${head}z` }),
  );
  return {
    element,
    point: (angle) => element.setAttribute("transform", `rotate(${(-angle * 180) / Math.PI})`),
  };
}

/** Path along a circle from one angle to another, winding outward so that turns can be counted. */
export function spiral(from, to, radius, widest) {
  const turns = Math.abs(to - from) / (2 * Math.PI);
  const whole = Math.max(0, Math.floor(turns) - 5); // beyond six turns nobody counts
  const start = from + Math.sign(to - from) * whole * 2 * Math.PI;
  const steps = Math.max(2, Math.ceil((turns - whole) * 40));
  const growth = Math.min(turns - whole, 6) / 6;
  return polyline(steps, (t) => {
    const angle = start + (to - start) * t;
    const r = radius + (widest - radius) * growth * t;
    return [r * Math.cos(angle), -r * Math.sin(angle)];
  });
}

/** Path through steps + 1 points, point(t) for t from 0 to 1. */
export function polyline(steps, point) {
  let path = "M";
  for (let i = 0; i <= steps; i++) path += point(i / steps).map((c) => c.toFixed(2)).join(" ") + " ";
  return path;
}
