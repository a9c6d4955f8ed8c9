"""T5's relative bias: one learned number per head and bucket, and buckets that widen with distance.

A subject of the chapter ``relative/relative``.
"""

import numpy as np

from pe_lib import _checks, _logarithm, _offsets


def bucket(offsets, *, bidirectional=True, num_buckets=32, max_distance=128):
    r"""Bucket of each offset: the small distances one by one, the large ones in equal ratios.

    With N buckets for one direction, E = N // 2 of them exact, and distance n,

    .. math:: b(n) = \begin{cases} n & n < E \\
              \min\left(N - 1,\ E + \left\lfloor (N - E)
              \dfrac{\ln(n / E)}{\ln(\mathrm{max\_distance} / E)} \right\rfloor\right) & n \ge E
              \end{cases}

    Edges are decided in exact arithmetic, so a distance that sits on one is never misplaced.

    Parameters
    ----------
    offsets : array_like of int, any shape
        Key position minus query position, in tokens, within +-2**28.
    bidirectional : bool
        True (encoders): N = num_buckets // 2; n = abs(offset), and a key *after* its query takes
        N + b(n). Bucket N itself stays empty, for no key after its query has distance 0; so does
        the last one where ``num_buckets`` is odd. False (decoders): N = num_buckets, n = -offset,
        and every key after its query takes bucket 0.
    num_buckets : int
        At least 4 if bidirectional, else at least 2: each direction needs an exact bucket.
    max_distance : int
        Greater than E, in tokens. From here on all distances share the last bucket; as the bucket
        is wide, it begins well before: at 91 for the defaults, at 113 for one direction.

    Returns
    -------
    ndarray of int64, same shape
        From 0 to num_buckets - 1.

    Raises
    ------
    TypeError, ValueError
        If offsets are not integers within +-2**28, or an option is of the wrong type or too small.

    References
    ----------
    Raffel et al. (2020), section 2.1; the formula in their code, ``_relative_position_bucket`` in
    ``mesh_tensorflow/transformer/transformer_layers.py``. In the book: chapter
    ``relative/relative``.

    Examples
    --------
    >>> bucket([-300, -64, -1, 0, 1, 64, 300]).tolist()
    [15, 14, 1, 0, 17, 30, 31]
    >>> bucket([-300, -64, -1, 0, 1], bidirectional=False).tolist()
    [31, 26, 1, 0, 0]
    """
    offsets = _checks.integer_array("offsets", offsets)
    bidirectional = _checks.flag("bidirectional", bidirectional)
    sizes = _sizes(bidirectional, "num_buckets", num_buckets, max_distance)
    return _bucket(offsets, bidirectional, *sizes)


def bias(query_positions, key_positions, num_heads, *, table, bidirectional=True, max_distance=128):
    r"""Bias that a model has learned for the bucket of each offset.

    .. math:: B_{h, m, n} = \mathrm{table}_{\mathrm{bucket}(n - m),\, h}

    It is added to scores that T5 does *not* divide by sqrt(D), in self-attention alone; all layers
    of a stack share one table.

    Parameters
    ----------
    query_positions : array_like of int, shape (Tq,)
    key_positions : array_like of int, shape (Tk,)
        In tokens.
    num_heads : int
        H.
    table : array_like of float, shape (num_buckets, num_heads)
        In logits.
    bidirectional, max_distance
        As in :func:`pe_lib.t5.bucket`.

    Returns
    -------
    ndarray, shape (num_heads, Tq, Tk), float64, read-only
        In logits. For consecutive positions a view that stores num_heads (Tq + Tk - 1) numbers;
        ``.copy()`` makes a dense array to write to.

    Raises
    ------
    TypeError, ValueError
        If positions are not one sequence of integers within +-2**28, if the table is not finite or
        not of this shape, and as :func:`pe_lib.t5.bucket`.

    References
    ----------
    Raffel et al. (2020), section 2.1. In the book: chapter ``relative/relative``.

    Examples
    --------
    >>> table = [[0.0], [-1.0], [0.0], [1.0]]  # before or at, before, unused, after
    >>> bias([0, 1, 2], [0, 1, 2], 1, table=table, max_distance=8)[0].tolist()
    [[0.0, 1.0, 1.0], [-1.0, 0.0, 1.0], [-1.0, -1.0, 0.0]]
    """
    queries = _checks.integer_array("query_positions", query_positions)
    keys = _checks.integer_array("key_positions", key_positions)
    num_heads = _checks.integer("num_heads", num_heads, minimum=1)
    table = _checks.float_array("table", table, min_ndim=2)
    table = _checks.shape("table", table, (None, num_heads)).astype(np.float64)
    bidirectional = _checks.flag("bidirectional", bidirectional)
    sizes = _sizes(bidirectional, "rows of table", len(table), max_distance)

    def of_offsets(offsets):
        return table.T[:, _bucket(offsets.astype(np.int64), bidirectional, *sizes)]

    return _offsets.bias(queries, keys, of_offsets)


def _sizes(bidirectional, name, num_buckets, max_distance):
    """Buckets of one direction, how many of them are exact, and the distance to divide up to."""
    num_buckets = _checks.integer(name, num_buckets, minimum=4 if bidirectional else 2)
    number = num_buckets // 2 if bidirectional else num_buckets
    exact = number // 2
    max_distance = _checks.integer("max_distance", max_distance, minimum=exact + 1)
    return number, exact, max_distance


def _bucket(offsets, bidirectional, number, exact, max_distance):
    """Buckets of an int64 array of offsets."""
    distances = np.abs(offsets) if bidirectional else np.maximum(-offsets, 0)
    far = _logarithm.steps(
        np.clip(distances, exact, max_distance),
        start=exact,
        stop=max_distance,
        number=number - exact,
        rounding=np.floor,
    )
    buckets = np.where(distances < exact, distances, np.minimum(exact + far, number - 1))
    return buckets + number * (offsets > 0) if bidirectional else buckets
