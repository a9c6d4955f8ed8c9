"""DeBERTa: scores from content and position held apart, and buckets that widen with distance.

A subject of the chapter ``relative/relative``.
"""

import numpy as np

from pe_lib import _checks, _logarithm, _scores

#: Largest bucket_size: up to here a bucket's edge is within reach of float64 and a few digits more.
_MAX_BUCKETS = 2**16


def bucket(offsets, *, bucket_size=256, max_position=512):
    r"""Bucket of each offset: the small distances one by one, the large ones in equal ratios.

    With M = bucket_size // 2 and distance n,

    .. math:: b(n) = \begin{cases} n & n \le M \\
              M + \left\lceil (M - 1)
              \dfrac{\ln(n / M)}{\ln((\mathrm{max\_position} - 1) / M)} \right\rceil & n > M
              \end{cases}

    and a bucket has the sign of its offset. Mind that sign: here, as everywhere in this library, an
    offset is key minus query; DeBERTa's own code passes query minus key through the same, odd,
    function, so it holds *minus* these numbers.

    Edges are decided in exact arithmetic, so a distance that sits on one is never misplaced.

    Parameters
    ----------
    offsets : array_like of int, any shape
        Key position minus query position, in tokens, within +-2**28.
    bucket_size : int
        From 2 to 2**16.
    max_position : int
        Greater than M + 1. Distance max_position - 1 has bucket 2 M - 1; greater ones go on
        counting up, and :func:`pe_lib.deberta.scores` gives them the outermost row.

    Returns
    -------
    ndarray of int64, same shape

    Raises
    ------
    TypeError, ValueError
        If offsets are not integers within +-2**28, or an option is of the wrong type or out of its
        range.

    References
    ----------
    DeBERTa's code, ``make_log_bucket_position`` in ``DeBERTa/deberta/da_utils.py``; equation 3 of
    the paper, He et al. (2021), has no buckets yet. In the book: chapter ``relative/relative``.

    Examples
    --------
    >>> bucket([-511, -129, -128, -1, 0, 1, 128, 129, 511]).tolist()
    [-255, -129, -128, -1, 0, 1, 128, 129, 255]
    """
    offsets = _checks.integer_array("offsets", offsets)
    bucket_size = _bucket_size("bucket_size", bucket_size)
    return _bucket(offsets, bucket_size, _max_position(max_position, bucket_size))


def scores(
    q, k, position_keys, position_queries, *, query_positions, key_positions, max_position=512
):
    r"""Disentangled scores: content to content, content to position, position to content.

    .. math:: S_{m, n} = \frac{q_m \cdot k_n + q_m \cdot k^r_{\delta} + k_n \cdot q^r_{\delta}}
              {\sqrt{3 D}}, \qquad
              \delta = \mathrm{clip}(s - \mathrm{bucket}(n - m),\; 0,\; 2 s - 1)

    with s = bucket_size: row s belongs to offset 0, and rows count query minus key, as in every
    published checkpoint. Nothing of shape (Tq, Tk, D) is ever made.

    Parameters
    ----------
    q : array_like of float, shape (..., Tq, D)
    k : array_like of float, shape (..., Tk, D)
    position_keys, position_queries : array_like of float, shape (..., 2 bucket_size, D)
        :math:`k^r` and :math:`q^r`: one table of relative embeddings, shared by all layers, in the
        projections of the layer (versions 2 and 3: the same that make ``k`` and ``q``).
    query_positions : array_like of int, shape (Tq,)
    key_positions : array_like of int, shape (Tk,)
        In tokens.
    max_position : int
        As in :func:`pe_lib.deberta.bucket`; its bucket_size is half the number of rows.

    Returns
    -------
    ndarray, shape (..., Tq, Tk)
        In logits, in the float type of the inputs, computed in float32 at least.

    Raises
    ------
    TypeError, ValueError
        If shapes do not fit, a value or a score is not finite, the tables have not the same even
        number of rows, positions are not integers within +-2**28, and as
        :func:`pe_lib.deberta.bucket`.

    References
    ----------
    He et al. (2021), equation 4. Its last term has :math:`\delta(j, i)`, the mirrored row; the
    authors' code, ``disentangled_attention.py``, and all checkpoints use one row for both terms,
    and so does this function. In the book: chapter ``relative/relative``.

    Examples
    --------
    >>> rows = [[9.0], [1.0], [0.0], [-1.0]]  # bucket -2 (none), -1, 0, 1 of query minus key
    >>> at = {"query_positions": [0, 1, 2], "key_positions": [0, 1, 2], "max_position": 3}
    >>> x = np.ones((3, 1))
    >>> (scores(x, 0 * x, rows, rows, **at) * 3**0.5).round(12).tolist()
    [[0.0, 1.0, 1.0], [-1.0, 0.0, 1.0], [-1.0, -1.0, 0.0]]
    """
    dtype, q, k, keys, queries = _scores.vectors(
        q=q, k=k, position_keys=position_keys, position_queries=position_queries
    )
    channels = _scores.same_channels(q=q, k=k, position_keys=keys, position_queries=queries)
    _scores.same_batch(q=q, k=k, position_keys=keys, position_queries=queries)
    bucket_size = _rows(keys, queries) // 2
    max_position = _max_position(max_position, bucket_size)
    offsets = _scores.offsets(query_positions, key_positions, q.shape[-2], k.shape[-2])
    buckets = _bucket(offsets, bucket_size, max_position)
    rows = np.clip(bucket_size - buckets, 0, 2 * bucket_size - 1)
    a, b = np.arange(q.shape[-2])[:, None], np.arange(k.shape[-2])
    with np.errstate(over="ignore", invalid="ignore"):  # what overflows is refused below
        content = q @ np.swapaxes(k, -1, -2)
        to_position = (q @ np.swapaxes(keys, -1, -2))[..., a, rows]
        to_content = (k @ np.swapaxes(queries, -1, -2))[..., b, rows]
        total = (content + to_position + to_content) / (3 * channels) ** 0.5
    return _scores.finished(
        total, dtype, q=q, k=k, position_keys=position_keys, position_queries=position_queries
    )


def _bucket(offsets, bucket_size, max_position):
    """Buckets of an int64 array of offsets."""
    exact = bucket_size // 2
    far = _logarithm.steps(
        np.maximum(np.abs(offsets), exact),
        start=exact,
        stop=max_position - 1,
        number=exact - 1,
        rounding=np.ceil,
    )
    return np.where(np.abs(offsets) <= exact, offsets, np.sign(offsets) * (exact + far))


def _bucket_size(name, value):
    size = _checks.integer(name, value, minimum=2)
    if size > _MAX_BUCKETS:
        raise ValueError(f"{name} must be at most 2**16, got {size}")
    return size


def _max_position(value, bucket_size):
    return _checks.integer("max_position", value, minimum=bucket_size // 2 + 2)


def _rows(keys, queries):
    """The number of rows of both tables."""
    rows = keys.shape[-2]
    if queries.shape[-2] != rows or rows % 2 or rows < 4:
        raise ValueError(
            "position_keys and position_queries must have 2 bucket_size rows each, at least 4, "
            f"got shapes {keys.shape} and {queries.shape}"
        )
    return 2 * _bucket_size("half the rows of position_keys", rows // 2)
