"""A reader's code is stopped in time, is heard, and leaves nothing behind."""

import _thread
import random
import signal
import sys
import threading
import time
import warnings

import numpy as np
import pytest

from pe_lib import exercises
from pe_lib.exercises import _guard
from pe_lib.exercises._reader import Wrong, call
from pe_lib.exercises._show import LONGEST
from tests.exercises.mistakes import MISTAKES
from tests.exercises.nonsense import FUNCTIONS, spin, swallow_and_return, swallow_everything
from tests.exercises.right import RIGHT

# The time limit strikes wherever Python is, now and then in Hypothesis's own hook on the collector.
pytestmark = pytest.mark.filterwarnings(
    "ignore:Exception ignored in.*gc_callback:pytest.PytestUnraisableExceptionWarning"
)
needs_time_limit = pytest.mark.skipif(
    not _guard.has_time_limit(), reason="no time limit on this platform"
)

# --- Code that does not end --------------------------------------------------------------------


@needs_time_limit
def test_the_verdict_on_endless_code_shows_the_input_and_asks_for_the_loop(monkeypatch):
    monkeypatch.setattr(_guard, "SECONDS", 0.05)
    verdict = exercises.check("sum-angle-direction", lambda k, omega: spin())
    assert "k = 1, omega = 0.5" in verdict.message
    assert "loop that never ends" in verdict.message


@needs_time_limit
def test_the_verdict_on_a_generator_that_does_not_end_asks_for_the_loop_too(monkeypatch):
    def orders(mask):
        yield from iter(spin, None)

    monkeypatch.setattr(_guard, "SECONDS", 0.05)
    verdict = exercises.check("equivariance-survivors", orders)
    assert "mask = [[" in verdict.message
    assert "loop that never ends" in verdict.message


@needs_time_limit
def test_an_answer_that_catches_its_stop_and_then_is_right_comes_too_late():
    def late():
        try:
            spin()
        except BaseException:
            return

    assert isinstance(_guard.run(late, seconds=0.05).error, _guard.TimeUp)


@needs_time_limit
def test_somebody_elses_timer_goes_on():
    rung = []
    old = signal.signal(signal.SIGALRM, lambda *_: rung.append(True))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        _guard.run(lambda: time.sleep(0.05), seconds=1)
        assert 0 < signal.getitimer(signal.ITIMER_REAL)[0] <= 0.2
        time.sleep(0.3)
        assert rung == [True]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)


def test_without_a_time_limit_everything_else_still_holds(monkeypatch):
    monkeypatch.delattr(signal, "setitimer", raising=False)
    for name, right in RIGHT.items():
        assert exercises.check(name, right).right
        assert not exercises.check(name, MISTAKES[name][0][0]).right


def test_a_check_works_in_another_thread():
    verdicts = []
    name = "sum-angle-direction"
    answers = (RIGHT[name], MISTAKES[name][0][0])
    work = threading.Thread(
        target=lambda: verdicts.extend(exercises.check(name, answer) for answer in answers)
    )
    work.start()
    work.join()
    assert [verdict.right for verdict in verdicts] == [True, False]


# --- Ctrl-C ------------------------------------------------------------------------------------


@needs_time_limit
@pytest.mark.parametrize("endless", [spin, swallow_everything, swallow_and_return])
def test_the_users_own_interrupt_gets_through(endless, monkeypatch):
    monkeypatch.setattr(_guard, "SECONDS", 0.1)
    timer = threading.Timer(0.03, _thread.interrupt_main)
    handler = signal.getsignal(signal.SIGINT)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        exercises.check("sum-angle-direction", lambda *_: endless())
    timer.join()
    assert signal.getsignal(signal.SIGINT) is handler


def test_an_interrupt_that_the_answer_raises_is_an_answer():
    verdict = exercises.check("sum-angle-direction", FUNCTIONS["interrupt"])
    assert "KeyboardInterrupt" in verdict.message


# --- Nothing stays changed ---------------------------------------------------------------------


def _change_everything(*_):
    np.seterr(all="ignore")
    np.set_printoptions(precision=1)
    np.random.seed(1)  # noqa: NPY002
    random.seed(1)
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(5000)
    sys.stdout = None


def test_global_state_is_as_before():
    def state():
        numbers = np.random.get_state()[1].tolist()  # noqa: NPY002
        return (
            *(np.geterr(), np.get_printoptions(), numbers, random.getstate()),
            *(list(warnings.filters), sys.getrecursionlimit(), sys.stdout, sys.stderr),
        )

    before = state()
    exercises.check("sum-angle-direction", _change_everything)
    assert state() == before


def test_an_answer_cannot_change_what_the_check_goes_on_with():
    values = np.array([1.0, 2.0])
    with pytest.raises(Wrong) as wrong:
        call(FUNCTIONS["writes to its input"], values=values)
    assert values.tolist() == [1.0, 2.0]
    assert "changed its input" in str(wrong.value.details)


@pytest.mark.parametrize("change", [lambda x: x.resize(3, refcheck=False), lambda x: x.sort()])
def test_any_change_of_an_input_is_noticed(change):
    with pytest.raises(Wrong, match="copy"):
        call(change, values=np.array([2.0, 1.0]))


def test_numbers_drawn_from_the_global_generators_repeat():
    def draw(*_):
        return f"{np.random.rand()} {random.random()}"  # noqa: NPY002

    first = exercises.check("rope-unknown-layout", draw).message
    np.random.rand()  # noqa: NPY002
    random.random()
    assert exercises.check("rope-unknown-layout", draw).message == first


# --- What an answer prints and warns -----------------------------------------------------------


def test_output_is_shown_in_the_verdict_and_not_on_the_screen(capsys):
    def answer(k, omega):
        print("k is", k)
        print("<b>", file=sys.stderr)
        return -k * omega

    verdict = exercises.check("sum-angle-direction", answer)
    assert verdict.right
    assert "Your code printed: k is 1\n<b>" in verdict.message
    assert "&lt;b&gt;" in verdict._repr_html_()
    assert capsys.readouterr() == ("", "")


def test_a_flood_of_output_is_cut():
    verdict = exercises.check("sum-angle-direction", FUNCTIONS["prints"])
    printed = dict(verdict.details)["Your code printed"]
    assert printed.endswith(" ...")
    assert len(printed) < 2 * LONGEST


def test_warnings_are_shown_once_each_and_are_no_errors():
    def answer(k, omega):
        np.log(np.zeros(2))
        return -k * omega

    verdict = exercises.check("sum-angle-direction", answer)
    assert verdict.right
    assert verdict.message.count("RuntimeWarning: divide by zero encountered in log") == 1


def test_an_exponential_that_becomes_zero_is_no_reason_to_warn():
    def answer(k, omega):
        np.exp(np.array([-1e9]))
        return -k * omega

    assert exercises.check("sum-angle-direction", answer).details == ()
