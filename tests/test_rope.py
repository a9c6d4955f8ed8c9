"""pe_lib.rope against its definition (Su et al. 2021, section 3.2.2)."""

import cmath
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import pe_lib
from pe_lib import rope

LAYOUTS = ("interleaved", "half")
layouts = st.sampled_from(LAYOUTS)
positions = st.integers(-2000, 2000) | st.floats(-2000, 2000)
vectors = st.integers(1, 8).flatmap(
    lambda pairs: hnp.arrays(np.float64, 2 * pairs, elements=st.floats(-10, 10))
)
seeds = st.integers(0, 2**32 - 1)


def turned(x, position, layout, omega=None):
    """One vector, rotated."""
    omega = pe_lib.frequencies(len(x)) if omega is None else omega
    return rope.rotate(x[None], position, omega, layout=layout)[0]


# --- Oracle: complex numbers in a plain loop ---------------------------------------------------


def _oracle(x, p, omega, layout):
    rotated = np.empty(len(x))
    for i in range(len(x) // 2):
        a, b = (2 * i, 2 * i + 1) if layout == "interleaved" else (i, i + len(x) // 2)
        z = complex(x[a], x[b]) * cmath.exp(1j * omega[i] * p)
        rotated[a], rotated[b] = z.real, z.imag
    return rotated


@pytest.mark.parametrize("layout", LAYOUTS)
def test_oracle_each_pair_as_a_complex_number(layout):
    """In the book: eq-rope-complex."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(2, 5, 8))
    p = rng.integers(-100, 100, (2, 5))
    omega = rng.uniform(0, 2, 4)
    got = rope.rotate(x, p, omega, layout=layout)
    for head, t in np.ndindex(2, 5):
        want = _oracle(x[head, t], int(p[head, t]), omega, layout)
        np.testing.assert_allclose(got[head, t], want, rtol=0, atol=1e-12)


# --- Properties --------------------------------------------------------------------------------


@given(vectors, positions, layouts)
def test_every_pair_keeps_its_norm(x, p, layout):
    """In the book: eq-rope."""
    pairs = (-1, 2) if layout == "interleaved" else (2, -1)
    axis = 1 if layout == "interleaved" else 0

    def norms(vector):
        return np.linalg.norm(vector.reshape(pairs), axis=axis)

    np.testing.assert_allclose(norms(turned(x, p, layout)), norms(x), rtol=1e-14, atol=1e-14)


@given(seeds, st.integers(1, 8), positions, positions, positions, layouts)
def test_the_score_depends_on_the_offset_alone(seed, pairs, m, n, shift, layout):
    """In the book: eq-rope-relative."""
    q, k = np.random.default_rng(seed).normal(size=(2, 2 * pairs))
    score = turned(q, m, layout) @ turned(k, n, layout)
    moved = turned(q, m + shift, layout) @ turned(k, n + shift, layout)
    one_turn = q @ turned(k, n - m, layout)  # q^T R(n - m) k, offset = key - query
    assert score == pytest.approx(moved, abs=1e-10)
    assert score == pytest.approx(one_turn, abs=1e-10)


@given(vectors, positions, positions, layouts)
def test_two_turns_are_one_turn_by_the_sum(x, a, b, layout):
    """In the book: eq-rope."""
    np.testing.assert_allclose(
        turned(turned(x, a, layout), b, layout), turned(x, a + b, layout), atol=1e-10
    )
    np.testing.assert_allclose(turned(turned(x, a, layout), -a, layout), x, atol=1e-12)


@given(seeds, st.integers(1, 8), positions, layouts)
def test_a_turn_is_linear(seed, pairs, p, layout):
    x, y = np.random.default_rng(seed).normal(size=(2, 2 * pairs))
    np.testing.assert_allclose(
        turned(2 * x - y, p, layout),
        2 * turned(x, p, layout) - turned(y, p, layout),
        atol=1e-13,
    )


@given(seeds, st.integers(1, 4), st.integers(1, 3), st.sampled_from([LAYOUTS, LAYOUTS[::-1]]))
def test_a_converted_projection_gives_the_same_scores(seed, pairs, heads, direction):
    rng = np.random.default_rng(seed)
    source, target = direction
    dim, width, length = 2 * pairs, 5, 4
    x = rng.normal(size=(length, width))
    w_q, w_k = rng.normal(size=(2, heads * dim, width))
    omega = pe_lib.frequencies(dim)

    def scores(w_q, w_k, layout):
        q, k = (
            rope.rotate(
                (x @ w.T).reshape(length, heads, dim).swapaxes(0, 1),
                np.arange(length),
                omega,
                layout=layout,
            )
            for w in (w_q, w_k)
        )
        return q @ k.swapaxes(1, 2)

    converted = [rope.convert_layout(w, heads, source=source, target=target) for w in (w_q, w_k)]
    np.testing.assert_allclose(
        scores(*converted, target), scores(w_q, w_k, source), rtol=1e-12, atol=1e-12
    )


@given(seeds, st.integers(1, 4), st.integers(1, 3), layouts, layouts)
def test_a_conversion_is_undone_by_the_other_direction(seed, pairs, heads, source, target):
    weight = np.random.default_rng(seed).normal(size=(2 * pairs * heads, 3))
    there = rope.convert_layout(weight, heads, source=source, target=target)
    back = rope.convert_layout(there, heads, source=target, target=source)
    np.testing.assert_array_equal(back, weight)
    if source == target:
        np.testing.assert_array_equal(there, weight)


@given(vectors, positions)
def test_a_turn_in_one_layout_is_the_turn_in_the_other_between_conversions(x, p):
    """In the book: eq-rope-layouts."""

    def half(vector):
        return rope.convert_layout(vector, 1, source="interleaved", target="half")

    np.testing.assert_allclose(
        turned(half(x), p, "half"), half(turned(x, p, "interleaved")), rtol=0, atol=1e-14
    )


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(
    ("shape", "lead"),
    [
        ((3, 2100, 128), ()),  # heads that fill a block each, and a block and a bit
        ((5, 40, 8), ()),  # small heads, turned together
        ((2, 3, 50, 8), (2, 1)),  # one row of positions per sequence of a batch
        ((2, 3, 50, 8), (3,)),  # one per head
        ((2, 3, 2, 50, 8), (2, 1, 2)),
        ((4000, 80, 2), ()),  # a row of all heads already fills a block
    ],
)
@pytest.mark.parametrize("consecutive", [True, False])
def test_the_fast_road_in_blocks_is_the_definition(shape, lead, consecutive, layout):
    """eq-rope, pair by pair, in float64 and in one piece."""
    rng = np.random.default_rng(0)
    *_, length, dim = shape
    starts = rng.integers(-50, 50, (*lead, 1))
    p = starts + (np.arange(length) if consecutive else rng.permutation(length))
    x, omega = rng.normal(size=shape), pe_lib.frequencies(dim)
    angles = np.broadcast_to(p, shape[:-1])[..., None] * omega
    a, b = (
        (slice(0, dim, 2), slice(1, dim, 2))
        if layout == "interleaved"
        else (slice(0, dim // 2), slice(dim // 2, dim))
    )
    want = np.empty(shape)
    want[..., a] = x[..., a] * np.cos(angles) - x[..., b] * np.sin(angles)
    want[..., b] = x[..., a] * np.sin(angles) + x[..., b] * np.cos(angles)
    np.testing.assert_allclose(rope.rotate(x, p, omega, layout=layout), want, rtol=0, atol=1e-11)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("shape", [(8, 2048, 128), (1, 16384, 128), (2048, 8, 128)])
def test_no_temporary_is_larger_than_the_input(shape, layout):
    x = np.ones(shape, np.float32)
    p, omega = np.arange(shape[1]), pe_lib.frequencies(128)
    tracemalloc.start()
    rope.rotate(x, p, omega, layout=layout)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2 * x.nbytes, "the result, and less than the input beside it"


# --- Golden numbers ----------------------------------------------------------------------------


def test_golden_turns(golden):
    for case in golden["rope"]:
        p, x = case["position"], np.array(case["x"], float)
        omega = pe_lib.frequencies(len(x), base=case["base"])
        tolerance = 1e-11 if abs(p) <= 4095 else 5e-9 if abs(p) <= 1e6 else 1e-6  # times |x|
        got = turned(x, p, case["layout"], omega)
        np.testing.assert_allclose(got, case["want"], rtol=0, atol=tolerance, err_msg=str(case))


def test_golden_turns_in_float32_are_right_to_float32_at_any_position(golden):
    for case in golden["rope"]:
        x = np.array(case["x"], np.float32)
        got = turned(x, case["position"], case["layout"])
        assert got.dtype == np.float32
        np.testing.assert_allclose(got, case["want"], rtol=0, atol=1e-7 * np.abs(x).sum())


def test_golden_frequencies_of_real_models_within_4_ulp(schemes_golden):
    entries = {
        "default_d64_b1e4": (64, 1e4),
        "default_d128_b1e4": (128, 1e4),
        "default_d128_b5e5_llama3": (128, 5e5),
        "default_d128_b1e6_codellama_qwen2": (128, 1e6),
    }
    assert entries.keys() == {name for name in schemes_golden["rope"] if "default" in name}
    for name, (dim, base) in entries.items():
        got = pe_lib.frequencies(dim, base=base)
        want = np.array(schemes_golden["rope"][name]["inv_freq"])
        assert (np.abs(got - want) <= 4 * np.spacing(want)).all(), name


@pytest.mark.parametrize("layout", LAYOUTS)
def test_golden_angles_of_llama_3_turn_unit_vectors(layout, schemes_golden):
    omega = pe_lib.frequencies(128, base=5e5)
    first, second = (slice(0, 64), slice(64, 128))
    if layout == "interleaved":
        first, second = (slice(0, None, 2), slice(1, None, 2))
    x = np.zeros((2, 128))
    x[0, first], x[1, second] = 1, 1  # every pair (1, 0); every pair (0, 1)
    for p, want in schemes_golden["rope"]["angles_d128_b5e5"].items():
        p, cos, sin = int(p), np.array(want["cos"]), np.array(want["sin"])
        tolerance = 1e-12 if p <= 4095 else max(5e-10, 5e-16 * p)
        got = rope.rotate(x, p, omega, layout=layout)
        for pairs, wanted in [(got[0], (cos, sin)), (got[1], (-sin, cos))]:
            np.testing.assert_allclose(pairs[first], wanted[0], rtol=0, atol=tolerance)
            np.testing.assert_allclose(pairs[second], wanted[1], rtol=0, atol=tolerance)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_golden_angles_in_the_middle_of_long_sequences(layout, dtype, schemes_golden):
    """Consecutive positions take another road than single ones."""
    omega = pe_lib.frequencies(128, base=5e5)
    x = np.zeros((3, 3000, 128), dtype)
    first = slice(0, None, 2) if layout == "interleaved" else slice(0, 64)
    second = slice(1, None, 2) if layout == "interleaved" else slice(64, 128)
    x[..., first] = 1
    for p, want in schemes_golden["rope"]["angles_d128_b5e5"].items():
        p = int(p)
        tolerance = 1e-7 if dtype == np.float32 else 1e-12 if p <= 4095 else max(5e-10, 5e-16 * p)
        got = rope.rotate(x, np.arange(p - 2500, p + 500), omega, layout=layout)[:, 2500]
        for head in got:
            np.testing.assert_allclose(head[first], want["cos"], rtol=0, atol=tolerance)
            np.testing.assert_allclose(head[second], want["sin"], rtol=0, atol=tolerance)


def test_golden_four_numbers_to_the_last_digits(schemes_golden):
    x = np.array([1.0, 2.0, 3.0, 4.0])
    for name, want in schemes_golden["rope"]["rotate_d4_pos3_x1234"].items():
        layout = {"interleaved": "interleaved", "half_split": "half"}[name]
        np.testing.assert_allclose(turned(x, 3, layout), want, rtol=1e-14, atol=0)


def test_the_four_numbers_that_tell_the_layouts_apart():
    x = np.array([1.0, 2.0, 3.0, 4.0])
    assert turned(x, 3, "interleaved").round(4).tolist() == [-1.2722, -1.8389, 2.8787, 4.0882]
    assert turned(x, 3, "half").round(4).tolist() == [-1.4134, 1.8791, -2.8289, 4.0582]


# --- Edge values -------------------------------------------------------------------------------


@pytest.mark.parametrize("layout", LAYOUTS)
def test_position_0_changes_nothing(layout):
    x = np.arange(8.0)
    np.testing.assert_array_equal(turned(x, 0, layout), x)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_frequency_of_0_leaves_its_pair_alone(layout):
    x = np.arange(1.0, 5.0)
    got = turned(x, 3, layout, [1.0, 0.0])
    second_pair = [2, 3] if layout == "interleaved" else [1, 3]
    np.testing.assert_array_equal(got[second_pair], x[second_pair])
    assert (got != x).sum() == 2


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_the_kind_of_float_is_kept_and_only_the_result_is_cast(dtype):
    x = np.random.default_rng(0).normal(size=(6, 8)).astype(dtype)
    p = np.arange(6) + 100_000
    got = rope.rotate(x, p, pe_lib.frequencies(8), layout="half")
    exact = rope.rotate(x.astype(np.float64), p, pe_lib.frequencies(8), layout="half")
    assert got.dtype == dtype
    np.testing.assert_allclose(got, exact, rtol=0, atol=4 * np.finfo(dtype).eps)


def test_integers_become_float64():
    got = rope.rotate(np.ones((1, 2), int), 1, [1.0], layout="half")
    assert got.dtype == np.float64


@pytest.mark.parametrize("shape", [(), (1,), (3,), (2, 1), (2, 3), (1, 3)])
def test_positions_broadcast_over_heads_and_tokens(shape):
    x = np.random.default_rng(0).normal(size=(2, 3, 4))
    p = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    got = rope.rotate(x, p, [1.0, 0.1], layout="half")
    full = rope.rotate(x, np.broadcast_to(p, (2, 3)), [1.0, 0.1], layout="half")
    np.testing.assert_array_equal(got, full)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_inputs_may_be_read_only_and_strided_and_are_never_changed(layout):
    strided = np.random.default_rng(0).normal(size=(8, 2, 6)).transpose(1, 2, 0)[:, ::2]
    p, omega = np.arange(6)[::2], np.array([1, 0, 0.1, 0, 0.5, 0, 2, 0])[::2]
    inputs = (strided, p, omega)
    copies = tuple(array.copy() for array in inputs)
    for array in inputs:
        array.flags.writeable = False
    got = rope.rotate(*inputs, layout=layout)
    np.testing.assert_array_equal(got, rope.rotate(*copies, layout=layout))
    assert got.flags.writeable
    assert got.flags.c_contiguous
    for array, copy in zip(inputs, copies, strict=True):
        np.testing.assert_array_equal(array, copy)


def test_a_bias_converts_like_the_rows_of_its_weight():
    bias = np.arange(8.0)
    converted = rope.convert_layout(bias, 2, source="interleaved", target="half")
    assert converted.tolist() == [0, 2, 1, 3, 4, 6, 5, 7]
    back = rope.convert_layout(converted, 2, source="half", target="interleaved")
    assert back.tolist() == bias.tolist()


def test_a_converted_weight_is_a_copy_of_the_same_kind():
    weight = np.ones((4, 3), np.float16)
    weight.flags.writeable = False
    for target in LAYOUTS:
        converted = rope.convert_layout(weight, 1, source="half", target=target)
        assert converted.dtype == np.float16
        assert not np.shares_memory(converted, weight)


# --- Errors ------------------------------------------------------------------------------------

GOOD = {"x": np.ones((2, 4)), "positions": [0, 1], "frequencies": [1.0, 0.1], "layout": "half"}


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"x": np.ones((2, 5))}, ValueError, r"x.shape\[-1\] must be even, got 5"),
        ({"x": 1.0}, ValueError, "x must have at least 1 axes"),
        ({"x": np.ones((0, 4))}, ValueError, "x must not be empty"),
        ({"x": np.ones((2, 0))}, ValueError, "x must not be empty"),
        ({"x": np.full((2, 4), np.nan)}, ValueError, "x must be finite, got nan"),
        ({"x": np.ones((2, 4), complex)}, TypeError, "x must be numbers"),
        ({"x": np.ones((2, 4), bool)}, TypeError, "x must be numbers"),
        ({"x": "text"}, TypeError, "x must be numbers"),
        ({"x": [[1.0, 2.0], [3.0]]}, TypeError, "x must be an array of numbers"),
        ({"x": np.full((2, 4), 1.7e308)}, ValueError, "no pair overflows float64"),
        ({"x": np.full((2, 4), 6e4, np.float16)}, ValueError, "no pair overflows float16"),
        ({"positions": [0, 1, 2]}, ValueError, r"positions of shape \(3,\) must broadcast to"),
        ({"positions": [[0, 1]]}, ValueError, r"positions of shape \(1, 2\) must broadcast to"),
        ({"positions": []}, ValueError, "positions must not be empty"),
        ({"positions": [0, np.nan]}, ValueError, "positions must be finite, got nan"),
        ({"positions": [0, -np.inf]}, ValueError, "positions must be finite, got -inf"),
        ({"positions": 2**62}, ValueError, r"positions must lie within \+-2\*\*28"),
        ({"positions": None}, TypeError, "positions must be numbers"),
        ({"frequencies": [1.0]}, ValueError, r"frequencies must have shape \(2,\)"),
        ({"frequencies": 1.0}, ValueError, r"frequencies must have shape \(2,\)"),
        ({"frequencies": [[1.0, 0.1]]}, ValueError, r"frequencies must have shape \(2,\)"),
        ({"frequencies": [1.0, np.inf]}, ValueError, "frequencies must be finite, got inf"),
        ({"frequencies": ["1", "2"]}, TypeError, "frequencies must be numbers"),
        ({"frequencies": [1.0, 1e10]}, ValueError, "positions times frequencies must lie within"),
        (
            {"frequencies": [1.0, 1e308], "positions": [0, 1000]},
            ValueError,
            "positions times frequencies must be finite, got inf",
        ),
        ({"layout": "neox"}, ValueError, "layout must be one of 'interleaved', 'half'"),
        ({"layout": None}, ValueError, "layout must be one of"),
    ],
)
def test_what_is_wrong_with_a_rotation_is_named(change, error, message):
    options = GOOD | change
    with pytest.raises(error, match=message):
        rope.rotate(
            options["x"], options["positions"], options["frequencies"], layout=options["layout"]
        )


def test_the_layout_must_be_written_out():
    with pytest.raises(TypeError, match="layout"):
        rope.rotate(np.ones((1, 2)), 0, [1.0])
    with pytest.raises(TypeError, match="source"):
        rope.convert_layout(np.ones(2), 1, target="half")


@pytest.mark.parametrize(
    ("weight", "num_heads", "error", "message"),
    [
        (np.ones(6), 2, ValueError, "got 6 rows for 2 heads"),
        (np.ones(3), 1, ValueError, "got 3 rows for 1 heads"),
        (np.ones(2), 2, ValueError, "got 2 rows for 2 heads"),
        (np.ones(4), 0, ValueError, "num_heads must be at least 1, got 0"),
        (np.ones(4), -1, ValueError, "num_heads must be at least 1, got -1"),
        (np.ones(4), 1.0, TypeError, "num_heads must be an integer, got 1.0"),
        (np.ones((0, 4)), 1, ValueError, "weight must not be empty"),
        (np.array(1.0), 1, ValueError, "weight must have at least 1 axes"),
        ([np.nan, 1.0], 1, ValueError, "weight must be finite"),
        (None, 1, TypeError, "weight must be numbers"),
    ],
)
def test_what_is_wrong_with_a_conversion_is_named(weight, num_heads, error, message):
    with pytest.raises(error, match=message):
        rope.convert_layout(weight, num_heads, source="half", target="interleaved")


@pytest.mark.parametrize("name", ["source", "target"])
def test_an_unknown_layout_of_a_conversion_is_named(name):
    with pytest.raises(ValueError, match=f"{name} must be one of 'interleaved', 'half', got 'hf'"):
        rope.convert_layout(np.ones(4), 1, **({"source": "half", "target": "half"} | {name: "hf"}))
