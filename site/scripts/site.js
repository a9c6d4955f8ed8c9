// What every page does: switch colors, open the contents, mark the section being read, unfold
// what a link leads to.

const root = document.documentElement;
// What asks where things are waits for a frame, which lays the page out anyway.
const atFrame = (ask) => requestAnimationFrame(() => setTimeout(ask));
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
    if (event.key === "Escape") {
      all("details.menu[open]").forEach((menu) => {
        if (menu.contains(document.activeElement)) menu.querySelector("summary").focus();
        menu.open = false;
      });
    }
  });
  document.addEventListener("click", (event) => {
    if (!nav.contains(event.target) && !button.contains(event.target)) open(false);
    all("details.menu[open]").forEach((menu) => {
      if (!menu.contains(event.target)) menu.open = false;
    });
  });
  // One menu at a time, and none once the keyboard has gone on.
  document.addEventListener("focusin", (event) => {
    all("details.menu[open]").forEach((menu) => {
      if (!menu.contains(event.target)) menu.open = false;
    });
  });
  atFrame(() => nav.querySelector(".current")?.scrollIntoView({ block: "nearest" }));
}

// In "On this page", the section that is being read: the last one that starts above a line near the
// top of the screen, which sinks over the last screen of a page, whose sections never get that far.
function setUpPageNav(links) {
  const sections = links.map((link) => document.getElementById(link.hash.slice(1)));
  let marked;
  const mark = () => {
    const line = Math.max(120, innerHeight - (root.scrollHeight - scrollY - innerHeight));
    const read = links[sections.findLastIndex((s) => s && s.getBoundingClientRect().top < line)];
    if (read === marked) return;
    marked?.removeAttribute("aria-current");
    read?.setAttribute("aria-current", "true");
    marked = read;
    if (read) read.closest("nav").scrollTop = read.offsetTop - read.closest("nav").clientHeight / 2;
  };
  let due = 0;
  addEventListener("scroll", () => (due ||= requestAnimationFrame(() => ((due = 0), mark()))), {
    passive: true,
  });
  atFrame(mark);
}

// What a link leads to may lie below sections that have no layout yet: then they get it.
addEventListener("click", ({ target }) => {
  if (target.closest("a")?.hash) root.dataset.settled = "";
}, true);

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
