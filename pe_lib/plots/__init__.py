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
    "mean_score_and_bound",
    "pair_waves",
    "prefix_weights",
    "rope_arrows",
    "rope_matrices",
    "sampled_waves",
    "separations",
    "shift_matrices",
    "slopes_of_heads",
    "symmetry_errors",
    "turning_pairs",
    "wavelengths",
    "weight_beyond",
]
