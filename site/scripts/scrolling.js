// What is wider than the page scrolls by itself: a table, a formula, code. It fades where it goes
// on, and only then is a stop for the Tab key.

const BOXES = ".scrolls, .highlight pre, .output pre, .pst-scrollable-table-container, .table-scrolls";

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

// Called when a box is first laid out, too. First all that is read, then all that is written: else
// each box costs a layout of the page.
const sizes = new ResizeObserver((changes) => {
  changes.map(({ target }) => measure(target)).forEach(mark);
});
for (const box of document.querySelectorAll(BOXES)) {
  sizes.observe(box);
  box.addEventListener("scroll", () => fade(measure(box)), { passive: true });
}
