"""RoPE of two axes, of three (M-RoPE) and of a part of the channels, against plain loops."""

import cmath

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pe_lib
from pe_lib import positions as pos
from pe_lib import rope
from pe_lib.rope import multimodal, rotate_2d, rotate_partial

LAYOUTS = ("interleaved", "half")
ARRANGEMENTS = ("contiguous", "interleaved")
layouts = st.sampled_from(LAYOUTS)
arrangements = st.sampled_from(ARRANGEMENTS)
places = st.integers(-2000, 2000) | st.floats(-2000, 2000)
points = st.tuples(places, places)
triples = st.tuples(places, places, places)
seeds = st.integers(0, 2**32 - 1)
counts = st.integers(1, 4)
#: Sections that can be interleaved: time takes what height and width leave.
sections = st.tuples(st.integers(0, 4), counts, counts).map(
    lambda s: (2 * max(s[1:]) - min(s[1:]) + s[0], s[1], s[2])
)


def one_2d(x, point, layout):
    """One vector, turned by its row and column."""
    return rotate_2d(x[None], point, pe_lib.frequencies(len(x) // 2), layout=layout)[0]


def one_multimodal(x, triple, layout, sections, arrangement):
    """One vector, turned by time, height and width."""
    ids = np.array(triple)[:, None]
    omega = pe_lib.frequencies(len(x), base=1e6)
    options = {"sections": sections, "arrangement": arrangement}
    return multimodal(x[None], ids, omega, layout=layout, **options)[0]


# --- Oracle: complex numbers in a plain loop ---------------------------------------------------


def _turn_pairs(x, angles, layout):
    """Pair i turned by angles[i]."""
    half, out = len(x) // 2, np.empty(len(x))
    for i, angle in enumerate(angles):
        a, b = (2 * i, 2 * i + 1) if layout == "interleaved" else (i, i + half)
        z = complex(x[a], x[b]) * cmath.exp(1j * angle)
        out[a], out[b] = z.real, z.imag
    return out


def _axes_by_hand(sections, arrangement):
    """The axis of each pair, dealt out one by one."""
    if arrangement == "contiguous":
        return [axis for axis in range(3) for _ in range(sections[axis])]
    left, axes = list(sections), []
    while sum(left):
        for axis in range(3):
            if axis and not left[axis]:
                axis = 0  # time stands in for an axis that has no pairs left
            if left[axis]:
                axes.append(axis)
                left[axis] -= 1
    return axes


@pytest.mark.parametrize("layout", LAYOUTS)
def test_oracle_of_two_axes(layout):
    rng = np.random.default_rng(0)
    x, p, omega = rng.normal(size=(2, 5, 12)), rng.integers(-99, 99, (2, 5, 2)), rng.uniform(size=3)
    got = rotate_2d(x, p, omega, layout=layout)
    for head, t in np.ndindex(2, 5):
        row, column = p[head, t].tolist()
        want = _turn_pairs(x[head, t], [*omega * row, *omega * column], layout)
        np.testing.assert_allclose(got[head, t], want, rtol=0, atol=1e-12)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("arrangement", ARRANGEMENTS)
@pytest.mark.parametrize("sections", [(16, 24, 24), (24, 20, 20), (4, 3, 2), (1, 1, 1), (5, 1, 2)])
def test_oracle_of_three_axes(layout, arrangement, sections):
    if arrangement == "interleaved" and sections == (16, 24, 24):
        return  # see the errors
    rng = np.random.default_rng(0)
    half = sum(sections)
    x, p = rng.normal(size=(2, 3, 2 * half)), rng.integers(-99, 99, (3, 2, 3))
    omega = rng.uniform(0, 2, half)
    got = multimodal(x, p, omega, layout=layout, sections=sections, arrangement=arrangement)
    axes = _axes_by_hand(sections, arrangement)
    for head, t in np.ndindex(2, 3):
        want = _turn_pairs(x[head, t], omega * p[axes, head, t], layout)
        np.testing.assert_allclose(got[head, t], want, rtol=0, atol=1e-12)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dim", [6, 7, 20])
def test_oracle_of_a_part(layout, dim):
    rng = np.random.default_rng(0)
    x, p, omega = rng.normal(size=(2, 4, dim)), rng.integers(-99, 99, (2, 4)), rng.uniform(size=3)
    got = rotate_partial(x, p, omega, layout=layout)
    for head, t in np.ndindex(2, 4):
        want = _turn_pairs(x[head, t, :6], omega * int(p[head, t]), layout)
        np.testing.assert_allclose(got[head, t, :6], want, rtol=0, atol=1e-12)
        np.testing.assert_array_equal(got[head, t, 6:], x[head, t, 6:])


# --- Properties --------------------------------------------------------------------------------


@given(seeds, counts, points, points, points, layouts)
def test_the_score_depends_on_the_offset_in_both_directions_alone(seed, n, m, k, shift, layout):
    q, key = np.random.default_rng(seed).normal(size=(2, 4 * n))
    m, k, shift = map(np.array, (m, k, shift))
    score = one_2d(q, m, layout) @ one_2d(key, k, layout)
    moved = one_2d(q, m + shift, layout) @ one_2d(key, k + shift, layout)
    assert score == pytest.approx(moved, abs=1e-10)
    assert score == pytest.approx(q @ one_2d(key, k - m, layout), abs=1e-10)


@given(seeds, sections, triples, triples, triples, layouts, arrangements)
def test_the_score_depends_on_the_offset_in_all_three_ids_alone(
    seed, sections, m, k, shift, layout, arrangement
):
    q, key = np.random.default_rng(seed).normal(size=(2, 2 * sum(sections)))
    m, k, shift = map(np.array, (m, k, shift))
    options = (layout, sections, arrangement)
    score = one_multimodal(q, m, *options) @ one_multimodal(key, k, *options)
    moved = one_multimodal(q, m + shift, *options) @ one_multimodal(key, k + shift, *options)
    assert score == pytest.approx(moved, abs=1e-10)


@given(seeds, counts, points, layouts)
def test_an_axial_turn_keeps_the_norm_of_each_axis(seed, n, point, layout):
    x = np.random.default_rng(seed).normal(size=4 * n)
    got = one_2d(x, point, layout)
    by_pair = (-1, 2) if layout == "interleaved" else (2, -1)
    of_pair = 1 if layout == "interleaved" else 0

    def norms(vector):
        return np.linalg.norm(vector.reshape(by_pair), axis=of_pair)

    np.testing.assert_allclose(norms(got), norms(x), rtol=1e-14)


@given(seeds, counts, places, places, layouts)
def test_each_axis_is_a_rope_of_its_own_pairs(seed, n, row, column, layout):
    """A row moves the first half of the pairs only, a column the second only."""
    x = np.random.default_rng(seed).normal(size=4 * n)
    omega = pe_lib.frequencies(2 * n)
    still = np.zeros(n)
    by_row = rope.rotate(x[None], row, [*omega, *still], layout=layout)
    both = rope.rotate(by_row, column, [*still, *omega], layout=layout)[0]
    np.testing.assert_allclose(one_2d(x, (row, column), layout), both, rtol=0, atol=1e-14)


@given(seeds, counts, points)
def test_interleaved_the_row_turns_the_first_half_of_the_channels(seed, n, point):
    x = np.random.default_rng(seed).normal(size=4 * n)
    omega = pe_lib.frequencies(2 * n)
    halves = [
        rope.rotate(part[None], place, omega, layout="interleaved")[0]
        for part, place in zip(np.split(x, 2), point, strict=True)
    ]
    got = one_2d(x, point, "interleaved")
    np.testing.assert_allclose(got, np.concatenate(halves), rtol=0, atol=1e-14)


@given(seeds, st.sampled_from([2, 4, 6]), points)
def test_an_axial_turn_in_one_layout_is_that_in_the_other_between_conversions(seed, n, point):
    def half(vector):
        return rope.convert_layout(vector, 1, source="interleaved", target="half")

    x = np.random.default_rng(seed).normal(size=4 * n)
    np.testing.assert_allclose(
        one_2d(half(x), point, "half"), half(one_2d(x, point, "interleaved")), rtol=0, atol=1e-14
    )


@given(seeds, sections, st.integers(1, 5), layouts, arrangements)
def test_text_turns_as_by_plain_rope(seed, sections, length, layout, arrangement):
    """Wang et al. (2024), section 2.1: equal ids make M-RoPE the rotation of a language model."""
    x = np.random.default_rng(seed).normal(size=(2, length, 2 * sum(sections)))
    omega = pe_lib.frequencies(x.shape[-1], base=1e6)
    ids = pos.mrope([("text", length)])
    options = {"sections": sections, "arrangement": arrangement}
    got = multimodal(x, ids, omega, layout=layout, **options)
    plain = rope.rotate(x, np.arange(length), omega, layout=layout)
    np.testing.assert_allclose(got, plain, rtol=0, atol=1e-15 * np.abs(x).max())


@given(sections, arrangements)
def test_each_axis_has_as_many_pairs_as_its_section(sections, arrangement):
    dim = 2 * sum(sections)
    for axis, count in enumerate(sections):
        triple = np.zeros(3)
        triple[axis] = 1
        moved = one_multimodal(np.ones(dim), triple, "half", sections, arrangement) != 1
        assert moved.sum() == 2 * count


@given(seeds, counts, st.integers(0, 5), places, places, layouts)
def test_a_partial_score_is_a_score_of_the_offset_plus_one_without_positions(
    seed, pairs, rest, m, n, layout
):
    q, k = np.random.default_rng(seed).normal(size=(2, 2 * pairs + rest))
    omega = pe_lib.frequencies(2 * pairs)
    left = rotate_partial(q[None], m, omega, layout=layout)[0]
    right = rotate_partial(k[None], n, omega, layout=layout)[0]
    turned = rope.rotate(k[None, : 2 * pairs], n - m, omega, layout=layout)[0]
    want = q[: 2 * pairs] @ turned + q[2 * pairs :] @ k[2 * pairs :]
    assert left @ right == pytest.approx(want, abs=1e-10)


@given(seeds, counts, places, layouts)
def test_a_part_that_is_all_is_plain_rope(seed, pairs, p, layout):
    x = np.random.default_rng(seed).normal(size=(1, 2 * pairs))
    omega = pe_lib.frequencies(2 * pairs)
    np.testing.assert_array_equal(
        rotate_partial(x, p, omega, layout=layout), rope.rotate(x, p, omega, layout=layout)
    )


# --- Golden numbers ----------------------------------------------------------------------------


def test_golden_sections_and_where_their_pairs_stand(schemes_golden):
    case = schemes_golden["mrope_example"]
    qwen2, qwen3 = case["section_qwen2_vl"], case["section_qwen3_vl_interleaved"]

    def pairs_of(axis, sections, arrangement):
        triple = np.zeros(3)
        triple[axis] = 1
        return np.flatnonzero(
            one_multimodal(np.ones(128), triple, "half", sections, arrangement)[:64] != 1
        ).tolist()

    assert pairs_of(0, qwen2, "contiguous") == list(range(16))
    assert pairs_of(1, qwen2, "contiguous") == list(range(16, 40))
    assert pairs_of(2, qwen2, "contiguous") == list(range(40, 64))
    assert pairs_of(0, qwen3, "interleaved") == [*range(0, 60, 3), 60, 61, 62, 63]
    assert pairs_of(1, qwen3, "interleaved") == list(range(1, 60, 3))
    assert pairs_of(2, qwen3, "interleaved") == list(range(2, 60, 3))


def test_golden_turns_of_each_axis(golden):
    """The reference values of plain RoPE, once as rows and once as columns."""
    for case in golden["rope"]:
        p, x, want = case["position"], np.array(case["x"], float), np.array(case["want"])
        if case["layout"] != "interleaved":
            continue
        tolerance = 1e-11 if abs(p) <= 4095 else 5e-9 if abs(p) <= 1e6 else 1e-6  # times |x|
        omega = pe_lib.frequencies(len(x), base=case["base"])
        twice = np.tile(x, 2)[None]
        got = rotate_2d(twice, [p, 0], omega, layout="interleaved")[0]
        np.testing.assert_allclose(got, [*want, *x], rtol=0, atol=tolerance)
        got = rotate_2d(twice, [0, p], omega, layout="interleaved")[0]
        np.testing.assert_allclose(got, [*x, *want], rtol=0, atol=tolerance)


def test_golden_turns_of_a_part(golden):
    for case in golden["rope"]:
        p, x = case["position"], np.array([*case["x"], 5.0, 6.0, 7.0])
        tolerance = 1e-11 if abs(p) <= 4095 else 5e-9 if abs(p) <= 1e6 else 1e-6  # times |x|
        omega = pe_lib.frequencies(len(x) - 3, base=case["base"])
        got = rotate_partial(x[None], p, omega, layout=case["layout"])[0]
        np.testing.assert_allclose(got, [*case["want"], 5, 6, 7], rtol=0, atol=tolerance)


# --- Edge values -------------------------------------------------------------------------------

#: Name -> the function with everything but x and positions settled, and the shape of positions
#: that belongs to x of shape (2, 3, 12).
CALLS = {
    "rotate_2d": (
        lambda x, p, **o: rotate_2d(x, p, [1.0, 0.5, 0.1], **({"layout": "half"} | o)),
        (2, 3, 2),
    ),
    "multimodal": (
        lambda x, p, **o: multimodal(
            x, p, pe_lib.frequencies(12), **({"layout": "half", "sections": (2, 2, 2)} | o)
        ),
        (3, 2, 3),
    ),
    "rotate_partial": (
        lambda x, p, **o: rotate_partial(x, p, [1.0, 0.5], **({"layout": "half"} | o)),
        (2, 3),
    ),
}
each = pytest.mark.parametrize(("call", "shape"), CALLS.values(), ids=CALLS)


def _inputs(shape, dtype=np.float64):
    rng = np.random.default_rng(0)
    return rng.normal(size=(2, 3, 12)).astype(dtype), rng.integers(-9, 9, shape)


@each
@pytest.mark.parametrize("layout", LAYOUTS)
def test_position_0_changes_nothing(call, shape, layout):
    x, p = _inputs(shape)
    np.testing.assert_array_equal(call(x, 0 * p, layout=layout), x)


@each
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_the_kind_of_float_is_kept_and_only_the_result_is_cast(call, shape, dtype):
    x, p = _inputs(shape, dtype)
    got = call(x, p + 100_000)
    exact = call(x.astype(np.float64), p + 100_000)
    assert got.dtype == dtype
    np.testing.assert_allclose(got, exact, rtol=0, atol=8 * np.finfo(dtype).eps)


@each
def test_integers_become_float64(call, shape):
    x, p = _inputs(shape)
    assert call(np.ones(x.shape, int), p).dtype == np.float64


@each
@pytest.mark.parametrize("layout", LAYOUTS)
def test_inputs_may_be_read_only_and_strided_and_are_never_changed(call, shape, layout):
    x, p = _inputs(shape)
    x, p = np.asfortranarray(x)[:, ::-1], np.repeat(p, 2, axis=-1)[..., ::2]
    copies = x.copy(), p.copy()
    x.flags.writeable = p.flags.writeable = False
    got = call(x, p, layout=layout)
    np.testing.assert_array_equal(got, call(*copies, layout=layout))
    np.testing.assert_array_equal(x, copies[0])
    np.testing.assert_array_equal(p, copies[1])
    assert got.flags.writeable
    assert got.flags.c_contiguous
    assert not np.shares_memory(got, x)


@pytest.mark.parametrize("shape", [(2,), (1, 2), (3, 2), (2, 1, 2), (1, 3, 2)])
def test_points_broadcast_over_heads_and_tokens(shape):
    x, p = _inputs(shape)
    call, _ = CALLS["rotate_2d"]
    np.testing.assert_array_equal(call(x, p), call(x, np.broadcast_to(p, (2, 3, 2))))


@pytest.mark.parametrize("shape", [(3,), (3, 1), (3, 3), (3, 2, 1), (3, 1, 3)])
def test_ids_broadcast_over_heads_and_tokens(shape):
    x, p = _inputs(shape)
    call, _ = CALLS["multimodal"]
    full = np.stack([np.broadcast_to(row, (2, 3)) for row in p])
    np.testing.assert_array_equal(call(x, p), call(x, full))


def test_the_sections_of_qwen2_vl_are_the_default():
    x, p = np.random.default_rng(0).normal(size=(4, 128)), np.arange(12).reshape(3, 4)
    omega = pe_lib.frequencies(128)
    np.testing.assert_array_equal(
        multimodal(x, p, omega, layout="half"),
        multimodal(x, p, omega, layout="half", sections=[16, 24, 24], arrangement="contiguous"),
    )


def test_swapped_columns_make_the_first_half_turn_by_the_column():
    x, p = np.random.default_rng(0).normal(size=(6, 4)), pos.grid(2, 3)
    got = rotate_2d(x, p[:, ::-1], [1.0], layout="interleaved")
    want = rope.rotate(x[:, :2], p[:, 1], [1.0], layout="interleaved")
    np.testing.assert_allclose(got[:, :2], want, rtol=0, atol=1e-15)


# --- Errors ------------------------------------------------------------------------------------


@each
@pytest.mark.parametrize(
    ("x", "error", "message"),
    [
        (1.0, ValueError, "x must have at least 1 axes"),
        (np.ones((0, 12)), ValueError, "x must not be empty"),
        (np.ones((2, 3, 0)), ValueError, "x must not be empty"),
        (np.full((2, 3, 12), np.nan), ValueError, "x must be finite, got nan"),
        (np.full((2, 3, 12), -np.inf), ValueError, "x must be finite, got -inf"),
        (np.ones((2, 3, 12), complex), TypeError, "x must be numbers"),
        (np.ones((2, 3, 12), bool), TypeError, "x must be numbers"),
        (np.ones((2, 3, 12), "V2"), TypeError, "x must be numbers"),
        ("text", TypeError, "x must be numbers"),
        (None, TypeError, "x must be numbers"),
        ([[1.0, 2.0], [3.0]], TypeError, "x must be an array of numbers"),
        (np.full((2, 3, 12), 1.7e308), ValueError, "no pair overflows float64"),
    ],
)
def test_a_wrong_x_is_named(call, shape, x, error, message):
    with pytest.raises(error, match=message):
        call(x, np.ones(shape))


@each
@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        (np.nan, ValueError, "positions must be finite, got nan"),
        (np.inf, ValueError, "positions must be finite, got inf"),
        (2**62, ValueError, r"positions must lie within \+-2\*\*28"),
        (True, TypeError, "positions must be numbers"),
        (1j, TypeError, "positions must be numbers"),
        ("1", TypeError, "positions must be numbers"),
        (None, TypeError, "positions must be numbers"),
    ],
)
def test_a_wrong_position_is_named(call, shape, value, error, message):
    with pytest.raises(error, match=message):
        call(np.ones((2, 3, 12)), np.full(shape, value))


@each
def test_a_wrong_layout_is_named_and_none_is_assumed(call, shape):
    with pytest.raises(ValueError, match="layout must be one of 'interleaved', 'half', got 'x'"):
        call(np.ones((2, 3, 12)), np.ones(shape), layout="x")
    for function in (rotate_2d, multimodal, rotate_partial):
        with pytest.raises(TypeError, match="layout"):
            function(np.ones((2, 4)), [0, 1], [1.0])


@pytest.mark.parametrize(
    ("x", "p", "omega", "error", "message"),
    [
        (np.ones((2, 6)), [0, 1], [1.0], ValueError, "must be a multiple of 4, got 6"),
        (np.ones((2, 5)), [0, 1], [1.0], ValueError, "must be a multiple of 4, got 5"),
        (np.ones((2, 4)), 1, [1.0], ValueError, r"positions must have shape \(\.\.\., T, 2\)"),
        (np.ones((2, 4)), [1], [1.0], ValueError, r"positions must have shape .*got \(1,\)"),
        (np.ones((2, 4)), np.ones((2, 3)), [1.0], ValueError, r"positions must have shape"),
        (np.ones((2, 4)), np.ones((3, 2)), [1.0], ValueError, r"positions of shape \(3, 2\) must"),
        (np.ones((2, 4)), [], [1.0], ValueError, "positions must not be empty"),
        (np.ones((2, 4)), [0, 1], [1.0, 0.1], ValueError, r"frequencies must have shape \(1,\)"),
        (np.ones((2, 4)), [0, 1], 1.0, ValueError, r"frequencies must have shape \(1,\)"),
        (np.ones((2, 4)), [0, 1], [np.nan], ValueError, "frequencies must be finite, got nan"),
        (np.ones((2, 4)), [0, 1], ["1"], TypeError, "frequencies must be numbers"),
        (np.ones((2, 4)), [0, 9], [1e9], ValueError, "positions times frequencies must lie within"),
    ],
)
def test_what_is_wrong_with_two_axes_is_named(x, p, omega, error, message):
    with pytest.raises(error, match=message):
        rotate_2d(x, p, omega, layout="half")


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"x": np.ones((2, 5))}, ValueError, r"x.shape\[-1\] must be even, got 5"),
        ({"p": 1}, ValueError, r"positions must have shape \(3, \.\.\., T\), got \(\)"),
        ({"p": [0, 1]}, ValueError, r"positions must have shape \(3, \.\.\., T\), got \(2,\)"),
        ({"p": np.ones((3, 5))}, ValueError, r"each row of positions of shape \(5,\) must broad"),
        ({"p": []}, ValueError, "positions must not be empty"),
        ({"omega": [1.0]}, ValueError, r"frequencies must have shape \(3,\), got \(1,\)"),
        ({"omega": [1.0, 1.0, np.inf]}, ValueError, "frequencies must be finite, got inf"),
        ({"sections": (1, 1, 2)}, ValueError, r"sections must sum to D/2 = 3, got \[1, 1, 2\]"),
        ({"sections": (1, 2)}, ValueError, r"sections must have shape \(3,\), got \(2,\)"),
        ({"sections": (3, 0, 0)}, ValueError, "sections must be at least 1, got 0"),
        ({"sections": (5, -1, -1)}, ValueError, "sections must be at least 1, got -1"),
        ({"sections": 3}, ValueError, r"sections must have shape \(3,\), got \(\)"),
        ({"sections": (1.0, 1.0, 1.0)}, TypeError, "sections must be integers, got float64"),
        ({"sections": None}, TypeError, "sections must be numbers"),
        ({"sections": "abc"}, TypeError, "sections must be numbers"),
        ({"arrangement": "mixed"}, ValueError, "arrangement must be one of 'contiguous', 'inter"),
        ({"arrangement": None}, ValueError, "arrangement must be one of"),
        ({"arrangement": True}, ValueError, "arrangement must be one of"),
    ],
)
def test_what_is_wrong_with_three_axes_is_named(change, error, message):
    good = {"x": np.ones((2, 6)), "p": [[0], [1], [2]], "omega": [1.0, 0.5, 0.1]}
    options = {"layout": "half", "sections": (1, 1, 1)} | good | change
    arrays = [options.pop(name) for name in good]
    with pytest.raises(error, match=message):
        multimodal(*arrays, **options)


@pytest.mark.parametrize("sections", [(16, 24, 24), (1, 2, 1), (1, 1, 2), (1, 1, 4)])
def test_sections_that_cannot_be_interleaved_are_named(sections):
    half = sum(sections)
    x, omega = np.ones((1, 2 * half)), np.ones(half)
    options = {"layout": "half", "sections": sections, "arrangement": "interleaved"}
    with pytest.raises(ValueError, match="too few pairs to interleave"):
        multimodal(x, [0, 1, 2], omega, **options)


@pytest.mark.parametrize(
    ("x", "p", "omega", "error", "message"),
    [
        (np.ones((2, 5)), [0, 1], np.ones(3), ValueError, "those of 1 to 2 pairs, as x has 5 chan"),
        (np.ones((2, 1)), [0, 1], [1.0], ValueError, "frequencies must be those of 1 to 0 pairs"),
        (np.ones((2, 4)), [0, 1], [], ValueError, "frequencies must be those of 1 to 2 pairs"),
        (np.ones((2, 4)), [0, 1], 1.0, ValueError, r"frequencies must have shape \(\*,\)"),
        (np.ones((2, 4)), [0, 1], [[1.0]], ValueError, r"frequencies must have shape \(\*,\)"),
        (np.ones((2, 4)), [0, 1], [np.nan], ValueError, "frequencies must be finite, got nan"),
        (np.ones((2, 4)), [0, 1], None, TypeError, "frequencies must be numbers"),
        (np.ones((2, 4)), [0, 1, 2], [1.0], ValueError, r"positions of shape \(3,\) must"),
        (np.ones((2, 4)), [], [1.0], ValueError, "positions must not be empty"),
        ([[1.0, 0.0, np.nan]], 0, [1.0], ValueError, "x must be finite, got nan"),
    ],
)
def test_what_is_wrong_with_a_part_is_named(x, p, omega, error, message):
    with pytest.raises(error, match=message):
        rotate_partial(x, p, omega, layout="half")
