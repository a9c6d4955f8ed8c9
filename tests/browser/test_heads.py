"""What every page says of itself: one title, one heading, a description, its language, its icon."""

from collections import Counter

import pytest

from tests.browser.site import HTML, pages, require_site
from tests.browser.test_html import parse

FORMER = "book/intro.html"  # only leads on to the first page


def description(page):
    """The description of a page, empty if it has none."""
    tag = parse(HTML, page).find("meta", attrs={"name": "description"})
    return tag["content"] if tag else ""


@pytest.fixture(params=pages())
def page(request):
    require_site()
    return request.param


def test_a_page_has_one_heading_a_title_a_language_and_an_icon(page):
    soup = parse(HTML, page)
    assert len(soup.find_all("h1")) == 1
    assert len(soup.find_all("title")) == 1
    assert soup.title.string.strip()
    assert soup.html["lang"] == "en"
    (icon,) = soup.find_all("link", rel="icon")
    assert (HTML / page).parent.joinpath(icon["href"]).is_file()


def test_a_page_describes_itself_in_a_line_or_two(page):
    assert 50 <= len(description(page)) <= 160


@pytest.mark.parametrize("say", [description, lambda page: parse(HTML, page).title.string])
def test_no_two_pages_say_the_same(say):
    require_site()
    said = Counter(say(page) for page in pages())
    assert [text for text, times in said.items() if times > 1] == []


def test_a_shared_link_shows_the_title_and_the_description(page):
    if page == FORMER:
        return
    head = {
        tag.get("property") or tag.get("name"): tag["content"]
        for tag in parse(HTML, page).head.find_all("meta", content=True)
    }
    assert head["og:description"] == head["description"] == description(page)
    assert head["og:title"] in parse(HTML, page).title.string
    assert head["og:type"] == ("website" if page == "index.html" else "article")
    assert head["twitter:card"].startswith("summary")


def test_the_first_page_is_the_bare_address_and_its_former_address_leads_there():
    require_site()
    assert parse(HTML, "index.html").select_one(".pe-stage")
    refresh = parse(HTML, FORMER).find("meta", attrs={"http-equiv": "refresh"})
    assert refresh["content"] == "0; url=../index.html"
    for page in pages():
        links = [tag["href"] for tag in parse(HTML, page).find_all("a", href=True)]
        assert not [link for link in links if link.endswith("intro.html")], page
