"""Put the first page at the bare address of the site, so that nobody is sent on to it.

The page stays ``book/intro`` in the sources; on the site it is ``index.html``, and every link, the
contents and the search lead there. Its former address, ``book/intro.html``, leads on to it
(``site/root``).
"""

from sphinx.builders.html import StandaloneHTMLBuilder


class FrontPageBuilder(StandaloneHTMLBuilder):
    """Sphinx's builder of pages, with an address of its own for the first one."""

    def get_target_uri(self, docname, typ=None):
        """Address of a page, from the root of the site."""
        return super().get_target_uri(self._placed(docname), typ)

    def get_outfilename(self, pagename):
        """File of a page."""
        return super().get_outfilename(self._placed(pagename))

    def _placed(self, name):
        return "index" if name == self.config.root_doc else name


def setup(app):
    """Register with Sphinx, in place of its own builder."""
    app.add_builder(FrontPageBuilder, override=True)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
