"""A small site with our frame, once with a public address and once without.

What must name the address in full is there or left out; the page for a missing address works at
any depth on the public host, and wherever else the site is put.
"""

import os
import struct
import subprocess
import sys
from xml.etree import ElementTree

import pytest
from playwright.sync_api import expect

from tests.browser.site import BASE, ROOT, serve
from tests.browser.test_html import dead_links, parse

ADDRESS = f"https://book.example{BASE}"
CONF = """
import sys
sys.path.insert(0, {site!r})
project = html_title = "Where? From here"
root_doc = "book/intro"
extensions = ["myst_parser", "sphinx_book_theme", "front_page", "descriptions", "address"]
extensions += ["page_assets"]
html_theme = "sphinx_book_theme"
templates_path = [{site!r} + "/templates"]
html_static_path = [{site!r} + "/static", {site!r} + "/assets"]
html_style = "site.css"
html_js_files = [("site.js", {{"type": "module"}})]
html_additional_pages = {{"404": "404.html"}}
html_favicon = html_logo = {site!r} + "/static/mark.svg"
html_use_index = False
"""
INTRO = """---
description: A first page that stands at the bare address and says so in one line.
---
# Where?

The front door.

```{toctree}
:caption: Part
part/one
```
"""
CHAPTER = """---
description: {}
---
# One

A chapter about rotation.
"""
DESCRIPTION = "A chapter deep in the tree that describes itself in one line, as all do."


def build(folder, description=DESCRIPTION, address=None):
    """Build the small site; give its folder and what Sphinx had to complain about."""
    (folder / "book" / "part").mkdir(parents=True)
    (folder / "conf.py").write_text(CONF.format(site=str(ROOT / "site")))
    (folder / "book" / "intro.md").write_text(INTRO)
    (folder / "book" / "part" / "one.md").write_text(CHAPTER.format(description))
    environment = {key: value for key, value in os.environ.items() if key != "SITE_URL"}
    if address:
        environment["SITE_URL"] = address
    command = [sys.executable, "-m", "sphinx", "-q", "-b", "html", ".", "out"]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    return folder / "out", done.stderr


@pytest.fixture(scope="module")
def known(tmp_path_factory):
    html, complaints = build(tmp_path_factory.mktemp("known"), address=ADDRESS.rstrip("/"))
    assert complaints == ""
    return html


@pytest.fixture(scope="module")
def unknown(tmp_path_factory):
    html, complaints = build(tmp_path_factory.mktemp("unknown"))
    assert complaints == ""
    return html


def heads(html, page):
    """What the head of a page says, by property."""
    tags = parse(html, page).find_all("meta", property=True)
    return {tag["property"]: tag["content"] for tag in tags}


@pytest.mark.parametrize(
    ("page", "address"),
    [("index.html", ADDRESS), ("book/part/one.html", f"{ADDRESS}book/part/one.html")],
)
def test_a_page_names_its_public_address(known, page, address):
    (link,) = parse(known, page).find_all("link", rel="canonical")
    assert link["href"] == heads(known, page)["og:url"] == address


def test_the_sitemap_lists_the_pages_and_robots_txt_names_it(known):
    tree = ElementTree.parse(known / "sitemap.xml")
    places = [place.text for place in tree.iter("{http://www.sitemaps.org/schemas/sitemap/0.9}loc")]
    assert places == [ADDRESS, f"{ADDRESS}book/part/one.html"]
    assert (known / "robots.txt").read_text().endswith(f"Sitemap: {ADDRESS}sitemap.xml\n")


def test_the_picture_of_a_shared_link_has_the_size_that_is_said(known):
    head = heads(known, "index.html")
    path = known / head["og:image"].removeprefix(ADDRESS)
    size = struct.unpack(">II", path.read_bytes()[16:24])
    assert size == (1200, 630)
    assert size == (int(head["og:image:width"]), int(head["og:image:height"]))


def test_without_an_address_nothing_names_one(unknown):
    for name in ("sitemap.xml", "robots.txt", "_static/card.png"):
        assert not (unknown / name).exists()
    for page in ("index.html", "book/part/one.html", "404.html"):
        assert parse(unknown, page).find_all("link", rel="canonical") == []
        assert not heads(unknown, page).keys() & {"og:url", "og:image"}


def test_links_lead_to_the_first_page_at_the_bare_address(unknown):
    for page in ("index.html", "book/part/one.html", "404.html", "search.html"):
        assert dead_links(unknown, page) == []
    assert not (unknown / "book" / "intro.html").exists()


def test_the_search_finds_the_first_page_where_it_is(browser, unknown):
    with serve(unknown) as home:
        page = browser.new_page()
        page.goto(f"{home}search.html?q=door")
        found = page.locator("#search-results li").filter(has_text="front door")
        expect(found).to_have_count(1)
        found.get_by_role("link").click()
        page.wait_for_url(f"{home}index.html*")
        page.close()


@pytest.mark.parametrize("words", ["", "Too short.", "Far too long, word after word. " * 6])
def test_a_page_that_does_not_describe_itself_is_a_warning(tmp_path, words):
    assert "needs a description of 50 to 160 letters" in build(tmp_path, words)[1]


def test_an_address_that_is_none_is_refused(tmp_path):
    assert "SITE_URL must start with https://" in build(tmp_path, address="book.example")[1]


@pytest.mark.parametrize("missing", ["gone.html", "book/gone.html", "book/part/a/b/c?x=/y/#z"])
@pytest.mark.parametrize("site", ["known", "unknown"])
def test_a_missing_address_at_any_depth_shows_a_page_that_helps(browser, request, site, missing):
    html = request.getfixturevalue(site)
    body = (html / "404.html").read_text(encoding="utf-8")
    with serve(html) as home:
        page = browser.new_page()
        failed = []
        page.on("response", lambda r: r.status >= 400 and failed.append(r.url))
        page.route(home + missing.split("#")[0], lambda r: r.fulfill(body=body, status=404))
        page.goto(home + missing)
        page.wait_for_load_state("networkidle")
        if site == "known":  # else the browser may look ahead, before the script has guessed
            assert failed == [home + missing.split("#")[0]]
        expect(page.locator(".site-header")).to_have_css("position", "sticky")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "main-content"
        chapter = page.locator("main").get_by_role("link", name="One")
        assert chapter.get_attribute("href") == "book/part/one.html"
        page.get_by_role("searchbox").fill("rotation")
        page.keyboard.press("Enter")
        page.locator("#search-results li a").first.click()
        assert page.url.startswith(f"{home}book/part/one.html")
        page.close()


def test_on_the_public_host_the_page_needs_no_guess(browser, known):
    """The missing address has the folder of the chapters in it twice."""
    page = browser.new_page()
    body = (known / "404.html").read_text(encoding="utf-8")
    page.route("**/*", lambda route: route.fulfill(body=body, status=404))
    page.goto(f"{ADDRESS}book/part/book/gone.html")
    assert page.evaluate("document.baseURI") == ADDRESS
    page.close()
