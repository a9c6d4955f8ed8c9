"""KERPLE: biases that fall with distance like a logarithm or a power, at a rate learned per head.

Kernels of the distance for which attention stays an inner product. Next to ALiBi, which is the
power 1, in the chapter ``relative/alibi``.
"""

import numpy as np

from pe_lib import _checks, _offsets


def log_bias(query_positions, key_positions, num_heads, *, p, a):
    r"""Bias that falls like the logarithm of the distance.

    .. math:: B_{h, m, n} = -p_h \ln(1 + a_h |n - m|)

    Attention weights fall like a power, :math:`(1 + a |n - m|)^{-p}`.

    Parameters
    ----------
    query_positions : array_like of int or float, shape (Tq,)
    key_positions : array_like of int or float, shape (Tk,)
        In tokens.
    num_heads : int
    p, a : float or array_like of float, shape (num_heads,)
        Learned, greater than 0; ``p`` in logits, ``a`` per token. The paper names them
        :math:`r_1` and :math:`r_2`.

    Returns
    -------
    ndarray, shape (num_heads, Tq, Tk), float64, read-only
        In logits, the same before and after the query. For consecutive positions a view that stores
        num_heads (Tq + Tk - 1) numbers.

    Raises
    ------
    TypeError, ValueError
        If positions are not one sequence of finite numbers within +-2**28; if ``num_heads`` is not
        a positive integer; if ``p`` or ``a`` is not positive, not of that shape or so large that a
        bias overflows.

    References
    ----------
    Chi et al. (2022), section 4, logarithmic variant. In the book: chapter ``relative/alibi``.

    Examples
    --------
    >>> log_bias([2], [0, 1, 2], 1, p=1, a=1).round(4).tolist()
    [[[-1.0986, -0.6931, 0.0]]]
    """
    num_heads = _checks.integer("num_heads", num_heads, minimum=1)
    p, a = _per_head("p", p, num_heads), _per_head("a", a, num_heads)
    return _bias(query_positions, key_positions, lambda distance: p * np.log1p(a * distance))


def power_bias(query_positions, key_positions, num_heads, *, p, a):
    r"""Bias that falls like a power of the distance.

    .. math:: B_{h, m, n} = -a_h |n - m|^{p_h}, \qquad 0 < p_h \le 2

    Parameters
    ----------
    query_positions, key_positions, num_heads
        As in :func:`pe_lib.kerple.log_bias`.
    p, a : float or array_like of float, shape (num_heads,)
        Learned, greater than 0; ``p`` at most 2, beyond which the kernel is no longer conditionally
        positive definite; ``a`` in logits. The paper names them :math:`r_2` and :math:`r_1`.

    Returns
    -------
    ndarray, shape (num_heads, Tq, Tk), float64, read-only
        As :func:`pe_lib.kerple.log_bias`. With p = 1 and ALiBi's slopes as ``a`` it is
        :func:`pe_lib.alibi.bias` with ``symmetric=True``.

    Raises
    ------
    TypeError, ValueError
        As :func:`pe_lib.kerple.log_bias`, and if ``p`` is greater than 2.

    References
    ----------
    Chi et al. (2022), section 4, power variant. In the book: chapter ``relative/alibi``.

    Examples
    --------
    >>> power_bias([2], [0, 1, 2], 2, p=[1, 2], a=0.5).tolist()
    [[[-1.0, -0.5, 0.0]], [[-2.0, -0.5, 0.0]]]
    """
    num_heads = _checks.integer("num_heads", num_heads, minimum=1)
    p, a = _per_head("p", p, num_heads), _per_head("a", a, num_heads)
    if p.max() > 2:
        raise ValueError(f"p must be at most 2, got {p.max()}")
    return _bias(query_positions, key_positions, lambda distance: a * distance**p)


def _per_head(name, value, num_heads):
    """Positive numbers, one per head, as a column (H, 1)."""
    array = _checks.real_array(name, value)
    _checks.broadcastable(name, array.shape, (num_heads,))
    if array.min() <= 0:
        raise ValueError(f"{name} must be greater than 0, got {array.min()}")
    return np.broadcast_to(array, (num_heads,))[:, None]


def _bias(query_positions, key_positions, penalty):
    """Minus a penalty of the distance; 0 at distance 0, not -0."""

    def of_offsets(offsets):
        with np.errstate(over="ignore"):  # refused in the next line
            penalties = penalty(np.abs(offsets))
        return 0 - _checks.finite("p and a must be small enough that no bias overflows", penalties)

    return _offsets.bias(query_positions, key_positions, of_offsets)
