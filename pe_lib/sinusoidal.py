"""The sinusoidal encoding: one sine and one cosine per frequency, added to the embeddings.

Built step by step in the chapter ``sinusoid/construction``; its shift theorem is the subject
of ``sinusoid/sum_angle``.
"""

import numpy as np

from pe_lib import _checks
from pe_lib._layout import pair_slices
from pe_lib._waves import blocks_of_waves
from pe_lib.frequencies import frequencies


def encode(positions, dim, *, base=10_000.0, layout="interleaved", dtype=np.float64):
    r"""Sinusoidal code of each position.

    .. math:: \mathrm{PE}_{2i}(p) = \sin(\omega_i p), \quad \mathrm{PE}_{2i+1}(p) = \cos(\omega_i p)

    Parameters
    ----------
    positions : array_like of int or float, any shape
        In tokens. Fractions and negative positions are allowed.
    dim : int
        Number of channels, positive and even.
    base : float
        Greater than 1; see :func:`pe_lib.frequencies`.
    layout : {"interleaved", "half"}
        ``"interleaved"`` keeps pair i in channels 2i, 2i+1 (the paper); ``"half"`` in channels
        i, i + dim/2, all sines before all cosines.
    dtype : float16, float32 or float64
        Of the result. Angles are always computed in float64.

    Returns
    -------
    ndarray, shape (..., dim)
        Norm sqrt(dim/2) in every row.

    Raises
    ------
    TypeError, ValueError
        If an argument has the wrong type; if positions are empty, not finite or beyond +-2**28;
        if ``dim`` is not positive and even; if ``layout`` is unknown.

    References
    ----------
    Vaswani et al. (2017), section 3.5. In the book: chapter
    ``sinusoid/construction``, equation ``eq-pair-channels``.

    Examples
    --------
    >>> encode(1, 4).round(4).tolist()
    [0.8415, 0.5403, 0.01, 1.0]
    >>> encode([0, 1, 2], 6, layout="half").shape
    (3, 6)
    """
    positions = _checks.positions("positions", positions)
    omega = frequencies(dim, base=base)
    sines, cosines = pair_slices(dim, layout)
    dtype = _checks.float_dtype(dtype)
    angles = positions[..., None] * omega  # (..., dim/2) rad
    codes = np.empty((*positions.shape, dim), dtype)
    codes[..., sines] = np.sin(angles)
    codes[..., cosines] = np.cos(angles)
    return codes


def table(length, dim, *, start=0, base=10_000.0, layout="interleaved", dtype=np.float32):
    """Codes of the consecutive positions start, ..., start + length - 1, the fast road.

    Equal to ``encode(np.arange(start, start + length), dim, dtype=dtype)`` up to float64's
    rounding, about ten times faster: a block of codes is computed once and then turned,
    block by block, with the shift theorem.

    Parameters
    ----------
    length : int
        Number of rows, at least 1.
    dim, base, layout, dtype
        As in :func:`encode`.
    start : int
        First position, in tokens.

    Returns
    -------
    ndarray, shape (length, dim)

    Raises
    ------
    TypeError, ValueError
        As :func:`encode`, and if ``length`` is not a positive integer or ``start`` not an integer.

    References
    ----------
    Vaswani et al. (2017), section 3.5. In the book: chapters
    ``sinusoid/construction``, equation ``eq-pair-channels``, and ``sinusoid/sum_angle``,
    ``thm-shift``.

    Examples
    --------
    >>> table(2, 4, start=7).dtype
    dtype('float32')
    """
    length = _checks.integer("length", length, minimum=1)
    start = _checks.integer("start", start, minimum=-_checks.MAX_POSITION)
    if start + length - 1 > _checks.MAX_POSITION:
        raise ValueError(f"start + length must be at most 2**28 + 1, got {start + length}")
    omega = frequencies(dim, base=base)
    sines, cosines = pair_slices(dim, layout)
    codes = np.empty((length, dim), _checks.float_dtype(dtype))
    for rows, wave in blocks_of_waves(np.arange(start, start + length), omega):
        codes[rows, sines] = wave.imag
        codes[rows, cosines] = wave.real
    return codes


def shift_matrix(offset, dim, *, base=10_000.0, layout="interleaved"):
    r"""The matrix that moves every code by the same offset.

    .. math:: \mathrm{PE}(p + k) = M_k \, \mathrm{PE}(p) \quad \text{for every } p

    It is orthogonal, with one block per pair,
    :math:`\begin{pmatrix} \cos \omega_i k & \sin \omega_i k \\ -\sin \omega_i k & \cos \omega_i k
    \end{pmatrix}`, because a pair is stored as (sine, cosine).

    Parameters
    ----------
    offset : int or float
        The shift k, in tokens; may be negative or fractional.
    dim, base, layout
        As in :func:`encode`.

    Returns
    -------
    ndarray, shape (dim, dim), float64

    Raises
    ------
    TypeError, ValueError
        If ``offset`` is not one finite number within +-2**28, and as :func:`encode`.

    References
    ----------
    Vaswani et al. (2017), section 3.5, states that such a matrix exists. In the book:
    chapter ``sinusoid/sum_angle``, ``thm-shift``.

    Examples
    --------
    >>> shifted = shift_matrix(3, 8) @ encode(5, 8)
    >>> bool(np.allclose(shifted, encode(8, 8)))
    True
    """
    offset = _checks.scalar("offset", offset)
    angles = _checks.positions("offset", offset) * frequencies(dim, base=base)
    matrix = np.zeros((dim, dim))
    sines, cosines = (np.arange(dim)[part] for part in pair_slices(dim, layout))
    matrix[sines, sines] = matrix[cosines, cosines] = np.cos(angles)
    matrix[sines, cosines] = np.sin(angles)
    matrix[cosines, sines] = -np.sin(angles)
    return matrix


def timescale_frequencies(dim, *, min_timescale=1.0, max_timescale=1e4):
    r"""Frequencies of the tensor2tensor variant, which reaches both ends of its range.

    .. math:: \omega_i = \frac{1}{t_{\min}} \left(\frac{t_{\min}}{t_{\max}}\right)^{i / (d/2 - 1)}

    It differs from :func:`pe_lib.frequencies` in the exponent (its last timescale is exactly
    ``max_timescale``), and goes with ``layout="half"``.

    Parameters
    ----------
    dim : int
        Number of channels, positive and even. With a single pair its timescale is
        ``min_timescale``.
    min_timescale, max_timescale : float
        Tokens per radian of the fastest and the slowest pair, above 1e-100.

    Returns
    -------
    ndarray, shape (dim/2,), float64
        In rad per token.

    Raises
    ------
    TypeError, ValueError
        If ``dim`` is not a positive even integer or a timescale not a finite number above
        1e-100.

    References
    ----------
    tensor2tensor, ``layers/common_attention.py``, ``get_timing_signal_1d``. There the result is
    multiplied by ``min_timescale`` where it should be divided, which shows only when that is not 1.
    In the book: chapter ``sinusoid/construction``.

    Examples
    --------
    >>> timescale_frequencies(8).round(5).tolist()
    [1.0, 0.04642, 0.00215, 0.0001]
    """
    pairs = _checks.even_dim(dim) // 2
    shortest = _checks.scalar("min_timescale", min_timescale, above=1e-100)
    longest = _checks.scalar("max_timescale", max_timescale, above=1e-100)
    steps = np.arange(pairs) / max(pairs - 1, 1)
    return 1 / (shortest ** (1 - steps) * longest**steps)
