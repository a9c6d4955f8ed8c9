"""Sines and cosines of consecutive positions, by the shift theorem instead of one by one.

Moving a wave by k positions multiplies exp(i omega p) by exp(i omega k), whatever p is. So a block
of positions 0, ..., B - 1, turned once per block, gives them all: B + T/B sines instead of T.
Everything is float64, so the product adds one rounding to the angle's own.
"""

import math

import numpy as np

from pe_lib._offsets import consecutive

_BLOCK = 2**15  # complex numbers: half a megabyte, which stays in the processor's cache


def waves(positions, frequencies):
    """Complex numbers exp(i omega p): the plain definition, for any positions.

    Parameters
    ----------
    positions : ndarray, any shape
    frequencies : ndarray, shape (P,)

    Returns
    -------
    ndarray, shape (*positions.shape, P), complex128
    """
    angles = positions[..., None] * frequencies
    turned = np.empty(angles.shape, np.complex128)
    np.cos(angles, out=turned.real)
    np.sin(angles, out=turned.imag)
    return turned


def blocks_of_waves(positions, frequencies):
    """The same for the positions of one sequence, some rows at a time.

    Parameters
    ----------
    positions : ndarray, shape (T,)
    frequencies : ndarray, shape (P,)

    Yields
    ------
    rows : slice
        Of the positions.
    block : ndarray, shape (rows, P), complex128
        Valid until the next step, which may use its memory again.
    """
    length = len(positions)
    # As many blocks as rows in one would take the fewest sines, if all blocks fit the cache.
    size = min(math.isqrt(length), max(1, _BLOCK // len(frequencies)))
    blocks = [slice(row, row + size) for row in range(0, length, size)]
    if not consecutive(positions):
        for rows in blocks:
            yield rows, waves(positions[rows], frequencies)
        return
    first = waves(np.arange(size), frequencies)
    turns = waves(positions[::size], frequencies)
    memory = np.empty_like(first)
    for rows, turn in zip(blocks, turns, strict=True):
        rest = len(positions[rows])
        yield rows, np.multiply(first[:rest], turn, out=memory[:rest])
