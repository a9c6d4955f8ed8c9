"""The picture in the README is a figure of the book, as it is drawn today."""

from pathlib import Path

from pe_lib import plots

COVER = Path(__file__).parents[2] / "book" / "cover.svg"


def draw():
    fig, axes = plots.figure(1, 3, width=7.2, height=2.9)
    plots.turning_pairs(axes, position=2, offset=5, dim=8)
    return fig.svg()


def test_the_cover_is_fresh():
    assert COVER.read_text(encoding="utf-8") == draw(), (
        "python -m tests.book.test_cover draws it anew"
    )


if __name__ == "__main__":
    COVER.write_text(draw(), encoding="utf-8")
