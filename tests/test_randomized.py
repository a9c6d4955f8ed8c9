"""pe_lib.randomized against its definition (Ruoss et al. 2023, section 3)."""

import itertools
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pe_lib import randomized

seeds = st.integers(0, 2**32 - 1)


def sample(seed, length, max_position):
    return randomized.sample_positions(length, max_position, np.random.default_rng(seed))


# --- Oracle: every subset, equally often --------------------------------------------------------


def test_oracle_every_subset_is_drawn_equally_often():
    subsets = list(itertools.combinations(range(5), 3))
    rng, draws = np.random.default_rng(0), 4000
    seen = [tuple(randomized.sample_positions(3, 5, rng).tolist()) for _ in range(draws)]
    assert set(seen) == set(subsets)
    expected = draws / len(subsets)
    chi_squared = sum((seen.count(s) - expected) ** 2 / expected for s in subsets)
    assert chi_squared < 27.9  # 9 degrees of freedom, 1 in 1000


def test_oracle_the_kth_position_is_where_order_statistics_put_it():
    """The mean of the k-th smallest of L out of N numbers 1..N is k (N + 1) / (L + 1)."""
    length, max_position, draws = 4, 1000, 2000
    rng = np.random.default_rng(0)
    means = np.mean(
        [randomized.sample_positions(length, max_position, rng) for _ in range(draws)], axis=0
    )
    want = np.arange(1, length + 1) * (max_position + 1) / (length + 1) - 1
    np.testing.assert_allclose(means, want, atol=4 * 200 / draws**0.5)


# --- Properties --------------------------------------------------------------------------------


@given(seeds, st.integers(1, 60), st.integers(0, 2**28 - 60))
def test_positions_increase_and_stay_in_range(seed, length, spare):
    max_position = length + spare
    positions = sample(seed, length, max_position)
    assert positions.shape == (length,)
    assert positions.dtype == np.int64
    assert positions[0] >= 0
    assert positions[-1] < max_position
    assert (np.diff(positions) > 0).all()


@given(seeds, st.integers(1, 60))
def test_as_many_as_there_are_is_all_of_them(seed, length):
    assert sample(seed, length, length).tolist() == list(range(length))


@given(seeds)
def test_the_same_seed_gives_the_same_positions_and_the_next_draw_others(seed):
    rng = np.random.default_rng(seed)
    first, second = (randomized.sample_positions(20, 2048, rng) for _ in range(2))
    np.testing.assert_array_equal(first, sample(seed, 20, 2048))
    assert (first != second).any()


# --- Edge values -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("length", "max_position", "bound"),
    [(10, 2**28, 10_000), (10, 2**31 - 1, 10_000), (5000, 2**28, 2**20), (2048, 2**16, 2**21)],
)
def test_memory_follows_the_number_of_positions_not_their_range(length, max_position, bound):
    rng = np.random.default_rng(0)
    tracemalloc.start()
    randomized.sample_positions(length, max_position, rng)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < bound


def test_numpy_integers_are_integers():
    assert sample(0, np.int32(2), np.uint8(2)).tolist() == [0, 1]


# --- Errors ------------------------------------------------------------------------------------

GOOD = {"length": 3, "max_position": 8, "rng": np.random.default_rng(0)}


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"length": 0}, ValueError, "length must be at least 1, got 0"),
        ({"length": -3}, ValueError, "length must be at least 1, got -3"),
        ({"length": 2.0}, TypeError, "length must be an integer, got 2.0"),
        ({"length": True}, TypeError, "length must be an integer, got True"),
        ({"length": [3]}, TypeError, "length must be an integer"),
        ({"length": 2**62}, ValueError, r"length must be less than 2\*\*31"),
        ({"max_position": 2}, ValueError, "max_position must be at least 3, got 2"),
        ({"max_position": 2**62}, ValueError, r"max_position must be less than 2\*\*31"),
        ({"max_position": np.inf}, TypeError, "max_position must be an integer, got inf"),
        ({"max_position": None}, TypeError, "max_position must be an integer, got None"),
        ({"rng": None}, TypeError, "rng must be a numpy.random.Generator, got None"),
        ({"rng": 0}, TypeError, "rng must be a numpy.random.Generator, got 0"),
        ({"rng": np.random.RandomState(0)}, TypeError, "rng must be a numpy.random.Generator"),
        ({"rng": np.random}, TypeError, "rng must be a numpy.random.Generator"),
    ],
)
def test_what_is_wrong_is_named(change, error, message):
    options = GOOD | change
    with pytest.raises(error, match=message):
        randomized.sample_positions(*options.values())
