"""Render every formula with KaTeX while the page is built, and report one that it cannot render.

A formula that KaTeX does not understand is a warning at its place, and a warning fails
``make test``. Display equations stand in a box of their own that scrolls where it must, with their
number beside it.
"""

import re
from html import escape

from ask_katex import ask_katex
from docutils import nodes
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

logger = logging.getLogger(__name__)

#: KaTeX would number these itself; the book's numbers come from labels.
_NUMBERED = re.compile(r"\\(begin|end)\{(equation|align|gather|alignat|multline)\}")


def render(node, *, display):
    """HTML of a math node."""
    latex = _NUMBERED.sub(r"\\\1{\2*}", node.astext())
    if display and r"\\" in latex and not node.get("nowrap"):
        latex = rf"\begin{{split}}{latex}\end{{split}}"
    try:
        return ask_katex(latex, display=display)
    except ValueError as error:
        logger.warning("%s", error, location=node)
        return f'<code class="katex-error">{escape(latex)}</code>'


def visit_math(self, node):
    """Write a formula within a line."""
    self.body.append(f'<span class="math">{render(node, display=False)}</span>')
    raise nodes.SkipNode


def visit_math_block(self, node):
    """Write a display equation, and its number where it has one."""
    self.body.append(self.starttag(node, "div", CLASS="math-block"))
    self.body.append(f'<div class="scrolls">{render(node, display=True)}</div>')
    if node["number"]:
        self.body.append(f'<span class="eqno">({get_node_equation_number(self, node)})')
        self.add_permalink_ref(node, "Link to this equation")
        self.body.append("</span>")
    self.body.append("</div>\n")
    raise nodes.SkipNode


def setup(app):
    """Register with Sphinx as the maths renderer called ``katex``."""
    app.add_html_math_renderer("katex", (visit_math, None), (visit_math_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
