"""Attention with linear biases (ALiBi): each head discounts keys in proportion to their distance.

The subject of the chapter ``relative/alibi``.
"""

import numpy as np

from pe_lib import _checks, _offsets


def slopes(num_heads):
    r"""Slope of each head.

    .. math:: \mu_h = 2^{-8 (h + 1) / H}, \qquad h = 0, \dots, H - 1

    for H a power of two. For any other H the slopes of the next lower power of two P come first,
    then every second of the slopes for 2 P, from the steepest on.

    Parameters
    ----------
    num_heads : int
        H, at least 1.

    Returns
    -------
    ndarray, shape (H,), float64
        In logits per token. They fall by a constant factor, in two runs where H is no power of two;
        a checkpoint is trained with this order, so they must not be sorted.

    Raises
    ------
    TypeError, ValueError
        If ``num_heads`` is not a positive integer.

    References
    ----------
    Press, Smith and Lewis (2022), section 3; for other numbers of heads their code, ``get_slopes``
    in ``fairseq/models/transformer.py``. In the book: chapter ``relative/alibi``.

    Examples
    --------
    >>> slopes(4).tolist()
    [0.25, 0.0625, 0.015625, 0.00390625]
    >>> slopes(6).tolist()
    [0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125]
    """
    num_heads = _checks.integer("num_heads", num_heads, minimum=1)
    power = 2 ** (num_heads.bit_length() - 1)  # the largest power of two <= num_heads
    first = np.arange(1, power + 1) / power
    rest = np.arange(1, 2 * power, 2)[: num_heads - power] / (2 * power)
    return np.exp2(-8 * np.concatenate([first, rest]))


def bias(query_positions, key_positions, num_heads, *, symmetric=False):
    r"""Bias that grows more negative, head by head at its own slope, the further back a key stands.

    .. math:: B_{h, m, n} = \mu_h \, (n - m)

    Parameters
    ----------
    query_positions : array_like of int or float, shape (Tq,)
    key_positions : array_like of int or float, shape (Tk,)
        In tokens.
    num_heads : int
    symmetric : bool
        False: the published bias, for use under a causal mask; a key *after* its query would be
        rewarded. True: minus slope times distance, for encoders.

    Returns
    -------
    ndarray, shape (num_heads, Tq, Tk), float64, read-only
        In logits. For consecutive positions a view that stores num_heads (Tq + Tk - 1) numbers;
        ``.copy()`` makes a dense array to write to.

    Raises
    ------
    TypeError, ValueError
        If positions are not one sequence of finite numbers within +-2**28, ``num_heads`` is not a
        positive integer or ``symmetric`` not a bool.

    References
    ----------
    Press, Smith and Lewis (2022), section 3. In the book: chapter ``relative/alibi``.

    Examples
    --------
    >>> bias([0, 1, 2], [0, 1, 2], 8)[0].tolist()
    [[0.0, 0.5, 1.0], [-0.5, 0.0, 0.5], [-1.0, -0.5, 0.0]]
    >>> bias([2], [0, 1, 2], 8, symmetric=True)[0].tolist()
    [[-1.0, -0.5, 0.0]]
    """
    slope = slopes(num_heads)[:, None]
    if _checks.flag("symmetric", symmetric):
        return _offsets.bias(query_positions, key_positions, lambda k: slope * (0 - np.abs(k)))
    return _offsets.bias(query_positions, key_positions, lambda k: slope * k)
