"""What all interactive figures share: the bundle, the colors, the still picture."""

import contextlib
from pathlib import Path

import anywidget
import traitlets

from pe_lib.plots.style import COLORS, DIVERGING, SEQUENTIAL

#: Names of COLORS that the figures draw with; the two maps are sent as their three stops.
_USED = ("sinusoidal", "rope", "alibi", "sine", "cosine", "query", "key")


def _stops(colormap):
    """Low, middle and high color of a map, as hex strings."""
    return [
        "#" + "".join(f"{round(255 * c):02x}" for c in colormap(x)[:3]) for x in (0.0, 0.5, 1.0)
    ]


class InteractiveFigure(anywidget.AnyWidget):
    """A figure that answers its controls, with a still picture of its present state.

    A subclass sets ``figure``, the name under which ``src/index.js`` knows it; ``room``, the CSS
    heights that it needs at most in a wide and in a narrow column, which a page keeps free for it;
    lists in ``_settings`` the traits that its repr shows; and draws its still in :meth:`still`.
    """

    _esm = Path(__file__).parent / "static" / "figures.js"
    _settings = ()

    figure = traitlets.Unicode(read_only=True).tag(sync=True)
    room = traitlets.Dict(read_only=True).tag(sync=True)
    colors = traitlets.Dict(read_only=True).tag(sync=True)

    @traitlets.default("colors")
    def _default_colors(self):
        maps = {"diverging": _stops(DIVERGING), "sequential": _stops(SEQUENTIAL)}
        return {name: COLORS[name] for name in _USED} | maps

    def still(self):
        """Draw the present state; return a :class:`pe_lib.plots.style.Figure`."""
        raise NotImplementedError

    def __repr__(self):
        settings = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._settings)
        return f"{type(self).__name__}({settings})"

    def _repr_mimebundle_(self, **kwargs):
        data, metadata = super()._repr_mimebundle_(**kwargs)
        return data | {"image/svg+xml": self.still().svg()}, metadata


@contextlib.contextmanager
def trait_errors():
    """Report what ``_checks`` refuses the way traits do."""
    try:
        yield
    except (TypeError, ValueError) as error:
        raise traitlets.TraitError(str(error)) from None
