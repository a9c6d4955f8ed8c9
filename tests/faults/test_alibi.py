"""Faults seen in the wild: slopes that no checkpoint knows, biases that reward the future."""

import numpy as np
import pytest

from pe_lib import alibi, attention

HEADS = [*range(1, 17), 20, 32, 40, 71, 112]

# --- Slopes ------------------------------------------------------------------------------------


def property_slopes_are_those_that_checkpoints_are_trained_with(slopes):
    """H heads: all slopes of the next lower power of two, then every second one of the next."""
    for num_heads in HEADS:
        got = np.asarray(slopes(num_heads))
        assert got.shape == (num_heads,)
        power = max(p for p in (1, 2, 4, 8, 16, 32, 64) if p <= num_heads)
        for h in range(num_heads):
            exponent = 8 * (h + 1) / power if h < power else 4 * (2 * (h - power) + 1) / power
            assert got[h] == pytest.approx(2**-exponent, rel=1e-14)


def by_the_letter(num_heads):
    """The paper's formula, which it gives for powers of two, for any number."""
    return 2.0 ** (-8 * np.arange(1, num_heads + 1) / num_heads)


def in_order(num_heads):
    return np.sort(alibi.slopes(num_heads))[::-1]


def without_the_jump(num_heads):
    """The first of the slopes for the next higher power of two."""
    power = 1 << (num_heads - 1).bit_length()
    return alibi.slopes(power)[:num_heads]


def every_odd_one_first(num_heads):
    power = 1 << (num_heads - 1).bit_length()
    doubled = alibi.slopes(power)
    return np.concatenate([doubled[0::2], doubled[1::2]])[:num_heads]


def even_ones_in_the_rest(num_heads):
    power = 2 ** (num_heads.bit_length() - 1)
    rest = alibi.slopes(2 * power)[1::2][: num_heads - power]
    return np.concatenate([alibi.slopes(power), rest])


def from_exponent_0(num_heads):
    return alibi.slopes(num_heads) * 2 ** (8 / 2 ** (num_heads.bit_length() - 1))


def powers_of_two_alone(num_heads):
    """A kernel that stops at any other number, by an assertion of its own."""
    assert num_heads & (num_heads - 1) == 0
    return alibi.slopes(num_heads)


@pytest.mark.parametrize(
    "faulty",
    [
        by_the_letter,
        in_order,
        without_the_jump,
        every_odd_one_first,
        even_ones_in_the_rest,
        from_exponent_0,
        powers_of_two_alone,
    ],
)
def test_slopes_for_any_number_of_heads_keep_the_order_of_their_checkpoints(faulty):
    """The formula for powers of two used for all, the others "mended" into one falling row, left
    out, or numbered from zero. The jump at head 9 of 12 is meant.

    ml-explore/mlx#343, #3071; NVIDIA/TensorRT-LLM#1611; ofirpress/attention_with_linear_biases#17;
    baichuan-inc/Baichuan2#225; antofuller/CROMA#12; ggml-org/llama.cpp#3426.
    """
    property_slopes_are_those_that_checkpoints_are_trained_with(alibi.slopes)
    with pytest.raises(AssertionError):
        property_slopes_are_those_that_checkpoints_are_trained_with(faulty)


def test_the_reported_slopes():
    assert by_the_letter(12)[[0, 1, -1]].round(5).tolist() == [0.62996, 0.39685, 0.00391]
    assert alibi.slopes(12)[[0, 7]].round(5).tolist() == [0.5, 0.00391]
    assert alibi.slopes(12)[8:].round(5).tolist() == [0.70711, 0.35355, 0.17678, 0.08839]
    assert by_the_letter(40)[-1].round(5) == 0.00391
    assert alibi.slopes(40)[-1].round(4) == 0.2726


@pytest.mark.parametrize("faulty", [by_the_letter, in_order, without_the_jump, powers_of_two_alone])
def test_powers_of_two_alone_show_none_of_these(faulty):
    for num_heads in (1, 2, 4, 8, 16, 32):
        np.testing.assert_allclose(faulty(num_heads), alibi.slopes(num_heads), rtol=1e-14)


# --- Biases ------------------------------------------------------------------------------------


def property_a_causal_bias_weighs_keys_down_by_their_distance(bias):
    """Under a causal mask and with equal scores a token back costs the factor exp(-slope)."""
    for num_heads in (1, 2, 8, 12):
        for length in (2, 3, 6):
            added = bias(length, num_heads)
            weights = attention.softmax(
                np.where(attention.causal_mask(length), added, -1e9) + np.zeros((length, length))
            )
            for h, slope in enumerate(alibi.slopes(num_heads)):
                for m in range(1, length):
                    ratios = weights[h, m, :m] / weights[h, m, 1 : m + 1]
                    np.testing.assert_allclose(ratios, np.exp(-slope), rtol=1e-9)


def of_offsets(length, num_heads):
    return alibi.bias(range(length), range(length), num_heads)


def one_row_for_all_queries(length, num_heads):
    return alibi.bias([0], range(length), num_heads)


def one_row_that_ends_at_0(length, num_heads):
    return alibi.bias([length - 1], range(length), num_heads)


def of_the_query(length, num_heads):
    """The same for all keys, so that softmax takes it away: no bias at all."""
    return alibi.slopes(num_heads)[:, None, None] * np.arange(1, length + 1)[:, None]


def a_slope_for_each_query(length, num_heads):
    """Slopes and rows confused: head and query index exchanged."""
    rows = alibi.slopes(max(length, num_heads))[:length, None] * np.arange(length)
    return np.broadcast_to(rows, (num_heads, length, length))


def rewards_distance(length, num_heads):
    return -of_offsets(length, num_heads)


@pytest.mark.parametrize("ours", [of_offsets, one_row_for_all_queries, one_row_that_ends_at_0])
def test_a_causal_bias_falls_with_distance_at_its_heads_own_slope(ours):
    """Ported biases went by the wrong index and were silently other ones than their checkpoints';
    the single row of the published code is right, though it looks wrong.

    ggml-org/ggml#143; mosaicml/llm-foundry#186.
    """
    property_a_causal_bias_weighs_keys_down_by_their_distance(ours)
    for faulty in (of_the_query, a_slope_for_each_query, rewards_distance):
        with pytest.raises(AssertionError):
            property_a_causal_bias_weighs_keys_down_by_their_distance(faulty)


def property_an_encoders_bias_treats_both_sides_alike_and_rewards_nothing(bias):
    for num_heads in (1, 8, 12):
        for length in (1, 2, 5):
            added = np.broadcast_to(bias(length, num_heads), (num_heads, length, length))
            assert (added <= 0).all()
            np.testing.assert_array_equal(added, added.swapaxes(1, 2))
            for h, slope in enumerate(alibi.slopes(num_heads)):
                np.testing.assert_allclose(added[h, 0], -slope * np.arange(length), rtol=1e-14)


@pytest.mark.parametrize("faulty", [of_offsets, one_row_for_all_queries, one_row_that_ends_at_0])
def test_an_encoder_needs_the_symmetric_form(faulty):
    """A form that is right under a causal mask was used without one: later keys were rewarded.

    ofirpress/attention_with_linear_biases#5; lucidrains/x-transformers#88.
    """

    def ours(length, num_heads):
        return alibi.bias(range(length), range(length), num_heads, symmetric=True)

    property_an_encoders_bias_treats_both_sides_alike_and_rewards_nothing(ours)
    with pytest.raises(AssertionError):
        property_an_encoders_bias_treats_both_sides_alike_and_rewards_nothing(faulty)


def test_the_reported_reward():
    slope = alibi.slopes(8)[0]
    assert alibi.bias([0], [3], 8)[0].tolist() == [[3 * slope]]
    assert alibi.bias([0], [3], 8, symmetric=True)[0].tolist() == [[-3 * slope]]
