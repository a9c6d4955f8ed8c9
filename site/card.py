"""Draw the picture that stands beside a shared link to the book: 1200 x 630 pixels.

    python site/card.py card.png

It is made at build time in the style of the book's figures, with the fonts of its pages.
"""

import sys
import tempfile
from pathlib import Path

from fontTools.ttLib import TTFont
from matplotlib.font_manager import FontProperties

from pe_lib import plots
from pe_lib.plots.style import INK

FONTS = Path(__file__).parent / "node_modules" / "@fontsource"
WIDTH, HEIGHT, DPI = 1200, 630, 150
ALT = (
    "Where Am I? Positional Encoding from First Principles. Three clock hands, each turned by a "
    "different angle."
)


def face(name, folder):
    """One of the pages' fonts, unpacked, since matplotlib reads no WOFF."""
    package = name.partition("-latin")[0]
    font = TTFont(FONTS / package / "files" / f"{name}.woff")
    font.flavor = None
    path = Path(folder, f"{name}.ttf")
    font.save(path)
    return FontProperties(fname=path)


def draw(path, title, subtitle):
    """Write the picture to ``path``."""
    fig, axes = plots.figure(1, 3, width=WIDTH / DPI, height=HEIGHT / DPI)
    fig.get_layout_engine().set(rect=(0.03, 0.01, 0.94, 0.6))
    plots.turning_pairs(axes, position=1, offset=5, dim=16)
    for ax in axes:
        ax.set_axis_off()
        ax.set(xlim=(-1.3, 1.3), ylim=(-1.15, 1.25), title="")
        for line in (*ax.lines, *ax.patches):
            line.set_linewidth(1.6 * line.get_linewidth())
    with tempfile.TemporaryDirectory() as folder:
        serif, sans = (
            face(name, folder)
            for name in ("source-serif-4-latin-600-normal", "source-sans-3-latin-400-normal")
        )
        fig.text(0.06, 0.79, title, fontproperties=serif, fontsize=48, color=INK)
        fig.text(0.06, 0.67, subtitle, fontproperties=sans, fontsize=23, color=INK)
        for label in axes[0].texts:
            label.set(fontproperties=sans, fontsize=17)
        fig.savefig(path, dpi=DPI)


if __name__ == "__main__":
    draw(sys.argv[1], "Where Am I?", "Positional Encoding from First Principles")
