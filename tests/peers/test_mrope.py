"""M-RoPE and axial RoPE against transformers: ids of Qwen2-VL and Qwen2.5-VL, and the rotations.

The peer's angles are float32: at ids below 1000 it errs by up to 1000 * 2**-24 rad, 6e-5.
"""

import types

import numpy as np
import pytest

import pe_lib
from pe_lib import positions
from pe_lib.rope import multimodal, rotate_2d, rotate_partial

QWEN2 = "transformers.models.qwen2_vl.modeling_qwen2_vl"
QWEN2_5 = "transformers.models.qwen2_5_vl.modeling_qwen2_5_vl"
QWEN3 = "transformers.models.qwen3_vl.modeling_qwen3_vl"

MERGE = 2
CODES = {"text": 0, "image": 1, "video": 2}


def peer_ids(torch, model, segments):
    """Ids (3, T) and rope_delta that the peer gives one sequence; no weights are needed."""
    grids, kinds, steps = {"image": [], "video": []}, [], []
    for kind, size, *step in segments:
        if kind == "text":
            tokens = size
        else:
            *frames, height, width = size
            tokens = int(np.prod(size))
            grids[kind].append([*(frames or [1]), height * MERGE, width * MERGE])
            steps += [float(step[0]) if step else 1.0] if kind == "video" else []
        kinds += [CODES[kind]] * tokens
    kinds = torch.tensor([kinds])
    vision = types.SimpleNamespace(spatial_merge_size=MERGE, tokens_per_second=1)
    itself = types.SimpleNamespace(
        config=types.SimpleNamespace(vision_config=vision),
        get_vision_position_ids=lambda *args, **kw: model.get_vision_position_ids(
            None, *args, **kw
        ),
    )
    ids, delta = model.get_rope_index(
        itself,
        kinds,
        mm_token_type_ids=kinds,
        second_per_grid_ts=torch.tensor(steps),  # Qwen2-VL takes no notice
        **{f"{kind}_grid_thw": torch.tensor(grid) for kind, grid in grids.items() if grid},
    )
    return ids[:, 0].numpy(), int(delta)


IMAGES = [
    [("text", 3), ("image", (2, 4)), ("text", 2)],
    [("image", (5, 3)), ("text", 1), ("image", (1, 1)), ("text", 7)],
    [("text", 9), ("image", (1, 6)), ("text", 1), ("image", (6, 1))],
]
SHORT_VIDEOS = [
    [("text", 3), ("video", (2, 4, 3)), ("text", 2)],
    [("video", (4, 4, 4)), ("text", 2), ("image", (2, 2)), ("text", 1), ("video", (1, 2, 2))],
]


@pytest.mark.parametrize("segments", IMAGES + SHORT_VIDEOS)
@pytest.mark.parametrize("module", [QWEN2, QWEN2_5])
def test_ids_and_deltas(torch, peer, module, segments):
    name = "Qwen2VLModel" if module == QWEN2 else "Qwen2_5_VLModel"
    want, delta = peer_ids(torch, getattr(peer(module), name), segments)
    ids = positions.mrope(segments)
    np.testing.assert_array_equal(ids, want)
    assert ids.max() + 1 - ids.shape[1] == delta


@pytest.mark.parametrize("step", [0.5, 1.5, 2, 25])
def test_times_of_a_video_in_qwen2_5_vl(torch, peer, step):
    segments = [("text", 3), ("video", (3, 2, 2), step)]
    want, _ = peer_ids(torch, peer(QWEN2_5).Qwen2_5_VLModel, segments)
    np.testing.assert_array_equal(positions.mrope(segments), want)


@pytest.mark.parametrize("module", [QWEN2, QWEN2_5])
def test_after_a_long_video_the_peer_gives_ids_twice(torch, peer, module):
    """Wang et al. (2024), section 2.1: text goes on after the *largest* id of the video.

    The peer goes on after the larger of height and width (it takes no notice of time), so its text
    gets ids that frames already have. Its own docstring once said max + 1: transformers#35569.
    """
    name = "Qwen2VLModel" if module == QWEN2 else "Qwen2_5_VLModel"
    segments = [("video", (5, 2, 2)), ("text", 2)]
    theirs, _ = peer_ids(torch, getattr(peer(module), name), segments)
    ours = positions.mrope(segments)
    np.testing.assert_array_equal(ours[:, :20], theirs[:, :20])
    assert ours[:, 20:].tolist() == [[5, 6]] * 3
    assert theirs[:, 20:].tolist() == [[2, 3]] * 3


def _config(**changes):
    parameters = {"rope_type": "default", "rope_theta": 1e6} | changes
    return types.SimpleNamespace(
        rope_parameters=parameters,
        max_position_embeddings=4096,
        head_dim=128,
        hidden_size=256,
        num_attention_heads=2,
    )


@pytest.mark.parametrize(
    ("module", "name", "sections", "arrangement"),
    [
        (QWEN2, "Qwen2VLRotaryEmbedding", [16, 24, 24], "contiguous"),
        (QWEN3, "Qwen3VLTextRotaryEmbedding", [24, 20, 20], "interleaved"),
    ],
)
def test_three_axes(torch, peer, module, name, sections, arrangement):
    theirs = peer(module)
    embedding = getattr(theirs, name)(_config(mrope_section=sections))
    ids = positions.mrope([("text", 3), ("image", (4, 5)), ("video", (3, 2, 2), 300), ("text", 2)])
    x = np.random.default_rng(0).normal(size=(1, 2, ids.shape[1], 128)).astype(np.float32)
    cos, sin = embedding(torch.tensor(x), torch.tensor(ids)[:, None])
    want, _ = theirs.apply_rotary_pos_emb(torch.tensor(x), torch.tensor(x), cos, sin)
    got = multimodal(
        x,
        ids[:, None, None],
        pe_lib.frequencies(128, base=1e6),
        layout="half",
        sections=sections,
        arrangement=arrangement,
    )
    assert 1e-6 < np.abs(got - want.numpy()).max() < 5e-4


def test_two_axes(torch, peer):
    theirs = peer(QWEN2)
    config = types.SimpleNamespace(
        rope_parameters={"rope_type": "axial", "rope_theta": 1e4}, head_dim=80
    )
    embedding = theirs.Qwen2VLVisionRotaryEmbedding(config)
    points = positions.grid(5, 7)
    x = np.random.default_rng(0).normal(size=(2, len(points), 80)).astype(np.float32)
    cos, sin = embedding(torch.tensor(x), torch.tensor(points))
    tokens_first = torch.tensor(x).transpose(0, 1)
    want, _ = theirs.apply_rotary_pos_emb_vision(tokens_first, tokens_first, cos, sin)
    got = rotate_2d(x, points, pe_lib.frequencies(40), layout="half")
    np.testing.assert_allclose(got, want.transpose(0, 1).numpy(), rtol=0, atol=1e-5)


@pytest.mark.parametrize("layout", ["interleaved", "half"])
def test_a_part_of_the_channels(torch, peer, layout):
    x = np.random.default_rng(0).normal(size=(1, 2, 9, 256)).astype(np.float32)
    p = np.arange(9)
    got = rotate_partial(x, p, pe_lib.frequencies(64), layout=layout)
    q = torch.tensor(x)
    if layout == "interleaved":
        gptj = peer("transformers.models.gptj.modeling_gptj")
        sin, cos = gptj.create_sinusoidal_positions(9, 64).chunk(2, dim=-1)
        first = q[..., :64].transpose(1, 2)  # tokens before heads
        first = gptj.apply_rotary_pos_emb(first, sin[None], cos[None]).transpose(1, 2)
        want = torch.cat([first, q[..., 64:]], dim=-1)
    else:
        neox = peer("transformers.models.gpt_neox.modeling_gpt_neox")
        config = _config(rope_theta=1e4, partial_rotary_factor=0.25)
        config.head_dim = 256
        embedding = neox.GPTNeoXRotaryEmbedding(config)
        cos, sin = embedding(q, torch.tensor(p)[None])
        want, _ = neox.apply_rotary_pos_emb(q, q, cos, sin)
    np.testing.assert_allclose(got, want.numpy(), rtol=0, atol=1e-5)
