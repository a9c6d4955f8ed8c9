"""A page on paper: still figures, everything unfolded, the solutions at the end, no buttons."""

import pytest

from tests.browser.site import HTML, ROOT, SETTLE, pages, require_site, serve

CHAPTERS = [p for p in pages() if (ROOT / p.replace(".html", ".ipynb")).exists()]
#: What A4 leaves between the margins, in CSS pixels; Letter leaves more.
PAPER = 665
SIDEWAYS = """width => [...document.querySelectorAll("article *")]
  .filter((e) => !e.closest("svg, .katex-mathml, .visually-hidden"))
  .filter((e) => e.getBoundingClientRect().right > width + 1)
  .map((e) => e.outerHTML.slice(0, 80))"""
#: Letters lighter than a middle gray.
PALE = """[...document.querySelectorAll("article p, article pre, article pre span")]
  .map((e) => getComputedStyle(e).color)
  .filter((color) => {
    const rgb = color.match(/[\\d.]+/g).slice(0, 3).map(Number);
    const mean = (rgb[0] + rgb[1] + rgb[2]) / 3;
    return mean / (color.startsWith("rgb") ? 255 : 1) > 0.5;
  })"""
#: Which boxes scroll is measured anew whenever one is moved (scrolling.js).
SCROLLS = ' (tabindex="0"|role="group"|aria-label="Scrolls sideways"|data-(before|after)="")'
ARTICLE = f"document.querySelector('article').outerHTML.replace(/{SCROLLS}/g, '')"


@pytest.fixture(scope="module")
def site():
    require_site()
    with serve(HTML) as address:
        yield address


@pytest.fixture(params=[p for p in CHAPTERS if p != "book/intro.html"])
def chapter(request, site, visit):
    """A chapter that has been read: its figures live."""
    page = visit(site + request.param, color_scheme="dark")
    page.evaluate(SETTLE)
    for stage in page.locator(".pe-stage").all():
        stage.scroll_into_view_if_needed()
        stage.locator(".pe-live").wait_for(state="visible")
    return page


def prepare(page, width=PAPER):
    """Show a page as it will be printed."""
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")


def test_solutions_stand_at_the_end_in_order_and_unfolded(chapter):
    titles = chapter.locator(".solution > summary").all_text_contents()
    prepare(chapter)
    last = chapter.locator("article > :last-child")
    assert last.locator("h2").inner_text() == "Solutions"
    assert last.locator(".solution > summary").all_inner_texts() == titles
    assert all(title.startswith("Solution to Exercise ") for title in titles)
    assert len(titles) >= 4
    for box in chapter.locator("article details:not(.hide)").all():
        assert box.locator(":scope > :last-child").is_visible()


def test_only_the_text_is_printed_in_dark_ink_with_still_figures(chapter):
    prepare(chapter)
    for hidden in ("header", "nav", "button", ".headerlink", "details.hide", ".pe-live"):
        assert [e for e in chapter.locator(hidden).all() if e.is_visible()] == [], hidden
    for stage in chapter.locator(".pe-stage").all():
        assert stage.locator("svg.figure").is_visible()
    assert chapter.evaluate(PALE) == []


def test_nothing_is_cut_off_at_the_edge_of_the_paper(chapter):
    prepare(chapter)
    assert chapter.evaluate(SIDEWAYS, PAPER) == []


def test_after_printing_the_page_is_as_it_was(chapter):
    before = chapter.evaluate(ARTICLE)
    chapter.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert chapter.evaluate(ARTICLE) != before
    chapter.evaluate("dispatchEvent(new Event('afterprint'))")
    assert chapter.evaluate(ARTICLE) == before
    assert chapter.problems == []


def test_saving_as_pdf_does_all_this_by_itself(site, visit):
    page = visit(site + "book/relative/rope.html")
    before = page.evaluate(ARTICLE)
    page.evaluate(
        """addEventListener("beforeprint", () =>
        window.printed = document.querySelectorAll("article > :last-child .solution").length)"""
    )
    assert page.pdf(format="A4").startswith(b"%PDF")
    assert page.evaluate("printed") == page.locator(".solution").count() > 0
    assert page.evaluate(ARTICLE) == before


def test_a_link_to_elsewhere_is_printed_with_its_address(site, visit):
    for path, selector, printed in (
        ("book/relative/rope.html", "article a.reference.external", True),
        ("book/relative/rope.html", "article a.reference.internal", False),
        ("book/reference/bibliography.html", ".citation a.reference.external", False),
    ):
        page = visit(site + path)
        prepare(page)
        content = page.locator(selector).first.evaluate(
            "a => getComputedStyle(a, '::after').content"
        )
        assert ("://" in content) == printed, (path, content)
