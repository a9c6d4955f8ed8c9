"""Whatever an answer is or does, it is not right yet, and nothing worse happens."""

import re
import signal
import sys
import time

import pytest

from pe_lib import exercises
from pe_lib.exercises import _guard
from pe_lib.exercises._show import LONGEST
from tests.exercises.nonsense import ENDLESS, FUNCTIONS, NONSENSE

# The time limit strikes wherever Python is, now and then in Hypothesis's own hook on the collector.
pytestmark = pytest.mark.filterwarnings(
    "ignore:Exception ignored in.*gc_callback:pytest.PytestUnraisableExceptionWarning"
)
every_exercise = pytest.mark.parametrize("name", exercises.names())


@every_exercise
@pytest.mark.parametrize("kind", NONSENSE)
def test_nonsense_is_not_right_yet(name, kind):
    for answer in (NONSENSE[kind](), lambda *_, **__: NONSENSE[kind]()):
        _assert_told(exercises.check(name, answer))


@every_exercise
@pytest.mark.parametrize("kind", FUNCTIONS)
def test_a_nonsense_function_is_not_right_yet(name, kind):
    _assert_told(exercises.check(name, FUNCTIONS[kind]))


def _assert_told(verdict):
    _assert_not_yet(verdict)
    told = dict(verdict.details)
    assert list(told)[:3] == ["Input", "Your answer gave", "Hint"]
    assert re.match(r"\w+ = \S", told["Input"])


def _assert_not_yet(verdict):
    assert verdict.right is False
    assert "Hint" in dict(verdict.details)
    assert len(verdict.message) < 20 * LONGEST
    assert "0x" not in verdict.message.replace("0x...", "")
    assert "<script" not in verdict._repr_html_()


@pytest.mark.skipif(not _guard.has_time_limit(), reason="no time limit on this platform")
@every_exercise
@pytest.mark.parametrize("endless", ENDLESS)
def test_code_that_does_not_end_is_stopped(name, endless, monkeypatch):
    monkeypatch.setattr(_guard, "SECONDS", 0.05)
    started = time.monotonic()
    _assert_not_yet(exercises.check(name, lambda *_: endless()))
    assert time.monotonic() - started < 10
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    assert sys.gettrace() is None or "stop" not in repr(sys.gettrace())
