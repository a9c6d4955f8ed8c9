"""site/host and site/widget_host.py: anywidgets on a built page, without a kernel."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.site import ROOT

FAILURES = ("Unexpected token", "no start", "no picture")


@pytest.fixture
def page(visit, sample_book):
    return visit(sample_book + "part/host.html")


def live(page, section, number=0):
    """Open the live figure of a section: scroll there and wait for it."""
    stage = page.locator(f"#{section} .pe-stage").nth(number)
    stage.scroll_into_view_if_needed()
    figure = stage.locator(".pe-live")
    figure.wait_for(state="visible")
    return figure


def failing(page):
    stages = page.locator("#failing .pe-stage")
    stages.first.scroll_into_view_if_needed()
    page.wait_for_function("() => !document.querySelector('#failing .pe-live')")
    return stages


def test_a_figure_replaces_its_still_and_answers(page):
    figure = live(page, "twice")
    assert not page.locator("#twice .pe-stage img").first.is_visible()
    button = figure.get_by_role("button")
    assert button.inner_text() == "value 5, started 1"
    button.click()
    assert button.inner_text() == "value 6, started 1"
    assert figure.get_attribute("data-invoked") == "this page has no kernel to ask"


def test_two_views_of_one_model_stay_together_and_it_is_initialized_once(page):
    first, second = (live(page, "twice", i).get_by_role("button") for i in (0, 1))
    second.press("Enter")
    assert first.inner_text() == second.inner_text() == "value 6, started 1"


def test_a_listener_that_was_taken_off_hears_nothing(page):
    first, second = (live(page, "twice", i).get_by_role("button") for i in (0, 1))
    first.dispatch_event("dblclick")
    second.click()
    assert (first.inner_text(), second.inner_text()) == ("value 5, started 1", "value 6, started 1")


def test_a_default_export_may_be_a_function_and_its_style_sheet_is_loaded(page):
    figure = live(page, "function")
    assert figure.inner_text() == "made by a function"
    expect(figure).to_have_css("color", "rgb(1, 2, 3)")


def test_a_module_may_export_render_itself(page):
    assert live(page, "old").inner_text() == "old style </script>"


def test_binary_traits_arrive_as_data_views_wherever_they_stand(page):
    assert live(page, "binary").inner_text() == "DataView 253 258 15"


def test_links_pass_values_through_a_widget_that_is_not_shown(page):
    both, one = (live(page, "links", i).get_by_role("button") for i in (0, 1))
    assert one.inner_text() == "value 1, started 1"
    both.click()
    assert (both.inner_text(), one.inner_text()) == ("value 2, started 1", "value 2, started 1")
    one.click()  # the second link leads one way only
    assert (both.inner_text(), one.inner_text()) == ("value 2, started 1", "value 3, started 1")


def test_a_model_reaches_another_that_it_refers_to(page):
    figure = live(page, "reference")
    assert figure.inner_text() == "child has 71, started 1"
    assert figure.get_attribute("title") == "this page has no widget model nobody"


def test_a_figure_that_fails_leaves_its_still_and_the_rest_of_the_page_alone(page):
    stages = failing(page)
    for number in range(3):
        assert stages.nth(number).locator("img").is_visible()
    live(page, "twice").get_by_role("button").click()
    assert len(page.problems) == 3
    for reason in FAILURES:
        (problem,) = (p for p in page.problems if reason in p)
        assert problem.startswith("This figure could not start; its still picture stays.")


def test_nothing_else_goes_wrong_and_no_other_host_is_asked(page):
    failing(page)
    live(page, "far")
    page.wait_for_load_state("networkidle")
    assert [p for p in page.problems if not p.startswith("This figure could not start")] == []


def test_other_widgets_show_their_picture_or_their_text(page):
    section = page.locator("#foreign")
    assert section.locator(".pe-stage").count() == 0
    assert "IntSlider(value=3)" in section.inner_text()
    assert section.locator("img").count() == 1


def test_a_figure_starts_as_it_nears_the_screen(page):
    live(page, "twice")
    assert page.locator("#far .pe-live").count() == 0
    assert live(page, "far").inner_text() == "value 99, started 1"


def test_in_print_the_stills_return(page):
    figure = live(page, "twice")
    page.emulate_media(media="print")
    assert page.locator("#twice .pe-stage img").first.is_visible()
    assert not figure.is_visible()


def test_figures_tidy_up_when_the_page_is_left(page):
    live(page, "twice")
    page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: false }))")
    assert page.evaluate("document.body.dataset.initialized") == "tidied"
    assert page.evaluate("document.body.dataset.rendered") == "tidied, true"


def test_modules_are_files_named_by_content_and_sent_once(page):
    state = page.locator("script[type='application/vnd.jupyter.widget-state+json']")
    assert state.count() == 1
    modules = re.findall(r'"_esm": "([^"]*)"', state.text_content())
    assert len(modules) > len(set(modules)) == 8
    assert all(re.fullmatch(r"[0-9a-f]{16}\.mjs", name) for name in modules)


def test_pages_without_widgets_load_nothing(visit, sample_book):
    page = visit(sample_book + "part/plain.html")
    assert page.locator("script[src*='host.mjs']").count() == 0


def test_the_host_is_small():
    assert (ROOT / "site" / "host" / "host.mjs").stat().st_size < 6_000


def test_a_caption_number_and_alt_text_go_with_a_figure(visit, sample_book):
    page = visit(sample_book + "part/figures.html")
    assert page.locator("figure .pe-stage img").get_attribute("alt") == (
        "Attention weights of a sentence"
    )
    assert "Fig. 1" in page.locator("#fig-permutation > figcaption").inner_text()
    assert page.locator("p", has_text="See Fig. 1").count() == 1
