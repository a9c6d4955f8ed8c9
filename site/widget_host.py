"""Let the anywidgets of a page live without a kernel, and without any other host.

A widget's output becomes its still picture (or its text) inside a stage, which ``host/host.mjs``
enlivens. The page's widget state is embedded once; each distinct module and style sheet in it is
written to a file named by its content, so that a site sends it once. Widgets that are no
anywidgets show their still picture.
"""

import hashlib
import json
import shutil
from pathlib import Path

from docutils import nodes
from myst_nb.core.render import WIDGET_STATE_MIMETYPE, WIDGET_VIEW_MIMETYPE
from myst_nb.sphinx_ import NbMetadataCollector, SelectMimeType
from sphinx.transforms.post_transforms import SphinxPostTransform

HOST = Path(__file__).parent / "host"
FOLDER = "widgets"  # under _static
SUFFIXES = {"_esm": ".mjs", "_css": ".css"}  # .mjs: jupyter-book adds every .js to every page
_KEY = "ipywidgets_state"  # under which myst-nb keeps a page's state


def widget_state(env, docname):
    """Return the state of the widgets on a page: model id -> record."""
    _, attributes = NbMetadataCollector.get_js_files(env, docname).get(_KEY, (None, None))
    return json.loads(attributes["body"])["state"] if attributes else {}


class KeepStill(SphinxPostTransform):
    """Put the picture of each widget into a stage, before one MIME type is chosen for it."""

    default_priority = SelectMimeType.default_priority - 1
    formats = ("html",)

    def run(self):
        """Run the transform."""
        state = widget_state(self.env, self.env.docname)
        for bundle in list(self.document.findall(nodes.container)):
            if bundle.get("nb_element") != "mime_bundle":
                continue
            views = [part for part in bundle if part["mime_type"] == WIDGET_VIEW_MIMETYPE]
            if not views or len(bundle) == 1:
                continue
            bundle.remove(views[0])
            script = views[0].astext()
            model_id = json.loads(script[script.index(">") + 1 : script.rindex("<")])["model_id"]
            record = state.get(model_id, {})
            if record.get("model_module") == "anywidget":
                _surround(bundle, _stage(model_id, record["state"]))


def _stage(model_id, traits):
    room = "".join(f"--pe-{name}:{height};" for name, height in traits.get("room", {}).items())
    stage = f'<div class="pe-stage" data-model-id="{model_id}" style="{room}">'
    return f'<div class="pe-widget">{stage}'


def _surround(node, opening):
    position = node.parent.index(node)
    node.parent.insert(position + 1, nodes.raw("", "</div></div>", format="html"))
    node.parent.insert(position, nodes.raw("", opening, format="html"))


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
    app.add_css_file(f"{FOLDER}/host.css")
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
    app.add_post_transform(KeepStill)
    app.connect("builder-inited", copy_host)
    # After myst-nb, whose handler adds the state to the page.
    app.connect("html-page-context", add_host, priority=600)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
