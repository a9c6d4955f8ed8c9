// Previews: what a link leads to, in a card beside it, while the pointer or the keyboard rests on
// the link. Another page is fetched from this site, once per visit, and its formulas are taken as
// they are: they were rendered when the book was built. What cannot be had has no preview.

const LINKS = "article a.reference.internal";
const DELAY = 200; // ms: a pointer that only passes by opens nothing, and one can cross to the card
const GAP = 8; // px between link and card, and between card and the edge of the screen
const LEFT_OUT = ".headerlink, .copybtn, .pe-live, .citation > .label, .exercise .cell_output, script";

const pages = new Map();

/** The page at an address: this one, or another as its file says. */
function read(address) {
  if (address === location.href.split("#")[0]) return document;
  if (!pages.has(address)) {
    const text = fetch(address).then((answer) => (answer.ok ? answer.text() : ""));
    const page = (html) => new DOMParser().parseFromString(html, "text/html");
    pages.set(address, text.catch(() => "").then(page));
  }
  return pages.get(address);
}

/** Copies of what says best what stands at `target`; none if nothing short does. */
function excerpt(target) {
  if (target.matches("dt")) {
    const [list, sense] = [target.parentNode.cloneNode(), document.createElement("dd")];
    sense.append(...copies(target.nextElementSibling, ":scope > p"));
    list.append(target.cloneNode(true), sense);
    return [list];
  }
  if (target.matches(".math-block, .admonition, figure, .citation")) return [target.cloneNode(true)];
  const section = target.closest("section, article");
  if (target !== section && target.textContent) return [];
  const title = document.createElement("p");
  title.className = "preview-title";
  title.append(...(section.querySelector("h1, h2, h3, h4")?.cloneNode(true).childNodes ?? []));
  const first = [1, 2, 3].map((depth) => `:scope${" > section".repeat(depth - 1)} > p`);
  return [title, ...copies(section, first.join())];
}

/** A list with a copy of the first element that a selector finds, or an empty one. */
function copies(parent, selector) {
  const found = parent?.querySelector(selector);
  return found ? [found.cloneNode(true)] : [];
}

/** Make a copy fit to stand a second time on a page: nothing to operate, no id, no role in a list. */
function tidy(copy) {
  copy.querySelectorAll(LEFT_OUT).forEach((part) => part.remove());
  copy.querySelectorAll("a").forEach((link) => link.replaceWith(...link.childNodes));
  copy.querySelectorAll(".pe-alive").forEach((stage) => stage.classList.remove("pe-alive"));
  copy.querySelectorAll("details").forEach((box) => (box.open = true));
  copy.querySelectorAll("[tabindex]").forEach((box) => {
    ["tabindex", "role", "aria-label"].forEach((name) => box.removeAttribute(name));
  });
  // A drawing refers to its own parts, so these are renamed.
  copy.querySelectorAll("svg").forEach((drawing) => {
    drawing.outerHTML = drawing.outerHTML.replace(/(\bid="|href="#|url\(#)/g, "$1preview-");
  });
  copy.querySelectorAll("[id]:not(svg [id])").forEach((part) => part.removeAttribute("id"));
  copy.querySelectorAll("[role=listitem]").forEach((part) => part.removeAttribute("role"));
  return copy;
}

/** What the card shows of a link's target. */
async function preview(link) {
  const url = new URL(link.href);
  if (url.origin !== location.origin) return [];
  const page = await read(url.href.split("#")[0]);
  const id = decodeURIComponent(url.hash.slice(1));
  const target = id ? page.getElementById(id) : page.querySelector("article");
  const holder = document.createElement("div");
  if (target) holder.append(...excerpt(target).map((copy) => document.importNode(copy, true)));
  return [...tidy(holder).childNodes];
}

/** Set formulas that are wider than the card smaller. */
function fit(card) {
  for (const box of card.querySelectorAll(".scrolls:has(.katex)")) {
    const share = box.clientWidth / box.scrollWidth;
    if (share < 1) box.style.fontSize = `${Math.max(share, 0.6)}em`;
  }
}

/** Put the card below the link, or above it where there is more room, and within the screen. */
function place(card, link) {
  const box = link.getBoundingClientRect();
  const { clientWidth: width, clientHeight: height } = document.documentElement;
  const header = document.querySelector(".site-header").getBoundingClientRect().bottom;
  const [above, below] = [box.top - header - 2 * GAP, height - box.bottom - 2 * GAP];
  card.style.maxHeight = "";
  const under = below >= Math.min(card.offsetHeight, above);
  card.style.maxHeight = `${Math.min(card.offsetHeight, under ? below : above)}px`;
  card.classList.toggle("cut", card.scrollHeight > card.clientHeight + 1);
  const top = under ? box.bottom + GAP : box.top - GAP - card.offsetHeight;
  const left = Math.max(GAP, Math.min(box.left, width - card.offsetWidth - GAP));
  card.style.left = `${left + scrollX}px`;
  card.style.top = `${top + scrollY}px`;
}

function setUp(article) {
  const card = Object.assign(document.createElement("div"), { id: "link-preview", hidden: true });
  card.setAttribute("role", "tooltip");
  article.after(card);
  // The browser's own tooltips would lie over the card.
  document.querySelectorAll(LINKS).forEach((link) => link.removeAttribute("title"));
  let [link, timer] = [null, 0];
  const rests = () => link?.matches(":hover, :focus-visible");

  function close() {
    clearTimeout(timer);
    link?.removeAttribute("aria-describedby");
    link = null;
    card.hidden = true;
  }

  async function open(entered) {
    close();
    link = entered;
    const content = await preview(link);
    if (link !== entered || !rests() || !content.length) return;
    card.replaceChildren(...content);
    card.hidden = false;
    fit(card);
    place(card, link);
    link.setAttribute("aria-describedby", card.id);
  }

  function enter({ target, pointerType }) {
    const entered = pointerType !== "touch" && target.closest(LINKS);
    if (!entered || (entered === link && !card.hidden)) return;
    clearTimeout(timer);
    timer = setTimeout(open, DELAY, entered);
  }

  function leave() {
    clearTimeout(timer);
    timer = setTimeout(() => rests() || card.matches(":hover") || close(), DELAY);
  }

  article.addEventListener("pointerover", enter);
  article.addEventListener("focusin", (event) => event.target.matches(":focus-visible") && enter(event));
  for (const name of ["pointerout", "focusout"]) article.addEventListener(name, leave);
  card.addEventListener("pointerleave", leave);
  addEventListener("resize", () => card.hidden || place(card, link));
  document.addEventListener("keydown", (event) => event.key === "Escape" && close());
}

// A finger can only tap, and a tap follows the link.
const touchOnly = matchMedia("(any-hover: none) and (any-pointer: coarse)").matches;
const article = document.querySelector("article");
if (article && !touchOnly) setUp(article);
