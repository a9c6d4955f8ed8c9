"""Faults seen in the wild: positions, frequencies or angles in too few bits.

One mistake in many coats: a model's dtype reaches the numbers from which its angles are made. An
angle of p radians in bfloat16, whose numbers have 8 significant bits, is off by p / 512.
"""

import numpy as np
import pytest

import pe_lib
from pe_lib import rope, sinusoidal

MODELS = [(32, 1e4), (128, 1e4), (128, 5e5), (128, 1e6)]  # dim, base


def exact(x):
    return np.asarray(x, np.float64)


def float32(x):
    return exact(np.asarray(x, np.float32))


def float16(x):
    return exact(np.asarray(x, np.float16))


def bfloat16(x):
    """Nearest numbers with the upper 16 bits of a float32 alone; ties to even."""
    bits = np.asarray(x, np.float32).view(np.uint32)
    bits = bits + np.uint32(0x7FFF) + (bits >> np.uint32(16) & np.uint32(1))
    return exact((bits & np.uint32(0xFFFF0000)).view(np.float32))


def rounded_angles(positions, dim, base, *, of_positions, of_frequencies, of_angles):
    """Angles, shape (T, dim/2), with a rounding at each of the three steps."""
    omega = of_frequencies(pe_lib.frequencies(dim, base=base))
    return of_angles(of_positions(positions)[:, None] * omega)


def rounding(**steps):
    """Cosines and sines by such angles, as a model keeps them."""
    steps = {"of_positions": exact, "of_frequencies": exact, "of_angles": exact} | steps

    def waves(positions, dim, base, dtype):
        angles = rounded_angles(np.asarray(positions), dim, base, **steps)
        return np.cos(angles).astype(dtype), np.sin(angles).astype(dtype)

    return waves


def everywhere(round_to):
    return rounding(of_positions=round_to, of_frequencies=round_to, of_angles=round_to)


# --- The same numbers from pe_lib, by three roads ----------------------------------------------


def by_encoding(positions, dim, base, dtype):
    codes = sinusoidal.encode(positions, dim, base=base, layout="half", dtype=dtype)
    return codes[:, dim // 2 :], codes[:, : dim // 2]


def by_a_table(positions, dim, base, dtype):
    start, length = int(positions[0]), len(positions)
    codes = sinusoidal.table(length, dim, start=start, base=base, layout="half", dtype=dtype)
    return codes[:, dim // 2 :], codes[:, : dim // 2]


def by_rotating(positions, dim, base, dtype):
    x = np.zeros((len(positions), dim), dtype)
    x[:, : dim // 2] = 1  # each pair is (1, 0)
    turned = rope.rotate(x, positions, pe_lib.frequencies(dim, base=base), layout="half")
    return turned[:, : dim // 2], turned[:, dim // 2 :]


OURS = [by_encoding, by_a_table, by_rotating]


def worst(waves, positions, dim, base):
    """Largest errors of the cosines and of the sines."""
    angles = np.asarray(positions)[:, None] * pe_lib.frequencies(dim, base=base)
    cos, sin = waves(positions, dim, base, np.float64)
    return np.abs(cos - np.cos(angles)).max(), np.abs(sin - np.sin(angles)).max()


# --- Angles ------------------------------------------------------------------------------------


def property_the_dtype_of_a_result_is_no_dtype_of_its_angles(waves, start=0, length=2500):
    positions = np.arange(start, start + length)
    for dim, base in MODELS:
        angles = positions[:, None] * base ** (-np.arange(0, dim, 2) / dim)
        for dtype in (np.float16, np.float32):
            for got, want in zip(
                waves(positions, dim, base, dtype), (np.cos(angles), np.sin(angles)), strict=True
            ):
                assert got.dtype == dtype
                np.testing.assert_allclose(got, want, rtol=0, atol=np.finfo(dtype).eps)


@pytest.mark.parametrize("ours", OURS)
@pytest.mark.parametrize("start", [0, 100_000, 1_000_000])
def test_angles_keep_their_bits_whatever_is_made_of_them(ours, start):
    property_the_dtype_of_a_result_is_no_dtype_of_its_angles(ours, start)


@pytest.mark.parametrize(
    "faulty",
    [
        pytest.param(rounding(of_positions=bfloat16), id="positions in bfloat16"),
        pytest.param(rounding(of_frequencies=bfloat16), id="frequencies in bfloat16"),
        pytest.param(rounding(of_frequencies=float16), id="frequencies in float16"),
        pytest.param(rounding(of_angles=bfloat16), id="their product in bfloat16"),
        pytest.param(everywhere(bfloat16), id="all in bfloat16"),
        pytest.param(everywhere(float16), id="all in float16"),
    ],
)
def test_angles_in_half_precision_are_caught(faulty):
    """Tables built, or built anew, in a model's half precision, with or without autocast's help.

    EleutherAI/gpt-neox#1003; huggingface/transformers#29285, #25681, #29496; vllm-project/vllm#863,
    #1004, #1061; sgl-project/sglang-jax#1472; lucidrains/x-transformers#210;
    KellerJordan/modded-nanogpt#39; NVIDIA/TransformerEngine#1245.
    """
    with pytest.raises(AssertionError):
        property_the_dtype_of_a_result_is_no_dtype_of_its_angles(faulty)


def test_angles_in_float32_are_caught_far_out():
    """The usual mending, angles in float32, is right to 2e-4 at 4095 and to 4e-2 at a million."""
    faulty = everywhere(float32)
    assert max(worst(faulty, [4095], 128, 5e5)) < 2e-4
    assert 0.03 < max(worst(faulty, [1_000_000], 128, 5e5)) < 0.04
    with pytest.raises(AssertionError):
        property_the_dtype_of_a_result_is_no_dtype_of_its_angles(faulty, start=1_000_000)


def test_the_reported_angle_is_off_by_four_radians():
    """Pair 1 of 32 channels at position 1857 (EleutherAI/gpt-neox#1003)."""
    omega = pe_lib.frequencies(32)[1]
    assert (1857 * omega).round(3) == 1044.268
    assert float16(float16(1857) * float16(omega)) == 1045
    assert bfloat16(bfloat16(1857) * bfloat16(omega)) == 1040


@pytest.mark.parametrize(
    ("round_to", "positions", "dim", "base", "of_cosines"),
    [
        (float16, range(2048), 32, 1e4, 0.782),  # EleutherAI/gpt-neox#1003
        (bfloat16, range(2048), 32, 1e4, 1.995),
        (float16, range(2048), 128, 1e6, 0.811),  # vllm-project/vllm#863
    ],
)
def test_the_reported_cosines_are_off_by_as_much_as_cosines_can_be(
    round_to, positions, dim, base, of_cosines
):
    assert worst(everywhere(round_to), positions, dim, base)[0] == pytest.approx(
        of_cosines, abs=5e-4
    )
    for ours in OURS:
        assert max(worst(ours, positions, dim, base)) < 1e-12


@pytest.mark.parametrize(("position", "error"), [(257, 0.872), (4095, 1.99)])
def test_the_reported_waves_of_llama_3_are_off_from_the_first_page_on(position, error):
    """Autocast took the product of positions and frequencies to bfloat16.

    huggingface/transformers#29285.
    """
    assert max(worst(everywhere(bfloat16), [position], 128, 5e5)) == pytest.approx(error, rel=1e-3)
    for ours in OURS:
        assert max(worst(ours, [position], 128, 5e5)) < 1e-12


def test_the_reported_frequency_is_off_by_a_percent():
    """The slowest pair of base a million, in float16 (vllm-project/vllm#863)."""
    omega = pe_lib.frequencies(128, base=1e6)[-1]
    assert omega == pytest.approx(1.24094e-6, rel=1e-5)
    assert float16(omega) == pytest.approx(1.25170e-6, rel=1e-5)


@pytest.mark.parametrize(("position", "error"), [(128, 0.148), (1024, 1.18), (4096, 4.73)])
def test_the_reported_phase_grows_with_the_position(position, error):
    """Positions in float32, frequencies in bfloat16 (sgl-project/sglang-jax#1472)."""
    omega = pe_lib.frequencies(128, base=1e6)
    assert np.abs(position * (bfloat16(omega) - omega)).max() == pytest.approx(error, abs=5e-3)


# --- Positions ---------------------------------------------------------------------------------


def property_every_position_has_a_code_of_its_own(waves):
    for length in (512, 4096):
        for dim, base in MODELS:
            cos, sin = waves(np.arange(length), dim, base, np.float32)
            assert len(np.unique(np.hstack([cos, sin]), axis=0)) == length


@pytest.mark.parametrize("ours", OURS)
def test_positions_stay_apart(ours):
    """A range was patched to be made in half precision: neighbors got the same position.

    huggingface/transformers#28685, #28596; deepspeedai/DeepSpeed#4932.
    """
    property_every_position_has_a_code_of_its_own(ours)
    for round_to in (bfloat16, float16):
        with pytest.raises(AssertionError):
            property_every_position_has_a_code_of_its_own(rounding(of_positions=round_to))


def test_the_reported_positions_collapse():
    assert bfloat16(257) == 256
    assert [len(np.unique(bfloat16(np.arange(n)))) for n in (512, 4096)] == [385, 769]


def property_a_score_depends_on_the_offset_alone(waves):
    """Rotated by such cosines and sines; scores of unit vectors, in float64."""
    for dim, base in MODELS:
        q, k = np.random.default_rng(0).normal(size=(2, dim // 2, 2))
        q, k = q[:, 0] + 1j * q[:, 1], k[:, 0] + 1j * k[:, 1]
        for offset in (1, 30):
            positions = np.array([0, 1, 255, 500, 1857, 4000])
            cos, sin = waves(np.sort(np.append(positions, positions + offset)), dim, base, float)
            order = np.argsort(np.argsort(np.append(positions, positions + offset)))
            turns = (cos + 1j * sin)[order]
            here, there = turns[: len(positions)], turns[len(positions) :]
            scores = (np.conj(q * here) * (k * there)).real.sum(axis=1) / np.linalg.norm(q)
            np.testing.assert_allclose(scores, scores[0], rtol=0, atol=1e-8)


@pytest.mark.parametrize("ours", [by_encoding, by_rotating])
def test_relative_positions_do_not_drift(ours):
    """What half precision takes from a rotary model: the score of a distance moves with the place.

    EleutherAI/gpt-neox#1003, huggingface/transformers#29285.
    """
    property_a_score_depends_on_the_offset_alone(ours)
    for round_to in (bfloat16, float16):
        with pytest.raises(AssertionError):
            property_a_score_depends_on_the_offset_alone(everywhere(round_to))
