"""The tools that checks are made of: calling, reading, comparing, and values as text."""

import itertools
import os
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest

from pe_lib.exercises._check import SINGLE, close, hint_for, require, require_close
from pe_lib.exercises._offsets import leads
from pe_lib.exercises._reader import Wrong, call, items, numbers, word
from pe_lib.exercises._show import Words, show, show_inputs

CASE = {"omega": 0.5, "k": np.array([1, 2])}


def told(tool, *args, **options):
    """What a tool tells the reader when it refuses."""
    with pytest.raises(Wrong) as wrong:
        tool(*args, **options)
    return wrong.value.details


# --- Calling -----------------------------------------------------------------------------------


def test_call_shows_inputs_by_name_and_hands_them_over_in_their_order():
    assert call(lambda dim, x: (dim, x), d=4, position=1) == (4, 1)
    assert told(call, lambda *_: 1 / 0, d=4, position=1)[0] == ("Input", "d = 4, position = 1")


def test_an_answer_that_is_no_function_is_told_the_arguments_of_one():
    assert told(call, 3, d=4, position=1) == (
        ("Input", "d = 4, position = 1"),
        ("Your answer gave", "3"),
        ("Hint", "The answer should be a function of (d, position)."),
    )


# --- Reading -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "got",
    [[1, 2], (1.0, 2.0), np.array([1, 2], np.float32), [Fraction(1), Fraction(2)]],
)
def test_numbers_come_as_an_array_whatever_holds_them(got):
    array = numbers(got, shape=(2,), input=CASE, form="two numbers")
    assert array.dtype == np.float64
    assert array.tolist() == [1, 2]


def test_numbers_are_a_copy():
    given = np.ones(2)
    numbers(given, shape=(2,), input=CASE, form="two numbers")[:] = 5
    assert given.tolist() == [1, 1]


@pytest.mark.parametrize(
    ("got", "shown"),
    [
        ([1, None], "[1, None]"),
        ([True, False], "[True, False]"),
        ([1 + 0j, 0], "[1+0j, 0]"),
        ("12", "'12'"),
        ([1], "[1], of shape (1,)"),
        (np.ones((2, 1)), "[[1], [1]], of shape (2, 1)"),
        (np.ones((100, 200)), "an array of shape (100, 200)"),
    ],
)
def test_what_is_no_number_or_of_another_shape_is_told_the_form_alone(got, shown):
    assert told(numbers, got, shape=(2,), input=CASE, form="two numbers") == (
        ("Input", "omega = 0.5, k = [1, 2]"),
        ("Your answer gave", shown),
        ("Hint", "The result should be real numbers in an array of shape (2,): two numbers."),
    )


@pytest.mark.parametrize("got", [np.nan, -np.inf])
def test_a_number_that_is_not_finite_is_asked_where_it_comes_from(got):
    (*_, (_, hint)) = told(numbers, got, shape=(), input=CASE, form="the score")
    assert hint.startswith("The result should be a real number: the score. Which step")


def test_an_iterator_is_read_as_far_as_is_said():
    assert items(itertools.count(), most=3, input=CASE, form="a list") == [0, 1, 2]
    (*_, hint) = told(items, 3, most=3, input=CASE, form="a list")
    assert hint == ("Hint", "The result should be a list.")


@pytest.mark.parametrize(
    "got", ["half", np.str_("half"), np.array("half"), np.where(1, "half", "")]
)
def test_a_word_may_be_a_string_of_numpy(got):
    assert word(got, choices=("interleaved", "half"), input=CASE) == "half"


@pytest.mark.parametrize("got", ["Half", " half", b"half", ["half"], np.array(["half"]), None])
def test_another_word_is_told_the_choices(got):
    (*_, hint) = told(word, got, choices=("interleaved", "half"), input=CASE)
    assert hint == ("Hint", 'The result should be "interleaved" or "half".')


# --- Comparing ---------------------------------------------------------------------------------


def test_close_is_measured_against_the_largest_number():
    want = np.array([100.0, 0.0])
    assert close(want + 0.9 * 100 * SINGLE, want)
    assert not close(want + 1.1 * 100 * SINGLE, want)
    assert close(want + 9, want, rtol=0.1)
    assert close(np.zeros(0), np.zeros(0))


def test_single_precision_is_close_and_the_fifth_digit_is_not():
    want = np.cos(np.arange(100.0))
    assert close(want.astype(np.float32), want)
    assert not close(want.round(4), want)


def test_a_refusal_shows_the_input_and_what_was_given_but_not_what_is_wanted():
    details = (
        ("Input", "omega = 0.5, k = [1, 2]"),
        ("Your answer gave", "[3, 4]"),
        ("Hint", "Which way?"),
    )
    got = np.array([3.0, 4.0])
    assert told(require, False, input=CASE, got=got, hint="Which way?") == details
    assert told(require_close, got, [3.0, 7.0], input=CASE, hint="Which way?") == details


def test_the_first_fault_that_is_there_has_its_hint():
    faults = ((False, "one"), (np.True_, "two"), (True, "three"))
    assert hint_for(faults, "none") == "two"
    assert hint_for(faults[:1], "none") == "none"


def test_a_score_leads_if_it_is_above_all_others_by_more_than_rounding():
    last = np.array([False, False, True])
    assert leads(np.array([1e5, -3e5, 1e5 + 1]), last)
    for scores in ([1e5, -3e5, 1e5 + 1e-6], [1.0, 0.0, 1.0], [0.0, 0.0, 0.0], [2.0, 0.0, 1.0]):
        assert not leads(np.array(scores), last)


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
        ("a ", "'a '"),
        (np.str_("a "), "'a '"),
        (np.array("a"), "'a'"),
        (np.array(["a"]), "['a']"),
        (Words("ln 2"), "ln 2"),
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


def test_an_input_with_many_entries_is_shown_by_its_shape():
    inputs = {"mask": np.eye(2, dtype=bool), "q": np.zeros((8, 8)), "slope": Words("ln 2")}
    shown = "mask = [[True, False], [False, True]], q = an array of shape (8, 8), slope = ln 2"
    assert show_inputs(inputs) == shown


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
