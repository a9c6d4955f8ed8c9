"""Let the anywidgets of a page live without a kernel, and without any other host.

``widget_stages`` sets a stage for each of them, which ``host/host.mjs`` enlivens. The page's widget
state is embedded once; each distinct module and style sheet in it is written to a file named by
its content, so that a site sends it once.
"""

import hashlib
import json
import shutil
from pathlib import Path

from myst_nb.core.render import WIDGET_STATE_MIMETYPE
from widget_stages import widget_state

HOST = Path(__file__).parent / "host"
FOLDER = "widgets"  # under _static
SUFFIXES = {"_esm": ".mjs", "_css": ".css"}  # .mjs: jupyter-book adds every .js to every page


def add_host(app, pagename, templatename, context, doctree):
    """Load the host on a page with anywidgets; move modules and styles out of its state."""
    scripts = context["script_files"]
    scripts[:] = [s for s in scripts if s.attributes.get("type") != WIDGET_STATE_MIMETYPE]
    state = widget_state(app.env, pagename)
    if not any(record["model_module"] == "anywidget" for record in state.values()):
        return
    for record in state.values():
        for name in SUFFIXES.keys() & record["state"].keys():
            record["state"][name] = _write(app, record["state"][name], SUFFIXES[name])
    data = json.dumps({"state": state}).replace("</", r"<\/")
    context["body"] += f'<script type="{WIDGET_STATE_MIMETYPE}">{data}</script>'
    app.add_js_file(f"{FOLDER}/host.mjs", type="module")


def _write(app, text, suffix):
    """Write ``text`` beside the host, once; return its file name."""
    name = hashlib.sha256(text.encode()).hexdigest()[:16] + suffix
    (_folder(app) / name).write_text(text, encoding="utf-8")
    return name


def _folder(app):
    folder = Path(app.outdir) / "_static" / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def copy_host(app):
    """Put the host where pages find it."""
    if app.builder.format == "html":
        for source in HOST.iterdir():
            shutil.copy(source, _folder(app))


def setup(app):
    """Register with Sphinx."""
    app.setup_extension("widget_stages")
    app.connect("builder-inited", copy_host)
    # After myst-nb, whose handler adds the state to the page.
    app.connect("html-page-context", add_host, priority=600)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
