"""What only a site can have that knows its public address: ``SITE_URL`` in the environment.

Canonical links are Sphinx's own; here they get the bare address for the first page, and the site
gets a sitemap, a ``robots.txt`` that names it, and the picture that goes with a shared link.
Without an address all of these are left out, since each must name it in full.
"""

import os
from pathlib import Path
from urllib.parse import urlsplit

import card
from sphinx.errors import ConfigError

CARD = "_static/card.png"


def canonical(address):
    """The address of a site, with one slash at its end."""
    if urlsplit(address).scheme not in ("http", "https"):
        raise ConfigError(f"SITE_URL must start with https://, got {address!r}")
    return address.rstrip("/") + "/"


def read_address(app, config):
    """Take the address from the environment into Sphinx's own setting."""
    if address := os.environ.get("SITE_URL"):
        config.html_baseurl = canonical(address)


def page_address(app, pagename):
    """Public address of a page."""
    first = pagename == app.config.root_doc
    return app.config.html_baseurl + ("" if first else app.builder.get_target_uri(pagename))


def add_addresses(app, pagename, templatename, context, doctree):
    """Give the frame of a page what it says about its address."""
    if base := app.config.html_baseurl:
        # The search page and its like are not to be found by a search engine.
        context["pageurl"] = page_address(app, pagename) if doctree else None
        context["site_address"] = base
        context["site_path"] = urlsplit(base).path
        context["card"] = {
            "url": base + CARD,
            "alt": card.ALT,
            "width": card.WIDTH,
            "height": card.HEIGHT,
        }


def sitemap(addresses):
    """The addresses as a sitemap."""
    urls = "".join(f"  <url><loc>{address}</loc></url>\n" for address in addresses)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{urls}</urlset>\n'
    )


def write_files(app, error):
    """Write what is no page."""
    if error or app.builder.format != "html" or not app.config.html_baseurl:
        return
    out = Path(app.outdir)
    pages = sorted(page_address(app, page) for page in app.env.found_docs)
    (out / "sitemap.xml").write_text(sitemap(pages), encoding="utf-8")
    robots = f"User-agent: *\nAllow: /\n\nSitemap: {app.config.html_baseurl}sitemap.xml\n"
    (out / "robots.txt").write_text(robots, encoding="utf-8")
    card.draw(out / CARD, *app.config.html_title.split("? "))


def setup(app):
    """Register with Sphinx."""
    app.connect("config-inited", read_address)
    app.connect("html-page-context", add_addresses)
    app.connect("build-finished", write_files)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
