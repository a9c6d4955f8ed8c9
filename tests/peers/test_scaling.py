"""Scalings of RoPE against transformers' ``ROPE_INIT_FUNCTIONS``.

Its frequencies are computed in float32 and carry its roundings, up to 7e-7 of the value; hence the
tolerance here. pe_lib's own is 4 ulp of float64, tested against 50 digits in tests/test_context.py.
"""

import numpy as np
import pytest

from pe_lib import context, frequencies

FLOAT32 = 1e-6
LISTS = {"short_factor": np.linspace(1, 2, 32), "long_factor": np.geomspace(1, 60, 32)}
LLAMA3 = {"low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 8192}
YARN = {"factor": 32.0, "original_max_position_embeddings": 4096}

#: Rotary dictionaries; heads have 64 channels, the extended length is 131072 tokens.
CASES = {
    "linear": {"rope_type": "linear", "factor": 8.0},
    "dynamic": {"rope_type": "dynamic", "factor": 2.0},
    "yarn": {"rope_type": "yarn"} | YARN,
    "yarn, not truncated": {"rope_type": "yarn", "truncate": False} | YARN,
    "yarn, its bounds": {"rope_type": "yarn", "beta_fast": 16.0, "beta_slow": 2.0} | YARN,
    "yarn, explicit": {"rope_type": "yarn", "attention_factor": 1.5} | YARN,
    "yarn, ratio": {"rope_type": "yarn", "mscale": 1.0, "mscale_all_dim": 0.5} | YARN,
    "yarn, DeepSeek": {"rope_type": "yarn", "mscale": 0.707, "mscale_all_dim": 0.707} | YARN,
    "yarn, 64 tokens": {"rope_type": "yarn", "factor": 8.0, "original_max_position_embeddings": 64},
    "longrope": {
        "rope_type": "longrope",
        "original_max_position_embeddings": 4096,
        "short_factor": LISTS["short_factor"].tolist(),
        "long_factor": LISTS["long_factor"].tolist(),
    },
    "llama3": {"rope_type": "llama3", "factor": 32.0} | LLAMA3,
    "proportional": {"rope_type": "proportional", "partial_rotary_factor": 0.25},
    "proportional, scaled": {
        "rope_type": "proportional",
        "partial_rotary_factor": 0.5,
        "factor": 4.0,
    },
    "yarn on a part": {"rope_type": "yarn", "partial_rotary_factor": 0.5} | YARN,
}


def llama(peer, base, rope, **keys):
    """Their configuration of a Llama with this rotary dictionary."""
    keys = {"hidden_size": 256, "num_attention_heads": 4, "head_dim": 64} | keys
    keys = {"max_position_embeddings": 131072} | keys
    return peer("transformers").LlamaConfig(rope_parameters={"rope_theta": base} | rope, **keys)


def theirs(peer, config, length=None):
    functions = peer("transformers.modeling_rope_utils").ROPE_INIT_FUNCTIONS
    omega, attention_factor = functions[config.rope_parameters["rope_type"]](
        config, device="cpu", seq_len=length
    )
    return omega.double().numpy(), attention_factor


@pytest.mark.parametrize("length", [1, 4096, 4097, 131072, 200_000])
@pytest.mark.parametrize("base", [1e4, 5e5])
@pytest.mark.parametrize("name", CASES)
def test_every_scaling_agrees_to_float32(peer, name, base, length):
    config = llama(peer, base, CASES[name])
    omega, attention_factor = theirs(peer, config, length)
    ours = context.from_config(config.to_dict(), length=length)
    np.testing.assert_allclose(ours.frequencies, omega, rtol=FLOAT32, atol=0)
    assert ours.attention_factor == pytest.approx(attention_factor, rel=1e-15)


@pytest.mark.parametrize("base", [1e4, 5e5, 1e6])
@pytest.mark.parametrize(("dim", "least"), [(64, 5e-8), (128, 5e-8), (80, 2e-7), (96, 2e-7)])
def test_the_default_agrees_to_float32_and_theirs_errs(peer, dim, least, base):
    modeling = peer("transformers.models.llama.modeling_llama")
    config = llama(peer, base, {"rope_type": "default"}, head_dim=dim)
    module = modeling.LlamaRotaryEmbedding(config)
    omega = module.inv_freq.double().numpy()
    ours = context.from_config(config.to_dict())
    np.testing.assert_array_equal(ours.frequencies, frequencies(dim, base=base))
    assert ours.attention_factor == module.attention_scaling == 1
    # One rounding where d is a power of two; else the exponent 2i/d is rounded as well, and
    # ln(base) multiplies that. At position 131072 either is thousandths of a radian.
    error = np.abs(omega - ours.frequencies)
    assert least < (error / ours.frequencies).max() < 4e-7
    assert 1e-3 < (error * 131072).max() < 1e-2


def test_a_model_says_how_theirs_is_used(peer, torch):
    """cos and sin times the attention factor, on queries and keys: a score has its square."""
    modeling = peer("transformers.models.llama.modeling_llama")
    config = llama(peer, 1e4, CASES["yarn"])
    cos, sin = modeling.LlamaRotaryEmbedding(config)(torch.zeros(1, 3, 64), torch.arange(3)[None])
    norms = (cos**2 + sin**2).double().numpy()
    want = context.from_config(config.to_dict()).attention_factor ** 2
    np.testing.assert_allclose(norms, np.full(norms.shape, want), rtol=1e-6)


@pytest.mark.parametrize(
    ("model", "keys", "layer_types"),
    [
        ("LlamaConfig", {}, [None]),
        ("Qwen2Config", {}, [None]),
        ("GptOssConfig", {}, [None]),
        ("Gemma3TextConfig", {}, ["full_attention", "sliding_attention"]),
        ("ModernBertConfig", {}, ["full_attention", "sliding_attention"]),
    ],
)
def test_the_default_configuration_of_their_models_is_read(peer, model, keys, layer_types):
    config = getattr(peer("transformers"), model)(**keys)
    for layer_type in layer_types:
        rope = config.rope_parameters
        rope = rope if layer_type is None else rope[layer_type]
        scaled = context.from_config(config.to_dict(), layer_type=layer_type)
        head = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
        omega = frequencies(head, base=rope["rope_theta"])
        if rope["rope_type"] == "default":
            np.testing.assert_array_equal(scaled.frequencies, omega)
        else:
            np.testing.assert_allclose(scaled.frequencies, theirs(peer, config)[0], rtol=FLOAT32)


def test_the_softmax_scale_of_deepseek_has_the_second_factor(peer):
    """mscale = mscale_all_dim: ratio 1 on cos and sin, and (0.1 mscale ln s + 1)^2 elsewhere."""
    modeling = peer("transformers.models.deepseek_v3.modeling_deepseek_v3")
    rope = {"mscale_all_dim": 1.0, "factor": 40.0, "rope_type": "yarn"}
    without_mscale = context.yarn(
        frequencies(64), factor=40, original_max_position_embeddings=4096
    ).attention_factor
    assert modeling.yarn_apply_mscale(rope, 1.0) == pytest.approx(without_mscale**2, rel=1e-15)


# --- Where the peer is wrong ---------------------------------------------------------------------


def test_theirs_divides_pairs_that_turn_thousands_of_times_if_all_of_them_do(peer):
    """Its ramp ends at pair d - 1 at the latest, and may so end before it begins.

    With base 10 and 10**6 tokens every one of the 32 pairs makes more than 16,000 turns, far more
    than beta_fast: all should be kept. The ramp runs from 182 to min(231, 63), and that makes
    everything divided.
    """
    rope = {"rope_type": "yarn", "factor": 8.0, "original_max_position_embeddings": 10**6}
    config = llama(peer, 10.0, rope, max_position_embeddings=8 * 10**6)
    omega, _ = theirs(peer, config)
    unscaled = frequencies(64, base=10)
    np.testing.assert_allclose(omega, unscaled / 8, rtol=FLOAT32)
    ours = context.from_config(config.to_dict()).frequencies
    np.testing.assert_array_equal(ours, unscaled)


def test_theirs_ignores_a_lone_mscale_and_ours_asks(peer):
    """DeepSeek's own code takes a missing mscale_all_dim as 0; transformers drops mscale."""
    config = llama(peer, 1e4, {"rope_type": "yarn", "mscale": 0.707} | YARN)
    _, attention_factor = theirs(peer, config)
    assert attention_factor == pytest.approx(0.1 * np.log(32) + 1)
    with pytest.raises(ValueError, match="mscale and mscale_all_dim must be given together"):
        context.from_config(config.to_dict())


def test_theirs_takes_the_short_list_where_the_length_is_unknown_and_ours_asks(peer):
    config = llama(peer, 1e4, CASES["longrope"])
    omega, _ = theirs(peer, config)
    short = frequencies(64) / LISTS["short_factor"]
    np.testing.assert_allclose(omega, short, rtol=FLOAT32)
    with pytest.raises(ValueError, match="length must be given"):
        context.from_config(config.to_dict())
