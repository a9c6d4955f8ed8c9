"""One query looks back: the slope of a head decides how far its attention reaches."""

import numpy as np
import traitlets

from pe_lib import _checks, alibi, attention
from pe_lib.plots import stills
from pe_lib.widgets._figure import InteractiveFigure, trait_errors

#: Largest number of heads, farthest query in tokens, largest extra score in logits.
MOST_HEADS, LAST, MOST_EXTRA = 128, 4096, 12.0


class AlibiHeads(InteractiveFigure):
    """The attention of one ALiBi head, by distance, and what lies beyond a distance.

    All keys score alike, except that one of them may fit the query better.

    Parameters
    ----------
    num_heads : int
        H, 1 to 128.
    head : int
        Which head is shown, counted from 0.
    query_position : int
        m, in tokens, 0 to 4096; the query sees the keys 0, ..., m.
    distance : int
        t, in tokens, at most m: marks the key at m - t.
    extra : float
        Score of that key beyond that of all others, 0 to 12 logits.

    Raises
    ------
    traitlets.TraitError
        If a value is out of its range.

    Examples
    --------
    >>> heads = AlibiHeads(num_heads=8, head=7, query_position=4096, distance=1024)
    >>> round(heads.half_life(), 2)
    177.45
    >>> heads.beyond() < heads.bound() < 0.02
    True
    """

    _settings = ("num_heads", "head", "query_position", "distance", "extra")

    figure = traitlets.Unicode("alibi", read_only=True).tag(sync=True)
    room = traitlets.Dict({"wide": "39.5rem", "narrow": "52.5rem"}, read_only=True).tag(sync=True)
    num_heads = traitlets.Int(8).tag(sync=True)
    head = traitlets.Int(3).tag(sync=True)
    query_position = traitlets.Int(100).tag(sync=True)
    distance = traitlets.Int(40).tag(sync=True)
    extra = traitlets.Float(0.0).tag(sync=True)

    @traitlets.validate("num_heads", "head")
    def _check_heads(self, proposal):
        both = {"num_heads": self.num_heads, "head": self.head, proposal.trait.name: proposal.value}
        with trait_errors():
            num_heads = _checks.integer("num_heads", both["num_heads"], minimum=1)
            head = _checks.integer("head", both["head"], minimum=0)
        if num_heads > MOST_HEADS:
            raise traitlets.TraitError(f"num_heads must be at most {MOST_HEADS}, got {num_heads}")
        if head >= num_heads:
            raise traitlets.TraitError(f"head must be below num_heads = {num_heads}, got {head}")
        return proposal.value

    @traitlets.validate("query_position", "distance")
    def _check_tokens(self, proposal):
        both = {
            "query_position": self.query_position,
            "distance": self.distance,
            proposal.trait.name: proposal.value,
        }
        with trait_errors():
            last = _checks.integer("query_position", both["query_position"], minimum=0)
            distance = _checks.integer("distance", both["distance"], minimum=0)
        if last > LAST:
            raise traitlets.TraitError(f"query_position must be at most {LAST}, got {last}")
        if distance > last:
            raise traitlets.TraitError(
                f"distance must be at most query_position = {last}, got {distance}"
            )
        return proposal.value

    @traitlets.validate("extra")
    def _check_extra(self, proposal):
        if not 0 <= proposal.value <= MOST_EXTRA:
            raise traitlets.TraitError(
                f"extra must lie between 0 and {MOST_EXTRA:g}, got {proposal.value}"
            )
        return proposal.value

    def slope(self):
        """Return the slope of the shown head, in logits per token."""
        return float(alibi.slopes(self.num_heads)[self.head])

    def half_life(self):
        """Return the distance in tokens over which a weight halves, for equal scores."""
        return float(np.log(2) / self.slope())

    def weights(self):
        """Return the attention weights by distance, the query's own key first."""
        keys = np.arange(self.query_position + 1)
        bias = alibi.bias([self.query_position], keys, self.num_heads)[self.head, 0]
        scores = bias[::-1].copy()
        scores[self.distance] += self.extra
        return attention.softmax(scores)

    def weight(self):
        """Return the weight of the marked key."""
        return float(self.weights()[self.distance])

    def beyond(self):
        """Return the weight of all keys at the marked distance and beyond."""
        return float(self.weights()[self.distance :].sum())

    def bound(self):
        """Return the bound on it that holds at any length, for scores that differ by ``extra``."""
        power = np.exp(-self.slope() * self.distance)
        return float(np.exp(self.extra) * power / (1 + np.expm1(self.extra) * power))

    def still(self):
        """Draw the present state."""
        return stills.alibi_heads(
            alibi.slopes(self.num_heads),
            self.head,
            self.query_position,
            self.distance,
            self.extra,
            self.weights(),
        )
