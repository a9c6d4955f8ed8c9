"""Reorder the tokens of a sentence and watch attention follow, blind to the order."""

import numpy as np
import traitlets

from pe_lib import attention, sinusoidal
from pe_lib.plots import stills
from pe_lib.widgets._figure import InteractiveFigure

_DIM = 4


class PermutationPlayground(InteractiveFigure):
    """Self-attention on a sentence whose tokens the reader moves.

    Parameters
    ----------
    tokens : sequence of str
        2 to 7 words; equal words get equal embeddings.
    order : sequence of int
        ``order[i]`` is the token, counted in ``tokens``, that stands at place i.
    encoding : bool
        Add the sinusoidal code of each place to the embedding of the token that stands there.
    causal : bool
        Let each place attend only to itself and to the places before it.

    Raises
    ------
    traitlets.TraitError
        If there are too few or too many tokens, or ``order`` is not a permutation of them.

    Notes
    -----
    Embeddings and projections (all with D = 4) are seeded random numbers of two decimals; they
    are the traits ``embeddings``, ``w_q``, ``w_k``, ``w_v``.

    Examples
    --------
    >>> playground = PermutationPlayground(order=[3, 4, 2, 0, 1])
    >>> playground.sentence
    'your mouse chases my cat'
    >>> playground.difference() < 1e-14
    True
    >>> playground.encoding = True
    >>> playground.difference() > 0.1
    True
    """

    _settings = ("tokens", "order", "encoding", "causal")

    figure = traitlets.Unicode("permutation", read_only=True).tag(sync=True)
    tokens = traitlets.List(traitlets.Unicode(), read_only=True).tag(sync=True)
    order = traitlets.List(traitlets.Int()).tag(sync=True)
    encoding = traitlets.Bool(False).tag(sync=True)
    causal = traitlets.Bool(False).tag(sync=True)
    embeddings = traitlets.List(read_only=True).tag(sync=True)
    w_q = traitlets.List(read_only=True).tag(sync=True)
    w_k = traitlets.List(read_only=True).tag(sync=True)
    w_v = traitlets.List(read_only=True).tag(sync=True)

    def __init__(self, tokens=("my", "cat", "chases", "your", "mouse"), **traits):
        tokens = list(tokens)
        if not 2 <= len(tokens) <= 7:
            raise traitlets.TraitError(f"tokens must be 2 to 7 words, got {len(tokens)}")
        rng = np.random.default_rng(0)
        words = list(dict.fromkeys(tokens))
        of_word = dict(zip(words, _rounded(rng, len(words), 1.0), strict=True))
        fixed = {"tokens": tokens, "embeddings": [of_word[token] for token in tokens]}
        rows = len(tokens)
        fixed["room"] = {"wide": f"{14 + 2.4 * rows}rem", "narrow": f"{25.5 + 4.5 * rows}rem"}
        fixed |= {name: _rounded(rng, _DIM, 0.5) for name in ("w_q", "w_k", "w_v")}
        for name, value in fixed.items():
            self.set_trait(name, value)
        super().__init__(**{"order": list(range(len(tokens)))} | traits)

    @traitlets.validate("order")
    def _check_order(self, proposal):
        order = list(proposal.value)
        if sorted(order) != list(range(len(self.tokens))):
            raise traitlets.TraitError(
                f"order must contain each of 0 to {len(self.tokens) - 1} once, got {order}"
            )
        return order

    @property
    def sentence(self):
        """The tokens in their present order."""
        return " ".join(self.tokens[token] for token in self.order)

    def weights(self):
        """Return the attention weights in the present order, shape (T, T)."""
        return self._attend(self.order)[0]

    def output(self):
        """Return the output of the present order, f(PX), shape (T, 4)."""
        return self._attend(self.order)[1]

    def expected(self):
        """Return P f(X), the original output with its rows moved along, shape (T, 4)."""
        return self._attend(range(len(self.tokens)))[1][self.order]

    def difference(self):
        """Return the largest entry of abs(f(PX) - P f(X))."""
        return float(np.abs(self.output() - self.expected()).max())

    def still(self):
        """Draw the present state."""
        return stills.permutation_playground(
            [self.tokens[token] for token in self.order],
            self.weights(),
            self.output(),
            self.expected(),
        )

    def _attend(self, order):
        x = np.array(self.embeddings)[list(order)]
        if self.encoding:
            x = x + sinusoidal.encode(np.arange(len(x)), _DIM, layout="interleaved")
        q, k, v = (x @ np.array(w) for w in (self.w_q, self.w_k, self.w_v))
        mask = attention.causal_mask(len(x)) if self.causal else None
        return attention.weights(q, k, mask=mask), attention.attention(q, k, v, mask=mask)


def _rounded(rng, rows, scale):
    """Make random numbers of two decimals, as nested lists of shape (rows, 4)."""
    return (rng.standard_normal((rows, _DIM)) * scale).round(2).tolist()
