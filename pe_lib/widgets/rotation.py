"""Move a position and watch its code turn: PE(p + k) = M_k PE(p), pair by pair."""

import traitlets

from pe_lib import _checks, frequencies, sinusoidal
from pe_lib._layout import pair_slices
from pe_lib.plots import stills
from pe_lib.widgets._figure import InteractiveFigure, trait_errors

#: Farthest position and shift, in tokens.
LIMIT = 1000.0


class RotationExplorer(InteractiveFigure):
    """One pair of the sinusoidal code as an arrow, and the matrix that shifts it.

    Parameters
    ----------
    position, shift : float
        p and k, in tokens, within +-1000; fractions allowed.
    pair : int
        i, counted from 0, below ``dim / 2``.
    dim : int
        Number of channels, even, at most 512.

    Raises
    ------
    traitlets.TraitError
        If a value is out of its range.

    Examples
    --------
    >>> explorer = RotationExplorer(position=2, shift=0.5, pair=1, dim=8)
    >>> explorer.turned().round(12).tolist() == explorer.direct().round(12).tolist()
    True
    """

    _settings = ("position", "shift", "pair", "dim")

    figure = traitlets.Unicode("rotation", read_only=True).tag(sync=True)
    room = traitlets.Dict({"wide": "41.5rem", "narrow": "61.5rem"}, read_only=True).tag(sync=True)
    position = traitlets.Float(3.0).tag(sync=True)
    shift = traitlets.Float(2.0).tag(sync=True)
    pair = traitlets.Int(0).tag(sync=True)
    dim = traitlets.Int(16).tag(sync=True)

    @traitlets.validate("position", "shift")
    def _check_tokens(self, proposal):
        name = proposal.trait.name
        with trait_errors():
            value = _checks.scalar(name, proposal.value)
        if abs(value) > LIMIT:
            raise traitlets.TraitError(f"{name} must lie within +-{LIMIT:.0f}, got {value}")
        return value

    @traitlets.validate("pair", "dim")
    def _check_pair(self, proposal):
        both = {"pair": self.pair, "dim": self.dim, proposal.trait.name: proposal.value}
        with trait_errors():
            dim = _checks.even_dim(both["dim"])
            pair = _checks.integer("pair", both["pair"], minimum=0)
        if dim > 512:
            raise traitlets.TraitError(f"dim must be at most 512, got {dim}")
        if pair >= dim // 2:
            raise traitlets.TraitError(f"pair must be below dim/2 = {dim // 2}, got {pair}")
        return proposal.value

    def frequency(self):
        """Return the frequency of the pair, in rad per token."""
        return float(frequencies(self.dim)[self.pair])

    def code(self):
        """Return PE(p): the pair's two channels (sine, cosine) at the position, shape (2,)."""
        return self._channels(sinusoidal.encode(self.position, self.dim, layout="interleaved"))

    def direct(self):
        """Return PE(p + k), straight from the definition, shape (2,)."""
        moved = self.position + self.shift
        return self._channels(sinusoidal.encode(moved, self.dim, layout="interleaved"))

    def matrix(self):
        """Return the pair's block of M_k, shape (2, 2)."""
        whole = sinusoidal.shift_matrix(self.shift, self.dim, layout="interleaved")
        return self._channels(self._channels(whole).T).T

    def turned(self):
        """Return M_k PE(p), by turning, shape (2,)."""
        return self.matrix() @ self.code()

    def still(self):
        """Draw the present state."""
        return stills.rotation_explorer(
            self.position, self.shift, self.pair, self.dim, self.frequency(), self.matrix()
        )

    def _channels(self, rows):
        first, second = pair_slices(self.dim, "interleaved")
        channels = (range(self.dim)[first][self.pair], range(self.dim)[second][self.pair])
        return rows[list(channels)]
