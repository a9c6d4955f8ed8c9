"""Swin's relative bias: one learned number per head and two-dimensional offset within a window.

A subject of the chapters ``relative/relative`` and ``beyond/images``.
"""

import numpy as np

from pe_lib import _checks

#: Most tokens of a window: the index of each pair of them is then 2**28 numbers.
_MAX_TOKENS = 2**14


def relative_position_index(height, width):
    r"""Row of the bias table for each pair of tokens of a window.

    .. math:: (y_q - y_k + \mathrm{height} - 1)(2\,\mathrm{width} - 1)
              + (x_q - x_k + \mathrm{width} - 1)

    Mind the sign: Swin subtracts the key from the query, so each summand holds *minus* the offset
    (key minus query) of the rest of this library. The order of a trained table depends on it.

    Parameters
    ----------
    height, width : int
        Of the window, in tokens; at most 2**14 tokens in all.

    Returns
    -------
    ndarray of int64, shape (height * width, height * width)
        Queries by keys, both row by row over the window; from 0 to (2 height - 1)(2 width - 1) - 1.

    Raises
    ------
    TypeError, ValueError
        If ``height`` or ``width`` is not a positive integer, or the window is too large.

    References
    ----------
    Liu et al. (2021), section 3.2; the order of the table in their code, ``WindowAttention`` in
    ``models/swin_transformer.py``. In the book: chapters ``relative/relative`` and
    ``beyond/images``.

    Examples
    --------
    >>> relative_position_index(2, 2).tolist()
    [[4, 3, 1, 0], [5, 4, 2, 1], [7, 6, 4, 3], [8, 7, 5, 4]]
    """
    height = _checks.integer("height", height, minimum=1)
    width = _checks.integer("width", width, minimum=1)
    if height * width > _MAX_TOKENS:
        raise ValueError(f"height * width must be at most 2**14, got {height} * {width}")
    y, x = (axis.ravel() for axis in np.indices((height, width)))
    rows = y[:, None] - y + height - 1
    columns = x[:, None] - x + width - 1
    return rows * (2 * width - 1) + columns


def bias(table, height, width):
    r"""Bias that a model has learned for each two-dimensional offset within a window.

    .. math:: B_{h, q, k} = \mathrm{table}_{\mathrm{index}(q, k),\, h}

    It is added to the scaled scores of a window; each layer has a table of its own.

    Parameters
    ----------
    table : array_like of float, shape ((2 height - 1) * (2 width - 1), H)
        In logits.
    height, width : int
        As in :func:`pe_lib.swin.relative_position_index`.

    Returns
    -------
    ndarray, shape (H, height * width, height * width), float64, read-only
        In logits.

    Raises
    ------
    TypeError, ValueError
        If the table is not finite or not of this shape, and as
        :func:`pe_lib.swin.relative_position_index`.

    References
    ----------
    Liu et al. (2021), equation 4. In the book: chapters ``relative/relative`` and
    ``beyond/images``.

    Examples
    --------
    >>> bias([[0.5], [0.0], [-0.5]], 1, 2)[0].tolist()  # row 0: the key is to the right
    [[0.0, 0.5], [-0.5, 0.0]]
    """
    index = relative_position_index(height, width)
    table = _checks.float_array("table", table, min_ndim=2)
    _checks.shape("table", table, (index[-1, 0] + 1, None))  # the largest index is the last row's
    matrix = table.T.astype(np.float64)[:, index]
    matrix.flags.writeable = False
    return matrix
