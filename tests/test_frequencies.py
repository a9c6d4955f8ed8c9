"""pe_lib.frequencies against its definition (Vaswani et al. 2017, section 3.5)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pe_lib

dims = st.integers(1, 64).map(lambda pairs: 2 * pairs)
bases = st.floats(1.5, 1e7)


def test_oracle_a_plain_loop():
    """In the book: eq-geometric-row."""
    for dim in (2, 4, 6, 128):
        for base in (10_000.0, 500_000.0):
            want = [1 / base ** (2 * i / dim) for i in range(dim // 2)]
            np.testing.assert_allclose(pe_lib.frequencies(dim, base=base), want, rtol=1e-14)


@given(dims, bases)
def test_each_frequency_is_the_same_factor_below_the_one_before(dim, base):
    """In the book: eq-geometric-row."""
    omega = pe_lib.frequencies(dim, base=base)
    assert omega[0] == 1
    np.testing.assert_allclose(omega[1:] / omega[:-1], base ** (-2 / dim), rtol=1e-13)


@given(dims, bases)
def test_frequencies_fall_from_1_and_stay_above_the_inverse_of_base(dim, base):
    omega = pe_lib.frequencies(dim, base=base)
    assert (np.diff(omega) < 0).all()
    assert omega[-1] > 1 / base


@given(dims, bases)
def test_twice_the_channels_keep_every_frequency_and_put_one_between(dim, base):
    np.testing.assert_allclose(
        pe_lib.frequencies(2 * dim, base=base)[::2], pe_lib.frequencies(dim, base=base), rtol=1e-14
    )


def test_golden_numbers_within_4_ulp(golden):
    for case in golden["frequencies"]:
        got, want = pe_lib.frequencies(case["dim"], base=case["base"]), np.array(case["want"])
        assert (np.abs(got - want) <= 4 * np.spacing(want)).all(), case["dim"]


def test_the_longest_wavelength_of_512_channels_falls_short_of_the_often_quoted_one():
    longest = 2 * np.pi / pe_lib.frequencies(512)[-1]
    assert longest == pytest.approx(60_611.477166)
    assert longest < 2 * np.pi * 10_000


def test_one_pair_has_frequency_1():
    assert pe_lib.frequencies(2).tolist() == [1.0]


def test_the_default_base_is_10_000_and_the_result_float64():
    omega = pe_lib.frequencies(64)
    assert omega.dtype == np.float64
    assert omega.tolist() == pe_lib.frequencies(64, base=10_000).tolist()


def test_a_numpy_integer_is_an_integer():
    np.testing.assert_array_equal(pe_lib.frequencies(np.int8(100)), pe_lib.frequencies(100))


def test_a_huge_base_is_still_finite():
    assert np.isfinite(pe_lib.frequencies(8, base=1e308)).all()


@pytest.mark.parametrize(
    ("dim", "error", "message"),
    [
        (7, ValueError, "dim must be even, got 7"),
        (0, ValueError, "dim must be at least 2, got 0"),
        (-2, ValueError, "dim must be at least 2, got -2"),
        (2**62, ValueError, r"dim must be less than 2\*\*31, got 4611686018427387904"),
        (8.0, TypeError, "dim must be an integer, got 8.0"),
        ("8", TypeError, "dim must be an integer, got '8'"),
        (True, TypeError, "dim must be an integer, got True"),
        (None, TypeError, "dim must be an integer, got None"),
        ([8], TypeError, r"dim must be an integer, got \[8\]"),
    ],
)
def test_a_wrong_dim_is_named(dim, error, message):
    with pytest.raises(error, match=message):
        pe_lib.frequencies(dim)


@pytest.mark.parametrize(
    ("base", "error", "message"),
    [
        (1, ValueError, "base must be greater than 1, got 1"),
        (0.5, ValueError, "base must be greater than 1, got 0.5"),
        (-10_000, ValueError, "base must be greater than 1"),
        (np.nan, ValueError, "base must be finite, got nan"),
        (np.inf, ValueError, "base must be finite, got inf"),
        ("10000", TypeError, "base must be numbers"),
        (None, TypeError, "base must be numbers"),
        (1e4 + 0j, TypeError, "base must be numbers"),
        ([1e4], TypeError, "base must be one number, got an array of shape"),
    ],
)
def test_a_wrong_base_is_named(base, error, message):
    with pytest.raises(error, match=message):
        pe_lib.frequencies(8, base=base)
