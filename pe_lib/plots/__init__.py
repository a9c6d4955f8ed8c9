"""The book's figures: each is one call, ``plots.<name>(ax, ...)``, on axes from :func:`figure`.

One module per chapter; the look of all of them is in ``style``.
"""

from pe_lib.plots.equivariance import (
    attention_map,
    attention_permuted,
    prefix_weights,
    symmetry_errors,
)
from pe_lib.plots.interpolation import (
    fitted_scores,
    previous_token_scores,
    seen_and_met,
    turns_per_pair,
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
    "eigenvalues",
    "figure",
    "fitted_scores",
    "mean_score_and_bound",
    "prefix_weights",
    "previous_token_scores",
    "rope_arrows",
    "rope_matrices",
    "seen_and_met",
    "shift_matrices",
    "symmetry_errors",
    "turning_pairs",
    "turns_per_pair",
]
