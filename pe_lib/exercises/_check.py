"""How to write a check.

A check is a function of the reader's answer. It returns if the answer is right and calls
:func:`require` or :func:`require_close`, which raise, where it is not. It stands in the module
of its chapter and is registered under the name ``<chapter>-<topic>``::

    @exercise("rope-rotate-pair")
    def rotate_pair(answer):
        '''A function of a pair and an angle that turns the pair counterclockwise.'''
        for angle in (0.0, 0.5, np.pi):
            pair = np.array([1.0, 0.0])
            got = call(answer, pair, angle)
            require_close(
                got,
                [np.cos(angle), np.sin(angle)],
                input=(pair, angle),
                hint="Which way does a positive angle turn?",
            )

- Test properties on several inputs, the simplest first: the reader sees the first that fails.
  A case of one channel, position 0 or angle 0 explains more than a random matrix.
- Inputs are fixed or drawn from ``np.random.default_rng(0)``, so that a verdict stored in a
  notebook is the same on every run.
- A hint asks or points; it never holds the solution, the wanted value, or code.
- Run the reader's functions by :func:`call` only, and read what they return by
  :func:`require_close` or :func:`numbers` only: both bear nonsense. An answer that is itself a
  value goes straight into :func:`require_close`.
- Add a right and a wrong answer to the table in ``tests/exercises/answers.py``.

The whole check runs under the guard of :mod:`pe_lib.exercises._guard`: time limit, no output, no
lasting change of global state.
"""

import copy
import re

import numpy as np

from pe_lib.exercises import _guard
from pe_lib.exercises._show import show, show_call, show_error

#: Name -> check, in the order of registration.
CHECKS = {}


class Wrong(Exception):
    """The answer is not right; carries what the reader is told, never what was wanted."""

    def __init__(self, *, input, got, hint):
        super().__init__(hint)
        self.details = tuple(
            (label, text)
            for label, text in (("Input", input), ("Your answer gave", got), ("Hint", hint))
            if text
        )


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


def call(answer, *args, **kwargs):
    """Call the reader's function on copies of the arguments and return its result.

    Raises
    ------
    Wrong
        If the answer is not callable, raises anything, does not end in time, or writes to its
        arguments.
    """
    shown = show_call(args, kwargs)
    if not callable(answer):
        raise Wrong(input="", got=show(answer), hint="The answer should be a function.")
    args, kwargs = copy.deepcopy(args), copy.deepcopy(kwargs)
    given = copy.deepcopy((args, kwargs))
    try:
        result = answer(*args, **kwargs)
    except _guard.TimeUp:
        hint = "It did not finish in time. Is there a loop that never ends?"
        raise Wrong(input=shown, got="nothing", hint=hint) from None
    except NotImplementedError:
        raise Wrong(input=shown, got="nothing yet", hint="Write the function first.") from None
    except BaseException as error:  # whatever a reader's code raises is an answer
        hint = "Run your function on this input and read the error's last line."
        raise Wrong(input=shown, got=f"the error {show_error(error)}", hint=hint) from None
    if not _same((args, kwargs), given):
        raise Wrong(
            input=shown,
            got="its result, but it also changed its input",
            hint="Work on a copy: whoever calls a function expects to find the input as it was.",
        )
    return result


def require(condition, *, input, got, hint):
    """Raise Wrong unless ``condition`` is true.

    Parameters
    ----------
    condition : bool
    input : tuple, str or None
        What shows the mistake: the arguments of the call as a tuple, or words.
    got : object
        What the reader's answer gave: the value, or words about it.
    hint : str
    """
    if not condition:
        words = type(got) is str and got.isprintable()
        raise Wrong(input=_input(input), got=got if words else show(got), hint=hint)


def require_close(got, want, *, input, hint, rtol=1e-9, atol=1e-12):
    """Raise Wrong unless ``got`` is ``want`` within ``atol + rtol * |want|``, in the same shape.

    ``got`` may be anything. Nothing of ``want`` is shown except its shape. Booleans are compared
    with booleans only, complex numbers are taken only where ``want`` is complex.

    Returns
    -------
    ndarray
        ``got`` as an array, for further checks.
    """
    want = np.asarray(want)
    array = numbers(got, kind=want.dtype.kind, shape=want.shape, input=input, hint=hint)
    if want.dtype.kind == "b":
        close = array == want
    else:
        close = np.abs(array - want) <= atol + rtol * np.abs(want)
    require(close.all(), input=input, got=array, hint=hint)
    return array


def numbers(got, *, shape, input, hint, kind="f"):
    """Return anything a reader's code gave as a finite array of ``shape``, or raise Wrong.

    Parameters
    ----------
    got : object
    shape : tuple of int
    input, hint
        As in :func:`require`.
    kind : {"f", "c", "b"}
        Wanted: real numbers, complex numbers, or booleans.

    Returns
    -------
    ndarray
        Of float64, complex128 or bool; a copy.
    """
    shown = _input(input)
    try:
        array = np.asarray(got)
        found = array.dtype.kind
    except BaseException:  # ragged lists, and objects whose __array__ raises anything
        array, found = None, None
    if array is None or found not in ("b" if kind == "b" else "iufcO" if kind == "c" else "iufO"):
        words = {"b": "booleans", "c": "complex numbers"}.get(kind, "real numbers")
        raise Wrong(input=shown, got=show(got), hint=f"{words.capitalize()} are wanted. {hint}")
    if array.shape != shape:
        wanted = f"an array of shape {shape}" if shape else "a single number"
        gave = f"{show(got)}, of shape {array.shape}" if array.shape else show(got)
        raise Wrong(input=shown, got=gave, hint=f"The result should be {wanted}. {hint}")
    cast = {"b": bool, "c": complex}.get(kind, float)
    try:
        array = array.astype(cast)
    except BaseException:  # objects that are no numbers, as fractions are
        raise Wrong(input=shown, got=show(got), hint=f"Numbers are wanted. {hint}") from None
    if not np.isfinite(array).all():
        words = "Numbers" if found == "O" else "Finite numbers"  # NumPy takes None for NaN
        raise Wrong(input=shown, got=show(got), hint=f"{words} are wanted. {hint}")
    return array


def _input(given):
    """The input that shows a mistake, as text."""
    if given is None or type(given) is str:
        return given or ""
    return show_call(given) if type(given) is tuple else show(given)


def _same(left, right):
    """Whether two nests of tuples, lists, dicts and arrays are equal in every entry."""
    if type(left) is not type(right):
        return False
    if type(left) is np.ndarray:
        return (
            left.shape == right.shape
            and left.dtype == right.dtype
            and left.tobytes() == right.tobytes()
        )
    if type(left) in (tuple, list):
        return len(left) == len(right) and all(map(_same, left, right))
    if type(left) is dict:
        return left.keys() == right.keys() and all(_same(left[key], right[key]) for key in left)
    return left == right
