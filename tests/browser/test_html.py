"""What can be seen in the HTML of the built site without a browser."""

import functools
from collections import Counter
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from bs4 import BeautifulSoup

from tests.browser.site import HTML, pages, require_site

#: What makes a browser fetch something: element and attribute.
FETCHED = {
    "img": "src",
    "script": "src",
    "link": "href",
    "iframe": "src",
    "video": "src",
    "audio": "src",
    "source": "src",
    "object": "data",
    "embed": "src",
    "form": "action",
}


@functools.cache
def parse(folder, page):
    return BeautifulSoup((folder / page).read_text(encoding="utf-8"), "html.parser")


@functools.cache
def anchors(folder, page):
    return {tag["id"] for tag in parse(folder, page).find_all(id=True)}


def dead_links(folder, page):
    """Links within the site to a file or an anchor that is not there."""
    soup = parse(folder, page)
    dead = []
    for tag, name in [("a", "href"), *FETCHED.items()]:
        for element in soup.find_all(tag, attrs={name: True}):
            address = element[name]
            parts = urlsplit(urljoin(f"http://here/{page}", address))
            if parts.netloc != "here":
                continue
            target = folder / unquote(parts.path).lstrip("/")
            if target.is_dir():
                target /= "index.html"
            wanted = unquote(parts.fragment) if target.suffix == ".html" else ""
            if not target.is_file() or (wanted and wanted not in anchors(folder, target)):
                dead.append(address)
    return dead


def foreign_files(soup):
    """Files of other hosts that the page would fetch."""
    return [
        element[name]
        for tag, name in FETCHED.items()
        for element in soup.find_all(tag, attrs={name: True})
        if urlsplit(element[name]).netloc and element.get("rel") != ["canonical"]
    ]


def nameless_pictures(soup):
    """Images and drawings that say nothing to those who cannot see them, and are not decoration."""
    images = [image for image in soup.find_all("img") if image.get("alt") is None]
    drawings = [
        svg
        for svg in soup.find_all("svg")
        if not svg.find_parent(attrs={"aria-hidden": "true"})
        and svg.get("aria-hidden") != "true"
        and not (svg.get("role") == "img" and (svg.get("aria-label") or "").strip())
    ]
    return [str(picture)[:120] for picture in images + drawings]


def repeated_ids(soup):
    """Ids that more than one element has."""
    found = Counter(tag["id"] for tag in soup.find_all(id=True))
    return [name for name, times in found.items() if times > 1]


def broken_formulas(soup):
    """Formulas that KaTeX could not render, or that were left as they are."""
    return [str(tag) for tag in soup.select(".katex-error, .math:not(:has(.katex))")]


CHECKS = {
    "foreign files": foreign_files,
    "nameless pictures": nameless_pictures,
    "repeated ids": repeated_ids,
    "broken formulas": broken_formulas,
}


@pytest.fixture(params=pages())
def page(request):
    require_site()
    return request.param


@pytest.mark.parametrize("check", CHECKS.values(), ids=CHECKS)
def test_a_page_has_no(check, page):
    assert check(parse(HTML, page)) == []


def test_links_and_anchors_within_the_site_lead_somewhere(page):
    assert dead_links(HTML, page) == []


def test_every_chapter_has_a_page():
    require_site()
    names = {Path(page).stem for page in pages()}
    assert {"index", "search", "404", "equivariance", "sum_angle", "rope", "notation"} <= names


DOCTORED = """
<a href="other.html#nowhere">x</a><a href="gone.html">x</a><a href="#here">x</a>
<p id="here"></p><p id="here"></p>
<img src="https://example.org/a.png"><script src="//example.org/a.js"></script>
<svg></svg><svg aria-hidden="true"></svg><svg role="img" aria-label="a wave"></svg>
<span class="math">\\frac</span><code class="katex-error">\\frac</code>
"""


def test_the_checks_see_what_they_look_for(tmp_path):
    (tmp_path / "page.html").write_text(DOCTORED)
    (tmp_path / "other.html").write_text("<p id='somewhere'></p>")
    soup = parse(tmp_path, "page.html")
    assert dead_links(tmp_path, "page.html") == ["other.html#nowhere", "gone.html"]
    assert foreign_files(soup) == ["https://example.org/a.png", "//example.org/a.js"]
    assert len(nameless_pictures(soup)) == 2
    assert repeated_ids(soup) == ["here"]
    assert len(broken_formulas(soup)) == 2
