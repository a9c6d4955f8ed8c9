// What the tooltip of a copy button tells the eye, screen readers say.

const status = document.createElement("p");
status.className = "visually-hidden";
status.setAttribute("role", "status");
document.querySelector("main").append(status);

new MutationObserver(([{ target }]) => {
  const { tooltip } = target.dataset;
  status.textContent = tooltip === "Copy" ? "" : tooltip;
}).observe(document.body, { subtree: true, attributeFilter: ["data-tooltip"] });
