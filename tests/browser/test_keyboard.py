"""The keyboard on a chapter: through the header, to copy buttons, and to headings as links."""

import itertools

import pytest
from playwright.sync_api import expect

from tests.browser.site import HTML, require_site, serve
from tests.browser.test_pages import Visit

ACTIVE = "document.activeElement"


@pytest.fixture(scope="module")
def visit(browser):
    require_site()
    with serve(HTML) as site, Visit(browser, site, "index.html") as visit:
        visit.page.evaluate("document.querySelectorAll('.menu').forEach(m => m.open = false)")
        yield visit


@pytest.fixture
def page(visit):
    visit.page.evaluate(f"{ACTIVE}.blur()")
    visit.page.set_viewport_size({"width": 1280, "height": 900})
    return visit.page


@pytest.mark.parametrize("width", [320, 1280])
def test_the_tab_key_reaches_everything_in_the_header_in_order_and_shows_where_it_is(page, width):
    page.set_viewport_size({"width": width, "height": 900})
    wanted = page.locator(".site-header").evaluate(
        "header => [...header.querySelectorAll('a, button, input, summary')]"
        ".filter(e => e.checkVisibility()).map(e => e.outerHTML)"
    )
    page.locator(".skip-link").focus()
    reached = []
    for _ in wanted:
        page.keyboard.press("Tab")
        reached.append(page.evaluate(f"{ACTIVE}.outerHTML"))
        assert page.evaluate(f"getComputedStyle({ACTIVE}).outlineStyle") == "solid"
    assert reached == wanted


def test_nothing_in_the_header_lies_over_another_on_the_smallest_phone(page):
    page.set_viewport_size({"width": 320, "height": 600})
    boxes = page.locator(".site-header > *:visible, .brand > *:visible").evaluate_all(
        "all => all.filter(e => e.matches('.brand > *, .icon-button, .menu'))"
        ".map(e => e.getBoundingClientRect()).filter(b => b.width > 1).map(b => [b.left, b.right])"
    )
    boxes.sort()
    assert all(right <= left for (_, right), (left, _) in itertools.pairwise(boxes))


def test_a_menu_closes_with_escape_and_when_the_focus_leaves(page):
    menu = page.locator("details.menu").first
    summary = menu.locator("summary")
    summary.press("Enter")
    expect(menu.locator("a").first).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    expect(menu).not_to_have_attribute("open", "")
    assert summary.evaluate(f"summary => summary === {ACTIVE}")
    summary.press("Enter")
    page.locator(".theme-button").focus()
    expect(menu).not_to_have_attribute("open", "")


def test_a_copy_button_has_a_name_and_shows_when_the_keyboard_reaches_it(page):
    button = page.locator("article").get_by_role("button", name="Copy").first
    page.keyboard.press("Tab")
    button.focus()
    expect(button).to_have_css("opacity", "1")
    assert button.evaluate("b => getComputedStyle(b).outlineStyle") == "solid"


def test_a_copy_button_says_that_it_copied(page):
    said = page.locator("main > [role=status]")
    expect(said).to_have_text("")
    page.locator("article").get_by_role("button", name="Copy").first.press("Enter")
    expect(said).to_have_text("Copied!")
    expect(said).to_have_text("")  # once the tooltip is gone


def test_every_heading_is_a_link_to_itself_and_named_by_its_words_alone(page):
    headings = page.locator("article :is(h1, h2, h3)")
    assert headings.count() > 3
    for heading in headings.all():
        words = heading.inner_text()
        link = heading.locator("a")
        assert "#" not in words
        assert link.inner_text() == words
        assert (
            page.locator(link.get_attribute("href")).locator("h1, h2, h3").first.inner_text()
            == words
        )
    last = headings.last.get_by_role("link")
    last.press("Enter")
    assert page.url.endswith(last.get_attribute("href"))
