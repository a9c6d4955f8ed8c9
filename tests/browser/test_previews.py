"""What shows beside a link: on hover, on focus, for every kind of target, and when it goes."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.site import HTML, SETTLE, require_site, serve
from tests.browser.test_pages import AXE, Visit

PAGE = "book/reference/notation.html"


def source(title):
    """Id of the source with a title; Sphinx counts them anew when one is added."""
    bibliography = HTML / "book" / "reference" / "bibliography.html"
    text = bibliography.read_text(encoding="utf-8") if bibliography.is_file() else ""
    return ["", *re.findall('class="citation" id="(.*?)"', text.split(title)[0])][-1]


#: Kind of target -> an address as a link on PAGE has it, what the card holds, what it says.
TARGETS = {
    "equation": ("#equation-eq-offset", ".math-block .katex-html", None),
    "section": ("#ref-notation-layouts", ".preview-title + p", "Two layouts"),
    "far equation": (
        "../sinusoid/sum_angle.html#equation-eq-shift",
        ".math-block .katex-html",
        None,
    ),
    "far theorem": ("../sinusoid/sum_angle.html#thm-shift", ".theorem", "Shift theorem"),
    "far exercise": ("../relative/rope.html#ex-rope-previous-token", ".exercise", "Exercise"),
    "far figure": ("../sinusoid/sum_angle.html#fig-turning-pairs", "svg.figure path", "Fig."),
    "live figure": ("../../index.html#fig-intro-playground", "svg.figure path", "Fig."),
    "far section": (
        "../why/equivariance.html#sec-mask-sees-order",
        ".preview-title + p",
        "A causal",
    ),
    "page": ("../sinusoid/sum_angle.html", ".preview-title + p", "Moving is rotating"),
    "source": (
        f"bibliography.html#{source('Attention is all')}",
        ".citation em",
        "Attention is all",
    ),
    "function": ("api.html#pe_lib.rope.rotate", "dt .sig-name", "rotate"),
}
ADD_LINK = """address => {
  document.querySelector("#test-link")?.parentNode.remove();
  document.querySelector("article").insertAdjacentHTML("afterbegin",
    `<p><a class="reference internal" id="test-link" href="${address}">a link</a></p>`);
}"""
REPEATED = """[...document.querySelectorAll("[id]")].map(e => e.id)
  .filter((id, i, ids) => ids.indexOf(id) !== i)"""
AXE_IN_CARD = """async rules => {
  const within = { include: "#link-preview", exclude: [".katex-html", "svg.figure > *"] };
  const { violations } = await axe.run(within, rules.length ? { runOnly: rules } : {});
  return violations.map(v => `${v.id}: ${v.nodes.map(n => n.html)}`);
}"""
CALM = """() => {
  document.documentElement.dataset.theme = "light";
  document.querySelectorAll("details.menu").forEach(menu => menu.open = false);
  scrollTo(0, 0);
}"""
SIZE = "[document.body.scrollWidth, document.documentElement.scrollHeight, scrollY]"
#: Move the link to one side, and so far down that it is at the bottom of the screen or at its top.
PUT = """(link, [side, space]) => {
  link.style.float = side;
  link.parentNode.style.paddingBlock = `${space}px`;
}"""
#: References of the card's drawings to parts that are not there.
DANGLING = """[...document.querySelectorAll("#link-preview svg *")].flatMap(e => [...e.attributes])
  .flatMap(a => [...a.value.matchAll(/^#(.+)|url\\("?#([^")]+)/g)].map(m => m[1] ?? m[2]))
  .filter(id => !document.querySelector(`#link-preview [id="${id}"]`))"""


@pytest.fixture(scope="module")
def site():
    require_site()
    with serve(HTML) as address:
        yield address


@pytest.fixture(scope="module")
def visit(browser, site):
    with Visit(browser, site, PAGE) as visit:
        visit.page.evaluate(SETTLE)
        yield visit


@pytest.fixture
def linked(visit):
    """Give the page as it was opened, with a link to an address as its first."""

    def prepare(address):
        page = visit.page
        page.mouse.move(5, 5)
        page.keyboard.press("Escape")
        page.set_viewport_size({"width": 1280, "height": 900})
        page.evaluate(CALM)
        page.evaluate(ADD_LINK, address)
        visit.problems.clear()
        page.link = page.locator("#test-link")
        page.card = page.get_by_role("tooltip")
        return page

    return prepare


def focus(page):
    """Put the focus on the link as the Tab key does."""
    page.keyboard.press("Tab")
    page.link.focus()


def passing_by(page):
    """Wait longer than a card takes to open or to close."""
    page.wait_for_timeout(500)


@pytest.mark.parametrize("kind", TARGETS)
def test_the_pointer_on_a_link_shows_what_it_leads_to(linked, visit, kind):
    address, selector, words = TARGETS[kind]
    page = linked(address)
    page.link.hover()
    expect(page.card.locator(selector).first).to_be_visible(timeout=20_000)
    if words:
        expect(page.card).to_contain_text(words)
    assert page.link.get_attribute("aria-describedby") == page.card.get_attribute("id")
    assert page.card.locator("a, button, input, [tabindex], .headerlink").count() == 0
    assert page.evaluate(REPEATED) == []
    assert page.evaluate(DANGLING) == []
    assert visit.problems == []


@pytest.mark.parametrize("kind", TARGETS)
def test_axe_finds_nothing_in_a_card_light_or_dark(linked, visit, kind):
    page = linked(TARGETS[kind][0])
    page.evaluate(AXE.read_text(encoding="utf-8"))
    page.link.hover()
    expect(page.card).to_be_visible(timeout=20_000)
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    assert page.evaluate(AXE_IN_CARD, []) == []
    page.evaluate("document.documentElement.dataset.theme = 'light'")
    assert page.evaluate(AXE_IN_CARD, ["color-contrast"]) == []


def test_axe_finds_nothing_on_a_page_while_a_card_is_open(linked, visit):
    page = linked("#equation-eq-offset")
    page.link.hover()
    expect(page.card).to_be_visible()
    assert visit.axe() == []


@pytest.mark.parametrize("width", [320, 1280])
@pytest.mark.parametrize("kind", TARGETS)
def test_a_card_stays_on_the_screen_and_moves_nothing(linked, visit, kind, width):
    page = linked(TARGETS[kind][0])
    page.set_viewport_size({"width": width, "height": 640})
    for side, scrolled in (("left", 0), ("right", 0), ("left", 400)):
        page.link.evaluate(PUT, [side, scrolled])
        before = page.evaluate(SIZE)
        page.link.hover()
        expect(page.card).to_be_visible()
        box = page.card.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 640
        assert page.evaluate(SIZE) == before
        page.mouse.move(5, 5)
        page.keyboard.press("Escape")


def test_the_keyboard_shows_it_too_and_escape_takes_it_away(linked):
    page = linked("../sinusoid/sum_angle.html#thm-shift")
    focus(page)
    expect(page.card).to_contain_text("Theorem", timeout=20_000)
    page.keyboard.press("Escape")
    expect(page.card).to_have_count(0)
    assert page.link.evaluate("link => link === document.activeElement")
    assert page.link.get_attribute("aria-describedby") is None


def test_it_goes_with_the_focus(linked):
    page = linked("../sinusoid/sum_angle.html#thm-shift")
    focus(page)
    expect(page.card).to_be_visible(timeout=20_000)
    page.keyboard.press("Shift+Tab")
    expect(page.card).to_have_count(0)


def test_the_pointer_can_move_into_the_card_and_takes_it_along_when_it_leaves(linked):
    page = linked("#equation-eq-offset")
    page.link.hover()
    expect(page.card).to_be_visible()
    page.card.hover()
    passing_by(page)
    expect(page.card).to_be_visible()
    page.mouse.move(5, 5)
    expect(page.card).to_have_count(0)


def test_a_pointer_that_passes_by_opens_nothing(linked):
    page = linked("#equation-eq-offset")
    page.link.hover()
    page.mouse.move(5, 5)
    passing_by(page)
    expect(page.card).to_have_count(0)


def test_the_browsers_own_tooltips_do_not_lie_over_it(linked):
    page = linked("#equation-eq-offset")
    assert page.locator(".bibtex-citation a").count() >= 3
    assert page.locator("article a.reference.internal[title]").count() == 0


@pytest.mark.parametrize("address", ["#nowhere", "../gone.html#x", "https://example.org/a.html#b"])
def test_what_cannot_be_had_has_no_preview(linked, visit, address):
    page = linked(address)
    page.link.hover()
    passing_by(page)
    expect(page.card).to_have_count(0)
    # The browser itself notes an address that is not there.
    assert {problem.split(":")[0] for problem in visit.problems} <= {"404", "console"}
    assert bool(visit.problems) == ("gone" in address)


def test_another_page_is_fetched_once_and_nothing_else(linked, site):
    page = linked("../why/equivariance.html#sec-mask-sees-order")
    page.reload()
    page.evaluate(ADD_LINK, "../why/equivariance.html#sec-mask-sees-order")
    page.wait_for_load_state("networkidle")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    for _ in range(2):
        page.link.hover()
        expect(page.card).to_be_visible()
        page.mouse.move(5, 5)
        expect(page.card).to_have_count(0)
    assert all(url.startswith(site) for url in asked)
    pages = [url for url in asked if url.endswith(".html")]
    assert pages == [site + "book/why/equivariance.html"]


def test_a_figure_that_lives_on_the_page_is_shown_as_its_still(browser, site):
    with Visit(browser, site, "index.html") as visit:
        visit.page.locator(".pe-alive").wait_for()
        visit.page.evaluate(ADD_LINK, "#fig-intro-playground")
        visit.page.locator("#test-link").hover()
        card = visit.page.get_by_role("tooltip")
        expect(card.locator("svg.figure")).to_be_visible()
        assert card.locator("button, input").count() == 0
        assert visit.page.evaluate(REPEATED) == []
        assert visit.page.evaluate(DANGLING) == []


def test_it_is_not_printed(linked):
    page = linked("#equation-eq-offset")
    page.link.hover()
    expect(page.card).to_be_visible()
    page.emulate_media(media="print")
    hidden = not page.locator("#link-preview").is_visible()
    page.emulate_media(media="screen")
    assert hidden


def test_a_screen_that_can_only_be_touched_has_none(browser, site):
    context = browser.new_context(has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(site + PAGE)
    assert page.locator("#link-preview").count() == 0
    context.close()
