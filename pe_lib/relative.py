"""Vectors for relative positions: Shaw's, one per offset, and Transformer-XL's four terms.

A subject of the chapter ``relative/relative``.
"""

import numpy as np

from pe_lib import _checks, _scores


def clip_offsets(offsets, max_distance):
    r"""Row of Shaw's table for each offset.

    .. math:: \mathrm{clip}(o, -k, k) + k

    Parameters
    ----------
    offsets : array_like of int, any shape
        o: key position minus query position, in tokens, within +-2**28.
    max_distance : int
        k, at least 0: beyond it, all offsets of one sign share a row.

    Returns
    -------
    ndarray of int64, same shape
        From 0, far before the query, to 2 max_distance, far after it.

    Raises
    ------
    TypeError, ValueError
        If offsets are not integers within +-2**28, or ``max_distance`` not an integer >= 0.

    References
    ----------
    Shaw, Uszkoreit and Vaswani (2018), section 3.2. In the book: chapter ``relative/relative``.

    Examples
    --------
    >>> clip_offsets([-9, -2, 0, 1, 9], 2).tolist()
    [0, 0, 2, 3, 4]
    """
    offsets = _checks.integer_array("offsets", offsets)
    return _rows(offsets, _checks.integer("max_distance", max_distance, minimum=0))


def shaw_scores(q, k, key_table, *, query_positions, key_positions):
    r"""Scaled scores in which each key carries a vector for its offset from the query.

    .. math:: S_{m, n} = \frac{q_m \cdot \left(k_n + a^K_{\mathrm{row}(n - m)}\right)}{\sqrt{D}}

    The rows are those of :func:`pe_lib.relative.clip_offsets`. Each query meets each row of the
    table once, so that nothing of shape (Tq, Tk, D) is ever made.

    Parameters
    ----------
    q : array_like of float, shape (..., Tq, D)
    k : array_like of float, shape (..., Tk, D)
    key_table : array_like of float, shape (..., 2 max_distance + 1, D)
        The vectors :math:`a^K`: one table for all heads, or one per head.
    query_positions : array_like of int, shape (Tq,)
    key_positions : array_like of int, shape (Tk,)
        In tokens. Only their differences count, so sequences of a batch that are padded on the left
        need none of their own.

    Returns
    -------
    ndarray, shape (..., Tq, Tk)
        In logits, in the float type of the inputs, computed in float32 at least.

    Raises
    ------
    TypeError, ValueError
        If shapes do not fit, a value or a score is not finite, the table has an even number of
        rows, or positions are not integers within +-2**28.

    References
    ----------
    Shaw, Uszkoreit and Vaswani (2018), equations 4 and 5. In the book: chapter
    ``relative/relative``.

    Examples
    --------
    >>> table = [[-1.0], [0.0], [1.0]]  # before, here, after
    >>> at = {"query_positions": [2], "key_positions": [0, 1, 2, 3]}  # decoding with a cache
    >>> shaw_scores([[1.0]], np.zeros((4, 1)), table, **at).tolist()
    [[-1.0, -1.0, 0.0, 1.0]]
    """
    dtype, q, k, table = _scores.vectors(q=q, k=k, key_table=key_table)
    max_distance = _max_distance("key_table", table)
    channels = _scores.same_channels(q=q, k=k, key_table=table)
    _scores.same_batch(q=q, k=k, key_table=table)
    offsets = _scores.offsets(query_positions, key_positions, q.shape[-2], k.shape[-2])
    queries = np.arange(q.shape[-2])[:, None]
    with np.errstate(over="ignore", invalid="ignore"):  # what overflows is refused below
        content = q @ np.swapaxes(k, -1, -2)
        position = (q @ np.swapaxes(table, -1, -2))[..., queries, _rows(offsets, max_distance)]
        scores = (content + position) / channels**0.5
    return _scores.finished(scores, dtype, q=q, k=k, key_table=table)


def shaw_values(weights, v, value_table, *, query_positions, key_positions):
    r"""Each query's average of values that carry a vector for their offset.

    .. math:: z_m = \sum_n A_{m, n} \left(v_n + a^V_{\mathrm{row}(n - m)}\right)

    The weights of the keys that share a row are summed first, so that nothing of shape
    (Tq, Tk, D) is ever made.

    Parameters
    ----------
    weights : array_like of float, shape (..., Tq, Tk)
        A, for example the softmax of :func:`pe_lib.relative.shaw_scores`.
    v : array_like of float, shape (..., Tk, D)
    value_table : array_like of float, shape (..., 2 max_distance + 1, D)
        The vectors :math:`a^V`: one table for all heads, or one per head.
    query_positions, key_positions
        As in :func:`pe_lib.relative.shaw_scores`.

    Returns
    -------
    ndarray, shape (..., Tq, D)
        In the float type of the inputs, computed in float32 at least.

    Raises
    ------
    TypeError, ValueError
        As :func:`pe_lib.relative.shaw_scores`.

    References
    ----------
    Shaw, Uszkoreit and Vaswani (2018), equation 3. In the book: chapter ``relative/relative``.

    Examples
    --------
    >>> table = [[-1.0], [0.0], [1.0]]
    >>> at = {"query_positions": [2], "key_positions": [0, 1, 2, 3]}
    >>> shaw_values([[0.5, 0.25, 0.25, 0.0]], np.zeros((4, 1)), table, **at).tolist()
    [[-0.75]]
    """
    dtype, weights, v, table = _scores.vectors(weights=weights, v=v, value_table=value_table)
    max_distance = _max_distance("value_table", table)
    _scores.same_channels(v=v, value_table=table)
    _scores.same_batch(weights=weights, v=v, value_table=table)
    if v.shape[-2] != weights.shape[-1]:
        raise ValueError(
            f"v must have one row per key, got {v.shape[-2]} rows for {weights.shape[-1]} keys"
        )
    offsets = _scores.offsets(query_positions, key_positions, *weights.shape[-2:])
    with np.errstate(over="ignore", invalid="ignore"):  # what overflows is refused below
        per_row = _sums(weights, _rows(offsets, max_distance), table.shape[-2])
        values = weights @ v + per_row @ table
    return _scores.finished(values, dtype, weights=weights, v=v, value_table=table)


def transformer_xl_scores(q, k, u, v, r):
    r"""Transformer-XL's scores: content and position of each key, met by the query and by a bias.

    .. math:: S_{m, n} = \frac{(q_m + u) \cdot k_n + (q_m + v) \cdot r_{n - m}}{\sqrt{D}}

    Queries and keys are consecutive; where the two begin does not matter.

    Parameters
    ----------
    q : array_like of float, shape (..., Tq, D)
    k : array_like of float, shape (..., Tk, D)
    u, v : array_like of float, shape (..., D)
        Learned vectors that stand in for the position of a query, often one per head: (H, D).
    r : array_like of float, shape (..., Tq + Tk - 1, D)
        Projected encodings of all offsets (key minus query), in ascending order: row 0 belongs to
        the first key and the last query. Transformer-XL counts query minus key: its projected
        sinusoid of position p belongs to offset -p.

    Returns
    -------
    ndarray, shape (..., Tq, Tk)
        In logits, in the float type of the inputs, computed in float32 at least. All of it is
        exact, also where a key stands after its query.

    Raises
    ------
    TypeError, ValueError
        If shapes do not fit, or a value or a score is not finite.

    References
    ----------
    Dai et al. (2019), section 3.3 and appendix B. In the book: chapter ``relative/relative``.

    Examples
    --------
    >>> r = np.arange(-2.0, 3.0)[:, None]  # offsets -2 to 2, each encoded as itself
    >>> transformer_xl_scores(np.ones((3, 1)), np.zeros((3, 1)), [0.0], [0.0], r).tolist()
    [[0.0, 1.0, 2.0], [-1.0, 0.0, 1.0], [-2.0, -1.0, 0.0]]
    """
    u, v = _checks.float_array("u", u), _checks.float_array("v", v)
    dtype, q, k, r = _scores.vectors(q=q, k=k, r=r)
    dtype = np.result_type(dtype, u, v)
    channels = _scores.same_channels(q=q, k=k, u=u, v=v, r=r)
    u, v = u[..., None, :], v[..., None, :]  # the same for every query
    _scores.same_batch(q=q, k=k, u=u, v=v, r=r)
    num_queries, num_keys = q.shape[-2], k.shape[-2]
    if r.shape[-2] != num_queries + num_keys - 1:
        raise ValueError(
            f"r must have one row per offset, Tq + Tk - 1 = {num_queries + num_keys - 1}, "
            f"got {r.shape[-2]}"
        )
    with np.errstate(over="ignore", invalid="ignore"):  # what overflows is refused below
        content = (q + u) @ np.swapaxes(k, -1, -2)
        position = (q + v) @ np.swapaxes(r, -1, -2)  # (..., Tq, Tq + Tk - 1)
        scores = (content + _diagonals(position, num_keys)) / channels**0.5
    return _scores.finished(scores, dtype, q=q, k=k, u=u, v=v, r=r)


def rel_shift(scores):
    r"""From one column per offset to one column per key.

    .. math:: \mathrm{out}_{m, n} = \mathrm{scores}_{m,\; n - m + T_q - 1}

    Column c of the input holds offset (key minus query) c - (Tq - 1) from the first key, as in row
    c of ``r`` in :func:`pe_lib.relative.transformer_xl_scores`: row m starts Tq - 1 - m columns
    late. Every entry of the result is a true score, also after the query. (Transformer-XL's own
    shift takes Tk columns, and above the diagonal it returns entries of the *next* row.)

    Parameters
    ----------
    scores : array_like of float, shape (..., Tq, Tq + Tk - 1)
        The keys include the queries, as in all self-attention with or without a memory:
        Tk >= Tq, hence at least 2 Tq - 1 columns.

    Returns
    -------
    ndarray, shape (..., Tq, Tk)
        A copy, in their float type.

    Raises
    ------
    TypeError, ValueError
        If scores are not finite floats, or have fewer than 2 Tq - 1 columns.

    References
    ----------
    Dai et al. (2019), appendix B. In the book: chapter ``relative/relative``.

    Examples
    --------
    >>> rel_shift([[-2.0, -1.0, 0.0, 1.0, 2.0]] * 3).tolist()
    [[0.0, 1.0, 2.0], [-1.0, 0.0, 1.0], [-2.0, -1.0, 0.0]]
    """
    scores = _checks.float_array("scores", scores, min_ndim=2)
    num_queries, num_offsets = scores.shape[-2:]
    if num_offsets < 2 * num_queries - 1:
        raise ValueError(
            f"scores must have a column per offset, at least 2 Tq - 1 = {2 * num_queries - 1}, "
            f"got {num_offsets}"
        )
    return _diagonals(scores, num_offsets - num_queries + 1).copy()


def _max_distance(name, table):
    """The largest distance that has a row of its own: the middle row is that of offset 0."""
    rows = table.shape[-2]
    if rows % 2 == 0:
        raise ValueError(f"{name} must have 2 max_distance + 1 rows, an odd number, got {rows}")
    return rows // 2


def _rows(offsets, max_distance):
    return np.clip(offsets, -max_distance, max_distance) + max_distance


def _sums(weights, rows, num_rows):
    """Each query's weights, summed over the keys that share a row: (..., Tq, num_rows), float64."""
    size = weights.size // weights.shape[-1] * num_rows
    first = np.arange(0, size, num_rows).reshape(-1, len(rows), 1)
    sums = np.bincount((first + rows).ravel(), weights.ravel(), size)
    return sums.reshape(*weights.shape[:-1], num_rows)


def _diagonals(scores, num_keys):
    """View in which row m starts Tq - 1 - m columns late, shape (..., Tq, num_keys)."""
    windows = np.lib.stride_tricks.sliding_window_view(scores, num_keys, axis=-1)
    return np.diagonal(windows[..., ::-1, :], axis1=-3, axis2=-2).swapaxes(-1, -2)
