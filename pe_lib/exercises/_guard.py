"""Running a reader's code so that nothing it does can harm the session it runs in.

The code may raise anything, never end, swallow the exception that stops it, print without end,
warn, and change the state of NumPy or of Python's random numbers. :func:`run` bears all of it.

The time limit needs ``signal.setitimer``: Linux and macOS, and the main thread, which is where
a notebook runs its cells. On Windows and in other threads there is no limit; the notebook's stop
button (Ctrl-C) works everywhere. One long call into compiled code is stopped only when it
returns, because Python looks at signals between its own instructions. Code that catches every
exception in a loop is stopped too, but not two such loops one inside the other.
"""

import contextlib
import io
import random
import signal
import sys
import threading
import time
import warnings
from typing import NamedTuple

import numpy as np

#: Time limit of one check, in seconds of computing, so that a busy machine changes no verdict.
SECONDS = 2.0

#: Code that waits does not compute: it is stopped after this many times the limit.
_WAITING = 10

#: Seconds between two looks at the clock, and two tries to stop code that catches the first.
_AGAIN = 0.05

#: Characters kept of what the code prints, and of each warning.
_KEPT = 300


class TimeUp(BaseException):
    """Raised inside code that runs beyond its time limit; not an Exception, so few catch it."""


class Run(NamedTuple):
    """What became of a run: the exception that ended it or None, its output, its warnings."""

    error: BaseException | None
    printed: str
    warned: tuple


def run(function, *, seconds):
    """Call ``function()`` and report how it ended; only the user's own Ctrl-C gets through.

    Parameters
    ----------
    function : callable
        Called without arguments; its result is dropped.
    seconds : float
        Time limit, where the platform has one (see the module's text).

    Returns
    -------
    Run

    Raises
    ------
    KeyboardInterrupt
        If the user pressed Ctrl-C, whatever ``function`` made of it. A KeyboardInterrupt that
        ``function`` raised by itself is reported like any other exception.
    """
    with _unchanged_state(), _quiet() as (output, caught):
        error = _timed(function, seconds)
    messages = (f"{warning.category.__name__}: {warning.message}"[:_KEPT] for warning in caught)
    return Run(error, output.text(), tuple(dict.fromkeys(messages)))


def has_time_limit():
    """Whether :func:`run` can stop code that does not end, here and now."""
    return hasattr(signal, "setitimer") and _in_main_thread()


def _in_main_thread():
    return threading.current_thread() is threading.main_thread()


def _timed(function, seconds):
    """Call ``function()``; return what it raised, TimeUp if it was too slow, or None.

    Both signal handlers only take note while this function's own frame runs, so that neither
    can cut its clearing up short; what they noted is acted upon at the end.
    """
    finished, stops, interrupted = False, 0, False
    computed, started = time.thread_time(), time.monotonic()

    def too_slow():
        waited = time.monotonic() - started
        return time.thread_time() - computed >= seconds or waited >= _WAITING * seconds

    def on_alarm(signum, frame):
        nonlocal stops
        if finished or frame.f_code is _timed.__code__ or not too_slow():
            return
        stops += 1
        if stops > 1:  # the code caught the first one
            _raise_at_next_line(frame)
        raise TimeUp

    def on_interrupt(signum, frame):
        nonlocal interrupted
        interrupted = True
        if not finished and frame.f_code is not _timed.__code__:
            raise KeyboardInterrupt

    error = None
    trace = sys.gettrace()
    in_main_thread, limited = _in_main_thread(), has_time_limit()
    if in_main_thread:
        old_interrupt = signal.signal(signal.SIGINT, on_interrupt)
    if limited:
        old_alarm = signal.signal(signal.SIGALRM, on_alarm)
        old_delay, old_interval = signal.setitimer(signal.ITIMER_REAL, _AGAIN, _AGAIN)
    try:
        _call(function)
    except BaseException as raised:
        error = raised
    finished = True
    sys.settrace(trace)
    if limited:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old_alarm)
        if old_delay:  # somebody else's timer goes on
            left = old_delay - (time.monotonic() - started)
            signal.setitimer(signal.ITIMER_REAL, max(left, 1e-3), old_interval)
    if in_main_thread:
        signal.signal(signal.SIGINT, old_interrupt)
    if interrupted:
        raise KeyboardInterrupt
    if stops and error is None:
        error = TimeUp()
    return error


def _call(function):
    """Call ``function`` in a frame of its own, so that a builtin is not mistaken for _timed."""
    function()


def _raise_at_next_line(frame):
    """Make every running frame raise TimeUp at its next line.

    ``while True: try: ... except BaseException: pass`` catches what is raised in its try block,
    but not what is raised at the line after ``except``.
    """

    def stop(frame, event, arg):
        if frame.f_globals is globals():  # the alarm itself
            return None
        if event == "line":  # the other events also come while an exception passes through
            raise TimeUp
        return stop

    while frame.f_code is not _timed.__code__:
        frame.f_trace = stop
        frame = frame.f_back
    sys.settrace(stop)


@contextlib.contextmanager
def _unchanged_state():
    """Global state that code may change, the same after as before; random numbers seeded."""
    numpy_random, python_random = np.random.get_state(), random.getstate()  # noqa: NPY002
    recursion_limit = sys.getrecursionlimit()
    np.random.seed(0)  # noqa: NPY002  a reader may use the global generator
    random.seed(0)
    try:
        # NumPy's own settings: an exponential that becomes 0, as under a mask, is no mistake.
        with np.errstate(all="warn", under="ignore"), np.printoptions():
            yield
    finally:
        sys.setrecursionlimit(recursion_limit)
        np.random.set_state(numpy_random)  # noqa: NPY002
        random.setstate(python_random)


@contextlib.contextmanager
def _quiet():
    """Catch what is printed and every warning."""
    output = _Beginning()
    with (
        warnings.catch_warnings(record=True) as caught,
        contextlib.redirect_stdout(output),
        contextlib.redirect_stderr(output),
    ):
        warnings.simplefilter("always")
        yield output, caught


class _Beginning(io.TextIOBase):
    """A text stream that keeps the beginning of what is written to it."""

    def __init__(self):
        self._kept = ""

    def writable(self):
        return True

    def write(self, text):
        self._kept += text[: _KEPT + 1 - len(self._kept)]
        return len(text)

    def text(self):
        return self._kept if len(self._kept) <= _KEPT else self._kept[:_KEPT] + " ..."
