// What is wider than the page scrolls by itself: a table, a formula, code. It fades where it goes
// on, and only then is a stop for the Tab key.

const boxes = [
  ...document.querySelectorAll(
    ".scrolls, .highlight pre, .output pre, .pst-scrollable-table-container, .table-scrolls",
  ),
];

function measure(box) {
  return { box, left: box.scrollLeft, hidden: box.scrollWidth - box.clientWidth };
}

function fade({ box, left, hidden }) {
  box.toggleAttribute("data-before", left > 1);
  box.toggleAttribute("data-after", left < hidden - 1);
}

function mark(sizes) {
  const { box, hidden } = sizes;
  if (hidden > 1) {
    box.tabIndex = 0;
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", "Scrolls sideways");
  } else {
    ["tabindex", "role", "aria-label"].forEach((name) => box.removeAttribute(name));
  }
  fade(sizes);
}

// First all that is read, then all that is written: else each box costs a layout of the page.
const update = (some) => some.map(measure).forEach(mark);

const sizes = new ResizeObserver((changes) => update(changes.map(({ target }) => target)));
for (const box of boxes) {
  sizes.observe(box);
  box.addEventListener("scroll", () => fade(measure(box)), { passive: true });
}
document.fonts.ready.then(() => update(boxes));
