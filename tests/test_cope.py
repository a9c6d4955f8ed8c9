"""pe_lib.cope against its definition (Golovneva et al. 2024, section 4)."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pe_lib import attention, cope

seeds = st.integers(0, 2**32 - 1)
lengths = st.integers(1, 8)


def draw(seed, length=6, dim=4, positions=5, leading=()):
    """Random queries, keys and position embeddings, and the causal mask."""
    rng = np.random.default_rng(seed)
    q, k = rng.normal(size=(2, *leading, length, dim))
    return q, k, rng.normal(size=(positions, dim)), attention.causal_mask(length)


# --- Oracle: plain loops -----------------------------------------------------------------------


def _oracle_positions(q, k, mask):
    counts = np.zeros((len(q), len(k)))
    for i, j in np.ndindex(counts.shape):
        for n in range(j, len(k)):
            if mask[i][n]:
                score = sum(a * b for a, b in zip(q[i], k[n], strict=True)) / math.sqrt(len(q[i]))
                counts[i, j] += 1 / (1 + math.exp(-score))
    return counts


def _oracle_bias(q, k, embeddings, mask):
    last = len(embeddings) - 1
    bias = _oracle_positions(q, k, mask)
    for (i, j), count in np.ndenumerate(bias):
        p = min(count, last)
        low, high = math.floor(p), math.ceil(p)
        e = (p - low) * embeddings[high] + (1 - p + low) * embeddings[low]
        bias[i, j] = q[i] @ e
    return bias


@pytest.mark.parametrize("positions", [1, 2, 3, 20])
def test_oracle_causal_attention(positions):
    q, k, embeddings, mask = draw(0, positions=positions)
    np.testing.assert_allclose(
        cope.positions(q, k, mask=mask), _oracle_positions(q, k, mask), rtol=0, atol=1e-14
    )
    np.testing.assert_allclose(
        cope.bias(q, k, embeddings, mask=mask), _oracle_bias(q, k, embeddings, mask), atol=1e-13
    )


def test_oracle_any_mask_and_more_keys_than_queries():
    rng = np.random.default_rng(1)
    q, k, embeddings = rng.normal(size=(3, 4)), rng.normal(size=(7, 4)), rng.normal(size=(4, 4))
    mask = rng.random((3, 7)) < 0.6
    np.testing.assert_allclose(
        cope.bias(q, k, embeddings, mask=mask), _oracle_bias(q, k, embeddings, mask), atol=1e-13
    )


# --- Properties --------------------------------------------------------------------------------


@given(st.integers(1, 12), st.integers(1, 15), seeds)
def test_counting_every_token_is_counting_positions(length, positions, seed):
    """With all gates open CoPE is a relative encoding of the distance plus 1, up to its end."""
    rng = np.random.default_rng(seed)
    q, k, embeddings = (
        np.ones((length, 2)),
        np.full((length, 2), 1e3),
        rng.normal(size=(positions, 2)),
    )
    got = cope.bias(q, k, embeddings, mask=attention.causal_mask(length))
    for i, j in zip(*np.tril_indices(length), strict=True):
        want = q[i] @ embeddings[min(i - j + 1, positions - 1)]
        assert got[i, j] == pytest.approx(want, abs=1e-12)


@given(lengths, seeds)
def test_keys_that_are_not_counted_do_not_move_those_before_them(length, seed):
    q, k, embeddings, _ = draw(seed, length)
    q[:] = q[0]
    ignored = -1e4 * q[:1]  # its gate is closed: sigma of a large negative score
    longer = np.insert(k, length - 1, ignored, axis=0)
    short = cope.bias(q[-1:], k, embeddings, mask=np.ones((1, length), bool))
    long = cope.bias(q[-1:], longer, embeddings, mask=np.ones((1, length + 1), bool))
    np.testing.assert_allclose(np.delete(long, length - 1, axis=1), short, rtol=0, atol=1e-12)


@given(lengths, seeds)
def test_a_key_farther_back_is_never_at_a_smaller_position(length, seed):
    q, k, _, mask = draw(seed, length)
    counts = cope.positions(q, k, mask=mask)
    assert (np.diff(counts, axis=-1) <= 0).all()
    distance = np.arange(length)[:, None] - np.arange(length)
    assert (counts[mask] <= distance[mask] + 1).all()
    assert (counts[mask] > 0).all()
    assert (counts[~mask] == 0).all()


@given(lengths, seeds)
def test_what_the_mask_hides_changes_nothing_that_it_shows(length, seed):
    """Mask before the sigmoid: a later token must not be counted (no look into the future)."""
    q, k, embeddings, mask = draw(seed, length)
    before = cope.bias(q, k, embeddings, mask=mask)
    k[-1] += 10
    after = cope.bias(q, k, embeddings, mask=mask)
    np.testing.assert_array_equal(after[:-1], before[:-1])


@given(st.integers(2, 8), seeds)
def test_one_query_with_a_cache_gives_the_last_row(length, seed):
    q, k, embeddings, mask = draw(seed, length)
    full = cope.bias(q, k, embeddings, mask=mask)
    step = cope.bias(q[-1:], k, embeddings, mask=attention.causal_mask(1, past_length=length - 1))
    np.testing.assert_allclose(step, full[-1:], rtol=0, atol=1e-12)


@given(lengths, seeds)
def test_the_bias_is_linear_in_the_embeddings(length, seed):
    q, k, embeddings, mask = draw(seed, length)
    other = embeddings[::-1]
    np.testing.assert_allclose(
        cope.bias(q, k, 2 * embeddings - other, mask=mask),
        2 * cope.bias(q, k, embeddings, mask=mask) - cope.bias(q, k, other, mask=mask),
        atol=1e-12,
    )


# --- Golden numbers ----------------------------------------------------------------------------


def test_golden_two_tokens_by_hand():
    """Scores 2 ln 3 / sqrt(4) = ln 3 open a gate by 3/4."""
    q, k = np.full((2, 4), 0.5), np.full((2, 4), math.log(3))
    mask = attention.causal_mask(2)
    np.testing.assert_allclose(cope.positions(q, k, mask=mask), [[0.75, 0], [1.5, 0.75]])
    embeddings = np.outer([0, 1, 10], np.ones(4))  # times q: 0, 2, 20
    np.testing.assert_allclose(cope.bias(q, k, embeddings, mask=mask), [[1.5, 0], [11, 1.5]])


# --- Edge values -------------------------------------------------------------------------------


def test_a_position_beyond_the_last_embedding_takes_the_last():
    q, k, embeddings, mask = draw(0, length=40, positions=3)
    k[:] = 100 * q.mean(axis=0)
    q[:] = q.mean(axis=0)
    got = cope.bias(q, k, embeddings, mask=mask)
    np.testing.assert_allclose(got[-1, :30], q[0] @ embeddings[2], rtol=1e-12)


def test_huge_scores_open_and_close_gates_without_a_warning():
    q, k = np.array([[1e150], [-1e150]]), np.array([[1e150], [1e150]])
    counts = cope.positions(q, k, mask=np.ones((2, 2), bool))
    assert counts.tolist() == [[2, 1], [0, 0]]


def test_leading_axes_are_heads_one_by_one_and_may_broadcast():
    q, k, embeddings, mask = draw(0, leading=(2, 3))
    got = cope.bias(q, k, embeddings, mask=mask)
    assert got.shape == (2, 3, 6, 6)
    for index in np.ndindex(2, 3):
        one = cope.bias(q[index], k[index], embeddings, mask=mask)
        np.testing.assert_allclose(got[index], one, rtol=0, atol=1e-13)
    shared = cope.bias(q[0, 0], k[0], embeddings, mask=mask)  # one query for three heads of keys
    for head in range(3):
        one = cope.bias(q[0, 0], k[0, head], embeddings, mask=mask)
        np.testing.assert_allclose(shared[head], one, rtol=0, atol=1e-13)


def test_the_bias_is_float64_and_read_only():
    q, k, embeddings, mask = (x.astype(np.float16) if x.dtype != bool else x for x in draw(0))
    got = cope.bias(q, k, embeddings, mask=mask)
    assert got.dtype == np.float64
    assert not got.flags.writeable
    exact = cope.bias(*(x.astype(np.float64) for x in (q, k, embeddings)), mask=mask)
    np.testing.assert_array_equal(got, exact)


def test_the_bias_goes_into_attention():
    q, k, embeddings, mask = draw(0)
    got = attention.weights(q, k, bias=cope.bias(q, k, embeddings, mask=mask), mask=mask)
    np.testing.assert_allclose(got.sum(axis=-1), 1)


def test_inputs_may_be_read_only_and_strided_and_are_never_changed():
    inputs = [np.repeat(x, 2, axis=-1)[..., ::2] for x in draw(0)]
    copies = [x.copy() for x in inputs]
    for array in inputs:
        array.flags.writeable = False
    got = cope.bias(*inputs[:3], mask=inputs[3])
    want = cope.bias(*copies[:3], mask=copies[3])
    np.testing.assert_allclose(
        got, want, rtol=1e-13, atol=1e-13
    )  # products may sum in another order
    for array, copy in zip(inputs, copies, strict=True):
        np.testing.assert_array_equal(array, copy)


# --- Errors ------------------------------------------------------------------------------------

GOOD = dict(zip(("q", "k", "embeddings", "mask"), draw(0), strict=True))
SHARED = [
    ({"q": np.ones(4)}, ValueError, "q must have at least 2 axes"),
    ({"q": np.ones((6, 0))}, ValueError, "q must not be empty"),
    ({"q": np.full((6, 4), np.nan)}, ValueError, "q must be finite, got nan"),
    ({"q": np.ones((6, 4), complex)}, TypeError, "q must be numbers"),
    ({"q": None}, TypeError, "q must be numbers"),
    ({"q": np.zeros((6, 4), "V2")}, TypeError, "q must be numbers"),
    ({"k": np.ones((6, 3))}, ValueError, "q and k must have the same number of channels"),
    ({"k": np.ones((2, 6, 4)), "q": np.ones((3, 6, 4))}, ValueError, "leading axes of q and k"),
    ({"k": np.full((6, 4), np.inf)}, ValueError, "k must be finite, got inf"),
    ({"k": [[1.0], [1.0, 2.0]]}, TypeError, "k must be an array of numbers"),
    ({"k": "text"}, TypeError, "k must be numbers"),
    (
        {"q": np.full((6, 4), 1e200), "k": np.full((6, 4), 1e200)},
        ValueError,
        "q and k must be small enough that no product overflows",
    ),
    ({"mask": np.ones((6, 6))}, TypeError, "mask must be boolean, got float64"),
    ({"mask": None}, TypeError, "mask must be boolean, got object"),
    ({"mask": np.ones((6, 5), bool)}, ValueError, r"mask of shape \(6, 5\) must broadcast"),
    ({"mask": np.ones((2, 6, 6), bool)}, ValueError, r"mask of shape \(2, 6, 6\) must broadcast"),
    ({"mask": [[True], [True, False]]}, TypeError, "mask must be an array of booleans"),
]


@pytest.mark.parametrize(("change", "error", "message"), SHARED)
def test_what_is_wrong_is_named(change, error, message):
    changed = GOOD | change
    with pytest.raises(error, match=message):
        cope.bias(**changed)
    del changed["embeddings"]
    with pytest.raises(error, match=message):
        cope.positions(**changed)


@pytest.mark.parametrize(
    ("embeddings", "error", "message"),
    [
        (np.ones((5, 3)), ValueError, r"embeddings must have shape \(\*, 4\), got \(5, 3\)"),
        (np.ones((2, 5, 4)), ValueError, r"embeddings must have shape \(\*, 4\)"),
        (np.ones(4), ValueError, "embeddings must have at least 2 axes"),
        (np.ones((0, 4)), ValueError, "embeddings must not be empty"),
        (np.full((5, 4), np.nan), ValueError, "embeddings must be finite, got nan"),
        (np.ones((5, 4), bool), TypeError, "embeddings must be numbers"),
        (None, TypeError, "embeddings must be numbers"),
        (np.full((5, 4), 1.7e308), ValueError, "q and embeddings must be small enough"),
    ],
)
def test_what_is_wrong_with_embeddings_is_named(embeddings, error, message):
    with pytest.raises(error, match=message):
        cope.bias(**(GOOD | {"q": np.full((6, 4), 2.0), "embeddings": embeddings}))


def test_the_mask_must_be_written_out():
    with pytest.raises(TypeError, match="mask"):
        cope.bias(np.ones((1, 1)), np.ones((1, 1)), np.ones((1, 1)))
