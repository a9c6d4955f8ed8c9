"""Hierarchical positions: a learned table of n rows, read with two digits, reaches n * n positions.

A subject of the chapter ``beyond/multimodal``.
"""

import numpy as np

from pe_lib import _checks


def encode(positions, table, *, alpha=0.4):
    r"""Code of each position, from the rows of its two digits to the base n.

    .. math::
        q_{i n + j} = \alpha u_i + (1 - \alpha) u_j, \qquad
        u_i = \frac{E_i - \alpha E_0}{1 - \alpha}, \qquad i, j = 0, \dots, n - 1

    Here u is what it must be for the first n codes to be the table itself. Computed without u, as
    the row of the low digit and a step that depends on the high digit alone,

    .. math:: q_{i n + j} = E_j + \frac{\alpha}{1 - \alpha} (E_i - E_0),

    they are that to the last digit.

    Parameters
    ----------
    positions : array_like of int, shape (...)
        In tokens, from 0 to n**2 - 1.
    table : array_like of float, shape (n, D)
        A trained table of position embeddings.
    alpha : float
        Weight of the high digit, between 0 and 1 and not 1/2, which would give positions i n + j
        and j n + i one code.

    Returns
    -------
    ndarray, shape (..., D), dtype of ``table``
        Computed in float64.

    Raises
    ------
    TypeError, ValueError
        If positions are not integers from 0 to n**2 - 1, ``table`` is not a table of finite
        numbers, ``alpha`` is out of range, or a code overflows.

    References
    ----------
    Su (2020). His indices start at 1. In the book: chapter ``beyond/multimodal``.

    Examples
    --------
    >>> table = [[0.0], [3.0], [6.0]]
    >>> encode([0, 1, 2, 3, 4, 8], table).ravel().tolist()
    [0.0, 3.0, 6.0, 2.0, 5.0, 10.0]
    """
    table = _checks.shape("table", _checks.float_array("table", table), (None, None))
    alpha = _checks.scalar("alpha", alpha)
    if not 0 < alpha < 1 or alpha == 0.5:
        raise ValueError(f"alpha must lie between 0 and 1 and not be 0.5, got {alpha}")
    n = len(table)
    last = min(n**2 - 1, _checks.MAX_POSITION)
    positions = _checks.integer_array("positions", positions, minimum=0, maximum=last)
    high, low = np.divmod(positions, n)
    with np.errstate(over="ignore", invalid="ignore"):  # refused in the last line
        steps = alpha / (1 - alpha) * (table.astype(np.float64) - table[0])
        codes = (table[low] + steps[high]).astype(table.dtype)
    return _checks.finite(f"table must be small enough not to overflow {table.dtype}", codes)
