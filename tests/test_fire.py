"""pe_lib.fire against its definition (Li et al. 2024, section 3)."""

import math
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pe_lib import fire

rates = st.floats(0.01, 10)
thresholds = st.integers(1, 60)
starts = st.integers(0, 100)
lengths = st.integers(1, 12)
seeds = st.integers(0, 2**32 - 1)


def network(seed, num_heads=3, hidden=8):
    """Random weights of the small network."""
    rng = np.random.default_rng(seed)
    return {
        "hidden_weight": rng.normal(size=hidden),
        "hidden_bias": rng.normal(size=hidden),
        "output_weight": rng.normal(size=(num_heads, hidden)),
        "output_bias": rng.normal(size=num_heads),
    }


# --- Oracle: loops over queries, keys and hidden units ------------------------------------------


def _oracle_distance(i, j, c, threshold):
    return math.log(c * abs(i - j) + 1) / math.log(c * max(threshold, i) + 1)


def _oracle_bias(x, head, weights):
    hidden = [
        max(0.0, w * x + b)
        for w, b in zip(weights["hidden_weight"], weights["hidden_bias"], strict=True)
    ]
    total = sum(v * u for v, u in zip(weights["output_weight"][head], hidden, strict=True))
    return total + weights["output_bias"][head]


POSITIONS = [
    (range(6), range(6)),  # all within the threshold: a view
    (range(3, 20), range(20)),  # some beyond it
    ([30], range(31)),
    ([0.5, 40, 2], [7, 1.25]),
]


@pytest.mark.parametrize(("queries", "keys"), POSITIONS)
def test_oracle_one_distance_and_one_bias_per_query_and_key(queries, keys):
    queries, keys, c, threshold = list(queries), list(keys), 0.3, 8
    weights = network(0)
    distances = fire.normalized_distance(queries, keys, c=c, threshold=threshold)
    biases = fire.bias(queries, keys, 3, c=c, threshold=threshold, **weights)
    assert distances.shape == (len(queries), len(keys))
    assert biases.shape == (3, len(queries), len(keys))
    for a, b in np.ndindex(distances.shape):
        want = _oracle_distance(queries[a], keys[b], c, threshold)
        assert distances[a, b] == pytest.approx(want, abs=1e-14)
        for head in range(3):
            assert biases[head, a, b] == pytest.approx(_oracle_bias(want, head, weights), abs=1e-12)


# --- Properties --------------------------------------------------------------------------------


@given(starts, lengths, rates, thresholds)
def test_what_a_causal_mask_shows_lies_between_0_and_1(first, length, c, threshold):
    queries = first + np.arange(length)
    keys = np.arange(first + length)
    distances = fire.normalized_distance(queries, keys, c=c, threshold=threshold)
    visible = distances[keys <= queries[:, None]]
    assert (visible >= 0).all()
    assert (visible <= 1).all()


@given(st.integers(1, 2**20), rates, st.floats(0.01, 1))
def test_a_query_beyond_the_threshold_is_at_distance_1_from_the_start(m, c, below):
    distances = fire.normalized_distance([m], [0, m], c=c, threshold=below * m)
    assert distances.tolist() == [[1, 0]]


@given(lengths, lengths, st.integers(0, 40), rates, seeds)
def test_within_the_threshold_the_bias_depends_on_the_offset_alone(tq, tk, shift, c, seed):
    queries, keys, weights = np.arange(tq), np.arange(tk), network(seed)
    here = fire.bias(queries, keys, 3, c=c, threshold=60, **weights)
    there = fire.bias(queries + shift, keys + shift, 3, c=c, threshold=60, **weights)
    np.testing.assert_array_equal(here, there)
    shuffled = fire.bias(queries[::-1], keys, 3, c=c, threshold=60, **weights)
    np.testing.assert_allclose(shuffled[:, ::-1], here, rtol=0, atol=1e-12)


@given(st.integers(50, 10_000), rates)
def test_beyond_the_threshold_the_same_offset_counts_for_less_in_a_longer_context(m, c):
    near, far = fire.normalized_distance([m, 2 * m], [m - 9, 2 * m - 9], c=c, threshold=10)
    assert far[1] < near[0]


@given(starts, lengths, rates, thresholds)
def test_distances_grow_with_the_distance(first, length, c, threshold):
    keys = np.arange(first + length)
    row = fire.normalized_distance([first + length], keys, c=c, threshold=threshold)[0]
    assert (np.diff(row) < 0).all()


@given(st.integers(0, 200), rates, seeds)
def test_the_network_of_the_distances_is_the_bias(first, c, seed):
    queries, keys, weights = first + np.arange(4), first + np.arange(5), network(seed)
    x = fire.normalized_distance(queries, keys, c=c, threshold=100)
    hidden = np.maximum(x[..., None] * weights["hidden_weight"] + weights["hidden_bias"], 0)
    want = np.moveaxis(hidden @ weights["output_weight"].T + weights["output_bias"], -1, 0)
    got = fire.bias(queries, keys, 3, c=c, threshold=100, **weights)
    np.testing.assert_allclose(got, want, rtol=0, atol=1e-12)


def test_a_small_network_can_be_alibi_within_the_threshold():
    """Li et al. (2024), theorem on what FIRE can represent; exact here in the limit of small c."""
    c, threshold, slope = 1e-9, 64, 0.25
    line = {"hidden_weight": [1.0], "hidden_bias": [0.0], "output_bias": [0.0]}
    got = fire.bias(
        range(50), range(50), 1, c=c, threshold=threshold, output_weight=[[-slope * 64]], **line
    )
    distance = np.abs(np.arange(50) - np.arange(50)[:, None])
    np.testing.assert_allclose(got[0], -slope * distance, rtol=1e-7)


# --- Golden numbers ----------------------------------------------------------------------------


def test_golden_all_reference_values(schemes_golden):
    for pair, want in schemes_golden["fire_normalized_distance_c0.1_L512"].items():
        m, n = map(int, pair.split(","))
        got = fire.normalized_distance([m], [n], c=0.1, threshold=512)[0, 0]
        np.testing.assert_array_max_ulp(got, want, maxulp=4)


# --- Edge values -------------------------------------------------------------------------------


def test_the_first_token_sees_itself_at_distance_0():
    assert fire.normalized_distance([0], [0], c=0.1, threshold=1e-100).tolist() == [[0.0]]


def test_a_key_after_its_query_is_taken_by_its_distance():
    before, after = fire.normalized_distance([5], [3, 7], c=0.1, threshold=64)[0]
    assert before == after


@pytest.mark.parametrize(("c", "threshold"), [(1e-100, 1e-100), (1e100, 1e100), (1e-100, 1e100)])
def test_extreme_settings_are_finite(c, threshold):
    got = fire.normalized_distance([0, 1, 2**28], [0, 1, 2**28], c=c, threshold=threshold)
    assert np.isfinite(got).all()


def test_consecutive_positions_within_the_threshold_give_a_small_read_only_view():
    tracemalloc.start()
    bias = fire.bias(range(4096), range(4096), 3, c=0.1, threshold=4095, **network(0))
    distance = fire.normalized_distance(range(4096), range(4096), c=0.1, threshold=4095)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert bias.shape == (3, 4096, 4096)
    assert peak < 8e6  # dense: 400 MB
    assert not bias.flags.writeable
    assert not distance.flags.writeable


def test_beyond_the_threshold_the_hidden_units_take_little_memory_beside_the_bias():
    tracemalloc.start()
    bias = fire.bias(range(600), range(600), 2, c=0.1, threshold=10, **network(0, 2, 64))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert bias.nbytes == 2 * 600 * 600 * 8
    assert peak < 6 * bias.nbytes  # all hidden units at once: 32 times
    assert not bias.flags.writeable
    for m in range(600):  # however many distances are taken at a time, none is left out
        row = fire.bias([m], range(600), 2, c=0.1, threshold=10, **network(0, 2, 64))
        np.testing.assert_allclose(bias[:, m : m + 1], row, rtol=0, atol=1e-12)


def test_inputs_may_be_read_only_and_strided_and_are_never_changed():
    positions = np.arange(40)[::2]
    weights = {name: np.repeat(array, 2, -1)[..., ::2] for name, array in network(0).items()}
    copies = {name: array.copy() for name, array in weights.items()}
    for array in (positions, *weights.values()):
        array.flags.writeable = False
    got = fire.bias(positions, positions, 3, c=0.1, threshold=9, **weights)
    want = fire.bias(positions.copy(), positions.copy(), 3, c=0.1, threshold=9, **copies)
    np.testing.assert_array_equal(got, want)
    for name, array in weights.items():
        np.testing.assert_array_equal(array, copies[name])


def test_float16_weights_are_computed_in_float64():
    weights = {name: array.astype(np.float16) for name, array in network(0).items()}
    got = fire.bias([9], [0, 4], 3, c=0.1, threshold=9, **weights)
    exact = {name: array.astype(np.float64) for name, array in weights.items()}
    assert got.dtype == np.float64
    np.testing.assert_array_equal(got, fire.bias([9], [0, 4], 3, c=0.1, threshold=9, **exact))


# --- Errors ------------------------------------------------------------------------------------

GOOD = {"query_positions": [0, 20], "key_positions": [0, 1], "c": 0.1, "threshold": 9}


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"query_positions": 0}, ValueError, r"query_positions must have shape \(\*,\), got \(\)"),
        ({"query_positions": [[0]]}, ValueError, r"query_positions must have shape \(\*,\)"),
        ({"query_positions": [-1]}, ValueError, r"query_positions must be at least 0, got -1"),
        ({"query_positions": [2**62]}, ValueError, r"query_positions must lie within \+-2\*\*28"),
        ({"query_positions": [np.nan]}, ValueError, "query_positions must be finite"),
        ({"key_positions": []}, ValueError, "key_positions must not be empty"),
        ({"key_positions": [0, -2]}, ValueError, "key_positions must be at least 0, got -2"),
        ({"key_positions": ["0"]}, TypeError, "key_positions must be numbers"),
        ({"key_positions": [[0], [1, 2]]}, TypeError, "key_positions must be an array of numbers"),
        ({"c": 0}, ValueError, "c must lie between 1e-100 and 1e100, got 0"),
        ({"c": -0.1}, ValueError, "c must lie between"),
        ({"c": 1e101}, ValueError, "c must lie between"),
        ({"c": np.inf}, ValueError, "c must be finite, got inf"),
        ({"c": None}, TypeError, "c must be numbers"),
        ({"c": [0.1]}, TypeError, "c must be one number"),
        ({"threshold": 0}, ValueError, "threshold must lie between 1e-100 and 1e100, got 0"),
        ({"threshold": np.nan}, ValueError, "threshold must be finite, got nan"),
        ({"threshold": True}, TypeError, "threshold must be numbers"),
    ],
)
def test_what_is_wrong_with_a_distance_is_named(change, error, message):
    with pytest.raises(error, match=message):
        fire.normalized_distance(**(GOOD | change))
    with pytest.raises(error, match=message):
        fire.bias(num_heads=3, **(GOOD | change), **network(0))


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"num_heads": 0}, ValueError, "num_heads must be at least 1, got 0"),
        ({"num_heads": 2}, ValueError, r"output_weight must have shape \(2, 8\), got \(3, 8\)"),
        ({"num_heads": None}, TypeError, "num_heads must be an integer, got None"),
        ({"hidden_weight": np.ones((8, 1))}, ValueError, r"hidden_weight must have shape \(\*,\)"),
        ({"hidden_weight": []}, ValueError, "hidden_weight must not be empty"),
        (
            {"hidden_bias": np.ones(1)},
            ValueError,
            r"hidden_bias must have shape \(8,\), got \(1,\)",
        ),
        ({"hidden_bias": [np.nan] * 8}, ValueError, "hidden_bias must be finite, got nan"),
        ({"output_weight": np.ones((8, 3))}, ValueError, r"output_weight must have shape \(3, 8\)"),
        ({"output_weight": None}, TypeError, "output_weight must be numbers"),
        (
            {"output_bias": np.ones(1)},
            ValueError,
            r"output_bias must have shape \(3,\), got \(1,\)",
        ),
        ({"output_bias": [True] * 3}, TypeError, "output_bias must be numbers"),
        (
            {"hidden_weight": np.full(8, 1e300), "output_weight": np.full((3, 8), 1e300)},
            ValueError,
            "the weights must be small enough that no bias overflows",
        ),
    ],
)
def test_what_is_wrong_with_a_network_is_named(change, error, message):
    with pytest.raises(error, match=message):
        fire.bias(**(GOOD | {"num_heads": 3} | network(0) | change))
