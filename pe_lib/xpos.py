"""Extrapolatable position embedding (xPos): RoPE whose scores also decay with the distance.

Queries shrink and keys grow with their positions, so that a product of the two shrinks with what
lies between. The subject of the chapter ``relative/rope``.
"""

import numpy as np

from pe_lib import _checks, rope
from pe_lib._layout import pair_slices

_GAMMA = 0.4


def zeta(dim):
    r"""Decay of each channel pair: what its part of a score keeps per ``scale_base`` tokens.

    .. math:: \zeta_i = \frac{2i / D + \gamma}{1 + \gamma}, \qquad \gamma = 0.4

    Parameters
    ----------
    dim : int
        Number of channels D, positive and even.

    Returns
    -------
    ndarray, shape (dim/2,), float64
        From 2/7, for the fastest pair, to just below 1.

    Raises
    ------
    TypeError, ValueError
        If ``dim`` is not a positive even integer.

    References
    ----------
    Sun et al. (2023), equation 9. In the book: chapter ``relative/rope``.

    Examples
    --------
    >>> zeta(4).round(4).tolist()
    [0.2857, 0.6429]
    """
    pairs = _checks.even_dim(dim) // 2
    return (np.arange(pairs) / pairs + _GAMMA) / (1 + _GAMMA)


def rotate(x, positions, frequencies, *, layout, role, scale_base=512.0):
    r"""Turn every channel pair of ``x`` as RoPE does, then scale it by a power of its decay.

    .. math::

        q'_i = \zeta_i^{\,p / B} \, R(\omega_i p) \, q_i, \qquad
        k'_i = \zeta_i^{\,-p / B} \, R(\omega_i p) \, k_i

    A query at m and a key at n then score
    :math:`\sum_i \zeta_i^{(m - n) / B} \, q_i^\top R(\omega_i (n - m)) \, k_i`, of the offset n - m
    alone: a key loses weight the further back it stands. One *after* its query would gain, so
    this goes with a causal mask.

    Parameters
    ----------
    x : array_like of float, shape (..., T, D)
        Queries or keys of one head per leading index; T is the axis before the last.
    positions : array_like of int or float, broadcasting to (..., T)
        In tokens. The same number may be subtracted from those of queries *and* keys, as the
        authors' code does with half the length: no score changes, and the powers stay near 1. It
        must stay the same for as long as a cache keeps the keys.
    frequencies : array_like of float, shape (D/2,)
        In rad per token, usually ``pe_lib.frequencies(D)``.
    layout : {"interleaved", "half"}
        Which channels make a pair; the authors' code is interleaved.
    role : {"query", "key"}
        What ``x`` holds.
    scale_base : float
        B, in tokens, above 0.

    Returns
    -------
    ndarray, shape and dtype of ``x``

    Raises
    ------
    TypeError, ValueError
        As :func:`pe_lib.rope.rotate`; if ``role`` is unknown; if a position is so far from 0 that
        its power would vanish or overflow in the dtype of ``x`` (for B = 512 beyond +-3966 in
        float16, +-35694 in float32, +-289519 in float64).

    References
    ----------
    Sun et al. (2023), section 3.2 and algorithm 1. There B is 1; in the authors' torchscale,
    ``component/xpos_relative_position.py``, it is 512. Equations 5 and 6 give the key's angle the
    other sign, a slip: equation 4 would not hold, and algorithm 1 turns both alike. In the book:
    chapter ``relative/rope``.

    Examples
    --------
    >>> q = rotate([[1.0, 0.0]], 512, [0.0], layout="half", role="query")
    >>> k = rotate([[1.0, 0.0]], 0, [0.0], layout="half", role="key")
    >>> (q @ k.T).round(4).tolist()
    [[0.2857]]
    """
    x = _checks.float_array("x", x)
    turned = rope.rotate(
        x.astype(np.result_type(x, np.float32)), positions, frequencies, layout=layout
    )
    _checks.one_of("role", role, ("query", "key"))
    scale_base = _checks.scalar("scale_base", scale_base, above=0)
    decay = zeta(x.shape[-1])
    positions = _checks.positions("positions", positions)
    farthest = scale_base * np.log(float(np.finfo(x.dtype).tiny)) / np.log(decay[0])
    if (beyond := np.abs(positions) > farthest).any():
        raise ValueError(
            f"positions must lie within +-{farthest:.6g}, or their scale vanishes or overflows in "
            f"{x.dtype}, got {positions[beyond].flat[0]}; subtract the same number from those of "
            f"queries and keys"
        )
    exponents = (positions if role == "query" else -positions) / scale_base
    scale = decay ** exponents[..., None]  # (..., T, D/2)
    with np.errstate(over="ignore"):  # refused in the last line
        for member in pair_slices(x.shape[-1], layout):
            turned[..., member] *= scale
        scaled = turned.astype(x.dtype, copy=False)
    return _checks.finite(f"x must be small enough that no pair overflows {x.dtype}", scaled)
