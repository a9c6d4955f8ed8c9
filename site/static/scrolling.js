// What is wider than the page scrolls by itself: a table, a formula, code. It fades where it goes
// on, and only then is a stop for the Tab key.

const boxes = [
  ...document.querySelectorAll(
    ".scrolls, .highlight pre, .output pre, .pst-scrollable-table-container, .table-scrolls",
  ),
];

function fade(box) {
  const hidden = box.scrollWidth - box.clientWidth;
  box.toggleAttribute("data-before", box.scrollLeft > 1);
  box.toggleAttribute("data-after", box.scrollLeft < hidden - 1);
}

function update(box) {
  if (box.scrollWidth > box.clientWidth + 1) {
    box.tabIndex = 0;
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", "Scrolls sideways");
  } else {
    ["tabindex", "role", "aria-label"].forEach((name) => box.removeAttribute(name));
  }
  fade(box);
}

const sizes = new ResizeObserver((changes) => changes.forEach(({ target }) => update(target)));
for (const box of boxes) {
  sizes.observe(box);
  box.addEventListener("scroll", () => fade(box), { passive: true });
}
document.fonts.ready.then(() => boxes.forEach(update));
