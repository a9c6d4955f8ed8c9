"""pe_lib._offsets: biases of the offset alone, as a view where positions are consecutive."""

import itertools
import math
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pe_lib import _offsets

starts = st.integers(-(2**28), 2**28 - 100) | st.integers(-50, 50)
lengths = st.integers(1, 20)
heads = st.integers(1, 4)
anywhere = st.lists(
    st.integers(-1000, 1000) | st.floats(-1000, 1000, width=32), min_size=1, max_size=12
)


def curves(num_heads):
    """A function of offsets with no symmetry, another one for each head."""
    slopes = np.arange(1, num_heads + 1)[:, None]
    return lambda offsets: slopes * offsets + np.cos(slopes * offsets)


def counted(of_offsets):
    """The same function, and a list of the numbers of offsets that it was asked for."""
    sizes = []

    def counting(offsets):
        assert offsets.ndim == 1
        assert offsets.dtype == np.float64
        sizes.append(offsets.size)
        return of_offsets(offsets)

    return counting, sizes


# --- Oracle: a plain double loop ---------------------------------------------------------------


def _oracle(queries, keys, of_offsets):
    columns = [[of_offsets(np.array([float(n - m)]))[:, 0] for n in keys] for m in queries]
    return np.moveaxis(np.array(columns), -1, 0)


@given(anywhere, anywhere, heads)
def test_oracle_any_positions(queries, keys, num_heads):
    np.testing.assert_allclose(
        _offsets.bias(queries, keys, curves(num_heads)),
        _oracle(queries, keys, curves(num_heads)),
        rtol=1e-15,
        atol=1e-15,
    )


@given(starts, lengths, st.integers(-50, 50), lengths, heads)
def test_oracle_consecutive_positions(q, tq, apart, tk, num_heads):
    k = min(max(q + apart, -(2**28)), 2**28 - 100)
    queries, keys = range(q, q + tq), range(k, k + tk)
    np.testing.assert_allclose(
        _offsets.bias(queries, keys, curves(num_heads)),
        _oracle(queries, keys, curves(num_heads)),
        rtol=1e-15,
        atol=1e-15,
    )


# --- Properties --------------------------------------------------------------------------------


@given(starts, lengths, starts, lengths, heads)
def test_the_view_holds_the_numbers_of_the_dense_matrix(q, tq, k, tk, num_heads):
    queries, keys = np.arange(q, q + tq), np.arange(k, k + tk)
    view = _offsets.bias(queries, keys, lambda offsets: np.tile(offsets, (num_heads, 1)))
    dense = np.tile(keys - queries[:, None], (num_heads, 1, 1))
    np.testing.assert_array_equal(view, dense)


@given(starts, lengths, starts, lengths)
def test_consecutive_positions_ask_for_each_offset_once(q, tq, k, tk):
    counting, sizes = counted(curves(2))
    _offsets.bias(np.arange(q, q + tq), np.arange(k, k + tk), counting)
    assert sizes == [tq + tk - 1]


@given(starts, lengths)
def test_consecutive_positions_are_seen_whatever_their_type(start, length):
    positions = np.arange(start, start + length)
    for same in (positions, positions.astype(float), positions.tolist()):
        assert _offsets.consecutive(np.asarray(same, float))


@given(
    anywhere
    | st.builds(  # almost consecutive
        lambda start, steps: np.cumsum([start, *steps]).tolist(),
        st.integers(-9, 9) | st.sampled_from([0.5, -1.5]),
        st.lists(st.sampled_from([1, 1, 1, 1, 2, 0, -1]), max_size=4),
    )
)
def test_positions_are_consecutive_when_whole_and_each_one_more_than_the_last(positions):
    steps = [b - a for a, b in itertools.pairwise(positions)]
    plain = all(p == int(p) for p in positions) and all(step == 1 for step in steps)
    assert _offsets.consecutive(np.array(positions, float)) == plain


@given(anywhere, anywhere, heads)
def test_every_result_is_read_only_and_of_the_promised_shape(queries, keys, num_heads):
    got = _offsets.bias(queries, keys, curves(num_heads))
    assert got.shape == (num_heads, len(queries), len(keys))
    assert not got.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        got[0, 0, 0] = 1
    with pytest.raises(ValueError, match="read-only"):
        got += 1


@given(starts, st.integers(2, 20), st.integers(2, 20), heads)
def test_a_view_repeats_its_diagonals_in_the_same_memory(start, tq, tk, num_heads):
    got = _offsets.bias(range(start, start + tq), range(tk), curves(num_heads))
    head, row, column = got.strides
    assert row == -column
    assert head >= (tq + tk - 1) * column
    assert np.shares_memory(got[:, 0, 0], got[:, 1, 1])
    assert not np.shares_memory(got[:, 0, 1], got[:, 1, 0])


# --- Edge values -------------------------------------------------------------------------------


def numbers_of(offsets):
    return offsets[None]


def test_one_query_and_one_key():
    assert _offsets.bias([3], [3], numbers_of).tolist() == [[[0]]]
    assert _offsets.bias([0.5], [3], numbers_of).tolist() == [[[2.5]]]


def test_one_query_against_many_keys_and_the_reverse():
    assert _offsets.bias([4], range(5), numbers_of).tolist() == [[[-4, -3, -2, -1, 0]]]
    assert _offsets.bias(range(3), [1], numbers_of).tolist() == [[[1], [0], [-1]]]
    assert _offsets.bias([4], [7, 0], numbers_of).tolist() == [[[3, -4]]]


@pytest.mark.parametrize(
    ("queries", "keys"),
    [
        ([0, 1, 2], [0, 1, 3]),  # a gap
        ([0, 1, 2], [2, 1, 0]),  # downwards
        ([0, 1, 1], [0, 1, 2]),  # twice the same
        ([0, 2, 1, 3], [0, 1, 2, 3]),  # only the ends in place
        ([0, 2, 4], [0, 2, 4]),  # steps of two
        ([0.5, 1.5], [0.5, 1.5]),  # steps of one between fractions
        ([0, 1], [0.5, 1.5]),
        ([0, 1, 2], [2, 3, 4.000001]),
        ([0, 0, 0, 1, 2], [0, 0, 0, 1, 2]),  # padded on the left
    ],
)
def test_what_is_not_consecutive_is_still_right(queries, keys):
    want = (np.array(keys) - np.array(queries)[:, None])[None]
    np.testing.assert_array_equal(_offsets.bias(queries, keys, numbers_of), want)
    counting, sizes = counted(numbers_of)
    _offsets.bias(queries, keys, counting)
    assert sizes == [len(queries) * len(keys)]


def test_negative_positions_are_consecutive_too():
    counting, sizes = counted(numbers_of)
    got = _offsets.bias([-3, -2], [-5, -4, -3], counting)
    assert got.tolist() == [[[-2, -1, 0], [-3, -2, -1]]]
    assert sizes == [4]


def test_the_farthest_positions():
    far = 2**28
    assert _offsets.bias([far], [-far], numbers_of).tolist() == [[[-(2**29)]]]
    assert _offsets.bias([-far, 1 - far], [far - 1, far], numbers_of).tolist() == [
        [[2**29 - 1, 2**29], [2**29 - 2, 2**29 - 1]]
    ]


def test_a_view_of_a_long_sequence_costs_as_much_as_its_offsets():
    positions = np.arange(100_000)
    tracemalloc.start()
    try:
        got = _offsets.bias(positions, positions, numbers_of)  # 80 GB, written out
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert got.shape == (1, 100_000, 100_000)
    assert peak < 100 * len(positions)


def test_inputs_may_be_read_only_and_strided_and_are_never_changed():
    queries, keys = np.arange(10)[::3], np.arange(5.0)[::-1]
    copies = queries.copy(), keys.copy()
    for array in (queries, keys):
        array.flags.writeable = False
    np.testing.assert_array_equal(
        _offsets.bias(queries, keys, numbers_of), _offsets.bias(*copies, numbers_of)
    )
    np.testing.assert_array_equal(queries, copies[0])
    np.testing.assert_array_equal(keys, copies[1])


# --- Errors ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["query_positions", "key_positions"])
@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        ([], ValueError, "must not be empty"),
        (0, ValueError, r"must have shape \(T,\), one sequence at a time, got \(\)"),
        ([[0], [1]], ValueError, r"must have shape \(T,\), one sequence at a time, got \(2, 1\)"),
        ([math.nan], ValueError, "must be finite, got nan"),
        ([0, math.inf], ValueError, "must be finite, got inf"),
        ([2**62], ValueError, r"must lie within \+-2\*\*28"),
        ("12", TypeError, "must be numbers"),
        (None, TypeError, "must be numbers"),
        ([False], TypeError, "must be numbers"),
        ([1j], TypeError, "must be numbers"),
        ([[0], [1, 2]], TypeError, "must be an array of numbers"),
    ],
)
def test_wrong_positions_are_named(name, value, error, message):
    options = {"query_positions": [0, 1], "key_positions": [0, 1]} | {name: value}
    with pytest.raises(error, match=f"{name} {message}"):
        _offsets.bias(**options, of_offsets=numbers_of)
