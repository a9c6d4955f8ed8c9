"""The book's figures: each is one call, ``plots.<name>(ax, ...)``, on axes from :func:`figure`.

One module per chapter; the look of all of them is in ``style``.
"""

from pe_lib.plots.alibi import (
    bias_and_attention,
    decay_of_biases,
    slopes_of_heads,
    weight_beyond,
)
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
    "bias_and_attention",
    "clock_rows",
    "code_maps",
    "decay_of_biases",
    "eigenvalues",
    "figure",
    "fitted_scores",
    "mean_score_and_bound",
    "pair_waves",
    "prefix_weights",
    "previous_token_scores",
    "rope_arrows",
    "rope_matrices",
    "sampled_waves",
    "seen_and_met",
    "separations",
    "shift_matrices",
    "slopes_of_heads",
    "symmetry_errors",
    "turning_pairs",
    "turns_per_pair",
    "wavelengths",
    "weight_beyond",
]
