"""The book's figures: each is one call, ``plots.<name>(ax, ...)``, on axes from :func:`figure`.

One module per chapter; the look of all of them is in ``style``.
"""

from pe_lib.plots.equivariance import (
    attention_map,
    attention_permuted,
    prefix_weights,
    symmetry_errors,
)
from pe_lib.plots.style import COLORS, DIVERGING, SEQUENTIAL, figure

__all__ = [
    "COLORS",
    "DIVERGING",
    "SEQUENTIAL",
    "attention_map",
    "attention_permuted",
    "figure",
    "prefix_weights",
    "symmetry_errors",
]
