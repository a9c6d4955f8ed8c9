"""Faults seen in the wild: channels paired with the wrong partner, or pairs at the wrong speed."""

import numpy as np
import pytest

import pe_lib
from pe_lib import rope

# --- Checkpoints between the layouts -----------------------------------------------------------

SHAPES = [(1, 1, 6), (4, 4, 8), (4, 2, 8), (6, 1, 16)]  # query heads, key heads, channels


def scores(w_q, w_k, heads, key_heads, layout, positions):
    """Of one input, (heads, T, T); every key head serves heads / key_heads query heads."""
    x = np.random.default_rng(1).normal(size=(len(positions), w_q.shape[1]))
    rotated = []
    for weight, number in ((w_q, heads), (w_k, key_heads)):
        y = (x @ weight.T).reshape(len(positions), number, -1).swapaxes(0, 1)
        omega = pe_lib.frequencies(y.shape[-1])
        rotated.append(rope.rotate(y, positions, omega, layout=layout))
    q, k = rotated
    return q @ np.repeat(k, heads // key_heads, axis=0).swapaxes(1, 2)


def property_a_converted_checkpoint_computes_the_same_scores(convert, positions=(0, 3, 4, 50)):
    """``convert(weight, heads, key_heads, is_key)`` takes interleaved rows to half."""
    for heads, key_heads, dim in SHAPES:
        rng = np.random.default_rng(0)
        w_q = rng.normal(size=(heads * dim, 5))
        w_k = rng.normal(size=(key_heads * dim, 5))
        trained = scores(w_q, w_k, heads, key_heads, "interleaved", positions)
        w_q, w_k = convert(w_q, heads, key_heads, False), convert(w_k, heads, key_heads, True)
        ported = scores(w_q, w_k, heads, key_heads, "half", positions)
        np.testing.assert_allclose(ported, trained, rtol=1e-10, atol=1e-10)


def to_half(weight, num_heads):
    return rope.convert_layout(weight, num_heads, source="interleaved", target="half")


def converted(weight, heads, key_heads, is_key):
    return to_half(weight, key_heads if is_key else heads)


def not_converted(weight, heads, key_heads, is_key):
    return weight


def converted_twice(weight, heads, key_heads, is_key):
    return to_half(converted(weight, heads, key_heads, is_key), key_heads if is_key else heads)


def converted_backwards(weight, heads, key_heads, is_key):
    number = key_heads if is_key else heads
    return rope.convert_layout(weight, number, source="half", target="interleaved")


def converted_across_heads(weight, heads, key_heads, is_key):
    return to_half(weight, 1)


def only_queries_converted(weight, heads, key_heads, is_key):
    return weight if is_key else to_half(weight, heads)


FAULTY = [
    not_converted,
    converted_twice,
    converted_backwards,
    converted_across_heads,
    only_queries_converted,
]


@pytest.mark.parametrize("faulty", FAULTY)
def test_a_checkpoint_is_converted_once_by_its_own_heads(faulty):
    """Weights of one pairing met the code of the other: the rows of a projection were not
    reordered, or twice, or a model was tagged with the wrong kind of rotation.

    huggingface/transformers#25199; jzhang38/TinyLlama#24; ggml-org/llama.cpp, commit 269de86ba
    after #5691; nurl-lang/nurl#584; NeuraLegion/shainet#111.
    """
    property_a_converted_checkpoint_computes_the_same_scores(converted)
    with pytest.raises(AssertionError):
        property_a_converted_checkpoint_computes_the_same_scores(faulty)


@pytest.mark.parametrize("mistaken", [not_converted, converted_twice])
def test_the_first_token_alone_shows_nothing(mistaken):
    """Why "the first token is fine, then garbage": position 0 turns nothing, in either layout.

    NeuraLegion/shainet#111.
    """
    for heads, key_heads, dim in SHAPES:
        weight = np.random.default_rng(0).normal(size=(heads * dim, 5))
        keys = weight[: key_heads * dim]
        trained = scores(weight, keys, heads, key_heads, "interleaved", [0])
        q, k = mistaken(weight, heads, key_heads, False), mistaken(keys, heads, key_heads, True)
        ported = scores(q, k, heads, key_heads, "half", [0])
        np.testing.assert_allclose(ported, trained)


# --- Rotations that are none -------------------------------------------------------------------


def property_each_pair_of_channels_turns_and_keeps_its_length(rotate, pairs):
    """``rotate(x, p, omega)`` for one vector; ``pairs(dim)`` lists the channels of each pair."""
    rng = np.random.default_rng(0)
    for dim in (2, 4, 6, 16):
        omega = pe_lib.frequencies(dim)
        for p in (0, 1, 3, -7, 100):
            x = rng.normal(size=dim)
            got = rotate(x, p, omega)
            for (a, b), w in zip(pairs(dim), omega, strict=True):
                turned = complex(x[a], x[b]) * np.exp(1j * w * p)
                np.testing.assert_allclose([got[a], got[b]], [turned.real, turned.imag], atol=1e-12)
            assert np.linalg.norm(got) == pytest.approx(np.linalg.norm(x), rel=1e-12)


def neighbors(dim):
    return [(2 * i, 2 * i + 1) for i in range(dim // 2)]


def halves(dim):
    return [(i, i + dim // 2) for i in range(dim // 2)]


def ours(layout):
    return lambda x, p, omega: rope.rotate(x[None], p, omega, layout=layout)[0]


def split_one_way_and_joined_the_other(x, p, omega):
    """Even and odd channels taken apart, then laid side by side instead of interleaved."""
    angles = np.repeat(omega * p, 2)
    partner = np.concatenate([-x[1::2], x[0::2]])
    return x * np.cos(angles) + partner * np.sin(angles)


def halves_with_interleaved_angles(x, p, omega):
    angles = np.repeat(omega * p, 2)
    partner = np.concatenate(np.split(x, 2)[::-1]) * np.repeat([-1, 1], len(omega))
    return x * np.cos(angles) + partner * np.sin(angles)


def interleaved_with_angles_of_halves(x, p, omega):
    angles = np.tile(omega * p, 2)
    partner = np.stack([-x[1::2], x[0::2]], axis=-1).ravel()
    return x * np.cos(angles) + partner * np.sin(angles)


def test_angles_and_partners_follow_one_layout():
    """The partner of a channel came from one layout, its place or its angle from the other.

    lucidrains/rotary-embedding-torch, commit 204cb02; the same kind as
    huggingface/transformers#25199.
    """
    prop = property_each_pair_of_channels_turns_and_keeps_its_length
    prop(ours("interleaved"), neighbors)
    prop(ours("half"), halves)
    variants = [
        split_one_way_and_joined_the_other,
        halves_with_interleaved_angles,
        interleaved_with_angles_of_halves,
        ours("half"),
    ]
    for faulty in variants:
        with pytest.raises(AssertionError):
            prop(faulty, neighbors)
    for faulty in [*variants[:3], ours("interleaved")]:
        with pytest.raises(AssertionError):
            prop(faulty, halves)


def test_the_reported_vector_grows():
    x, omega = np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 0.01])
    got = split_one_way_and_joined_the_other(x, 3, omega)
    assert got.round(4).tolist() == [-1.2722, -2.5445, 3.0286, 4.0882]
    assert np.linalg.norm(got).round(3) == 5.829
    assert np.linalg.norm(x).round(3) == 5.477


# --- Exponents ---------------------------------------------------------------------------------


def property_frequencies_fall_from_1_by_a_constant_factor_to_nearly_1_over_the_base(frequencies):
    for dim in (4, 64, 128):
        for base in (1e4, 5e5):
            omega = frequencies(dim, base)
            assert omega.shape == (dim // 2,)
            assert omega[0] == 1
            np.testing.assert_allclose(omega[1:] / omega[:-1], base ** (-2 / dim), rtol=1e-12)
            assert omega[-1] * base ** (-2 / dim) == pytest.approx(1 / base, rel=1e-12)


def test_the_exponent_is_a_fraction():
    """Channel over channels in integer division is 0: every pair turned one radian per token.

    ggml-org/llama.cpp#3897.
    """

    def divided_as_integers(dim, base):
        return base ** -(np.arange(0, dim, 2) // dim).astype(float)

    def counts_channels(dim, base):
        return base ** -(2 * np.arange(0, dim, 2) / dim)

    def of_all_channels(dim, base):
        return base ** (-np.arange(dim // 2) / dim)

    prop = property_frequencies_fall_from_1_by_a_constant_factor_to_nearly_1_over_the_base
    prop(lambda dim, base: pe_lib.frequencies(dim, base=base))
    for faulty in (divided_as_integers, counts_channels, of_all_channels):
        with pytest.raises(AssertionError):
            prop(faulty)
    assert divided_as_integers(128, 1e4)[32] == 1
    assert pe_lib.frequencies(128)[32] == pytest.approx(0.01, rel=1e-15)
