// What every page does: switch colors, open the contents, mark the section being read,
// let the keyboard scroll what scrolls.

const root = document.documentElement;
const all = (selector) => [...document.querySelectorAll(selector)];

// Light and dark.
function setUpTheme(button) {
  const show = (theme) => {
    root.dataset.theme = theme;
    button.setAttribute("aria-pressed", theme === "dark");
  };
  show(root.dataset.theme);
  button.addEventListener("click", () => {
    show(root.dataset.theme === "dark" ? "light" : "dark");
    try {
      localStorage.setItem("theme", root.dataset.theme);
    } catch {
      // Storage is forbidden: the choice holds for this page.
    }
  });
}

// The book's contents, which lie over the page on a small screen.
function setUpMenu(button, nav) {
  const open = (yes) => {
    nav.classList.toggle("open", yes);
    button.setAttribute("aria-expanded", yes);
  };
  button.addEventListener("click", () => open(!nav.classList.contains("open")));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && nav.classList.contains("open")) {
      open(false);
      button.focus();
    }
  });
  document.addEventListener("click", (event) => {
    if (!nav.contains(event.target) && !button.contains(event.target)) open(false);
    all("details.menu[open]").forEach((menu) => {
      if (!menu.contains(event.target)) menu.open = false;
    });
  });
  nav.querySelector(".current")?.scrollIntoView({ block: "nearest" });
}

// In "On this page", the section that is being read.
function setUpPageNav(links) {
  const sections = links.map((link) => document.getElementById(link.hash.slice(1)));
  const mark = () => {
    const read = sections.findLastIndex((s) => s && s.getBoundingClientRect().top < 120);
    links.forEach((link, i) =>
      i === read ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current"),
    );
  };
  let due = 0;
  addEventListener("scroll", () => (due ||= requestAnimationFrame(() => ((due = 0), mark()))), {
    passive: true,
  });
  mark();
}

// A box that scrolls sideways can be reached and scrolled with the keyboard; one that does not is
// no stop for the Tab key.
function setUpScrolling(boxes) {
  const mark = ([box, scrolls]) => {
    if (scrolls) {
      box.tabIndex = 0;
      box.setAttribute("role", "group");
      box.setAttribute("aria-label", "Scrolls sideways");
    } else {
      ["tabindex", "role", "aria-label"].forEach((name) => box.removeAttribute(name));
    }
  };
  // First all that is read, then all that is written: else each box costs a layout of the page.
  const update = () => boxes.map((box) => [box, box.scrollWidth > box.clientWidth + 1]).forEach(mark);
  const sizes = new ResizeObserver(update);
  boxes.forEach((box) => sizes.observe(box));
  document.fonts.ready.then(update);
}

// A link to something in a folded box opens the box.
function openTarget() {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const box = target && target.closest("details");
  if (box && !box.open) {
    box.open = true;
    target.scrollIntoView();
  }
}

document.addEventListener("DOMContentLoaded", () => {
  setUpTheme(document.querySelector(".theme-button"));
  setUpMenu(document.querySelector(".menu-button"), document.querySelector("#site-nav"));
  setUpPageNav(all(".page-nav a"));
  setUpScrolling(all(".scrolls, .highlight pre, .output pre, .pst-scrollable-table-container, .table-scrolls"));
  openTarget();
  addEventListener("hashchange", openTarget);
  document.addEventListener("keydown", (event) => {
    const field = document.querySelector(".search-form input");
    if (field && event.key === "k" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      field.focus();
    }
  });
});
