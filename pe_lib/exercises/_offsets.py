"""What the exercises about a head that looks back share."""

import numpy as np

from pe_lib import rope


def offset_scores(q, k, omega, offsets):
    """Scores of a query and a key at each offset, in the half layout."""
    keys = rope.rotate(np.tile(k, (len(offsets), 1)), offsets, omega, layout="half")
    return keys @ q


def leads(scores, chosen):
    """Whether the score that a mask chooses is above all others by more than rounding makes."""
    return scores[chosen].min() - scores[~chosen].max() > 1e-9 * np.abs(scores).max()
