"""pe_lib.swin against its definition (Liu et al. 2021, section 3.2)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pe_lib import swin

sides = st.integers(1, 6)

# --- Oracle: a plain loop over pairs of tokens -------------------------------------------------


def _oracle(height, width):
    tokens = [(y, x) for y in range(height) for x in range(width)]
    index = np.empty((len(tokens), len(tokens)), int)
    for a, (yq, xq) in enumerate(tokens):
        for b, (yk, xk) in enumerate(tokens):
            index[a, b] = (yq - yk + height - 1) * (2 * width - 1) + xq - xk + width - 1
    return index


@pytest.mark.parametrize("window", [(1, 1), (1, 5), (5, 1), (3, 4), (4, 3), (7, 7)])
def test_oracle_a_plain_loop_over_pairs(window):
    np.testing.assert_array_equal(swin.relative_position_index(*window), _oracle(*window))


def test_oracle_a_plain_loop_for_the_bias():
    table = np.random.default_rng(0).normal(size=(5 * 3, 2))
    index = _oracle(3, 2)
    got = swin.bias(table, 3, 2)
    for h, a, b in np.ndindex(2, 6, 6):
        assert got[h, a, b] == table[index[a, b], h]


# --- Properties --------------------------------------------------------------------------------


@given(sides, sides)
def test_two_pairs_share_a_row_exactly_if_their_offsets_are_equal(height, width):
    index = swin.relative_position_index(height, width)
    y, x = np.divmod(np.arange(height * width), width)
    offsets = np.stack([y - y[:, None], x - x[:, None]], -1).reshape(-1, 2)  # key minus query
    pairs = np.unique(np.column_stack([index.ravel(), offsets]), axis=0)
    assert len(pairs) == len(np.unique(offsets, axis=0)) == (2 * height - 1) * (2 * width - 1)
    assert pairs[:, 0].tolist() == list(range(len(pairs)))  # every row is used


@given(sides, sides)
def test_rows_descend_as_the_key_moves_on_for_swin_subtracts_it_from_the_query(height, width):
    index = swin.relative_position_index(height, width)
    grid = index.reshape(height, width, height, width)
    assert (np.diff(grid, axis=3) == -1).all()
    assert (np.diff(grid, axis=2) == -(2 * width - 1)).all()


@given(sides, sides)
def test_exchanging_query_and_key_mirrors_the_table(height, width):
    index = swin.relative_position_index(height, width)
    last = (2 * height - 1) * (2 * width - 1) - 1
    np.testing.assert_array_equal(index.T, last - index)
    assert (np.diag(index) == last // 2).all()


# --- Golden numbers ----------------------------------------------------------------------------


def test_golden_indices(schemes_golden):
    for window, want in schemes_golden["swin"].items():
        height, width = map(int, window.split("x"))
        assert swin.relative_position_index(height, width).tolist() == want


# --- Edge values -------------------------------------------------------------------------------


def test_a_window_of_one_token_has_one_row():
    assert swin.relative_position_index(1, 1).tolist() == [[0]]
    assert swin.bias([[2.0, 3.0]], 1, 1).tolist() == [[[2.0]], [[3.0]]]


def test_sides_may_be_integers_of_any_kind():
    want = swin.relative_position_index(12, 12)
    got = swin.relative_position_index(np.int8(12), np.uint8(12))
    np.testing.assert_array_equal(got, want)
    assert got.dtype == np.int64


def test_the_bias_is_float64_read_only_and_a_copy():
    table = np.random.default_rng(0).normal(size=(9, 3)).astype(np.float16)
    got = swin.bias(table, 2, 2)
    assert got.shape == (3, 4, 4)
    assert got.dtype == np.float64
    assert not got.flags.writeable
    before = got.copy()
    table[:] = 0
    np.testing.assert_array_equal(got, before)


def test_tables_may_be_read_only_and_strided_and_are_never_changed():
    table = np.random.default_rng(0).normal(size=(4, 18)).T[::2, ::-2]
    table.flags.writeable = False
    copy = table.copy()
    np.testing.assert_array_equal(swin.bias(table, 2, 2), swin.bias(copy, 2, 2))
    np.testing.assert_array_equal(table, copy)


# --- Errors ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["height", "width"])
@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        (0, ValueError, "must be at least 1, got 0"),
        (-7, ValueError, "must be at least 1, got -7"),
        (7.0, TypeError, "must be an integer, got 7.0"),
        (np.nan, TypeError, "must be an integer, got nan"),
        (True, TypeError, "must be an integer, got True"),
        ("7", TypeError, "must be an integer, got '7'"),
        (None, TypeError, "must be an integer, got None"),
        ([7, 7], TypeError, "must be an integer"),
        (2**62, ValueError, r"must be less than 2\*\*31"),
    ],
)
def test_a_wrong_side_is_named(name, value, error, message):
    sides = {"height": 2, "width": 2} | {name: value}
    with pytest.raises(error, match=f"{name} {message}"):
        swin.relative_position_index(**sides)
    with pytest.raises(error, match=f"{name} {message}"):
        swin.bias(np.ones((9, 1)), **sides)


def test_a_window_that_fills_the_memory_is_refused():
    with pytest.raises(ValueError, match=r"height \* width must be at most 2\*\*14, got 128"):
        swin.relative_position_index(128, 129)
    with pytest.raises(ValueError, match=r"height \* width must be at most 2\*\*14"):
        swin.bias(np.ones((9, 1)), 2**30, 2**30)


@pytest.mark.parametrize(
    ("table", "error", "message"),
    [
        (np.ones((8, 1)), ValueError, r"table must have shape \(9, \*\), got \(8, 1\)"),
        (np.ones((1, 9)), ValueError, r"table must have shape \(9, \*\), got \(1, 9\)"),
        (np.ones((9, 1, 1)), ValueError, r"table must have shape \(9, \*\)"),
        (np.ones(9), ValueError, "table must have at least 2 axes"),
        (np.ones((9, 0)), ValueError, "table must not be empty"),
        (np.full((9, 1), np.inf), ValueError, "table must be finite, got inf"),
        (np.ones((9, 1), bool), TypeError, "table must be numbers"),
        (np.ones((9, 1), object), TypeError, "table must be numbers"),
        (np.zeros((9, 1), "V2"), TypeError, "table must be numbers"),
        ("text", TypeError, "table must be numbers"),
        ([[1.0], [1.0, 2.0]], TypeError, "table must be an array of numbers"),
    ],
)
def test_a_wrong_table_is_named(table, error, message):
    with pytest.raises(error, match=message):
        swin.bias(table, 2, 2)
