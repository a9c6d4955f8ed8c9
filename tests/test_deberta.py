"""pe_lib.deberta against its definition in whole numbers (He et al. 2021, section 3.1)."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pe_lib import deberta

#: (bucket_size, max_position): the published one, ones with many exact edges, odd, small, close.
PARAMETERS = [
    (256, 512),
    (34, 4353),
    (20, 81),
    (10, 65),
    (5, 1000),
    (4, 4),
    (21, 30),
    (64, 2**20),
    (512, 300),
    (1024, 2**31 - 1),
]
offsets = st.integers(-(2**28), 2**28) | st.integers(-1000, 1000)


@st.composite
def options(draw):
    bucket_size = draw(st.integers(2, 1024))
    least = bucket_size // 2 + 2
    position = st.integers(least, 2**20) | st.integers(least, 4 * least)
    return {"bucket_size": bucket_size, "max_position": draw(position)}


# --- Oracle: the formula, its logarithms replaced by a comparison of whole powers --------------


def _reached(distance, count, bucket_size, max_position):
    """Whether (M - 1) ln(n/M) / ln((P - 1)/M) <= count."""
    exact = bucket_size // 2
    return distance ** (exact - 1) * exact**count <= (max_position - 1) ** count * exact ** (
        exact - 1
    )


def _oracle(offset, *, bucket_size=256, max_position=512):
    exact = bucket_size // 2
    if abs(offset) <= exact:
        return offset
    count = 0
    while not _reached(abs(offset), count, bucket_size, max_position):
        count += 1
    return int(math.copysign(exact + count, offset))


@pytest.mark.parametrize(("bucket_size", "max_position"), PARAMETERS[:7])
def test_oracle_a_comparison_of_whole_powers(bucket_size, max_position):
    given = {"bucket_size": bucket_size, "max_position": max_position}
    near = [*range(-80, 81), *range(-600, 601, 37), 128, 129, 511, 512, 65]
    want = [_oracle(offset, **given) for offset in near]
    assert deberta.bucket(near, **given).tolist() == want


@pytest.mark.parametrize(("bucket_size", "max_position"), PARAMETERS)
def test_oracle_every_edge_of_every_bucket_is_exact(bucket_size, max_position):
    exact = bucket_size // 2
    counts = np.arange(1, exact)
    last = []  # distance of each bucket
    for count in counts.tolist():
        edge = round(exact * ((max_position - 1) / exact) ** (count / (exact - 1)))
        while not _reached(edge, count, bucket_size, max_position):
            edge -= 1
        while _reached(edge + 1, count, bucket_size, max_position):
            edge += 1
        last.append(edge)
    last = np.array(last)
    within = (last > exact) & (last < 2**28)
    counts, last = counts[within], last[within]

    def bucket(distance):
        return deberta.bucket(distance, bucket_size=bucket_size, max_position=max_position)

    assert len(last) or bucket_size < 6
    assert (bucket(last) <= exact + counts).all()
    assert (bucket(last + 1) > exact + counts).all()


def _loop(q, k, keys, queries, query_positions, key_positions, max_position):
    """One head's scores, pair by pair."""
    size = len(keys) // 2
    scores = np.empty((len(q), len(k)))
    for a, b in np.ndindex(scores.shape):
        relative = int(query_positions[a] - key_positions[b])  # DeBERTa's sign
        row = _oracle(relative, bucket_size=size, max_position=max_position) + size
        row = min(max(row, 0), 2 * size - 1)
        total = q[a] @ k[b] + q[a] @ keys[row] + k[b] @ queries[row]
        scores[a, b] = total / math.sqrt(3 * q.shape[1])
    return scores


def test_oracle_a_plain_double_loop_for_the_scores():
    rng = np.random.default_rng(0)
    q, k = rng.normal(size=(2, 2, 4, 6)), rng.normal(size=(2, 2, 5, 6))  # batch, head
    keys, queries = rng.normal(size=(2, 2, 16, 6))  # head
    at = {"query_positions": [3, 0, 40, 7], "key_positions": [7, 7, -2, 90, 0]}
    got = deberta.scores(q, k, keys, queries, **at, max_position=20)
    for batch, head in np.ndindex(2, 2):
        want = _loop(q[batch, head], k[batch, head], keys[head], queries[head], *at.values(), 20)
        np.testing.assert_allclose(got[batch, head], want, rtol=0, atol=1e-13)


# --- Properties --------------------------------------------------------------------------------


@given(st.lists(offsets, min_size=2, max_size=50), options())
def test_buckets_are_monotone(some, given):
    assert (np.diff(deberta.bucket(np.sort(some), **given)) >= 0).all()


@given(st.lists(offsets, min_size=1, max_size=50), options())
def test_the_bucket_is_an_odd_function_so_the_two_signs_differ_by_a_sign(some, given):
    buckets = deberta.bucket(some, **given)
    assert buckets.dtype == np.int64
    np.testing.assert_array_equal(deberta.bucket(-np.array(some), **given), -buckets)


@given(options())
def test_small_distances_are_their_own_buckets(given):
    exact = given["bucket_size"] // 2
    near = np.arange(-exact, exact + 1)
    np.testing.assert_array_equal(deberta.bucket(near, **given), near)


@given(st.integers(4, 1024), st.integers(0, 2**20))
def test_max_position_minus_1_has_the_last_row(bucket_size, more):
    given = {"bucket_size": bucket_size, "max_position": bucket_size + more + 1}
    last = 2 * (bucket_size // 2) - 1
    edge = given["max_position"] - 1
    assert deberta.bucket(edge, **given) == last
    assert deberta.bucket(edge + 1, **given) == last + 1


@given(st.integers(-1000, 1000), st.integers(-50, 50), st.integers(1, 6), st.integers(1, 6))
def test_the_scores_depend_on_the_offset_alone(shift, start, num_queries, num_keys):
    rng = np.random.default_rng(0)
    q, k = rng.normal(size=(num_queries, 4)), rng.normal(size=(num_keys, 4))
    keys, queries = rng.normal(size=(2, 16, 4))

    def scores(shift):
        at = {"query_positions": np.arange(num_queries) + shift}
        at["key_positions"] = np.arange(num_keys) + start + shift
        return deberta.scores(q, k, keys, queries, **at, max_position=30)

    np.testing.assert_array_equal(scores(0), scores(shift))


@given(st.integers(0, 2**32 - 1))
def test_exchanging_content_and_position_mirrors_the_offset(seed):
    # q.k_r(query - key) and k.q_r(query - key) take the same row, gathered on the other axis.
    rng = np.random.default_rng(seed)
    x, rows, none = rng.normal(size=(5, 4)), rng.normal(size=(16, 4)), np.zeros((16, 4))
    p = rng.integers(-20, 20, 5)
    one = {"query_positions": p, "key_positions": p, "max_position": 30}
    other = {"query_positions": -p, "key_positions": -p, "max_position": 30}
    to_position = deberta.scores(x, x, rows, none, **one)
    to_content = deberta.scores(x, x, none, rows, **other)
    np.testing.assert_allclose(to_position, to_content.T, rtol=0, atol=1e-13)


# --- Golden numbers ----------------------------------------------------------------------------


def test_golden_buckets(schemes_golden):
    golden = schemes_golden["deberta_v2"]
    sizes = {name: golden[name] for name in ("bucket_size", "max_position")}
    relative, want = np.array(golden["rel"]), np.array(golden["bucket"])
    np.testing.assert_array_equal(-deberta.bucket(-relative, **sizes), want)
    np.testing.assert_array_equal(deberta.bucket(relative, **sizes), want)  # an odd function


@pytest.mark.parametrize(
    ("distance", "bucket_size", "max_position"),
    [(300, 256, 512), (511, 256, 512), (512, 256, 512), (68, 34, 4353), (69, 34, 4353)],
)
def test_golden_fifty_digits_say_the_same(distance, bucket_size, max_position):
    exact = bucket_size // 2
    with mpmath.workdps(50):
        ratio = mpmath.log(mpmath.mpf(distance) / exact) / mpmath.log(
            mpmath.mpf(max_position - 1) / exact
        )
        want = exact + int(mpmath.ceil(ratio * (exact - 1) - mpmath.mpf(10) ** -40))
    got = deberta.bucket(distance, bucket_size=bucket_size, max_position=max_position)
    assert got == want


def test_in_floats_a_distance_on_an_edge_falls_off_it():
    # M = 10, max_position - 1 = 80: 9 ln(n/10) / ln(8) is exactly 3, 6 and 9 at 20, 40 and 80.
    edges = [20, 40, 80]
    naive = [10 + math.ceil(math.log(n / 10) / math.log(80 / 10) * 9) for n in edges]
    assert naive == [14, 17, 19]
    got = deberta.bucket(edges, bucket_size=20, max_position=81)
    assert got.tolist() == [13, 16, 19]


# --- Edge values -------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(), (1,), (5,), (2, 3)])
def test_offsets_of_any_shape(shape):
    some = np.arange(math.prod(shape)).reshape(shape) * 100 - 300
    got = deberta.bucket(some)
    assert got.shape == shape
    assert got.ravel().tolist() == [_oracle(offset) for offset in some.ravel().tolist()]


@pytest.mark.parametrize("dtype", [np.int16, np.int32, np.int64, np.uint16, np.uint64])
def test_offsets_of_any_kind_of_integer(dtype):
    assert deberta.bucket(np.array([0, 128, 511], dtype)).tolist() == [0, 128, 255]


@pytest.mark.parametrize("bucket_size", [2, 3])
def test_one_exact_bucket_leaves_nothing_but_the_direction(bucket_size):
    got = deberta.bucket([-99, -2, -1, 0, 1, 2, 99], bucket_size=bucket_size, max_position=3)
    assert got.tolist() == [-1, -1, -1, 0, 1, 1, 1]


def test_the_largest_numbers_there_are():
    far = deberta.bucket([-(2**28), 2**28], bucket_size=2**16, max_position=2**31 - 1)
    with mpmath.workdps(50):
        ratio = mpmath.log(mpmath.mpf(2) ** 13) / mpmath.log(mpmath.mpf(2**31 - 2) / 2**15)
        want = 2**15 + int(mpmath.ceil(ratio * (2**15 - 1)))
    assert far.tolist() == [-want, want]
    x, rows = np.ones((1, 2)), np.arange(8.0)[:, None] * [1, 1]
    at = {"query_positions": [-(2**28)], "key_positions": [2**28]}
    assert deberta.scores(x, x, rows, 0 * rows, **at) == pytest.approx(2 / 6**0.5)  # row 0


def test_far_buckets_share_the_outermost_rows():
    x, rows = np.ones((1, 1)), np.arange(16.0)[:, None]  # buckets -8 to 7

    def row(offset):
        at = {"query_positions": [0], "key_positions": [offset], "max_position": 20}
        return round(deberta.scores(x, 0 * x, rows, rows, **at).item() * 3**0.5)

    assert [row(offset) for offset in (-1000, -19, -1, 0, 1, 19, 20, 1000)] == [
        15, 15, 9, 8, 7, 1, 0, 0
    ]  # fmt: skip


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_the_kind_of_float_is_kept_and_only_the_result_is_cast(dtype):
    rng = np.random.default_rng(0)
    q, k, keys, queries = (rng.normal(size=(n, 64)).astype(dtype) * 30 for n in (4, 5, 8, 8))
    at = {"query_positions": range(4), "key_positions": range(5), "max_position": 9}
    got = deberta.scores(q, k, keys, queries, **at)
    exact = deberta.scores(*(a.astype(np.float64) for a in (q, k, keys, queries)), **at)
    assert got.dtype == dtype
    np.testing.assert_allclose(got, exact, rtol=4 * np.finfo(dtype).eps, atol=5e-2)


def test_inputs_may_be_read_only_and_strided_and_are_never_changed():
    rng = np.random.default_rng(0)
    inputs = [rng.normal(size=(4, 2 * n)).T[::2] for n in (3, 5, 8, 8)]
    at = {"query_positions": np.arange(6)[::2], "key_positions": np.arange(5)[::-1]}
    copies = [array.copy() for array in inputs]
    positions = {name: array.copy() for name, array in at.items()}
    for array in (*inputs, *at.values()):
        array.flags.writeable = False
    got = deberta.scores(*inputs, **at)
    want = deberta.scores(*copies, **positions)
    np.testing.assert_allclose(
        got, want, rtol=1e-13, atol=1e-13
    )  # products may sum in another order
    for array, copy in zip((*inputs, *at.values()), (*copies, *positions.values()), strict=True):
        np.testing.assert_array_equal(array, copy)


# --- Errors ------------------------------------------------------------------------------------

WRONG_INTEGERS = [
    (0.5, TypeError, "must be integers, got float64"),
    (np.nan, TypeError, "must be integers, got float64"),
    ([], ValueError, r"must not be empty, got shape \(0,\)"),
    (2**62, ValueError, "must be at most 268435456, got 4611686018427387904"),
    (-(2**62), ValueError, "must be at least -268435456"),
    ("1", TypeError, "must be numbers"),
    (None, TypeError, "must be numbers"),
    (True, TypeError, "must be numbers"),
    (1j, TypeError, "must be numbers"),
    ([[1], [1, 2]], TypeError, "must be an array of numbers"),
]


@pytest.mark.parametrize(("value", "error", "message"), WRONG_INTEGERS)
def test_wrong_offsets_are_named(value, error, message):
    with pytest.raises(error, match=f"^offsets {message}"):
        deberta.bucket(value)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"bucket_size": 1}, ValueError, "bucket_size must be at least 2, got 1"),
        ({"bucket_size": 0}, ValueError, "bucket_size must be at least 2, got 0"),
        ({"bucket_size": -1}, ValueError, "bucket_size must be at least 2, got -1"),
        ({"bucket_size": 65537}, ValueError, r"bucket_size must be at most 2\*\*16, got 65537"),
        ({"bucket_size": 2**62}, ValueError, r"bucket_size must be less than 2\*\*31"),
        ({"bucket_size": 256.0}, TypeError, "bucket_size must be an integer, got 256.0"),
        ({"bucket_size": None}, TypeError, "bucket_size must be an integer, got None"),
        ({"max_position": 129}, ValueError, "max_position must be at least 130, got 129"),
        ({"max_position": -1}, ValueError, "max_position must be at least 130, got -1"),
        ({"max_position": 512.0}, TypeError, "max_position must be an integer, got 512.0"),
        ({"max_position": True}, TypeError, "max_position must be an integer, got True"),
        ({"max_position": 2**62}, ValueError, r"max_position must be less than 2\*\*31"),
    ],
)
def test_wrong_options_are_named(options, error, message):
    with pytest.raises(error, match=f"^{message}"):
        deberta.bucket([1], **options)


GOOD = {
    "q": np.ones((2, 4)),
    "k": np.ones((3, 4)),
    "position_keys": np.ones((8, 4)),
    "position_queries": np.ones((8, 4)),
    "query_positions": [0, 1],
    "key_positions": [0, 1, 2],
}


@pytest.mark.parametrize("name", ["q", "k", "position_keys", "position_queries"])
@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        (np.full((8, 4), np.nan), ValueError, "must be finite, got nan"),
        (np.full((8, 4), np.inf), ValueError, "must be finite, got inf"),
        (np.ones(4), ValueError, "must have at least 2 axes"),
        (1.0, ValueError, "must have at least 2 axes"),
        (np.ones((0, 4)), ValueError, "must not be empty"),
        (np.ones((8, 4), complex), TypeError, "must be numbers"),
        (np.ones((8, 4), bool), TypeError, "must be numbers"),
        (np.ones((8, 4), object), TypeError, "must be numbers"),
        (np.zeros((8, 4), "V2"), TypeError, "must be numbers"),
        ("text", TypeError, "must be numbers"),
        (None, TypeError, "must be numbers"),
        ([[1.0], [1.0, 2.0]], TypeError, "must be an array of numbers"),
    ],
)
def test_wrong_vectors_are_named(name, value, error, message):
    with pytest.raises(error, match=f"^{name} {message}"):
        deberta.scores(**(GOOD | {name: value}))


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"q": np.ones((2, 5))}, ValueError, "q, k, position_keys and position_queries must have"),
        ({"k": np.ones((3, 1))}, ValueError, "must have the same number of channels"),
        ({"position_keys": np.ones((8, 3))}, ValueError, "must have the same number of channels"),
        ({"position_keys": np.ones((6, 4))}, ValueError, "must have 2 bucket_size rows each"),
        ({"position_queries": np.ones((7, 4))}, ValueError, "must have 2 bucket_size rows each"),
        (
            {"position_keys": np.ones((7, 4)), "position_queries": np.ones((7, 4))},
            ValueError,
            "position_keys and position_queries must have 2 bucket_size rows each, at least 4",
        ),
        (
            {"position_keys": np.ones((2, 4)), "position_queries": np.ones((2, 4))},
            ValueError,
            "position_keys and position_queries must have 2 bucket_size rows each, at least 4",
        ),
        (
            {"position_keys": np.ones((2**17 + 2, 4)), "position_queries": np.ones((2**17 + 2, 4))},
            ValueError,
            r"half the rows of position_keys must be at most 2\*\*16",
        ),
        (
            {"q": np.ones((2, 2, 4)), "k": np.ones((3, 3, 4))},
            ValueError,
            "the leading axes of",
        ),
        (
            {"position_keys": np.ones((2, 8, 4)), "q": np.ones((3, 2, 4))},
            ValueError,
            "leading axes",
        ),
        ({"q": np.full((2, 4), 1e308)}, ValueError, "small enough that nothing overflows float64"),
        (
            {name: GOOD[name].astype(np.float16) * 200 for name in [*GOOD][:4]},
            ValueError,
            "q, k, position_keys and position_queries must be small enough that nothing overflows "
            "float16",
        ),
        ({"max_position": 3}, ValueError, "max_position must be at least 4, got 3"),
        ({"max_position": None}, TypeError, "max_position must be an integer"),
        ({"query_positions": [0]}, ValueError, r"query_positions must have shape \(2,\), one posi"),
        ({"query_positions": [[0, 1]]}, ValueError, r"query_positions must have shape \(2,\)"),
        ({"key_positions": 0}, ValueError, r"key_positions must have shape \(3,\), one position"),
        ({"key_positions": [0, 1, 0.5]}, TypeError, "key_positions must be integers"),
        ({"key_positions": [0, 1, 2**62]}, ValueError, "key_positions must be at most"),
        ({"query_positions": None}, TypeError, "query_positions must be numbers"),
    ],
)
def test_what_is_wrong_with_the_scores_is_named(change, error, message):
    with pytest.raises(error, match=message):
        deberta.scores(**(GOOD | change))


def test_positions_must_be_written_out():
    with pytest.raises(TypeError, match="query_positions"):
        deberta.scores(GOOD["q"], GOOD["k"], GOOD["position_keys"], GOOD["position_queries"])
