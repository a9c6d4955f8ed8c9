"""pe_lib._logarithm: steps of equal ratio against sixty digits, on edges and beside them."""

import decimal

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pe_lib import _logarithm

#: distance, start, stop, number: quotients within 4e-12 of a whole number that they are not.
BESIDE = [
    (1490388077, 250, 1586754162, 250),
    (70913852, 112, 1086391682, 112),
    (788241919, 104, 1476114241, 105),
    (1281670164, 388, 1332225303, 389),
]
#: Quotients that are whole: floats miss the first four, two from below and two from above; then
#: powers of 2 and 3/2, the stop itself, the start itself, no steps.
ON = [
    (6, 2, 18, 2),
    (50, 2, 250, 3),
    (36, 4, 972, 5),
    (500, 4, 2500, 4),
    (40, 10, 80, 9),
    (16, 4, 128, 5),
    (81, 16, 36, 2),
    (24, 16, 54, 300),
    (2**28, 1, 2**30, 3000),
    (1000, 10, 1000, 1023),
    (10, 10, 11, 7),
    (99, 2, 50, 0),
]


def _quotient(distance, start, stop, number):
    with mpmath.workdps(60):
        one, all_ = (mpmath.log(mpmath.mpf(end) / start) for end in (distance, stop))
        quotient = number * one / all_
        whole = mpmath.nint(quotient)
        return whole if abs(quotient - whole) < mpmath.mpf(10) ** -50 else quotient


def _both(distances, start, stop, number):
    return tuple(
        _logarithm.steps(
            np.array(distances), start=start, stop=stop, number=number, rounding=rounding
        )
        for rounding in (np.floor, np.ceil)
    )


@given(st.integers(1, 2**20), st.integers(1, 2**20), st.integers(0, 2**29), st.integers(0, 3000))
def test_steps_are_those_of_sixty_digits(start, length, further, number):
    distance, stop = start + further, start + length
    quotient = _quotient(distance, start, stop, number)
    down, up = _both(distance, start, stop, number)
    if quotient < 2**40:
        assert (down, up) == (mpmath.floor(quotient), mpmath.ceil(quotient))


@pytest.mark.parametrize(("distance", "start", "stop", "number"), ON)
def test_on_an_edge_both_roundings_agree(distance, start, stop, number):
    quotient = _quotient(distance, start, stop, number)
    assert quotient == int(quotient)
    assert _both(distance, start, stop, number) == (quotient, quotient)


@pytest.mark.parametrize(("distance", "start", "stop", "number"), BESIDE)
def test_beside_an_edge_they_differ(distance, start, stop, number):
    quotient = _quotient(distance, start, stop, number)
    assert 0 < abs(quotient - round(quotient)) < 4e-12
    down = int(mpmath.floor(quotient))
    assert _both(distance, start, stop, number) == (down, down + 1)


def test_many_distances_at_once_are_decided_one_by_one():
    distances = [[20, 40, 39], [41, 20, 80]]  # 9 ln(n/10) / ln(8)
    down, up = _both(distances, 10, 80, 9)
    assert down.tolist() == [[3, 6, 5], [6, 3, 9]]
    assert up.tolist() == [[3, 6, 6], [7, 3, 9]]
    assert down.dtype == up.dtype == np.int64


def test_the_caller_may_have_set_decimals_in_any_way():
    distance, start, stop, number = BESIDE[0]
    want = _both(distance, start, stop, number)
    with decimal.localcontext(decimal.Context(prec=3, traps=[decimal.Inexact])):
        assert _both(distance, start, stop, number) == want
