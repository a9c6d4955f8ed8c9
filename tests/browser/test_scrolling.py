"""What is wider than a small screen fades where it goes on, and the keyboard scrolls it."""

import pytest
from playwright.sync_api import expect

from tests.browser.site import HTML, SETTLE, require_site, serve

BOXES = {
    "book/reference/api.html": ".pst-scrollable-table-container:has(.catalogue)",
    "book/sinusoid/sum_angle.html": "#the-shift-theorem .cell_output .scrolls",
    "book/relative/rope.html": ".highlight pre[tabindex]",
}
LINES = "all => all.map(one => new Set([...one.getClientRects()].map(box => box.top)).size)"
FADES = "box => ['before', 'after'].filter(side => box.hasAttribute(`data-${side}`))"


@pytest.fixture(scope="module")
def site():
    require_site()
    with serve(HTML) as address:
        yield address


@pytest.mark.parametrize(("name", "selector"), BOXES.items())
def test_a_wide_thing_fades_where_it_goes_on(visit, site, name, selector):
    page = visit(site + name, width=390, reduced_motion="reduce")
    page.evaluate(SETTLE)
    box = page.locator(selector).first
    box.scroll_into_view_if_needed()
    expect(box).to_have_attribute("tabindex", "0")
    seen = [box.evaluate(FADES)]
    assert "linear-gradient" in box.evaluate("box => getComputedStyle(box).maskImage")
    for place in ("(box.scrollWidth - box.clientWidth) / 2", "box.scrollWidth"):
        box.evaluate(f"box => box.scrollLeft = {place}")
        page.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
        seen.append(box.evaluate(FADES))
    assert seen == [["after"], ["before", "after"], ["before"]]
    box.focus()
    page.keyboard.press("ArrowLeft")
    page.wait_for_function(
        "box => box.scrollLeft < box.scrollWidth - box.clientWidth - 1", arg=box.element_handle()
    )
    assert box.evaluate("box => getComputedStyle(box).maskImage") == "none"  # nor is the ring cut
    assert page.problems == []


def test_what_is_not_too_wide_neither_fades_nor_stops_the_tab_key(visit, site):
    page = visit(site + "book/reference/api.html", width=1440)
    page.evaluate(SETTLE)
    expect(page.locator("article [data-after]").first).to_be_attached()
    assert page.locator(":is([data-before], [data-after]):not([tabindex])").count() == 0
    narrow = page.locator("[id='module-pe_lib.alibi']")
    assert narrow.locator("pre").count() > 0
    assert narrow.locator(":is([data-after], [tabindex])").count() == 0


def test_the_names_of_the_catalogue_s_schemes_stay_in_sight(visit, site):
    page = visit(site + "book/reference/api.html", width=390)
    box = page.locator(BOXES["book/reference/api.html"]).first
    name = box.locator("td").first
    left = name.bounding_box()["x"]
    box.evaluate("box => box.scrollLeft = 200")
    assert name.bounding_box()["x"] == left


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_no_line_begins_with_the_period_of_a_formula(visit, site, width):
    page = visit(site + "book/sinusoid/construction.html", width=width)
    page.evaluate(SETTLE)
    lines = page.locator(".kept").evaluate_all(LINES)
    assert len(lines) > 50
    assert set(lines) <= {0, 1}  # none where it is folded away
