"""Fold boxes of class ``dropdown`` with the browser's own ``<details>``.

It needs no script, and opens for the keyboard, for a search within the page, and for print.
"""

import re

from docutils import nodes

_TITLE = re.compile(r'<p class="admonition-title"([^>]*)>(.*?)</p>', re.DOTALL)


def as_details(html):
    """Turn the HTML of a box, ``<div>`` with its title first, into ``<details>``."""
    html = html.rstrip().replace("<div", "<details", 1).removesuffix("</div>") + "</details>\n"
    return _TITLE.sub(r'<summary class="admonition-title"\1>\2</summary>', html, count=1)


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


def add_folding(app):
    """Extend the translator that the theme has set up."""
    if app.builder.format == "html":
        translator = app.builder.get_translator_class()
        folding = type("FoldingTranslator", (Folding, translator), {})
        app.set_translator(app.builder.name, folding, override=True)


def setup(app):
    """Register with Sphinx, after the theme."""
    app.connect("builder-inited", add_folding, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
