"""Scaled dot-product attention, with a place for a position bias and for a mask.

The subject of the chapter ``why/equivariance``: nothing in here knows where a token stands.
"""

import numpy as np

from pe_lib import _checks


def softmax(scores, axis=-1):
    """Exponentials of the scores, normalized to sum to 1 along ``axis``.

    Parameters
    ----------
    scores : array_like of float, any shape
        In logits.
    axis : int

    Returns
    -------
    ndarray, same shape and dtype as ``scores``

    Raises
    ------
    TypeError, ValueError
        If scores are not finite numbers, or empty, or have no such axis. (A mask is an
        argument of :func:`weights`, not a score of minus infinity.)

    References
    ----------
    Vaswani et al. (2017), equation 1. In the book: chapter
    ``why/equivariance``, equation ``eq-attention``.

    Examples
    --------
    >>> softmax([0.0, 0.0]).tolist()
    [0.5, 0.5]
    """
    scores = _checks.float_array("scores", scores)
    return _softmax(scores, _checks.axis(axis, scores))


def weights(q, k, *, bias=None, mask=None):
    r"""Attention weights: how much each query takes from each key.

    .. math:: A = \mathrm{softmax}\left(q k^\top / \sqrt{D} + \mathrm{bias}\right)

    Parameters
    ----------
    q : array_like of float, shape (..., Tq, D)
    k : array_like of float, shape (..., Tk, D)
    bias : array_like of float, broadcasting to (..., Tq, Tk), optional
        In logits, added to the scaled scores.
    mask : array_like of bool, broadcasting to (..., Tq, Tk), optional
        True where a query may attend to a key.

    Returns
    -------
    ndarray, shape (..., Tq, Tk)
        Every row is non-negative and sums to 1.

    Raises
    ------
    TypeError, ValueError
        If shapes do not fit, a value or a score is not finite, the mask is not boolean, or a
        query may attend to nothing.

    References
    ----------
    Vaswani et al. (2017), equation 1. In the book: chapter
    ``why/equivariance``, equation ``eq-attention``.

    Examples
    --------
    >>> weights(np.zeros((1, 2)), np.ones((4, 2))).tolist()
    [[0.25, 0.25, 0.25, 0.25]]
    """
    q = _checks.float_array("q", q, min_ndim=2)
    k = _checks.float_array("k", k, min_ndim=2)
    if q.shape[-1] != k.shape[-1]:
        raise ValueError(
            f"q and k must have the same number of channels, got shapes {q.shape} and {k.shape}"
        )
    arrays = [q, k]
    scores = _scores(q, k)
    if bias is not None:
        bias = _checks.float_array("bias", bias, min_ndim=0)
        _checks.broadcastable("bias", bias.shape, scores.shape)
        arrays.append(bias)
        scores = scores + bias
    _checks.finite("q and k must be small enough that no score overflows", scores)
    if mask is not None:
        mask = _checks.boolean_array("mask", mask)
        _checks.broadcastable("mask", mask.shape, scores.shape)
        if not mask.any(axis=-1).all():
            raise ValueError(
                "mask must leave every query at least one key, got a row of only False"
            )
        scores = np.where(mask, scores, -np.inf)
    return _softmax(scores, axis=-1).astype(np.result_type(*arrays), copy=False)


def attention(q, k, v, *, bias=None, mask=None):
    """Each query's average of the values, taken with its attention weights.

    Parameters
    ----------
    q, k, bias, mask
        As in :func:`weights`.
    v : array_like of float, shape (..., Tk, Dv)

    Returns
    -------
    ndarray, shape (..., Tq, Dv)

    Raises
    ------
    TypeError, ValueError
        As :func:`weights`, and if ``v`` has not one row per key.

    References
    ----------
    Vaswani et al. (2017), equation 1. In the book: chapter
    ``why/equivariance``, equation ``eq-attention``.

    Examples
    --------
    >>> attention(np.zeros((1, 2)), np.ones((2, 2)), [[0.0], [1.0]]).tolist()
    [[0.5]]
    """
    v = _checks.float_array("v", v, min_ndim=2)
    a = weights(q, k, bias=bias, mask=mask)
    if v.shape[-2] != a.shape[-1]:
        raise ValueError(
            f"v must have one row per key, got {v.shape[-2]} rows for {a.shape[-1]} keys"
        )
    try:
        return a @ v
    except ValueError:
        raise ValueError(
            f"the leading axes of the weights and of v must broadcast, "
            f"got shapes {a.shape} and {v.shape}"
        ) from None


def causal_mask(length, *, past_length=0):
    """Mask that lets each query see its own key and those before it.

    Parameters
    ----------
    length : int
        Number of queries, at least 1; they stand at positions past_length, past_length + 1, ...
    past_length : int
        Number of keys already in a cache, standing before the first query.

    Returns
    -------
    ndarray of bool, shape (length, past_length + length)
        True where key position <= query position.

    Raises
    ------
    TypeError, ValueError
        If ``length`` is not a positive or ``past_length`` a negative integer.

    References
    ----------
    Vaswani et al. (2017), section 3.2.3. In the book: chapter ``why/equivariance``.

    Examples
    --------
    >>> causal_mask(2, past_length=1).astype(int).tolist()
    [[1, 1, 0], [1, 1, 1]]
    """
    length = _checks.integer("length", length, minimum=1)
    past_length = _checks.integer("past_length", past_length, minimum=0)
    query_positions = past_length + np.arange(length)
    return np.arange(past_length + length) <= query_positions[:, None]


def _scores(q, k):
    """Scaled scores, in float32 at least: those of float16 vectors soon pass its 65504."""
    dtype = np.result_type(q, k, np.float32)
    q, k = q.astype(dtype, copy=False), k.astype(dtype, copy=False)
    try:
        with np.errstate(over="ignore", invalid="ignore"):  # the caller refuses what overflows
            return q @ np.swapaxes(k, -1, -2) / dtype.type(q.shape[-1]) ** 0.5
    except ValueError:
        raise ValueError(
            f"the leading axes of q and k must broadcast, got shapes {q.shape} and {k.shape}"
        ) from None


def _softmax(scores, axis):
    """Softmax where every slice has at least one finite score."""
    with np.errstate(over="ignore"):  # far enough below the largest a power is 0
        powers = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)
