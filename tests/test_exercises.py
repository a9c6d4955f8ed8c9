"""pe_lib.exercises: right answers pass, wrong ones are refused with a hint, nonsense is borne.

A registered exercise needs a right and a wrong answer in ANSWERS below.
"""

import _thread
import collections
import contextlib
import itertools
import os
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import types
import unittest.mock
import warnings
from fractions import Fraction

import numpy as np
import pytest

import pe_lib
from pe_lib import exercises, rope, sinusoidal
from pe_lib.exercises import _check, _guard
from pe_lib.exercises._check import call, numbers, require, require_close
from pe_lib.exercises._show import LONGEST, show

# The time limit strikes wherever Python is, now and then in Hypothesis's own hook on the collector.
pytestmark = pytest.mark.filterwarnings(
    "ignore:Exception ignored in.*gc_callback:pytest.PytestUnraisableExceptionWarning"
)
needs_time_limit = pytest.mark.skipif(
    not hasattr(signal, "setitimer"), reason="no time limit on this platform"
)

# --- One right and one wrong answer per exercise -----------------------------------------------


def _classify(**changed):
    words = {"a": "invariant", "b": "equivariant", "c": "neither", "d": "equivariant"}
    return words | {"e": "invariant", "f": "neither"} | changed


def _survivors(mask):
    orders = itertools.permutations(range(len(mask)))
    return [order for order in orders if (mask[np.ix_(order, order)] == mask).all()]


def _detector(sign, threshold=1 / 2):
    layers = np.zeros((2, 3, 5, 5))
    layers[:, 0, :3, 0] = 1
    layers[0, 1, 0, 0] = layers[1, 1, 1, 0] = 100  # first look at A, then at B
    layers[0, 2, 0, 3] = 1
    layers[1, 2, 3, 4], layers[1, 2, :3, 4] = sign, -sign * threshold
    return layers


def _block(angle):
    return np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])


def _complex(sign):
    def shift(codes, k, omega):
        z = (codes[:, 0::2] + 1j * codes[:, 1::2]) * np.exp(sign * 1j * omega * k)
        return np.stack([z.real, z.imag], axis=-1).reshape(codes.shape)

    return shift


def _head(sign):
    return lambda k, dim: sinusoidal.shift_matrix(sign * k, dim, layout="interleaved").T


def _find_frequencies(table, *, smallest=1e-6):
    step = np.linalg.lstsq(table[:-1], table[1:], rcond=None)[0]
    angles = np.angle(np.linalg.eigvals(step))
    return np.sort(angles[angles > smallest])


def _unknown_layout(before, after):
    dim = before.shape[-1]

    def norms(x):
        return np.hypot(x[:, : dim // 2], x[:, dim // 2 :])

    return "half" if np.allclose(norms(before), norms(after)) else "interleaved"


def _cached_decoding(first):
    def scores(q, k, cached, omega):
        positions = (len(cached) if first is None else first) + np.arange(len(q))
        q, k = (rope.rotate(x, positions, omega, layout="half") for x in (q, k))
        return q @ np.concatenate([cached, k]).T

    return scores


def _previous_token(position):
    q = np.ones((1, 64))
    return q[0], rope.rotate(q, position, pe_lib.frequencies(64), layout="half")[0]


def _xpos(sign):
    def score(q, k, m, n, omega, zeta):
        q, k = q[0::2] + 1j * q[1::2], k[0::2] + 1j * k[1::2]
        turn = np.exp(1j * omega * (n - m)) * zeta ** float(sign * (m - n))
        return (q.conj() * k * turn).real.sum()

    return score


def _slow_pairs(turn):
    def count(dim, base, context):
        exponent = np.log(context / turn) / np.log(base)
        return dim // 2 - np.clip(np.floor(dim / 2 * exponent) + 1, 0, dim // 2)

    return count


def _one_frequency_per_channel(p, d):
    return np.sin(p / 10_000 ** (np.arange(d) / d))


def _slopes(first_of_rest):
    def slopes(num_heads):
        power = 2 ** int(np.log2(num_heads))
        double = 2.0 ** (-4 * np.arange(1, 2 * power + 1) / power)
        return [*double[1::2], *double[first_of_rest::2][: num_heads - power]]

    return slopes


def _window(rounded):
    def window(slope, spread, share):
        power = share / (np.exp(spread) - share * np.expm1(spread))
        return rounded(-np.log(power) / slope - 1e-9)

    return window


def _padded(count):
    def weights(scores, is_token, slope):
        positions = np.cumsum(is_token) if count else np.arange(len(is_token))
        mask = np.tri(len(is_token), dtype=bool) & is_token | np.eye(len(is_token), dtype=bool)
        powers = np.where(mask, np.exp(scores + slope * positions), 0)
        return powers / powers.sum(axis=1, keepdims=True)

    return weights


def _first_unfinished(dim, base, trained):
    turns = pe_lib.frequencies(dim, base=base) * trained / (2 * np.pi)
    return int((turns >= 1).sum())


def _look_back(divided):
    def query(k, omega, factor):
        now = omega / factor if divided else omega
        return rope.rotate(k[None], -1, now, layout="half")[0]

    return query


def _choose_base(dim, base, trained, target):
    first = _first_unfinished(dim, base, trained)
    return base * (target / trained) ** (dim / (2 * first)) if first < dim // 2 else base


def _by_parts(omega, trained, factor):
    keep = np.clip((omega * trained / (2 * np.pi) - 1) / 31, 0, 1)
    return keep * omega + (1 - keep) * omega / factor


#: Name of the exercise -> (a right answer, a wrong one that a reader might give).
ANSWERS = {
    "construction-by-hand": ([-0.7568, -0.6536, 0.3894, 0.9211], [-0.7568, -0.6536, 0.04, 0.9992]),
    "construction-channels": (
        lambda p, d: sinusoidal.encode(p, d, layout="interleaved"),
        _one_frequency_per_channel,
    ),
    "construction-slow-pairs": (_slow_pairs(2 * np.pi), _slow_pairs(1)),
    "construction-base": (
        lambda dim, context: (context / (2 * np.pi)) ** (dim / (dim - 2)),
        lambda dim, context: context / (2 * np.pi),
    ),
    "construction-spacing": (
        np.random.default_rng(0).uniform(0, np.pi, 8),
        2 * np.pi / np.linspace(7, 70_000, 8),
    ),
    "equivariance-classify": (_classify(), _classify(f="equivariant")),
    "equivariance-multiset": (["very"] * 4 + ["good"] * 2, ["very"] * 3 + ["good"]),
    "equivariance-survivors": (_survivors, lambda mask: [tuple(range(len(mask)))]),
    "equivariance-detector": (_detector(+1), _detector(-1)),
    "sum-angle-half-step": (lambda omega: _block(omega / 2), lambda omega: _block(omega) / 2),
    "sum-angle-direction": (lambda k, omega: -k * omega, lambda k, omega: k * omega),
    "sum-angle-complex": (_complex(-1), _complex(+1)),
    "sum-angle-head": (_head(+1), _head(-1)),
    "sum-angle-frequencies": (
        _find_frequencies,
        lambda table: _find_frequencies(table, smallest=-4),
    ),
    "alibi-weights-by-hand": ((4 / 7, 2 / 7, 1 / 7), (1 / 2, 1 / 4, 1 / 4)),
    "alibi-slopes": (_slopes(0), _slopes(1)),
    "alibi-window": (_window(np.ceil), _window(np.floor)),
    "alibi-left-padding": (_padded(True), _padded(False)),
    "interpolation-first-unfinished": (
        _first_unfinished,
        lambda dim, base, trained: _first_unfinished(dim, base, trained) + 1,
    ),
    "interpolation-look-back": (_look_back(True), _look_back(False)),
    "interpolation-choose-base": (
        _choose_base,
        lambda dim, base, trained, target: base * (target / trained) ** (dim / (dim - 2)),
    ),
    "interpolation-by-parts": (_by_parts, lambda omega, trained, factor: omega / factor),
    "rope-score-by-hand": ((-0.5, 0.5), (0.5, -0.5)),
    "rope-unknown-layout": (_unknown_layout, lambda before, after: "interleaved"),
    "rope-cached-decoding": (_cached_decoding(None), _cached_decoding(0)),
    "rope-previous-token": (_previous_token(+1), _previous_token(-1)),
    "rope-xpos": (_xpos(+1), _xpos(-1)),
}

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
    ("equivariance-detector", _detector(+1, threshold=0), "no weight of a softmax is ever 0"),
    ("equivariance-detector", np.zeros((2, 3, 5, 5)), "How small can the share"),
    ("sum-angle-half-step", lambda omega: _block(-omega / 2), "one token back"),
    ("sum-angle-half-step", lambda omega: -_block(omega / 2), "more than one square root"),
    ("sum-angle-head", _head(-1), "to the other side"),
    ("sum-angle-head", lambda k, dim: np.eye(dim), "each token finds itself"),
    ("rope-unknown-layout", lambda before, after: "Interleaved", "one of the two words"),
    ("rope-previous-token", (np.ones(64), np.ones(64)), "With q = k"),
    ("rope-previous-token", _previous_token(-1), "one step back"),
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
    assert not exercises.check("alibi-window", _window(rounded)).right


@pytest.mark.parametrize(
    ("name", "answer", "words"),
    [
        (
            "choose-base",
            lambda d, b, n, t: b if b == 100 else 0.97 * _choose_base(d, b, n, t),
            "meet",
        ),
        (
            "choose-base",
            lambda d, b, n, t: b if b == 100 else 1.05 * _choose_base(d, b, n, t),
            "more",
        ),
        (
            "choose-base",
            lambda *args: _choose_base(*args) * (2 if args[0] == 8 else 1),
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
            lambda dim, base, n: _first_unfinished(dim, base, n) % (dim // 2),
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


# --- Nonsense ----------------------------------------------------------------------------------


def _raise(error, *_):
    raise error


class _Hostile:
    """Every way to look at it raises."""

    def _refuse(self, *args, **kwargs):
        raise RuntimeError("do not look at me")

    __array__ = __eq__ = __ne__ = __repr__ = __str__ = __float__ = __int__ = __index__ = _refuse
    __len__ = __iter__ = __getitem__ = __bool__ = __call__ = __getattr__ = __abs__ = _refuse
    __complex__ = __contains__ = __format__ = __lt__ = __deepcopy__ = __hash__ = _refuse


class _Liar:
    """Looks like an array until it is read."""

    shape, dtype, ndim, size = (2, 2), np.dtype(float), 2, 4

    def __array__(self, *args, **kwargs):
        raise SystemExit("no array after all")


class _Unsayable(Exception):
    def __str__(self):
        raise ValueError("this error has no words")


class _Named(type):
    @property
    def __name__(cls):
        raise RuntimeError("this class has no name")


class _Nameless(metaclass=_Named):
    pass


def _holds_itself():
    values = [1.0]
    values.append(values)
    return values


NONSENSE = {
    "None": lambda: None,
    "ellipsis": lambda: ...,
    "not implemented": lambda: NotImplemented,
    "empty text": lambda: "",
    "text": lambda: "<script>alert('hi')</script>",
    "bytes": lambda: b"\xff\x00",
    "surrogate": lambda: "\ud800",
    "zero": lambda: 0,
    "complex": lambda: 1 + 2j,
    "NaN": lambda: float("nan"),
    "infinity": lambda: -float("inf"),
    "huge integer": lambda: 10**5000,
    "empty list": lambda: [],
    "ragged": lambda: [[1.0], [2.0, 3.0]],
    "a list that holds itself": _holds_itself,
    "dictionary": lambda: {"a": ..., 3: {}},
    "set": lambda: {1, "a", None},
    "object": object,
    "module": lambda: np,
    "generator": lambda: (i for i in range(3)),
    "endless generator": lambda: itertools.repeat((0, 1)),
    "range": lambda: range(2),
    "object array": lambda: np.array([None, "x", {}], dtype=object),
    "NaN array": lambda: np.full((2, 2), np.nan),
    "complex array": lambda: np.full((2, 2), 1j),
    "text array": lambda: np.array(["a", "b"]),
    "boolean array": lambda: np.ones((2, 2), bool),
    "empty array": lambda: np.empty((0, 3)),
    "huge array": lambda: np.broadcast_to(0.0, (10**7, 10**7)),
    "many axes": lambda: np.zeros((1,) * 60),
    "record array": lambda: np.zeros(2, dtype=[("a", float)]),
    "date": lambda: np.datetime64("2017-06-12"),
    "masked": lambda: np.ma.masked,
    "hostile": _Hostile,
    "liar": _Liar,
    "nameless": _Nameless,
    "mock": unittest.mock.MagicMock,
    "any": lambda: unittest.mock.ANY,
    "counter": collections.Counter,
    "exception": lambda: ValueError("not raised"),
    "verdict": lambda: exercises.Verdict("a-b", True),
}

FUNCTIONS = {
    "no arguments": lambda: 0.0,
    "one argument too many": lambda a, b, c, d, e, f, g, h: 0.0,
    "class": int,
    "class that takes anything": types.SimpleNamespace,
    "nameless class": _Nameless,
    "builtin": print,
    "ufunc": np.add,
    "returns its arguments": lambda *args: args,
    "generator function": lambda *_: (yield 1.0),
    "division by zero": lambda *_: 1 / 0,
    "recursion": lambda *args: FUNCTIONS["recursion"](*args),
    "memory": lambda *_: _raise(MemoryError()),
    "exit": lambda *_: sys.exit(0),
    "interrupt": lambda *_: _raise(KeyboardInterrupt()),
    "base exception": lambda *_: _raise(BaseException("bare")),
    "generator exit": lambda *_: _raise(GeneratorExit()),
    "stop iteration": lambda *_: _raise(StopIteration()),
    "unsayable": lambda *_: _raise(_Unsayable()),
    "time is up, it says": lambda *_: _raise(_guard.TimeUp()),
    "not implemented": lambda *_: _raise(NotImplementedError()),
    "shows an address": lambda *_: _raise(ValueError(object())),
    "raises a type": lambda *_: _raise(KeyError),
    "deep error": lambda *_: _raise(ValueError("x" * 10**6)),
    "closes the output": lambda *_: sys.stdout.close(),
    "replaces the output": lambda *_: setattr(sys, "stdout", None),
    "prints": lambda *_: print("a line\n" * 10**5),
    "writes to its input": lambda *args: [x.fill(7) for x in args if isinstance(x, np.ndarray)],
    "warns": lambda *_: warnings.warn("careful", RuntimeWarning, stacklevel=1),
    "overflows": lambda *_: np.exp(np.array([1e4])),
}


@every_exercise
@pytest.mark.parametrize("kind", NONSENSE)
def test_nonsense_is_not_right_yet(name, kind):
    for answer in (NONSENSE[kind](), lambda *_, **__: NONSENSE[kind]()):
        _assert_not_yet(exercises.check(name, answer))


@every_exercise
@pytest.mark.parametrize("kind", FUNCTIONS)
def test_a_nonsense_function_is_not_right_yet(name, kind):
    _assert_not_yet(exercises.check(name, FUNCTIONS[kind]))


def _assert_not_yet(verdict):
    assert verdict.right is False
    assert "Hint" in dict(verdict.details)
    assert len(verdict.message) < 20 * LONGEST
    assert "0x" not in verdict.message.replace("0x...", "")
    assert "<script" not in verdict._repr_html_()


# --- Code that does not end --------------------------------------------------------------------


def _spin():
    while True:
        pass


def _swallow_everything():
    while True:
        try:
            time.sleep(1)
        except BaseException:
            continue


def _swallow_in_a_tight_loop():
    while True:
        try:
            _spin()
        except:  # noqa: E722
            continue


def _swallow_and_return():
    try:
        _spin()
    except BaseException:
        return 0.0


def _never_finally():
    try:
        _spin()
    finally:
        _spin()


class _EndlessArray:
    def __array__(self, *args, **kwargs):
        _spin()


ENDLESS = (
    _spin,
    _swallow_everything,
    _swallow_in_a_tight_loop,
    _swallow_and_return,
    _never_finally,
    _EndlessArray,
)


@needs_time_limit
@every_exercise
@pytest.mark.parametrize("endless", ENDLESS)
def test_code_that_does_not_end_is_stopped(name, endless, monkeypatch):
    monkeypatch.setattr(_guard, "SECONDS", 0.05)
    started = time.monotonic()
    _assert_not_yet(exercises.check(name, lambda *_: endless()))
    assert time.monotonic() - started < 10
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    assert sys.gettrace() is None or "stop" not in repr(sys.gettrace())


@needs_time_limit
def test_the_verdict_on_endless_code_shows_the_input_and_asks_for_the_loop(monkeypatch):
    monkeypatch.setattr(_guard, "SECONDS", 0.05)
    verdict = exercises.check("sum-angle-direction", lambda k, omega: _spin())
    assert "answer(1, 0.5)" in verdict.message
    assert "loop that never ends" in verdict.message


@needs_time_limit
def test_an_answer_that_catches_its_stop_and_then_is_right_comes_too_late():
    def late():
        try:
            _spin()
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
    for name, (right, wrong) in ANSWERS.items():
        assert exercises.check(name, right).right
        assert not exercises.check(name, wrong).right


def test_a_check_works_in_another_thread():
    verdicts = []
    name = "sum-angle-direction"
    work = threading.Thread(
        target=lambda: verdicts.extend(exercises.check(name, answer) for answer in ANSWERS[name])
    )
    work.start()
    work.join()
    assert [verdict.right for verdict in verdicts] == [True, False]


# --- Ctrl-C ------------------------------------------------------------------------------------


@needs_time_limit
@pytest.mark.parametrize("endless", [_spin, _swallow_everything, _swallow_and_return])
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
    with pytest.raises(_check.Wrong) as wrong:
        call(FUNCTIONS["writes to its input"], values)
    assert values.tolist() == [1.0, 2.0]
    assert "changed its input" in str(wrong.value.details)


@pytest.mark.parametrize("change", [lambda x: x.resize(3, refcheck=False), lambda x: x.sort()])
def test_any_change_of_an_input_is_noticed(change):
    with pytest.raises(_check.Wrong, match="copy"):
        call(change, np.array([2.0, 1.0]))


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
