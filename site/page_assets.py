"""Load on every page what stands here and what is ours, and nothing else.

The theme and the extensions of Jupyter Book add some twenty style sheets and scripts to every
page, for icons, live kernels and switches that this book does not have, and five megabytes of
files to the site. What no page loads is deleted when the site has been built.
"""

from pathlib import Path

SITE = Path(__file__).parent
OURS = {
    path.name
    for folder in ("static", "host", "assets")
    for path in (SITE / folder).rglob("*.*")  # not the stamp site/assets/fetched
}
NEEDED = {
    # copy buttons, then the search and its highlighting
    "clipboard.min.js",
    "copybutton.js",
    "documentation_options.js",
    "doctools.js",
    "sphinx_highlight.js",
}
#: Loaded by a page only if one of these stands in it: cards, grids and tabs; formulas and drawings.
WANTED_BY = {
    "sphinx-design.min.css": ('class="sd-',),
    "katex.min.css": ('class="katex', "<svg"),
}
#: Loaded by the page of the search alone, from its template.
SEARCH = {"searchtools.js", "language_data.js"}
#: Loaded by no page: other sites show it beside a link to the book (address.py).
CARD = {"card.png"}


def keep(asset, body=""):
    """Whether a page loads ``asset``, one of Sphinx's records of a style sheet or script."""
    name = Path(str(asset.filename or "")).name
    if name in WANTED_BY:
        return any(sign in body for sign in WANTED_BY[name])
    return name in OURS or name in NEEDED


def not_waited_for(script):
    """The same script, run once the page is there."""
    attributes = script.attributes | {"defer": "defer"}
    return type(script)(script.filename, priority=script.priority, **attributes)


def drop_the_rest(app, pagename, templatename, context, doctree):
    """Filter the assets of one page."""
    for kind in ("css_files", "script_files"):
        assets = context.get(kind, [])
        context[kind] = [asset for asset in assets if keep(asset, context.get("body", ""))]
    if pagename != "search":  # whose own scripts follow at once
        context["script_files"] = [not_waited_for(script) for script in context["script_files"]]


def delete_the_rest(app, error):
    """Delete the static files that no page loads, and the folders that are then empty."""
    static = Path(app.outdir) / "_static"
    if error or app.builder.format != "html":
        return
    kept = OURS | NEEDED | WANTED_BY.keys() | SEARCH | CARD
    for path in sorted(static.rglob("*"), reverse=True):  # what is in a folder before the folder
        if path.is_dir():
            if not any(path.iterdir()):
                path.rmdir()
        elif path.name not in kept and path.parent.name != "widgets":
            path.unlink()


def setup(app):
    """Register with Sphinx, to run after every extension that adds assets."""
    app.connect("html-page-context", drop_the_rest, priority=990)
    app.connect("build-finished", delete_the_rest, priority=990)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
