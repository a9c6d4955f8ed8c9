"""Learned position embeddings: a trained table, one row per position, and its hard end.

Looking rows up and stretching a table to another length are subjects of the chapter
``sinusoid/in_the_model``; stretching a grid of patches, of ``beyond/images``.
"""

import numpy as np

from pe_lib import _checks

METHODS = ("linear", "cubic")


def lookup(table, positions):
    r"""Row of each position.

    .. math:: \mathrm{PE}(p) = E_p

    Parameters
    ----------
    table : array_like of float, shape (max_length, D)
    positions : array_like of int, shape (...)
        In tokens, from 0 to max_length - 1. A checkpoint whose first rows are reserved (two in BART
        and OPT) is read at ``positions + 2``.

    Returns
    -------
    ndarray, shape (..., D), dtype of ``table``

    Raises
    ------
    TypeError, ValueError
        If positions are not integers; if one of them has no row. A negative position never counts
        from the end of the table.

    References
    ----------
    Gehring et al. (2017), section 3.1; Devlin et al. (2019), section 3. In the book: chapter
    ``sinusoid/in_the_model``.

    Examples
    --------
    >>> lookup([[0.0, 0.1], [1.0, 1.1]], [1, 0, 1]).tolist()
    [[1.0, 1.1], [0.0, 0.1], [1.0, 1.1]]
    """
    table = _table(table)
    rows = _checks.integer_array("positions", positions, minimum=0, maximum=len(table) - 1)
    return table[rows]


def resize_1d(table, length, *, method="cubic", align_corners=False, antialias=False):
    r"""Stretch or shrink a table to another number of positions.

    .. math:: E' = W E

    Each row of W holds the weights with which one new row averages the old ones. They sum to 1.

    Parameters
    ----------
    table : array_like of float, shape (old_length, D)
    length : int
        Number of rows wanted. It is never derived from a ratio: in floats 14 (61 / 14) is less
        than 61.
    method : {"linear", "cubic"}
        ``"cubic"`` is the convolution of Keys with a = -0.75, or a = -0.5 where ``antialias`` is
        True, as in PyTorch; only the latter keeps a straight ramp straight.
    align_corners : bool
        False: rows are cells of equal width, and the two tables cover the same stretch. True: the
        first and the last row keep their values (a single new row takes the first).
    antialias : bool
        True: when shrinking, each new row averages all old rows that it covers. The border is
        treated differently too, so that stretching changes as well.

    Returns
    -------
    ndarray, shape (length, D), dtype of ``table``
        The table itself, exactly, where ``length`` is its own. Computed in float64.

    Raises
    ------
    TypeError, ValueError
        If an argument has the wrong type or shape; if ``antialias`` and ``align_corners`` are both
        True; if the result overflows.

    References
    ----------
    Keys (1981), section "The cubic convolution interpolation kernel". In the book: chapter
    ``sinusoid/in_the_model``. :func:`pe_lib.learned.resize_2d` says which library does what.

    Examples
    --------
    >>> resize_1d([[0.0], [1.0]], 4, method="linear").ravel().tolist()
    [0.0, 0.25, 0.75, 1.0]
    >>> resize_1d([[0.0], [1.0]], 3, method="linear", align_corners=True).ravel().tolist()
    [0.0, 0.5, 1.0]
    """
    table = _table(table)
    length = _checks.integer("length", length, minimum=1)
    kind = _kind(method, align_corners, antialias)
    with np.errstate(over="ignore", invalid="ignore"):  # refused in the next line
        resized = (_weights(len(table), length, *kind) @ table).astype(table.dtype)
    return _checks.finite(f"table must be small enough not to overflow {table.dtype}", resized)


def resize_2d(
    table,
    grid,
    new_grid,
    *,
    method="cubic",
    num_prefix_tokens=0,
    align_corners=False,
    antialias=False,
):
    r"""Stretch or shrink a table of patch positions, such as ViT's, to another grid.

    .. math:: E'_{y, x} = \sum_{v, u} W^{\text{rows}}_{y v} \, W^{\text{columns}}_{x u} \, E_{v, u}

    Parameters
    ----------
    table : array_like of float, shape (num_prefix_tokens + rows * columns, D)
        Patches in reading order: row by row, each from left to right.
    grid, new_grid : pair of int
        (rows, columns) of ``table`` and of the result.
    method, align_corners, antialias
        As in :func:`pe_lib.learned.resize_1d`. Published models need the choice of their own
        library; these are not the same numbers.

        =========================================  ========  =================  =============
        library                                    method    ``align_corners``  ``antialias``
        =========================================  ========  =================  =============
        Hugging Face ViT, DeiT, DINOv2             cubic     False              False
        timm; Hugging Face DINOv2 with registers   cubic     False              True
        vision_transformer (JAX)                   linear    True               False
        =========================================  ========  =================  =============
    num_prefix_tokens : int
        Rows in front, such as that of the class token, which stand on no grid and are kept.

    Returns
    -------
    ndarray, shape (num_prefix_tokens + new_rows * new_columns, D), dtype of ``table``

    Raises
    ------
    TypeError, ValueError
        As :func:`pe_lib.learned.resize_1d`, and if the table has not one row for each prefix token
        and each cell of ``grid``.

    References
    ----------
    Dosovitskiy et al. (2021), section 3.2. In the book: chapter ``beyond/images``.

    Examples
    --------
    >>> square = [[0.0], [1.0], [2.0], [3.0]]
    >>> resize_2d(square, (2, 2), (1, 3), method="linear").ravel().tolist()
    [1.0, 1.5, 2.0]
    """
    table = _table(table)
    rows, columns = _grid("grid", grid)
    new_rows, new_columns = _grid("new_grid", new_grid)
    prefix = _checks.integer("num_prefix_tokens", num_prefix_tokens, minimum=0)
    if len(table) != prefix + rows * columns:
        raise ValueError(
            f"table must have {prefix} + {rows} * {columns} rows for its prefix tokens and its "
            f"grid, got {len(table)}"
        )
    kind = _kind(method, align_corners, antialias)
    patches = table[prefix:].reshape(rows, -1)
    with np.errstate(over="ignore", invalid="ignore"):  # refused in the last line
        tall = _weights(rows, new_rows, *kind) @ patches
        wide = _weights(columns, new_columns, *kind) @ tall.reshape(new_rows, columns, -1)
        resized = wide.astype(table.dtype).reshape(-1, table.shape[1])
    _checks.finite(f"table must be small enough not to overflow {table.dtype}", resized)
    return np.concatenate([table[:prefix], resized])


def _table(value):
    """A table with one row per position."""
    return _checks.shape("table", _checks.float_array("table", value), (None, None))


def _grid(name, value):
    """Two positive ints, rows and columns."""
    pair = _checks.integer_array(name, value, minimum=1)
    return _checks.shape(name, pair, (2,)).tolist()


def _kind(method, align_corners, antialias):
    """The three options of a resizing, checked."""
    _checks.one_of("method", method, METHODS)
    if _checks.flag("antialias", antialias) & _checks.flag("align_corners", align_corners):
        raise ValueError("antialias must be False where align_corners is True, got True for both")
    return method, align_corners, antialias


def _weights(old, new, method, align_corners, antialias):
    """The matrix W, shape (new, old): row i holds what each old sample weighs in new sample i."""
    i = np.arange(new)[:, None]
    if align_corners:
        centers = i * (old - 1) / max(new - 1, 1)
    else:  # the middle of cell i, in cells of the old grid
        centers = ((2 * i + 1) * old - new) / (2 * new)
    if antialias:
        weights = _kernel((np.arange(old) - centers) / max(old / new, 1), method, a=-0.5)
        return weights / weights.sum(axis=1, keepdims=True)
    # The border samples are repeated as far out as a kernel reaches: 2 cells.
    weights = _kernel(np.arange(-2, old + 2) - centers, method, a=-0.75)
    weights[:, 2] += weights[:, :2].sum(axis=1)
    weights[:, -3] += weights[:, -2:].sum(axis=1)
    return weights[:, 2:-2]


def _kernel(x, method, a):
    """What a sample x cells away weighs: a triangle, or Keys' cubic with the slope ``a`` at 1."""
    x = np.abs(x)
    if method == "linear":
        return np.maximum(1 - x, 0)
    near = ((a + 2) * x - (a + 3)) * x * x + 1
    far = a * (((x - 5) * x + 8) * x - 4)
    return np.where(x <= 1, near, np.where(x < 2, far, 0))
