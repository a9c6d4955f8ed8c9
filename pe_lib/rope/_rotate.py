"""The rotation itself: every channel pair turns by position times frequency."""

import itertools
import math

import numpy as np

from pe_lib import _checks
from pe_lib._waves import blocks_of_waves

_BLOCK = 2**18  # numbers: with its result a block of float32 takes 2 MiB of cache


def rotate(x, positions, frequencies, *, layout):
    r"""Turn every channel pair of ``x`` by the angle position times frequency.

    .. math::

        \begin{pmatrix} x'_a \\ x'_b \end{pmatrix} =
        \begin{pmatrix} \cos \omega_i p & -\sin \omega_i p \\ \sin \omega_i p & \cos \omega_i p
        \end{pmatrix}
        \begin{pmatrix} x_a \\ x_b \end{pmatrix}

    where (a, b) = (2i, 2i+1) in the interleaved layout and (i, i + D/2) in the half layout.

    Parameters
    ----------
    x : array_like of float, shape (..., T, D)
        Queries or keys of one head per leading index; T is the axis before the last.
    positions : array_like of int or float, broadcasting to (..., T)
        In tokens.
    frequencies : array_like of float, shape (D/2,)
        In rad per token, usually ``pe_lib.frequencies(D)``.
    layout : {"interleaved", "half"}
        Which channels make a pair. A checkpoint is trained with one of them and wrong with the
        other.

    Returns
    -------
    ndarray, shape and dtype of ``x``
        Each pair keeps its norm; the dot product of two results depends on their positions
        through the offset alone.

    Raises
    ------
    TypeError, ValueError
        If shapes do not fit, D is odd, a value is not finite, a position or an angle lies beyond
        +-2**28, or ``layout`` is unknown.

    References
    ----------
    Su et al. (2021), section 3.2.2, equations 14 to 16. In the book: chapter ``relative/rope``,
    equation ``eq-rope``.

    Examples
    --------
    >>> x = np.array([[1.0, 2.0, 3.0, 4.0]])
    >>> rotate(x, 3, [1.0, 0.01], layout="interleaved").round(4).tolist()
    [[-1.2722, -1.8389, 2.8787, 4.0882]]
    >>> rotate(x, 3, [1.0, 0.01], layout="half").round(4).tolist()
    [[-1.4134, 1.8791, -2.8289, 4.0582]]
    """
    x = np.ascontiguousarray(_checks.floats("x", x))
    dim = _checks.even_dim(x.shape[-1], "x.shape[-1]")
    positions = _checks.positions("positions", positions)
    _checks.broadcastable("positions", positions.shape, x.shape[:-1])
    omega = _checks.real_array("frequencies", frequencies)
    if omega.shape != (dim // 2,):
        raise ValueError(
            f"frequencies must have shape ({dim // 2},), one per channel pair, got {omega.shape}"
        )
    with np.errstate(over="ignore"):  # refused in the same line
        _checks.positions("positions times frequencies", abs(positions).max() * abs(omega).max())
    turn = _turn_interleaved if _checks.layout(layout) == "interleaved" else _turn_half
    rotated = np.empty_like(x)
    sources, targets = np.atleast_2d(x), np.atleast_2d(rotated)
    for parts, wave in _blocks(sources, positions, omega):
        for part in parts:
            with np.errstate(over="ignore", invalid="ignore"):  # refused in the next lines
                turn(sources[part], wave, targets[part])
            if not np.isfinite(targets[part]).all():
                _checks.float_array("x", x)
                raise ValueError(f"x must be small enough that no pair overflows {x.dtype}")
    return rotated


def _blocks(x, positions, omega):
    """Parts of x that stay in the processor's cache, with exp(i omega p) of their tokens.

    Yields
    ------
    parts : list of tuple
        Indices into x, each of a part of shape (..., rows, D).
    wave : ndarray, shape (rows, D/2), complex64, or complex128 where x is float64
    """
    *heads, length, dim = x.shape
    positions = np.broadcast_to(positions, (*positions.shape[:-1], length))
    positions = positions.reshape(*[1] * (len(heads) + 1 - positions.ndim), *positions.shape)
    for row in np.ndindex(positions.shape[:-1]):
        # An axis of length 1 means that all heads along it share these positions.
        axes = [
            range(n) if size == 1 else [index]
            for n, size, index in zip(heads, positions.shape, row, strict=False)
        ]
        if length * dim >= _BLOCK // 2:  # one head fills a block
            size, parts = _BLOCK // dim, list(itertools.product(*axes))
        else:
            size = _BLOCK // (dim * math.prod(map(len, axes)))
            parts = [tuple(slice(axis[0], axis[-1] + 1) for axis in axes)]
        for start in range(0, length, max(1, size)):
            rows = slice(start, start + max(1, size))
            yield (
                [(*part, ..., rows, slice(None)) for part in parts],
                _wave(x, positions[row][rows], omega),
            )


def _wave(x, positions, omega):
    """exp(i omega p), rounded to the precision of x, but at least to that of float32."""
    wave = np.empty((len(positions), len(omega)), np.result_type(x, np.complex64))
    for rows, block in blocks_of_waves(positions, omega):
        wave[rows] = block
    return wave


def _turn_interleaved(x, wave, out):
    """Neighboring channels are the parts of a complex number: one product turns a pair."""
    if out.dtype == wave.real.dtype:
        np.multiply(x.view(wave.dtype), wave, out=out.view(wave.dtype))
    else:
        out[...] = (x.astype(wave.real.dtype).view(wave.dtype) * wave).view(wave.real.dtype)


def _turn_half(x, wave, out):
    """The rotation as it is written, on the two halves (a, b) of the channels."""
    cos, sin = np.ascontiguousarray(wave.real), np.ascontiguousarray(wave.imag)
    a, b = np.split(x, 2, axis=-1)
    for half, product, signed in zip(
        np.split(out, 2, axis=-1), (a * cos, b * cos), (b * -sin, a * sin), strict=True
    ):
        np.add(product, signed, out=half, casting="same_kind")
