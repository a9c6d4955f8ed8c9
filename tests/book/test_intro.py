"""The first page says of the chapters what the chapters say of themselves."""

import re

import pytest

from tests.book.test_chapters import CHAPTERS, TOC, read


def minutes_on_the_map():
    """Chapter -> minutes to read, from the first page's table."""
    text = "\n".join(cell.source for cell in read(TOC["root"]).cells)
    rows = re.findall(r"^\| \{doc\}`([^`]+)` \|.*\| (\d+) \|$", text, re.MULTILINE)
    return {f"book/{page}": int(minutes) for page, minutes in rows}


def test_the_map_shows_every_chapter_in_order():
    assert list(minutes_on_the_map()) == CHAPTERS


@pytest.mark.parametrize("page", CHAPTERS)
def test_the_map_gives_a_chapter_the_time_that_its_box_gives(page):
    (minutes,) = re.findall(
        r"^\*\*Time\*\* (\d+) minutes to read", read(page).cells[0].source, re.M
    )
    assert minutes_on_the_map()[page] == int(minutes)
