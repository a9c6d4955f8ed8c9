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
    _checks.shape("frequencies", omega, (dim // 2,))  # one per channel pair
    with np.errstate(over="ignore"):  # refused in the same line
        _checks.positions("positions times frequencies", abs(positions).max() * abs(omega).max())
    factors = _complex_factor if _checks.layout(layout) == "interleaved" else _real_factors
    wide = np.result_type(x, np.float32)  # float16 is computed in float32
    rotated = np.empty_like(x)
    sources, targets = np.atleast_2d(x), np.atleast_2d(rotated)
    # Memory for one block, taken once: taking and returning it each time costs more than the turn.
    size = min(x.size, max(_BLOCK, x.size // sources.shape[-2]))
    products, finite = np.empty(size // 2, wide), np.empty(size, bool)
    for parts, wave in _blocks(sources, positions, omega):
        turn = factors(wave)
        for part in parts:
            source, target = sources[part].astype(wide, copy=False), targets[part]
            turned = target if target.dtype == wide else np.empty_like(source)
            with np.errstate(over="ignore", invalid="ignore"):  # refused in the next lines
                turn(source, turned, products)
                if turned is not target:
                    target[...] = turned
            if not np.isfinite(target, out=_shaped(finite, target.shape)).all():
                _checks.float_array("x", x)
                raise ValueError(f"x must be small enough that no pair overflows {x.dtype}")
    return rotated


def _complex_factor(wave):
    """Interleaved: neighboring channels are a complex number, and one product turns them."""

    def turn(x, out, products):
        np.multiply(x.view(wave.dtype), wave, out=out.view(wave.dtype))

    return turn


def _real_factors(wave):
    """Half: the rotation as it is written, on the halves a and b of the channels."""
    cosines, sin = np.concatenate([wave.real, wave.real], axis=-1), wave.imag.copy()

    def turn(x, out, products):
        (a, b), (turned_a, turned_b) = (np.split(array, 2, axis=-1) for array in (x, out))
        product = _shaped(products, a.shape)
        np.multiply(x, cosines, out=out)
        turned_a -= np.multiply(b, sin, out=product)
        turned_b += np.multiply(a, sin, out=product)

    return turn


def _shaped(memory, shape):
    """The beginning of a line of memory as an array of this shape."""
    return memory[: math.prod(shape)].reshape(shape)


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
            indices = [(*part, ..., rows, slice(None)) for part in parts]
            yield indices, _wave(x, positions[row][rows], omega)


def _wave(x, positions, omega):
    """exp(i omega p), rounded to the precision of x, but at least to that of float32."""
    wave = np.empty((len(positions), len(omega)), np.result_type(x, np.complex64))
    for rows, block in blocks_of_waves(positions, omega):
        wave[rows] = block
    return wave
