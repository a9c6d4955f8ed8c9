"""pe_lib.exercises: a check has a name and a verdict, and never tells the solution.

Right answers, usual mistakes, nonsense, and the tools of a check are tested in tests/exercises/.
"""

import re
import socket
import sys
import unittest.mock

import numpy as np
import pytest

from pe_lib import exercises
from pe_lib.exercises import _check
from pe_lib.exercises._check import close
from tests.exercises.mistakes import MISTAKES
from tests.exercises.right import RIGHT

every_exercise = pytest.mark.parametrize("name", exercises.names())


@every_exercise
def test_a_verdict_is_the_same_on_every_run(name):
    for answer in (RIGHT[name], *(mistake for mistake, _ in MISTAKES[name])):
        assert exercises.check(name, answer).message == exercises.check(name, answer).message


@every_exercise
def test_no_check_opens_a_connection(name, monkeypatch):
    monkeypatch.setattr(socket, "socket", unittest.mock.Mock(side_effect=AssertionError))
    assert exercises.check(name, RIGHT[name]).right


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
    """Record what the check of an exercise compares."""
    wants, gots = [], []

    def spy(got, want, **options):
        wants.append(want)
        gots.append(got)
        return close(got, want, **options)

    for module in (_check, sys.modules[_check.CHECKS[name].__module__]):
        monkeypatch.setattr(module, "close", spy, raising=False)
    return wants, gots


@every_exercise
def test_no_wanted_number_is_in_a_message(name, monkeypatch):
    wants, gots = _spy(monkeypatch, name)
    mistakes = [mistake for mistake, _ in MISTAKES[name]]
    for answer in (*mistakes, lambda *_: 0.0, lambda *_: np.ones((2, 2))):
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
