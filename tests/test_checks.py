"""pe_lib._checks: every error names the argument, its value and the rule."""

import numpy as np
import pytest

from pe_lib import _checks, _layout

# --- What is accepted --------------------------------------------------------------------------


@pytest.mark.parametrize("value", [3, np.int8(3), np.uint64(3), np.array(3)])
def test_integer_gives_a_python_int(value):
    number = _checks.integer("n", value, minimum=0)
    assert number == 3
    assert type(number) is int


@pytest.mark.parametrize("value", [2.5, np.float32(2.5), np.array(2.5)])
def test_scalar_gives_a_python_float(value):
    number = _checks.scalar("x", value)
    assert number == 2.5
    assert type(number) is float


@pytest.mark.parametrize("dtype", [np.int8, np.uint64, np.float16, np.float32, np.float64])
def test_positions_of_any_real_kind_become_float64(dtype):
    positions = _checks.positions("positions", np.array([0, 1, 100], dtype))
    assert positions.dtype == np.float64
    assert positions.tolist() == [0, 1, 100]


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_float_array_keeps_the_kind_of_float(dtype):
    assert _checks.float_array("x", np.ones(2, dtype)).dtype == dtype
    assert _checks.float_dtype(dtype) == dtype


def test_float_array_makes_integers_float64():
    assert _checks.float_array("x", [1, 2]).dtype == np.float64


def test_positions_reach_exactly_2_to_the_28():
    edge = [-(2**28), 2**28]
    assert _checks.positions("p", edge).tolist() == edge


@pytest.mark.parametrize("shape", [(), (1,), (3,), (2, 3), (2, 1)])
def test_broadcastable_accepts_what_numpy_broadcasts_without_a_larger_result(shape):
    _checks.broadcastable("x", shape, (2, 3))


# --- What is refused ---------------------------------------------------------------------------


@pytest.mark.parametrize("value", [3.0, "3", None, True, np.True_, [3], 3j, np.array([3])])
def test_integer_refuses_what_is_none(value):
    with pytest.raises(TypeError, match="n must be an integer, got "):
        _checks.integer("n", value, minimum=0)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (1, "n must be at least 2, got 1"),
        (-(2**70), "n must be at least 2, got -1180591620717411303424"),
        (2**31, r"n must be less than 2\*\*31, got 2147483648"),
        (np.uint64(2**63), r"n must be less than 2\*\*31, got 9223372036854775808"),
    ],
)
def test_integer_has_a_range(value, message):
    with pytest.raises(ValueError, match=message):
        _checks.integer("n", value, minimum=2)


@pytest.mark.parametrize("dim", [3, 7, 2**31 - 1])
def test_an_odd_dim_is_refused(dim):
    with pytest.raises(ValueError, match=f"dim must be even, got {dim}"):
        _checks.even_dim(dim)


@pytest.mark.parametrize(
    "value",
    ["1", b"1", None, True, 1j, {}, object(), [None], [[1], [1, 2]], np.datetime64("2017"), 2**70],
)
@pytest.mark.parametrize(
    "check", [_checks.scalar, _checks.real_array, _checks.positions, _checks.float_array]
)
def test_only_real_numbers_are_numbers(check, value):
    with pytest.raises(TypeError, match="x must be "):
        check("x", value)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, np.float16(np.nan)])
@pytest.mark.parametrize("check", [_checks.real_array, _checks.positions, _checks.float_array])
def test_nan_and_infinity_are_refused_wherever_they_hide(check, value):
    with pytest.raises(ValueError, match=rf"x must be finite, got {float(value)}"):
        check("x", [[0.0, 1.0], [2.0, value]])


def test_a_long_double_beyond_float64_is_not_finite():
    if np.finfo(np.longdouble).max == np.finfo(np.float64).max:
        pytest.skip("long double is float64 here")
    with pytest.raises(ValueError, match="x must be finite"):
        _checks.real_array("x", np.longdouble("1e400"))


@pytest.mark.parametrize("value", [2**28 + 1, -(2**28) - 1, 2**62, 2**63, 1e300])
def test_positions_beyond_2_to_the_28_are_refused(value):
    with pytest.raises(ValueError, match=r"p must lie within \+-2\*\*28.*got -?\d"):
        _checks.positions("p", [0, value])


@pytest.mark.parametrize("shape", [(0,), (0, 4), (2, 0, 3)])
def test_empty_arrays_are_refused(shape):
    for check in (_checks.positions, _checks.float_array):
        with pytest.raises(ValueError, match="x must not be empty, got shape"):
            check("x", np.empty(shape))


def test_float_array_wants_axes():
    with pytest.raises(ValueError, match=r"x must have at least 2 axes, got shape \(3,\)"):
        _checks.float_array("x", np.ones(3), min_ndim=2)


def test_scalar_wants_one_number_above_its_bound():
    with pytest.raises(TypeError, match=r"x must be one number, got an array of shape \(1,\)"):
        _checks.scalar("x", [1.0])
    with pytest.raises(ValueError, match=r"x must be greater than 1, got 1\.0"):
        _checks.scalar("x", 1.0, above=1)


@pytest.mark.parametrize("dtype", [int, bool, complex, None, "no such type", [("a",)], object, 3])
def test_other_dtypes_are_refused(dtype):
    with pytest.raises(TypeError, match="dtype must be float16, float32 or float64, got "):
        _checks.float_dtype(dtype)


def test_boolean_array_refuses_zeros_and_ones():
    assert _checks.boolean_array("mask", [[True, False]]).tolist() == [[True, False]]
    for value in ([1, 0], [None], "True", [[True], [True, False]]):
        with pytest.raises(TypeError, match="mask must be "):
            _checks.boolean_array("mask", value)


def test_finite_passes_the_result_on_or_says_why_not():
    result = np.ones(2)
    assert _checks.finite("why", result) is result
    with pytest.raises(ValueError, match="why"):
        _checks.finite("why", np.array([1.0, np.inf]))


@pytest.mark.parametrize("shape", [(2,), (3, 1), (4, 2, 3), (2, 3, 1), (0,), (1, 1, 1)])
def test_broadcastable_refuses_the_rest(shape):
    with pytest.raises(ValueError, match=r"x of shape \(.*\) must broadcast to \(2, 3\)"):
        _checks.broadcastable("x", shape, (2, 3))


@pytest.mark.parametrize("layout", ["neox", "", None, 0, ["half"], "Half", b"half"])
def test_an_unknown_layout_is_refused_with_the_known_ones(layout):
    with pytest.raises(ValueError, match="layout must be one of 'interleaved', 'half', got "):
        _checks.layout(layout)


# --- Layouts -----------------------------------------------------------------------------------


@pytest.mark.parametrize("dim", [2, 4, 10])
def test_pair_slices_are_the_two_definitions(dim):
    channels = np.arange(dim)
    for i in range(dim // 2):
        first, second = _layout.pair_slices(dim, "interleaved")
        assert (channels[first][i], channels[second][i]) == (2 * i, 2 * i + 1)
        first, second = _layout.pair_slices(dim, "half")
        assert (channels[first][i], channels[second][i]) == (i, i + dim // 2)
