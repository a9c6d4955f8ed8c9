"""The one style of all figures: colors, sizes, type, and a reproducible SVG.

Nothing global is touched: a figure carries its style with it, and asks neither pyplot nor a
notebook backend for anything.
"""

import io
import re

import matplotlib
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure as _Figure

#: Text and lines. The site draws this exact color in the page's own text color, and PAPER not at
#: all, so that a figure follows the reader from light to dark.
INK = "#1c1e21"
PAPER = "#fffffe"
#: Grid lines, guides, things of second rank. Like every color below it is legible on white and
#: on near-black alike (contrast at least 3:1 on both; a test measures it).
FAINT = "#7b8490"

#: A color means the same thing everywhere in the book.
COLORS = {
    # schemes
    "sinusoidal": "#2f78c4",
    "rope": "#c4552f",  # and whatever a rotation has moved
    "alibi": "#1f8a5f",
    "learned": "#8663c4",
    "t5": "#a8761b",
    "none": FAINT,
    # the two waves of a pair
    "sine": "#2f78c4",
    "cosine": "#c07a14",
    # the two sides of a score
    "query": "#0f8587",
    "key": "#b5487f",
}

#: Signed values, centered at 0, and magnitudes. Both fade to the off-white of warm paper.
DIVERGING = LinearSegmentedColormap.from_list("diverging", ["#2f78c4", "#f4f2ec", "#c4552f"])
SEQUENTIAL = LinearSegmentedColormap.from_list("sequential", ["#f4f2ec", "#5fa3a4", "#0b4a57"])

_RC = {
    "figure.facecolor": PAPER,
    "axes.facecolor": "none",
    "savefig.facecolor": PAPER,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "font.family": "sans-serif",
    "font.size": 10,
    "axes.titlesize": 10.5,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.8,
    "lines.linewidth": 1.8,
    "legend.frameon": False,
    "mathtext.fontset": "stix",
    "svg.fonttype": "none",
    "svg.hashsalt": "where-am-i",
}

_PLACES = re.compile(r'(?<= )(?:(?:d|x|y)="[^"]*"|transform="(?:translate|rotate)\([^)]*\))')


def _rounded(places):
    """Round places to a hundredth of a point.

    It cannot be seen, and keeps a figure the same on machines whose results differ in the last
    digits, as those of linear algebra do.
    """
    return re.sub(r"-?\d+\.\d{3,}", lambda number: f"{round(float(number[0]), 2):g}", places[0])


class Figure(_Figure):
    """A matplotlib figure that shows itself as the same SVG on every run."""

    def colorbar(self, *args, **kwargs):
        """As in matplotlib, in the book's style."""
        with matplotlib.rc_context(_RC):
            return super().colorbar(*args, **kwargs)

    def svg(self):
        """Return the figure as SVG text, without a date and with fixed ids."""
        buffer = io.StringIO()
        with matplotlib.rc_context(_RC):
            self.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
        lines = (line.rstrip() for line in buffer.getvalue().splitlines())
        return _PLACES.sub(_rounded, "\n".join(lines) + "\n")

    def __repr__(self):
        return f"<Figure of {len(self.axes)} axes>"

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"image/svg+xml": self.svg(), "text/plain": repr(self)}


def figure(nrows=1, ncols=1, *, width=6.4, height=3.2, **subplots):
    """Make an empty figure in the book's style.

    Parameters
    ----------
    nrows, ncols : int
        Grid of axes.
    width, height : float
        In inches; a text column is 6.4 wide.
    **subplots
        Passed to :meth:`matplotlib.figure.Figure.subplots`, for example ``sharey=True``.

    Returns
    -------
    fig : Figure
        Put it on the last line of a cell to show it.
    axes : Axes or ndarray of Axes
        As from ``matplotlib.pyplot.subplots``.
    """
    with matplotlib.rc_context(_RC):
        fig = Figure(figsize=(width, height), layout="constrained")
        return fig, fig.subplots(nrows, ncols, **subplots)


def heat_map(ax, values, **options):
    """Draw a matrix as :meth:`matplotlib.axes.Axes.imshow` does, a pixel of the file per entry.

    By default matplotlib draws larger images, which weigh ten times as much and are no sharper.
    """
    return ax.imshow(values, interpolation="none", **options)
