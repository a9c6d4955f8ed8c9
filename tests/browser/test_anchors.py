"""A link within the book leads to its target, though sections far away have no layout yet."""

import pytest

from tests.browser.site import HTML, SETTLE, require_site, serve

PAGE = "book/relative/rope.html"
LAST = "exercises"
#: Where the top of the target stands on the screen, once nothing moves any more.
TOP = """async id => {
  const top = () => document.getElementById(id).getBoundingClientRect().top;
  for (let before; before !== (before = top()); )
    await new Promise(resolve => setTimeout(resolve, 200));
  return top();
}"""


@pytest.fixture(scope="module")
def site():
    require_site()
    with serve(HTML) as address:
        yield address


@pytest.mark.parametrize("width", [390, 1280])
def test_a_link_from_elsewhere_leads_to_its_section(visit, site, width):
    page = visit(f"{site}{PAGE}#{LAST}", width=width, reduced_motion="reduce")
    assert 0 < page.evaluate(TOP, LAST) < 160


def test_a_link_within_the_page_leads_to_its_section(visit, site):
    page = visit(site + PAGE, reduced_motion="reduce")
    page.locator(f".page-nav a[href='#{LAST}']").click()
    assert 0 < page.evaluate(TOP, LAST) < 160


def test_far_sections_are_laid_out_only_when_they_come_near(visit, site):
    page = visit(site + PAGE)
    last = page.locator(f"#{LAST} p").first
    assert last.evaluate("p => !p.checkVisibility({ contentVisibilityAuto: true })")
    last.scroll_into_view_if_needed()
    page.wait_for_function(
        "p => p.checkVisibility({ contentVisibilityAuto: true })", arg=last.element_handle()
    )


def test_a_section_is_about_as_high_as_the_browser_was_told(visit, site):
    page = visit(site + PAGE, width=412)
    page.evaluate(SETTLE)
    page.wait_for_timeout(500)
    guessed_and_true = page.locator("section[style*='--height']").evaluate_all(
        """sections => sections.map(s => [16 * parseFloat(s.style.getPropertyValue("--height")),
                                          s.getBoundingClientRect().height])"""
    )
    assert len(guessed_and_true) > 5
    assert all(0.9 < guess / true < 1.7 for guess, true in guessed_and_true), guessed_and_true
