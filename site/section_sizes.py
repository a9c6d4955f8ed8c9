"""Tell the browser about how high each innermost section is, which it lays out only when it nears.

The style sheet (book.css, ``content-visibility``) takes the guess from ``--height``. A good one
keeps the scroll bar honest; one that is too low lets what a section holds lie over what follows it.
"""

import re

from bs4 import BeautifulSoup

#: Heights in rem on a phone, where they are largest: of a line, of parts whatever they hold.
LINE, LETTERS = 1.75, 42
PARTS = {
    "p, li, dd, tr, summary": 1.3,
    "h2, h3, dt": 3,
    ".math-block": 4,
    "figure": 3,  # its caption
    "svg.figure": 14,
    ".pe-stage": 40,
    ".admonition, .cell, .exercise": 2.4,
    ".cell_output .katex-display": 6,
}
FOLDED = "details > :not(summary)"
WITHOUT_WORDS = "script, style, svg, .katex, .headerlink"


def height(section):
    """About how many rem a section (BeautifulSoup's) is high on a phone. Takes it apart."""
    for part in section.select(FOLDED):
        part.extract()
    for part in section.select(WITHOUT_WORDS):
        part.clear()
    rem = sum(each * len(section.select(selector)) for selector, each in PARTS.items())
    for code in section.select("pre"):
        rem += 1.4 * len(code.get_text().splitlines()) + 2
        code.clear()
    lines = len(" ".join(section.get_text().split())) / LETTERS
    return round(1.1 * (rem + LINE * lines))  # rather too high


def note_heights(app, pagename, templatename, context, doctree):
    """Write the guess into each innermost section of a page."""
    if "body" not in context:
        return
    sections = BeautifulSoup(context["body"], "html.parser").select("section[id]")
    heights = {s["id"]: height(s) for s in sections if not s.select("section[id]")}
    for name, rem in heights.items():
        start = rf'(<section\b)(?=[^>]*\bid="{re.escape(name)}")'
        context["body"] = re.sub(start, rf'\1 style="--height: {rem}rem"', context["body"], count=1)


def setup(app):
    """Register with Sphinx, to run when the page is complete."""
    app.connect("html-page-context", note_heights, priority=950)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
