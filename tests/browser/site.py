"""The built site, as the tests see it: which pages it has, and a plain file server for it."""

import contextlib
import functools
import http.server
import os
import threading
from pathlib import Path
from urllib.parse import urlsplit

import pytest

ROOT = Path(__file__).parents[2]
#: Another site can be tested: ``BOOK_HTML=/some/folder pytest tests/browser``.
HTML = Path(os.environ.get("BOOK_HTML", ROOT / "_build" / "html"))
#: A site must work wherever it is put, so the tests put it here, or where it says that it will be.
BASE = urlsplit(os.environ.get("SITE_URL", "https://any/some/where")).path.rstrip("/") + "/"
#: Lay out the whole page; by itself a browser lays out a section when it nears the screen.
SETTLE = "document.documentElement.dataset.settled = ''"


def pages():
    """Every page of the site, relative to its folder; ``index.html`` if there is no site."""
    found = (path.relative_to(HTML).as_posix() for path in HTML.rglob("*.html"))
    return sorted(page for page in found if not page.startswith("_")) or ["index.html"]


def require_site():
    """Fail with a clear message if the site has not been built."""
    if not (HTML / "index.html").is_file():
        pytest.fail(f"There is no site in {HTML}: 'make test' builds it, 'make book' too.")


class Handler(http.server.SimpleHTTPRequestHandler):
    """Files below BASE, and no log."""

    def translate_path(self, path):
        """Map an address to a file; what is outside BASE does not exist."""
        if not path.startswith(BASE):
            return str(Path(self.directory, "no such file"))
        return super().translate_path(path.removeprefix(BASE.rstrip("/")))

    def log_message(self, *args):
        """Say nothing."""


@contextlib.contextmanager
def serve(folder, handler=Handler):
    """Serve a folder below BASE; give the address of its root."""
    handler = functools.partial(handler, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}{BASE}"
    finally:
        server.shutdown()
        server.server_close()
