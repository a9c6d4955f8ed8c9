"""Make each heading the link to itself.

Sphinx puts a sign after the heading, which a screen reader reads out as part of it. Here the words
are the link: it has a name of its own, the keyboard reaches it, and so does a finger.
"""

import re

HEADING = re.compile(
    r'<(h[1-6])>((?:(?!<h[1-6]>|<a\b).)*?)<a class="headerlink" href="(#[^"]*)"[^>]*>.*?</a></\1>',
    re.DOTALL,
)


def link_headings(html):
    """Rewrite the headings of a page; one that holds a link of its own stays as it is."""
    return HEADING.sub(r'<\1><a class="heading-link" href="\3">\2</a></\1>', html)


def rewrite(app, pagename, templatename, context, doctree):
    """Do so before the page is written."""
    if "body" in context:
        context["body"] = link_headings(context["body"])


def setup(app):
    """Register with Sphinx."""
    app.connect("html-page-context", rewrite)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
