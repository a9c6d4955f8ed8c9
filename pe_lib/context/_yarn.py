"""YaRN: fast pairs stay, slow pairs are divided, and attention gets a temperature.

The subject of the chapter ``context/scaling``.
"""

import math

import numpy as np

from pe_lib import _checks
from pe_lib.context._scaled import Scaled, at_least, blend, checked_frequencies, turns


def yarn(
    frequencies,
    *,
    factor,
    original_max_position_embeddings,
    beta_fast=32,
    beta_slow=1,
    attention_factor=None,
    mscale=None,
    mscale_all_dim=None,
    truncate=True,
):
    r"""Keep pairs that turn often in the trained length, divide those that hardly turn.

    .. math:: i(r) = \frac{\ln (M \omega_0 / 2 \pi r)}{\ln (\omega_0 / \omega_1)}, \qquad
        \kappa_i = \operatorname{clip}\left(\frac{i(\beta_{\text{slow}}) - i}
        {i(\beta_{\text{slow}}) - i(\beta_{\text{fast}})}, 0, 1\right), \qquad
        \omega'_i = (1 - \kappa_i) \frac{\omega_i}{s} + \kappa_i \, \omega_i

    where i(r) is the index, as a real number, of the pair that makes r turns in M tokens. The
    paper's ramp is linear in the turns; its released code, which every model was trained with and
    this function follows, makes it linear in the pair's index.

    Parameters
    ----------
    frequencies : array_like of float, shape (D/2,), D at least 4
        In rad per token, each the same factor below the one before: the base that other
        libraries ask for is read from them.
    factor : float
        s, at least 1.
    original_max_position_embeddings : int
        M, the trained length in tokens.
    beta_fast, beta_slow : float
        Turns from which on a pair is kept, and down to which it is divided;
        beta_fast > beta_slow > 1e-100.
    attention_factor : float, optional
        Positive; given, it is taken as it is.
    mscale, mscale_all_dim : float, optional
        At least 0 and given together: the attention factor is then the ratio
        (0.1 mscale ln s + 1) / (0.1 mscale_all_dim ln s + 1). Without them it is 0.1 ln s + 1.
    truncate : bool
        Whether i(beta_fast) is rounded down and i(beta_slow) up to whole pairs.

    Returns
    -------
    Scaled
        Frequencies in float64. i(beta_fast) is at least 0, so the fastest pair is always kept.

    Raises
    ------
    TypeError, ValueError
        If frequencies are not positive and geometric, if M is so short that no pair makes
        beta_slow turns, or an argument breaks its rule.

    Notes
    -----
    The attention factor stands on cosine and sine, so scores get its square, 1/t in the paper's
    words. DeepSeek's models divide it away here (mscale equals mscale_all_dim: ratio 1) and
    multiply their softmax scale by (0.1 mscale_all_dim ln s + 1) squared instead, which reaches
    the channels without rotation as well. That second factor is no part of the result: a port
    needs both.

    References
    ----------
    Peng et al. (2024), section 3, and the code published with it. In the book: chapter
    ``context/scaling``.

    Examples
    --------
    >>> from pe_lib import frequencies
    >>> yarn(frequencies(8), factor=4, original_max_position_embeddings=512).frequencies.tolist()
    [1.0, 0.0625, 0.0025, 0.00025]
    """
    omega = _geometric(frequencies)
    factor = at_least("factor", factor, 1)
    length = _checks.integer(
        "original_max_position_embeddings", original_max_position_embeddings, minimum=1
    )
    slow = _checks.scalar("beta_slow", beta_slow, above=1e-100)
    fast = _checks.scalar("beta_fast", beta_fast)
    if not fast > slow:
        raise ValueError(f"beta_fast must be greater than beta_slow = {slow}, got {beta_fast!r}")
    keep = _kept(omega, length, fast, slow, _checks.flag("truncate", truncate))
    attention_factor = _attention_factor(factor, attention_factor, mscale, mscale_all_dim)
    return Scaled(blend(omega, factor, keep), attention_factor)


def _geometric(frequencies):
    """Frequencies of at least two pairs, falling by one factor to about 1e-5."""
    omega = checked_frequencies(frequencies)
    if omega.size < 2:
        raise ValueError(f"frequencies must be of at least 2 pairs, got {omega.size}")
    if omega.min() <= 0:
        raise ValueError(f"frequencies must be positive, got {omega.min()}")
    logs = np.log(omega)
    off = np.abs(logs - np.linspace(logs[0], logs[-1], len(logs)))
    if logs[0] <= logs[-1] or off.max() > 1e-5:
        raise ValueError(
            "frequencies must fall by the same factor from each pair to the next (scale them "
            f"once, not twice), got {omega.tolist()}"
        )
    return omega


def _kept(omega, length, fast, slow, truncate):
    """How much of each pair's frequency is kept: 1 for fast pairs, 0 for slow ones."""
    turning = turns(omega, length)
    if turning[0] <= slow:
        raise ValueError(
            "original_max_position_embeddings must be long enough that the fastest pair makes "
            f"more than beta_slow = {slow} turns, got {length}"
        )
    fast = min(fast, turning[0])
    pairs = np.arange(len(omega))
    step = (np.log(omega[0]) - np.log(omega[-1])) / (len(omega) - 1)
    # Distances on the axis of pairs come from each pair's own turns: the difference of two
    # positions on it would lose the digits that a pair near the slow end needs.
    to_slow_end = np.log(turning / slow) / step
    width = np.log(fast / slow) / step
    if truncate:
        first, last = np.floor(np.log(turning[0] / fast) / step), np.ceil(to_slow_end[0])
        to_slow_end = last - pairs
        width = max(last - first, 1e-3)  # bounds that round to one pair: a step, as published
    return np.clip(to_slow_end / width, 0, 1)


def _attention_factor(factor, given, mscale, mscale_all_dim):
    """What a configuration's keys make of the factor on cosine and sine."""
    if (mscale is None) != (mscale_all_dim is None):
        raise ValueError(
            f"mscale and mscale_all_dim must be given together, got {mscale!r} and "
            f"{mscale_all_dim!r}: ports disagree on what one alone means"
        )
    if mscale is None:
        mscale, mscale_all_dim = 1.0, 0.0
    above, below = (
        0.1 * at_least(name, value, 0) * math.log(factor) + 1
        for name, value in [("mscale", mscale), ("mscale_all_dim", mscale_all_dim)]
    )
    return above / below if given is None else _checks.scalar("attention_factor", given, above=0)
