"""The tools that checks are made of: calling, reading, comparing, and values as text."""

import os
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest

from pe_lib.exercises import _check
from pe_lib.exercises._check import call, numbers, require, require_close
from pe_lib.exercises._show import show

# --- The tools of a check ----------------------------------------------------------------------


def test_call_hands_over_keywords_and_shows_them():
    assert call(lambda x, *, layout: (x, layout), 1, layout="half") == (1, "half")
    with pytest.raises(_check.Wrong) as wrong:
        call(lambda x, *, layout: 1 / 0, 1, layout="half")
    assert dict(wrong.value.details)["Input"] == "answer(1, layout='half')"


def test_require_shows_the_arguments_and_what_was_given():
    with pytest.raises(_check.Wrong) as wrong:
        require(False, input=(np.array([1.0, 0.5]), 3), got={"a": 1}, hint="Look.")
    assert wrong.value.details == (
        ("Input", "answer([1, 0.5], 3)"),
        ("Your answer gave", "{'a': 1}"),
        ("Hint", "Look."),
    )


def test_require_close_gives_the_answer_as_an_array():
    want = np.array([1.0, 2.0])
    got = require_close([1, 2 + 1e-12], want, input=None, hint="")
    assert got.dtype == np.float64
    for far in ([1, 2.1], [2, 1], [1.0], [[1.0, 2.0]], [1.0, np.inf]):
        with pytest.raises(_check.Wrong):
            require_close(far, want, input=None, hint="")


def test_tolerances_are_as_said():
    for got, rtol, atol in ((1.09, 0.1, 0), (1.09, 0, 0.1)):
        require_close(got, 1.0, input=None, hint="", rtol=rtol, atol=atol)
        with pytest.raises(_check.Wrong):
            require_close(got + 0.02, 1.0, input=None, hint="", rtol=rtol, atol=atol)


@pytest.mark.parametrize(
    ("want", "right", "wrong"),
    [
        ([True, False], np.array([True, False]), [1, 0]),
        ([1j, 0], [1j, 0], [True, False]),
        ([1.0, 0.0], [1, 0], [1 + 0j, 0]),
        ([0.5, 0.25], [Fraction(1, 2), Fraction(1, 4)], [None, 0.25]),
    ],
)
def test_the_kind_of_number_counts(want, right, wrong):
    require_close(right, want, input=None, hint="")
    with pytest.raises(_check.Wrong):
        require_close(wrong, want, input=None, hint="")


@pytest.mark.parametrize(
    ("got", "shown", "hint"),
    [(None, "None", "Numbers are wanted."), (np.nan, "nan", "Finite numbers are wanted.")],
)
def test_none_is_no_number_and_nan_is_not_finite(got, shown, hint):
    with pytest.raises(_check.Wrong) as wrong:
        numbers(got, shape=(), input=None, hint="Look.")
    assert wrong.value.details == (("Your answer gave", shown), ("Hint", f"{hint} Look."))


def test_numbers_are_a_copy():
    given = np.ones(2)
    numbers(given, shape=(2,), input=None, hint="")[:] = 5
    assert given.tolist() == [1, 1]


# --- Values as text ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "1"),
        (np.float32(0.1), "0.1"),
        (np.bool_(True), "True"),
        (1 + 2j, "1+2j"),
        (np.pi, "3.14159"),
        (np.array([[1.0, 0.5], [0, 1 / 3]]), "[[1, 0.5], [0, 0.333333]]"),
        (np.array(["a"]), "['a']"),
        (np.arange(100), "[0, 1, ..., 98, 99]"),
        (np.zeros((200, 200)), "an array of shape (200, 200)"),
        (np.zeros((0, 2)), "an array of shape (0, 2)"),
        ([1, [2, [3]], (4, 5.0)], "[1, [2 items], (4, 5)]"),
        (list(range(20)), "[0, 1, 2, 3, 4, 5, 6, 7, ...]"),
        ({"b", "a"}, "{'a', 'b'}"),
        (len, "the function len"),
        (int, "the class int"),
        (object(), "an object of type object"),
        (10**5000, "an integer with very many digits"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_show(value, text):
    assert show(value) == text


def test_messages_do_not_depend_on_the_hash_seed():
    code = (
        "from pe_lib import exercises\n"
        "print(exercises.check('equivariance-classify', {'x', 'y', 'z', 'a'}))"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in "123"
    }
    assert len(texts) == 1
