"""Biases that depend on the offset alone: one row of numbers, seen as a matrix.

For consecutive positions the matrix is constant along its diagonals (a Toeplitz matrix), so its
Tq x Tk numbers are Tq + Tk - 1 different ones. A view repeats them without storing them again.
"""

import numpy as np

from pe_lib import _checks


def bias(query_positions, key_positions, of_offsets):
    """Bias B[h, a, b] = of_offsets(key_positions[b] - query_positions[a])[h].

    Parameters
    ----------
    query_positions : array_like, shape (Tq,)
    key_positions : array_like, shape (Tk,)
    of_offsets : callable
        From offsets, shape (N,) float64, to numbers, shape (H, N).

    Returns
    -------
    ndarray, shape (H, Tq, Tk), read-only
        For consecutive positions a view on H (Tq + Tk - 1) numbers; else as large as it looks.
    """
    queries = _line("query_positions", query_positions)
    keys = _line("key_positions", key_positions)
    if consecutive(queries) and consecutive(keys):
        offsets = np.arange(keys[0] - queries[-1], keys[-1] - queries[0] + 1)
        numbers = of_offsets(offsets)  # (H, Tq + Tk - 1)
        # Window w starts at the offset of key 0 from the w-th query, counted from the last.
        windows = np.lib.stride_tricks.sliding_window_view(numbers, len(keys), axis=-1)
        return windows[:, ::-1]
    offsets = keys - queries[:, None]
    matrix = of_offsets(offsets.ravel()).reshape(-1, *offsets.shape)
    matrix.flags.writeable = False
    return matrix


def consecutive(positions):
    """Whether positions are whole numbers p, p + 1, p + 2, ..."""
    first = positions[0]
    return first == np.floor(first) and bool(
        (positions == np.arange(first, first + len(positions))).all()
    )


def _line(name, value):
    """Positions of one sequence."""
    array = _checks.positions(name, value)
    if array.ndim != 1:
        raise ValueError(f"{name} must have shape (T,), one sequence at a time, got {array.shape}")
    return array
