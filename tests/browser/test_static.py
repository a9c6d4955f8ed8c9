"""What is in the site's ``_static``, and why: every file is named by a page or by such a file."""

import re
from pathlib import Path

import pytest

from tests.browser.site import HTML, pages, require_site

STATIC = HTML / "_static"
#: Files that nothing names, and what they are there for.
UNNAMED = {
    r"(katex/)?LICENSE-.*\.txt": "goes with fonts, changed or not, and with KaTeX",
    r"sphinx-design\.min\.css": "loaded by pages with cards, grids or tabs, once there are any",
}
#: How a page, a style sheet or a script names a file: by its last part.
NAME = re.compile(r"[\w.-]+\.(?:css|m?js|svg|png|woff2?|txt|json)\b")


def unnamed(static, documents):
    """Files in ``static`` that no document and no file in it names, and that UNNAMED has not."""
    files = {
        path: path.relative_to(static).as_posix() for path in static.rglob("*") if path.is_file()
    }
    sources = [*documents, *(path for path in files if path.suffix in (".css", ".js", ".mjs"))]
    named = set()
    for source in sources:
        text = re.sub(r"base64,[^)]*", "", source.read_text(encoding="utf-8"))
        named |= set(NAME.findall(text)) - {source.name}
    return sorted(
        place
        for path, place in files.items()
        if path.name not in named and not any(re.fullmatch(kind, place) for kind in UNNAMED)
    )


@pytest.fixture(autouse=True)
def site():
    require_site()


def test_every_static_file_is_there_for_something():
    assert unnamed(STATIC, [HTML / page for page in pages()]) == []


def test_the_static_files_are_few_and_light():
    sizes = [path.stat().st_size for path in STATIC.rglob("*") if path.is_file()]
    assert sum(sizes) < 900_000


def test_the_fonts_of_the_text_are_at_most_60_kib():
    css = (STATIC / "site.css").read_text(encoding="utf-8")
    embedded = [3 * len(data) // 4 for data in re.findall(r"base64,([^)]*)\)", css)]
    files = [path.stat().st_size for path in STATIC.glob("fonts/*.woff*")]
    assert 0 < sum(embedded + files) <= 60 * 1024


def test_the_check_sees_what_it_looks_for(tmp_path):
    static = tmp_path / "_static"
    (static / "fonts").mkdir(parents=True)
    for name in ("a.css", "b.js", "c.js", "fonts/d.woff", "fonts/e.woff", "LICENSE-f.txt"):
        Path(static, name).write_text("", encoding="utf-8")
    Path(static, "a.css").write_text("@font-face { src: url(fonts/d.woff) }", encoding="utf-8")
    Path(static, "b.js").write_text("//# sourceMappingURL=b.js", encoding="utf-8")
    page = tmp_path / "page.html"
    page.write_text('<link href="_static/a.css?v=1"><script src="c.js">', encoding="utf-8")
    assert unnamed(static, [page]) == ["b.js", "fonts/e.woff"]
