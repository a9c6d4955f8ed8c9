"""Choose channels, base and context, and walk along the positions: waves, clocks, wavelengths."""

import numpy as np
import traitlets

from pe_lib import _checks, frequencies, sinusoidal
from pe_lib.plots import stills
from pe_lib.widgets._figure import InteractiveFigure, trait_errors

#: Longest context, in tokens, and largest base.
LONGEST, LARGEST = 2**20, 1e9
#: At most so many pairs are shown.
ROWS = 8


class WaveExplorer(InteractiveFigure):
    """The pairs of a sinusoidal code as clocks beside their waves.

    Parameters
    ----------
    position : float
        p, in tokens, from 0 to ``context``.
    dim : int
        Number of channels, even, at most 512.
    base : float
        Above 1, at most 1e9.
    context : int
        Length of the stretch of positions that is shown, in tokens, 8 to 2**20.

    Raises
    ------
    traitlets.TraitError
        If a value is out of its range.

    Examples
    --------
    >>> WaveExplorer(dim=512, context=512).slow_pairs()
    133
    """

    _settings = ("position", "dim", "base", "context")

    figure = traitlets.Unicode("construction", read_only=True).tag(sync=True)
    room = traitlets.Dict({"wide": "44.5rem", "narrow": "63.5rem"}, read_only=True).tag(sync=True)
    position = traitlets.Float(4.0).tag(sync=True)
    dim = traitlets.Int(16).tag(sync=True)
    base = traitlets.Float(10_000.0).tag(sync=True)
    context = traitlets.Int(64).tag(sync=True)

    @traitlets.validate("position", "context")
    def _check_place(self, proposal):
        both = {"position": self.position, "context": self.context}
        both[proposal.trait.name] = proposal.value
        with trait_errors():
            context = _checks.integer("context", both["context"], minimum=8)
            position = _checks.scalar("position", both["position"])
        if context > LONGEST:
            raise traitlets.TraitError(f"context must be at most 2**20, got {context}")
        if not 0 <= position <= context:
            raise traitlets.TraitError(
                f"position must lie between 0 and context = {context}, got {position:g}"
            )
        return proposal.value

    @traitlets.validate("dim")
    def _check_dim(self, proposal):
        with trait_errors():
            dim = _checks.even_dim(proposal.value)
        if dim > 512:
            raise traitlets.TraitError(f"dim must be at most 512, got {dim}")
        return dim

    @traitlets.validate("base")
    def _check_base(self, proposal):
        with trait_errors():
            base = _checks.scalar("base", proposal.value, above=1)
        if base > LARGEST:
            raise traitlets.TraitError(f"base must be at most 1e9, got {base:g}")
        return base

    def wavelengths(self):
        """Return the wavelength of every pair, in tokens, shape (dim/2,)."""
        return 2 * np.pi / frequencies(self.dim, base=self.base)

    def slow_pairs(self):
        """Return how many pairs turn less than once within the context."""
        return int((self.wavelengths() > self.context).sum())

    def shown_pairs(self):
        """Return the pairs that have a row: all, or eight of them from the first to the last."""
        pairs = self.dim // 2
        rows = min(pairs, ROWS)
        return [int(row * (pairs - 1) / max(rows - 1, 1) + 0.5) for row in range(rows)]

    def code(self):
        """Return (sine, cosine) of the shown pairs at the position, shape (rows, 2)."""
        code = sinusoidal.encode(self.position, self.dim, base=self.base, layout="interleaved")
        return code.reshape(-1, 2)[self.shown_pairs()]

    def still(self):
        """Draw the present state."""
        return stills.wave_explorer(
            self.position, self.dim, self.base, self.context, self.shown_pairs()
        )
