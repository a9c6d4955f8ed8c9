"""Conditional encoding: each patch adds what a small convolution sees around it.

There is no table and no position: the zeros around the image are what tells a patch where the
border is. A subject of the chapter ``beyond/images``.
"""

import numpy as np

from pe_lib import _checks


def encode(x, weight, bias=None):
    r"""Features plus their depth-wise convolution, zeros standing beyond the border.

    .. math:: y_{r, c} = x_{r, c} + b + \sum_{u, v} w_{u, v} \odot x_{r + u - h, \; c + v - h},
        \qquad h = (k - 1) / 2

    Parameters
    ----------
    x : array_like of float, shape (..., H, W, D)
        Features of the patches of an image, on their grid. A class token stands on no grid: keep
        it out.
    weight : array_like of float, shape (k, k, D)
        One k x k filter per channel, k odd (3 in the published models). PyTorch stores it as
        (D, 1, k, k).
    bias : array_like of float, shape (D,), optional

    Returns
    -------
    ndarray, shape and dtype of ``x``
        Computed in float64.

    Raises
    ------
    TypeError, ValueError
        If an argument is not an array of finite numbers; if ``weight`` is not square, of odd size,
        with one filter per channel; if the result overflows.

    References
    ----------
    Chu et al. (2023), section 3.2; with the sum, as in the code of Twins (Chu et al. 2021). In the
    book: chapter ``beyond/images``.

    Examples
    --------
    >>> ones = np.ones((3, 3, 1))
    >>> encode(ones, ones)[..., 0].tolist()
    [[5.0, 7.0, 5.0], [7.0, 10.0, 7.0], [5.0, 7.0, 5.0]]
    """
    x = _checks.float_array("x", x, min_ndim=3)
    *_, height, width, dim = x.shape
    weight = _checks.real_array("weight", weight)
    size = weight.shape[0] if weight.ndim else 0
    _checks.shape("weight", weight, (size, size, dim))
    if size % 2 == 0:
        raise ValueError(f"weight must have an odd size, to have a center, got {weight.shape}")
    half = size // 2
    padded = np.pad(
        x.astype(np.float64), [(0, 0)] * (x.ndim - 3) + [(half, half), (half, half), (0, 0)]
    )
    with np.errstate(over="ignore", invalid="ignore"):  # refused in the last line
        encoded = x.astype(np.float64)
        for u, v in np.ndindex(size, size):
            encoded += weight[u, v] * padded[..., u : u + height, v : v + width, :]
        if bias is not None:
            encoded += _checks.shape("bias", _checks.real_array("bias", bias), (dim,))
        encoded = encoded.astype(x.dtype, copy=False)
    return _checks.finite(f"x and weight must be small enough not to overflow {x.dtype}", encoded)
