"""Put figures into the page itself, so that they follow it: its text color, its fonts, its width.

myst-nb writes a figure as ``<img src="....svg">``, which knows nothing of the page around it. Here
the SVG goes inline, drawn in the page's text color (``currentColor``) on no background, named by
its alt text. An image without alt text is a warning, and a warning fails ``make test``.
"""

import re
from html import escape
from pathlib import Path

import figure_text
from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

from pe_lib.plots.style import INK, PAPER

logger = logging.getLogger(__name__)

#: Room around a figure, in points: the page's letters are a little larger than matplotlib's.
_MARGIN = 4
#: Width of a text column in points: figures are drawn for 6.4 inches.
_COLUMN = 6.4 * 72 + 2 * _MARGIN

_REWRITES = [
    (r"^.*?(?=<svg\b)", ""),  # XML declaration and doctype
    (r"<metadata>.*?</metadata>|<!--.*?-->", ""),
    # This rule for all elements would leak into the page; the root carries it instead.
    (r"<style[^>]*>\*{stroke-linejoin: round; stroke-linecap: butt}</style>", ""),
    (r'(<g id="patch_1">\s*<path [^>]*style="fill: )' + PAPER, r"\1none"),
    (INK, "currentColor"),
    (PAPER, "var(--paper)"),
    (r"\s*\n\s*", "\n"),
]


def inline(svg, name, prefix):
    """Rewrite a stand-alone SVG of :mod:`pe_lib.plots` for use within a page.

    ``name`` says what it shows; ``prefix`` keeps its ids apart from those of other figures.
    """
    for pattern, replacement in _REWRITES:
        svg = re.sub(pattern, replacement, svg, flags=re.DOTALL)
    svg = figure_text.reset(svg)
    svg = re.sub(r'\bid="', f'id="{prefix}-', svg)
    svg = re.sub(r'(href="#|url\(#)', rf"\g<1>{prefix}-", svg)
    size = re.search(r'viewBox="0 0 (\S+) (\S+)"', svg).groups()
    width, height = (float(length) + 2 * _MARGIN for length in size)
    root = (
        f'<div class="scrolls"><svg class="figure" role="img" aria-label="{escape(name)}" '
        f'viewBox="{-_MARGIN} {-_MARGIN} {width:g} {height:g}" '
        f'style="--share: {width / _COLUMN:.4g}" stroke-linejoin="round" stroke-linecap="butt">'
    )
    return re.sub(r"<svg\b[^>]*>", root, svg, count=1) + "</div>"


class InlineFigures(SphinxPostTransform):
    """Replace SVG images by the SVG itself; demand alt text of every image."""

    default_priority = 400
    formats = ("html",)

    def run(self):
        """Visit every image of a page."""
        for number, image in enumerate(list(self.document.findall(nodes.image)), 1):
            alt = image.get("alt", "").strip()
            if not alt:
                logger.warning("a figure needs alt text", location=image)
            path = Path(self.env.srcdir, image["uri"])
            if path.suffix == ".svg" and path.is_file():
                svg = inline(path.read_text("utf-8"), alt, f"figure{number}")
                image.replace_self(nodes.raw("", svg, format="html"))


def setup(app):
    """Register with Sphinx."""
    app.add_post_transform(InlineFigures)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
