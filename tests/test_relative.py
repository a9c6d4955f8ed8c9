"""pe_lib.relative against its definitions (Shaw et al. 2018; Dai et al. 2019)."""

import math
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pe_lib import attention, relative, sinusoidal

lengths = st.integers(1, 7)
seeds = st.integers(0, 2**32 - 1)


def line(start, length):
    return np.arange(start, start + length)


# --- Oracle: plain double loops from the papers ------------------------------------------------


def _shaw_scores(q, k, table, query_positions, key_positions):
    """Equation 4, one head."""
    reach = len(table) // 2
    scores = np.empty((len(q), len(k)))
    for a, b in np.ndindex(scores.shape):
        row = max(-reach, min(reach, int(key_positions[b] - query_positions[a]))) + reach
        scores[a, b] = q[a] @ (k[b] + table[row]) / math.sqrt(q.shape[1])
    return scores


def _shaw_values(weights, v, table, query_positions, key_positions):
    """Equation 3, one head."""
    reach = len(table) // 2
    values = np.zeros((len(weights), v.shape[1]))
    for a, b in np.ndindex(weights.shape):
        row = max(-reach, min(reach, int(key_positions[b] - query_positions[a]))) + reach
        values[a] += weights[a, b] * (v[b] + table[row])
    return values


def _transformer_xl_scores(q, k, u, v, encoding):
    """The four terms of section 3.3, one head; queries are the last of the keys."""
    scores = np.empty((len(q), len(k)))
    for a, b in np.ndindex(scores.shape):
        i, j = len(k) - len(q) + a, b
        r = encoding(i - j)  # the paper's R: query minus key
        scores[a, b] = (q[a] @ k[b] + q[a] @ r + u @ k[b] + v @ r) / math.sqrt(q.shape[1])
    return scores


def test_oracle_shaw_a_plain_double_loop():
    rng = np.random.default_rng(0)
    q, k = rng.normal(size=(2, 3, 4, 6)), rng.normal(size=(2, 3, 5, 6))  # batch, head
    v = rng.normal(size=(3, 5, 6))
    key_table, value_table = rng.normal(size=(7, 6)), rng.normal(size=(3, 7, 6))  # one, per head
    at = {"query_positions": [3, 0, 40, 7], "key_positions": [7, 7, -2, 90, 1]}
    scores = relative.shaw_scores(q, k, key_table, **at)
    weights = attention.softmax(scores)
    values = relative.shaw_values(weights, v, value_table, **at)
    for batch, head in np.ndindex(2, 3):
        want = _shaw_scores(q[batch, head], k[batch, head], key_table, *map(np.array, at.values()))
        np.testing.assert_allclose(scores[batch, head], want, rtol=0, atol=1e-13)
        mixed = weights[batch, head], v[head], value_table[head]
        want = _shaw_values(*mixed, *map(np.array, at.values()))
        np.testing.assert_allclose(values[batch, head], want, rtol=0, atol=1e-13)


@pytest.mark.parametrize(("num_queries", "num_keys"), [(4, 4), (1, 6), (3, 5), (1, 1)])
def test_oracle_transformer_xl_a_plain_double_loop(num_queries, num_keys):
    rng = np.random.default_rng(0)
    q, k = rng.normal(size=(2, 3, num_queries, 6)), rng.normal(size=(2, 3, num_keys, 6))
    u, v = rng.normal(size=(2, 3, 6))  # one per head
    projection = rng.normal(size=(3, 6, 8))

    def encoding(distance):
        return sinusoidal.encode(distance, 8, layout="half")

    ascending = line(1 - num_keys, num_queries + num_keys - 1)  # offsets: key minus query
    r = np.einsum("hdc,nc->hnd", projection, encoding(-ascending))
    got = relative.transformer_xl_scores(q, k, u, v, r)
    for batch, head in np.ndindex(2, 3):
        want = _transformer_xl_scores(
            q[batch, head],
            k[batch, head],
            u[head],
            v[head],
            lambda distance, head=head: projection[head] @ encoding(distance),
        )
        np.testing.assert_allclose(got[batch, head], want, rtol=0, atol=1e-12)


@pytest.mark.parametrize("shape", [(1, 1), (3, 5), (2, 6), (2, 3, 4, 9)])
def test_oracle_the_shift_a_plain_loop(shape):
    scores = np.random.default_rng(0).normal(size=shape)
    got = relative.rel_shift(scores)
    num_queries, num_keys = shape[-2], shape[-1] - shape[-2] + 1
    assert got.shape == (*shape[:-1], num_keys)
    for m, n in np.ndindex(num_queries, num_keys):
        np.testing.assert_array_equal(got[..., m, n], scores[..., m, n - m + num_queries - 1])


# --- Properties --------------------------------------------------------------------------------


@given(st.lists(st.integers(-(2**28), 2**28), min_size=1, max_size=30), st.integers(0, 2**20))
def test_rows_keep_the_order_of_offsets_up_to_the_largest_distance(offsets, reach):
    rows = relative.clip_offsets(np.sort(offsets), reach)
    assert rows.dtype == np.int64
    assert (np.diff(rows) >= 0).all()
    assert rows.min() >= 0
    assert rows.max() <= 2 * reach
    near = np.abs(np.sort(offsets)) <= reach
    np.testing.assert_array_equal(rows[near] - reach, np.sort(offsets)[near])


@given(seeds, lengths, lengths, st.integers(0, 4), st.integers(-1000, 1000))
def test_shaws_scores_and_values_depend_on_the_offset_alone(seed, tq, tk, reach, shift):
    # Shaw et al. 2018, equations 3 to 5: positions enter as j - i.
    rng = np.random.default_rng(seed)
    q, k, weights = rng.normal(size=(tq, 4)), rng.normal(size=(tk, 4)), rng.uniform(size=(tq, tk))
    table = rng.normal(size=(2 * reach + 1, 4))
    p, n = rng.integers(-9, 9, tq), rng.integers(-9, 9, tk)

    def both(shift):
        at = {"query_positions": p + shift, "key_positions": n + shift}
        return relative.shaw_scores(q, k, table, **at), relative.shaw_values(
            weights, k, table, **at
        )

    for here, there in zip(both(0), both(shift), strict=True):
        np.testing.assert_array_equal(here, there)


@given(seeds, lengths, st.integers(0, 6))
def test_decoding_with_a_cache_gives_the_last_rows_of_the_whole(seed, tk, past):
    tk, past = tk + past, past
    rng = np.random.default_rng(seed)
    q, k = rng.normal(size=(2, tk, 4))
    table, r = rng.normal(size=(5, 4)), rng.normal(size=(2 * tk - 1, 4))
    u, v = rng.normal(size=(2, 4))
    whole = relative.shaw_scores(
        q, k, table, query_positions=line(0, tk), key_positions=line(0, tk)
    )
    step = relative.shaw_scores(
        q[past:], k, table, query_positions=line(past, tk - past), key_positions=line(0, tk)
    )
    np.testing.assert_allclose(step, whole[past:], rtol=0, atol=1e-14)
    whole = relative.transformer_xl_scores(q, k, u, v, r)
    step = relative.transformer_xl_scores(q[past:], k, u, v, r[: 2 * tk - 1 - past])
    np.testing.assert_allclose(step, whole[past:], rtol=0, atol=1e-14)


@given(seeds, lengths, lengths)
def test_a_table_of_zeros_leaves_plain_attention(seed, tq, tk):
    rng = np.random.default_rng(seed)
    q, k = rng.normal(size=(tq, 4)), rng.normal(size=(tk, 4))
    at = {"query_positions": line(0, tq), "key_positions": line(0, tk)}
    scores = relative.shaw_scores(q, k, np.zeros((5, 4)), **at)
    plain = attention.weights(q, k)
    np.testing.assert_allclose(attention.softmax(scores), plain, rtol=0, atol=1e-14)
    values = relative.shaw_values(plain, k, np.zeros((5, 4)), **at)
    np.testing.assert_allclose(values, attention.attention(q, k, k), rtol=0, atol=1e-14)
    none = np.zeros(4), np.zeros(4), np.zeros((tq + tk - 1, 4))
    scores = relative.transformer_xl_scores(q, k, *none)
    np.testing.assert_allclose(attention.softmax(scores), plain, rtol=0, atol=1e-14)


@given(seeds, lengths, st.integers(0, 4))
def test_shaw_is_transformer_xl_with_clipped_vectors(seed, length, reach):
    rng = np.random.default_rng(seed)
    q, k = rng.normal(size=(2, length, 4))
    table = rng.normal(size=(2 * reach + 1, 4))
    at = {"query_positions": line(0, length), "key_positions": line(0, length)}
    r = table[relative.clip_offsets(line(1 - length, 2 * length - 1), reach)]
    np.testing.assert_allclose(
        relative.shaw_scores(q, k, table, **at),
        relative.transformer_xl_scores(q, k, np.zeros(4), np.zeros(4), r),
        rtol=0,
        atol=1e-14,
    )


@given(seeds, lengths)
def test_absolute_codes_expand_into_the_four_terms(seed, length):
    # Dai et al. 2019, section 3.3: (q_m + W p_m).(k_n + W' p_n) with p_m.p_n replaced by r_{n-m}.
    rng = np.random.default_rng(seed)
    q, k = rng.normal(size=(2, length, 8))
    codes = sinusoidal.encode(line(0, length), 8)
    # For q = k = 0 and r the codes' own dot products, what is left is their Toeplitz matrix.
    r = np.zeros((2 * length - 1, 8))
    r[:, 0] = [
        codes[max(0, -o)] @ codes[max(0, o)] for o in range(1 - length, length)
    ]  # fmt: skip
    v = np.eye(8)[0]
    got = relative.transformer_xl_scores(0 * q, 0 * k, 0 * v, v, r) * 8**0.5
    np.testing.assert_allclose(got, codes @ codes.T, rtol=0, atol=1e-13)


@given(st.integers(1, 8), st.integers(0, 8))
def test_the_shift_of_offsets_is_the_matrix_of_offsets(num_queries, memory):
    num_keys = num_queries + memory
    offsets = line(1 - num_keys, num_queries + num_keys - 1).astype(float)
    got = relative.rel_shift(np.tile(offsets, (num_queries, 1)))
    want = line(0, num_keys) - line(memory, num_queries)[:, None]
    np.testing.assert_array_equal(got, want)


@given(seeds, st.integers(1, 8), st.integers(0, 8))
def test_up_to_the_diagonal_the_shift_agrees_with_the_published_trick(seed, tq, memory):
    # Dai et al. 2019, appendix B, on the Tk columns that a decoder has: offsets up to 0.
    tk = tq + memory
    scores = np.random.default_rng(seed).normal(size=(tq, tq + tk - 1))
    padded = np.concatenate([np.zeros((tq, 1)), scores[:, :tk]], axis=1)
    trick = padded.reshape(tk + 1, tq)[1:].reshape(tq, tk)
    seen = attention.causal_mask(tq, past_length=memory)
    np.testing.assert_array_equal(relative.rel_shift(scores)[seen], trick[seen])
    if tq > 1:
        assert (relative.rel_shift(scores)[~seen] != trick[~seen]).all()


# --- Golden numbers ----------------------------------------------------------------------------


def test_golden_rows(schemes_golden):
    offsets = line(0, 8) - line(0, 8)[:, None]
    want = schemes_golden["shaw"]["clip_k4_len8"]
    assert relative.clip_offsets(offsets, 4).tolist() == want


# --- Edge values -------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(), (1,), (2, 3)])
def test_offsets_of_any_shape(shape):
    some = np.arange(math.prod(shape)).reshape(shape) - 2
    got = relative.clip_offsets(some, 1)
    assert got.shape == shape
    assert np.ravel(got).tolist() == [max(-1, min(1, o)) + 1 for o in some.ravel()]


def test_the_largest_numbers_there_are():
    far = [-(2**28), 2**28]
    assert relative.clip_offsets(far, 2**31 - 1).tolist() == [2**31 - 1 + o for o in far]
    assert relative.clip_offsets(far, 0).tolist() == [0, 0]
    x, table = np.ones((1, 1)), np.arange(3.0)[:, None]
    at = {"query_positions": [-(2**28)], "key_positions": [2**28]}
    assert relative.shaw_scores(x, 0 * x, table, **at).tolist() == [[2.0]]


def test_a_single_row_is_one_vector_for_every_key():
    # Shaw et al. 2018, table 2, k = 0.
    q = np.random.default_rng(0).normal(size=(3, 4))
    at = {"query_positions": line(0, 3), "key_positions": line(0, 3)}
    scores = relative.shaw_scores(q, np.zeros((3, 4)), np.ones((1, 4)), **at)
    np.testing.assert_allclose(scores, np.tile(q.sum(1)[:, None] / 2, (1, 3)))


def test_no_array_of_queries_by_keys_by_channels_is_made():
    length, channels = 256, 256
    q, k = np.ones((2, length, channels))
    table, r = np.ones((33, channels)), np.ones((2 * length - 1, channels))
    at = {"query_positions": line(0, length), "key_positions": line(0, length)}
    weights, u = np.ones((length, length)), np.ones(channels)
    for call in (
        lambda: relative.shaw_scores(q, k, table, **at),
        lambda: relative.shaw_values(weights, k, table, **at),
        lambda: relative.transformer_xl_scores(q, k, u, u, r),
    ):
        tracemalloc.start()
        call()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < length * length * channels * 8 / 10


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_the_kind_of_float_is_kept_and_only_the_result_is_cast(dtype):
    rng = np.random.default_rng(0)
    q, k, table, r = ((rng.normal(size=(n, 64)) * 20).astype(dtype) for n in (4, 5, 7, 8))
    weights, u = rng.uniform(size=(4, 5)).astype(dtype), q[0]
    at = {"query_positions": range(4), "key_positions": range(5)}
    for function, arrays, options in (
        (relative.shaw_scores, (q, k, table), at),
        (relative.shaw_values, (weights, k, table), at),
        (relative.transformer_xl_scores, (q, k, u, u, r), {}),
    ):
        got = function(*arrays, **options)
        exact = function(*(array.astype(np.float64) for array in arrays), **options)
        assert got.dtype == dtype
        tolerance = 2 * np.finfo(dtype).eps
        np.testing.assert_allclose(got, exact, rtol=tolerance, atol=1e-3)
    assert relative.rel_shift(r[:4]).dtype == dtype


def test_a_wider_bias_widens_the_result():
    half = np.ones((1, 2), np.float16)
    got = relative.transformer_xl_scores(half, half, np.ones(2), np.ones(2, np.float32), half)
    assert got.dtype == np.float64
    assert (
        relative.shaw_scores(
            half, half.astype(np.float32), half, query_positions=[0], key_positions=[0]
        ).dtype
        == np.float32
    )


def test_integers_become_float64():
    ones = np.ones((1, 2), int)
    at = {"query_positions": [0], "key_positions": [0]}
    assert relative.shaw_scores(ones, ones, ones, **at).dtype == np.float64
    assert relative.rel_shift(ones).dtype == np.float64


def test_keys_may_be_fewer_than_queries_where_their_number_is_known():
    r = np.arange(-2.0, 2.0)[:, None]
    got = relative.transformer_xl_scores(np.ones((3, 1)), np.zeros((2, 1)), [0.0], [0.0], r)
    assert got.tolist() == [[0, 1], [-1, 0], [-2, -1]]


def test_a_shift_is_a_copy():
    scores = np.ones((1, 4))
    got = relative.rel_shift(scores)
    got[:] = 0
    assert (scores == 1).all()


def test_inputs_may_be_read_only_and_strided_and_are_never_changed():
    rng = np.random.default_rng(0)
    q, k, table, r, weights, u = (
        rng.normal(size=(2 * columns, 2 * rows)).T[::2, ::-2]
        for rows, columns in ((3, 4), (5, 4), (5, 4), (7, 4), (3, 5), (1, 4))
    )
    at = {"query_positions": np.arange(6)[::2], "key_positions": np.arange(10)[::-2]}
    arrays = (q, k, table, r, weights, u, *at.values())
    copies = [array.copy() for array in arrays]
    for array in arrays:
        array.flags.writeable = False
    q2, k2, table2, r2, weights2, u2, p2, n2 = copies
    at2 = {"query_positions": p2, "key_positions": n2}
    for got, want in (
        (relative.shaw_scores(q, k, table, **at), relative.shaw_scores(q2, k2, table2, **at2)),
        (
            relative.shaw_values(weights, k, table, **at),
            relative.shaw_values(weights2, k2, table2, **at2),
        ),
        (
            relative.transformer_xl_scores(q, k, u[0], u[0], r),
            relative.transformer_xl_scores(q2, k2, u2[0], u2[0], r2),
        ),
        (relative.rel_shift(weights), relative.rel_shift(weights2)),
    ):
        np.testing.assert_allclose(got, want, rtol=0, atol=1e-14)
        assert got.flags.writeable
    for array, copy in zip(arrays, copies, strict=True):
        np.testing.assert_array_equal(array, copy)


# --- Errors ------------------------------------------------------------------------------------

ONES = np.ones((5, 4))
AT = {"query_positions": [0, 1], "key_positions": [0, 1, 2]}
SHAW = {"q": ONES[:2], "k": ONES[:3], "key_table": ONES} | AT
VALUES = {"weights": ONES[:2, :3], "v": ONES[:3], "value_table": ONES} | AT
XL = {"q": ONES[:2], "k": ONES[:3], "u": ONES[0], "v": ONES[0], "r": ONES[:4]}
CALLS = [
    (relative.shaw_scores, SHAW),
    (relative.shaw_values, VALUES),
    (relative.transformer_xl_scores, XL),
    (relative.rel_shift, {"scores": ONES[:2]}),
]


@pytest.mark.parametrize(("function", "good"), CALLS, ids=lambda v: getattr(v, "__name__", ""))
@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        (np.full((5, 4), np.nan), ValueError, "must be finite, got nan"),
        (np.full((5, 4), -np.inf), ValueError, "must be finite, got -inf"),
        (1.0, ValueError, "must have at least"),
        (np.ones((0, 4)), ValueError, "must not be empty"),
        (np.ones((5, 4), complex), TypeError, "must be numbers"),
        (np.ones((5, 4), bool), TypeError, "must be numbers"),
        (np.ones((5, 4), object), TypeError, "must be numbers"),
        (np.zeros((5, 4), "V2"), TypeError, "must be numbers"),
        ("text", TypeError, "must be numbers"),
        (None, TypeError, "must be numbers"),
        ([[1.0], [1.0, 2.0]], TypeError, "must be an array of numbers"),
    ],
)
def test_wrong_arrays_are_named(function, good, value, error, message):
    for name in good:
        if "positions" not in name:
            with pytest.raises(error, match=f"^{name} {message}"):
                function(**(good | {name: value}))


@pytest.mark.parametrize(("function", "good"), CALLS[:2], ids=lambda v: getattr(v, "__name__", ""))
@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        ([0], ValueError, r"must have shape \(\d,\), one position per (query|key), got \(1,\)"),
        ([[0, 1, 2]], ValueError, r"must have shape \(\d,\), one position per"),
        (0, ValueError, r"must have shape \(\d,\), one position per"),
        ([], ValueError, "must not be empty"),
        ([0.0, 1.0, 2.0], TypeError, "must be integers, got float64"),
        ([0, 1, 2**62], ValueError, "must be at most 268435456"),
        ([-(2**62), 1, 2], ValueError, "must be at least -268435456"),
        ([True, False, True], TypeError, "must be numbers"),
        (["a", "b", "c"], TypeError, "must be numbers"),
        (None, TypeError, "must be numbers"),
    ],
)
def test_wrong_positions_are_named(function, good, value, error, message):
    for name in AT:
        with pytest.raises(error, match=f"^{name} {message}"):
            function(**(good | {name: value}))


@pytest.mark.parametrize(
    ("function", "change", "message"),
    [
        (0, {"q": np.ones((2, 5))}, "q, k and key_table must have the same number of channels"),
        (0, {"key_table": ONES[:, :1]}, "q, k and key_table must have the same number of channels"),
        (0, {"key_table": ONES[:4]}, r"key_table must have 2 max_distance \+ 1 rows, .* got 4"),
        (0, {"key_table": np.ones((2, 5, 4)), "q": np.ones((3, 2, 4))}, "the leading axes of q, k"),
        (0, {"q": np.ones((2, 2, 4)), "k": np.ones((3, 3, 4))}, "the leading axes of q, k and"),
        (0, {"q": ONES[:2] * 1e308, "k": ONES[:3] * 10}, "q, k and key_table must be small enough"),
        (0, {"q": ONES[:2] * 1e308, "k": ONES[:3] * -10, "key_table": ONES * 10}, "small enough"),
        (1, {"v": ONES[:2]}, "v must have one row per key, got 2 rows for 3 keys"),
        (1, {"value_table": ONES[:4]}, r"value_table must have 2 max_distance \+ 1 rows"),
        (1, {"value_table": ONES[:, :2]}, "v and value_table must have the same number of chann"),
        (1, {"weights": np.ones((2, 2, 3)), "v": np.ones((3, 3, 4))}, "the leading axes of"),
        (1, {"v": ONES[:3] * 1e308}, "weights, v and value_table must be small enough"),
        (2, {"r": ONES[:3]}, r"r must have one row per offset, Tq \+ Tk - 1 = 4, got 3"),
        (2, {"r": ONES}, r"r must have one row per offset, Tq \+ Tk - 1 = 4, got 5"),
        (2, {"r": np.ones((4, 2))}, "q, k, u, v and r must have the same number of channels"),
        (2, {"u": np.ones(1)}, "q, k, u, v and r must have the same number of channels"),
        (2, {"v": np.ones((3, 4)), "q": np.ones((2, 2, 4))}, "the leading axes of q, k, u, v and"),
        (2, {"u": ONES[0] * 1e308, "k": ONES[:3] * 10}, "q, k, u, v and r must be small enough"),
        (3, {"scores": np.ones((3, 3))}, r"scores must have .* at least 2 Tq - 1 = 5, got 3"),
        (3, {"scores": np.ones((3, 4))}, r"scores must have .* at least 2 Tq - 1 = 5, got 4"),
        (3, {"scores": np.ones(3)}, "scores must have at least 2 axes"),
    ],
)
def test_what_does_not_fit_is_named(function, change, message):
    call, good = CALLS[function]
    with pytest.raises((ValueError, TypeError), match=message):
        call(**(good | change))


def test_scores_beyond_float16_are_refused():
    large = {name: (SHAW[name] * 300).astype(np.float16) for name in ("q", "k", "key_table")}
    with pytest.raises(ValueError, match="nothing overflows float16"):
        relative.shaw_scores(**(SHAW | large))


@pytest.mark.parametrize(
    ("offsets", "max_distance", "error", "message"),
    [
        ([0], -1, ValueError, "max_distance must be at least 0, got -1"),
        ([0], 2.0, TypeError, "max_distance must be an integer, got 2.0"),
        ([0], True, TypeError, "max_distance must be an integer, got True"),
        ([0], None, TypeError, "max_distance must be an integer, got None"),
        ([0], 2**62, ValueError, r"max_distance must be less than 2\*\*31"),
        ([], 1, ValueError, "offsets must not be empty"),
        ([0.5], 1, TypeError, "offsets must be integers, got float64"),
        ([2**62], 1, ValueError, "offsets must be at most 268435456"),
        (np.nan, 1, TypeError, "offsets must be integers"),
        ("1", 1, TypeError, "offsets must be numbers"),
        (None, 1, TypeError, "offsets must be numbers"),
        ([[1], [1, 2]], 1, TypeError, "offsets must be an array of numbers"),
    ],
)
def test_wrong_offsets_are_named(offsets, max_distance, error, message):
    with pytest.raises(error, match=message):
        relative.clip_offsets(offsets, max_distance)


def test_positions_must_be_written_out():
    with pytest.raises(TypeError, match="query_positions"):
        relative.shaw_scores(ONES, ONES, ONES)
    with pytest.raises(TypeError, match="key_positions"):
        relative.shaw_values(ONES, ONES, ONES, query_positions=[0])
