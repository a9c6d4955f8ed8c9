"""Link the docstrings of ``pe_lib`` with the book: chapters, equations, theorems and sections.

A docstring must read well in a terminal, so it says "chapter ``relative/rope``" or "equation
``eq-rope``" in plain words. On the site these become links; a chapter that does not stand yet
is said to come, a label that does not exist fails the build.
"""

import re

ROLES = {"eq": "eq", "thm": "prf:ref", "sec": "ref", "fig": "numref"}
LABEL = re.compile(rf"``(({'|'.join(ROLES)})-[a-z0-9-]+)``")
CHOICES = re.compile(
    r'(?<!`)(\{"[^}]*\})(?!`)'
)  # {"interleaved", "half"}: code, no typographic quotes
CHAPTER = re.compile(r"``((?:why|sinusoid|relative|context|beyond|practice)/[a-z_]+)``")


def link(app, what, name, obj, options, lines):
    """Rewrite one docstring in place."""

    def label(match):
        return f":{ROLES[match[2]]}:`{match[1]}`"

    def chapter(match):
        page = f"book/{match[1]}"
        return f":doc:`/{page}`" if page in app.env.found_docs else f"{match[0]} (to come)"

    lines[:] = [
        CHAPTER.sub(chapter, LABEL.sub(label, CHOICES.sub(r"``\1``", line))) for line in lines
    ]


def setup(app):
    """Register with Sphinx, to run on what numpydoc has made of a docstring."""
    app.setup_extension("sphinx.ext.autodoc")
    app.setup_extension("numpydoc")
    app.connect("autodoc-process-docstring", link, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
