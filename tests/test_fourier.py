"""pe_lib.fourier against its definition (Tancik et al. 2020, section 6)."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pe_lib
from pe_lib import fourier, sinusoidal

seeds = st.integers(0, 2**32 - 1)
axes = st.integers(1, 4)
counts = st.integers(1, 8)


def draw(seed, count, axes, points=3):
    """Random points and frequencies."""
    rng = np.random.default_rng(seed)
    return rng.uniform(-5, 5, (points, axes)), rng.normal(size=(count, axes))


# --- Oracle: one frequency after the other ------------------------------------------------------


def test_oracle_a_sine_and_a_cosine_per_row_of_the_matrix():
    points, matrix = draw(0, 6, 3, points=5)
    got = fourier.encode(points, matrix)
    assert got.shape == (5, 12)
    for t, point in enumerate(points):
        for j, frequency in enumerate(matrix):
            turns = sum(b * x for b, x in zip(frequency, point, strict=True))
            assert got[t, j] == pytest.approx(math.sin(2 * math.pi * turns), abs=1e-13)
            assert got[t, 6 + j] == pytest.approx(math.cos(2 * math.pi * turns), abs=1e-13)


# --- Properties --------------------------------------------------------------------------------


@given(seeds, counts, axes)
def test_every_code_has_the_same_norm(seed, count, axes):
    points, matrix = draw(seed, count, axes)
    norms = np.linalg.norm(fourier.encode(points, matrix), axis=-1)
    np.testing.assert_allclose(norms, math.sqrt(count), rtol=1e-14)


@given(seeds, counts, axes)
def test_the_dot_product_depends_on_the_difference_alone(seed, count, axes):
    """It is the sum of cos(2 pi b . (x - y)) over the rows b: Rahimi and Recht (2007)."""
    (x, y, shift), matrix = draw(seed, count, axes)
    dot = fourier.encode(x, matrix) @ fourier.encode(y, matrix)
    moved = fourier.encode(x + shift, matrix) @ fourier.encode(y + shift, matrix)
    kernel = np.cos(2 * np.pi * (matrix @ (x - y))).sum()
    assert dot == pytest.approx(kernel, abs=1e-11)
    assert moved == pytest.approx(kernel, abs=1e-11)


def test_the_mean_over_normal_frequencies_is_a_gaussian_kernel():
    """Bochner: for B ~ N(0, s^2) the kernel is exp(-2 pi^2 s^2 |x - y|^2)."""
    scale, x, y = 0.3, np.array([0.2, 0.1]), np.array([0.5, -0.2])
    matrix = np.random.default_rng(0).normal(scale=scale, size=(20_000, 2))
    mean = fourier.encode(x, matrix) @ fourier.encode(y, matrix) / len(matrix)
    want = math.exp(-2 * math.pi**2 * scale**2 * ((x - y) ** 2).sum())
    assert mean == pytest.approx(want, abs=4 / math.sqrt(2 * len(matrix)))


@given(seeds, st.integers(-(2**20), 2**20))
def test_whole_turns_change_nothing(seed, turns):
    """With frequencies in eighths, a point moved by 8 units per axis is the same point."""
    rng = np.random.default_rng(seed)
    matrix = rng.integers(-16, 17, (5, 2)) / 8
    point = rng.integers(-16, 17, 2) / 8
    moved, here = fourier.encode(point + 8 * turns, matrix), fourier.encode(point, matrix)
    np.testing.assert_allclose(moved, here, rtol=0, atol=3e-16)  # sin(pi) may change its sign


@given(st.integers(-1000, 1000), st.integers(1, 8))
def test_a_line_of_geometric_frequencies_is_the_sinusoidal_code(p, pairs):
    dim = 2 * pairs
    matrix = pe_lib.frequencies(dim)[:, None] / (2 * np.pi)
    want = sinusoidal.encode(p, dim, layout="half")
    np.testing.assert_allclose(fourier.encode([float(p)], matrix), want, rtol=0, atol=1e-12)


# --- Golden numbers ----------------------------------------------------------------------------


def test_golden_quarter_turns():
    matrix = np.array([[0.25], [0.5], [0.75], [1.0], [-0.25]])
    got = fourier.encode([1.0], matrix)
    want = [1, 0, -1, 0, -1, 0, -1, 0, 1, 0]
    np.testing.assert_allclose(got, want, rtol=0, atol=3e-16)


@pytest.mark.parametrize("x", [1e3, 1e6, 2.0**28 - 1])
def test_golden_large_coordinates_keep_their_angle(x):
    """Exact turns as a fraction; 2 pi x multiplied first would lose up to 3e-8 turns at 2^28."""
    frequency = 0.7182818284590452
    turns = Fraction(x) * Fraction(frequency) % 1
    want = [math.sin(2 * math.pi * float(turns)), math.cos(2 * math.pi * float(turns))]
    got = fourier.encode([x], [[frequency]])
    np.testing.assert_allclose(got, want, rtol=0, atol=2 * math.pi * x * 2**-53 + 1e-15)
    exact = fourier.encode([x], [[0.375]])  # a product without rounding: the angle is exact
    turns = float(Fraction(x) * Fraction(0.375) % 1)
    want = [math.sin(2 * math.pi * turns), math.cos(2 * math.pi * turns)]
    np.testing.assert_allclose(exact, want, rtol=0, atol=1e-15)


# --- Edge values -------------------------------------------------------------------------------


def test_the_origin_is_all_cosines():
    assert fourier.encode([0, 0], np.ones((3, 2))).tolist() == [0, 0, 0, 1, 1, 1]


@pytest.mark.parametrize("shape", [(2,), (1, 2), (4, 3, 2)])
def test_points_of_any_leading_shape(shape):
    assert fourier.encode(np.zeros(shape), np.ones((5, 2))).shape == (*shape[:-1], 10)


@pytest.mark.parametrize(
    ("points", "matrix", "dtype"),
    [
        (np.float16, np.float16, np.float16),
        (np.float32, np.float32, np.float32),
        (np.float32, np.float64, np.float64),
        (np.float64, np.float32, np.float64),
        (int, np.float32, np.float64),
    ],
)
def test_the_wider_kind_of_float_is_kept_and_only_the_result_is_cast(points, matrix, dtype):
    x, b = np.array([[300, 7]], points), np.array([[0.3, 0.7], [1.1, -2.3]], matrix)
    got = fourier.encode(x, b)
    assert got.dtype == dtype
    exact = fourier.encode(x.astype(np.float64), b.astype(np.float64))
    np.testing.assert_array_equal(got, exact.astype(dtype))


def test_inputs_may_be_read_only_and_strided_and_are_never_changed():
    x, b = np.ones((4, 6))[::2, ::3], np.ones((2, 6)).T[::2]
    copies = x.copy(), b.copy()
    for array in (x, b):
        array.flags.writeable = False
    got = fourier.encode(x, b)
    assert got.flags.writeable
    np.testing.assert_array_equal(got, fourier.encode(*copies))
    np.testing.assert_array_equal(x, copies[0])
    np.testing.assert_array_equal(b, copies[1])


# --- Errors ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("coordinates", "matrix", "error", "message"),
    [
        (1.0, [[1.0]], ValueError, "coordinates must have at least 1 axes"),
        ([], [[1.0]], ValueError, "coordinates must not be empty"),
        ([np.nan], [[1.0]], ValueError, "coordinates must be finite, got nan"),
        ([np.inf], [[1.0]], ValueError, "coordinates must be finite, got inf"),
        ([2**62], [[1.0]], ValueError, r"coordinates times matrix must lie within \+-2\*\*28"),
        ([1e300], [[1e300]], ValueError, r"within \+-2\*\*28 turns, got up to inf"),
        ([2.0**28, -(2.0**28)], [[1.0, 1.0]], ValueError, "coordinates times matrix must lie"),
        (["1"], [[1.0]], TypeError, "coordinates must be numbers"),
        ([True], [[1.0]], TypeError, "coordinates must be numbers"),
        ([1j], [[1.0]], TypeError, "coordinates must be numbers"),
        (None, [[1.0]], TypeError, "coordinates must be numbers"),
        ([[1.0], [1.0, 2.0]], [[1.0]], TypeError, "coordinates must be an array of numbers"),
        ([1.0], [1.0], ValueError, "matrix must have at least 2 axes"),
        ([1.0, 2.0], [[1.0]], ValueError, r"matrix must have shape \(\*, 2\), got \(1, 1\)"),
        ([1.0], np.ones((1, 1, 1)), ValueError, r"matrix must have shape \(\*, 1\)"),
        ([1.0], np.ones((0, 1)), ValueError, "matrix must not be empty"),
        ([1.0], [[np.nan]], ValueError, "matrix must be finite"),
        ([1.0], None, TypeError, "matrix must be numbers"),
        ([1.0], np.zeros((1, 1), "V2"), TypeError, "matrix must be numbers"),
    ],
)
def test_what_is_wrong_is_named(coordinates, matrix, error, message):
    with pytest.raises(error, match=message):
        fourier.encode(coordinates, matrix)
