"""FIRE: a small network reads the distance, as a fraction of the longest one the query can see.

Next to ALiBi in the chapter ``relative/alibi``.
"""

import numpy as np

from pe_lib import _checks, _offsets

# Distances taken at a time, for the hidden units of all of them together would outgrow the bias.
_BLOCK = 2**14


def normalized_distance(query_positions, key_positions, *, c, threshold):
    r"""Distance to each key on a logarithmic scale, as a fraction of the query's own position.

    .. math:: \frac{\psi(m - n)}{\psi(\max(L, m))}, \qquad \psi(x) = \ln(c x + 1)

    For a key that a causal mask lets through it is a number from 0 to 1, at any length: longer
    sequences interpolate. Up to the threshold it depends on the offset alone; for queries beyond
    it no more, so FIRE is no function of the offset.

    Parameters
    ----------
    query_positions : array_like of int or float, shape (Tq,)
    key_positions : array_like of int or float, shape (Tk,)
        In tokens, from 0 on: the position m stands for the number of tokens before the query.
    c : float
        Learned, from 1e-100 to 1e100, per token: how much finer near distances are told apart.
    threshold : float
        L, learned, from 1e-100 to 1e100, in tokens: queries before it are not normalized by their
        own position.

    Returns
    -------
    ndarray, shape (Tq, Tk), float64, read-only
        For keys after their query, which the paper does not define, it is taken of the distance
        \|m - n\| and may exceed 1; a causal mask must hide them. As long as no query stands beyond
        the threshold, a view on Tq + Tk - 1 numbers for consecutive positions.

    Raises
    ------
    TypeError, ValueError
        If positions are not one sequence of finite numbers from 0 to 2**28, or ``c`` or
        ``threshold`` is not a number in its range.

    References
    ----------
    Li et al. (2024), section 3. Code in use adds 1e-6 to the denominator, which is never 0. In the
    book: chapter ``relative/alibi``.

    Examples
    --------
    >>> normalized_distance([3, 15], [0, 1, 3], c=1, threshold=3).round(4).tolist()
    [[1.0, 0.7925, 0.0], [1.0, 0.9767, 0.9251]]
    """
    return _of_distances(query_positions, key_positions, c, threshold, np.atleast_2d)[0]


def bias(
    query_positions,
    key_positions,
    num_heads,
    *,
    c,
    threshold,
    hidden_weight,
    hidden_bias,
    output_weight,
    output_bias,
):
    r"""Bias that a network with one hidden layer makes of each normalized distance.

    .. math:: B_{h, m, n} = b'_h + \sum_u v_{h u} \max(0, w_u x_{m n} + b_u)

    with x the :func:`pe_lib.fire.normalized_distance`.

    Parameters
    ----------
    query_positions, key_positions, c, threshold
        As in :func:`pe_lib.fire.normalized_distance`.
    num_heads : int
    hidden_weight, hidden_bias : array_like of float, shape (M,)
        w and b, for M hidden units (32 in the paper).
    output_weight : array_like of float, shape (num_heads, M)
    output_bias : array_like of float, shape (num_heads,)

    Returns
    -------
    ndarray, shape (num_heads, Tq, Tk), float64, read-only
        In logits. Beyond the threshold a dense array; up to it, for consecutive positions, a view
        that stores num_heads (Tq + Tk - 1) numbers.

    Raises
    ------
    TypeError, ValueError
        As :func:`pe_lib.fire.normalized_distance`, and if ``num_heads`` is not a positive integer,
        a weight is not finite or not of its shape, or a bias overflows.

    References
    ----------
    Li et al. (2024), section 3. In the book: chapter ``relative/alibi``.

    Examples
    --------
    A network that passes its input on, with the weight -1:

    >>> weights = dict(hidden_weight=[1], hidden_bias=[0], output_weight=[[-1]], output_bias=[0])
    >>> bias([3], [0, 1, 3], 1, c=1, threshold=3, **weights).round(4).tolist()
    [[[-1.0, -0.7925, 0.0]]]
    """
    num_heads = _checks.integer("num_heads", num_heads, minimum=1)
    w = _array("hidden_weight", hidden_weight, (None,))[:, None]
    b = _array("hidden_bias", hidden_bias, (len(w),))[:, None]
    v = _array("output_weight", output_weight, (num_heads, len(w)))
    b_out = _array("output_bias", output_bias, (num_heads,))[:, None]

    def network(x):
        biases = np.empty((num_heads, len(x)))
        for start in range(0, len(x), _BLOCK):
            part = slice(start, start + _BLOCK)
            with np.errstate(over="ignore", invalid="ignore"):  # refused in the last line
                biases[:, part] = v @ np.maximum(w * x[part] + b, 0) + b_out
        return _checks.finite("the weights must be small enough that no bias overflows", biases)

    return _of_distances(query_positions, key_positions, c, threshold, network)


def _of_distances(query_positions, key_positions, c, threshold, function):
    """``function`` of the normalized distances: from shape (N,) to (H, N), hence to (H, Tq, Tk)."""
    queries = _line("query_positions", query_positions)
    keys = _line("key_positions", key_positions)
    c, threshold = _rate("c", c), _rate("threshold", threshold)
    longest = np.log1p(c * np.maximum(queries, threshold))[:, None]
    if queries.max() <= threshold:  # one normalizer for all: the offset decides alone
        return _offsets.bias(
            queries, keys, lambda k: function(np.log1p(c * np.abs(k)) / longest[0])
        )
    distances = np.log1p(c * np.abs(keys - queries[:, None])) / longest
    matrix = function(distances.ravel()).reshape(-1, *distances.shape)
    matrix.flags.writeable = False
    return matrix


def _line(name, value):
    """Positions of one sequence, counted from 0."""
    positions = _checks.shape(name, _checks.positions(name, value), (None,))
    if positions.min() < 0:
        raise ValueError(f"{name} must be at least 0, got {positions.min()}")
    return positions


def _rate(name, value):
    """A positive number, so far from 0 and infinity that products with positions are too."""
    number = _checks.scalar(name, value)
    if not 1e-100 <= number <= 1e100:
        raise ValueError(f"{name} must lie between 1e-100 and 1e100, got {number}")
    return number


def _array(name, value, shape):
    """Weights of the wanted shape."""
    return _checks.shape(name, _checks.float_array(name, value).astype(np.float64), shape)
