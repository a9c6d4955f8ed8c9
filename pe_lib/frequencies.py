"""The geometric row of frequencies that sinusoidal and rotary encodings share."""

import numpy as np

from pe_lib import _checks


def frequencies(dim, *, base=10_000.0):
    r"""Frequencies of the channel pairs, from fast to slow.

    .. math:: \omega_i = \mathrm{base}^{-2i/d}, \qquad i = 0, \dots, d/2 - 1

    Parameters
    ----------
    dim : int
        Number of channels d, positive and even.
    base : float
        Greater than 1. Pair i has wavelength 2 pi base^(2i/d) tokens.

    Returns
    -------
    ndarray, shape (dim/2,), float64
        In rad per token; the first is 1, each the same factor below the one before.
        Within 2 ulp of the exact value.

    Raises
    ------
    TypeError, ValueError
        If ``dim`` is not a positive even integer or ``base`` not a finite number above 1.

    References
    ----------
    Vaswani et al. (2017), section 3.5. In the book: chapter
    ``sinusoid/construction``, equation ``eq-geometric-row``.

    Examples
    --------
    >>> frequencies(8).round(6).tolist()
    [1.0, 0.1, 0.01, 0.001]
    """
    dim = _checks.even_dim(dim)
    base = _checks.scalar("base", base, above=1)
    channels = np.arange(0, dim, 2, dtype=np.float64)
    exponents = -channels / dim
    # base**exponent multiplies the exponent's rounding by ln(base), which alone costs up to
    # 8 ulp. The rounding is known exactly: split the exponent so that both products with dim
    # are exact, subtract, and correct the power to first order.
    high = exponents.astype(np.float32).astype(np.float64)
    rounding = ((-channels - high * dim) - (exponents - high) * dim) / dim
    return np.power(base, exponents) * (1.0 + np.log(base) * rounding)
