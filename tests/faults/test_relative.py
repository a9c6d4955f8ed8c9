"""Faults seen in the wild: relative positions."""

import numpy as np
import pytest

from pe_lib import alibi, deberta, relative, t5

# --- Biases of the wrong place or the wrong shape ----------------------------------------------


def bias_of_queries_that_end_where_the_keys_end(bias):
    """A query's row depends neither on the other queries nor on what was asked before."""
    whole = bias(12, 12)
    for num_queries, num_keys in [(12, 12), (3, 12), (1, 7), (5, 5), (1, 12), (4, 9)]:
        got = bias(num_queries, num_keys)
        start = num_keys - num_queries
        np.testing.assert_array_equal(got, whole[:, start:num_keys, :num_keys])


TABLE = np.random.default_rng(0).normal(size=(32, 2))
BIASES = {
    "t5": lambda queries, keys: t5.bias(queries, keys, 2, table=TABLE),
    "alibi": lambda queries, keys: alibi.bias(queries, keys, 2),
}


@pytest.mark.parametrize("name", BIASES)
def test_biases_of_cached_keys(name):
    """Queries behind a memory were counted from 0 as if they stood at its start, and a cached bias
    was cut to another shape: lucidrains/x-transformers#103 and #90."""
    of = BIASES[name]

    def right(num_queries, num_keys):
        return of(np.arange(num_keys - num_queries, num_keys), np.arange(num_keys))

    def not_shifted(num_queries, num_keys):
        return of(np.arange(num_queries), np.arange(num_keys))

    cache = []

    def cached(num_queries, num_keys):
        if not cache or cache[-1].shape[-1] < num_keys:
            cache.append(right(num_queries, num_keys))
        return cache[-1][:, :num_queries, :num_keys]

    bias_of_queries_that_end_where_the_keys_end(right)
    for faulty in (not_shifted, cached):
        with pytest.raises(AssertionError):
            bias_of_queries_that_end_where_the_keys_end(faulty)


# --- Buckets -----------------------------------------------------------------------------------


def buckets_tell_the_past_apart(bucket):
    """A decoder's buckets grow with the distance back, up to the last; what comes after is 0."""
    for num_buckets, max_distance in [(32, 128), (16, 64), (9, 1000)]:
        options = {"num_buckets": num_buckets, "max_distance": max_distance}
        back = bucket(-np.arange(2 * max_distance), bidirectional=False, **options)
        assert set(back.tolist()) == set(range(num_buckets))
        assert (np.diff(back) >= 0).all()
        assert (bucket(np.arange(200), bidirectional=False, **options) == 0).all()
    assert bucket(np.array([-20, -100]), bidirectional=False).tolist() == [17, 30]


def buckets_stay_in_their_direction(bucket):
    """An encoder's first half of buckets is for keys before, the second for those after."""
    for num_buckets, max_distance in [(32, 128), (16, 64), (18, 1000)]:
        options = {"num_buckets": num_buckets, "max_distance": max_distance}
        distances = np.arange(1, 2 * max_distance)
        before, after = bucket(-distances, **options), bucket(distances, **options)
        assert before.max() == num_buckets // 2 - 1
        np.testing.assert_array_equal(after, before + num_buckets // 2)
        assert (before == np.maximum.accumulate(before)).all()
    assert bucket(np.array([-20, -40])).tolist() == [10, 12]


def test_buckets():
    """``if causal`` stood the wrong way round, so a decoder used half of its buckets
    (lucidrains/x-transformers#10); the logarithmic part was missing, so a distance of 20 took a
    bucket of the future and one of 40 a row that is not there (huggingface/candle#727)."""

    def inverted(offsets, *, bidirectional=True, **options):
        return t5.bucket(offsets, bidirectional=not bidirectional, **options)

    def without_logarithm(offsets, *, bidirectional=True, num_buckets=32, max_distance=128):
        if bidirectional:
            return np.abs(offsets) + num_buckets // 2 * (offsets > 0)
        return np.maximum(-offsets, 0)

    assert without_logarithm(np.array([-20, -40])).tolist() == [20, 40]
    for holds in (buckets_tell_the_past_apart, buckets_stay_in_their_direction):
        holds(t5.bucket)
        for faulty in (inverted, without_logarithm):
            with pytest.raises(AssertionError):
                holds(faulty)


# --- Shaw's rows -------------------------------------------------------------------------------


def every_offset_has_a_row(rows):
    """Distances beyond the largest share the outermost row, at any length."""
    for max_distance in (0, 3, 10):
        for length in (1, 4, 11, 50):
            offsets = np.arange(length) - np.arange(length)[:, None]
            got = rows(offsets, max_distance)
            assert got.min() >= 0
            assert got.max() <= 2 * max_distance
            assert (got[offsets >= max_distance] == 2 * max_distance).all()
            assert (got[offsets <= -max_distance] == 0).all()


def test_rows_of_a_table():
    """Offsets were not clipped, so 11 tokens asked a table for 10 for a row beyond its end:
    huggingface/transformers#17026."""

    def not_clipped(offsets, max_distance):
        return offsets + max_distance

    def wrapped(offsets, max_distance):
        return (offsets + max_distance) % (2 * max_distance + 1)

    every_offset_has_a_row(relative.clip_offsets)
    for faulty in (not_clipped, wrapped):
        with pytest.raises(AssertionError):
            every_offset_has_a_row(faulty)


# --- Transformer-XL's shift --------------------------------------------------------------------


def each_score_meets_its_own_query(shift):
    """What a shift puts into row m it took from row m, and it belongs to the offset."""
    for num_queries in (2, 3, 6):
        rows = np.repeat(np.arange(num_queries)[:, None], 2 * num_queries - 1, axis=1)
        np.testing.assert_array_equal(shift(rows * 1.0), rows[:, :num_queries])
        offsets = np.tile(np.arange(1.0 - num_queries, num_queries), (num_queries, 1))
        here = np.arange(num_queries)
        np.testing.assert_array_equal(shift(offsets), here - here[:, None])


def published(scores):
    """Transformer-XL's own shift of a square matrix, the offsets from 1 - T to 0."""
    rows, columns = scores.shape
    padded = np.concatenate([np.zeros((rows, 1)), scores], axis=1)
    return padded.reshape(columns + 1, rows)[1:].reshape(rows, columns)


def test_shift_in_an_encoder():
    """The shift of a causal model was used where nothing hides its upper triangle, which holds
    entries of the next row: espnet/espnet#2684, ZhengkunTian/OpenTransformer#25."""

    def causal_only(scores):
        return published(scores[:, : len(scores)])

    def wide_trick(scores):  # the same on all 2T - 1 columns: the right cure of the fault
        return published(scores)[:, : len(scores)]

    numbers = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]])
    assert published(numbers).tolist() == [[3, 0, 4], [5, 6, 0], [7, 8, 9]]
    each_score_meets_its_own_query(relative.rel_shift)
    each_score_meets_its_own_query(wide_trick)
    with pytest.raises(AssertionError):
        each_score_meets_its_own_query(causal_only)
    with pytest.raises(ValueError, match="at least 2 Tq - 1 = 5, got 3"):
        relative.rel_shift(numbers)


# --- DeBERTa's third term ----------------------------------------------------------------------


def both_terms_take_the_same_row(scores):
    """For q = k = 1 and one table in both roles, the two position terms are equal pair by pair."""
    rng = np.random.default_rng(0)
    ones, rows = np.ones((6, 1)), rng.normal(size=(16, 1))
    at = {"query_positions": np.arange(6), "key_positions": np.arange(6), "max_position": 20}
    to_position = scores(ones, ones, rows, 0 * rows, **at)
    to_content = scores(ones, ones, 0 * rows, rows, **at)
    np.testing.assert_allclose(to_position, to_content, rtol=0, atol=1e-14)


def test_the_row_of_position_to_content():
    """The sign of an index that the reference applies before a transpose was kept without the
    transpose, so every row of the third term was mirrored: nntrainer/nntrainer#3982."""

    def mirrored(q, k, position_keys, position_queries, **at):
        two = deberta.scores(q, k, position_keys, 0 * position_queries, **at)
        back = {name: -np.asarray(at[name]) for name in ("query_positions", "key_positions")}
        third = deberta.scores(0 * q, k, 0 * position_keys, position_queries, **(at | back))
        return two + third

    both_terms_take_the_same_row(deberta.scores)
    with pytest.raises(AssertionError):
        both_terms_take_the_same_row(mirrored)
