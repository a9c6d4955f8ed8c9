"""pe_lib.attention against its definition (Vaswani et al. 2017, equation 1)."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from pe_lib import attention

seeds = st.integers(0, 2**32 - 1)
sizes = st.integers(1, 6)
scores_2d = hnp.arrays(
    np.float64, hnp.array_shapes(min_dims=2, max_dims=2, max_side=6), elements=st.floats(-50, 50)
)


def _qkv(seed, tq, tk, dim, value_dim=3):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(tq, dim)), rng.normal(size=(tk, dim)), rng.normal(size=(tk, value_dim))


# --- Oracle: plain loops -----------------------------------------------------------------------


def _oracle(q, k, v, bias=None, mask=None):
    outputs = []
    for i, query in enumerate(q):
        powers = []
        for j, key in enumerate(k):
            score = sum(a * b for a, b in zip(query, key, strict=True)) / math.sqrt(len(query))
            score += 0 if bias is None else bias[i][j]
            powers.append(math.exp(score) if mask is None or mask[i][j] else 0.0)
        row = [power / sum(powers) for power in powers]
        outputs.append([sum(a * b for a, b in zip(row, c, strict=True)) for c in v.T])
    return outputs


@pytest.mark.parametrize("with_bias", [False, True])
@pytest.mark.parametrize("with_mask", [False, True])
def test_oracle_a_plain_loop(with_bias, with_mask):
    """In the book: eq-attention."""
    q, k, v = _qkv(0, 4, 5, 8)
    bias = np.random.default_rng(1).normal(size=(4, 5)) if with_bias else None
    mask = np.random.default_rng(2).random((4, 5)) < 0.7 if with_mask else None
    got = attention.attention(q, k, v, bias=bias, mask=mask)
    np.testing.assert_allclose(got, _oracle(q, k, v, bias, mask), rtol=1e-13, atol=1e-14)


# --- Properties --------------------------------------------------------------------------------


@given(scores_2d, st.sampled_from([0, 1, -1]))
def test_softmax_is_positive_and_sums_to_one(scores, axis):
    powers = attention.softmax(scores, axis=axis)
    assert powers.shape == scores.shape
    assert (powers >= 0).all()
    np.testing.assert_allclose(powers.sum(axis=axis), 1, rtol=1e-14)


@given(scores_2d, st.floats(-100, 100))
def test_softmax_does_not_see_a_shift_of_all_scores(scores, shift):
    np.testing.assert_allclose(
        attention.softmax(scores + shift), attention.softmax(scores), rtol=1e-12, atol=1e-15
    )


@given(scores_2d)
def test_softmax_keeps_ratios_exponential(scores):
    """In the book: eq-softmax."""
    powers = attention.softmax(scores)
    ratio = np.exp(scores - scores[:, :1])
    np.testing.assert_allclose(powers / powers[:, :1], ratio, rtol=1e-12, atol=1e-300)


@given(seeds, sizes, sizes, sizes)
def test_rows_of_weights_are_non_negative_and_sum_to_one(seed, tq, tk, dim):
    q, k, _ = _qkv(seed, tq, tk, dim)
    weights = attention.weights(q, k)
    assert weights.shape == (tq, tk)
    assert (weights >= 0).all()
    np.testing.assert_allclose(weights.sum(axis=-1), 1, rtol=1e-14)


@given(seeds, sizes, sizes)
def test_self_attention_is_permutation_equivariant(seed, length, dim):
    """In the book: thm-equivariance, eq-equivariance."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(length, dim))
    w_q, w_k, w_v = rng.normal(size=(3, dim, dim))
    order = rng.permutation(length)

    def layer(x):
        return attention.attention(x @ w_q, x @ w_k, x @ w_v)

    np.testing.assert_allclose(layer(x[order]), layer(x)[order], rtol=1e-10, atol=1e-12)


@given(seeds, sizes, sizes, sizes)
def test_the_order_of_keys_and_values_does_not_matter(seed, tq, tk, dim):
    q, k, v = _qkv(seed, tq, tk, dim)
    order = np.random.default_rng(seed).permutation(tk)
    np.testing.assert_allclose(
        attention.attention(q, k[order], v[order]), attention.attention(q, k, v), atol=1e-12
    )


def test_a_causal_layer_is_not_permutation_equivariant():
    x = np.random.default_rng(0).normal(size=(3, 2))
    order = [2, 0, 1]
    mask = attention.causal_mask(3)

    def layer(x):
        return attention.attention(x, x, x, mask=mask)

    assert np.abs(layer(x[order]) - layer(x)[order]).max() > 0.1


@given(seeds, sizes, sizes, sizes)
def test_a_bias_that_is_the_same_for_all_keys_changes_nothing(seed, tq, tk, dim):
    q, k, _ = _qkv(seed, tq, tk, dim)
    bias = np.random.default_rng(seed).normal(size=(tq, 1))
    np.testing.assert_allclose(
        attention.weights(q, k, bias=bias), attention.weights(q, k), rtol=1e-12
    )


@given(seeds, sizes, sizes, sizes)
def test_a_mask_is_attention_to_the_allowed_keys_alone(seed, tq, tk, dim):
    q, k, v = _qkv(seed, tq, tk, dim)
    allowed = np.random.default_rng(seed).random(tk) < 0.5
    allowed[0] = True
    masked = attention.weights(q, k, mask=allowed)
    assert (masked[:, ~allowed] == 0).all()
    np.testing.assert_allclose(
        attention.attention(q, k, v, mask=allowed),
        attention.attention(q, k[allowed], v[allowed]),
        rtol=1e-12,
        atol=1e-14,
    )


@given(st.integers(1, 8), st.integers(0, 8))
def test_the_causal_mask_is_its_definition(length, past_length):
    mask = attention.causal_mask(length, past_length=past_length)
    assert mask.dtype == bool
    assert mask.shape == (length, past_length + length)
    for i, j in np.ndindex(mask.shape):
        assert mask[i, j] == (j <= past_length + i)


@given(st.integers(1, 6), st.integers(0, 6))
def test_the_mask_with_a_cache_is_the_last_rows_of_the_whole_mask(length, past_length):
    whole = attention.causal_mask(past_length + length)
    np.testing.assert_array_equal(
        attention.causal_mask(length, past_length=past_length), whole[past_length:]
    )


# --- Golden numbers ----------------------------------------------------------------------------


def test_golden_attention(golden):
    for case in golden["attention"]:
        got = attention.attention(case["q"], case["k"], case["v"])
        np.testing.assert_allclose(got, case["want"], rtol=1e-14, atol=1e-15)


# --- Edge values -------------------------------------------------------------------------------


def test_softmax_bears_scores_of_any_finite_size():
    assert attention.softmax([1e308, -1e308]).tolist() == [1, 0]
    assert attention.softmax([1e308, 1e308]).tolist() == [0.5, 0.5]
    assert attention.softmax(np.array([6e4, -6e4], np.float16)).tolist() == [1, 0]


def test_weights_of_float16_do_not_overflow_on_the_way():
    q = np.full((2, 4), 300, np.float16)  # the scores are 180,000, beyond float16
    weights = attention.weights(q, q)
    assert weights.dtype == np.float16
    assert weights.tolist() == [[0.5, 0.5], [0.5, 0.5]]


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_the_kind_of_float_is_kept(dtype):
    q, k, v = (array.astype(dtype) for array in _qkv(0, 3, 4, 8))
    assert attention.softmax(q).dtype == dtype
    assert attention.weights(q, k).dtype == dtype
    got = attention.attention(q, k, v)
    exact = attention.attention(*(array.astype(np.float64) for array in (q, k, v)))
    assert got.dtype == dtype
    np.testing.assert_allclose(got, exact, rtol=0, atol=8 * np.finfo(dtype).eps)


def test_integers_become_float64():
    assert attention.softmax([1, 2]).dtype == np.float64
    assert attention.weights([[1, 0]], [[1, 0]]).dtype == np.float64


def test_one_key_takes_everything():
    q, k, v = _qkv(0, 3, 1, 4)
    np.testing.assert_array_equal(attention.attention(q, k, v), np.repeat(v, 3, axis=0))


def test_a_forbidden_key_gets_nothing_however_low_the_allowed_scores_are():
    got = attention.weights([[1e6]], [[-1e6], [1e6]], mask=[[True, False]])
    assert got.tolist() == [[1, 0]]


def test_leading_axes_broadcast():
    rng = np.random.default_rng(0)
    q, k, v = rng.normal(size=(2, 3, 4, 5)), rng.normal(size=(3, 6, 5)), rng.normal(size=(6, 2))
    bias, mask = rng.normal(size=(3, 1, 6)), attention.causal_mask(4, past_length=2)
    got = attention.attention(q, k, v, bias=bias, mask=mask)
    assert got.shape == (2, 3, 4, 2)
    for batch, head in np.ndindex(2, 3):
        want = attention.attention(q[batch, head], k[head], v, bias=bias[head], mask=mask)
        np.testing.assert_allclose(got[batch, head], want, rtol=1e-13)


def test_a_mask_may_be_a_nested_list_or_a_single_truth():
    q, k, _ = _qkv(0, 1, 2, 4)
    assert attention.weights(q, k, mask=[[True, False]]).tolist() == [[1, 0]]
    np.testing.assert_array_equal(attention.weights(q, k, mask=True), attention.weights(q, k))


def test_inputs_may_be_read_only_and_strided_and_are_never_changed():
    rng = np.random.default_rng(0)
    inputs = {name: rng.normal(size=(8, 6))[::2, ::-3] for name in ("q", "k", "v")}
    inputs |= {"bias": rng.normal(size=(4, 8))[:, ::2], "mask": attention.causal_mask(8)[::2, ::2]}
    copies = {name: array.copy() for name, array in inputs.items()}
    for array in inputs.values():
        array.flags.writeable = False
    np.testing.assert_allclose(
        attention.attention(**inputs), attention.attention(**copies), rtol=1e-13
    )
    np.testing.assert_array_equal(attention.softmax(inputs["q"]), attention.softmax(copies["q"]))
    for name, array in inputs.items():
        np.testing.assert_array_equal(array, copies[name])


# --- Errors ------------------------------------------------------------------------------------

GOOD = {"q": np.ones((2, 4)), "k": np.ones((3, 4)), "v": np.ones((3, 5))}


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"q": np.ones(4)}, ValueError, r"q must have at least 2 axes, got shape \(4,\)"),
        ({"k": np.ones((3, 5))}, ValueError, r"same number of channels, got shapes \(2, 4\)"),
        ({"k": np.ones((0, 4))}, ValueError, "k must not be empty"),
        ({"v": np.ones((2, 5))}, ValueError, "v must have one row per key, got 2 rows for 3 keys"),
        ({"v": np.ones(3)}, ValueError, "v must have at least 2 axes"),
        ({"q": np.full((2, 4), np.nan)}, ValueError, "q must be finite, got nan"),
        ({"v": np.full((3, 5), np.inf)}, ValueError, "v must be finite, got inf"),
        ({"q": np.ones((2, 4), bool)}, TypeError, "q must be numbers"),
        ({"k": "keys"}, TypeError, "k must be numbers"),
        ({"v": None}, TypeError, "v must be numbers"),
        ({"q": np.full((2, 4), 1e200), "k": np.full((3, 4), 1e200)}, ValueError, "no score over"),
        (
            {"q": np.ones((2, 2, 4)), "k": np.ones((3, 3, 4))},
            ValueError,
            "leading axes of q and k must broadcast",
        ),
        (
            {"q": np.ones((2, 2, 4)), "v": np.ones((3, 3, 5))},
            ValueError,
            "leading axes of the weights and of v must broadcast",
        ),
        ({"bias": np.ones((3, 2))}, ValueError, r"bias of shape \(3, 2\) must broadcast to"),
        ({"bias": np.ones((7, 2, 3))}, ValueError, r"must broadcast to \(2, 3\)"),
        ({"bias": np.full((2, 3), -np.inf)}, ValueError, "bias must be finite, got -inf"),
        ({"bias": np.ones((2, 3), bool)}, TypeError, "bias must be numbers"),
        ({"mask": np.ones((3, 2), bool)}, ValueError, r"mask of shape \(3, 2\) must broadcast to"),
        ({"mask": np.ones((2, 3))}, TypeError, "mask must be boolean, got float64"),
        ({"mask": [[1, 0, 1]]}, TypeError, "mask must be boolean, got int"),
        ({"mask": [[True], [True, False]]}, TypeError, "mask must be an array of booleans"),
        ({"mask": np.zeros((2, 3), bool)}, ValueError, "mask must leave every query at least one"),
        ({"mask": [[True] * 3, [False] * 3]}, ValueError, "mask must leave every query"),
    ],
)
def test_what_is_wrong_with_attention_is_named(change, error, message):
    with pytest.raises(error, match=message):
        attention.attention(**(GOOD | change))


@pytest.mark.parametrize(
    ("scores", "error", "message"),
    [
        ([], ValueError, "scores must not be empty"),
        (1.0, ValueError, "scores must have at least 1 axes"),
        ([0, -np.inf], ValueError, "scores must be finite, got -inf"),
        ([0, np.nan], ValueError, "scores must be finite, got nan"),
        ([1j], TypeError, "scores must be numbers"),
        (["1"], TypeError, "scores must be numbers"),
    ],
)
def test_what_is_wrong_with_scores_is_named(scores, error, message):
    with pytest.raises(error, match=message):
        attention.softmax(scores)


def test_an_axis_that_is_not_there_is_an_error():
    with pytest.raises(ValueError, match="axis must be less than 1, got 3"):
        attention.softmax([1.0, 2.0], axis=3)


@pytest.mark.parametrize(
    ("length", "past_length", "error", "message"),
    [
        (0, 0, ValueError, "length must be at least 1, got 0"),
        (-3, 0, ValueError, "length must be at least 1, got -3"),
        (2.0, 0, TypeError, "length must be an integer, got 2.0"),
        (2**62, 0, ValueError, r"length must be less than 2\*\*31"),
        (1, -1, ValueError, "past_length must be at least 0, got -1"),
        (1, 2**62, ValueError, r"past_length must be less than 2\*\*31"),
        (1, None, TypeError, "past_length must be an integer, got None"),
    ],
)
def test_what_is_wrong_with_a_length_is_named(length, past_length, error, message):
    with pytest.raises(error, match=message):
        attention.causal_mask(length, past_length=past_length)
