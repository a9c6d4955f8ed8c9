"""How soon the interactive figures of the built site are ready, and how fast they answer."""

import statistics

from playwright.sync_api import sync_playwright

from tests.browser.chromium import ARGUMENTS, find_chromium
from tests.browser.site import HTML, pages, serve

#: Note when the host begins with a figure (it adds .pe-live) and when that is drawn (.pe-alive).
WATCH = """
window.begun = new Map();
window.ready = new Map();
new MutationObserver((changes) => {
  for (const { target, addedNodes } of changes) {
    const begins = [...addedNodes].some((node) => node.className === "pe-live");
    if (begins) begun.set(target, performance.now());
    if (!begun.has(target) || ready.has(target) || !target.classList.contains("pe-alive")) continue;
    target.getBoundingClientRect(); // the layout belongs to it
    ready.set(target, performance.now() - begun.get(target));
  }
}).observe(document, { subtree: true, childList: true, attributeFilter: ["class"] });
"""
#: Milliseconds of each of many steps, for every slider or else for a word that is moved by keys:
#: the handlers, the redrawing, and the layout that follows from it.
STEP = """async (stage) => {
  const repeat = 60;
  const slider = (range) => (i) => {
    i % 2 ? range.stepDown() : range.stepUp();
    range.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const word = (item) => (i) => {
    const options = { key: i % 2 ? "ArrowLeft" : "ArrowRight", bubbles: true, cancelable: true };
    item.dispatchEvent(new KeyboardEvent("keydown", options));
  };
  const ranges = [...stage.querySelectorAll(".pe-live input[type=range]")];
  const words = [...stage.querySelectorAll(".pe-live .pe-words li")].slice(0, 1);
  const steps = [...ranges.map(slider), ...words.map(word)];
  return Promise.all(steps.map(async (step) => {
    const times = [];
    for (let i = 0; i < repeat; i++) {
      const start = performance.now();
      step(i);
      await null; // figures redraw once what belongs together has changed
      stage.getBoundingClientRect();
      times.push(performance.now() - start);
      await new Promise((later) => setTimeout(later, 10));
    }
    return times;
  }));
}"""


def measure(line):
    """Print two lines for each figure of the site; ``line(what, value, unit, goal)`` prints one."""
    executable = find_chromium()
    if executable is None or not (HTML / "index.html").is_file():
        print("figures: skipped, they need a Chromium and a built site ('make book')")
        return
    with sync_playwright() as playwright, serve(HTML) as site:
        browser = playwright.chromium.launch(executable_path=executable, args=ARGUMENTS)
        for name in pages():
            if 'class="pe-stage"' not in (HTML / name).read_text(encoding="utf-8"):
                continue
            page = browser.new_page()
            page.add_init_script(WATCH)
            page.goto(site + name, wait_until="networkidle")
            for stage in page.locator(".pe-stage").all():
                _figure(page, stage, name, line)
            page.close()
        browser.close()


def _figure(page, stage, name, line):
    """Measure one figure: scroll to it, let it start, play with it."""
    stage.scroll_into_view_if_needed()
    handle = stage.element_handle()
    page.wait_for_function("(stage) => ready.has(stage)", arg=handle)
    kind = stage.locator(".pe-figure").get_attribute("class").split("pe-")[-1]
    ready = page.evaluate("(stage) => ready.get(stage)", handle)
    line(f"{name.split('/')[-1]}, {kind}: ready after", ready, "ms", "at most 100")
    slowest = max(statistics.median(times) for times in page.evaluate(STEP, handle))
    line("  a step of its slowest control", slowest, "ms", "at most 8")
