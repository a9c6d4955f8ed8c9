"""Faults seen in the wild: sinusoidal tables that are none, or another one than was asked for."""

import math

import numpy as np
import pytest

import pe_lib
from pe_lib import sinusoidal

POSITIONS = [0, 1, 2, 7, -3, 100]


def ours(p, dim):
    return sinusoidal.encode(p, dim, layout="interleaved")


# --- The paper's table -------------------------------------------------------------------------


def property_channels_2i_and_2i_plus_1_are_sine_and_cosine_of_one_angle(encode):
    """Vaswani et al. (2017), section 3.5, number by number."""
    for dim in (2, 4, 8, 16):
        for p in POSITIONS:
            code = encode(p, dim)
            for i in range(dim // 2):
                angle = p / 10_000 ** (2 * i / dim)
                want = [math.sin(angle), math.cos(angle)]
                np.testing.assert_allclose(code[2 * i : 2 * i + 2], want, rtol=0, atol=1e-12)


def property_every_shift_is_a_rotation_of_each_pair(encode):
    """The weaker property that a table needs to be one: a shift is linear, whatever the speeds."""
    for dim in (4, 8, 16):
        for k in (1, 5):
            for i in range(dim // 2):
                pairs = [encode(p, dim)[2 * i : 2 * i + 2] for p in POSITIONS]
                moved = [encode(p + k, dim)[2 * i : 2 * i + 2] for p in POSITIONS]
                z = [complex(cos, sin) for sin, cos in pairs]
                turns = [complex(cos, sin) / at for (sin, cos), at in zip(moved, z, strict=True)]
                np.testing.assert_allclose(turns, turns[0], atol=1e-11)
                assert abs(turns[0]) == pytest.approx(1, rel=1e-12)


def sines_before_cosines(p, dim):
    return sinusoidal.encode(p, dim, layout="half")


def by_timescales(p, dim):
    """tensor2tensor's order and exponent."""
    omega = 10_000 ** -(np.arange(dim // 2) / max(dim // 2 - 1, 1))
    return np.concatenate([np.sin(p * omega), np.cos(p * omega)])


def by_timescales_in_pairs(p, dim):
    """The order mended, the exponent not."""
    return by_timescales(p, dim).reshape(2, -1).T.ravel()


def counts_channels(p, dim):
    """2i/d, where i counts channels instead of pairs."""
    angles = p / 10_000 ** (2 * np.arange(dim) / dim)
    return np.where(np.arange(dim) % 2, np.cos(angles), np.sin(angles))


def counts_channels_from_1_in_cosines(p, dim):
    i = np.arange(dim)
    angles = p / 10_000 ** (2 * (i + i % 2) / dim)
    return np.where(i % 2, np.cos(angles), np.sin(angles))


def a_speed_for_every_channel(p, dim):
    angles = p / 10_000 ** (np.arange(dim) / dim)
    return np.where(np.arange(dim) % 2, np.cos(angles), np.sin(angles))


def divided_by_the_divisor(p, dim):
    """Position over base^(-2i/d): the slowest pair turns thousands of radians per token."""
    angles = np.repeat(p / 10_000 ** (-np.arange(0, dim, 2) / dim), 2)
    return np.where(np.arange(dim) % 2, np.cos(angles), np.sin(angles))


@pytest.mark.parametrize(
    "faulty", [sines_before_cosines, by_timescales, by_timescales_in_pairs, divided_by_the_divisor]
)
def test_the_papers_table_is_in_pairs_and_slows_down(faulty):
    """Halves where the paper has pairs, another exponent, or a quotient turned over.

    tensorflow/tensor2tensor#177, #391, #1925; kimiyoung/transformer-xl#119; allenai/allennlp#2993;
    tensorflow/text#1122; harvardnlp/annotated-transformer#131.
    """
    property_channels_2i_and_2i_plus_1_are_sine_and_cosine_of_one_angle(ours)
    with pytest.raises(AssertionError):
        property_channels_2i_and_2i_plus_1_are_sine_and_cosine_of_one_angle(faulty)


@pytest.mark.parametrize(
    "faulty", [counts_channels, counts_channels_from_1_in_cosines, a_speed_for_every_channel]
)
def test_both_channels_of_a_pair_have_one_speed(faulty):
    """The exponent ran over channels: sine and cosine of different angles make no rotation.

    jadore801120/attention-is-all-you-need-pytorch#32; YutaroOgawa/pytorch_advanced#79.
    """
    for prop in (
        property_channels_2i_and_2i_plus_1_are_sine_and_cosine_of_one_angle,
        property_every_shift_is_a_rotation_of_each_pair,
    ):
        prop(ours)
        with pytest.raises(AssertionError):
            prop(faulty)


def test_the_reported_code_of_position_1():
    wrong = counts_channels(1, 4)
    np.testing.assert_allclose(wrong, [0.8415, 0.99995, 0.0001, 1.0], atol=5e-5)
    np.testing.assert_allclose(ours(1, 4), [0.8415, 0.5403, 0.01, 0.99995], atol=5e-5)


def test_the_variants_that_are_tables_of_their_own_shift_as_well():
    """Wrong for the paper's weights, right for those trained with them: so none may be mended.

    tensorflow/tensor2tensor#177, merged and taken back after five days.
    """
    property_every_shift_is_a_rotation_of_each_pair(by_timescales_in_pairs)
    property_every_shift_is_a_rotation_of_each_pair(divided_by_the_divisor)
    for dim in (4, 8):
        angles = 7 * sinusoidal.timescale_frequencies(dim)
        np.testing.assert_allclose(
            np.concatenate([np.sin(angles), np.cos(angles)]), by_timescales(7, dim), atol=1e-14
        )


def property_a_layer_may_follow_the_order_of_its_table(encode):
    """Weights behind sines-first codes, their columns moved, serve the paper's codes as well."""
    for dim in (4, 8, 16):
        weight = np.random.default_rng(0).normal(size=(3, dim))
        columns = np.concatenate([weight[:, 0::2], weight[:, 1::2]], axis=1)
        for p in POSITIONS:
            np.testing.assert_allclose(
                columns @ encode(p, dim, layout="half"),
                weight @ encode(p, dim, layout="interleaved"),
                atol=1e-12,
            )


def test_a_layout_moves_channels_and_nothing_else():
    """A change of order that came with a change of exponent: no moving of columns undoes it.

    tensorflow/tensor2tensor#391, #1925.
    """

    def faulty(p, dim, layout):
        return by_timescales(p, dim) if layout == "half" else ours(p, dim)

    property_a_layer_may_follow_the_order_of_its_table(sinusoidal.encode)
    with pytest.raises(AssertionError):
        property_a_layer_may_follow_the_order_of_its_table(faulty)


# --- Speeds ------------------------------------------------------------------------------------


def property_neighbors_are_never_half_a_turn_apart(frequencies):
    """A wave sampled less than twice per turn looks like a slower one: aliasing."""
    for dim in (2, 4, 64, 512):
        omega = frequencies(dim)
        assert omega.shape == (dim // 2,)
        assert ((omega > 0) & (omega < np.pi)).all()


def test_waves_are_sampled_often_enough():
    """Positions were divided by what they should be multiplied with.

    harvardnlp/annotated-transformer#131.
    """

    def faulty(dim):
        return 1 / pe_lib.frequencies(dim)

    property_neighbors_are_never_half_a_turn_apart(pe_lib.frequencies)
    property_neighbors_are_never_half_a_turn_apart(sinusoidal.timescale_frequencies)
    with pytest.raises(AssertionError):
        property_neighbors_are_never_half_a_turn_apart(faulty)


# --- Numbers of channels -----------------------------------------------------------------------


def property_the_fastest_wave_has_the_shortest_timescale(frequencies):
    for dim in (2, 4, 6, 128):
        with np.errstate(all="ignore"):
            omega = frequencies(dim)
        assert omega.shape == (dim // 2,)
        assert np.isfinite(omega).all()
        assert omega[0] == 1


def test_a_single_pair_is_a_table_too():
    """Equal factors between one timescale and itself: a division by zero.

    tensorflow/tensor2tensor#1055.
    """

    def faulty(dim):
        steps = np.arange(dim // 2) / np.float64(dim // 2 - 1)
        return np.exp(-steps * np.log(10_000))

    property_the_fastest_wave_has_the_shortest_timescale(sinusoidal.timescale_frequencies)
    property_the_fastest_wave_has_the_shortest_timescale(pe_lib.frequencies)
    with pytest.raises(AssertionError):
        property_the_fastest_wave_has_the_shortest_timescale(faulty)


def property_an_odd_number_of_channels_is_refused_by_name(table):
    for dim in (1, 3, 5, 511):
        try:
            table(dim)
        except ValueError as error:
            message = str(error)
        else:
            message = "no error"
        assert "dim must be" in message
        assert f"got {dim}" in message


def test_an_odd_number_of_channels_is_an_error_that_says_so():
    """One more sine than there are cosines: an error about shapes from deep inside, or a channel
    that is dropped in silence.

    codertimo/BERT-pytorch#78; gc-os-ai/pyaptamer#526; pytorch/pytorch#173958;
    huggingface/transformers#8226.
    """

    def fills_what_does_not_fit(dim):
        codes = np.zeros((9, dim))
        angles = np.arange(9)[:, None] * 10_000 ** (-np.arange(0, dim, 2) / dim)
        codes[:, 0::2] = np.sin(angles)
        codes[:, 1::2] = np.cos(angles)
        return codes

    def drops_a_channel(dim):
        return sinusoidal.table(9, 2 * max(dim // 2, 1))

    prop = property_an_odd_number_of_channels_is_refused_by_name
    prop(lambda dim: sinusoidal.table(9, dim))
    prop(lambda dim: sinusoidal.encode(range(9), dim))
    prop(lambda dim: sinusoidal.shift_matrix(1, dim))
    prop(sinusoidal.timescale_frequencies)
    prop(pe_lib.frequencies)
    for faulty in (fills_what_does_not_fit, drops_a_channel):
        with pytest.raises(AssertionError):
            prop(faulty)
