"""pe_lib.convolutional against its definition (Chu et al. 2023, section 3.2)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pe_lib import convolutional

seeds = st.integers(0, 2**32 - 1)
filters = st.sampled_from([1, 3, 5])


def draw(seed, size=3, height=6, width=7, dim=2):
    """Random features, filters and biases."""
    rng = np.random.default_rng(seed)
    return (
        rng.normal(size=(height, width, dim)),
        rng.normal(size=(size, size, dim)),
        rng.normal(size=dim),
    )


# --- Oracle: every patch looks around -----------------------------------------------------------


def _oracle(x, weight, bias):
    height, width, _ = x.shape
    size, half = len(weight), len(weight) // 2
    y = np.empty(x.shape)
    for r, c, d in np.ndindex(x.shape):
        y[r, c, d] = x[r, c, d] + bias[d]
        for u, v in np.ndindex(size, size):
            row, column = r + u - half, c + v - half
            if 0 <= row < height and 0 <= column < width:
                y[r, c, d] += weight[u, v, d] * x[row, column, d]
    return y


@pytest.mark.parametrize("size", [1, 3, 5])
@pytest.mark.parametrize(("height", "width"), [(4, 6), (1, 5), (2, 1)])
def test_oracle_a_loop_over_the_neighbors(size, height, width):
    x, weight, bias = draw(0, size, height, width, 3)
    want = _oracle(x, weight, bias)
    got = convolutional.encode(x, weight, bias)
    np.testing.assert_allclose(got, want, rtol=0, atol=1e-13)
    without = convolutional.encode(x, weight)
    np.testing.assert_allclose(without, want - bias, rtol=0, atol=1e-13)


# --- Properties --------------------------------------------------------------------------------


@given(seeds, filters)
def test_an_image_moved_away_from_the_border_moves_its_result(seed, size):
    """Translation equivariance, as long as the filter sees the same zeros around."""
    x, weight, _ = draw(seed, size)
    patch, half = x[:2, :3], size // 2
    here, there = np.zeros((16, 16, 2)), np.zeros((16, 16, 2))
    here[3:5, 3:6], there[8:10, 7:10] = patch, patch
    got = convolutional.encode(here, weight)
    moved = convolutional.encode(there, weight)
    np.testing.assert_allclose(np.roll(got, (5, 4), (0, 1)), moved, rtol=0, atol=1e-13)
    inside = got[3 - half : 5 + half, 3 - half : 6 + half]
    assert got.any()
    assert np.count_nonzero(got) == np.count_nonzero(inside)  # no farther than the filter reaches


@given(seeds, st.sampled_from([3, 5]))
def test_a_blank_image_shows_where_its_border_is_and_nothing_else(seed, size):
    """Zero padding is the only thing that knows a position."""
    _, weight, bias = draw(seed, size)
    half = size // 2
    got = convolutional.encode(np.ones((9, 9, 2)), weight, bias)
    inner = got[half:-half, half:-half]
    np.testing.assert_allclose(inner, np.broadcast_to(inner[0, 0], inner.shape), rtol=0, atol=1e-13)
    assert (np.abs(got[0, 0] - inner[0, 0]) > 1e-9).any()
    assert (np.abs(got[0, 4] - inner[0, 0]) > 1e-9).any()
    corners = got[[0, 0, -1, -1], [0, -1, 0, -1]]
    assert len(np.unique(corners.round(9), axis=0)) == 4  # each corner knows which one it is


@given(seeds, filters)
def test_the_result_is_linear_in_the_features(seed, size):
    x, weight, _ = draw(seed, size)
    y, _, _ = draw(seed + 1, size)
    np.testing.assert_allclose(
        convolutional.encode(2 * x - y, weight),
        2 * convolutional.encode(x, weight) - convolutional.encode(y, weight),
        rtol=0,
        atol=1e-12,
    )


@given(seeds)
def test_channels_do_not_mix(seed):
    x, weight, bias = draw(seed)
    changed = x.copy()
    changed[..., 0] += 1
    a, b = (convolutional.encode(image, weight, bias) for image in (x, changed))
    np.testing.assert_array_equal(a[..., 1], b[..., 1])
    assert (a[..., 0] != b[..., 0]).any()


@given(seeds, filters)
def test_a_filter_of_zeros_changes_nothing(seed, size):
    x, weight, _ = draw(seed, size)
    np.testing.assert_array_equal(convolutional.encode(x, 0 * weight), x)


# --- Golden numbers ----------------------------------------------------------------------------


def test_golden_the_filter_is_not_turned_over():
    """Cross-correlation, as in PyTorch: the last filter weight looks right and down."""
    x, weight = np.zeros((3, 3, 1)), np.zeros((3, 3, 1))
    x[2, 2], weight[2, 2] = 5, 1
    got = convolutional.encode(x, weight)[..., 0]
    assert got.tolist() == [[0, 0, 0], [0, 5, 0], [0, 0, 5]]


# --- Edge values -------------------------------------------------------------------------------


@pytest.mark.parametrize("leading", [(1,), (2,), (2, 3)])
def test_a_batch_is_one_image_after_the_other(leading):
    _, weight, bias = draw(0)
    images = np.random.default_rng(1).normal(size=(*leading, 4, 5, 2))
    got = convolutional.encode(images, weight, bias)
    assert got.shape == images.shape
    for index in np.ndindex(leading):
        np.testing.assert_array_equal(got[index], convolutional.encode(images[index], weight, bias))


def test_a_filter_larger_than_the_image():
    assert convolutional.encode([[[1.0]]], np.ones((7, 7, 1))).tolist() == [[[2.0]]]


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_the_kind_of_float_is_kept_and_only_the_result_is_cast(dtype):
    x, weight, bias = draw(0)
    x = x.astype(dtype)
    got = convolutional.encode(x, weight, bias)
    assert got.dtype == dtype
    exact = convolutional.encode(x.astype(np.float64), weight, bias)
    np.testing.assert_array_equal(got, exact.astype(dtype))


def test_integers_become_float64():
    assert convolutional.encode(np.ones((2, 2, 1), int), np.ones((1, 1, 1), int)).dtype == float


def test_inputs_may_be_read_only_and_strided_and_are_never_changed():
    x = np.random.default_rng(0).normal(size=(4, 5, 12)).transpose(1, 2, 0)[:, ::3, ::2]
    inputs = x, np.ones((3, 6, 4))[:, ::2, ::2], np.ones(4)[::2]
    copies = [array.copy() for array in inputs]
    for array in inputs:
        array.flags.writeable = False
    got = convolutional.encode(*inputs)
    assert got.flags.writeable
    np.testing.assert_array_equal(got, convolutional.encode(*copies))
    for array, copy in zip(inputs, copies, strict=True):
        np.testing.assert_array_equal(array, copy)
    zero = convolutional.encode(copies[0], np.zeros((1, 1, 2)))
    assert not np.shares_memory(zero, copies[0])


# --- Errors ------------------------------------------------------------------------------------

GOOD = {"x": np.ones((2, 2, 2)), "weight": np.ones((3, 3, 2)), "bias": np.ones(2)}


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"x": np.ones((2, 2))}, ValueError, "x must have at least 3 axes"),
        ({"x": np.ones((0, 2, 2))}, ValueError, "x must not be empty"),
        ({"x": np.full((2, 2, 2), np.nan)}, ValueError, "x must be finite, got nan"),
        ({"x": np.ones((2, 2, 2), bool)}, TypeError, "x must be numbers"),
        ({"x": np.ones((2, 2, 2), complex)}, TypeError, "x must be numbers"),
        ({"x": np.zeros((2, 2, 2), "V2")}, TypeError, "x must be numbers"),
        ({"x": None}, TypeError, "x must be numbers"),
        ({"x": [[[1.0]], [[1.0, 2.0]]]}, TypeError, "x must be an array of numbers"),
        ({"weight": np.ones((3, 3, 1))}, ValueError, r"weight must have shape \(3, 3, 2\)"),
        ({"weight": np.ones((3, 5, 2))}, ValueError, r"weight must have shape \(3, 3, 2\)"),
        ({"weight": np.ones((2, 1, 3, 3))}, ValueError, r"weight must have shape \(2, 2, 2\)"),
        ({"weight": np.ones((2, 2, 2))}, ValueError, "weight must have an odd size"),
        ({"weight": np.ones((0, 0, 2))}, ValueError, "weight must have an odd size"),
        ({"weight": 1.0}, ValueError, r"weight must have shape \(0, 0, 2\), got \(\)"),
        ({"weight": np.full((3, 3, 2), np.inf)}, ValueError, "weight must be finite, got inf"),
        ({"weight": "text"}, TypeError, "weight must be numbers"),
        ({"weight": None}, TypeError, "weight must be numbers"),
        ({"bias": np.ones(3)}, ValueError, r"bias must have shape \(2,\), got \(3,\)"),
        ({"bias": 1.0}, ValueError, r"bias must have shape \(2,\), got \(\)"),
        ({"bias": [np.nan, 0]}, ValueError, "bias must be finite, got nan"),
        ({"bias": [True, False]}, TypeError, "bias must be numbers"),
        ({"x": np.full((2, 2, 2), 6e4, np.float16)}, ValueError, "not to overflow float16"),
        ({"x": np.full((2, 2, 2), 1.7e308)}, ValueError, "x and weight must be small enough"),
    ],
)
def test_what_is_wrong_is_named(change, error, message):
    with pytest.raises(error, match=message):
        convolutional.encode(**(GOOD | change))
