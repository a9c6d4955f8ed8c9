"""Randomized positions: train on increasing positions drawn from a range longer than any sequence.

No code of its own: the positions go to any other encoding. What it does for length generalization
is measured in the chapter ``context/generalization``.
"""

import numpy as np

from pe_lib import _checks


def sample_positions(length, max_position, rng):
    """Distinct positions in increasing order, every set of them equally likely.

    Parameters
    ----------
    length : int
        Number of positions, at least 1.
    max_position : int
        Positions are drawn from 0 to max_position - 1 (in the paper, from 1 to L); at least
        ``length``, and longer than any sequence that the model is to meet.
    rng : numpy.random.Generator

    Returns
    -------
    ndarray, shape (length,), int64
        In tokens. Takes memory for a multiple of ``length`` numbers, not for ``max_position``.

    Raises
    ------
    TypeError, ValueError
        If ``length`` or ``max_position`` is not a positive integer, or fewer positions exist than
        are wanted; if ``rng`` is not a generator.

    References
    ----------
    Ruoss et al. (2023), section 3. In the book: chapter ``context/generalization``.

    Examples
    --------
    >>> positions = sample_positions(5, 2048, np.random.default_rng(0))
    >>> len(positions), bool((np.diff(positions) > 0).all())
    (5, True)
    >>> sample_positions(3, 3, np.random.default_rng(0)).tolist()
    [0, 1, 2]
    """
    length = _checks.integer("length", length, minimum=1)
    max_position = _checks.integer("max_position", max_position, minimum=length)
    rng = _checks.generator("rng", rng)
    return np.sort(rng.choice(max_position, length, replace=False, shuffle=False))
