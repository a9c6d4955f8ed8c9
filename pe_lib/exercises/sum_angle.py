"""Checks for the exercises of the chapter ``sinusoid/sum_angle``."""

import numpy as np

from pe_lib import sinusoidal
from pe_lib.exercises._check import call, exercise, numbers, require, require_close


@exercise("sum-angle-half-step")
def half_step(answer):
    """A function of omega that returns the 2 x 2 shift matrix of half a token."""
    for omega in (1.0, 0.1, 2.5):
        got = numbers(
            call(answer, omega),
            shape=(2, 2),
            input=f"omega = {omega}",
            hint="One pair, one block.",
        )
        require_close(
            got @ got,
            _block(1, omega),
            input=f"omega = {omega}, your matrix times itself",
            hint="Your two half steps lead one token back. Which way do (sine, cosine) turn?"
            if np.allclose(got @ got, _block(-1, omega))
            else "Two half steps make one whole step. Which of the laws of the group says that?",
        )
        require_close(
            got @ _pair(3, omega),
            _pair(3.5, omega),
            input=f"omega = {omega}, your matrix times the code of p = 3",
            hint="Two times it makes a whole step, but a matrix has more than one square root. "
            "Draw where half a step should end.",
        )


@exercise("sum-angle-direction")
def direction(answer):
    """A function of (k, omega) that returns the angle by which (sin, cos) turns."""
    for k, omega in ((1, 0.5), (2, 0.1), (-3, 1.0), (0, 1.0)):
        angle = numbers(
            call(answer, k, omega),
            shape=(),
            input=f"k = {k}, omega = {omega}",
            hint="It is the angle, in radians.",
        )
        cos, sin = np.cos(angle), np.sin(angle)
        require_close(
            np.array([[cos, -sin], [sin, cos]]) @ _pair(1, omega),
            _pair(1 + k, omega),
            input=f"k = {k}, omega = {omega}: R(your angle) times the pair at p = 1",
            hint="Draw the pair at p = 0 and at a small p, sine to the right, cosine upwards. "
            "R of a positive angle turns counterclockwise.",
        )


@exercise("sum-angle-complex")
def complex_form(answer):
    """A function of (codes, k, omega) that shifts interleaved codes by a complex product."""
    rng = np.random.default_rng(0)
    for pairs, k in ((1, 1), (3, 2.5), (4, -7)):
        omega = rng.uniform(0.1, 1, pairs)
        positions = rng.integers(0, 100, 5)
        where = f"codes of positions {positions.tolist()}, k = {k}, pairs: {pairs}"
        got = numbers(
            call(answer, _codes(positions, omega), k, omega.copy()),
            shape=(5, 2 * pairs),
            input=where,
            hint="Codes come in and codes go out: put both parts back into their channels.",
        )
        require_close(
            got,
            _codes(positions + k, omega),
            input=where,
            hint="Which complex number do you make of (sine, cosine), and is it exp(i omega p) or "
            "something else? Watch the direction, then put both parts back in their channels.",
        )


@exercise("sum-angle-head")
def head(answer):
    """A function of (k, dim) whose matrix W scores the key at n = m + k highest."""
    positions = np.arange(64)
    for dim, k in ((16, -1), (16, -3), (32, 2), (32, 0)):
        where = f"dim = {dim}, k = {k}"
        got = numbers(
            call(answer, k, dim),
            shape=(dim, dim),
            input=where,
            hint="W stands between two codes.",
        )
        codes = sinusoidal.encode(positions, dim, layout="interleaved")
        winners = (codes @ got @ codes.T).argmax(axis=1)
        inside = (positions + k >= 0) & (positions + k < 64)
        wrong = inside & (winners != positions + k)
        if wrong.any():
            m = int(positions[wrong][0])
            require(
                False,
                input=f"{where}, query at m = {m}",
                got=f"the largest score at key n = {winners[m]}",
                hint="Your head looks as far to the other side. The query is moved first and then "
                "transposed: (M PE(m))' PE(n). Does your W say the same?"
                if winners[m] == m - k
                else "With W = I each token finds itself, because a code is most like itself. "
                "Move the query's code by k first, then read off what stands between the two.",
            )


@exercise("sum-angle-frequencies")
def find_frequencies(answer):
    """A function that reads the frequencies out of a table in an unknown basis."""
    rng = np.random.default_rng(0)
    for omega, constant in (([0.5], False), ([0.2, 0.9, 2.8], False), ([0.3, 1.1], True)):
        columns = _codes(np.arange(60), np.array(omega))
        if constant:
            columns = np.column_stack([columns, np.ones(60)])
        basis = np.linalg.qr(rng.standard_normal((columns.shape[1],) * 2))[0]
        stretch = rng.uniform(0.5, 2, len(basis))  # a change of basis that is not orthogonal
        where = f"60 rows, number of hidden frequencies: {len(omega)}" + ", a constant" * constant
        got = numbers(
            call(answer, columns @ (basis * stretch).T),
            shape=(len(omega),),
            input=where,
            hint="One number per pair. Complex eigenvalues come in conjugate pairs, and a "
            "constant channel is no rotation.",
        )
        require_close(
            got,
            np.array(omega),
            input=where,
            hint="Fit M_1 first. A change of basis alters its entries, but not its eigenvalues: "
            "where on the unit circle do they lie? Sort what you return.",
        )


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
