"""Print the list of sources as the text cites them: by author and year, each with its links.

An entry is headed "Su et al., 2021", made by the very template that writes the citation in the
text, so that a reader finds by eye what was cited. Two entries that would look the same are a
warning of sphinxcontrib-bibtex; write ``year = {2021a}`` in one of them then.
"""

from pybtex.plugin import register_plugin
from pybtex.style.formatting.alpha import Style as Alphabetical
from pybtex.style.labels import BaseLabelStyle
from pybtex.style.template import href, join
from sphinxcontrib.bibtex.style.referencing.author_year import AuthorYearReferenceStyle
from sphinxcontrib.bibtex.style.template import year

ARXIV = "https://arxiv.org/abs/"


class Labels(BaseLabelStyle):
    """What a citation in parentheses says."""

    def format_labels(self, sorted_entries):
        """One label for each entry."""
        style = AuthorYearReferenceStyle()
        names = style.person.author_or_editor_or_title(full=False)
        template = join(sep=style.author_year_sep)[names, year]
        for entry in sorted_entries:
            yield str(template.format_data({"entry": entry, "style": style}))


def links(fields):
    """Where to read a source: its DOI, and its arXiv page or whatever else its address is."""
    if "doi" in fields:
        yield f"https://doi.org/{fields['doi']}", f"doi:{fields['doi']}"
    address = fields.get("url", "")
    if address.startswith(ARXIV):
        yield address, f"arXiv:{address.removeprefix(ARXIV)}"
    elif address:
        yield address, address.split("://")[1].rstrip("/")


class Style(Alphabetical):
    """As pybtex's ``alpha``, but for labels and links."""

    default_label_style = Labels

    def format_web_refs(self, e):
        """Each place once."""
        return join(sep=" ")[[href(address)[text] for address, text in links(e.fields)]]


def setup(app):
    """Register with pybtex, which bibtex_default_style asks."""
    register_plugin("pybtex.style.formatting", "author_year", Style)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
