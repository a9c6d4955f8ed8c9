"""Calling a reader's code and reading what it gave, whatever it is.

All of these raise :class:`Wrong` where the code cannot be called or read. They then name the form
that is wanted and nothing of the idea: a page shows this report before its reader has tried.
"""

import copy
import itertools

import numpy as np

from pe_lib.exercises import _guard
from pe_lib.exercises._show import Words, show, show_error, show_inputs

_SLOW = "It did not finish in time. Is there a loop that never ends?"


class Wrong(Exception):
    """The answer is not right; carries what the reader is told, never what was wanted.

    Parameters
    ----------
    input : dict
        Names and values of what shows the mistake: the arguments of a call, or what an answer
        that is a value was tried on.
    got : object
        What the reader's answer gave there, or :class:`Words` about it.
    hint : str
    """

    def __init__(self, *, input, got, hint):
        super().__init__(hint)
        said = (("Input", show_inputs(input)), ("Your answer gave", show(got)), ("Hint", hint))
        self.details = tuple((label, text) for label, text in said if text)


def call(answer, /, **inputs):
    """Call the reader's function on copies of the inputs and return its result.

    Parameters
    ----------
    answer : object
    **inputs : float or ndarray
        Shown by name, as in the exercise, but handed over in their order, for a reader may have
        named them otherwise.

    Raises
    ------
    Wrong
        If the answer is not callable, raises anything, does not end in time, or writes to its
        arguments.
    """
    if not callable(answer):
        hint = f"The answer should be a function of ({', '.join(inputs)})."
        raise Wrong(input=inputs, got=answer, hint=hint)
    args = copy.deepcopy(tuple(inputs.values()))
    try:
        result = answer(*args)
    except _guard.TimeUp:
        got, hint = "nothing", _SLOW
    except NotImplementedError:
        got, hint = "nothing yet", "Write the function first."
    except BaseException as error:  # whatever a reader's code raises is an answer
        got = f"the error {show_error(error)}"
        hint = "Run your function on this input and read the error's last line."
    else:
        if all(map(_same, args, inputs.values())):
            return result
        got = "its result, but it also changed its input"
        hint = "Work on a copy: whoever calls a function expects to find the input as it was."
    raise Wrong(input=inputs, got=Words(got), hint=hint)


def numbers(got, *, shape, input, form):
    """Return anything a reader's code gave as finite real numbers, or raise Wrong.

    Parameters
    ----------
    got : object
    shape : tuple of int
    input : dict
        As in :class:`Wrong`.
    form : str
        What the numbers are, as the end of a sentence; no part of the idea.

    Returns
    -------
    ndarray
        Of float64; a copy.
    """
    wanted = f"real numbers in an array of shape {shape}" if shape else "a real number"
    hint = f"The result should be {wanted}: {form}."
    try:
        array = np.asarray(got)
        fits = array.dtype.kind in "iufO" and array.shape == shape
        values = array.astype(float) if fits else None
    except BaseException:  # ragged lists, and objects whose __array__ or __float__ raises anything
        array, values = None, None
    if values is None:
        raise Wrong(input=input, got=_with_shape(got, np.shape(array), shape), hint=hint)
    if not np.isfinite(values).all():
        if array.dtype.kind != "O":  # NumPy takes None for NaN
            hint += " Which step of yours gives the first number that is not finite?"
        raise Wrong(input=input, got=got, hint=hint)
    return values


def items(got, *, most, input, form):
    """Return the first ``most`` items that a reader's code gave as a list, or raise Wrong.

    Parameters
    ----------
    got : object
    most : int
        An iterator may never end.
    input : dict
        As in :class:`Wrong`.
    form : str
        What is wanted, as the end of a sentence.
    """
    try:
        return list(itertools.islice(got, most))
    except _guard.TimeUp:
        raise Wrong(input=input, got=Words("nothing"), hint=_SLOW) from None
    except BaseException:  # what cannot be iterated, and iterators that raise anything
        raise Wrong(input=input, got=got, hint=f"The result should be {form}.") from None


def word(got, *, choices, input):
    """Return which of the words ``choices`` a reader's code gave, or raise Wrong.

    NumPy's strings are words too: ``np.where`` gives an array without axes.
    """
    text = got[()] if type(got) is np.ndarray and got.shape == () else got
    if type(text) not in (str, np.str_) or text not in choices:
        listed = " or ".join(f'"{choice}"' for choice in choices)
        raise Wrong(input=input, got=got, hint=f"The result should be {listed}.")
    return str(text)


def _with_shape(got, shape, wanted):
    """The text of a value, and its shape if that is the mistake and not seen."""
    text, words = show(got), f"of shape {shape}"
    return Words(text if shape in ((), wanted) or text.endswith(words) else f"{text}, {words}")


def _same(left, right):
    """Whether an argument is still what it was; numbers cannot change."""
    return not isinstance(right, np.ndarray) or (
        left.shape == right.shape
        and left.dtype == right.dtype
        and left.tobytes() == right.tobytes()
    )
