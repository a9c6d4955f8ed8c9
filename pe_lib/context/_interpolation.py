"""Position interpolation and the change of base: one rule for all pairs of channels.

The subject of the chapter ``context/interpolation``.
"""

import numpy as np

from pe_lib import _checks
from pe_lib.context._scaled import Scaled, at_least, checked_frequencies
from pe_lib.frequencies import frequencies as geometric


def linear(frequencies, *, factor):
    r"""Position interpolation: every pair turns slower by the same factor.

    .. math:: \omega'_i = \omega_i / s

    The same as dividing positions by s: a context s times as long meets the angles that the
    trained one has met, s times as densely.

    Parameters
    ----------
    frequencies : array_like of float, shape (D/2,)
        In rad per token, usually ``pe_lib.frequencies(D, base=...)``.
    factor : float
        s, at least 1.

    Returns
    -------
    Scaled
        Frequencies in float64, whatever the input's, and attention factor 1.

    Raises
    ------
    TypeError, ValueError
        If frequencies are not one row of finite numbers from 0 to 2**28, or ``factor`` not a
        finite number of at least 1.

    References
    ----------
    Chen et al. (2023), section 2.3. In the book: chapter ``context/interpolation``.

    Examples
    --------
    >>> linear([1.0, 0.1, 0.01], factor=4).frequencies.tolist()
    [0.25, 0.025, 0.0025]
    """
    return Scaled(checked_frequencies(frequencies) / at_least("factor", factor, 1), 1.0)


def ntk(dim, *, base=10_000.0, factor):
    r"""NTK-aware scaling: a larger base, so that slow pairs slow down and fast ones hardly do.

    .. math:: \mathrm{base}' = \mathrm{base} \cdot s^{d / (d - 2)}, \qquad
        \omega'_i = \omega_i \, s^{-2i / (d - 2)}

    The exponent keeps the fastest pair and divides the slowest by exactly s.

    Parameters
    ----------
    dim : int
        Number of rotated channels d, even and at least 4: with a single pair the fastest is the
        slowest.
    base : float
        Greater than 1.
    factor : float
        s, at least 1; also written alpha.

    Returns
    -------
    Scaled
        Attention factor 1.

    Raises
    ------
    TypeError, ValueError
        If ``dim`` is not an even integer of at least 4, ``base`` not a finite number above 1,
        ``factor`` not one of at least 1, or the new base not finite.

    References
    ----------
    bloc97 (2023); Peng et al. (2024), section 3. In the book: chapter
    ``context/interpolation``.

    Examples
    --------
    >>> ntk(8, factor=8).frequencies.round(6).tolist()
    [1.0, 0.05, 0.0025, 0.000125]
    """
    return Scaled(_with_base_times(dim, base, at_least("factor", factor, 1)), 1.0)


def dynamic_ntk(dim, *, base=10_000.0, factor, max_position_embeddings, length):
    r"""NTK-aware scaling whose factor grows with the sequence, from 1 at the trained length.

    .. math:: s' = 1 + s \left(\frac{\max(L, M)}{M} - 1\right), \qquad
        \mathrm{base}' = \mathrm{base} \cdot s'^{\, d / (d - 2)}

    All queries and keys of a sequence need the frequencies of *its* length L. A cache of keys
    that were rotated when the sequence was shorter disagrees with them.

    Parameters
    ----------
    dim : int
        Number of rotated channels d, even and at least 4.
    base : float
        Greater than 1.
    factor : float
        s, at least 1. With s = 1 the base still grows beyond M: by L/M, just enough.
    max_position_embeddings : int
        M, the trained length in tokens.
    length : int
        L, in tokens: one more than the largest position of the sequence.

    Returns
    -------
    Scaled
        The unscaled frequencies where length <= max_position_embeddings. Attention factor 1.

    Raises
    ------
    TypeError, ValueError
        As :func:`pe_lib.context.ntk`, and if a length is not a positive integer.

    References
    ----------
    emozilla (2023); Peng et al. (2024), section 3. In the book: chapter
    ``context/interpolation``.

    Examples
    --------
    >>> dynamic_ntk(
    ...     4, factor=2, max_position_embeddings=100, length=100
    ... ).frequencies.round(6).tolist()
    [1.0, 0.01]
    >>> dynamic_ntk(
    ...     4, factor=2, max_position_embeddings=100, length=150
    ... ).frequencies.round(6).tolist()
    [1.0, 0.005]
    """
    factor = at_least("factor", factor, 1)
    trained = _checks.integer("max_position_embeddings", max_position_embeddings, minimum=1)
    beyond = max(_checks.integer("length", length, minimum=1) - trained, 0)
    return Scaled(_with_base_times(dim, base, 1 + factor * (beyond / trained)), 1.0)


def _with_base_times(dim, base, factor):
    """Frequencies for the base that divides the slowest one by ``factor``."""
    dim = _checks.even_dim(dim)
    if dim < 4:
        raise ValueError(f"dim must be at least 4, got {dim}")
    base = np.float64(_checks.scalar("base", base, above=1))
    with np.errstate(over="ignore"):  # refused in the next line
        larger = base * np.float64(factor) ** (dim / (dim - 2))
    _checks.finite("factor must be small enough that the scaled base is finite", larger)
    return geometric(dim, base=larger)
