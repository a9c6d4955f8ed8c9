"""RoPE with positions of several axes, or on a part of the channels.

One idea serves all: a channel pair may turn by whichever position it is given.
"""

import numpy as np

from pe_lib import _checks
from pe_lib._layout import pair_slices
from pe_lib.rope._rotate import rotate


def rotate_2d(x, positions, frequencies, *, layout):
    r"""Turn the first half of the channel pairs of ``x`` by the row y, the second by the column x.

    Pair i turns by the angle

    .. math:: \omega_i \, y \quad (i < D/4), \qquad \omega_{i - D/4} \, x \quad (i \ge D/4),

    so the score of two results depends on their positions through the offset (in y and in x) alone.

    Parameters
    ----------
    x : array_like of float, shape (..., T, D)
        Queries or keys of one head per leading index; D is a multiple of 4.
    positions : array_like of int or float, broadcasting to (..., T, 2)
        Pairs (y, x) in patches, as from :func:`pe_lib.positions.grid`. Models that turn the first
        half by the column (RoPE-ViT, SAM 2) take ``positions[..., ::-1]``.
    frequencies : array_like of float, shape (D/4,)
        In rad per patch, the same for both axes, usually ``pe_lib.frequencies(D // 2)``.
    layout : {"interleaved", "half"}
        Which channels make pair i: 2i, 2i+1 (EVA-02: then y has the first half of the channels)
        or i, i + D/2 (the vision part of Qwen2-VL: y has their first and third quarter).

    Returns
    -------
    ndarray, shape and dtype of ``x``

    Raises
    ------
    TypeError, ValueError
        If shapes do not fit, D is no multiple of 4, and as :func:`pe_lib.rope.rotate`.

    References
    ----------
    Heo et al. (2024), section 3. In the book: chapter ``beyond/images``.

    Examples
    --------
    >>> x = np.array([[1.0, 0.0, 1.0, 0.0]])
    >>> rotate_2d(x, [0, 1], [1.0], layout="interleaved").round(4).tolist()
    [[1.0, 0.0, 0.5403, 0.8415]]
    """
    x = _checks.float_array("x", x)
    quarter, rest = divmod(x.shape[-1], 4)
    if rest:
        raise ValueError(f"x.shape[-1] must be a multiple of 4, got {x.shape[-1]}")
    positions = _checks.positions("positions", positions)
    if positions.ndim == 0 or positions.shape[-1] != 2:
        raise ValueError(f"positions must have shape (..., T, 2), got {positions.shape}")
    _checks.broadcastable("positions", positions.shape, (*x.shape[:-1], 2))
    omega = _frequencies(frequencies, quarter)
    axis_of_pair = np.repeat([0, 1], quarter)
    return _rotate_axes(x, np.moveaxis(positions, -1, 0), np.tile(omega, 2), axis_of_pair, layout)


def multimodal(
    x, positions, frequencies, *, layout, sections=(16, 24, 24), arrangement="contiguous"
):
    r"""Turn every channel pair of ``x`` by one of three positions: time, height or width (M-RoPE).

    .. math:: \text{pair } i \text{ turns by } \omega_i \, p_{a(i)}

    with a(i) = 0, 1, 2 for time, height, width. Where the three are equal, as for text, this is
    :func:`pe_lib.rope.rotate`.

    Parameters
    ----------
    x : array_like of float, shape (..., T, D)
        Queries or keys of one head per leading index.
    positions : array_like of int or float, shape (3, ...), each row broadcasting to (..., T)
        In ids, as from :func:`pe_lib.positions.mrope`.
    frequencies : array_like of float, shape (D/2,)
        In rad per id, usually ``pe_lib.frequencies(D, base=1e6)``.
    layout : {"interleaved", "half"}
        Which channels make a pair; the models are in the half layout.
    sections : sequence of three ints
        Pairs for time, height and width, summing to D/2; ``mrope_section`` of a config.
    arrangement : {"contiguous", "interleaved"}
        Contiguous (Qwen2-VL): a section after the other, so time has the fastest pairs.
        Interleaved (Qwen3-VL, sections 24, 20, 20): time, height, width in turn for as long as
        height and width have pairs left, time in all the rest.

    Returns
    -------
    ndarray, shape and dtype of ``x``

    Raises
    ------
    TypeError, ValueError
        If shapes do not fit, ``sections`` are not three positive integers that sum to D/2 or
        cannot be interleaved, and as :func:`pe_lib.rope.rotate`.

    References
    ----------
    Wang et al. (2024), section 2.1; interleaved: Bai et al. (2025), section 1. In the book:
    chapter ``beyond/multimodal``.

    Examples
    --------
    >>> x = np.array([[1.0, 1.0, 1.0, 0.0, 0.0, 0.0]])
    >>> ids = [[0], [0], [1]]
    >>> multimodal(x, ids, [1.0, 1.0, 1.0], layout="half", sections=(1, 1, 1)).round(4).tolist()
    [[1.0, 1.0, 0.5403, 0.0, 0.0, 0.8415]]
    """
    x = _checks.float_array("x", x)
    half = _checks.even_dim(x.shape[-1], "x.shape[-1]") // 2
    positions = _checks.positions("positions", positions)
    if positions.ndim == 0 or len(positions) != 3:
        raise ValueError(f"positions must have shape (3, ..., T), got {positions.shape}")
    _checks.broadcastable("each row of positions", positions.shape[1:], x.shape[:-1])
    sections = _checks.integer_array("sections", sections, minimum=1)
    _checks.shape("sections", sections, (3,))
    if sections.sum() != half:
        raise ValueError(f"sections must sum to D/2 = {half}, got {sections.tolist()}")
    axis_of_pair = _axis_of_pair(sections, arrangement)
    return _rotate_axes(x, positions, _frequencies(frequencies, half), axis_of_pair, layout)


def rotate_partial(x, positions, frequencies, *, layout):
    r"""Turn the first R channels of ``x`` by RoPE and let the others pass, untouched by position.

    .. math:: x' = (R(p) \, x_{0 \dots R-1}, \; x_{R \dots D-1})

    Parameters
    ----------
    x : array_like of float, shape (..., T, D)
        Queries or keys of one head per leading index; D is at least R.
    positions : array_like of int or float, broadcasting to (..., T)
        In tokens.
    frequencies : array_like of float, shape (R/2,)
        In rad per token, usually ``pe_lib.frequencies(R)``: models take the exponent from R, not
        from D. Their number says how many channels turn: GPT-J 64 of 256, GPT-NeoX a quarter.
    layout : {"interleaved", "half"}
        Which of the first R channels make a pair: 2i, 2i+1 (GPT-J) or i, i + R/2 (GPT-NeoX).

    Returns
    -------
    ndarray, shape and dtype of ``x``

    Raises
    ------
    TypeError, ValueError
        If R is greater than D, and as :func:`pe_lib.rope.rotate`.

    References
    ----------
    Black et al. (2022), section 2.1. In the book: chapter ``relative/rope``.

    Examples
    --------
    >>> rotate_partial([[1.0, 0.0, 5.0]], 1, [1.0], layout="half").round(4).tolist()
    [[0.5403, 0.8415, 5.0]]
    """
    x = _checks.float_array("x", x)
    omega = _checks.real_array("frequencies", frequencies)
    _checks.shape("frequencies", omega, (None,))
    turning = 2 * len(omega)
    if not 0 < turning <= x.shape[-1]:
        raise ValueError(
            f"frequencies must be those of 1 to {x.shape[-1] // 2} pairs, as x has {x.shape[-1]} "
            f"channels, got {len(omega)}"
        )
    partly = x.copy(order="C")
    partly[..., :turning] = rotate(x[..., :turning], positions, omega, layout=layout)
    return partly


def _axis_of_pair(sections, arrangement):
    """Which of the three positions each pair turns by, shape (D/2,)."""
    _checks.one_of("arrangement", arrangement, ("contiguous", "interleaved"))
    if arrangement == "contiguous":
        return np.repeat([0, 1, 2], sections)
    axis_of_pair = np.zeros(sections.sum(), int)
    for axis in (1, 2):
        axis_of_pair[axis : 3 * sections[axis] : 3] = axis
    if (np.bincount(axis_of_pair) != sections).any():
        raise ValueError(
            f"sections sum to too few pairs to interleave: height and width take every third, "
            f"got {sections.tolist()}"
        )
    return axis_of_pair


def _frequencies(value, pairs):
    """Frequencies, one per channel pair of an axis."""
    return _checks.shape("frequencies", _checks.real_array("frequencies", value), (pairs,))


def _rotate_axes(x, positions, frequencies, axis_of_pair, layout):
    """Turn pair i by ``positions[axis_of_pair[i]]``: one plain rotation per axis."""
    members = [np.arange(x.shape[-1])[part] for part in pair_slices(x.shape[-1], layout)]
    rotated = np.empty_like(x, order="C", subok=False)
    for axis, along in enumerate(positions):
        pairs = axis_of_pair == axis
        order = "F" if layout == "interleaved" else "C"
        channels = np.ravel([member[pairs] for member in members], order)
        rotated[..., channels] = rotate(x[..., channels], along, frequencies[pairs], layout=layout)
    return rotated
