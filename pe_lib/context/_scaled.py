"""What every method of this package gives, and the checks and the blend that they share."""

from typing import NamedTuple

import numpy as np

from pe_lib import _checks


class Scaled(NamedTuple):
    """Frequencies for a longer context, with the factor on what they rotate.

    Attributes
    ----------
    frequencies : ndarray, shape (D/2,), float64
        In rad per token, for :func:`pe_lib.rope.rotate`.
    attention_factor : float
        Multiplies the cosines and sines, that is, rotated queries and rotated keys alike:
        ``scaled.attention_factor * rope.rotate(x, positions, scaled.frequencies, layout=...)``.
        A score, the product of a query and a key, gets its square.
    """

    frequencies: np.ndarray
    attention_factor: float


def checked_frequencies(value):
    """Return ``value`` as a float64 array, shape (D/2,), of frequencies from 0 to 2**28."""
    array = _checks.shape("frequencies", _checks.real_array("frequencies", value), (None,))
    if array.size == 0:
        raise ValueError("frequencies must not be empty, got shape (0,)")
    if array.min() < 0:
        raise ValueError(f"frequencies must not be negative, got {array.min()}")
    if array.max() > _checks.MAX_POSITION:
        raise ValueError(f"frequencies must be at most 2**28 rad per token, got {array.max()}")
    return array


def at_least(name, value, minimum):
    """Return ``value`` as a finite float, ``minimum`` or larger."""
    number = _checks.scalar(name, value)
    if number < minimum:
        raise ValueError(f"{name} must be at least {minimum}, got {value!r}")
    return number


def turns(frequencies, length):
    """Full turns that each pair makes in ``length`` tokens."""
    return frequencies * (length / (2 * np.pi))


def blend(frequencies, factor, keep):
    """Frequencies kept where ``keep`` is 1, divided by ``factor`` where it is 0.

    Between, (1 - keep) w / factor + keep w, written as one division: it is exact at both ends and
    for factor 1, and subtracts nothing.
    """
    return frequencies / (factor / (1 + keep * (factor - 1)))
