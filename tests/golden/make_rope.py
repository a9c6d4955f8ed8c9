"""Golden numbers of rotations: RoPE, its scalings, xPos and positions of several axes.

``make_schemes.py`` beside this file runs this one and writes schemes.json. Nothing here imports
pe_lib.
"""

import mpmath as mp

# Data, not formulas: the factors that Phi-3's authors found by search. From the config.json of
# microsoft/Phi-3-vision-128k-instruct and of the first microsoft/Phi-3-mini-128k-instruct.
PHI3_LONG = [
    1.0299999713897705, 1.0499999523162842, 1.0499999523162842, 1.0799999237060547,
    1.2299998998641968, 1.2299998998641968, 1.2999999523162842, 1.4499999284744263,
    1.5999999046325684, 1.6499998569488525, 1.8999998569488525, 2.859999895095825,
    3.68999981880188, 5.419999599456787, 5.489999771118164, 5.489999771118164,
    9.09000015258789, 11.579999923706055, 15.65999984741211, 15.769999504089355,
    15.789999961853027, 18.360000610351562, 21.989999771118164, 23.079999923706055,
    30.009998321533203, 32.35000228881836, 32.590003967285156, 35.56000518798828,
    39.95000457763672, 53.840003967285156, 56.20000457763672, 57.95000457763672,
    59.29000473022461, 59.77000427246094, 59.920005798339844, 61.190006256103516,
    61.96000671386719, 62.50000762939453, 63.3700065612793, 63.48000717163086,
    63.48000717163086, 63.66000747680664, 63.850006103515625, 64.08000946044922,
    64.760009765625, 64.80001068115234, 64.81001281738281, 64.81001281738281,
]  # fmt: skip
PHI3_SHORT = [
    1.05, 1.05, 1.05, 1.1, 1.1, 1.1, 1.2500000000000002, 1.2500000000000002,
    1.4000000000000004, 1.4500000000000004, 1.5500000000000005, 1.8500000000000008,
    1.9000000000000008, *[2.000000000000001] * 19, 2.1000000000000005, 2.1000000000000005,
    2.2, 2.3499999999999996, 2.3499999999999996, 2.3499999999999996, 2.3499999999999996,
    2.3999999999999995, 2.3999999999999995, 2.6499999999999986, 2.6999999999999984,
    2.8999999999999977, 2.9499999999999975, 3.049999999999997, 3.049999999999997,
    3.049999999999997,
]  # fmt: skip


def frequencies(dim, base):
    """base^(-2i/dim), Su et al. (2021), section 3.2.2."""
    return [mp.power(base, -mp.mpf(2 * i) / dim) for i in range(dim // 2)]


def plain(dim, base):
    return {"inv_freq": frequencies(dim, base)}


def linear(factor, dim, base):
    """Every frequency divided by the factor, Chen et al. (2023), position interpolation."""
    return {"inv_freq": [omega / factor for omega in frequencies(dim, base)], "factor": factor}


def ntk(alpha, dim, base):
    """base alpha^(d/(d-2)): the fastest pair stays, the slowest is divided by alpha."""
    new_base = base * mp.power(alpha, mp.mpf(dim) / (dim - 2))
    return {"new_base": new_base, "inv_freq": frequencies(dim, new_base), "alpha": alpha}


def dynamic_ntk(length, factor, max_position, dim, base):
    """The same with alpha = s L/M - (s - 1) for a length L beyond M; transformers, "dynamic"."""
    alpha = mp.mpf(factor * max(length, max_position)) / max_position - (factor - 1)
    scaled = ntk(alpha, dim, base)
    del scaled["alpha"]
    return scaled


def mscale(factor, weight=1):
    """0.1 weight ln(factor) + 1, Peng et al. (2023), section 3.4; weighted as in DeepSeek-V2."""
    return weight * mp.log(factor) / 10 + 1


def yarn(factor, original, base, dim, *, truncate=True, attention_factor=None):
    """Pairs of 32 turns in the original context keep their frequency, of 1 turn are divided.

    Peng et al. (2023), section 3.2; the pair index between which the ramp runs and its rounding as
    in their code and in transformers.
    """

    def pair_of(turns):
        return dim * mp.log(original / (2 * mp.pi * turns)) / (2 * mp.log(base))

    low_raw, high_raw = pair_of(32), pair_of(1)
    low, high = (mp.floor(low_raw), mp.ceil(high_raw)) if truncate else (low_raw, high_raw)
    low, high = max(low, mp.mpf(0)), min(high, mp.mpf(dim - 1))
    scaled = []
    for i, omega in enumerate(frequencies(dim, base)):
        ramp = min(max((i - low) / (high - low), 0), 1)
        scaled.append(omega / factor * ramp + omega * (1 - ramp))
    return {
        "low_raw": low_raw,
        "high_raw": high_raw,
        "low": low,
        "high": high,
        "attention_factor": mscale(factor) if attention_factor is None else attention_factor,
        "inv_freq": scaled,
    }


def llama3(factor, low_freq_factor, high_freq_factor, original, base, dim):
    """By wavelength: short ones stay, long ones are divided, a ramp in 1/wavelength between.

    Llama 3.1, models/llama3/reference_impl/model.py, apply_scaling.
    """
    scaled, counts = [], {"n_keep": 0, "n_blend": 0, "n_divide": 0}
    for omega in frequencies(dim, base):
        wavelength = 2 * mp.pi / omega
        smooth = (original / wavelength - low_freq_factor) / (high_freq_factor - low_freq_factor)
        part = "n_keep" if smooth > 1 else "n_divide" if smooth < 0 else "n_blend"
        counts[part] += 1
        smooth = min(max(smooth, 0), 1)
        scaled.append((1 - smooth) * omega / factor + smooth * omega)
    return {"inv_freq": scaled, **counts}


def longrope(factors, original, max_position, dim, base):
    """omega_i / f_i and sqrt(1 + ln s / ln M), s = max/M, Ding et al. (2024); Phi-3's code."""
    ratio = mp.mpf(max_position) / original
    omega = frequencies(dim, base)
    return {
        "inv_freq": [w / mp.mpf(f) for w, f in zip(omega, factors, strict=True)],
        "attention_factor": mp.sqrt(1 + mp.log(ratio) / mp.log(original)),
    }


def angles(position, dim, base):
    turns = [omega * position for omega in frequencies(dim, base)]
    return {"cos": [mp.cos(a) for a in turns], "sin": [mp.sin(a) for a in turns]}


def rotated(x, position, base, pairs):
    """Each pair (a, b) of channels as the complex number a + bi, times e^(i omega p)."""
    turned = [None] * len(x)
    for (a, b), omega in zip(pairs, frequencies(len(x), base), strict=True):
        z = mp.mpc(x[a], x[b]) * mp.expj(omega * position)
        turned[a], turned[b] = z.real, z.imag
    return turned


def scalings():
    """Real models' settings, named in the keys."""
    # DeepSeek divides mscale by mscale_all_dim: both 1 in V3, both 0.707 in V2-Lite.
    v3, v2_lite = (mscale(40, weight) / mscale(40, weight) for weight in (1, mp.mpf("0.707")))
    qwen, deepseek = (4, 32_768, 10**6, 128), (40, 4096, 10**4, 64)
    dynamic = {
        f"dynamic_f2_max2048_seq{length}_d128_b1e4": dynamic_ntk(length, 2, 2048, 128, 10**4)
        for length in (2048, 2049, 4096, 8192, 16_384)
    }
    return {
        "linear8_longchat7b16k_d128_b1e4": linear(8, 128, 10**4),
        "linear4_vicuna_v1_5_16k_d128_b1e4": linear(4, 128, 10**4),
        **{f"ntk_alpha{a}_d128_b1e4": ntk(a, 128, 10**4) for a in (2, 4, 8)},
        **dynamic,
        "yarn_qwen2_5_f4_o32768_b1e6_d128": yarn(*qwen),
        "yarn_qwen2_5_f4_o32768_b1e6_d128_notrunc": yarn(*qwen, truncate=False),
        "yarn_llama2_64k_f16_o4096_b1e4_d128": yarn(16, 4096, 10**4, 128),
        "yarn_deepseek_v3_f40_o4096_b1e4_d64": yarn(*deepseek, attention_factor=v3),
        "yarn_deepseek_v2lite_f40_o4096_b1e4_d64_ms0707": yarn(*deepseek, attention_factor=v2_lite),
        "yarn_gptoss_f32_o4096_b150000_d64_notrunc": yarn(32, 4096, 150_000, 64, truncate=False),
        "yarn_mscale_40": mscale(40),
        "llama3_1_8b_f8_l1_h4_o8192_b5e5_d128": llama3(8, 1, 4, 8192, 500_000, 128),
        "llama3_2_1b_f32_l1_h4_o8192_b5e5_d64": llama3(32, 1, 4, 8192, 500_000, 64),
        "longrope_phi3v128k_long_d96_b1e4": longrope(PHI3_LONG, 4096, 131_072, 96, 10**4),
        "longrope_phi3v128k_short_d96_b1e4": longrope(PHI3_SHORT, 4096, 131_072, 96, 10**4),
        "longrope_phi3v128k_factors": {"long": PHI3_LONG, "short": PHI3_SHORT},
    }


def rope():
    """Every entry, in mpmath's numbers; call it with the precision set."""
    x, half = [1, 2, 3, 4], [(0, 2), (1, 3)]
    return {
        "default_d64_b1e4": plain(64, 10**4),
        "default_d128_b1e4": plain(128, 10**4),
        "default_d128_b5e5_llama3": plain(128, 500_000),
        "default_d128_b1e6_codellama_qwen2": plain(128, 10**6),
        **scalings(),
        "angles_d128_b5e5": {
            p: angles(p, 128, 500_000) for p in (1, 257, 4095, 131_071, 1_000_003)
        },
        "rotate_d4_pos3_x1234": {
            "interleaved": rotated(x, 3, 10**4, [(0, 1), (2, 3)]),
            "half_split": rotated(x, 3, 10**4, half),
        },
    }


def xpos():
    """zeta_i = (2i/d + 0.4) / 1.4, Sun et al. (2023), as (2i + 0.4d) / 1.4d in torchscale."""
    dim, scale_base, position = 64, 512, 1024
    zeta = [mp.mpf(20 * i + 4 * dim) / (14 * dim) for i in range(dim // 2)]
    return {
        "d64_zeta": zeta,
        "scale_base": scale_base,
        "d64_zeta_pow_n_over_512_n1024": [mp.power(z, mp.mpf(position) / scale_base) for z in zeta],
    }


def mrope():
    """Three rows of positions for text, an image and text: Wang et al. (2024), section 2.1.

    The image stands on its merged grid and starts where the text stops; the text behind it goes
    on from the largest position of any axis plus one.
    """
    text_before, text_after, (frames, height, width), merge = 3, 2, (1, 4, 8), 2
    rows = [(p, p, p) for p in range(text_before)]
    for t in range(frames):
        for y in range(height // merge):
            rows += [
                (text_before + t, text_before + y, text_before + x) for x in range(width // merge)
            ]
    after = max(max(row) for row in rows) + 1
    rows += [(p, p, p) for p in range(after, after + text_after)]
    return {
        "segments": "3 text, image grid_thw (1, 4, 8) merge 2, 2 text",
        **{axis: [row[a] for row in rows] for a, axis in enumerate("thw")},
        "rope_delta": max(max(row) for row in rows) + 1 - len(rows),
        "section_qwen2_vl": [16, 24, 24],
        "section_qwen3_vl_interleaved": [24, 20, 20],
    }
