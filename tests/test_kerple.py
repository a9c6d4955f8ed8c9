"""pe_lib.kerple against its definition (Chi et al. 2022, section 4)."""

import math
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pe_lib import alibi, kerple

VARIANTS = [kerple.log_bias, kerple.power_bias]
variants = st.sampled_from(VARIANTS)
rates = st.floats(0.01, 2)
starts = st.integers(-1000, 1000)
lengths = st.integers(1, 12)


# --- Oracle: a double loop ----------------------------------------------------------------------


def _oracle(variant, queries, keys, num_heads, p, a):
    bias = np.empty((num_heads, len(queries), len(keys)))
    for h, i, j in np.ndindex(bias.shape):
        distance = abs(queries[i] - keys[j])
        if variant is kerple.log_bias:
            bias[h, i, j] = -p[h] * math.log(1 + a[h] * distance)
        else:
            bias[h, i, j] = -a[h] * distance ** p[h]
    return bias


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(
    ("queries", "keys"),
    [
        ([0, 1, 2, 3], [0, 1, 2, 3]),
        ([7, 8], [0, 1, 2]),
        ([0.5, 3, 2], [-4, 9, 0.25]),
        ([5], [5]),
    ],
)
def test_oracle_one_number_per_head_query_and_key(variant, queries, keys):
    p, a = [0.3, 2, 1], [1, 0.02, 0.7]
    got = variant(queries, keys, 3, p=p, a=a)
    want = _oracle(variant, queries, keys, 3, p, a)
    np.testing.assert_allclose(got, want, rtol=1e-13, atol=0)


# --- Properties --------------------------------------------------------------------------------


@given(variants, starts, starts, lengths, lengths, starts, rates, rates)
def test_the_bias_depends_on_the_offset_alone(variant, m, n, tq, tk, shift, p, a):
    queries, keys = m + np.arange(tq), n + np.arange(tk)
    got = variant(queries, keys, 2, p=p, a=a)
    np.testing.assert_array_equal(got, variant(queries + shift, keys + shift, 2, p=p, a=a))
    shuffled = variant(queries[::-1], keys, 2, p=p, a=a)  # not consecutive: computed in full
    np.testing.assert_array_equal(got, shuffled[:, ::-1])


@given(variants, rates, rates)
def test_the_bias_falls_strictly_with_distance_and_is_0_at_0(variant, p, a):
    row = variant([0], np.arange(50), 1, p=p, a=a)[0, 0]
    assert row[0] == 0
    assert not np.signbit(row[0])
    assert (np.diff(row) < 0).all()


@given(variants, starts, rates, rates)
def test_before_and_after_are_the_same(variant, k, p, a):
    back, ahead = variant([0], [-k, k], 1, p=p, a=a)[0, 0]
    assert back == ahead


@given(st.integers(1, 20), starts, starts)
def test_the_power_1_is_symmetric_alibi(num_heads, m, n):
    queries, keys = m + np.arange(3), n + np.arange(4)
    np.testing.assert_array_equal(
        kerple.power_bias(queries, keys, num_heads, p=1, a=alibi.slopes(num_heads)),
        alibi.bias(queries, keys, num_heads, symmetric=True),
    )


@given(rates, rates, st.integers(1, 1000))
def test_attention_to_a_key_falls_like_a_power_under_the_logarithm(p, a, distance):
    """exp(bias) = (1 + a d) ** -p: far beyond 1/a, twice as far is 2**-p as much."""
    weight = math.exp(kerple.log_bias([0], [distance], 1, p=p, a=a)[0, 0, 0])
    assert weight == pytest.approx((1 + a * distance) ** -p, rel=1e-12)


@given(variants, rates, rates, st.integers(0, 2**32 - 1))
def test_the_kernel_is_conditionally_positive_definite(variant, p, a, seed):
    """c' K c >= 0 for every c that sums to 0: Chi et al. (2022), definition 1."""
    rng = np.random.default_rng(seed)
    x = np.sort(rng.uniform(0, 20, 8))
    c = rng.normal(size=8)
    c -= c.mean()
    kernel = variant(x, x, 1, p=p, a=a)[0]
    assert c @ kernel @ c >= -1e-9 * np.abs(kernel).max()


def test_beyond_the_power_2_it_would_be_no_such_kernel():
    x, c = np.arange(5), np.array([1, -4, 6, -4, 1])  # a fourth difference
    cubic = -(np.abs(x - x[:, None]) ** 3.0)
    assert c @ cubic @ c < 0
    with pytest.raises(ValueError, match="p must be at most 2, got 3"):
        kerple.power_bias(x, x, 1, p=3, a=1)


# --- Golden numbers ----------------------------------------------------------------------------


def test_golden_all_reference_values(schemes_golden):
    cases = {
        "log_p1_a1": (kerple.log_bias, 1, 1),
        "log_p2_a0.5": (kerple.log_bias, 2, 0.5),
        "power_p0.5_a1": (kerple.power_bias, 0.5, 1),
    }
    assert set(schemes_golden["kerple"]) == set(cases)
    for name, values in schemes_golden["kerple"].items():
        variant, p, a = cases[name]
        for distance, want in values.items():
            for key in (-int(distance), int(distance)):
                got = variant([0], [key], 1, p=p, a=a)[0, 0, 0]
                np.testing.assert_array_max_ulp(got, want, maxulp=4)


# --- Edge values -------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
def test_consecutive_positions_give_a_small_read_only_view(variant):
    tracemalloc.start()
    bias = variant(np.arange(8192), np.arange(8192), 32, p=1.5, a=0.3)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert bias.shape == (32, 8192, 8192)
    assert peak < 20e6  # dense: 17 GB
    assert not bias.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        bias[0, 0, 0] = 1


@pytest.mark.parametrize("variant", VARIANTS)
def test_other_positions_give_a_read_only_array_too(variant):
    bias = variant([0, 5, 2.5], [1, 1], 2, p=1, a=1)
    assert bias.shape == (2, 3, 2)
    assert bias.dtype == np.float64
    assert not bias.flags.writeable


@pytest.mark.parametrize("variant", VARIANTS)
def test_one_number_for_all_heads_or_one_for_each(variant):
    queries, keys = [0, 1], [0, 1, 2]
    np.testing.assert_array_equal(
        variant(queries, keys, 3, p=0.5, a=[2]), variant(queries, keys, 3, p=[0.5] * 3, a=[2] * 3)
    )
    each = variant(queries, keys, 2, p=[0.5, 2], a=[1, 3])
    for head, (p, a) in enumerate([(0.5, 1), (2, 3)]):
        np.testing.assert_array_equal(each[head], variant(queries, keys, 1, p=p, a=a)[0])


def test_small_rates_keep_their_digits():
    """ln(1 + x) of a small x; the plain logarithm would give 0."""
    got = kerple.log_bias([0], [1], 1, p=1, a=1e-20)[0, 0, 0]
    assert got == -1e-20


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_farthest_positions_are_finite(variant):
    assert np.isfinite(variant([-(2**28)], [2**28], 1, p=2, a=2)).all()


@pytest.mark.parametrize("variant", VARIANTS)
def test_inputs_may_be_read_only_and_strided_and_are_never_changed(variant):
    positions = np.arange(8)[::2]
    p = np.array([1, 0, 2.0])[::2]
    copies = positions.copy(), p.copy()
    positions.flags.writeable = p.flags.writeable = False
    got = variant(positions, positions, 2, p=p, a=p)
    np.testing.assert_array_equal(got, variant(copies[0], copies[0], 2, p=copies[1], a=copies[1]))
    np.testing.assert_array_equal(p, copies[1])


# --- Errors ------------------------------------------------------------------------------------

GOOD = {"query_positions": [0, 1], "key_positions": [0, 1, 2], "num_heads": 2, "p": 1, "a": 1}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"query_positions": 0}, ValueError, r"query_positions must have shape \(T,\)"),
        ({"query_positions": [[0]]}, ValueError, r"query_positions must have shape \(T,\)"),
        ({"key_positions": []}, ValueError, "key_positions must not be empty"),
        ({"key_positions": [np.nan]}, ValueError, "key_positions must be finite"),
        ({"key_positions": [2**62]}, ValueError, r"key_positions must lie within \+-2\*\*28"),
        ({"key_positions": None}, TypeError, "key_positions must be numbers"),
        ({"num_heads": 0}, ValueError, "num_heads must be at least 1, got 0"),
        ({"num_heads": 2.0}, TypeError, "num_heads must be an integer, got 2.0"),
        ({"p": 0}, ValueError, "p must be greater than 0, got 0.0"),
        ({"p": [1, -1]}, ValueError, "p must be greater than 0, got -1.0"),
        ({"p": [1, 1, 1]}, ValueError, r"p of shape \(3,\) must broadcast to \(2,\)"),
        ({"p": [[1, 1]]}, ValueError, r"p of shape \(1, 2\) must broadcast to \(2,\)"),
        ({"p": []}, ValueError, r"p of shape \(0,\) must broadcast to \(2,\)"),
        ({"p": np.nan}, ValueError, "p must be finite, got nan"),
        ({"p": "1"}, TypeError, "p must be numbers"),
        ({"a": 0}, ValueError, "a must be greater than 0, got 0.0"),
        ({"a": -0.5}, ValueError, "a must be greater than 0, got -0.5"),
        ({"a": np.inf}, ValueError, "a must be finite, got inf"),
        ({"a": True}, TypeError, "a must be numbers"),
        ({"a": None}, TypeError, "a must be numbers"),
        ({"a": 1e308, "key_positions": [9]}, ValueError, "p and a must be small enough"),
    ],
)
def test_what_is_wrong_is_named(variant, change, error, message):
    with pytest.raises(error, match=message):
        variant(**(GOOD | change))


def test_p_and_a_must_be_written_out():
    for variant in VARIANTS:
        with pytest.raises(TypeError, match="p"):
            variant([0], [0], 1, 1, 1)
