"""Faults seen in the wild: the base and the scaling of RoPE.

Each test has a property of the whole kind of fault, a faulty variant that breaks it as the ports
in the reports did, and pe_lib, which keeps it.
"""

import math

import numpy as np
import pytest

from pe_lib import context, frequencies, rope

LLAMA3 = {
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 8192,
}
YARN = {"factor": 40.0, "original_max_position_embeddings": 4096}
LONGROPE = {"original_max_position_embeddings": 4096, "factor": 32.0}
LONGROPE |= {"short_factor": [1.0] * 64, "long_factor": [1.0 + i for i in range(64)]}


def config(kind=None, base=10_000.0, **keys):
    scaling = {"rope_type": kind, **keys} if kind else None
    return {
        "head_dim": 128,
        "max_position_embeddings": 2048 if kind == "dynamic" else 131072,
        "rope_theta": base,
        "rope_scaling": scaling,
    }


# --- A key that is read but not used, or not read at all -----------------------------------------


def every_key_counts(from_config):
    """Changing any one key of a rotary configuration changes the model, or is refused."""
    changes = [
        (config(), {"rope_theta": 500_000.0}),
        (config("linear", factor=8.0), {"factor": 4.0}),
        (config("llama3", base=5e5, **LLAMA3), {"rope_type": "default"}),
        *((config("llama3", base=5e5, **LLAMA3), {key: 3}) for key in LLAMA3),
        *((config("yarn", **YARN), {key: 64}) for key in YARN),
        (config("yarn", **YARN), {"beta_fast": 64}),
        (config("yarn", **YARN), {"beta_slow": 4}),
        (config("yarn", **YARN), {"truncate": False}),
        (config("yarn", **YARN), {"attention_factor": 1.0}),
        (config("yarn", **YARN), {"mscale": 1.0, "mscale_all_dim": 1.0}),
        (config("yarn", mscale=1.0, mscale_all_dim=1.0, **YARN), {"mscale": 2.0}),
        (config("yarn", mscale=1.0, mscale_all_dim=1.0, **YARN), {"attention_factor": 1.5}),
        (config("longrope", **LONGROPE), {"attention_factor": 1.0}),
        (config("longrope", **LONGROPE), {"long_factor": [2.0] * 64}),
        (config("linear", factor=8.0), {"unheard_of": 1.0}),
    ]
    for before, change in changes:
        after = dict(before)
        if "rope_theta" in change:
            after |= change
        else:
            after["rope_scaling"] = before["rope_scaling"] | change
        if change == {"rope_type": "default"}:
            after["rope_scaling"] = change
        one = from_config(before, length=8000)
        try:
            other = from_config(after, length=8000)
        except ValueError:
            assert "unheard_of" in change, change
            continue
        same = np.array_equal(one[0], other[0]) and one[1] == other[1]
        assert not same, change


def without(key, on_top=False, instead=None):
    """A reader that overlooks a key."""

    def from_config(wanted, *, length):
        wanted = dict(wanted)
        if on_top:
            return context.from_config(wanted | {key: instead}, length=length)
        scaling = {k: v for k, v in (wanted["rope_scaling"] or {}).items() if k != key}
        return context.from_config(wanted | {"rope_scaling": scaling or None}, length=length)

    return from_config


def parses_llama3_and_goes_on_without(wanted, *, length):
    if (wanted["rope_scaling"] or {}).get("rope_type") == "llama3":
        wanted = wanted | {"rope_scaling": None}
    return context.from_config(wanted, length=length)


def test_every_key_of_a_configuration_counts():
    """Ports parsed a key and never applied it, or kept the base of another model.

    The base: karpathy/llama2.c#356, lyogavin/airllm#369, google-deepmind/penzai#102,
    pytorch/torchtune#1342, ggml-org/llama.cpp#11008. llama3: unslothai/unsloth#6197,
    Blaizzy/mlx-vlm#1710, lablup/mlxcel#1355. attention_factor: vllm-project/vllm#46280 and #48351,
    ml-explore/mlx-lm#1507. mscale: vllm-project/vllm#48623. truncate: apache/tvm#18576.
    """
    every_key_counts(context.from_config)
    for faulty in (
        without("rope_theta", on_top=True, instead=10_000.0),
        parses_llama3_and_goes_on_without,
        without("attention_factor"),
        without("truncate"),
        without("unheard_of"),
    ):
        with pytest.raises(AssertionError):
            every_key_counts(faulty)


def a_missing_base_is_no_base(from_config):
    """Nothing is computed for a model that does not say its base."""
    for base in (None, "absent"):
        wanted = config(base=base)
        if base == "absent":
            del wanted["rope_theta"]
        try:
            from_config(wanted)
        except ValueError:
            continue
        raise AssertionError(wanted)


def test_a_missing_base_is_no_base():
    """One builder of a model defaulted to 5e5 and another to 1e4: meta-pytorch/torchtune#997."""
    a_missing_base_is_no_base(context.from_config)
    for default in (1e4, 5e5):
        with pytest.raises(AssertionError):
            a_missing_base_is_no_base(
                lambda wanted, default=default: context.from_config(
                    wanted | {"rope_theta": wanted.get("rope_theta") or default}
                )
            )


def test_a_base_of_10_000_in_a_model_of_500_000_is_47_times_too_fast_at_the_slow_end():
    slow, fast = (context.from_config(config(base=b)).frequencies[-1] for b in (5e5, 1e4))
    assert (fast, slow) == (pytest.approx(1.1548e-4, rel=1e-4), pytest.approx(2.4551e-6, rel=1e-4))


# --- Frequencies that change while a sequence grows ----------------------------------------------


def scores_depend_on_the_offset_alone(decode):
    """A sequence decoded token by token scores as if it had been computed at once."""
    x = np.random.default_rng(0).normal(size=(12, 8))
    rotated = decode(x)
    omega = dynamic(len(x))
    for m in range(len(x)):
        for n in range(m + 1):
            pair = np.stack([x[m], x[n]])
            want = np.multiply(*rope.rotate(pair, [m - n, 0], omega, layout="half")).sum()
            assert rotated[m] @ rotated[n] == pytest.approx(want, abs=1e-9)


def dynamic(length):
    return context.dynamic_ntk(8, factor=2, max_position_embeddings=4, length=length).frequencies


def once_for_the_whole_length(x):
    return rope.rotate(x, np.arange(len(x)), dynamic(len(x)), layout="half")


def each_key_with_the_base_of_its_own_step(x):
    return np.concatenate(
        [rope.rotate(x[p : p + 1], p, dynamic(p + 1), layout="half") for p in range(len(x))]
    )


def a_chunk_at_a_time(x, size=5):
    return np.concatenate(
        [
            rope.rotate(
                x[p : p + size],
                np.arange(p, min(p + size, len(x))),
                dynamic(p + size),
                layout="half",
            )
            for p in range(0, len(x), size)
        ]
    )


def test_one_sequence_has_one_row_of_frequencies():
    """Cached keys kept the rotation of the step, or the chunk, in which they were computed.

    huggingface/transformers#25104 (dynamic NTK); ggml-org/llama.cpp#24875, lablup/mlxcel#1358 and
    trymirai/uzu#604 (LongRoPE's two lists, chosen chunk by chunk).
    """
    scores_depend_on_the_offset_alone(once_for_the_whole_length)
    for faulty in (each_key_with_the_base_of_its_own_step, a_chunk_at_a_time):
        with pytest.raises(AssertionError):
            scores_depend_on_the_offset_alone(faulty)


def test_the_phase_of_the_report_on_cached_keys():
    """Query 4095 and key 2000 of one sequence, pair 63: -0.0733 rad instead of 0.0806.

    Phases here are query minus key times frequency; the key's is that of its own step.
    """

    def last(length):
        return context.dynamic_ntk(
            128, factor=2, max_position_embeddings=2048, length=length
        ).frequencies[-1]

    assert (4095 - 2000) * last(4096) == pytest.approx(0.0806, abs=1e-4)
    assert 4095 * last(4096) - 2000 * last(2001) == pytest.approx(-0.0733, abs=1e-4)


def the_length_of_this_sequence_decides(method):
    """The result is that of this length, whatever was asked before and whatever is possible."""
    for kind, keys, trained in [
        ("dynamic", {"factor": 2.0}, 2048),
        ("dynamic", {"factor": 4.0}, 2048),
        ("longrope", LONGROPE, 4096),
    ]:
        wanted = config(kind, **keys)
        short = frequencies(128)  # these lists and this method leave short texts alone
        for length in (1, trained, trained + 1, 2 * trained, 5511, trained, 1):
            got = method(wanted, length=length).frequencies
            assert np.array_equal(got, short) == (length <= trained), (kind, length)
            if kind == "dynamic" and length > trained:
                s = keys["factor"]
                stretch = s * length / trained - (s - 1)
                assert got[-1] == pytest.approx(short[-1] / stretch, rel=1e-9)


def remembering():
    """A reader with a cache that only grows."""
    longest = {}

    def from_config(wanted, *, length):
        kind = wanted["rope_scaling"]["rope_type"]
        longest[kind] = max(length, longest.get(kind, 0))
        return context.from_config(wanted, length=longest[kind])

    return from_config


def for_the_longest_text_possible(wanted, *, length):
    scaling = wanted["rope_scaling"]
    trained = scaling.get("original_max_position_embeddings", wanted["max_position_embeddings"])
    return context.from_config(wanted, length=int(trained * scaling["factor"]))


def for_the_shortest_text(wanted, *, length):
    return context.from_config(wanted, length=1)


def test_the_length_of_this_sequence_decides():
    """One long prompt changed all later ones; a server took the longest length for every text.

    huggingface/transformers#25306; vllm-project/vllm#3488, #5093 and #41236 (multiplier
    s^2 - (s - 1) at every length); ggml-org/llama.cpp#24875 (LongRoPE's list by capacity).
    """
    the_length_of_this_sequence_decides(context.from_config)
    for faulty in (remembering(), for_the_longest_text_possible, for_the_shortest_text):
        with pytest.raises(AssertionError):
            the_length_of_this_sequence_decides(faulty)


# --- A formula that is right for one pair --------------------------------------------------------


def fast_pairs_stay_and_slow_pairs_are_divided(method):
    """In a scaling by parts each pair keeps its frequency, or has it divided, or lies between."""
    for dim, base, s, length in [(128, 5e5, 8, 8192), (64, 150_000, 32, 4096), (96, 1e4, 4, 2048)]:
        omega = frequencies(dim, base=base)
        scaled = method(omega, base, s, length)
        turns = omega * length / (2 * math.pi)
        np.testing.assert_allclose(scaled[turns > 45], omega[turns > 45], rtol=1e-12)
        slow = turns < 0.7
        np.testing.assert_allclose(scaled[slow], omega[slow] / s, rtol=1e-12)
        assert (scaled <= omega * (1 + 1e-12)).all()
        assert (scaled >= omega / s * (1 - 1e-12)).all()
        assert (np.diff(scaled) < 0).all()


def yarn(omega, base, s, length):
    return context.yarn(omega, factor=s, original_max_position_embeddings=length).frequencies


def llama3(omega, base, s, length):
    options = LLAMA3 | {"factor": s, "original_max_position_embeddings": length}
    return context.llama3(omega, **options).frequencies


def one_mean_base_for_all_pairs(omega, base, s, length):
    """The blend in wavelengths, then a new base as their mean."""
    wavelengths = 2 * math.pi / omega
    low, high = length / 1, length / 4
    smooth = np.clip((wavelengths - high) / (low - high), 0, 1)
    scaled_base = base ** (2 * np.arange(len(omega)) / (2 * len(omega)))
    scaled_base = scaled_base * ((1 - smooth) + smooth * s)
    return frequencies(2 * len(omega), base=scaled_base.mean())


def ramp(omega, base, length):
    dim = 2 * len(omega)
    low, high = (
        dim * math.log(length / (turns * 2 * math.pi)) / (2 * math.log(base)) for turns in (32, 1)
    )
    return np.clip((np.arange(len(omega)) - low) / (high - low), 0, 1)


def the_base_is_divided_not_the_frequency(omega, base, s, length):
    """1 / (s base)^(2i/d) where 1 / (s base^(2i/d)) is meant."""
    divided = frequencies(2 * len(omega), base=s * base)
    blend = ramp(omega, base, length)
    return divided * blend + omega * (1 - blend)


def the_kept_part_is_divided_too(omega, base, s, length):
    """Positions are scaled before the blend, which scales them again."""
    blend = ramp(omega, base, length)
    return (omega / s) / s * blend + (omega / s) * (1 - blend)


def the_ramp_starts_anew_in_each_block(omega, base, s, length, block=16):
    """The index within a block of channels stands where the pair's index belongs."""
    blend = ramp(omega, base, length)[np.arange(len(omega)) % block]
    return omega / s * blend + omega * (1 - blend)


def test_a_scaling_by_parts_keeps_fast_pairs_and_divides_slow_ones():
    """Ports replaced the row by one with another base, divided the wrong part, or lost the index.

    ml-explore/mlx-examples#907 (mended in #945) and ml-explore/mlx-swift-examples#152 (a mean
    base); apache/tvm#18576 (the base divided); ggml-org/llama.cpp#7617 (scaled twice, and the
    index within a block).
    """
    fast_pairs_stay_and_slow_pairs_are_divided(yarn)
    fast_pairs_stay_and_slow_pairs_are_divided(llama3)
    for faulty in (
        one_mean_base_for_all_pairs,
        the_base_is_divided_not_the_frequency,
        the_kept_part_is_divided_too,
        the_ramp_starts_anew_in_each_block,
    ):
        with pytest.raises(AssertionError):
            fast_pairs_stay_and_slow_pairs_are_divided(faulty)


def test_the_numbers_of_the_reports():
    omega = frequencies(128, base=5e5)
    assert llama3(omega, 5e5, 8, 8192)[-1] == pytest.approx(3.07e-7, rel=1e-3)
    assert one_mean_base_for_all_pairs(omega, 5e5, 8, 8192)[-1] == pytest.approx(4.43e-6, rel=1e-2)
    interpolated = context.linear(frequencies(64, base=150_000), factor=32).frequencies
    wrong = frequencies(64, base=32 * 150_000)
    assert (interpolated[0], wrong[0]) == (0.03125, 1.0)
    assert interpolated[16] == pytest.approx(8.069e-5, rel=1e-3)
    assert wrong[16] == pytest.approx(4.564e-4, rel=1e-3)


# --- A temperature in the wrong place ------------------------------------------------------------


def the_temperature_stands_where_the_configuration_puts_it(attention_factor):
    """Explicit wins, then the ratio of mscale to mscale_all_dim, then 0.1 ln s + 1."""
    for s in (4, 16, 40):
        t = 0.1 * math.log(s) + 1
        half = 0.1 * 0.5 * math.log(s) + 1
        for keys, want in [
            ({}, t),
            ({"attention_factor": 1.0}, 1.0),
            ({"attention_factor": 1.3, "mscale": 1.0, "mscale_all_dim": 0.5}, 1.3),
            ({"mscale": 1.0, "mscale_all_dim": 1.0}, 1.0),
            ({"mscale": 0.707, "mscale_all_dim": 0.707}, 1.0),
            ({"mscale": 1.0, "mscale_all_dim": 0.5}, t / half),
            ({"mscale": 1.0, "mscale_all_dim": 0.0}, t),
        ]:
            assert attention_factor(s, **keys) == pytest.approx(want, rel=1e-12), keys


def ours(s, **keys):
    wanted = config("yarn", factor=s, original_max_position_embeddings=4096, **keys)
    return context.from_config(wanted).attention_factor


def explicit_ignored(s, attention_factor=None, **keys):
    return ours(s, **keys)


def ratio_ignored(s, attention_factor=None, mscale=None, mscale_all_dim=None):
    return ours(s) if attention_factor is None else attention_factor


def multiplied(s, attention_factor=1.0, **keys):
    """A given factor taken on top of the computed one."""
    return attention_factor * ours(s, **keys)


def the_softmax_factor_here(s, mscale_all_dim=0.0, **keys):
    """DeepSeek's second factor, which belongs on the softmax scale, put on cosine and sine."""
    if not mscale_all_dim:
        return ours(s, **keys)
    second = 0.1 * mscale_all_dim * math.log(s) + 1
    return ours(s, mscale_all_dim=mscale_all_dim, **keys) * second


def test_the_temperature_stands_where_the_configuration_puts_it():
    """The attention factor was computed though given, or mscale overlooked, or doubled.

    vllm-project/vllm#46280 and #48351, ml-explore/mlx-lm#1507; vllm-project/vllm#48623 (issue
    #48621); turboderp-org/exllamav3#259 is the other side: with ratio 1 the softmax scale of
    DeepSeek's models still wants (0.1 ln s + 1)^2. See also ggml-org/llama.cpp#17945.
    """
    the_temperature_stands_where_the_configuration_puts_it(ours)
    for faulty in (explicit_ignored, ratio_ignored, multiplied, the_softmax_factor_here):
        with pytest.raises(AssertionError):
            the_temperature_stands_where_the_configuration_puts_it(faulty)
