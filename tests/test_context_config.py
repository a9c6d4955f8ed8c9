"""pe_lib.context.from_config on the configurations of real models, and on wrong ones."""

import copy
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pe_lib import context, frequencies

LLAMA3 = {"low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 8192}

#: Model -> what its config.json says about rotation; keys that models leave to their code added.
CONFIGS = {
    "Llama 3.1 8B": {
        "hidden_size": 4096,
        "num_attention_heads": 32,
        "max_position_embeddings": 131072,
        "rope_theta": 500000.0,
        "rope_scaling": LLAMA3 | {"factor": 8.0, "rope_type": "llama3"},
    },
    "Llama 3.2 1B": {
        "head_dim": 64,
        "hidden_size": 2048,
        "num_attention_heads": 32,
        "max_position_embeddings": 131072,
        "rope_theta": 500000.0,
        "rope_scaling": LLAMA3 | {"factor": 32.0, "rope_type": "llama3"},
    },
    "Qwen2.5 7B with YaRN": {
        "hidden_size": 3584,
        "num_attention_heads": 28,
        "max_position_embeddings": 32768,
        "rope_theta": 1000000.0,
        "rope_scaling": {
            "factor": 4.0,
            "original_max_position_embeddings": 32768,
            "type": "yarn",
        },
    },
    "gpt-oss 20B": {
        "head_dim": 64,
        "hidden_size": 2880,
        "num_attention_heads": 64,
        "max_position_embeddings": 131072,
        "rope_theta": 150000,
        "rope_scaling": {
            "beta_fast": 32.0,
            "beta_slow": 1.0,
            "factor": 32.0,
            "original_max_position_embeddings": 4096,
            "rope_type": "yarn",
            "truncate": False,
        },
    },
    "DeepSeek-V3": {
        "hidden_size": 7168,
        "num_attention_heads": 128,
        "qk_nope_head_dim": 128,
        "qk_rope_head_dim": 64,
        "max_position_embeddings": 163840,
        "rope_theta": 10000,
        "rope_scaling": {
            "beta_fast": 32,
            "beta_slow": 1,
            "factor": 40,
            "mscale": 1.0,
            "mscale_all_dim": 1.0,
            "original_max_position_embeddings": 4096,
            "type": "yarn",
        },
    },
    "Code Llama 7B": {
        "hidden_size": 4096,
        "num_attention_heads": 32,
        "max_position_embeddings": 16384,
        "rope_theta": 1000000,
        "rope_scaling": None,
    },
    "LongChat 7B 32k": {
        "hidden_size": 4096,
        "num_attention_heads": 32,
        "max_position_embeddings": 4096,
        "rope_theta": 10000.0,
        "rope_scaling": {"factor": 8.0, "type": "linear"},
    },
    "Llama 2 with dynamic NTK": {
        "hidden_size": 4096,
        "num_attention_heads": 32,
        "max_position_embeddings": 2048,
        "rope_theta": 10000.0,
        "rope_scaling": {"factor": 2.0, "type": "dynamic"},
    },
}

GEMMA3 = {  # as published, with the base that its code supplies
    "head_dim": 256,
    "rope_theta": 1000000.0,
    "rope_local_base_freq": 10000.0,
    "rope_scaling": {"factor": 8.0, "rope_type": "linear"},
}
GEMMA3_NESTED = {
    "head_dim": 256,
    "layer_types": ["sliding_attention", "full_attention"],
    "rope_parameters": {
        "full_attention": {"factor": 8.0, "rope_theta": 1000000.0, "rope_type": "linear"},
        "sliding_attention": {"rope_theta": 10000.0, "rope_type": "default"},
    },
}
MODERNBERT = {
    "hidden_size": 768,
    "num_attention_heads": 12,
    "global_rope_theta": 160000.0,
    "local_rope_theta": 10000.0,
}
FLAT = {"head_dim": 8, "rope_theta": 100.0}


def phi3(schemes_golden, **change):
    lists = schemes_golden["rope"]["longrope_phi3v128k_factors"]
    return {
        "hidden_size": 3072,
        "num_attention_heads": 32,
        "max_position_embeddings": 131072,
        "original_max_position_embeddings": 4096,
        "rope_theta": 10000.0,
        "rope_scaling": {
            "long_factor": lists["long"],
            "short_factor": lists["short"],
            "type": "longrope",
        }
        | change,
    }


def within_ulp(got, want, ulp=4):
    got, want = np.asarray(got), np.asarray(want)
    assert got.shape == want.shape
    assert (np.abs(got - want) <= ulp * np.spacing(want)).all()


def same(got, want):
    np.testing.assert_array_equal(got.frequencies, want.frequencies)
    assert got.attention_factor == want.attention_factor


# --- Golden numbers ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "name", "length"),
    [
        ("Llama 3.1 8B", "llama3_1_8b_f8_l1_h4_o8192_b5e5_d128", None),
        ("Llama 3.2 1B", "llama3_2_1b_f32_l1_h4_o8192_b5e5_d64", None),
        ("Qwen2.5 7B with YaRN", "yarn_qwen2_5_f4_o32768_b1e6_d128", None),
        ("gpt-oss 20B", "yarn_gptoss_f32_o4096_b150000_d64_notrunc", None),
        ("DeepSeek-V3", "yarn_deepseek_v3_f40_o4096_b1e4_d64", None),
        ("Code Llama 7B", "default_d128_b1e6_codellama_qwen2", None),
        ("LongChat 7B 32k", "linear8_longchat7b16k_d128_b1e4", None),
        ("Llama 2 with dynamic NTK", "dynamic_f2_max2048_seq2048_d128_b1e4", 7),
        ("Llama 2 with dynamic NTK", "dynamic_f2_max2048_seq8192_d128_b1e4", 8192),
    ],
)
def test_golden_real_models(schemes_golden, model, name, length):
    got, want = context.from_config(CONFIGS[model], length=length), schemes_golden["rope"][name]
    within_ulp(got.frequencies, want["inv_freq"])
    within_ulp(got.attention_factor, want.get("attention_factor", 1.0))


@pytest.mark.parametrize("name", ["longrope", "su"])
def test_golden_phi_3_mini_128k(schemes_golden, name):
    config = phi3(schemes_golden, type=name)
    for length, which in [(4096, "short"), (4097, "long"), (131072, "long")]:
        got = context.from_config(config, length=length)
        want = schemes_golden["rope"][f"longrope_phi3v128k_{which}_d96_b1e4"]
        within_ulp(got.frequencies, want["inv_freq"])
        within_ulp(got.attention_factor, want["attention_factor"])


# --- Properties ----------------------------------------------------------------------------------


@pytest.mark.parametrize("model", CONFIGS)
def test_old_and_new_spellings_mean_the_same(model):
    old, length = CONFIGS[model], 4096
    want = context.from_config(old, length=length)
    scaling = dict(old["rope_scaling"] or {})
    kind = scaling.pop("type", scaling.pop("rope_type", "default"))
    bare = {key: value for key, value in old.items() if not key.startswith("rope_")}
    spellings = [
        old | {"rope_parameters": old["rope_scaling"]},  # both, and the same
        old | {"rope_scaling": None, "rope_parameters": scaling | {"rope_type": kind}},
        old | {"rope_scaling": scaling | {"rope_type": kind, "type": kind}},
        bare | {"rope_parameters": scaling | {"type": kind, "rope_theta": old["rope_theta"]}},
        bare
        | {"rope_theta": None}
        | {"rope_scaling": scaling | {"rope_type": kind, "rope_theta": float(old["rope_theta"])}},
        {"text_config": old, "vision_config": {"hidden_size": 3}},
        {"hidden_size": 3, "rope_theta": old["rope_theta"], "text_config": old},
        old | {"text_config": None},
        json.loads(json.dumps(old)),
    ]
    for config in spellings:
        same(context.from_config(config, length=length), want)


@pytest.mark.parametrize("model", CONFIGS)
def test_a_null_is_a_missing_key(model):
    config = copy.deepcopy(CONFIGS[model])
    config["partial_rotary_factor"] = None
    if config["rope_scaling"]:
        config["rope_scaling"] |= {"attention_factor": None, "mrope_section": None}
    want = context.from_config(CONFIGS[model], length=9)
    same(context.from_config(config, length=9), want)


@pytest.mark.parametrize("model", CONFIGS)
def test_a_config_is_never_changed(model):
    config = copy.deepcopy(CONFIGS[model])
    context.from_config(config, length=5000)
    assert config == CONFIGS[model]


@given(st.sampled_from(sorted(CONFIGS)), st.integers(1, 10**6))
def test_the_length_matters_to_the_methods_that_depend_on_it_and_to_no_other(model, length):
    if "dynamic" not in model:
        got = context.from_config(CONFIGS[model], length=length)
        same(got, context.from_config(CONFIGS[model]))


@given(st.integers(1, 60).map(lambda pairs: 2 * pairs), st.integers(1, 60).map(lambda n: 2 * n))
def test_a_part_of_the_channels_has_the_frequencies_of_a_head_of_that_size(rotated, more):
    head = rotated + more
    want = context.Scaled(frequencies(rotated, base=1e4), 1.0)
    rest = {"head_dim": head, "rope_theta": 1e4}
    for keys in (
        {"rotary_dim": rotated},
        {"qk_rope_head_dim": rotated},
        {"partial_rotary_factor": rotated / head},
        {"rotary_pct": rotated / head},
        {"rope_parameters": {"partial_rotary_factor": rotated / head}},
        {"rotary_dim": rotated, "partial_rotary_factor": rotated / head},
        {"qk_rope_head_dim": rotated, "partial_rotary_factor": 1.0},
    ):
        same(context.from_config(rest | keys), want)


@given(st.integers(1, 60), st.integers(0, 60), st.floats(1, 100))
def test_proportional_turns_the_fastest_pairs_of_the_whole_head(rotated, still, factor):
    head = 2 * (rotated + still)
    config = {
        "head_dim": head,
        "rope_theta": 1e6,
        "rope_parameters": {
            "rope_type": "proportional",
            "partial_rotary_factor": 2 * rotated / head,
        },
    }
    got = context.from_config(config)
    whole = frequencies(head, base=1e6)
    np.testing.assert_array_equal(got.frequencies[:rotated], whole[:rotated])
    np.testing.assert_array_equal(got.frequencies[rotated:], np.zeros(still))
    assert got.attention_factor == 1
    config["rope_parameters"]["factor"] = factor
    same(context.from_config(config), context.linear(got.frequencies, factor=factor))


# --- Edge values: real models with something of their own ----------------------------------------


@pytest.mark.parametrize("config", [GEMMA3, GEMMA3_NESTED, {"text_config": GEMMA3}])
def test_gemma_3_scales_its_full_attention_alone(config):
    full = context.from_config(config, layer_type="full_attention")
    sliding = context.from_config(config, layer_type="sliding_attention")
    same(full, context.linear(frequencies(256, base=1e6), factor=8))
    same(sliding, context.Scaled(frequencies(256), 1.0))


def test_gemma_3_1b_has_two_bases_and_no_scaling():
    config = GEMMA3 | {"rope_scaling": None}
    full = context.from_config(config, layer_type="full_attention")
    same(full, context.Scaled(frequencies(256, base=1e6), 1.0))


def test_modernbert_has_two_bases():
    for layer_type, base in [("full_attention", 160000), ("sliding_attention", 10000)]:
        got = context.from_config(MODERNBERT, layer_type=layer_type)
        same(got, context.Scaled(frequencies(64, base=base), 1.0))


def test_a_layers_own_base_comes_before_the_configurations():
    config = {
        "head_dim": 8,
        "rope_theta": 1e6,
        "rope_parameters": {
            "full_attention": {"rope_type": "default"},
            "sliding_attention": {"rope_type": "default", "rope_theta": 1e4},
            "no_rotation": None,
        },
    }
    for layer_type, base in [("full_attention", 1e6), ("sliding_attention", 1e4)]:
        got = context.from_config(config, layer_type=layer_type)
        same(got, context.Scaled(frequencies(8, base=base), 1.0))
    local = config | {"rope_local_base_freq": 1e3}
    got = context.from_config(local, layer_type="sliding_attention")
    same(got, context.Scaled(frequencies(8), 1.0))
    local["rope_parameters"] = {
        "full_attention": {},
        "sliding_attention": {},
    }
    for layer_type, base in [("full_attention", 1e6), ("sliding_attention", 1e3)]:
        got = context.from_config(local, layer_type=layer_type)
        same(got, context.Scaled(frequencies(8, base=base), 1.0))


def test_gemma_4_has_larger_heads_in_its_full_attention():
    config = {
        "head_dim": 256,
        "global_head_dim": 512,
        "rope_parameters": {
            "full_attention": {
                "partial_rotary_factor": 0.25,
                "rope_theta": 1000000.0,
                "rope_type": "proportional",
            },
            "sliding_attention": {"rope_theta": 10000.0, "rope_type": "default"},
        },
    }
    full = context.from_config(config, layer_type="full_attention").frequencies
    np.testing.assert_array_equal(full[:64], frequencies(512, base=1e6)[:64])
    np.testing.assert_array_equal(full[64:], np.zeros(192))
    sliding = context.from_config(config, layer_type="sliding_attention").frequencies
    np.testing.assert_array_equal(sliding, frequencies(256))


@pytest.mark.parametrize("scaling", [{"type": "mrope"}, {"type": "mrope", "rope_type": "default"}])
def test_qwen2_vl_has_default_frequencies_its_sections_belong_to_the_positions(scaling):
    config = {
        "hidden_size": 3584,
        "num_attention_heads": 28,
        "rope_theta": 1000000.0,
        "rope_scaling": scaling | {"mrope_section": [16, 24, 24]},
    }
    same(context.from_config(config), context.Scaled(frequencies(128, base=1e6), 1.0))


def test_qwen2_5_vl_may_have_yarn_and_sections():
    plain = CONFIGS["Qwen2.5 7B with YaRN"]
    scaling = plain["rope_scaling"] | {"mrope_section": [16, 24, 24], "mrope_interleaved": False}
    same(context.from_config(plain | {"rope_scaling": scaling}), context.from_config(plain))


@pytest.mark.parametrize(
    ("config", "dim", "base"),
    [
        ({"hidden_size": 6144, "num_attention_heads": 64, "rotary_pct": 0.25}, 24, 1e4),  # NeoX 20B
        ({"hidden_size": 2560, "num_attention_heads": 32, "partial_rotary_factor": 0.4}, 32, 1e4),
        ({"rotary_dim": 64}, 64, 1e4),  # GPT-J
    ],
)
def test_models_that_rotate_a_part_of_a_head(config, dim, base):
    key = "rotary_emb_base" if "rotary_pct" in config else "rope_theta"
    got = context.from_config(config | {key: base})
    same(got, context.Scaled(frequencies(dim, base=base), 1.0))


def test_an_explicit_attention_factor_wins_in_a_config_too():
    config = copy.deepcopy(CONFIGS["DeepSeek-V3"])
    config["rope_scaling"]["attention_factor"] = 1.5
    assert context.from_config(config).attention_factor == 1.5


def test_a_trained_length_may_stand_on_top(schemes_golden):
    config = copy.deepcopy(CONFIGS["Llama 3.1 8B"])
    config["original_max_position_embeddings"] = config["rope_scaling"].pop(
        "original_max_position_embeddings"
    )
    same(context.from_config(config), context.from_config(CONFIGS["Llama 3.1 8B"]))
    config["rope_scaling"]["original_max_position_embeddings"] = 8192
    same(context.from_config(config), context.from_config(CONFIGS["Llama 3.1 8B"]))
    # It is not read where the method has no use for it, as in Phi-3 4k.
    plain = scaled("linear", factor=2.0) | {"original_max_position_embeddings": 4096}
    same(context.from_config(plain), context.linear(frequencies(8, base=100), factor=2))
    plain = phi3(schemes_golden) | {"rope_scaling": None}
    same(context.from_config(plain), context.Scaled(frequencies(96), 1.0))


def test_keys_that_concern_the_layout_or_other_parts_are_passed_over():
    config = FLAT | {"rope_interleave": True, "vocab_size": 5, 3: 4, "sliding_window": 512}
    same(context.from_config(config), context.from_config(FLAT))


# --- Errors --------------------------------------------------------------------------------------


def scaled(kind, **keys):
    return FLAT | {"rope_scaling": {"rope_type": kind} | keys}


YARN = {"factor": 2.0, "original_max_position_embeddings": 100}


@pytest.mark.parametrize(
    ("config", "message"),
    [
        # What it does not know
        (
            scaled("ntk", factor=2.0),
            r"rope_scaling\['rope_type'\] must be one of 'default', 'linear', .*, got 'ntk'",
        ),
        (scaled(None, type="dynamic-yarn"), r"rope_scaling\['type'\] must be one of .*'dynamic-y"),
        (scaled("axial"), r"rope_scaling\['rope_type'\] must be one of .*, got 'axial'"),
        (scaled(["yarn"]), r"rope_scaling\['rope_type'\] must be one of"),
        (
            scaled("linear", factor=2.0, alpha=1000.0),
            "rope_scaling must have only keys that 'linear' knows, got 'alpha'",
        ),
        (scaled("default", factor=2.0), "only keys that 'default' knows, got 'factor'"),
        (scaled("linear", factor=2.0, mscale=1.0), "that 'linear' knows, got 'mscale'"),
        (scaled("llama3", **YARN, beta_fast=32), "that 'llama3' knows, got 'beta_fast'"),
        (scaled("yarn", **YARN, finetuned=True), "that 'yarn' knows, got 'finetuned'"),
        (
            scaled("yarn", **YARN, llama_4_scaling_beta=0.1),
            "that 'yarn' knows, got 'llama_4_scaling_beta'",
        ),
        (FLAT | {"rope_condense_ratio": 8}, "unknown meaning, got 'rope_condense_ratio'"),
        (FLAT | {"rope_ratio": 500}, "unknown meaning, got 'rope_ratio'"),
        (FLAT | {"text_config": {"rotary_base": 5}}, "unknown meaning, got 'rotary_base'"),
        # What is missing
        ({"head_dim": 8}, "config must have 'rope_theta': some files leave it to"),
        (FLAT | {"rope_theta": None}, "config must have 'rope_theta'"),
        ({"rope_theta": 1e4}, "config must have 'hidden_size', as it has no 'head_dim'"),
        ({"rope_theta": 1e4, "hidden_size": 8}, "config must have 'num_attention_heads', as"),
        (
            FLAT | {"rope_scaling": {"factor": 2.0}},
            "rope_scaling must have 'rope_type', got 'factor'",
        ),
        (scaled("linear"), "rope_scaling must have 'factor' for type 'linear'"),
        (scaled("linear", factor=None), "rope_scaling must have 'factor' for type 'linear'"),
        (scaled("dynamic", factor=2.0), "config must have 'max_position_embeddings'"),
        (scaled("yarn", factor=2.0), "must have 'original_max_position_embeddings' for type 'yarn"),
        (scaled("llama3", **YARN), "rope_scaling must have 'low_freq_factor' for type 'llama3'"),
        (scaled("su", **YARN), "rope_scaling must have 'short_factor' for type 'longrope'"),
        # What contradicts itself
        (
            scaled("linear", factor=2.0, type="yarn"),
            "config must not contradict itself on the type in rope_scaling, got rope_type = "
            "'linear' and type = 'yarn'",
        ),
        (
            FLAT | {"rope_parameters": {"rope_type": "default", "rope_theta": 5.0}},
            "contradict itself on the base, got rope_theta = 100.0 and rope_theta = 5.0",
        ),
        (
            FLAT | {"rotary_emb_base": np.ones(2)},
            "on the base, got rope_theta = 100.0 and rotary_emb_base = array",
        ),
        (
            FLAT | {"rope_theta": np.float16([1]), "rotary_emb_base": 1e300},
            "on the base, got rope_theta = array",
        ),
        (FLAT | {"rotary_emb_base": 5}, "on the base, got rope_theta = 100.0 and rotary_emb_base"),
        (
            scaled("linear", factor=2.0) | {"rope_parameters": {"rope_type": "default"}},
            "contradict itself on the scaling, got rope_scaling = .* and rope_parameters = ",
        ),
        (
            FLAT | {"text_config": {"rope_theta": 5.0}},
            "contradict itself on rope_theta inside and outside text_config, got",
        ),
        (
            scaled("yarn", **YARN) | {"original_max_position_embeddings": 50},
            "contradict itself on original_max_position_embeddings, got .* = 50 and .* = 100",
        ),
        (
            FLAT | {"rotary_pct": 0.5, "partial_rotary_factor": 0.25},
            "contradict itself on the rotated fraction, got partial_rotary_factor = 0.25 and rot",
        ),
        (
            FLAT | {"rotary_dim": 2, "qk_rope_head_dim": 4},
            "contradict itself on the rotated channels, got qk_rope_head_dim = 4 and rotary_dim",
        ),
        (
            FLAT | {"rotary_dim": 2, "rotary_pct": 0.5},
            "on the rotated channels, got rotary_dim = 2 and partial_rotary_factor times head_dim",
        ),
        (
            scaled("longrope", short_factor=[1] * 4, long_factor=[1] * 4, **YARN)
            | {"max_position_embeddings": 300},
            "factor must agree with max_position_embeddings / original_max_position_embeddings",
        ),
        # What is out of range
        (FLAT | {"rope_theta": 1.0}, "rope_theta must be greater than 1, got 1.0"),
        (FLAT | {"head_dim": 7}, "head_dim must be even, got 7"),
        (FLAT | {"head_dim": 0}, "head_dim must be at least 2, got 0"),
        (FLAT | {"rotary_dim": 3}, "rotary_dim must be even, got 3"),
        (FLAT | {"qk_rope_head_dim": 0}, "qk_rope_head_dim must be at least 2, got 0"),
        (FLAT | {"partial_rotary_factor": 0.3}, "must rotate an even number of the 8 .*, got 0.3"),
        (FLAT | {"partial_rotary_factor": 0.0}, "must rotate an even number .*, got 0.0"),
        (FLAT | {"partial_rotary_factor": 2.0}, "must rotate an even number .*, got 2.0"),
        (FLAT | {"partial_rotary_factor": 1.7e308}, "must rotate an even number .*, got 1.7e.308"),
        (FLAT | {"partial_rotary_factor": -1}, "must rotate an even number .*, got -1.0"),
        (FLAT | {"partial_rotary_factor": 0.375}, "must rotate an even number .*, got 0.375"),
        (
            {"rope_theta": 1e4, "hidden_size": 10, "num_attention_heads": 4},
            "hidden_size must be a multiple of 4 heads, got 10",
        ),
        (
            {"rope_theta": 1e4, "hidden_size": 12, "num_attention_heads": 4},
            "hidden_size // num_attention_heads must be even, got 3",
        ),
        (scaled("linear", factor=0.5), "factor must be at least 1, got 0.5"),
        (scaled("linear", factor=float("nan")), "factor must be finite, got nan"),
        # Layers that differ
        (
            GEMMA3,
            "layer_type must be one of 'full_attention', 'sliding_attention', got None",
        ),
        (GEMMA3_NESTED, "layer_type must be one of 'full_attention', 'sliding_attention', got No"),
        (MODERNBERT, "layer_type must be one of"),
    ],
)
def test_what_is_wrong_with_a_config_is_named(config, message):
    with pytest.raises(ValueError, match=message):
        context.from_config(config, length=10)


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (None, "config must be a dictionary, got None"),
        ("config.json", "config must be a dictionary, got 'config.json'"),
        ([("head_dim", 8)], "config must be a dictionary"),
        (FLAT | {"rope_scaling": "linear"}, "rope_scaling must be a dictionary, got 'linear'"),
        (FLAT | {"rope_parameters": []}, r"rope_parameters must be a dictionary, got \[\]"),
        (FLAT | {"rope_scaling": False}, "rope_scaling must be a dictionary, got False"),
        (FLAT | {"text_config": 3}, "text_config must be a dictionary, got 3"),
        (FLAT | {"head_dim": 8.0}, "head_dim must be an integer, got 8.0"),
        (FLAT | {"rotary_dim": "8"}, "rotary_dim must be an integer, got '8'"),
        (FLAT | {"rope_theta": "10000"}, "rope_theta must be numbers"),
        (FLAT | {"rotary_pct": True}, "partial_rotary_factor must be numbers"),
        (scaled("linear", factor="8"), "factor must be numbers"),
        (scaled("yarn", **YARN, truncate=0), "truncate must be True or False, got 0"),
    ],
)
def test_a_wrong_type_is_named(config, message):
    with pytest.raises(TypeError, match=message):
        context.from_config(config)


@pytest.mark.parametrize("layer_type", ["full_attention", "", 0, ["full_attention"]])
def test_a_type_of_layer_has_no_meaning_where_all_are_alike(layer_type):
    with pytest.raises(ValueError, match="layer_type must be None, all layers are alike"):
        context.from_config(FLAT, layer_type=layer_type)


@pytest.mark.parametrize("layer_type", ["global", "", 0, ["full_attention"]])
def test_an_unknown_type_of_layer_is_refused(layer_type):
    for config in (GEMMA3, GEMMA3_NESTED):
        with pytest.raises(ValueError, match="layer_type must be one of 'full_attention', "):
            context.from_config(config, layer_type=layer_type)


def test_a_layer_without_rotation_is_no_choice():
    nested = GEMMA3_NESTED["rope_parameters"] | {"none": None}
    with pytest.raises(ValueError, match="'full_attention', 'sliding_attention', got 'none'"):
        context.from_config(GEMMA3_NESTED | {"rope_parameters": nested}, layer_type="none")


def test_a_key_beside_the_dictionaries_of_layers_is_refused():
    nested = GEMMA3_NESTED["rope_parameters"] | {"factor": 2.0}
    config = GEMMA3_NESTED | {"rope_parameters": nested}
    with pytest.raises(ValueError, match="rope_parameters must be one dictionary per type of lay"):
        context.from_config(config, layer_type="full_attention")


def test_frequencies_that_depend_on_the_length_need_it(schemes_golden):
    for config in (CONFIGS["Llama 2 with dynamic NTK"], phi3(schemes_golden)):
        with pytest.raises(ValueError, match="length must be given: the frequencies of"):
            context.from_config(config)


@pytest.mark.parametrize(("length", "error"), [(0, ValueError), (1.5, TypeError), ("9", TypeError)])
def test_a_wrong_length_is_named_whether_or_not_it_is_needed(length, error):
    for config in (FLAT, CONFIGS["Llama 2 with dynamic NTK"]):
        with pytest.raises(error, match="length must be"):
            context.from_config(config, length=length)
