"""site/author_year.py: the list of sources is headed and ordered as the text cites."""

from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from pybtex.database import parse_string

SITE = Path(__file__).parents[1] / "site"
SOURCES = """
@misc{three, author = {Yo, Ann and Bo, Cy and Du, Eve}, title = {T}, year = {2021a},
  eprint = {1234.5678}, url = {https://arxiv.org/abs/1234.5678}}
@book{two, author = {Zünd, Ann and von Bo, Cy}, title = {T}, publisher = {P}, year = {1999},
  doi = {10.1/x}, url = {https://example.org/a/}}
@misc{one, author = {Abt, Jo}, title = {T}, year = {2030}}
"""


@pytest.fixture
def entries(monkeypatch):
    monkeypatch.syspath_prepend(SITE)
    from author_year import Style

    return list(Style().format_bibliography(parse_string(SOURCES, "bibtex")))


def test_entries_are_headed_by_author_and_year_in_alphabetical_order(entries):
    labels = [entry.label for entry in entries]
    assert labels == ["Abt, 2030", "Yo et al., 2021a", "Zünd and von Bo, 1999"]


def test_each_place_to_read_a_source_is_linked_once(entries):
    links = [
        [(a["href"], a.text) for a in BeautifulSoup(html, "html.parser").find_all("a")]
        for html in (entry.text.render_as("html") for entry in entries)
    ]
    assert links == [
        [],
        [("https://arxiv.org/abs/1234.5678", "arXiv:1234.5678")],
        [("https://doi.org/10.1/x", "doi:10.1/x"), ("https://example.org/a/", "example.org/a")],
    ]
