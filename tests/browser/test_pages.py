"""Every page of the built site in a real browser, with all other hosts out of reach."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.site import HTML, ROOT, pages, require_site, serve

AXE = ROOT / "site" / "node_modules" / "axe-core" / "axe.min.js"
#: What is hidden from screen readers is left out: a formula's boxes (its MathML is checked) and
#: the inside of a drawing (it has a name).
RUN_AXE = """async rules => {
  const options = { resultTypes: ["violations"], ...(rules.length && { runOnly: rules }) };
  const { violations } = await axe.run({ exclude: [".katex-html", "svg.figure > *"] }, options);
  return violations.map(v => `${v.id}: ${v.nodes.map(n => n.html.slice(0, 200)).join(" | ")}`);
}"""
#: Unfold everything, go through the page as a reader does, so that what waits to be seen starts.
READ = """async () => {
  document.querySelectorAll("details").forEach(details => details.open = true);
  for (let y = 0; y < document.body.scrollHeight; y += 600) {
    scrollTo({ top: y, behavior: "instant" });
    await new Promise(resolve => setTimeout(resolve, 20));
  }
  scrollTo({ top: 0, behavior: "instant" });
}"""


@pytest.fixture(scope="module")
def site():
    require_site()
    with serve(HTML) as address:
        yield address


class Visit:
    """A page that is open, and what went wrong with it so far."""

    def __init__(self, browser, site, page, *, theme="light", width=1280):
        self.problems = []
        self.site = site
        self.name = page
        self.context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=theme, reduced_motion="reduce"
        )
        self.page = self.context.new_page()
        self.page.route("**/*", self.answer)
        self.page.on("console", self.hear)
        self.page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        self.page.on("requestfailed", self.note_failure)
        self.page.on("response", self.look_at)
        self.page.goto(site + page, wait_until="load")
        self.page.evaluate(READ)
        self.page.wait_for_load_state("networkidle")

    def answer(self, route):
        if route.request.url.startswith(self.site):
            route.continue_()
        else:
            self.problems.append(f"foreign: {route.request.url}")
            route.abort()

    def note_failure(self, request):
        if request.failure != "net::ERR_ABORTED":  # broken off because the reader goes elsewhere
            self.problems.append(f"failed: {request.url}")

    def hear(self, message):
        if message.type in ("error", "warning"):
            self.problems.append(f"console: {message.text}")

    def look_at(self, response):
        if response.status >= 400:
            self.problems.append(f"{response.status}: {response.url}")

    def axe(self, *rules):
        """Violations of all of axe's rules, or of those named."""
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(AXE.read_text(encoding="utf-8"))
        return self.page.evaluate(RUN_AXE, list(rules))

    def overhang(self):
        """By how many pixels the page is wider than the screen."""
        return self.page.evaluate("document.documentElement.scrollWidth - innerWidth")

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.context.close()


# book/intro.html only leads on to the first page.
@pytest.fixture(scope="module", params=[page for page in pages() if page != "book/intro.html"])
def visit(request, browser, site):
    """One visit to each page, for the tests that look at it from all sides in turn."""
    with Visit(browser, site, request.param) as visit:
        yield visit


def test_a_page_loads_without_an_error_and_without_asking_another_host(visit):
    assert visit.problems == []


def test_every_figure_is_drawn_and_answers_its_first_control(visit):
    source = {"index.html": "book/intro.html"}.get(visit.name, visit.name)
    notebook = ROOT / source.replace(".html", ".ipynb")
    stages = visit.page.locator(".pe-stage")
    if notebook.exists():
        assert stages.count() == notebook.read_text(encoding="utf-8").count('"widgets.')
    for stage in stages.all():
        stage.scroll_into_view_if_needed()
        live = stage.locator(".pe-live")
        live.wait_for(state="visible")
        before = live.inner_html()
        control = live.locator("input").first
        control.press("Space" if control.get_attribute("type") == "checkbox" else "ArrowRight")
        expect(live).not_to_have_js_property("innerHTML", before)
    assert visit.problems == []


def test_axe_finds_no_violation(visit):
    assert visit.axe() == []


def test_contrast_is_enough_in_the_dark_too(visit):
    visit.page.evaluate("document.documentElement.dataset.theme = 'dark'")
    assert visit.axe("color-contrast") == []


def test_a_page_fits_the_smallest_phone_and_the_keyboard_scrolls_what_does_not(visit):
    visit.page.set_viewport_size({"width": 320, "height": 600})
    visit.page.evaluate(READ)
    assert visit.overhang() <= 0
    assert visit.axe("scrollable-region-focusable", "target-size") == []
    assert visit.problems == []


def test_the_search_finds_a_word(browser, site):
    with Visit(browser, site, "404.html") as visit:
        field = visit.page.get_by_role("searchbox", name="Search this book")
        field.fill("rotation")
        field.press("Enter")
        first = visit.page.locator("#search-results li a").first
        first.wait_for()
        first.click()
        visit.page.wait_for_url("**/book/**")
        expect(visit.page.locator("main article")).to_contain_text("rotation")
        assert visit.problems == []


def test_next_leads_from_the_first_page_through_all_that_the_contents_list(browser, site):
    with Visit(browser, site, "404.html") as visit:
        listed = visit.page.locator("#site-nav a").evaluate_all("links => links.map(a => a.href)")
        visit.page.goto(listed[0])
        walked = [visit.page.url]
        while (following := visit.page.locator("a.next")).count():
            with visit.page.expect_navigation():
                following.click()
            walked.append(visit.page.url)
        assert [url.split("#")[0] for url in walked] == listed


def test_the_choice_of_colors_holds_on_the_next_page(browser, site):
    with Visit(browser, site, "search.html") as visit:
        button = visit.page.get_by_role("button", name="Dark colors")
        assert button.get_attribute("aria-pressed") == "false"
        button.press("Enter")
        assert button.get_attribute("aria-pressed") == "true"
        visit.page.goto(site + "404.html")
        assert visit.page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_without_a_choice_the_colors_are_those_of_the_system(browser, site):
    with Visit(browser, site, "404.html", theme="dark") as visit:
        assert visit.page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_on_a_phone_the_contents_open_and_close_with_the_keyboard(browser, site):
    with Visit(browser, site, "search.html", width=390) as visit:
        button = visit.page.get_by_role("button", name="Contents of the book")
        entry = visit.page.locator("#site-nav a").first
        assert not entry.is_visible()
        button.press("Enter")
        assert entry.is_visible()
        visit.page.keyboard.press("Escape")
        assert not entry.is_visible()
        assert button.evaluate("b => b === document.activeElement")


def test_the_first_stop_of_the_tab_key_skips_to_the_content(browser, site):
    with Visit(browser, site, "404.html") as visit:
        visit.page.keyboard.press("Tab")
        assert visit.page.evaluate("document.activeElement.textContent") == "Skip to main content"
        visit.page.keyboard.press("Enter")
        assert visit.page.evaluate("document.activeElement.id") == "main-content"


DOCTORED = """<!DOCTYPE html><title>x</title>
<img src="gone.png"><img src="https://example.org/a.png" alt="a">
<script>console.error("oh"); setTimeout(() => { throw Error("no") })</script>
<p style="color: #aaa; background: #fff; width: 500px">pale</p>"""


def test_the_checks_see_what_they_look_for(browser, tmp_path):
    (tmp_path / "page.html").write_text(DOCTORED)
    with serve(Path(tmp_path)) as address, Visit(browser, address, "page.html", width=320) as visit:
        kinds = {problem.split(":")[0] for problem in visit.problems}
        assert kinds == {"404", "foreign", "failed", "console", "error"}
        assert visit.overhang() > 100
        found = {violation.split(":")[0] for violation in visit.axe()}
        assert {"image-alt", "color-contrast", "html-has-lang"} <= found
