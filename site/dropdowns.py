"""Fold boxes of class ``dropdown`` and hidden code with the browser's own ``<details>``.

It needs no script, and opens for the keyboard, for a search within the page, and for print.
"""

import re
from html import escape

from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode

_TITLE = re.compile(r'<p class="admonition-title"([^>]*)>(.*?)</p>', re.DOTALL)


def as_details(html):
    """Turn the HTML of a box, ``<div>`` with its title first, into ``<details>``."""
    html = html.rstrip().replace("<div", "<details", 1).removesuffix("</div>") + "</details>\n"
    return _TITLE.sub(_as_summary, html, count=1)


def _as_summary(title):
    # A summary is a button, and a button holds no links.
    text = re.sub(r"</?a\b[^>]*>", "", title[2])
    return f'<summary class="admonition-title"{title[1]}>{text}</summary>'


class Folding:
    """Part of a translator: rewrites what the rest of it wrote for a box to be folded."""

    def dispatch_visit(self, node):
        """Note where the box starts."""
        if isinstance(node, nodes.Admonition):
            node["starts_at"] = len(self.body)
        super().dispatch_visit(node)

    def dispatch_departure(self, node):
        """Rewrite the box."""
        super().dispatch_departure(node)
        if isinstance(node, nodes.Admonition) and "dropdown" in node["classes"]:
            start = node["starts_at"]
            self.body[start:] = [as_details("".join(self.body[start:]))]


def visit_hidden_code(self, node):
    """Start a cell's folded code, without the label that myst-nb puts over the visible words."""
    prompts = "".join(
        f'<span class="{state}">{escape(node[prompt])}</span>'
        for state, prompt in (("collapsed", "prompt_show"), ("expanded", "prompt_hide"))
    )
    self.body.append(f'<details class="hide"><summary>{prompts}</summary>\n')


def depart_hidden_code(self, node):
    """End it."""
    self.body.append("</details>\n")


def add_folding(app):
    """Extend the translator that the theme has set up."""
    if app.builder.format == "html":
        translator = app.builder.get_translator_class()
        folding = type("FoldingTranslator", (Folding, translator), {})
        app.set_translator(app.builder.name, folding, override=True)


def setup(app):
    """Register with Sphinx, after the theme."""
    app.connect("builder-inited", add_folding, priority=900)
    app.add_node(HideCodeCellNode, override=True, html=(visit_hidden_code, depart_hidden_code))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
