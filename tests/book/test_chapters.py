"""The book as stored: its table of contents, and every chapter against the rules."""

from pathlib import Path

import nbformat
import pytest
import yaml
from pybtex.database import parse_file

from book.execute import normalize
from pe_lib import catalogue
from tests.book import rules

ROOT = Path(__file__).parents[2]
BOOK = ROOT / "book"
TOC = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
PAGES = [TOC["root"], *(page["file"] for part in TOC["parts"] for page in part["chapters"])]
NOTEBOOKS = [page for page in PAGES if (ROOT / f"{page}.ipynb").exists()]
CHAPTERS = [
    page for page in NOTEBOOKS if page != TOC["root"] and not page.startswith("book/reference/")
]
KEYS = list(parse_file(str(BOOK / "references.bib")).entries)


def read(page):
    return nbformat.read(ROOT / f"{page}.ipynb", as_version=4)


def test_every_page_on_disk_is_in_the_table_of_contents():
    on_disk = {
        path.relative_to(ROOT).with_suffix("").as_posix()
        for suffix in ("md", "ipynb")
        for path in BOOK.rglob(f"*.{suffix}")
        if ".ipynb_checkpoints" not in path.parts
    }
    assert on_disk == set(PAGES)


@pytest.mark.parametrize("page", NOTEBOOKS)
@pytest.mark.parametrize("rule", rules.EVERY_NOTEBOOK, ids=lambda rule: rule.__name__)
def test_every_notebook_keeps(page, rule):
    assert list(rule(read(page))) == []


@pytest.mark.parametrize("page", CHAPTERS)
@pytest.mark.parametrize("rule", rules.EVERY_CHAPTER, ids=lambda rule: rule.__name__)
def test_every_chapter_keeps(page, rule):
    assert list(rule(read(page))) == []


@pytest.mark.parametrize("page", CHAPTERS)
def test_every_chapter_cites_known_sources(page):
    assert list(rules.citations_known(read(page), KEYS)) == []


@pytest.mark.parametrize("page", NOTEBOOKS)
def test_notebooks_are_stored_in_the_one_form(page):
    path = ROOT / f"{page}.ipynb"
    stored = path.read_text(encoding="utf-8")
    normal = nbformat.writes(normalize(nbformat.reads(stored, as_version=4))) + "\n"
    assert stored == normal, "run `make notebooks`"


def test_the_catalogue_names_known_sources():
    for name, scheme in catalogue.SCHEMES.items():
        assert scheme.citation in KEYS, name
