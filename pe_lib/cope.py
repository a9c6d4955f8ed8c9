"""Contextual position encoding (CoPE): a position is how many tokens *that matter* lie between.

Each query decides which keys it counts, by a gate between 0 and 1; counting all of them would give
the distance in tokens. Next to ALiBi in the chapter ``relative/alibi``.
"""

import numpy as np

from pe_lib import _checks


def positions(q, k, *, mask):
    r"""Number of keys that a query counts, from each key on up to the last one it may see.

    .. math:: p_{m n} = \sum_{j \ge n} g_{m j}, \qquad
        g_{m j} = \sigma\left(q_m \cdot k_j / \sqrt{D}\right)

    with :math:`g_{m j} = 0` where the mask hides key j.

    Parameters
    ----------
    q : array_like of float, shape (..., Tq, D)
    k : array_like of float, shape (..., Tk, D)
    mask : array_like of bool, broadcasting to (..., Tq, Tk)
        True where a query may attend to a key; :func:`pe_lib.attention.causal_mask` for the
        published mechanism, in which the sum runs from the key to the query itself, both included.

    Returns
    -------
    ndarray, shape (..., Tq, Tk), float64
        Never growing with n. A key before the query is at most (query - key + 1) away.

    Raises
    ------
    TypeError, ValueError
        If shapes do not fit, a value or a score is not finite or the mask is not boolean.

    References
    ----------
    Golovneva et al. (2024), section 4, and the code in their appendix, which divides by the
    square root where the text does not. In the book: chapter ``relative/alibi``.

    Examples
    --------
    >>> mask = np.tri(3, dtype=bool)
    >>> positions(np.zeros((3, 1)), np.ones((3, 1)), mask=mask).tolist()
    [[0.5, 0.0, 0.0], [1.0, 0.5, 0.0], [1.5, 1.0, 0.5]]
    """
    q = _checks.float_array("q", q, min_ndim=2).astype(np.float64)
    k = _checks.float_array("k", k, min_ndim=2).astype(np.float64)
    if q.shape[-1] != k.shape[-1]:
        raise ValueError(
            f"q and k must have the same number of channels, got shapes {q.shape} and {k.shape}"
        )
    scores = _product("q", q, "k", k) / q.shape[-1] ** 0.5
    mask = _checks.boolean_array("mask", mask)
    _checks.broadcastable("mask", mask.shape, scores.shape)
    gates = np.where(mask, np.exp(-np.logaddexp(0, -scores)), 0)
    return np.flip(np.cumsum(np.flip(gates, -1), -1), -1)


def bias(q, k, embeddings, *, mask):
    r"""Bias of each key: the query times the embedding of the key's contextual position.

    .. math:: B_{m n} = (1 - f) \, q_m \cdot e_i + f \, q_m \cdot e_{i + 1},
        \qquad \min(p_{m n}, P - 1) = i + f

    with p the :func:`pe_lib.cope.positions`, i a whole number and f from 0 to 1: positions are
    fractions, so embeddings are interpolated; whoever is beyond the last one gets the last one.

    Parameters
    ----------
    q, k, mask
        As in :func:`pe_lib.cope.positions`.
    embeddings : array_like of float, shape (P, D)
        Learned, one row for each of the positions 0, ..., P - 1.

    Returns
    -------
    ndarray, shape (..., Tq, Tk), float64, read-only
        In logits, to be added to scaled scores; itself not divided by the square root of D, as in
        the authors' code. It depends on what the tokens are, so it has no shorter form.

    Raises
    ------
    TypeError, ValueError
        As :func:`pe_lib.cope.positions`, and if ``embeddings`` has not one column per channel or a
        bias overflows.

    References
    ----------
    Golovneva et al. (2024), section 4. In the book: chapter ``relative/alibi``.

    Examples
    --------
    Keys that are half counted, and embeddings whose product with the query is the position:

    >>> q, k, mask = np.ones((3, 1)), np.zeros((3, 1)), np.tri(3, dtype=bool)
    >>> bias(q, k, [[0.0], [1.0]], mask=mask).tolist()
    [[0.5, 0.0, 0.0], [1.0, 0.5, 0.0], [1.0, 1.0, 0.5]]
    """
    counts = positions(q, k, mask=mask)
    q = np.asarray(q)
    embeddings = _checks.float_array("embeddings", embeddings, min_ndim=2).astype(np.float64)
    _checks.shape("embeddings", embeddings, (None, q.shape[-1]))
    products = _product("q", q, "embeddings", embeddings)  # (..., Tq, P), few for many keys
    products = np.broadcast_to(products, (*counts.shape[:-1], len(embeddings)))
    counts = np.minimum(counts, len(embeddings) - 1)
    whole = counts.astype(np.int64)
    fraction = counts - whole
    after = np.minimum(whole + 1, len(embeddings) - 1)
    biases = (1 - fraction) * np.take_along_axis(products, whole, -1)
    biases += fraction * np.take_along_axis(products, after, -1)
    biases.flags.writeable = False
    return biases


def _product(name, rows, other_name, other_rows):
    """Dot products of all rows with all other rows, finite."""
    try:
        with np.errstate(over="ignore", invalid="ignore"):  # refused in the last line
            products = rows @ np.swapaxes(other_rows, -1, -2)
    except ValueError:
        raise ValueError(
            f"the leading axes of {name} and {other_name} must broadcast, "
            f"got shapes {rows.shape} and {other_rows.shape}"
        ) from None
    message = f"{name} and {other_name} must be small enough that no product overflows"
    return _checks.finite(message, products)
