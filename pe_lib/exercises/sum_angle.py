"""Checks for the exercises of the chapter ``sinusoid/sum_angle``."""

import numpy as np

from pe_lib import sinusoidal
from pe_lib.exercises._check import close, exercise, hint_for, require, require_close
from pe_lib.exercises._reader import call, numbers
from pe_lib.exercises._show import Words, show


@exercise("sum-angle-half-step")
def half_step(answer):
    """A function of (omega) that returns the 2 x 2 shift matrix of half a token."""
    for omega in (1.0, 0.1, 2.5):
        case = {"omega": omega}
        got = numbers(call(answer, **case), shape=(2, 2), input=case, form="the block of one pair")
        square = got @ got
        back = "Your two half steps lead one token back. Which way do (sine, cosine) turn?"
        faults = ((np.allclose(square, _block(-1, omega)), back),)
        law = "Two half steps make one whole step. Which of the laws of the group says that?"
        require(
            close(square, _block(1, omega)),
            input=case,
            got=Words(f"a matrix whose square is {show(square)}"),
            hint=hint_for(faults, law),
        )
        require(
            close(got @ _pair(3, omega), _pair(3.5, omega)),
            input=case,
            got=got,
            hint="Two times it makes a whole step, but a matrix has more than one square root. "
            "Where should half a step end? Draw it.",
        )


@exercise("sum-angle-direction")
def direction(answer):
    """A function of (k, omega) that returns the angle by which (sin, cos) turns."""
    for k, omega in ((1, 0.5), (2, 0.1), (-3, 1.0), (0, 1.0)):
        case = {"k": k, "omega": omega}
        angle = numbers(call(answer, **case), shape=(), input=case, form="an angle in radians")
        # R(angle) is the block of a whole step at the frequency -angle.
        faults = (
            (
                np.allclose(_block(1, angle) @ _pair(1, omega), _pair(1 + k, omega)),
                "Draw the pair at p = 0 and at a small p, sine to the right, cosine upwards. R of "
                "a positive angle turns counterclockwise. Which way does the pair go?",
            ),
        )
        require(
            close(_block(-1, angle) @ _pair(1, omega), _pair(1 + k, omega)),
            input=case,
            got=angle,
            hint=hint_for(faults, "How many radians does the hand turn in k tokens?"),
        )


@exercise("sum-angle-complex")
def complex_form(answer):
    """A function of (codes, k, omega) that shifts interleaved codes by a complex product."""
    rng = np.random.default_rng(0)
    for rows, pairs, k in ((1, 1, 1), (5, 3, 2.5), (5, 4, -7)):
        omega, positions = rng.uniform(0.1, 1, pairs).round(1), rng.integers(0, 100, rows)
        case = {"codes": _codes(positions, omega), "k": k, "omega": omega}
        shape = (rows, 2 * pairs)
        got = numbers(call(answer, **case), shape=shape, input=case, form="codes again")
        swapped = got.reshape(rows, pairs, 2)[..., ::-1].reshape(shape)
        want, back = _codes(positions + k, omega), _codes(positions - k, omega)
        faults = (
            (close(got, back), "Your codes move back. Is sine + i cosine exp(i omega p)?"),
            (close(swapped, want) or close(swapped, back), "Which part goes into which channel?"),
        )
        otherwise = "Which complex number do you make of a pair? What does a step multiply it by?"
        require_close(got, want, input=case, hint=hint_for(faults, otherwise))


@exercise("sum-angle-head")
def head(answer):
    """A function of (k, dim) whose matrix W scores the key at n = m + k highest."""
    for dim, k in ((16, -1), (16, -3), (32, 2), (32, 0)):
        case = {"k": k, "dim": dim}
        form = "the matrix W between two codes"
        got = numbers(call(answer, **case), shape=(dim, dim), input=case, form=form)
        queries = np.arange(64)[max(0, -k) : 64 - max(0, k)]
        keys = _winners(got, "interleaved")[queries]
        wrong = keys != queries + k
        m, n = queries[wrong.argmax()], keys[wrong.argmax()]
        faults = (
            (
                n == m - k,
                "Your head looks as far to the other side. The query is moved first and then "
                "transposed: (M PE(m))' PE(n). Does your W say the same?",
            ),
            (
                (_winners(got, "half")[queries] == queries + k).all(),
                "Which channels form a pair in this layout?",
            ),
            (
                n == m,
                "Each token finds itself, because a code is most like itself. Which code should W "
                "make of the query's?",
            ),
        )
        otherwise = "Which code should W make of the query's, and which matrix does that?"
        got = Words(f"a W with which the query at m = {m} scores highest with the key at n = {n}")
        require(not wrong.any(), input=case, got=got, hint=hint_for(faults, otherwise))


@exercise("sum-angle-frequencies")
def find_frequencies(answer):
    """A function of (table) that reads the frequencies out of an unknown basis."""
    rng = np.random.default_rng(0)
    for omega, constant in (([0.5], False), ([0.2, 0.9, 2.8], False), ([0.3, 1.1], True)):
        columns = _codes(np.arange(60), np.array(omega))
        if constant:
            columns = np.column_stack([columns, np.ones(60)])
        basis = np.linalg.qr(rng.standard_normal((columns.shape[1],) * 2))[0]
        stretch = rng.uniform(0.5, 2, len(basis))  # a change of basis that is not orthogonal
        case = {"table": columns @ (basis * stretch).T}
        form = "the frequencies between 0 and pi, in ascending order, without a constant"
        shape = (len(omega),)
        got = numbers(call(answer, **case), shape=shape, input=case, form=form)
        faults = ((close(np.sort(got), omega), "Is this in ascending order?"),)
        otherwise = (
            "Fit M_1 first. A change of basis alters its entries, but not its eigenvalues: where "
            "on the unit circle do they lie?"
        )
        require_close(got, omega, input=case, hint=hint_for(faults, otherwise))


def _winners(w, layout):
    """The key that scores highest, for each of 64 queries."""
    codes = sinusoidal.encode(np.arange(64), len(w), layout=layout)
    return (codes @ w @ codes.T).argmax(axis=1)


def _pair(p, omega):
    """(sine, cosine) at position p."""
    return np.array([np.sin(omega * p), np.cos(omega * p)])


def _block(k, omega):
    """The 2 x 2 shift matrix of one pair."""
    cos, sin = np.cos(omega * k), np.sin(omega * k)
    return np.array([[cos, sin], [-sin, cos]])


def _codes(positions, omega):
    """Interleaved codes for any frequencies, shape (T, 2 * pairs)."""
    angles = np.multiply.outer(np.asarray(positions, dtype=float), omega)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(angles), -1)
