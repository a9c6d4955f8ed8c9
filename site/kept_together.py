"""Keep a formula on one line with the punctuation that touches it.

A browser may break a line on either side of what KaTeX draws, and so would begin lines with a
period and end them with a bracket.
"""

import re

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

#: Characters of LaTeX. A longer formula may need a break of its own on a phone, so what keeps it
#: and a period together is that KaTeX sets both.
_SHORT = 25


def _take(parent, place, pattern):
    """Take what matches from a piece of text beside a formula; an empty string if nothing does."""
    text = parent[place] if 0 <= place < len(parent) else None
    touching = re.search(pattern, text) if isinstance(text, nodes.Text) else None
    if not touching:
        return ""
    parent[place] = nodes.Text(text[: touching.start()] + text[touching.end() :])
    return touching[0]


def keep(formula):
    """Keep one formula and what touches it together."""
    parent, place = formula.parent, formula.parent.index(formula)
    latex = formula.astext()
    if len(latex) > _SHORT:
        if mark := _take(parent, place + 1, r"\A[.,;:](?=\s|\Z)"):
            parent[place] = nodes.math("", rf"{latex}\text{{{mark}}}")
        return
    before, after = _take(parent, place - 1, r"\S+\Z"), _take(parent, place + 1, r"\A\S+")
    if before or after:
        whole = nodes.Text(before), formula, nodes.Text(after)
        parent[place] = nodes.inline("", "", *whole, classes=["kept"])


class KeptTogether(SphinxPostTransform):
    """Wrap a short formula and what touches it in ``<span class="kept">``."""

    default_priority = 800
    formats = ("html",)

    def run(self):
        """Visit every formula within a line."""
        for formula in list(self.document.findall(nodes.math)):
            keep(formula)


def setup(app):
    """Register with Sphinx."""
    app.add_post_transform(KeptTogether)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
