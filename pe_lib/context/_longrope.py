"""LongRoPE: a divisor for each pair, found by search; one list for short texts, one for long.

The subject of the chapter ``context/scaling``.
"""

import math

from pe_lib import _checks
from pe_lib.context._scaled import Scaled, at_least, checked_frequencies


def longrope(
    frequencies,
    *,
    short_factor,
    long_factor,
    original_max_position_embeddings,
    max_position_embeddings=None,
    factor=None,
    attention_factor=None,
    length,
):
    r"""Divide each pair by its own factor, from the list that the sequence's length calls for.

    .. math:: \omega'_i = \frac{\omega_i}{\lambda_i}, \qquad
        \lambda = \begin{cases} \text{short\_factor} & L \le M \\ \text{long\_factor} & L > M
        \end{cases}, \qquad
        \text{attention factor} = \sqrt{1 + \frac{\ln s}{\ln M}}

    The whole sequence uses one list, and the attention factor does not change with it. When a
    text grows past M its cached keys were rotated by the other list and must be computed anew.

    Parameters
    ----------
    frequencies : array_like of float, shape (D/2,)
        In rad per token.
    short_factor, long_factor : array_like of float, shape (D/2,)
        Positive.
    original_max_position_embeddings : int
        M, the trained length in tokens, at least 2.
    max_position_embeddings : int, optional
        The extended length; s is its ratio to M. At least M.
    factor : float, optional
        s itself, at least 1. If both are given they must agree.
    attention_factor : float, optional
        Positive; given, it is taken as it is, and s is not needed.
    length : int
        L, in tokens: one more than the largest position of the sequence.

    Returns
    -------
    Scaled
        Frequencies in float64.

    Raises
    ------
    TypeError, ValueError
        If shapes differ, an argument breaks its rule, s is missing, or ``factor`` contradicts
        ``max_position_embeddings``.

    References
    ----------
    Ding et al. (2024), section 3; the attention factor as published with Phi-3, Abdin et al.
    (2024). In the book: chapter ``context/scaling``.

    Examples
    --------
    >>> lists = {"short_factor": [1.0, 1.25], "long_factor": [1.0, 50.0]}
    >>> longrope(
    ...     [1.0, 0.01], **lists, original_max_position_embeddings=4096, factor=4096, length=5000
    ... )
    Scaled(frequencies=array([1.e+00, 2.e-04]), attention_factor=1.4142135623730951)
    """
    omega = checked_frequencies(frequencies)
    short = _divisors("short_factor", short_factor, omega)
    long = _divisors("long_factor", long_factor, omega)
    original = _checks.integer(
        "original_max_position_embeddings", original_max_position_embeddings, minimum=2
    )
    extension = _extension(original, max_position_embeddings, factor)
    if attention_factor is not None:
        attention_factor = _checks.scalar("attention_factor", attention_factor, above=0)
    elif extension is None:
        raise ValueError(
            "factor or max_position_embeddings must be given: the attention factor is made of it"
        )
    else:
        attention_factor = math.sqrt(1 + math.log(extension) / math.log(original))
    long_text = _checks.integer("length", length, minimum=1) > original
    return Scaled(omega / (long if long_text else short), attention_factor)


def _extension(original, longest, factor):
    """How many times longer the context becomes; None if nothing tells."""
    if factor is not None:
        factor = at_least("factor", factor, 1)
    if longest is None:
        return factor
    longest = _checks.integer("max_position_embeddings", longest, minimum=original)
    ratio = longest / original
    if factor is not None and not math.isclose(factor, ratio, rel_tol=1e-6):
        raise ValueError(
            f"factor must agree with max_position_embeddings / original_max_position_embeddings "
            f"= {ratio}, got {factor}"
        )
    return ratio


def _divisors(name, value, omega):
    """One divisor for each pair, none so small that a frequency could overflow."""
    array = _checks.shape(name, _checks.real_array(name, value), omega.shape)
    if (small := array < 1e-100).any():
        raise ValueError(f"{name} must be positive (at least 1e-100), got {array[small][0]}")
    return array
