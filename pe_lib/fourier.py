"""Fourier features: sines and cosines of projected coordinates, for points rather than tokens.

Their dot product is a kernel of the difference of two points, as for the sinusoidal code; set side
by side with it in the chapter ``sinusoid/geometry``.
"""

import numpy as np

from pe_lib import _checks


def encode(coordinates, matrix):
    r"""Sines and cosines of the turns that a point makes in each direction.

    .. math:: \gamma(x) = (\sin 2 \pi B x, \; \cos 2 \pi B x)

    All sines stand before all cosines, as in the half layout of the sinusoidal code and in the
    authors' own code; their paper writes the cosines first.

    Parameters
    ----------
    coordinates : array_like of float, shape (..., C)
    matrix : array_like of float, shape (M, C)
        The frequencies B, in turns per unit of each coordinate: draw them from a normal
        distribution for random Fourier features. (A frequency of the sinusoidal code, in radians,
        is :math:`2 \pi` times larger.)

    Returns
    -------
    ndarray, shape (..., 2 M)
        Norm sqrt(M) everywhere. In the wider dtype of the two arguments; computed in float64.

    Raises
    ------
    TypeError, ValueError
        If an argument is not an array of finite numbers, if their last axes differ, or if a point
        makes more than 2**28 turns in some direction, where float64 no longer holds the angle to
        1e-6 rad.

    References
    ----------
    Tancik et al. (2020), section 6, Gaussian mapping; Rahimi and Recht (2007). In the book:
    chapter ``sinusoid/geometry``.

    Examples
    --------
    >>> encode([0.5, 0.125], [[1.0, 0.0], [0.0, 2.0]]).round(3).tolist()
    [0.0, 1.0, -1.0, 0.0]
    """
    coordinates = _checks.float_array("coordinates", coordinates)
    matrix = _checks.float_array("matrix", matrix, min_ndim=2)
    _checks.shape("matrix", matrix, (None, coordinates.shape[-1]))
    x, b = coordinates.astype(np.float64), matrix.astype(np.float64).T
    with np.errstate(over="ignore"):  # refused in the next lines
        most = np.abs(x) @ np.abs(b)
    if not (most <= _checks.MAX_POSITION).all():
        raise ValueError(
            f"coordinates times matrix must lie within +-2**28 turns, got up to {most.max()}"
        )
    turns = x @ b
    angles = 2 * np.pi * (turns - np.rint(turns))  # whole turns are dropped before they can round
    codes = np.concatenate([np.sin(angles), np.cos(angles)], axis=-1)
    return codes.astype(np.result_type(coordinates, matrix), copy=False)
