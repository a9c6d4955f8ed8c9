"""Give each anywidget of a page a stage: its still picture (or its text), to be enlivened there.

Widgets that are no anywidgets show their still picture.
"""

import json

from docutils import nodes
from myst_nb.core.render import WIDGET_VIEW_MIMETYPE
from myst_nb.sphinx_ import NbMetadataCollector, SelectMimeType
from sphinx.transforms.post_transforms import SphinxPostTransform

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


def setup(app):
    """Register with Sphinx."""
    app.add_post_transform(KeepStill)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
