"""Turn a query and a key by their positions: the score keeps only the offset."""

import numpy as np
import traitlets

from pe_lib import _checks, frequencies, rope
from pe_lib.plots import stills
from pe_lib.widgets._figure import InteractiveFigure, trait_errors

#: Last position on the dials, in tokens.
LAST = 32

_QUERY = np.array([1.2, 0.5, -0.4, 0.9, 0.5, -0.3, 0.2, 0.4])
#: The query as it would stand three tokens later, so that the score is highest for the key three
#: tokens before it.
_KEY = rope.rotate(_QUERY[None], 3, frequencies(8), layout="interleaved")[0].round(2)


class RopeDials(InteractiveFigure):
    """A query and a key on two dials, and their score.

    Parameters
    ----------
    query, key : sequence of float
        Vectors of the same even length; by default of length 8, and
        such that the score is highest at offset -3.
    query_position, key_position : int
        m and n, in tokens, 0 to 32.
    pair : int
        The channel pair that the dials show, counted from 0.

    Raises
    ------
    traitlets.TraitError
        If the vectors do not fit each other or a value is out of its range.

    Examples
    --------
    >>> dials = RopeDials(query_position=9, key_position=4)
    >>> before = dials.score()
    >>> dials.query_position, dials.key_position = 12, 7
    >>> abs(dials.score() - before) < 1e-12
    True
    """

    _settings = ("query_position", "key_position", "pair")

    figure = traitlets.Unicode("rope", read_only=True).tag(sync=True)
    room = traitlets.Dict({"wide": "42.5rem", "narrow": "64.5rem"}, read_only=True).tag(sync=True)
    query = traitlets.List(traitlets.Float(), read_only=True).tag(sync=True)
    key = traitlets.List(traitlets.Float(), read_only=True).tag(sync=True)
    query_position = traitlets.Int(9).tag(sync=True)
    key_position = traitlets.Int(4).tag(sync=True)
    pair = traitlets.Int(0).tag(sync=True)

    def __init__(self, query=_QUERY, key=_KEY, **traits):
        for name, value in (("query", query), ("key", key)):
            with trait_errors():
                vector = _checks.float_array(name, value)
                _checks.even_dim(vector.size)
            self.set_trait(name, vector.ravel().tolist())
        if len(self.query) != len(self.key):
            raise traitlets.TraitError(
                f"query and key must be equally long, got {len(self.query)} and {len(self.key)}"
            )
        super().__init__(**traits)

    @traitlets.validate("query_position", "key_position")
    def _check_position(self, proposal):
        if not 0 <= proposal.value <= LAST:
            raise traitlets.TraitError(
                f"{proposal.trait.name} must lie between 0 and {LAST}, got {proposal.value}"
            )
        return proposal.value

    @traitlets.validate("pair")
    def _check_pair(self, proposal):
        if not 0 <= proposal.value < len(self.query) // 2:
            raise traitlets.TraitError(
                f"pair must be at least 0 and below {len(self.query) // 2}, got {proposal.value}"
            )
        return proposal.value

    def frequencies(self):
        """Return the frequencies of all pairs, in rad per token."""
        return frequencies(len(self.query))

    def turned(self):
        """Return R(m) q and R(n) k, two arrays of shape (dim,)."""
        return self._turn(self.query, self.query_position), self._turn(self.key, self.key_position)

    def pair_score(self):
        """Return the shown pair's part of the score."""
        q, k = (vector[2 * self.pair : 2 * self.pair + 2] for vector in self.turned())
        return float(q @ k)

    def score(self):
        """Return the dot product of both turned vectors, before the division by sqrt(dim)."""
        q, k = self.turned()
        return float(q @ k)

    def score_from_offset(self):
        """Return the dot product q . R(n - m) k, in which only the offset stands."""
        offset = self.key_position - self.query_position
        return float(np.array(self.query) @ self._turn(self.key, offset))

    def still(self):
        """Draw the present state."""
        return stills.rope_dials(
            np.array(self.query),
            np.array(self.key),
            self.query_position,
            self.key_position,
            self.pair,
        )

    def _turn(self, vector, position):
        row = np.array([vector])
        return rope.rotate(row, position, self.frequencies(), layout="interleaved")[0]
