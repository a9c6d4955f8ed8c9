"""Execute a chapter again when anything that its outputs depend on has changed.

The execution cache of jupyter-cache looks at cells alone. Here its place depends on a digest of
``pe_lib`` and of the lock, so that a change in either finds an empty cache; and since that place
is a setting of the build environment, Sphinx then reads every chapter again. A page about to be
read again loses its old HTML first: if a cell raises, no stale page is left in its place.
"""

import hashlib
from pathlib import Path


def digest(root):
    """Digest of the library and the lock under ``root``, as 16 hexadecimal digits."""
    sources = [
        path
        for path in (root / "pe_lib").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    ]
    summary = hashlib.sha256()
    for path in sorted([*sources, root / "requirements.txt"]):
        summary.update(f"{path.relative_to(root).as_posix()}\0".encode())
        summary.update(hashlib.sha256(path.read_bytes()).digest())
    return summary.hexdigest()[:16]


def place_cache(app, config):
    """Set the cache's folder before myst-nb reads the setting."""
    root = Path(app.srcdir)
    config.nb_execution_cache_path = str(root / "_build" / "executed" / digest(root))


def remove_old_pages(app, env, docnames):
    """Delete the HTML of every page that is about to be read again."""
    if app.builder.format == "html":
        for docname in docnames:
            Path(app.builder.get_outfilename(docname)).unlink(missing_ok=True)


def setup(app):
    """Register with Sphinx."""
    app.connect("config-inited", place_cache)
    app.connect("env-before-read-docs", remove_old_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
