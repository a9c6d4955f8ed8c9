"""Load on every page what stands here and what is ours, and nothing else.

The theme and the extensions of Jupyter Book add some twenty style sheets and scripts to every
page, for icons, live kernels and switches that this book does not have.
"""

from pathlib import Path

SITE = Path(__file__).parent
OURS = {path.name for folder in ("static", "host") for path in (SITE / folder).rglob("*.*")}
NEEDED = {
    "fonts.css",
    "pygments.css",
    "katex.min.css",
    "sphinx-design.min.css",
    "copybutton.css",
    # copy buttons, then the search and its highlighting
    "clipboard.min.js",
    "copybutton.js",
    "documentation_options.js",
    "doctools.js",
    "sphinx_highlight.js",
}


def keep(asset):
    """Whether a page loads ``asset``, one of Sphinx's records of a style sheet or script."""
    name = Path(str(asset.filename or "")).name
    return name in OURS or name in NEEDED


def not_waited_for(script):
    """The same script, run once the page is there."""
    attributes = script.attributes | {"defer": "defer"}
    return type(script)(script.filename, priority=script.priority, **attributes)


def drop_the_rest(app, pagename, templatename, context, doctree):
    """Filter the assets of one page; KaTeX's fonts go to formulas and drawings only."""
    body = context.get("body", "")
    letters = 'class="katex' in body or "<svg" in body
    for kind in ("css_files", "script_files"):
        kept = [asset for asset in context.get(kind, []) if keep(asset)]
        context[kind] = [a for a in kept if letters or "katex" not in str(a.filename)]
    if pagename != "search":  # whose own scripts follow at once
        context["script_files"] = [not_waited_for(script) for script in context["script_files"]]


def setup(app):
    """Register with Sphinx, to run after every extension that adds assets."""
    app.connect("html-page-context", drop_the_rest, priority=990)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
