"""The list of sources and the citations in the text say the same."""

import re

from bs4 import BeautifulSoup, SoupStrainer

from tests.browser.site import HTML, pages, require_site


def parts(page, name, **attributes):
    """Elements of a page; the rest of it is not parsed."""
    html = (HTML / page).read_text(encoding="utf-8")
    return BeautifulSoup(html, "html.parser", parse_only=SoupStrainer(name, **attributes))


def test_a_citation_in_the_text_says_what_its_source_is_headed_by():
    require_site()
    headed = {
        source["id"]: source.select_one(".label").text.strip("[]")
        for source in parts("book/reference/bibliography.html", "div", class_="citation")
    }
    cited = [
        (link.text, headed[link["href"].split("#")[1]])
        for page in pages()
        for link in parts(page, "a", href=re.compile("bibliography.html#id"))
    ]
    assert len(cited) > 40
    assert [(text, label) for text, label in cited if not label.endswith(text)] == []
