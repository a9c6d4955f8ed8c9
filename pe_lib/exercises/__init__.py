"""Exercises that answer: tell a reader whether an answer is right, and where it is not.

Works offline. The verdict on a wrong answer shows an input, what the answer gave there and a
hint; never the solution.
"""

import difflib

from pe_lib.exercises import _guard
from pe_lib.exercises import alibi as alibi

# A chapter's checks register themselves when its module is imported.
from pe_lib.exercises import construction as construction
from pe_lib.exercises import equivariance as equivariance
from pe_lib.exercises import interpolation as interpolation
from pe_lib.exercises import rope as rope
from pe_lib.exercises import sum_angle as sum_angle
from pe_lib.exercises._check import CHECKS
from pe_lib.exercises._reader import Wrong
from pe_lib.exercises._verdict import Verdict

__all__ = ["Verdict", "check", "names"]


def check(name, answer):
    """Check an answer to an exercise.

    Parameters
    ----------
    name : str
        Of the exercise, as the book gives it; :func:`names` lists all.
    answer : object
        A function or a value, as the exercise asks. Anything at all is borne: a function that
        raises, never ends, prints, warns or changes NumPy's settings is just not right yet.

    Returns
    -------
    Verdict
        Its ``right`` is a bool and its ``message`` says the rest; in a notebook it shows itself.

    Raises
    ------
    ValueError
        If there is no exercise of that name.

    Examples
    --------
    >>> check("rope-unknown-layout", lambda before, after: "half").right
    False
    """
    test = _find(name)
    run = _guard.run(lambda: test(answer), seconds=_guard.SECONDS)
    details = _details(run.error)
    if run.printed:
        details += (("Your code printed", run.printed.rstrip()),)
    details += tuple(("Your code warned", text) for text in run.warned)
    return Verdict(name, run.error is None, details)


def names():
    """Names of all exercises, chapter by chapter."""
    return list(CHECKS)


def _details(error):
    """What the reader is told about the exception that ended a check."""
    if error is None:
        return ()
    if isinstance(error, Wrong):
        return error.details
    if isinstance(error, _guard.TimeUp):
        return (("Hint", "It did not finish in time. Is there a loop that never ends?"),)
    return (("Hint", "The check cannot read this answer. Which type does the exercise ask for?"),)


def _find(name):
    if isinstance(name, str) and name in CHECKS:
        return CHECKS[name]
    close = difflib.get_close_matches(str(name), CHECKS)
    question = f" Did you mean {' or '.join(map(repr, close))}?" if close else ""
    raise ValueError(
        f"name must be an exercise, got {name!r}.{question} exercises.names() lists all."
    )
