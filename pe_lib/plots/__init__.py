"""The book's figures: each is one call, ``plots.<name>(ax, ...)``, on axes from :func:`figure`.

One module per chapter; the look of all of them is in ``style``.
"""

from pe_lib.plots.construction import (
    clock_rows,
    code_maps,
    pair_waves,
    sampled_waves,
    separations,
    wavelengths,
)
from pe_lib.plots.equivariance import (
    attention_map,
    attention_permuted,
    prefix_weights,
    symmetry_errors,
)
from pe_lib.plots.rope import (
    added_and_rotated_scores,
    mean_score_and_bound,
    rope_arrows,
    rope_matrices,
)
from pe_lib.plots.style import COLORS, DIVERGING, SEQUENTIAL, figure
from pe_lib.plots.sum_angle import eigenvalues, shift_matrices, turning_pairs

__all__ = [
    "COLORS",
    "DIVERGING",
    "SEQUENTIAL",
    "added_and_rotated_scores",
    "attention_map",
    "attention_permuted",
    "clock_rows",
    "code_maps",
    "eigenvalues",
    "figure",
    "mean_score_and_bound",
    "pair_waves",
    "prefix_weights",
    "rope_arrows",
    "rope_matrices",
    "sampled_waves",
    "separations",
    "shift_matrices",
    "symmetry_errors",
    "turning_pairs",
    "wavelengths",
]
