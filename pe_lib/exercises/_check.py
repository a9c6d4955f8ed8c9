"""How to write a check.

A check is a function of the reader's answer. It returns if the answer is right and calls
:func:`require` or :func:`require_close`, which raise, where it is not. It stands in the module
of its chapter and is registered under the name ``<chapter>-<topic>``::

    @exercise("rope-rotate-pair")
    def rotate_pair(answer):
        '''A function of (pair, angle) that turns the pair counterclockwise.'''
        for angle in (0.0, 0.5, np.pi):
            case = {"pair": np.array([1.0, 0.0]), "angle": angle}
            got = numbers(call(answer, **case), shape=(2,), input=case, form="the pair, turned")
            faults = ((np.allclose(got, _turned(-angle)), "Which way does a positive angle turn?"),)
            require_close(
                got, _turned(angle), input=case, hint=hint_for(faults, "Draw the pair and its end.")
            )

- Test properties on several inputs, the simplest first: the reader sees the first that fails.
  A case of one channel, position 0 or angle 0 explains more than a random matrix.
- Inputs are fixed or drawn from ``np.random.default_rng(0)``, so that a verdict stored in a
  notebook is the same on every run. Where a reader might copy one, round it to a digit.
- A hint is the question that a good teacher would ask about this mistake. It never holds the
  solution, the wanted value, or code. A ``form`` names the type and shape of a result and nothing
  else, because the page shows it before the reader has tried.
- Run the reader's functions by ``call`` only, and read what they return by ``numbers``, ``items``
  or ``word`` only (:mod:`pe_lib.exercises._reader`): these bear nonsense.
- Add a right answer and the usual mistakes to the tables in ``tests/exercises/``.

The whole check runs under the guard of :mod:`pe_lib.exercises._guard`: time limit, no output, no
lasting change of global state.
"""

import re

import numpy as np

from pe_lib.exercises._reader import Wrong

#: Name -> check, in the order of registration.
CHECKS = {}

#: How far an answer may be from what is wanted, relative to the largest wanted number. Single
#: precision has seven digits, of which a formula loses one or two. The largest number counts, as
#: one near 0 is the difference of larger ones. A verdict shows six digits: what is refused looks
#: wrong.
SINGLE = 1e-5


def exercise(name):
    """Register the decorated function as the check of the exercise ``name``.

    Raises
    ------
    ValueError
        If the name is not words in lower case joined by hyphens, or is taken.
    """
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", name):
        raise ValueError(f"name must be <chapter>-<topic> in lower case, got {name!r}")

    def register(check):
        if name in CHECKS:
            raise ValueError(f"name must be new, got {name!r} a second time")
        CHECKS[name] = check
        return check

    return register


def require(condition, *, input, got, hint):
    """Raise Wrong, which tells of the other arguments, unless ``condition`` is true."""
    if not condition:
        raise Wrong(input=input, got=got, hint=hint)


def close(got, want, *, rtol=SINGLE):
    """Whether all of ``got`` is within ``rtol`` of ``want``, measured against its largest number.

    Parameters
    ----------
    got : ndarray of float
        As :func:`pe_lib.exercises._reader.numbers` gives it.
    want : array_like of float, of the same shape or a single number for all
    rtol : float
        Larger than :data:`SINGLE` for what is worked out by hand.
    """
    return bool((np.abs(got - want) <= rtol * np.max(np.abs(want), initial=0)).all())


def require_close(got, want, *, input, hint, rtol=SINGLE):
    """Raise Wrong, which shows nothing of ``want``, unless ``got`` is :func:`close` to it."""
    require(close(got, want, rtol=rtol), input=input, got=got, hint=hint)


def hint_for(faults, otherwise):
    """The hint of the first fault that an answer has.

    Parameters
    ----------
    faults : sequence of (bool, str)
        Whether the fault is there, and the hint that meets it.
    otherwise : str
        The hint if it is none of them.
    """
    return next((hint for there, hint in faults if there), otherwise)
