"""What tests with a real browser share: the browser, pages it watches, a small sample book."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from tests.browser import chromium
from tests.browser.site import ROOT, serve

SAMPLE = Path(__file__).parent / "sample_book"
CONF = """
import sys
sys.path.insert(0, {site!r})
project = "sample"
extensions = ["myst_nb", "widget_host"]
html_theme = "basic"
html_static_path = [{site!r} + "/styles"]
html_css_files = ["stages.css"]
nb_execution_mode = "cache"
nb_execution_cache_path = {cache!r}
nb_execution_raise_on_error = True
nb_ipywidgets_js = {{}}
numfig = True
"""


@pytest.fixture(scope="module")
def browser():
    executable = chromium.find_chromium()
    if executable is None:
        (pytest.fail if chromium.REQUIRED else pytest.skip)(chromium.MISSING)
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=executable, args=chromium.ARGUMENTS)
        yield running
        running.close()


@pytest.fixture
def visit(browser):
    """Open an address with other hosts out of reach; ``page.problems`` lists what went wrong."""
    contexts = []

    def open_page(url, *, width=1280, height=900, **options):
        viewport = {"width": width, "height": height}
        contexts.append(browser.new_context(viewport=viewport, **options))
        page = contexts[-1].new_page()
        page.problems = problems = []
        home = url.split("/")[2]

        def answer(route):
            if route.request.url.split("/")[2] == home:
                return route.continue_()
            problems.append(f"foreign: {route.request.url}")
            return route.abort()

        page.route(lambda address: address.startswith("http"), answer)
        page.on("console", lambda m: m.type in ("error", "warning") and problems.append(m.text))
        page.on("pageerror", lambda error: problems.append(f"error: {error}"))
        page.on("requestfailed", lambda request: problems.append(f"failed: {request.url}"))
        page.on("response", lambda r: r.status >= 400 and problems.append(f"{r.status}: {r.url}"))
        page.goto(url)
        return page

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def sample_book(tmp_path_factory):
    """Build the sample book twice, the second time from the execution cache; give the address.

    What is served is the second build: a chapter that was not executed again must live too.
    """
    book = tmp_path_factory.mktemp("sample") / "book"
    shutil.copytree(SAMPLE, book)
    cache = str(book.parent / "cache")
    (book / "conf.py").write_text(CONF.format(site=str(ROOT / "site"), cache=cache))
    for build in ("first", "second"):
        html = book.parent / build / "html"
        command = [sys.executable, "-m", "sphinx", "-W", "-b", "html", str(book), str(html)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    assert "Using cached" in done.stdout
    with serve(html) as address:
        yield address
