"""Rotary position embedding (RoPE): queries and keys turn by an angle that grows with position.

The subject of the chapter ``relative/rope``.
"""

import numpy as np

from pe_lib import _checks
from pe_lib._layout import pair_slices


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
    Su et al. (2021), section 3.2.2, equations 14 to 16. In the book: equation ``eq-rope``.

    Examples
    --------
    >>> x = np.array([[1.0, 2.0, 3.0, 4.0]])
    >>> rotate(x, 3, [1.0, 0.01], layout="interleaved").round(4).tolist()
    [[-1.2722, -1.8389, 2.8787, 4.0882]]
    >>> rotate(x, 3, [1.0, 0.01], layout="half").round(4).tolist()
    [[-1.4134, 1.8791, -2.8289, 4.0582]]
    """
    x = _checks.float_array("x", x)
    dim = _checks.even_dim(x.shape[-1])
    positions = _checks.positions("positions", positions)
    _checks.broadcastable("positions", positions.shape, x.shape[:-1])
    omega = _checks.real_array("frequencies", frequencies)
    if omega.shape != (dim // 2,):
        raise ValueError(
            f"frequencies must have shape ({dim // 2},), one per channel pair, got {omega.shape}"
        )
    first, second = pair_slices(dim, layout)
    with np.errstate(over="ignore"):  # refused in the next line
        angles = positions[..., None] * omega  # (..., T, D/2) rad
    _checks.positions("positions times frequencies", angles)
    cos, sin = (
        wave.astype(np.result_type(x, np.float32)) for wave in (np.cos(angles), np.sin(angles))
    )
    rotated = np.empty_like(x, order="C", subok=False)
    with np.errstate(over="ignore"):  # refused in the last line
        rotated[..., first] = x[..., first] * cos - x[..., second] * sin
        rotated[..., second] = x[..., first] * sin + x[..., second] * cos
    return _checks.finite(f"x must be small enough that no pair overflows {x.dtype}", rotated)


def convert_layout(weight, num_heads, *, source, target):
    """Reorder a query or key projection so that the other layout computes the same scores.

    Parameters
    ----------
    weight : array_like of float, shape (num_heads * D, ...)
        A projection's weight, output channels first, or its bias. For grouped-query attention
        the key projection has its own, smaller ``num_heads``.
    num_heads : int
    source, target : {"interleaved", "half"}
        The layout that ``weight`` was trained with and the one that is wanted.

    Returns
    -------
    ndarray, shape and dtype of ``weight``
        The same rows; within each head, pair i moves from its source to its target channels.

    Raises
    ------
    TypeError, ValueError
        If the rows do not divide into ``num_heads`` heads of even size, or a layout is unknown.

    References
    ----------
    In the book: section ``sec-rope-layouts``. The same permutation as in the conversion of Llama
    checkpoints between Meta's (interleaved) and Hugging Face's (half) code.

    Examples
    --------
    >>> convert_layout([0.0, 1.0, 2.0, 3.0], 1, source="interleaved", target="half").tolist()
    [0.0, 2.0, 1.0, 3.0]
    """
    weight = _checks.float_array("weight", weight)
    num_heads = _checks.integer("num_heads", num_heads, minimum=1)
    _checks.one_of("source", source, _checks.LAYOUTS)
    _checks.one_of("target", target, _checks.LAYOUTS)
    rows = weight.shape[0]
    if rows % (2 * num_heads):
        raise ValueError(
            f"weight must have num_heads times an even number of rows, got {rows} rows for "
            f"{num_heads} heads"
        )
    channels = np.arange(rows).reshape(num_heads, -1)
    order = np.empty_like(channels)
    for old, new in zip(
        pair_slices(channels.shape[1], source), pair_slices(channels.shape[1], target), strict=True
    ):
        order[:, new] = channels[:, old]
    return weight[order.ravel()]
