"""The scaling of Llama 3.1: fast pairs stay, slow pairs are divided, a few blend.

The subject of the chapter ``context/scaling``.
"""

import numpy as np

from pe_lib import _checks
from pe_lib.context._scaled import Scaled, at_least, blend, checked_frequencies, turns


def llama3(
    frequencies, *, factor, low_freq_factor, high_freq_factor, original_max_position_embeddings
):
    r"""Keep pairs that turn often in the trained length, divide those that hardly turn.

    .. math:: r_i = \frac{M \omega_i}{2 \pi}, \qquad
        \kappa_i = \operatorname{clip}\left(\frac{r_i - l}{h - l}, 0, 1\right), \qquad
        \omega'_i = (1 - \kappa_i) \frac{\omega_i}{s} + \kappa_i \, \omega_i

    A pair makes r turns in M tokens; the blend is linear in r. This is the "NTK-by-parts" of Peng
    et al. with other bounds and without their temperature; :func:`pe_lib.context.yarn` blends as
    their released code does, linearly in the pair's index.

    Parameters
    ----------
    frequencies : array_like of float, shape (D/2,)
        In rad per token.
    factor : float
        s, at least 1.
    low_freq_factor : float
        l > 0: pairs with at most so many turns are divided by s.
    high_freq_factor : float
        h > l: pairs with at least so many turns are kept.
    original_max_position_embeddings : int
        M, the trained length in tokens.

    Returns
    -------
    Scaled
        Frequencies in float64 and attention factor 1.

    Raises
    ------
    TypeError, ValueError
        If frequencies are not one row of finite numbers from 0 to 2**28 or another argument
        breaks its rule.

    References
    ----------
    Grattafiori et al. (2024); the formula stands in ``apply_scaling`` of
    ``meta-llama/llama-models``; Peng et al. (2024), section 3. In the book: chapter
    ``context/scaling``.

    Examples
    --------
    >>> llama3(
    ...     [2 * np.pi, np.pi / 4, np.pi / 100],
    ...     factor=8,
    ...     low_freq_factor=1,
    ...     high_freq_factor=4,
    ...     original_max_position_embeddings=20,
    ... ).frequencies.round(4).tolist()
    [6.2832, 0.4418, 0.0039]
    """
    omega = checked_frequencies(frequencies)
    factor = at_least("factor", factor, 1)
    low = _checks.scalar("low_freq_factor", low_freq_factor, above=0)
    high = _checks.scalar("high_freq_factor", high_freq_factor)
    if not high > low:
        raise ValueError(
            f"high_freq_factor must be greater than low_freq_factor = {low_freq_factor!r}, "
            f"got {high_freq_factor!r}"
        )
    length = _checks.integer(
        "original_max_position_embeddings", original_max_position_embeddings, minimum=1
    )
    keep = (np.clip(turns(omega, length), low, high) - low) / (high - low)
    return Scaled(blend(omega, factor, keep), 1.0)
