"""The list of a page's sections shows where one is, from the first to the last."""

import pytest

from tests.browser.site import HTML, require_site, serve

CURRENT = "() => document.querySelector('.page-nav [aria-current]')?.textContent.trim()"


@pytest.fixture
def page(visit):
    require_site()
    with serve(HTML) as address:
        yield visit(
            address + "book/reference/api.html", width=1440, height=500, reduced_motion="reduce"
        )


def scroll(page, script):
    page.evaluate(f"() => {{ {script} }}")
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
    return page.evaluate(CURRENT)


def test_the_section_being_read_is_marked_and_in_sight(page):
    assert scroll(page, "scrollTo(0, 0)") in (None, "")
    for name, title in (("module-pe_lib.rope", "rope"), ("rotations", "Rotations")):
        assert scroll(page, f"document.getElementById('{name}').scrollIntoView()") == title
        nav, mark = (
            page.locator(selector).bounding_box()
            for selector in (".page-nav", ".page-nav [aria-current]")
        )
        assert nav["y"] <= mark["y"] <= nav["y"] + nav["height"] - mark["height"]


def test_the_last_section_is_marked_at_the_end_however_short_it_is(page):
    assert scroll(page, "scrollTo(0, document.body.scrollHeight)") == "How it is kept"
    assert page.locator(".page-nav [aria-current]").count() == 1
    assert page.problems == []
