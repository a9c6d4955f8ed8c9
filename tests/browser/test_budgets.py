"""What a first visit to each page costs, and that nothing on it moves while it loads.

Bytes are those of the files, compressed here, so that they are the same on every machine. Fonts and
modules are sent late, as on a slow line: what moves when they come is then seen.
"""

import gzip
import json
import time
from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.site import HTML, Handler, pages, require_site, serve

KIB = 1024
PLAIN, WITH_FIGURES, SCRIPTS = 250 * KIB, 400 * KIB, 80 * KIB
#: Compressed already; a server sends them as they are.
PACKED = {".woff", ".woff2", ".png", ".jpg", ".webp", ".gz"}
LATE = {".woff", ".woff2", ".mjs"}
#: Seconds by which these are late.
DELAY = 0.3
STATE = "script[type='application/vnd.jupyter.widget-state+json']"

#: Sum up the layout shifts that no input of the reader explains, and say what moved.
WATCH = """
window.shifts = { sum: 0, moved: [] };
new PerformanceObserver((list) => {
  for (const { hadRecentInput, value, sources } of list.getEntries()) {
    if (hadRecentInput) continue;
    shifts.sum += value;
    for (const { node } of sources) {
      const element = node?.nodeType === 3 ? node.parentElement : node;
      shifts.moved.push((element?.outerHTML ?? "?").slice(0, 120));
    }
  }
}).observe({ type: "layout-shift", buffered: true });
"""
#: Read the page from top to bottom, wait until each figure is alive, go back to the top.
READ = """async () => {
  const frame = () => new Promise((seen) => {
    requestAnimationFrame(() => setTimeout(seen, 30));
    setTimeout(seen, 2000); // a busy machine may withhold a frame for ever
  });
  for (let y = 0; y < document.documentElement.scrollHeight; y += 800) {
    scrollTo({ top: y, behavior: "instant" });
    await frame();
  }
  for (const stage of document.querySelectorAll(".pe-stage:not(.pe-alive)")) {
    if (!stage.offsetParent) continue; // folded away
    stage.scrollIntoView({ behavior: "instant" });
    for (let tries = 0; !stage.matches(".pe-alive") && tries < 100; tries++) await frame();
  }
  await document.fonts.ready;
  scrollTo({ top: 0, behavior: "instant" });
  await frame();
}"""
UNFOLD = "document.querySelectorAll('details').forEach((details) => (details.open = true))"


class SlowHandler(Handler):
    """A server of files on which fonts and modules take their time."""

    def do_GET(self):
        """Send a file."""
        if Path(urlsplit(self.path).path).suffix in LATE:
            time.sleep(DELAY)
        super().do_GET()


def weight(name, body):
    """Bytes that a server which compresses sends for a file."""
    packed = Path(name).suffix in PACKED
    return len(body) if packed else len(gzip.compress(body, mtime=0))


class FirstVisit:
    """A page that was opened with nothing in the cache, and what was asked for and moved."""

    def __init__(self, browser, site, page, *, width=1280):
        self.problems = []
        self.answers = []
        self.context = browser.new_context(viewport={"width": width, "height": 900})
        self.page = self.context.new_page()
        self.page.add_init_script(WATCH)
        self.page.on("response", lambda answer: self.answers.append(answer))
        self.page.on("requestfailed", self.note_failure)
        self.page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        self.page.on("console", self.hear)
        self.page.goto(site + page, wait_until="load")
        self.page.evaluate(READ)

    def note_failure(self, request):
        if request.failure != "net::ERR_ABORTED":  # broken off because the reader goes elsewhere
            self.problems.append(f"failed: {request.url}")

    def hear(self, message):
        if message.type in ("error", "warning"):
            self.problems.append(f"console: {message.text}")

    def unfold(self):
        """Open what is folded and read the page once more."""
        self.page.evaluate(UNFOLD)
        self.page.evaluate(READ)

    def shifts(self):
        """Cumulative layout shift so far, to the two digits of the budget, and what moved."""
        found = self.page.evaluate("shifts")
        return round(found["sum"], 2), found["moved"]

    def bytes(self):
        """Bytes sent so far, by file."""
        self.page.wait_for_load_state("networkidle")
        sizes = Counter()
        for answer in self.answers:
            name = urlsplit(answer.url).path
            sizes[name] += weight(name, answer.body())
        return sizes

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.context.close()


def scripts(sizes):
    """Those files among ``sizes`` that are JavaScript."""
    return {name: size for name, size in sizes.items() if Path(name).suffix in (".js", ".mjs")}


def over_budget(sizes, *, figures):
    """What is too heavy, with the heaviest files; empty if nothing is."""
    found = []
    for what, part, most in (
        ("page", sizes, WITH_FIGURES if figures else PLAIN),
        ("JavaScript", scripts(sizes), SCRIPTS),
    ):
        if (total := sum(part.values())) > most:
            heaviest = Counter(part).most_common(5)
            found.append(f"{what}: {total / KIB:.0f} KiB > {most / KIB:.0f}: {heaviest}")
    return found


@pytest.fixture(scope="module")
def site():
    require_site()
    with serve(HTML, SlowHandler) as address:
        yield address


#: All but the old address of the first page, which leads on at once.
each_page = pytest.mark.parametrize("page", [page for page in pages() if page != "book/intro.html"])


@each_page
@pytest.mark.parametrize("width", [390, 1280])
def test_a_first_visit_stays_within_the_budgets_and_nothing_moves(browser, site, page, width):
    with FirstVisit(browser, site, page, width=width) as visit:
        shifted, moved = visit.shifts()
        assert shifted == 0, moved
        visit.unfold()
        stages = visit.page.locator(".pe-stage")
        assert visit.page.locator(".pe-stage.pe-alive").count() == stages.count()
        figures = visit.page.locator("figure, .pe-stage").count() > 0
        assert over_budget(visit.bytes(), figures=figures) == []
        assert visit.problems == []


def test_ten_figures_share_one_bundle_and_stay_within_the_budget(browser, site, sample_book):
    with FirstVisit(browser, site, "404.html") as visit:
        frame = visit.bytes()
    with FirstVisit(browser, sample_book, "part/ten.html") as visit:
        assert visit.page.locator(".pe-stage.pe-alive").count() == 10
        sizes = visit.bytes()
        state = json.loads(visit.page.locator(STATE).text_content())["state"]
    figures = [record["state"] for record in state.values() if "_esm" in record["state"]]
    assert len(figures) == 10
    (bundle,) = {figure["_esm"] for figure in figures}
    (asked,) = (a.url for a in visit.answers if a.url.endswith(bundle))  # once
    # A copy of the bundle would be longer than the whole state of its figure.
    assert max(len(json.dumps(figure)) for figure in figures) < sizes[urlsplit(asked).path] / 2
    assert over_budget(sizes + frame, figures=True) == []


def test_the_search_works_on_a_phone_with_the_network_off(browser, site):
    """From a page deep in the book: two words, a quotation, the mark on the page; and no hit."""
    outside = []

    def refuse(route):
        if route.request.url.startswith(site):
            return route.continue_()
        outside.append(route.request.url)
        return route.abort("internetdisconnected")

    with FirstVisit(browser, site, "book/reference/notation.html", width=390) as visit:
        visit.context.route("**/*", refuse)
        visit.page.get_by_role("link", name="Search", exact=True).click()
        field = visit.page.get_by_role("searchbox", name="Search this book")
        expect(field).to_be_focused()
        field.fill("permutation matrix")
        field.press("Enter")
        hit = visit.page.locator("#search-results li", has=visit.page.locator(".context")).first
        expect(hit.locator(".context")).to_contain_text(" ")
        hit.locator("a").first.click()
        visit.page.wait_for_url("**/book/**")
        expect(visit.page.locator("main .highlighted").first).to_be_attached()
        visit.page.go_back()
        field.fill("zyzzyva")
        field.press("Enter")
        expect(visit.page.locator("#search-results")).to_contain_text("did not match any")
        assert visit.problems == outside == []


DOCTORED = """<!DOCTYPE html><title>x</title><link rel="icon" href="data:,">
<style>@font-face { font-family: Late; src: url(late.woff) }</style>
<script src="heavy.js"></script>
<p id="first" style="height: 50px">moves</p><p>is moved</p>
<script>
  console.warn("oh");
  setTimeout(() => (document.querySelector("#first").style.height = "250px"), 300);
</script>
<script type="module" src="late.mjs"></script>"""


def test_the_checks_see_what_they_look_for(browser, tmp_path):
    (tmp_path / "page.html").write_text(DOCTORED)
    (tmp_path / "late.mjs").write_text("document.title = 'late'")
    noise = np.random.default_rng(0).bytes(300 * KIB).hex()
    (tmp_path / "heavy.js").write_text(f"const heavy = '{noise}';")
    with (
        serve(tmp_path, SlowHandler) as address,
        FirstVisit(browser, address, "page.html") as visit,
    ):
        assert visit.page.title() == "late"
        visit.page.wait_for_function("shifts.sum > 0")
        assert "is moved" in visit.shifts()[1][0]
        assert visit.problems == ["console: oh"]
        sizes = visit.bytes()
        assert {Path(name).name for name in sizes} == {"page.html", "heavy.js", "late.mjs"}
        assert [found.split(":")[0] for found in over_budget(sizes, figures=False)] == [
            "page",
            "JavaScript",
        ]
    assert weight("a.css", b"a" * 10_000) < 100 < 10_000 == weight("a.woff2", b"a" * 10_000)
