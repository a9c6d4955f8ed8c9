"""pe_lib.context against the definitions of its methods (Chen et al. 2023; Peng et al. 2024)."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pe_lib import context, frequencies, rope

dims = st.integers(2, 64).map(lambda pairs: 2 * pairs)
bases = st.floats(10, 1e7)
factors = st.floats(1, 100)
lengths = st.integers(64, 10**6)

#: Method -> a function of frequencies and factor, with everything else as a real model has it.
METHODS = {
    "linear": lambda omega, s: context.linear(omega, factor=s),
    "yarn": lambda omega, s: context.yarn(omega, factor=s, original_max_position_embeddings=4096),
    "yarn, not truncated": lambda omega, s: context.yarn(
        omega, factor=s, original_max_position_embeddings=4096, truncate=False
    ),
    "llama3": lambda omega, s: llama3(omega, s),
}
methods = st.sampled_from(list(METHODS.values()))


def llama3(omega, factor, *, low=1, high=4, length=8192):
    return context.llama3(
        omega,
        factor=factor,
        low_freq_factor=low,
        high_freq_factor=high,
        original_max_position_embeddings=length,
    )


def within_ulp(got, want, ulp=4):
    got, want = np.asarray(got), np.asarray(want)
    assert got.shape == want.shape
    assert (np.abs(got - want) <= ulp * np.spacing(want)).all()


# --- Oracle: each method pair by pair, in a plain loop -------------------------------------------


def _yarn(dim, base, s, length, fast, slow, truncate):
    def index(turns):  # of the pair that makes so many turns in the trained length
        return dim * math.log(length / (turns * 2 * math.pi)) / (2 * math.log(base))

    low, high = index(fast), index(slow)
    if truncate:
        low, high = math.floor(low), math.ceil(high)
    low = max(low, 0)
    scaled = []
    for i in range(dim // 2):
        omega = base ** (-2 * i / dim)
        ramp = 0 if i <= low else 1 if i >= high else (i - low) / (high - low)
        scaled.append(omega / s * ramp + omega * (1 - ramp))
    return scaled


def _llama3(dim, base, s, length, low, high):
    scaled = []
    for i in range(dim // 2):
        omega = base ** (-2 * i / dim)
        wavelength = 2 * math.pi / omega
        if wavelength <= length / high:
            scaled.append(omega)
        elif wavelength >= length / low:
            scaled.append(omega / s)
        else:
            smooth = (length / wavelength - low) / (high - low)
            scaled.append((1 - smooth) * omega / s + smooth * omega)
    return scaled


SIZES = [(4, 10.0, 64), (64, 1e4, 256), (128, 5e5, 8192), (80, 1e6, 100_000)]


@pytest.mark.parametrize("truncate", [True, False])
@pytest.mark.parametrize(("dim", "base", "length"), SIZES)
def test_oracle_yarn_pair_by_pair(dim, base, length, truncate):
    for fast, slow in [(32, 1), (4, 0.5), (100.5, 7)]:
        got = context.yarn(
            frequencies(dim, base=base),
            factor=8,
            original_max_position_embeddings=length,
            beta_fast=fast,
            beta_slow=slow,
            truncate=truncate,
        )
        want = _yarn(dim, base, 8, length, fast, slow, truncate)
        np.testing.assert_allclose(got.frequencies, want, rtol=1e-12)


@pytest.mark.parametrize(("dim", "base", "length"), SIZES)
def test_oracle_llama3_pair_by_pair(dim, base, length):
    for low, high in [(1, 4), (0.5, 20.5)]:
        got = llama3(frequencies(dim, base=base), 8, low=low, high=high, length=length)
        want = _llama3(dim, base, 8, length, low, high)
        np.testing.assert_allclose(got.frequencies, want, rtol=1e-12)


@pytest.mark.parametrize(("dim", "base", "length"), SIZES)
def test_oracle_the_changes_of_base_and_the_divisions_pair_by_pair(dim, base, length):
    exponents = [2 * i / dim for i in range(dim // 2)]
    omega = frequencies(dim, base=base)
    lists = [1 + 0.5 * i for i in range(dim // 2)], [2 + 3.5 * i for i in range(dim // 2)]

    def longrope(total):
        return context.longrope(
            omega,
            short_factor=lists[0],
            long_factor=lists[1],
            original_max_position_embeddings=length,
            factor=8,
            length=total,
        )

    for got, want in [
        (context.linear(omega, factor=8), [base**-x / 8 for x in exponents]),
        (
            context.ntk(dim, base=base, factor=8),
            [(base * 8 ** (dim / (dim - 2))) ** -x for x in exponents],
        ),
        (
            context.dynamic_ntk(
                dim, base=base, factor=8, max_position_embeddings=length, length=3 * length
            ),
            [(base * (8 * 3 - 7) ** (dim / (dim - 2))) ** -x for x in exponents],
        ),
        (longrope(length), [base**-x / f for x, f in zip(exponents, lists[0], strict=True)]),
        (longrope(length + 1), [base**-x / f for x, f in zip(exponents, lists[1], strict=True)]),
    ]:
        np.testing.assert_allclose(got.frequencies, want, rtol=1e-12)
    assert longrope(1).attention_factor == pytest.approx(
        math.sqrt(1 + math.log(8) / math.log(length))
    )


# --- Properties ----------------------------------------------------------------------------------


@given(dims, bases, methods)
def test_factor_1_changes_nothing(dim, base, method):
    omega = frequencies(dim, base=base)
    scaled = method(omega, 1)
    np.testing.assert_array_equal(scaled.frequencies, omega)
    assert scaled.attention_factor == 1


@given(dims, bases, lengths)
def test_factor_1_changes_nothing_in_the_methods_with_a_base_or_a_list(dim, base, length):
    omega, ones = frequencies(dim, base=base), np.ones(dim // 2)
    longrope = context.longrope(
        omega,
        short_factor=ones,
        long_factor=ones,
        original_max_position_embeddings=length,
        max_position_embeddings=length,
        length=length + 1,
    )
    for scaled in (context.ntk(dim, base=base, factor=1), longrope):
        np.testing.assert_array_equal(scaled.frequencies, omega)
        assert scaled.attention_factor == 1


@given(dims, bases, factors, methods)
def test_a_scaled_frequency_lies_between_the_kept_and_the_divided_one(dim, base, s, method):
    omega = frequencies(dim, base=base)
    scaled = method(omega, s).frequencies
    slack = 1 + 1e-15
    assert (scaled <= omega * slack).all()
    assert (scaled * slack >= omega / s).all()


@given(dims, bases, factors, methods)
def test_frequencies_stay_in_falling_order(dim, base, s, method):
    assert (np.diff(method(frequencies(dim, base=base), s).frequencies) < 0).all()
    assert (np.diff(context.ntk(dim, base=base, factor=s).frequencies) < 0).all()


@given(dims, bases, factors, st.booleans(), lengths)
def test_yarn_keeps_pairs_of_many_turns_and_divides_pairs_of_few(dim, base, s, truncate, length):
    """Peng et al. (2024), section 3: beta_fast and beta_slow turns in the trained length."""
    omega = frequencies(dim, base=base)
    scaled = context.yarn(
        omega, factor=s, original_max_position_embeddings=length, truncate=truncate
    ).frequencies
    turns = omega * length / (2 * np.pi)
    # With truncation the ramp reaches to the next whole pair on both sides.
    reach = (base ** (2 / dim) if truncate else 1) * (1 + 1e-9)
    np.testing.assert_array_equal(scaled[turns >= 32 * reach], omega[turns >= 32 * reach])
    np.testing.assert_array_equal(scaled[turns <= 1 / reach], (omega / s)[turns <= 1 / reach])
    assert scaled[0] == omega[0]
    if s > 1.01:
        between = (turns < 31.9) & (turns > 1.01) & (np.arange(dim // 2) > 0)
        assert (scaled[between] < omega[between]).all()
        assert (scaled[between] > omega[between] / s).all()


@given(dims, bases, st.floats(1.5, 100), st.floats(0.1, 3), st.floats(1.5, 30), lengths)
def test_yarn_without_truncation_is_linear_in_the_logarithm_of_the_turns(
    dim, base, s, slow, ratio, length
):
    omega = frequencies(dim, base=base)
    turns = omega * length / (2 * np.pi)
    fast = min(slow * ratio, turns[0])
    assume(fast > 1.01 * slow)
    scaled = context.yarn(
        omega,
        factor=s,
        original_max_position_embeddings=length,
        beta_fast=slow * ratio,
        beta_slow=slow,
        truncate=False,
    ).frequencies
    kept = (scaled / omega - 1 / s) / (1 - 1 / s)
    want = np.clip(np.log(turns / slow) / np.log(fast / slow), 0, 1)
    np.testing.assert_allclose(kept, want, atol=1e-11)


@given(factors, st.floats(0, 2), st.floats(0, 2), st.floats(0.1, 3))
def test_yarn_takes_its_attention_factor_by_the_rules_of_a_config(s, mscale, all_dim, given_one):
    """Explicit wins; else mscale and mscale_all_dim as a ratio; else 0.1 ln s + 1."""

    def attention_factor(**options):
        return context.yarn(
            frequencies(8), factor=s, original_max_position_embeddings=64, **options
        ).attention_factor

    assert attention_factor() == pytest.approx(0.1 * math.log(s) + 1)
    ratio = (0.1 * mscale * math.log(s) + 1) / (0.1 * all_dim * math.log(s) + 1)
    pair = {"mscale": mscale, "mscale_all_dim": all_dim}
    assert attention_factor(**pair) == pytest.approx(ratio)
    assert attention_factor(mscale=mscale, mscale_all_dim=mscale) == 1
    assert attention_factor(**pair, attention_factor=given_one) == given_one
    assert attention_factor(attention_factor=given_one) == given_one


@given(st.floats(1, 100), st.floats(0.5, 3), st.floats(0.1, 10), lengths)
def test_llama3_is_continuous_where_its_blend_begins_and_ends(s, low, width, length):
    for turns, want in [(low, 1 / s), (low + width, 1)]:
        edge = turns * 2 * np.pi / length
        omega = edge * np.array([1 + 1e-9, 1, 1 - 1e-9])
        scaled = llama3(omega, s, low=low, high=low + width, length=length).frequencies
        np.testing.assert_allclose(scaled, omega * want, rtol=1e-9 * (2 + 100 * s * low / width))


@given(dims, bases, factors)
def test_llama3_keeps_the_more_of_a_pair_the_faster_it_is(dim, base, s):
    omega = frequencies(dim, base=base)
    kept = llama3(omega, s).frequencies / omega
    assert (np.diff(kept) <= 1e-15).all()


@given(dims, bases, factors)
def test_ntk_keeps_the_fastest_pair_and_slows_the_slowest_by_exactly_the_factor(dim, base, s):
    """The exponent d/(d-2) is made for this."""
    omega, scaled = frequencies(dim, base=base), context.ntk(dim, base=base, factor=s).frequencies
    assert scaled[0] == 1
    assert scaled[-1] == pytest.approx(omega[-1] / s, rel=1e-14)
    slowdown = omega / scaled
    assert (np.diff(slowdown) >= -1e-14 * s).all()


@given(dims, bases, factors, st.integers(1, 10**6), st.integers(0, 10**6))
def test_dynamic_ntk_is_unscaled_up_to_the_trained_length_and_goes_on_from_there(
    dim, base, s, trained, beyond
):
    def scaled(length):
        return context.dynamic_ntk(
            dim, base=base, factor=s, max_position_embeddings=trained, length=length
        ).frequencies

    omega = frequencies(dim, base=base)
    for length in {1, (trained + 1) // 2, trained}:
        np.testing.assert_array_equal(scaled(length), omega)
    # One token more divides the slowest pair by 1 + s/M: the steps vanish as M grows.
    assert omega[-1] / scaled(trained + 1)[-1] == pytest.approx(1 + s / trained, rel=1e-13)
    # At length L the factor is sL/M - (s - 1), that of a static scaling.
    stretch = s * (trained + beyond) / trained - (s - 1)
    static = context.ntk(dim, base=base, factor=max(stretch, 1)).frequencies
    np.testing.assert_allclose(scaled(trained + beyond), static, rtol=1e-9)


@given(st.integers(2, 10**6), st.integers(0, 10**6), st.integers(1, 2 * 10**6))
def test_longrope_changes_the_list_and_not_the_attention_factor_with_the_length(
    original, more, length
):
    scaled = context.longrope(
        [1.0, 0.5],
        short_factor=[2, 2],
        long_factor=[4, 4],
        original_max_position_embeddings=original,
        max_position_embeddings=original + more,
        length=length,
    )
    assert scaled.frequencies.tolist() == ([0.25, 0.125] if length > original else [0.5, 0.25])
    s = 1 + more / original
    assert scaled.attention_factor == pytest.approx(math.sqrt(1 + math.log(s, original)))


@given(st.integers(0, 2**32 - 1), st.integers(-500, 500), st.integers(-500, 500))
def test_a_score_gets_the_square_of_the_attention_factor(seed, m, n):
    q, k = np.random.default_rng(seed).normal(size=(2, 1, 8))
    omega, factor = context.yarn(frequencies(8), factor=4, original_max_position_embeddings=512)
    q_turned, k_turned = (rope.rotate(x, p, omega, layout="half")[0] for x, p in [(q, m), (k, n)])
    score = (factor * q_turned) @ (factor * k_turned)
    assert score == pytest.approx(factor**2 * (q_turned @ k_turned), abs=1e-12)
    assert factor**2 == pytest.approx((0.1 * math.log(4) + 1) ** 2)


@given(dims, bases, factors)
def test_linear_scaling_divides_positions(dim, base, s):
    x = np.random.default_rng(0).normal(size=(1, dim))
    omega = frequencies(dim, base=base)
    scaled = context.linear(omega, factor=s).frequencies
    np.testing.assert_allclose(
        rope.rotate(x, 1000, scaled, layout="half"),
        rope.rotate(x, 1000 / s, omega, layout="half"),
        atol=1e-12,
    )


# --- Golden numbers ------------------------------------------------------------------------------

MODELS = {
    "default_d64_b1e4": lambda: (frequencies(64), 1),
    "default_d128_b1e4": lambda: (frequencies(128), 1),
    "default_d128_b5e5_llama3": lambda: (frequencies(128, base=5e5), 1),
    "default_d128_b1e6_codellama_qwen2": lambda: (frequencies(128, base=1e6), 1),
    "linear8_longchat7b16k_d128_b1e4": lambda: context.linear(frequencies(128), factor=8),
    "linear4_vicuna_v1_5_16k_d128_b1e4": lambda: context.linear(frequencies(128), factor=4),
    "yarn_qwen2_5_f4_o32768_b1e6_d128": lambda: yarn(128, 1e6, 4, 32768),
    "yarn_qwen2_5_f4_o32768_b1e6_d128_notrunc": lambda: yarn(128, 1e6, 4, 32768, truncate=False),
    "yarn_llama2_64k_f16_o4096_b1e4_d128": lambda: yarn(128, 1e4, 16, 4096),
    "yarn_deepseek_v3_f40_o4096_b1e4_d64": lambda: yarn(
        64, 1e4, 40, 4096, mscale=1, mscale_all_dim=1
    ),
    "yarn_deepseek_v2lite_f40_o4096_b1e4_d64_ms0707": lambda: yarn(
        64, 1e4, 40, 4096, mscale=0.707, mscale_all_dim=0.707
    ),
    "yarn_gptoss_f32_o4096_b150000_d64_notrunc": lambda: yarn(
        64, 150_000, 32, 4096, truncate=False
    ),
    "llama3_1_8b_f8_l1_h4_o8192_b5e5_d128": lambda: llama3(frequencies(128, base=5e5), 8),
    "llama3_2_1b_f32_l1_h4_o8192_b5e5_d64": lambda: llama3(frequencies(64, base=5e5), 32),
}
MODELS |= {
    f"ntk_alpha{alpha}_d128_b1e4": lambda alpha=alpha: context.ntk(128, factor=alpha)
    for alpha in (2, 4, 8)
}
MODELS |= {
    f"dynamic_f2_max2048_seq{length}_d128_b1e4": lambda length=length: context.dynamic_ntk(
        128, factor=2, max_position_embeddings=2048, length=length
    )
    for length in (2048, 2049, 4096, 8192, 16384)
}


def yarn(dim, base, factor, length, **options):
    return context.yarn(
        frequencies(dim, base=base),
        factor=factor,
        original_max_position_embeddings=length,
        **options,
    )


@pytest.mark.parametrize("name", MODELS)
def test_golden_frequencies_and_attention_factors(schemes_golden, name):
    case = schemes_golden["rope"][name]
    omega, attention_factor = MODELS[name]()
    within_ulp(omega, case["inv_freq"])
    within_ulp(attention_factor, case.get("attention_factor", 1.0))


@pytest.mark.parametrize(("which", "length"), [("short", 1), ("short", 4096), ("long", 4097)])
def test_golden_longrope_of_phi_3(schemes_golden, which, length):
    cases = schemes_golden["rope"]
    lists = cases["longrope_phi3v128k_factors"]
    omega, attention_factor = context.longrope(
        frequencies(96),
        short_factor=lists["short"],
        long_factor=lists["long"],
        original_max_position_embeddings=4096,
        max_position_embeddings=131072,
        length=length,
    )
    want = cases[f"longrope_phi3v128k_{which}_d96_b1e4"]
    within_ulp(omega, want["inv_freq"])
    within_ulp(attention_factor, want["attention_factor"])


def test_golden_every_scaling_is_compared(schemes_golden):
    longrope = {f"longrope_phi3v128k_{which}_d96_b1e4" for which in ("short", "long")}
    wanted = {name for name, _ in having(schemes_golden, "inv_freq")}
    assert wanted == MODELS.keys() | longrope


def having(schemes_golden, key):
    """Names and cases of the golden scalings that have a value of this name."""
    cases = schemes_golden["rope"].items()
    return [(name, case) for name, case in cases if isinstance(case, dict) and key in case]


def test_golden_bases_of_ntk(schemes_golden):
    """The scaled base, read back from the frequencies: w_1 = base^(-2/d)."""
    for name, case in having(schemes_golden, "new_base"):
        second = MODELS[name]()[0][1]
        assert second**-64.0 == pytest.approx(case["new_base"], rel=1e-12), name


@pytest.mark.parametrize(
    ("name", "dim", "base", "factor", "length"),
    [
        ("yarn_qwen2_5_f4_o32768_b1e6_d128", 128, 1e6, 4, 32768),
        ("yarn_qwen2_5_f4_o32768_b1e6_d128_notrunc", 128, 1e6, 4, 32768),
        ("yarn_llama2_64k_f16_o4096_b1e4_d128", 128, 1e4, 16, 4096),
        ("yarn_deepseek_v3_f40_o4096_b1e4_d64", 64, 1e4, 40, 4096),
        ("yarn_deepseek_v2lite_f40_o4096_b1e4_d64_ms0707", 64, 1e4, 40, 4096),
        ("yarn_gptoss_f32_o4096_b150000_d64_notrunc", 64, 150_000, 32, 4096),
    ],
)
def test_golden_ramps_of_yarn(schemes_golden, name, dim, base, factor, length):
    """Where the ramp begins and ends, read back from the frequencies of two pairs on it."""
    case = schemes_golden["rope"][name]
    omega, pairs = frequencies(dim, base=base), np.arange(dim // 2)

    def ends(scaled):
        kept = (scaled / omega - 1 / factor) / (1 - 1 / factor)
        i, j = pairs[(kept > 1e-9) & (kept < 1 - 1e-9)][[0, -1]]
        width = (j - i) / (kept[i] - kept[j])
        return i - (1 - kept[i]) * width, i + kept[i] * width

    raw = yarn(dim, base, factor, length, truncate=False).frequencies
    assert ends(raw) == pytest.approx((case["low_raw"], case["high_raw"]), rel=1e-11)
    assert ends(MODELS[name]()[0]) == pytest.approx((case["low"], case["high"]), rel=1e-11)


def test_golden_ramps_of_yarn_are_all_compared(schemes_golden):
    assert len(having(schemes_golden, "low_raw")) == 6


def test_golden_counts_of_llama3(schemes_golden):
    for name, case in having(schemes_golden, "n_keep"):
        dim, factor = (128, 8) if "3_1" in name else (64, 32)
        kept = MODELS[name]()[0] / frequencies(dim, base=5e5)
        divided = np.isclose(kept, 1 / factor, rtol=1e-14, atol=0)
        counts = (kept == 1).sum(), ((kept != 1) & ~divided).sum(), divided.sum()
        assert counts == (case["n_keep"], case["n_blend"], case["n_divide"])


def test_golden_mscale_of_deepseek(schemes_golden):
    """The root of the softmax's extra factor: what the attention factor is without mscale."""
    within_ulp(yarn(64, 1e4, 40, 4096).attention_factor, schemes_golden["rope"]["yarn_mscale_40"])


# --- Edge values ---------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_frequencies_are_float64_whatever_they_were(dtype):
    omega = np.array([1.0, 0.5, 0.25], dtype)
    for method in METHODS.values():
        assert method(omega, 4).frequencies.dtype == np.float64


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_inputs_may_be_read_only_and_strided_and_are_never_changed(method):
    omega = frequencies(64).repeat(2)[::2]
    copy = omega.copy()
    omega.flags.writeable = False
    scaled = method(omega, 1).frequencies
    np.testing.assert_array_equal(omega, copy)
    assert scaled.flags.writeable
    assert not np.shares_memory(scaled, omega)


@pytest.mark.parametrize("name", ["linear", "llama3"])
def test_a_pair_that_stands_still_stands_still(name):
    assert METHODS[name]([1.0, 0.0], 8).frequencies[-1] == 0


def test_integers_are_frequencies():
    assert context.linear([1, 0], factor=2).frequencies.tolist() == [0.5, 0]


def test_yarn_keeps_the_fastest_pair_even_where_it_hardly_turns():
    """A trained length of 64 is 10 turns of the fastest pair; the ramp begins at it."""
    omega = frequencies(16, base=100)
    for truncate in (True, False):
        scaled = yarn(16, 100, 8, 64, truncate=truncate).frequencies
        assert scaled[0] == omega[0]
        assert (scaled[1:] < omega[1:]).all()


def test_yarn_keeps_every_pair_that_turns_often_even_if_that_is_all_of_them():
    np.testing.assert_array_equal(yarn(16, 10, 8, 10**6).frequencies, frequencies(16, base=10))


@pytest.mark.parametrize("truncate", [True, False])
def test_yarn_with_bounds_that_all_but_meet_is_a_step(truncate):
    omega = 2.0 ** -np.arange(8)
    slow = 1000 / (2 * np.pi) / 2**3  # exactly the turns of pair 3
    scaled = context.yarn(
        omega,
        factor=2,
        original_max_position_embeddings=1000,
        beta_fast=np.nextafter(slow, np.inf),
        beta_slow=slow,
        truncate=truncate,
    ).frequencies
    np.testing.assert_array_equal(scaled[:3], omega[:3])
    np.testing.assert_array_equal(scaled[4:], omega[4:] / 2)


def test_yarn_takes_frequencies_in_float32_and_any_geometric_row():
    wanted = yarn(128, 5e5, 8, 8192).frequencies
    single = frequencies(128, base=5e5).astype(np.float32)
    got = context.yarn(single, factor=8, original_max_position_embeddings=8192).frequencies
    np.testing.assert_allclose(got, wanted, rtol=1e-6)
    # Pairs of a larger head are the same pairs, wherever the row begins.
    later = frequencies(128, base=5e5)[10:]
    got = context.yarn(later, factor=8, original_max_position_embeddings=8192, truncate=False)
    whole = yarn(128, 5e5, 8, 8192, truncate=False).frequencies[10:]
    np.testing.assert_allclose(got.frequencies, whole, rtol=1e-13)


def test_longrope_takes_the_factor_itself_or_makes_it_from_the_lengths():
    def attention_factor(**options):
        return context.longrope(
            [1.0],
            short_factor=[1],
            long_factor=[1],
            original_max_position_embeddings=4096,
            length=1,
            **options,
        ).attention_factor

    want = attention_factor(max_position_embeddings=131072)
    assert attention_factor(factor=32) == want
    assert attention_factor(factor=32, max_position_embeddings=131072) == want
    assert attention_factor(attention_factor=1.5) == 1.5
    assert attention_factor(attention_factor=1.5, factor=32) == 1.5


def test_a_huge_length_still_has_frequencies():
    options = {"factor": 2, "max_position_embeddings": 1, "length": 2**31 - 1}
    assert np.isfinite(context.dynamic_ntk(128, **options).frequencies).all()


def test_a_scaled_is_a_pair():
    omega, attention_factor = context.linear([1.0], factor=2)
    assert (omega.tolist(), attention_factor) == ([0.5], 1.0)


# --- Errors --------------------------------------------------------------------------------------

LINEAR = {"frequencies": [1.0, 0.1], "factor": 2}
NTK = {"dim": 8, "factor": 2}
DYNAMIC = NTK | {"max_position_embeddings": 2048, "length": 4096}
YARN = LINEAR | {"original_max_position_embeddings": 4096}
LLAMA3 = YARN | {"low_freq_factor": 1, "high_freq_factor": 4}
LONGROPE = YARN | {"short_factor": [1, 1], "long_factor": [2, 2], "length": 10}
CALLS = {
    "linear": LINEAR,
    "ntk": NTK,
    "dynamic_ntk": DYNAMIC,
    "yarn": YARN,
    "llama3": LLAMA3,
    "longrope": LONGROPE,
}


def call(method, options):
    options = dict(options)
    first = options.pop("dim" if "ntk" in method else "frequencies")
    return getattr(context, method)(first, **options)


BAD_FREQUENCIES = [
    (1.0, ValueError, r"must have shape \(\*,\), got \(\)"),
    ([[1.0, 0.1]], ValueError, r"must have shape \(\*,\), got \(1, 2\)"),
    ([], ValueError, "must not be empty"),
    ([1.0, -0.1], ValueError, "must not be negative, got -0.1"),
    ([2.0**28 + 1, 0.1], ValueError, r"must be at most 2\*\*28 rad per token, got 268435457.0"),
    ([1e300, 0.1], ValueError, r"must be at most 2\*\*28"),
    ([np.nan, 0.1], ValueError, "must be finite, got nan"),
    ([np.inf, 0.1], ValueError, "must be finite, got inf"),
    ([[1.0], [0.1, 1.0]], TypeError, "must be an array of numbers"),
    ([1.0, 1j], TypeError, "must be numbers"),
    ([True, False], TypeError, "must be numbers"),
    (np.zeros(2, "V2"), TypeError, "must be numbers"),
    ("text", TypeError, "must be numbers"),
    (None, TypeError, "must be numbers"),
    ([None], TypeError, "must be numbers"),
]
BAD_NUMBERS = [
    (np.nan, ValueError, "must be finite, got nan"),
    (np.inf, ValueError, "must be finite, got inf"),
    ([2.0], TypeError, "must be one number"),
    ("2", TypeError, "must be numbers"),
    (None, TypeError, "must be numbers"),
    (True, TypeError, "must be numbers"),
    (2j, TypeError, "must be numbers"),
    (-1, ValueError, "must be (at least|greater than) .*, got -1"),
]
BAD_LENGTHS = [
    (0, ValueError, "must be at least [12], got 0"),
    (2**62, ValueError, r"must be less than 2\*\*31"),
    (4096.0, TypeError, "must be an integer, got 4096.0"),
    (True, TypeError, "must be an integer, got True"),
    (None, TypeError, "must be an integer, got None"),
    ("4096", TypeError, "must be an integer"),
]
MAY_BE_NONE = {("longrope", "factor")}
NUMBERS = [(method, "factor") for method in CALLS]
NUMBERS += [("ntk", "base"), ("dynamic_ntk", "base")]
NUMBERS += [("yarn", "beta_fast"), ("yarn", "beta_slow")]
NUMBERS += [("llama3", "low_freq_factor"), ("llama3", "high_freq_factor")]
LENGTHS = [(m, name) for m, options in CALLS.items() for name in options if "max_pos" in name]
LENGTHS += [("dynamic_ntk", "length"), ("longrope", "length")]


def cases(places, bad):
    return [
        (method, name, *rest)
        for method, name in places
        for rest in bad
        if not (rest[0] is None and (method, name) in MAY_BE_NONE)
    ]


@pytest.mark.parametrize(
    ("method", "name", "value", "error", "message"),
    [
        *cases([(m, "frequencies") for m in CALLS if "ntk" not in m], BAD_FREQUENCIES),
        *cases(NUMBERS, BAD_NUMBERS),
        *cases(LENGTHS, BAD_LENGTHS),
    ],
)
def test_what_is_wrong_with_an_argument_is_named(method, name, value, error, message):
    with pytest.raises(error, match=f"^{name} {message}"):
        call(method, CALLS[method] | {name: value})


@pytest.mark.parametrize(
    ("method", "change", "message"),
    [
        ("linear", {"factor": 0.99}, "factor must be at least 1, got 0.99"),
        ("ntk", {"dim": 2}, "dim must be at least 4, got 2"),
        ("ntk", {"dim": 7}, "dim must be even, got 7"),
        ("ntk", {"dim": 0}, "dim must be at least 2, got 0"),
        ("ntk", {"base": 1}, "base must be greater than 1, got 1"),
        ("ntk", {"factor": 1e308}, "factor must be small enough that the scaled base is finite"),
        ("dynamic_ntk", {"factor": 1e308}, "factor must be small enough"),
        ("yarn", {"frequencies": [1.0]}, "frequencies must be of at least 2 pairs, got 1"),
        ("yarn", {"frequencies": [1.0, 0.0]}, "frequencies must be positive, got 0.0"),
        ("yarn", {"frequencies": [1.0, 0.1, 0.02]}, "frequencies must fall by the same factor"),
        ("yarn", {"frequencies": [0.1, 1.0]}, "frequencies must fall by the same factor"),
        ("yarn", {"frequencies": [1.0, 1.0]}, "frequencies must fall by the same factor"),
        ("yarn", {"beta_fast": 1}, "beta_fast must be greater than beta_slow = 1.0, got 1"),
        ("yarn", {"beta_slow": 0}, "beta_slow must be greater than 1e-100, got 0"),
        ("yarn", {"attention_factor": 0}, "attention_factor must be greater than 0, got 0"),
        ("yarn", {"mscale": 1}, "mscale and mscale_all_dim must be given together, got 1 and N"),
        ("yarn", {"mscale_all_dim": 1}, "mscale and mscale_all_dim must be given together"),
        (
            "yarn",
            {"mscale": -1, "mscale_all_dim": 1, "attention_factor": 1},
            "mscale must be at least 0, got -1",
        ),
        ("yarn", {"mscale": 1, "mscale_all_dim": -1}, "mscale_all_dim must be at least 0, got -1"),
        (
            "yarn",
            {"original_max_position_embeddings": 6},
            "original_max_position_embeddings must be long enough that the fastest pair makes "
            "more than beta_slow = 1.0 turns, got 6",
        ),
        ("llama3", {"low_freq_factor": 0}, "low_freq_factor must be greater than 0, got 0"),
        (
            "llama3",
            {"high_freq_factor": 1},
            "high_freq_factor must be greater than low_freq_factor = 1, got 1",
        ),
        ("longrope", {"short_factor": [1]}, r"short_factor must have shape \(2,\), got \(1,\)"),
        ("longrope", {"long_factor": [1, 0]}, r"long_factor must be positive .*, got 0.0"),
        ("longrope", {"long_factor": [1, np.nan]}, "long_factor must be finite, got nan"),
        ("longrope", {"factor": None}, "factor or max_position_embeddings must be given"),
        ("longrope", {"attention_factor": -1}, "attention_factor must be greater than 0, got -1"),
        (
            "longrope",
            {"max_position_embeddings": 4095},
            "max_position_embeddings must be at least 4096, got 4095",
        ),
        (
            "longrope",
            {"max_position_embeddings": 4096 * 3},
            "factor must agree with max_position_embeddings / original_max_position_embeddings "
            "= 3.0, got 2.0",
        ),
        (
            "longrope",
            {"original_max_position_embeddings": 1},
            "original_max_position_embeddings must be at least 2, got 1",
        ),
    ],
)
def test_what_else_is_wrong_is_named(method, change, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        call(method, CALLS[method] | change)


@pytest.mark.parametrize("value", [1, 0, "true", None])
def test_truncate_is_a_bool(value):
    with pytest.raises(TypeError, match="truncate must be True or False"):
        call("yarn", YARN | {"truncate": value})


@pytest.mark.parametrize("method", CALLS)
def test_options_are_named(method):
    with pytest.raises(TypeError, match="positional"):
        getattr(context, method)([1.0, 0.1], 2)
