"""Hold every page to a description of itself, for search engines and for links that are shared.

It stands with the page: ``description`` in a notebook's metadata or at the head of a Markdown file.
A page without one, or with one too short or too long to be shown whole, is a warning, and a warning
fails ``make test``.
"""

from sphinx.util import logging

logger = logging.getLogger(__name__)

#: Letters; a list of search results shows about 160.
SHORTEST, LONGEST = 50, 160


def complaint(description):
    """What is wrong with a description, or None."""
    if SHORTEST <= len(description) <= LONGEST:
        return None
    return (
        f"a page needs a description of {SHORTEST} to {LONGEST} letters in its metadata, "
        f"this one has {len(description)}"
    )


def describe(app, pagename, templatename, context, doctree):
    """Give the frame of a page its description."""
    if doctree is None:
        return  # the search page and its like describe themselves
    description = app.env.metadata[pagename].get("description", "")
    if found := complaint(description):
        logger.warning(found, location=pagename)
    context["page_description"] = description


def setup(app):
    """Register with Sphinx."""
    app.connect("html-page-context", describe)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
