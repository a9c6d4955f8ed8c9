"""What no exercise asks for: values, functions, and code that does not end."""

import collections
import itertools
import sys
import time
import types
import unittest.mock
import warnings

import numpy as np

from pe_lib import exercises
from pe_lib.exercises import _guard


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


def spin():
    while True:
        pass


def swallow_everything():
    while True:
        try:
            time.sleep(1)
        except BaseException:
            continue


def _swallow_in_a_tight_loop():
    while True:
        try:
            spin()
        except:  # noqa: E722
            continue


def swallow_and_return():
    try:
        spin()
    except BaseException:
        return 0.0


def _never_finally():
    try:
        spin()
    finally:
        spin()


class _EndlessArray:
    def __array__(self, *args, **kwargs):
        spin()


ENDLESS = (
    spin,
    swallow_everything,
    _swallow_in_a_tight_loop,
    swallow_and_return,
    _never_finally,
    _EndlessArray,
)
