"""pe_lib.exercises: right answers pass, wrong ones are refused with a hint that gives nothing away.

A registered exercise needs a right and a wrong answer in tests/exercises/answers.py. How nonsense
is borne, and the tools of a check, are tested there as well.
"""

import contextlib
import re
import socket
import sys
import unittest.mock

import numpy as np
import pytest

from pe_lib import exercises
from pe_lib.exercises import _check
from pe_lib.exercises._check import require_close
from tests.exercises.answers import (
    ANSWERS,
    block,
    choose_base,
    detector,
    first_unfinished,
    head,
    previous_token,
    window,
)

every_exercise = pytest.mark.parametrize("name", exercises.names())


def test_every_exercise_has_a_right_and_a_wrong_answer_here():
    assert set(ANSWERS) == set(exercises.names())


@every_exercise
def test_a_right_answer_is_right(name):
    verdict = exercises.check(name, ANSWERS[name][0])
    assert verdict.right, verdict.message
    assert verdict.message == f"Right ({name})"


@every_exercise
def test_a_wrong_answer_is_refused_with_what_it_gave_and_a_hint(name):
    verdict = exercises.check(name, ANSWERS[name][1])
    assert not verdict.right
    labels = dict(verdict.details)
    assert {"Input", "Your answer gave", "Hint"} <= labels.keys()
    assert verdict.message.startswith(f"Not yet ({name})\n")


#: Further mistakes, and the part of the hint that meets them.
MISTAKES = [
    ("equivariance-detector", detector(+1, threshold=0), "no weight of a softmax is ever 0"),
    ("equivariance-detector", np.zeros((2, 3, 5, 5)), "How small can the share"),
    ("sum-angle-half-step", lambda omega: block(-omega / 2), "one token back"),
    ("sum-angle-half-step", lambda omega: -block(omega / 2), "more than one square root"),
    ("sum-angle-head", head(-1), "to the other side"),
    ("sum-angle-head", lambda k, dim: np.eye(dim), "each token finds itself"),
    ("rope-unknown-layout", lambda before, after: "Interleaved", "one of the two words"),
    ("rope-previous-token", (np.ones(64), np.ones(64)), "With q = k"),
    ("rope-previous-token", previous_token(-1), "one step back"),
]


@pytest.mark.parametrize(("name", "answer", "words"), MISTAKES)
def test_a_hint_meets_the_mistake(name, answer, words):
    assert words in dict(exercises.check(name, answer).details)["Hint"]


@every_exercise
def test_a_verdict_is_the_same_on_every_run(name):
    for answer in ANSWERS[name]:
        assert exercises.check(name, answer).message == exercises.check(name, answer).message


@every_exercise
def test_no_check_opens_a_connection(name, monkeypatch):
    monkeypatch.setattr(socket, "socket", unittest.mock.Mock(side_effect=AssertionError))
    assert exercises.check(name, ANSWERS[name][0]).right


@pytest.mark.parametrize("rounded", [np.floor, lambda tokens: np.ceil(tokens) + 1, np.asarray])
def test_a_window_is_the_smallest_whole_number_of_tokens(rounded):
    assert not exercises.check("alibi-window", window(rounded)).right


@pytest.mark.parametrize(
    ("name", "answer", "words"),
    [
        (
            "choose-base",
            lambda d, b, n, t: b if b == 100 else 0.97 * choose_base(d, b, n, t),
            "meet",
        ),
        (
            "choose-base",
            lambda d, b, n, t: b if b == 100 else 1.05 * choose_base(d, b, n, t),
            "more",
        ),
        (
            "choose-base",
            lambda *args: choose_base(*args) * (2 if args[0] == 8 else 1),
            "more than",
        ),
        ("choose-base", lambda *args: 0.5, "greater than 1"),
        ("by-parts", lambda omega, n, s: omega, "less than one turn"),
        ("by-parts", lambda omega, n, s: omega / s, "32 turns"),
        ("by-parts", lambda w, n, s: np.where(w * n / (2 * np.pi) < 1, w / s, 2 * w), "32 turns"),
        (
            "by-parts",
            lambda w, n, s: np.where(w * n < 2 * np.pi, w / s, np.where(w * n < 200, w * s, w)),
            "leave the range",
        ),
        (
            "by-parts",
            lambda w, n, s: (
                w / np.where((w * n < 200) & (np.arange(len(w)) % 2 == 0) | (w * n < 7), s, 1)
            ),
            "do not fall",
        ),
        (
            "first-unfinished",
            lambda dim, base, n: first_unfinished(dim, base, n) % (dim // 2),
            "all",
        ),
    ],
)
def test_each_way_to_miss_a_longer_context_has_its_answer(name, answer, words):
    verdict = exercises.check(f"interpolation-{name}", answer)
    assert not verdict.right
    assert words in verdict.message


# --- The solution stays secret -----------------------------------------------------------------


def _digits(value):
    """Texts of three or more significant digits that show a number: at 3 to 6 digits."""
    texts = set()
    for number in np.abs(np.ravel(value)).tolist():
        texts |= {f"{number:.{digits}g}" for digits in (3, 4, 5, 6)}
    return {text for text in texts if len(text.replace(".", "").strip("0")) >= 3}


def _leaks(verdict, wants, gots):
    """Wanted numbers that the message shows although the answer did not give them."""
    shown = set(re.findall(r"[\d.]+(?:e[+-]?\d+)?", verdict.message))
    given = set().union(*map(_digits, gots)) if gots else set()
    return shown & set().union(*map(_digits, wants)) - given if wants else set()


def _spy(monkeypatch, name):
    """Record what the exercise's module hands to require_close."""
    wants, gots = [], []

    def spy(got, want, **options):
        wants.append(want)
        with contextlib.suppress(TypeError, ValueError):
            gots.append(np.asarray(got, float))
        return require_close(got, want, **options)

    module = sys.modules[_check.CHECKS[name].__module__]
    monkeypatch.setattr(module, "require_close", spy, raising=False)
    return wants, gots


@every_exercise
def test_no_wanted_number_is_in_a_message(name, monkeypatch):
    wants, gots = _spy(monkeypatch, name)
    for answer in (ANSWERS[name][1], lambda *_: 0.0, lambda *_: np.ones((2, 2))):
        verdict = exercises.check(name, answer)
        assert not _leaks(verdict, wants, gots)


def test_a_message_that_holds_the_wanted_number_would_be_found():
    verdict = exercises.Verdict("a-b", False, (("Hint", "It is 0.8415, of course."),))
    assert _leaks(verdict, [np.sin(1.0)], [0.0]) == {"0.8415"}
    assert not _leaks(verdict, [np.sin(1.0)], [np.sin(1.0)])


# --- Names -------------------------------------------------------------------------------------


def test_an_unknown_name_is_an_error_that_names_the_close_ones():
    with pytest.raises(ValueError, match=r"got 'rope-xpo'. Did you mean 'rope-xpos'.*names\(\)"):
        exercises.check("rope-xpo", None)


@pytest.mark.parametrize("name", ["zzz", "", None, 3, [], np.zeros(2)])
def test_a_name_that_is_like_no_other_is_an_error_too(name):
    with pytest.raises(ValueError, match=r"name must be an exercise, got .*names\(\) lists all"):
        exercises.check(name, None)


def test_names_are_a_copy():
    exercises.names().clear()
    assert exercises.names()


@pytest.mark.parametrize("name", ["Rope-x", "rope", "rope_x", "rope-", "-rope", "rope x"])
def test_a_name_is_words_joined_by_hyphens(name):
    with pytest.raises(ValueError, match="name must be <chapter>-<topic>"):
        _check.exercise(name)


def test_a_name_is_taken_once():
    with pytest.raises(ValueError, match="a second time"):
        _check.exercise("rope-xpos")(lambda answer: None)


# --- The verdict -------------------------------------------------------------------------------


def test_a_verdict_is_true_exactly_if_the_answer_is_right():
    assert exercises.Verdict("a-b", True)
    assert not exercises.Verdict("a-b", False)


def test_html_says_the_outcome_first_and_escapes_everything():
    verdict = exercises.Verdict("a-b", False, (("Hint", "<i onclick='x'> & \""),))
    assert verdict._repr_html_() == (
        '<div class="pe-verdict pe-verdict-not-yet" role="status">'
        "<p><strong>Not yet</strong> <code>a-b</code></p>"
        "<dl><dt>Hint</dt><dd>&lt;i onclick=&#x27;x&#x27;&gt; &amp; &quot;</dd></dl></div>"
    )
    assert repr(verdict) == "Not yet (a-b)\n  Hint: <i onclick='x'> & \""
