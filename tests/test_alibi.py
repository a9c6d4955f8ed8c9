"""pe_lib.alibi against its definition (Press, Smith and Lewis 2022, section 3)."""

import math
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pe_lib import alibi, attention

heads = st.integers(1, 40)
seeds = st.integers(0, 2**32 - 1)
starts = st.integers(-1000, 1000)
lengths = st.integers(1, 12)
anywhere = st.lists(
    st.integers(-1000, 1000) | st.floats(-1000, 1000, width=32), min_size=1, max_size=8
)


def runs(num_heads):
    """Slopes of the power of two below, and those that fill up to the number of heads."""
    power = 2 ** (num_heads.bit_length() - 1)
    slopes = alibi.slopes(num_heads)
    return slopes[:power], slopes[power:]


# --- Oracle: the paper's sequence and a plain double loop --------------------------------------


def _oracle_slopes(num_heads):
    """A geometric sequence that starts at its own ratio; else as the authors' code fills up."""
    power = 1
    while 2 * power <= num_heads:
        power *= 2
    ratio = 2 ** (-8 / power)
    slopes = [ratio**h for h in range(1, power + 1)]
    if power < num_heads:
        slopes += _oracle_slopes(2 * power)[0::2][: num_heads - power]
    return slopes


def _oracle_bias(queries, keys, num_heads, symmetric):
    rows = []
    for slope in _oracle_slopes(num_heads):
        rows.append([])
        for m in queries:
            distance = [abs(m - n) if symmetric else m - n for n in keys]
            rows[-1].append([-slope * steps for steps in distance])
    return np.array(rows)


@pytest.mark.parametrize("num_heads", range(1, 70))
def test_oracle_the_slopes_of_the_authors_code(num_heads):
    np.testing.assert_allclose(alibi.slopes(num_heads), _oracle_slopes(num_heads), rtol=1e-14)


@given(anywhere, anywhere, heads, st.booleans())
def test_oracle_a_double_loop_over_any_positions(queries, keys, num_heads, symmetric):
    got = alibi.bias(queries, keys, num_heads, symmetric=symmetric)
    want = _oracle_bias(queries, keys, num_heads, symmetric)
    np.testing.assert_allclose(got, want, rtol=1e-13, atol=0)


@given(starts, lengths, starts, lengths, heads, st.booleans())
def test_oracle_a_double_loop_over_consecutive_positions(q, tq, k, tk, num_heads, symmetric):
    queries, keys = range(q, q + tq), range(k, k + tk)
    got = alibi.bias(queries, keys, num_heads, symmetric=symmetric)
    want = _oracle_bias(queries, keys, num_heads, symmetric)
    np.testing.assert_allclose(got, want, rtol=1e-13, atol=0)


# --- Properties --------------------------------------------------------------------------------


@given(heads)
def test_slopes_fall_by_a_constant_factor_within_each_run(num_heads):
    for run in runs(num_heads):
        assert (np.diff(run) < 0).all()
        np.testing.assert_allclose(run[1:] / run[:-1], 2 ** (-8 / len(runs(num_heads)[0])))


@given(heads)
def test_no_two_heads_share_a_slope_and_the_flattest_is_two_to_the_minus_8(num_heads):
    slopes = alibi.slopes(num_heads)
    assert len(set(slopes.tolist())) == num_heads
    assert slopes.min() == 2.0**-8
    assert slopes.max() < 1


@given(st.integers(0, 6), st.data())
def test_more_heads_keep_the_slopes_of_the_power_of_two_below(exponent, data):
    power = 2**exponent
    num_heads = data.draw(st.integers(power, 2 * power - 1))
    np.testing.assert_array_equal(alibi.slopes(num_heads)[:power], alibi.slopes(power))
    np.testing.assert_array_equal(
        alibi.slopes(num_heads)[power:], alibi.slopes(2 * power)[0::2][: num_heads - power]
    )


@given(anywhere, anywhere, heads, st.integers(-1000, 1000), st.booleans())
def test_the_bias_depends_on_the_offset_alone(queries, keys, num_heads, shift, symmetric):
    here = alibi.bias(queries, keys, num_heads, symmetric=symmetric)
    there = alibi.bias(
        np.array(queries) + shift, np.array(keys) + shift, num_heads, symmetric=symmetric
    )
    np.testing.assert_allclose(here, there, atol=1e-12)  # a fraction rounds when it is shifted


@given(anywhere, anywhere, heads)
def test_the_symmetric_bias_is_even_and_the_published_one_odd(queries, keys, num_heads):
    for symmetric, sign in [(True, 1), (False, -1)]:
        there = alibi.bias(queries, keys, num_heads, symmetric=symmetric)
        back = alibi.bias(keys, queries, num_heads, symmetric=symmetric)
        np.testing.assert_array_equal(there, sign * back.swapaxes(1, 2))


@given(anywhere, anywhere, heads)
def test_both_forms_agree_on_the_past_and_the_symmetric_one_never_rewards(queries, keys, num_heads):
    published = alibi.bias(queries, keys, num_heads)
    symmetric = alibi.bias(queries, keys, num_heads, symmetric=True)
    np.testing.assert_array_equal(symmetric, np.minimum(published, -published))
    past = np.array(keys) <= np.array(queries)[:, None]
    np.testing.assert_array_equal(symmetric[:, past], published[:, past])


@given(starts, lengths, starts, lengths, heads, st.booleans())
def test_the_view_of_consecutive_positions_equals_the_dense_matrix(q, tq, k, tk, heads, symmetric):
    queries, keys = np.arange(q, q + tq), np.arange(k, k + tk)
    view = alibi.bias(queries, keys, heads, symmetric=symmetric)
    # One more query out of the row turns the short way off.
    dense = alibi.bias([*queries, q + 0.5], keys, heads, symmetric=symmetric)[:, :-1]
    np.testing.assert_array_equal(view, dense)
    reversed_keys = alibi.bias(queries, keys[::-1], heads, symmetric=symmetric)
    np.testing.assert_array_equal(view, reversed_keys[:, :, ::-1])


@given(st.integers(1, 12), st.integers(0, 12), st.integers(1, 12), seeds)
def test_the_form_of_the_key_alone_gives_the_same_weights_under_a_causal_mask(
    length, past, num_heads, seed
):
    """Softmax forgets what is added to a whole row: here the slope times the query's position."""
    q, k = np.random.default_rng(seed).normal(size=(2, num_heads, past + length, 6))
    q = q[:, past:]
    positions = np.arange(past + length)
    mask = attention.causal_mask(length, past_length=past)
    full = alibi.bias(positions[past:], positions, num_heads)
    key_only = alibi.bias([0], positions, num_heads)  # one row for all queries
    assert key_only.shape == (num_heads, 1, past + length)
    np.testing.assert_allclose(
        attention.weights(q, k, bias=key_only, mask=mask),
        attention.weights(q, k, bias=full, mask=mask),
        rtol=1e-12,
    )


@given(st.integers(1, 60), heads)
def test_what_stands_far_back_weighs_less_than_a_geometric_series(length, num_heads):
    """Equal scores: the keys t and more tokens back share at most exp(-m t) of the weight."""
    positions = np.arange(length)
    bias = alibi.bias(positions[-1:], positions, num_heads)
    weights = attention.softmax(bias)[:, 0, ::-1]  # by distance
    beyond = np.cumsum(weights[:, ::-1], axis=1)[:, ::-1]
    bound = np.exp(-alibi.slopes(num_heads)[:, None] * positions)
    assert (beyond <= bound + 1e-12).all()


@given(anywhere, anywhere, heads, st.booleans())
def test_every_bias_is_finite_read_only_float64(queries, keys, num_heads, symmetric):
    bias = alibi.bias(queries, keys, num_heads, symmetric=symmetric)
    assert bias.shape == (num_heads, len(queries), len(keys))
    assert bias.dtype == np.float64
    assert np.isfinite(bias).all()
    assert not bias.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        bias[...] = 0
    assert bias.copy().flags.writeable


@pytest.mark.parametrize("symmetric", [False, True])
def test_a_long_bias_takes_no_more_memory_than_its_offsets(symmetric):
    """32 heads at 8192 x 8192 are 17 GB, written out."""
    positions = np.arange(8192)
    tracemalloc.start()
    try:
        bias = alibi.bias(positions, positions, 32, symmetric=symmetric)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert bias.shape == (32, 8192, 8192)
    assert bias[0, 8191, 0] == -8191 * alibi.slopes(32)[0]
    assert peak < 8e6


# --- Golden numbers ----------------------------------------------------------------------------


def test_golden_slopes_within_4_ulp(schemes_golden):
    assert len(schemes_golden["alibi"]) == 21
    for num_heads, slopes in schemes_golden["alibi"].items():
        got, want = alibi.slopes(int(num_heads)), np.array(slopes)
        assert got.dtype == np.float64
        assert got.shape == want.shape == (int(num_heads),)
        assert (np.abs(got - want) <= 4 * np.spacing(want)).all(), num_heads


def test_golden_biases_are_slopes_times_offsets(schemes_golden):
    positions = np.array([0, 1, 2, 500, 4095])
    for num_heads, slopes in schemes_golden["alibi"].items():
        offsets = positions - positions[:, None]
        want = np.array(slopes)[:, None, None] * offsets
        got = alibi.bias(positions, positions, int(num_heads))
        np.testing.assert_allclose(got, want, rtol=1e-15, atol=0, err_msg=num_heads)
        got = alibi.bias(positions, positions, int(num_heads), symmetric=True)
        np.testing.assert_allclose(got, -np.abs(want), rtol=1e-15, atol=0, err_msg=num_heads)


def test_golden_slopes_of_8_heads_are_the_papers():
    assert (1 / alibi.slopes(8)).tolist() == [2, 4, 8, 16, 32, 64, 128, 256]


def test_golden_slopes_of_12_heads_jump_at_the_ninth():
    got = alibi.slopes(12)
    assert got[7] == 1 / 256
    assert got[8:].round(5).tolist() == [0.70711, 0.35355, 0.17678, 0.08839]


# --- Edge values -------------------------------------------------------------------------------


def test_one_head_has_the_flattest_slope():
    assert alibi.slopes(1).tolist() == [2**-8]


def test_very_many_heads():
    slopes = alibi.slopes(2**16 + 1)
    assert slopes.shape == (2**16 + 1,)
    assert slopes[-2] == 2**-8
    assert slopes[-1] == slopes.max() < 1


@pytest.mark.parametrize("symmetric", [False, True])
def test_one_query_and_one_key(symmetric):
    assert alibi.bias([5], [5], 1, symmetric=symmetric).tolist() == [[[0.0]]]
    assert alibi.bias([5], [1], 1, symmetric=symmetric).tolist() == [[[-4 / 256]]]


@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("keys", [[3, 4, 5], [5, 3, 4], [4.0, 4.5]])
def test_no_zero_is_negative(keys, symmetric):
    bias = alibi.bias(keys, keys, 3, symmetric=symmetric)
    assert not np.signbit(bias[bias == 0]).any()


def test_fewer_queries_than_keys_as_in_cached_decoding():
    whole = alibi.bias(range(10), range(10), 6)
    np.testing.assert_array_equal(alibi.bias([9], range(10), 6), whole[:, 9:])
    np.testing.assert_array_equal(alibi.bias(range(7, 10), range(10), 6), whole[:, 7:])


def test_more_queries_than_keys_as_for_a_memory():
    whole = alibi.bias(range(10), range(10), 6, symmetric=True)
    np.testing.assert_array_equal(
        alibi.bias(range(10), range(3), 6, symmetric=True), whole[:, :, :3]
    )


def test_positions_may_be_negative_fractional_unordered_and_repeated():
    shuffled = [3, 5, 4, 6]
    np.testing.assert_array_equal(
        alibi.bias(shuffled, shuffled, 8)[0], np.subtract.outer(shuffled, shuffled).T / 2
    )
    bias = alibi.bias([-3, 0.5], [2.25, -7, 2.25], 8)
    assert bias[0].tolist() == [[2.625, -2.0, 2.625], [0.875, -3.75, 0.875]]


def test_the_largest_positions_are_exact():
    bias = alibi.bias([2**28], [-(2**28), 2**28 - 1, 2**28], 1)
    assert bias.tolist() == [[[-(2**29) / 256, -1 / 256, 0.0]]]


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.uint64, np.float16, np.float32])
def test_positions_of_any_kind_of_number(dtype):
    positions = np.array([3, 4, 5, 100], dtype)
    for part in (positions, positions[:3]):
        np.testing.assert_array_equal(
            alibi.bias(part, part, 4), alibi.bias(part.tolist(), part.tolist(), 4)
        )


@pytest.mark.parametrize("step", [1, 2])
def test_inputs_may_be_read_only_and_strided_and_are_never_changed(step):
    positions = np.arange(12)[::step]
    before = positions.copy()
    positions.flags.writeable = False
    np.testing.assert_array_equal(
        alibi.bias(positions, positions, 5), alibi.bias(before, before, 5)
    )
    np.testing.assert_array_equal(positions, before)


def test_a_bias_does_not_change_with_its_positions_afterwards():
    positions = np.arange(4.0)
    bias = alibi.bias(positions, positions, 2)
    before = bias.copy()
    positions[:] = 9
    np.testing.assert_array_equal(bias, before)


def test_numbers_of_heads_may_be_numpy_integers():
    assert alibi.slopes(np.int64(4)).tolist() == alibi.slopes(4).tolist()


def test_the_sign_is_that_of_key_minus_query():
    bias = alibi.bias([1], [0, 1, 2], 8)[0, 0]
    assert bias.tolist() == [-0.5, 0.0, 0.5]


# --- Errors ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("num_heads", "error", "message"),
    [
        (0, ValueError, "num_heads must be at least 1, got 0"),
        (-8, ValueError, "num_heads must be at least 1, got -8"),
        (8.0, TypeError, "num_heads must be an integer, got 8.0"),
        (math.nan, TypeError, "num_heads must be an integer, got nan"),
        ("8", TypeError, "num_heads must be an integer, got '8'"),
        (None, TypeError, "num_heads must be an integer, got None"),
        (True, TypeError, "num_heads must be an integer, got True"),
        ([8], TypeError, r"num_heads must be an integer, got \[8\]"),
        (2**62, ValueError, r"num_heads must be less than 2\*\*31"),
    ],
)
def test_a_wrong_number_of_heads_is_named(num_heads, error, message):
    with pytest.raises(error, match=message):
        alibi.slopes(num_heads)
    with pytest.raises(error, match=message):
        alibi.bias([0], [0], num_heads)


@pytest.mark.parametrize("name", ["query_positions", "key_positions"])
@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        ([], ValueError, "must not be empty"),
        (3, ValueError, r"must have shape \(T,\), one sequence at a time, got \(\)"),
        ([[0, 1]], ValueError, r"must have shape \(T,\), one sequence at a time, got \(1, 2\)"),
        ([0, math.nan], ValueError, "must be finite, got nan"),
        ([-math.inf], ValueError, "must be finite, got -inf"),
        ([2**28 + 1], ValueError, r"must lie within \+-2\*\*28"),
        ([2**62], ValueError, r"must lie within \+-2\*\*28"),
        ([10**400], TypeError, "must be numbers"),
        ("0", TypeError, "must be numbers"),
        (None, TypeError, "must be numbers"),
        ([None], TypeError, "must be numbers"),
        ([True], TypeError, "must be numbers"),
        ([1j], TypeError, "must be numbers"),
        ([0, [1]], TypeError, "must be an array of numbers"),
        (np.zeros(3, "V2"), TypeError, "must be numbers"),
    ],
)
def test_wrong_positions_are_named(name, value, error, message):
    options = {"query_positions": [0, 1], "key_positions": [0, 1]} | {name: value}
    with pytest.raises(error, match=f"{name} {message}"):
        alibi.bias(**options, num_heads=2)


@pytest.mark.parametrize("value", [0, 1, "yes", None, [True]])
def test_a_flag_that_is_none_is_named(value):
    with pytest.raises(TypeError, match="symmetric must be True or False"):
        alibi.bias([0], [0], 2, symmetric=value)


def test_the_flag_must_be_named():
    with pytest.raises(TypeError, match="positional"):
        alibi.bias([0], [0], 2, True)
