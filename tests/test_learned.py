"""pe_lib.learned: rows of a table, and the table stretched to another length or grid."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pe_lib import learned

# The resizings that are not refused: (method, align_corners, antialias).
KINDS = [
    (method, *flags)
    for method in ("linear", "cubic")
    for flags in ((False, False), (True, False), (False, True))
]
kinds = st.sampled_from(KINDS)
sizes = st.integers(1, 40)
seeds = st.integers(0, 2**32 - 1)


def options(kind):
    return dict(zip(("method", "align_corners", "antialias"), kind, strict=True))


def resized(table, length, kind):
    return learned.resize_1d(table, length, **options(kind))


def random_table(seed, rows, dim=2):
    return np.random.default_rng(seed).normal(size=(rows, dim))


# --- Oracle: each new sample as a loop over the old ones ---------------------------------------


def _keys(x, a):
    """The cubic convolution kernel of Keys (1981), before a is fixed."""
    x = abs(x)
    if x < 1:
        return (a + 2) * x**3 - (a + 3) * x**2 + 1
    if x < 2:
        return a * x**3 - 5 * a * x**2 + 8 * a * x - 4 * a
    return 0.0


def _oracle(samples, new, method, align_corners, antialias):
    """One column, resized."""
    old = len(samples)
    out = []
    for i in range(new):
        if align_corners:
            center = i * (old - 1) / (new - 1) if new > 1 else 0.0
        else:
            center = (i + 0.5) * old / new - 0.5
        stretch = max(old / new, 1.0) if antialias else 1.0
        a = -0.5 if antialias else -0.75
        total = norm = 0.0
        for j in range(math.floor(center - 3 * stretch), math.ceil(center + 3 * stretch) + 1):
            x = (j - center) / stretch
            weight = max(1 - abs(x), 0.0) if method == "linear" else _keys(x, a)
            if antialias and not 0 <= j < old:
                continue  # an antialiased window is cut at the border,
            total += weight * samples[min(max(j, 0), old - 1)]  # any other repeats the last sample
            norm += weight
        out.append(total / norm)
    return out


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("old", "new"), [(5, 9), (9, 5), (7, 7), (4, 1), (1, 4), (2, 11), (24, 3)])
def test_oracle_resizing_a_row_as_a_loop(kind, old, new):
    table = random_table(old * new, old)
    want = np.transpose([_oracle(column, new, *kind) for column in table.T])
    np.testing.assert_allclose(resized(table, new, kind), want, rtol=0, atol=1e-13)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("new_grid", [(3, 5), (7, 2), (1, 1)])
def test_oracle_resizing_a_grid_as_columns_then_rows(kind, new_grid):
    grid, dim = (4, 3), 2
    table = random_table(0, 12, dim)
    got = learned.resize_2d(table, grid, new_grid, **options(kind)).reshape(*new_grid, dim)
    for channel in range(dim):
        patches = table[:, channel].reshape(grid)
        tall = np.transpose([_oracle(column, new_grid[0], *kind) for column in patches.T])
        want = [_oracle(row, new_grid[1], *kind) for row in tall]
        np.testing.assert_allclose(got[..., channel], want, rtol=0, atol=1e-13)


def test_oracle_a_looked_up_row_is_the_row():
    table = random_table(0, 7)
    positions = np.random.default_rng(1).integers(0, 7, (3, 4))
    got = learned.lookup(table, positions)
    for index in np.ndindex(3, 4):
        assert got[index].tolist() == table[positions[index]].tolist()


# --- Properties --------------------------------------------------------------------------------


@given(seeds, sizes, kinds)
def test_resizing_to_the_same_length_is_the_identity(seed, rows, kind):
    table = random_table(seed, rows)
    np.testing.assert_array_equal(resized(table, rows, kind), table)


@given(seeds, st.integers(1, 9), st.integers(1, 9), st.integers(0, 2), kinds)
def test_resizing_to_the_same_grid_is_the_identity(seed, rows, columns, prefix, kind):
    table = random_table(seed, prefix + rows * columns)
    grid = (rows, columns)
    same = learned.resize_2d(table, grid, grid, num_prefix_tokens=prefix, **options(kind))
    np.testing.assert_array_equal(same, table)


@given(sizes, sizes, kinds)
def test_a_constant_stays_constant(old, new, kind):
    """The weights of each new row sum to 1."""
    got = resized(np.full((old, 1), 3.0), new, kind)
    np.testing.assert_allclose(got, 3.0, rtol=1e-14)
    assert got.shape == (new, 1)


@given(seeds, sizes, sizes, kinds)
def test_the_mirrored_table_gives_the_mirrored_result(seed, old, new, kind):
    assume(new > 1 or not kind[1])  # one row cannot be both corners: it is the first
    table = random_table(seed, old)
    np.testing.assert_allclose(
        resized(table[::-1], new, kind), resized(table, new, kind)[::-1], rtol=0, atol=1e-12
    )


@given(seeds, sizes, sizes, kinds)
def test_resizing_is_linear_in_the_table(seed, old, new, kind):
    a, b = random_table(seed, old, 4).reshape(2, old, 2)
    np.testing.assert_allclose(
        resized(2 * a - b, new, kind),
        2 * resized(a, new, kind) - resized(b, new, kind),
        rtol=0,
        atol=1e-12,
    )


@given(seeds, st.integers(1, 12), st.integers(1, 12), kinds)
def test_a_grid_one_cell_wide_is_a_row(seed, old, new, kind):
    table = random_table(seed, old)
    want = resized(table, new, kind)
    for grid, new_grid in [((old, 1), (new, 1)), ((1, old), (1, new))]:
        got = learned.resize_2d(table, grid, new_grid, **options(kind))
        np.testing.assert_allclose(got, want, rtol=0, atol=1e-14)


@given(seeds, sizes, sizes, st.sampled_from([k for k in KINDS if k[0] == "linear"]))
def test_linear_weights_never_leave_the_range_of_the_table(seed, old, new, kind):
    table = random_table(seed, old)
    got = resized(table, new, kind)
    assert (got >= table.min(axis=0) - 1e-14).all()
    assert (got <= table.max(axis=0) + 1e-14).all()


@given(seeds, st.integers(1, 40), st.integers(2, 40), st.sampled_from(["linear", "cubic"]))
def test_aligned_corners_keep_both_ends(seed, old, new, method):
    table = random_table(seed, old)
    got = learned.resize_1d(table, new, method=method, align_corners=True)
    np.testing.assert_array_equal(got[[0, -1]], table[[0, -1]])


@given(st.integers(2, 20), st.integers(2, 60))
def test_linear_weights_between_aligned_corners_keep_a_ramp(old, new):
    ramp = np.linspace(0, 1, old)[:, None]
    got = learned.resize_1d(ramp, new, method="linear", align_corners=True)
    np.testing.assert_allclose(got[:, 0], np.linspace(0, 1, new), rtol=0, atol=1e-15)


def test_only_the_antialiased_cubic_keeps_a_ramp_away_from_the_border():
    """Keys (1981): only a = -1/2 makes the interpolation of the third order."""
    ramp, inner = np.arange(20.0)[:, None], slice(12, -12)
    want = (np.arange(80) + 0.5) / 4 - 0.5
    exact = resized(ramp, 80, ("cubic", False, True))[inner, 0]
    bent = resized(ramp, 80, ("cubic", False, False))[inner, 0]
    np.testing.assert_allclose(exact, want[inner], rtol=0, atol=1e-13)
    assert np.abs(bent - want[inner]).max() == 21 / 512


def test_only_antialiasing_uses_every_row_when_it_shrinks():
    spike = np.eye(16)
    assert (resized(spike, 4, ("linear", False, True)) > 0).any(axis=0).all()
    assert not (resized(spike, 4, ("linear", False, False)) > 0).any(axis=0).all()


@given(seeds, st.integers(1, 3))
def test_prefix_tokens_are_kept_and_mixed_with_nothing(seed, prefix):
    table = random_table(seed, prefix + 6)
    got = learned.resize_2d(table, (2, 3), (4, 4), method="cubic", num_prefix_tokens=prefix)
    np.testing.assert_array_equal(got[:prefix], table[:prefix])
    np.testing.assert_array_equal(
        got[prefix:], learned.resize_2d(table[prefix:], (2, 3), (4, 4), method="cubic")
    )


# --- Golden numbers ----------------------------------------------------------------------------


def test_the_choices_of_the_libraries_are_different_numbers():
    """Rows 0 and 1 of an impulse stretched from 2 to 4; each computed by hand in fractions."""
    impulse = [[1.0], [0.0]]

    def start(**kind):
        return learned.resize_1d(impulse, 4, **kind)[:2, 0].tolist()

    # cubic, a = -3/4: k(1/4) = 225/256, k(3/4) = 67/256, k(5/4) = -27/256, k(7/4) = -9/256.
    assert start(method="cubic") == [(225 + 67 - 9) / 256, (225 - 27) / 256]
    assert start(method="linear", align_corners=True) == pytest.approx([1, 2 / 3])
    assert start(method="linear") == [1, 3 / 4]
    # a = -1/2: k(1/4) = 111/128, k(3/4) = 29/128, k(5/4) = -9/128; the border is cut, not repeated.
    cut = start(method="cubic", antialias=True)
    assert cut == pytest.approx([111 / 102, 111 / 140])


# --- Edge values -------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_the_kind_of_float_is_kept_and_only_the_result_is_cast(dtype):
    table = random_table(0, 9).astype(dtype)
    exact = table.astype(np.float64)
    assert learned.lookup(table, 3).dtype == dtype
    for kind in KINDS:
        got = resized(table, 14, kind)
        assert got.dtype == dtype
        np.testing.assert_array_equal(got, resized(exact, 14, kind).astype(dtype))
        grid = learned.resize_2d(table, (3, 3), (4, 4), **options(kind))
        assert grid.dtype == dtype
        wanted = learned.resize_2d(exact, (3, 3), (4, 4), **options(kind)).astype(dtype)
        np.testing.assert_array_equal(grid, wanted)


def test_integers_become_float64():
    assert learned.lookup([[1, 2]], 0).dtype == np.float64


@pytest.mark.parametrize("shape", [(), (1,), (2, 3), (2, 1, 2)])
def test_positions_of_any_shape(shape):
    got = learned.lookup(random_table(0, 5, 3), np.zeros(shape, np.uint8))
    assert got.shape == (*shape, 3)


def test_the_first_and_the_last_row():
    table = random_table(0, 512)
    np.testing.assert_array_equal(learned.lookup(table, [0, 511]), table[[0, 511]])


def test_inputs_may_be_read_only_and_strided_and_are_never_changed():
    table = np.random.default_rng(0).normal(size=(4, 18)).T[::2, ::2]
    copy = table.copy()
    table.flags.writeable = False
    results = [
        (
            learned.lookup(t, [3, 1]),
            resized(t, 5, KINDS[3]),
            learned.resize_2d(t, [3, 3], np.array([2, 4]), method="cubic"),
        )
        for t in (table, copy)
    ]
    for got, want in zip(*results, strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-13, atol=1e-13)
        assert got.flags.writeable
        assert not np.shares_memory(got, table)
    np.testing.assert_array_equal(table, copy)
    same = resized(copy, 9, KINDS[0])
    assert not np.shares_memory(same, copy)


# --- Errors ------------------------------------------------------------------------------------

TABLE = np.ones((4, 2))
TABLES = [
    (np.ones(4), ValueError, r"table must have shape \(\*, \*\), got \(4,\)"),
    (np.ones((2, 2, 2)), ValueError, r"table must have shape \(\*, \*\)"),
    (np.ones((0, 2)), ValueError, "table must not be empty"),
    (np.ones((4, 0)), ValueError, "table must not be empty"),
    (1.0, ValueError, "table must have at least 1 axes"),
    (np.full((4, 2), np.nan), ValueError, "table must be finite, got nan"),
    (np.ones((4, 2), complex), TypeError, "table must be numbers"),
    (np.ones((4, 2), bool), TypeError, "table must be numbers"),
    (np.ones((4, 2), np.longdouble), TypeError, "table must be float16, float32 or float64"),
    (np.zeros((4, 2), "V2"), TypeError, "table must be numbers"),
    (np.ones((4, 2), object), TypeError, "table must be numbers"),
    ([[1.0], [1.0, 2.0]], TypeError, "table must be an array of numbers"),
    ("table", TypeError, "table must be numbers"),
    (None, TypeError, "table must be numbers"),
]


@pytest.mark.parametrize(("table", "error", "message"), TABLES)
def test_what_is_wrong_with_a_table_is_named(table, error, message):
    with pytest.raises(error, match=message):
        learned.lookup(table, 0)
    with pytest.raises(error, match=message):
        learned.resize_1d(table, 4, method="cubic")
    with pytest.raises(error, match=message):
        learned.resize_2d(table, (2, 2), (2, 2), method="cubic")


@pytest.mark.parametrize(
    ("positions", "error", "message"),
    [
        (4, ValueError, "positions must be at most 3, got 4"),
        ([0, 2**62], ValueError, "positions must be at most 3"),
        (-1, ValueError, "positions must be at least 0, got -1"),
        ([0, -4], ValueError, "positions must be at least 0, got -4"),
        (np.uint64(2**64 - 1), ValueError, "positions must be at most 3"),
        (1.0, TypeError, "positions must be integers"),
        (np.nan, TypeError, "positions must be integers"),
        ([], ValueError, "positions must not be empty"),
        ([True], TypeError, "positions must be numbers"),
        ("1", TypeError, "positions must be numbers"),
        (None, TypeError, "positions must be numbers"),
        ([[0], [0, 1]], TypeError, "positions must be an array of numbers"),
    ],
)
def test_what_is_wrong_with_positions_is_named(positions, error, message):
    with pytest.raises(error, match=message):
        learned.lookup(TABLE, positions)


GOOD = {"grid": (2, 2), "new_grid": (3, 3), "method": "linear"}


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"grid": (2, 3)}, ValueError, r"table must have 0 \+ 2 \* 3 rows .*, got 4"),
        ({"num_prefix_tokens": 1}, ValueError, r"table must have 1 \+ 2 \* 2 rows .*, got 4"),
        ({"num_prefix_tokens": -1}, ValueError, "num_prefix_tokens must be at least 0"),
        ({"num_prefix_tokens": True}, TypeError, "num_prefix_tokens must be an integer"),
        ({"grid": 2}, ValueError, r"grid must have shape \(2,\), got \(\)"),
        ({"grid": (2, 2, 1)}, ValueError, r"grid must have shape \(2,\), got \(3,\)"),
        ({"grid": ((2, 2), 1)}, TypeError, "grid must be an array of numbers"),
        ({"grid": "22"}, TypeError, "grid must be numbers"),
        ({"grid": {2, 3}}, TypeError, "grid must be numbers"),
        ({"grid": None}, TypeError, "grid must be numbers"),
        ({"grid": (2.0, 2)}, TypeError, "grid must be integers, got float64"),
        ({"grid": (4, 0)}, ValueError, "grid must be at least 1, got 0"),
        ({"grid": (-2, -2)}, ValueError, "grid must be at least 1, got -2"),
        ({"new_grid": (0, 3)}, ValueError, "new_grid must be at least 1, got 0"),
        ({"new_grid": (3, 2**62)}, ValueError, "new_grid must be at most 268435456"),
        ({"new_grid": (3.5, 3)}, TypeError, "new_grid must be integers, got float64"),
        ({"new_grid": 3}, ValueError, r"new_grid must have shape \(2,\), got \(\)"),
        ({"method": "bicubic"}, ValueError, "method must be one of 'linear', 'cubic', got 'bicub"),
        ({"method": None}, ValueError, "method must be one of"),
        ({"align_corners": 1}, TypeError, "align_corners must be True or False, got 1"),
        ({"antialias": None}, TypeError, "antialias must be True or False, got None"),
        (
            {"antialias": True, "align_corners": True},
            ValueError,
            "antialias must be False where align_corners is True",
        ),
    ],
)
def test_what_is_wrong_with_a_resizing_is_named(change, error, message):
    changed = GOOD | change
    with pytest.raises(error, match=message):
        learned.resize_2d(TABLE, **changed)
    shared = {k: v for k, v in changed.items() if k in ("method", "align_corners", "antialias")}
    if shared.keys() & change.keys():
        with pytest.raises(error, match=message):
            learned.resize_1d(TABLE, 3, **shared)


@pytest.mark.parametrize(
    ("length", "error", "message"),
    [
        (0, ValueError, "length must be at least 1, got 0"),
        (-1, ValueError, "length must be at least 1, got -1"),
        (61.0, TypeError, "length must be an integer, got 61.0"),
        (2**62, ValueError, r"length must be less than 2\*\*31"),
        (None, TypeError, "length must be an integer, got None"),
    ],
)
def test_what_is_wrong_with_a_length_is_named(length, error, message):
    with pytest.raises(error, match=message):
        learned.resize_1d(TABLE, length, method="cubic")


@pytest.mark.parametrize("dtype", [np.float16, np.float64])
def test_a_table_that_overflows_is_refused(dtype):
    most = np.finfo(dtype).max
    table = np.array([[-most], [most], [most], [-most]], dtype)
    message = f"table must be small enough not to overflow {np.dtype(dtype)}"
    with pytest.raises(ValueError, match=message):
        learned.resize_1d(table, 8, method="cubic")
    with pytest.raises(ValueError, match=message):
        learned.resize_2d(table, (4, 1), (8, 1), method="cubic")
    np.testing.assert_array_equal(learned.resize_1d(table, 4, method="cubic"), table)


def test_the_method_is_cubic_unless_said_otherwise():
    cubic = learned.resize_1d(TABLE, 3, method="cubic")
    np.testing.assert_array_equal(learned.resize_1d(TABLE, 3), cubic)
    square = learned.resize_2d(TABLE, (2, 2), (3, 3), method="cubic")
    np.testing.assert_array_equal(learned.resize_2d(TABLE, (2, 2), (3, 3)), square)
