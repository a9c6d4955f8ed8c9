"""pe_lib.t5 against its definition in whole numbers (Raffel et al. 2020, section 2.1)."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pe_lib import t5

#: (num_buckets, max_distance): the published one, odd ones, small ones, large ones, close ones.
PARAMETERS = [
    (32, 128),
    (33, 128),
    (9, 128),
    (4, 3),
    (5, 1000),
    (7, 7),
    (64, 4096),
    (16, 2**20),
    (255, 2**20),
    (1024, 513),
    (1023, 2**20),
    (1024, 2**31 - 1),
]
offsets = st.integers(-(2**28), 2**28) | st.integers(-200, 200)


@st.composite
def options(draw):
    bidirectional = draw(st.booleans())
    num_buckets = draw(st.integers(4 if bidirectional else 2, 1024))
    exact = num_buckets // (4 if bidirectional else 2)
    distance = st.integers(exact + 1, 2**20) | st.integers(exact + 1, 8 * exact)
    return {
        "bidirectional": bidirectional,
        "num_buckets": num_buckets,
        "max_distance": draw(distance),
    }


# --- Oracle: the formula, its logarithms replaced by a comparison of whole powers --------------


def _bucket(distance, number, max_distance):
    """Bucket of one distance in one direction of ``number`` buckets."""
    exact = number // 2
    if distance < exact:
        return distance
    bucket = exact
    # floor(s ln(n/E) / ln(M/E)) >= j says (n/E)**s >= (M/E)**j
    while bucket < number - 1 and distance ** (number - exact) * exact ** (
        bucket + 1 - exact
    ) >= max_distance ** (bucket + 1 - exact) * exact ** (number - exact):
        bucket += 1
    return bucket


def _oracle(offset, *, bidirectional=True, num_buckets=32, max_distance=128):
    if bidirectional:
        number = num_buckets // 2
        return number * (offset > 0) + _bucket(abs(offset), number, max_distance)
    return _bucket(max(-offset, 0), num_buckets, max_distance)


def _edge(bucket, number, max_distance):
    """First distance of a far bucket: the root of a whole number, a guess put right."""
    exact = number // 2
    steps, j = number - exact, bucket - exact
    target = max_distance**j * exact ** (steps - j)

    def reaches(distance):
        return distance**steps >= target

    edge = round(exact * (max_distance / exact) ** (j / steps))
    while not reaches(edge):
        edge += 1
    while reaches(edge - 1):
        edge -= 1
    return edge


@pytest.mark.parametrize("bidirectional", [True, False])
@pytest.mark.parametrize(("num_buckets", "max_distance"), PARAMETERS[:8])
def test_oracle_a_comparison_of_whole_powers(num_buckets, max_distance, bidirectional):
    given = {
        "bidirectional": bidirectional,
        "num_buckets": num_buckets,
        "max_distance": max_distance,
    }
    near = range(-300, 301)
    want = [_oracle(offset, **given) for offset in near]
    assert t5.bucket(near, **given).tolist() == want


@pytest.mark.parametrize(("num_buckets", "max_distance"), PARAMETERS)
def test_oracle_every_edge_of_every_bucket_is_exact(num_buckets, max_distance):
    first = num_buckets // 2 + 1
    buckets = np.arange(first, num_buckets)
    edges = np.array([_edge(bucket, num_buckets, max_distance) for bucket in buckets.tolist()])
    within = edges <= 2**28  # positions end there
    buckets, edges = buckets[within], edges[within]

    def bucket(distance):
        return t5.bucket(
            -distance, bidirectional=False, num_buckets=num_buckets, max_distance=max_distance
        )

    assert (bucket(edges) >= buckets).all()
    assert (bucket(edges - 1) < buckets).all()


def test_oracle_a_plain_double_loop_for_the_bias():
    table = np.random.default_rng(0).normal(size=(8, 3))
    queries, keys = np.array([3, 0, 40]), np.array([7, 7, -2, 90])
    got = t5.bias(queries, keys, 3, table=table, max_distance=20)
    for h, a, b in np.ndindex(3, 3, 4):
        row = _oracle(int(keys[b] - queries[a]), num_buckets=8, max_distance=20)
        assert got[h, a, b] == table[row, h]


# --- Properties --------------------------------------------------------------------------------


@given(st.lists(offsets, min_size=2, max_size=50), options())
def test_buckets_are_monotone_in_distance(some, given):
    before = np.sort(-np.abs(some))
    assert (np.diff(t5.bucket(before, **given)) <= 0).all()
    assert (np.diff(t5.bucket(-before[::-1], **given)) >= 0).all()


@given(st.lists(offsets, min_size=1, max_size=50), options())
def test_every_bucket_is_a_row_of_the_table(some, given):
    got = t5.bucket(some, **given)
    assert got.dtype == np.int64
    assert (got >= 0).all()
    assert (got < given["num_buckets"]).all()


@given(offsets, options())
def test_both_directions_are_divided_alike(offset, given):
    number = given["num_buckets"] // 2
    before, after = t5.bucket([-abs(offset), abs(offset)], **given)
    if not given["bidirectional"]:
        assert after == 0
    elif offset:
        assert after == number + before
    else:
        assert after == before == 0


@given(options())
def test_from_max_distance_on_all_distances_share_the_last_bucket(given):
    number = given["num_buckets"] // (2 if given["bidirectional"] else 1)
    far = -np.array([given["max_distance"], given["max_distance"] + 1, 2**28])
    assert t5.bucket(far, **given).tolist() == [number - 1] * 3


@given(st.integers(2, 512), st.integers(1, 2**20))
def test_an_encoder_has_a_decoders_buckets_on_each_side(number, more):
    given = {"max_distance": number // 2 + more}
    before = -np.unique(np.geomspace(1, 2 * given["max_distance"], 100).astype(int))
    both = t5.bucket(before, num_buckets=2 * number, **given)
    one = t5.bucket(before, num_buckets=number, bidirectional=False, **given)
    np.testing.assert_array_equal(both, one)


def test_the_first_bucket_after_the_query_is_never_used():
    # No key after its query has distance 0, so 31 of 32 rows are ever trained.
    every = np.arange(-1000, 1001)
    assert set(range(32)) - set(t5.bucket(every).tolist()) == {16}
    assert set(range(33)) - set(t5.bucket(every, num_buckets=33).tolist()) == {16, 32}
    assert set(t5.bucket(every, bidirectional=False).tolist()) == set(range(32))


def test_the_last_bucket_begins_well_before_max_distance():
    assert t5.bucket([-91, -90, 91, 90]).tolist() == [15, 14, 31, 30]
    assert t5.bucket([-113, -112], bidirectional=False).tolist() == [31, 30]


@given(st.integers(-1000, 1000), st.integers(-50, 50), st.integers(1, 9), st.integers(1, 9))
def test_the_bias_depends_on_the_offset_alone(shift, start, num_queries, num_keys):
    table = np.random.default_rng(0).normal(size=(32, 2))
    queries, keys = np.arange(num_queries), start + np.arange(num_keys)
    got = t5.bias(queries, keys, 2, table=table)
    moved = t5.bias(queries + shift, keys + shift, 2, table=table)
    np.testing.assert_array_equal(got, moved)


# --- Golden numbers ----------------------------------------------------------------------------


def test_golden_buckets(schemes_golden):
    golden = schemes_golden["t5"]
    sizes = {name: golden[name] for name in ("num_buckets", "max_distance")}
    for name in ("bidirectional", "causal"):
        got = t5.bucket(golden["rel"], bidirectional=name == "bidirectional", **sizes)
        assert got.tolist() == golden[name]


def test_golden_distances_that_sit_on_an_edge(schemes_golden):
    golden = schemes_golden["t5"]
    both = np.array(golden["exact_integer_boundaries_bidirectional_abs_rel"])
    assert both.tolist() == [8, 16, 32, 64, 128]
    assert t5.bucket(-both).tolist() == [8, 10, 12, 14, 15]
    assert t5.bucket(1 - both).tolist() == [7, 9, 11, 13, 15]
    one = np.array(golden["exact_integer_boundaries_causal_abs_rel"])
    assert one.tolist() == [16, 128]
    assert t5.bucket(-one, bidirectional=False).tolist() == [16, 31]
    assert t5.bucket(1 - one, bidirectional=False).tolist() == [15, 31]


@pytest.mark.parametrize(
    ("distance", "number", "max_distance"),
    [(64, 16, 128), (55109, 16, 2**20), (300, 31, 301), (12345, 200, 99999)],
)
def test_golden_fifty_digits_say_the_same(distance, number, max_distance):
    exact = number // 2
    with mpmath.workdps(50):
        ratio = mpmath.log(mpmath.mpf(distance) / exact) / mpmath.log(
            mpmath.mpf(max_distance) / exact
        )
        want = exact + int(mpmath.floor(ratio * (number - exact) + mpmath.mpf(10) ** -40))
    options = {"bidirectional": False, "num_buckets": number, "max_distance": max_distance}
    assert t5.bucket(-distance, **options) == min(want, number - 1)


def test_in_floats_the_order_of_the_operations_decides_about_distance_64():
    # 8 ln(64/8) / ln(128/8) is exactly 6, so 64 opens bucket 14.
    quotient_first = 8 + int(math.log(64 / 8) / math.log(128 / 8) * 8)
    factor_first = 8 + int(math.log(64 / 8) * (8 / math.log(128 / 8)))
    assert (quotient_first, factor_first) == (14, 13)
    assert t5.bucket(-64) == 14


def test_with_other_sizes_the_usual_order_errs_too():
    # E = 4, max_distance = 128: 5 ln(n/4) / ln(32) is exactly 1, 2 and 4 at 8, 16 and 64.
    edges = np.array([8, 16, 64])
    naive = [4 + int(math.log(n / 4) / math.log(128 / 4) * 5) for n in edges]
    assert naive == [4, 5, 7]
    assert t5.bucket(-edges, bidirectional=False, num_buckets=9).tolist() == [5, 6, 8]


def test_float32_cannot_tell_the_distances_on_either_side_of_a_far_edge():
    number, max_distance = 16, 2**30
    edge = _edge(15, number, max_distance)
    assert np.float32(edge) == np.float32(edge - 1)
    sizes = {"bidirectional": False, "num_buckets": number, "max_distance": max_distance}
    assert t5.bucket([-edge, 1 - edge], **sizes).tolist() == [15, 14]


# --- Edge values -------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(), (1,), (5,), (2, 3)])
def test_offsets_of_any_shape(shape):
    some = np.arange(math.prod(shape)).reshape(shape) * 7 - 3
    got = t5.bucket(some)
    assert got.shape == shape
    assert got.ravel().tolist() == [_oracle(offset) for offset in some.ravel().tolist()]


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64, np.uint8, np.uint64])
def test_offsets_of_any_kind_of_integer(dtype):
    assert t5.bucket(np.array([0, 1, 100], dtype)).tolist() == [0, 17, 31]


def test_the_fewest_buckets_there_are():
    few = {"num_buckets": 2, "bidirectional": False, "max_distance": 2}
    assert t5.bucket([-9, -1, 0, 1], **few).tolist() == [1, 1, 0, 0]
    assert t5.bucket([-9, -1, 0, 1, 9], num_buckets=4).tolist() == [1, 1, 0, 3, 3]


def test_more_buckets_than_distances_leave_some_empty():
    got = t5.bucket(np.arange(-9, 1), bidirectional=False, num_buckets=8, max_distance=5)
    assert got.tolist() == [7, 7, 7, 7, 7, 4, 3, 2, 1, 0]


def test_the_largest_numbers_there_are():
    huge = {"num_buckets": 2**31 - 1, "max_distance": 2**31 - 1}
    assert t5.bucket([-(2**28), 2**28], **huge).tolist() == [2**28, 2**30 - 1 + 2**28]
    table = np.arange(32.0)[:, None]
    far = t5.bias([-(2**28)], [2**28], 1, table=table)
    assert far.tolist() == [[[31.0]]]


def test_the_bias_is_a_read_only_view_on_one_row_of_numbers():
    table = np.random.default_rng(0).normal(size=(32, 2))
    got = t5.bias(range(2000), range(3000), 2, table=table)
    assert got.shape == (2, 2000, 3000)
    assert got.dtype == np.float64
    assert not got.flags.writeable
    low, high = np.lib.array_utils.byte_bounds(got)
    assert high - low <= 2 * 4999 * 8
    scattered = t5.bias([0, 5, 3], [1, 1], 2, table=table)
    assert not scattered.flags.writeable


def test_the_bias_is_exact_from_a_table_of_any_float():
    table = np.random.default_rng(0).normal(size=(32, 2)).astype(np.float16)
    got = t5.bias([0, 1], [0, 1], 2, table=table)
    assert got.dtype == np.float64
    np.testing.assert_array_equal(got[:, 0], table[[0, 17]].T)


def test_inputs_may_be_read_only_and_strided_and_are_never_changed():
    table = np.random.default_rng(0).normal(size=(4, 64)).T[::2, ::2]
    queries, keys = np.arange(12)[::3], np.arange(12)[::-2]
    copies = table.copy(), queries.copy(), keys.copy()
    for array in (table, queries, keys):
        array.flags.writeable = False
    got = t5.bias(queries, keys, 2, table=table)
    np.testing.assert_array_equal(got, t5.bias(copies[1], copies[2], 2, table=copies[0]))
    np.testing.assert_array_equal(t5.bucket(keys), t5.bucket(copies[2]))
    for array, copy in zip((table, queries, keys), copies, strict=True):
        np.testing.assert_array_equal(array, copy)


def test_a_bias_does_not_follow_later_changes_of_its_table():
    table = np.zeros((32, 1))
    got = t5.bias([0, 1], [0, 1], 1, table=table)
    table[:] = 1
    assert (got == 0).all()


# --- Errors ------------------------------------------------------------------------------------

WRONG_INTEGERS = [
    (0.5, TypeError, "must be integers, got float64"),
    (np.nan, TypeError, "must be integers, got float64"),
    (np.inf, TypeError, "must be integers, got float64"),
    ([], ValueError, r"must not be empty, got shape \(0,\)"),
    (2**62, ValueError, "must be at most 268435456, got 4611686018427387904"),
    (-(2**62), ValueError, "must be at least -268435456"),
    (10**30, TypeError, "must be numbers"),
    ("1", TypeError, "must be numbers"),
    (None, TypeError, "must be numbers"),
    (True, TypeError, "must be numbers"),
    (1j, TypeError, "must be numbers"),
    ([[1], [1, 2]], TypeError, "must be an array of numbers"),
    (np.zeros(2, "V2"), TypeError, "must be numbers"),
]


@pytest.mark.parametrize(("value", "error", "message"), WRONG_INTEGERS)
def test_wrong_offsets_and_positions_are_named(value, error, message):
    with pytest.raises(error, match=f"^offsets {message}"):
        t5.bucket(value)
    table = np.ones((4, 1))
    with pytest.raises(error, match=f"^query_positions {message}"):
        t5.bias(value, [0], 1, table=table)
    with pytest.raises(error, match=f"^key_positions {message}"):
        t5.bias([0], value, 1, table=table)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"num_buckets": 3}, ValueError, "num_buckets must be at least 4, got 3"),
        ({"num_buckets": 0}, ValueError, "num_buckets must be at least 4, got 0"),
        ({"num_buckets": -8}, ValueError, "num_buckets must be at least 4, got -8"),
        ({"num_buckets": 1, "bidirectional": False}, ValueError, "num_buckets must be at least 2"),
        ({"num_buckets": 32.0}, TypeError, "num_buckets must be an integer, got 32.0"),
        ({"num_buckets": True}, TypeError, "num_buckets must be an integer, got True"),
        ({"num_buckets": 2**62}, ValueError, r"num_buckets must be less than 2\*\*31"),
        ({"max_distance": 8}, ValueError, "max_distance must be at least 9, got 8"),
        ({"max_distance": 0}, ValueError, "max_distance must be at least 9, got 0"),
        ({"max_distance": -1}, ValueError, "max_distance must be at least 9, got -1"),
        ({"max_distance": 16, "bidirectional": False}, ValueError, "must be at least 17, got 16"),
        ({"max_distance": 128.0}, TypeError, "max_distance must be an integer, got 128.0"),
        ({"max_distance": 2**62}, ValueError, r"max_distance must be less than 2\*\*31"),
        ({"max_distance": None}, TypeError, "max_distance must be an integer, got None"),
        ({"bidirectional": 1}, TypeError, "bidirectional must be True or False, got 1"),
        ({"bidirectional": None}, TypeError, "bidirectional must be True or False, got None"),
    ],
)
def test_wrong_options_are_named(options, error, message):
    with pytest.raises(error, match=message):
        t5.bucket([1], **options)
    if "num_buckets" not in options:
        with pytest.raises(error, match=message):
            t5.bias([0], [1], 1, table=np.ones((32, 1)), **options)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"table": np.ones((3, 2))}, ValueError, "rows of table must be at least 4, got 3"),
        (
            {"table": np.ones((32, 3))},
            ValueError,
            r"table must have shape \(\*, 2\), got",
        ),
        ({"table": np.ones(32)}, ValueError, "table must have at least 2 axes"),
        ({"table": np.ones((1, 32, 2))}, ValueError, r"table must have shape \(\*, 2\)"),
        ({"table": np.ones((0, 2))}, ValueError, "table must not be empty"),
        ({"table": np.full((32, 2), np.nan)}, ValueError, "table must be finite, got nan"),
        ({"table": np.ones((32, 2), complex)}, TypeError, "table must be numbers"),
        ({"table": None}, TypeError, "table must be numbers"),
        ({"num_heads": 0}, ValueError, "num_heads must be at least 1, got 0"),
        ({"num_heads": 2.0}, TypeError, "num_heads must be an integer, got 2.0"),
        ({"query_positions": [[0]]}, ValueError, r"query_positions must have shape \(T,\)"),
        ({"key_positions": 0}, ValueError, r"key_positions must have shape \(T,\)"),
    ],
)
def test_what_is_wrong_with_a_bias_is_named(change, error, message):
    good = {"query_positions": [0], "key_positions": [0, 1], "num_heads": 2}
    with pytest.raises(error, match=message):
        t5.bias(**(good | {"table": np.ones((32, 2))} | change))
