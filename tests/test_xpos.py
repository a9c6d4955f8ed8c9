"""pe_lib.xpos against its definition (Sun et al. 2023, section 3.2)."""

import cmath
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pe_lib
from pe_lib import rope, xpos

LAYOUTS = ("interleaved", "half")
ROLES = ("query", "key")
layouts = st.sampled_from(LAYOUTS)
positions = st.integers(-2000, 2000) | st.floats(-2000, 2000)
seeds = st.integers(0, 2**32 - 1)
pair_counts = st.integers(1, 8)


def scaled(x, position, role, layout, **options):
    """One vector, rotated and scaled."""
    omega = pe_lib.frequencies(len(x))
    return xpos.rotate(x[None], position, omega, layout=layout, role=role, **options)[0]


def pair_scores(q, k, layout):
    """What each channel pair adds to the score of a query and a key."""
    shape, axis = ((-1, 2), 1) if layout == "interleaved" else ((2, -1), 0)
    return (q * k).reshape(shape).sum(axis=axis)


# --- Oracle: complex numbers in a plain loop ---------------------------------------------------


def _oracle(x, p, omega, layout, role, base):
    """Algorithm 1, with positions divided by the scale base."""
    d, out = len(x), np.empty(len(x))
    for i in range(d // 2):
        a, b = (2 * i, 2 * i + 1) if layout == "interleaved" else (i, i + d // 2)
        zeta = (i / (d / 2) + 0.4) / 1.4
        scale = zeta ** (p / base) if role == "query" else zeta ** (-p / base)
        z = complex(x[a], x[b]) * cmath.exp(1j * omega[i] * p) * scale
        out[a], out[b] = z.real, z.imag
    return out


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("role", ROLES)
def test_oracle_each_pair_as_a_complex_number(layout, role):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(2, 5, 8))
    p = rng.integers(-1000, 1000, (2, 5))
    omega = rng.uniform(0, 2, 4)
    for base in (512, 100.5):
        got = xpos.rotate(x, p, omega, layout=layout, role=role, scale_base=base)
        for head, t in np.ndindex(2, 5):
            want = _oracle(x[head, t], int(p[head, t]), omega, layout, role, base)
            np.testing.assert_allclose(got[head, t], want, rtol=1e-11, atol=1e-12)


# --- Properties --------------------------------------------------------------------------------


@given(seeds, pair_counts, positions, positions, positions, layouts)
def test_the_score_depends_on_the_offset_alone(seed, pairs, m, n, shift, layout):
    """Sun et al. (2023), equation 4: so any number may be subtracted from all positions."""
    q, k = np.random.default_rng(seed).normal(size=(2, 2 * pairs))
    score = scaled(q, m, "query", layout) @ scaled(k, n, "key", layout)
    moved = scaled(q, m + shift, "query", layout) @ scaled(k, n + shift, "key", layout)
    size = np.abs(q * k).sum() * max(1, xpos.zeta(2)[0] ** ((m - n) / 512))
    assert score == pytest.approx(moved, rel=1e-9, abs=1e-9 * size)


@given(seeds, pair_counts, positions, positions, layouts)
def test_each_pair_of_a_score_is_that_of_rope_times_a_power_of_its_decay(seed, pairs, m, n, layout):
    q, k = np.random.default_rng(seed).normal(size=(2, 2 * pairs))
    omega = pe_lib.frequencies(2 * pairs)
    plain = pair_scores(
        rope.rotate(q[None], m, omega, layout=layout)[0],
        rope.rotate(k[None], n, omega, layout=layout)[0],
        layout,
    )
    got = pair_scores(scaled(q, m, "query", layout), scaled(k, n, "key", layout), layout)
    want = plain * xpos.zeta(2 * pairs) ** ((m - n) / 512)
    np.testing.assert_allclose(got, want, rtol=1e-11, atol=1e-12)


@given(pair_counts, st.integers(0, 4000), st.integers(1, 500), layouts)
def test_a_key_further_back_weighs_less_and_one_ahead_more(pairs, distance, step, layout):
    def weight(offset):
        """Largest score that two unit vectors of one pair can have: rotation aside."""
        q = scaled(np.ones(2 * pairs), 0, "query", layout)
        k = scaled(np.ones(2 * pairs), offset, "key", layout)
        shape, axis = ((-1, 2), 1) if layout == "interleaved" else ((2, -1), 0)
        norms = (np.linalg.norm(v.reshape(shape), axis=axis) for v in (q, k))
        return math.prod(norms)

    assert (weight(-distance - step) < weight(-distance)).all()
    assert (weight(step) > weight(0)).all()


@given(seeds, pair_counts, positions, layouts)
def test_a_query_shrinks_by_what_its_key_grows(seed, pairs, p, layout):
    x = np.random.default_rng(seed).normal(size=2 * pairs)
    turned = rope.rotate(x[None], p, pe_lib.frequencies(2 * pairs), layout=layout)[0]
    product = scaled(x, p, "query", layout) * scaled(x, p, "key", layout)
    np.testing.assert_allclose(product, turned**2, rtol=1e-12)


@given(seeds, pair_counts, positions, st.sampled_from(ROLES))
def test_the_layouts_hold_the_same_numbers(seed, pairs, p, role):
    def half(vector):
        return rope.convert_layout(vector, 1, source="interleaved", target="half")

    x = np.random.default_rng(seed).normal(size=2 * pairs)
    interleaved = half(scaled(x, p, role, "interleaved"))
    # The layouts may multiply and add in another order, so a channel that nearly cancels differs by
    # a rounding of its pair.
    atol = 1e-13 * np.abs(interleaved).max()
    np.testing.assert_allclose(scaled(half(x), p, role, "half"), interleaved, rtol=0, atol=atol)


@given(st.integers(1, 512))
def test_decays_rise_from_two_sevenths_to_below_1(pairs):
    zeta = xpos.zeta(2 * pairs)
    assert zeta[0] == pytest.approx(2 / 7, rel=1e-15)
    assert (np.diff(zeta) > 0).all()
    assert zeta[-1] < 1


@given(seeds, st.floats(1, 1e6), layouts, st.sampled_from(ROLES))
def test_positions_and_scale_base_count_in_the_same_unit(seed, base, layout, role):
    x = np.random.default_rng(seed).normal(size=8)
    got = xpos.rotate(x[None], base, np.zeros(4), layout=layout, role=role, scale_base=base)[0]
    zeta = xpos.zeta(8) if role == "query" else 1 / xpos.zeta(8)
    channels = np.repeat(zeta, 2) if layout == "interleaved" else np.tile(zeta, 2)
    np.testing.assert_allclose(got, x * channels, rtol=1e-15)


# --- Golden numbers ----------------------------------------------------------------------------


def test_golden_decays_within_4_ulp(schemes_golden):
    want = np.array(schemes_golden["xpos"]["d64_zeta"])
    assert (np.abs(xpos.zeta(64) - want) <= 4 * np.spacing(want)).all()


@pytest.mark.parametrize("layout", LAYOUTS)
def test_golden_powers(schemes_golden, layout):
    case = schemes_golden["xpos"]
    want = np.array(case["d64_zeta_pow_n_over_512_n1024"])
    options = {"layout": layout, "scale_base": case["scale_base"]}
    for sign, role in [(1, "query"), (-1, "key")]:
        for channel in (
            xpos.rotate(np.eye(64), 1024, np.zeros(32), role=role, **options).sum(0),
            (xpos.rotate(np.ones((1, 64)), 1024 * sign, np.zeros(32), role="query", **options)[0]),
        ):
            pairs = channel.reshape((-1, 2) if layout == "interleaved" else (2, -1))
            pairs = pairs if layout == "interleaved" else pairs.T
            np.testing.assert_allclose(pairs, np.stack([want**sign] * 2, 1), rtol=4e-15)


def test_the_slip_of_a_bracket_is_a_factor_of_42():
    """lucidrains/rotary-embedding-torch 2605ece: (t - n // 2) / 512, not t - (n // 2) / 512."""
    q = scaled(np.array([1.0, 0.0]), 3 - 8 // 2, "query", "half")
    assert np.linalg.norm(q) == pytest.approx(1.00245, abs=5e-6)
    assert xpos.zeta(2)[0] ** (3 - 4 / 512) == pytest.approx(0.0236, abs=5e-5)


# --- Edge values -------------------------------------------------------------------------------


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("role", ROLES)
def test_position_0_changes_nothing(layout, role):
    x = np.arange(8.0)
    np.testing.assert_array_equal(scaled(x, 0, role, layout), x)


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_the_kind_of_float_is_kept_and_only_the_result_is_cast(dtype, role):
    x = np.random.default_rng(0).normal(size=(6, 8)).astype(dtype)
    p, omega = np.arange(6) * 400 - 1000, pe_lib.frequencies(8)
    got = xpos.rotate(x, p, omega, layout="half", role=role)
    exact = xpos.rotate(x.astype(np.float64), p, omega, layout="half", role=role)
    assert got.dtype == dtype
    size = np.abs(exact).max(axis=-1, keepdims=True)
    assert (np.abs(got - exact) <= 2 * np.finfo(dtype).eps * size).all()


@pytest.mark.parametrize("role", ROLES)
def test_float16_is_rounded_once(role):
    x = np.random.default_rng(0).normal(size=(50, 8)).astype(np.float16)
    arguments = np.arange(50) * 9, pe_lib.frequencies(8)
    got = xpos.rotate(x, *arguments, layout="half", role=role)
    single = xpos.rotate(x.astype(np.float32), *arguments, layout="half", role=role)
    np.testing.assert_array_equal(got, single.astype(np.float16))


def test_integers_become_float64():
    got = xpos.rotate(np.ones((1, 2), int), 1, [1.0], layout="half", role="key")
    assert got.dtype == np.float64


@pytest.mark.parametrize("shape", [(), (1,), (3,), (2, 1), (2, 3), (1, 3)])
def test_positions_broadcast_over_heads_and_tokens(shape):
    x = np.random.default_rng(0).normal(size=(2, 3, 4))
    p = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    options = {"layout": "half", "role": "query"}
    got = xpos.rotate(x, p, [1.0, 0.1], **options)
    full = xpos.rotate(x, np.broadcast_to(p, (2, 3)), [1.0, 0.1], **options)
    np.testing.assert_array_equal(got, full)


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(
    ("dtype", "farthest"), [(np.float16, 3966), (np.float32, 35694), (np.float64, 289519)]
)
def test_far_positions_give_right_values_or_an_error(dtype, farthest, role):
    x = np.array([[1.0, 0.0]], dtype)
    for p in (farthest, -farthest):
        got = float(xpos.rotate(x, p, [0.0], layout="half", role=role)[0, 0])
        power = p if role == "query" else -p
        assert got == pytest.approx((2 / 7) ** (power / 512), rel=1e-3)
        far = p + math.copysign(1, p)
        with pytest.raises(ValueError, match=f"positions must lie within .* in {x.dtype}, got"):
            xpos.rotate(x, far, [0.0], layout="half", role=role)


def test_positions_that_are_too_far_come_nearer_when_a_number_is_subtracted_from_all():
    q, k = np.random.default_rng(0).normal(size=(2, 1, 8)).astype(np.float32)
    omega = pe_lib.frequencies(8)
    with pytest.raises(ValueError, match="subtract the same number from those of queries and keys"):
        xpos.rotate(q, 100_000, omega, layout="half", role="query")
    near = [
        xpos.rotate(x, p - 100_000, omega, layout="half", role=role)
        for x, p, role in [(q, 100_000, "query"), (k, 99_900, "key")]
    ]
    far = [
        xpos.rotate(x.astype(float), p, omega, layout="half", role=role)
        for x, p, role in [(q, 100_000, "query"), (k, 99_900, "key")]
    ]
    assert float((near[0] @ near[1].T).item()) == pytest.approx((far[0] @ far[1].T).item(), 1e-5)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_inputs_may_be_read_only_and_strided_and_are_never_changed(layout):
    strided = np.random.default_rng(0).normal(size=(8, 2, 6)).transpose(1, 2, 0)[:, ::2]
    p, omega = np.arange(6)[::2], np.array([1, 0, 0.1, 0, 0.5, 0, 2, 0])[::2]
    inputs = (strided, p, omega)
    copies = tuple(array.copy() for array in inputs)
    for array in inputs:
        array.flags.writeable = False
    got = xpos.rotate(*inputs, layout=layout, role="key")
    np.testing.assert_array_equal(got, xpos.rotate(*copies, layout=layout, role="key"))
    assert got.flags.writeable
    for array, copy in zip(inputs, copies, strict=True):
        np.testing.assert_array_equal(array, copy)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_an_input_that_needs_no_cast_is_not_changed(dtype):
    x = np.ones((2, 4), dtype)
    xpos.rotate(x, [0, 100], [1.0, 0.1], layout="half", role="key")
    assert (x == 1).all()


# --- Errors ------------------------------------------------------------------------------------

GOOD = {
    "x": np.ones((2, 4)),
    "positions": [0, 1],
    "frequencies": [1.0, 0.1],
    "layout": "half",
    "role": "query",
    "scale_base": 512,
}


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"x": np.ones((2, 5))}, ValueError, r"x.shape\[-1\] must be even, got 5"),
        ({"x": 1.0}, ValueError, "x must have at least 1 axes"),
        ({"x": np.ones((0, 4))}, ValueError, "x must not be empty"),
        ({"x": np.full((2, 4), np.nan)}, ValueError, "x must be finite, got nan"),
        ({"x": np.ones((2, 4), complex)}, TypeError, "x must be numbers"),
        ({"x": np.ones((2, 4), "V2")}, TypeError, "x must be numbers"),
        ({"x": None}, TypeError, "x must be numbers"),
        ({"x": [[1.0, 2.0], [3.0]]}, TypeError, "x must be an array of numbers"),
        ({"x": np.full((2, 4), 1.7e308)}, ValueError, "no pair overflows float64"),
        (
            {"x": np.full((2, 4), 6e4, np.float16), "positions": [0, -999]},
            ValueError,
            "x must be small enough that no pair overflows float16",
        ),
        (
            {"x": np.full((2, 4), 1e38, np.float32), "positions": [0, -999]},
            ValueError,
            "x must be small enough that no pair overflows float32",
        ),
        ({"positions": [0, 1, 2]}, ValueError, r"positions of shape \(3,\) must broadcast to"),
        ({"positions": []}, ValueError, "positions must not be empty"),
        ({"positions": [0, np.nan]}, ValueError, "positions must be finite, got nan"),
        ({"positions": 2**62}, ValueError, r"positions must lie within \+-2\*\*28"),
        ({"positions": 2**20}, ValueError, r"positions must lie within \+-289519, or .*1048576"),
        ({"positions": "1"}, TypeError, "positions must be numbers"),
        ({"frequencies": [1.0]}, ValueError, r"frequencies must have shape \(2,\)"),
        ({"frequencies": [1.0, np.inf]}, ValueError, "frequencies must be finite, got inf"),
        ({"layout": "neox"}, ValueError, "layout must be one of 'interleaved', 'half'"),
        ({"role": "value"}, ValueError, "role must be one of 'query', 'key', got 'value'"),
        ({"role": None}, ValueError, "role must be one of"),
        ({"role": True}, ValueError, "role must be one of"),
        ({"scale_base": 0}, ValueError, "scale_base must be greater than 0, got 0"),
        ({"scale_base": -512}, ValueError, "scale_base must be greater than 0"),
        ({"scale_base": 1e-320}, ValueError, "positions must lie within"),
        ({"scale_base": np.inf}, ValueError, "scale_base must be finite, got inf"),
        ({"scale_base": [512]}, TypeError, "scale_base must be one number"),
        ({"scale_base": "512"}, TypeError, "scale_base must be numbers"),
        ({"scale_base": None}, TypeError, "scale_base must be numbers"),
    ],
)
def test_what_is_wrong_is_named(change, error, message):
    options = GOOD | change
    arrays = [options.pop(name) for name in ("x", "positions", "frequencies")]
    with pytest.raises(error, match=message):
        xpos.rotate(*arrays, **options)


def test_the_layout_and_the_role_must_be_written_out():
    with pytest.raises(TypeError, match="role"):
        xpos.rotate(np.ones((1, 2)), 0, [1.0], layout="half")
    with pytest.raises(TypeError, match="layout"):
        xpos.rotate(np.ones((1, 2)), 0, [1.0], role="key")


@pytest.mark.parametrize(
    ("dim", "error", "message"),
    [
        (5, ValueError, "dim must be even, got 5"),
        (0, ValueError, "dim must be at least 2, got 0"),
        (-2, ValueError, "dim must be at least 2, got -2"),
        (4.0, TypeError, "dim must be an integer, got 4.0"),
        (None, TypeError, "dim must be an integer, got None"),
    ],
)
def test_a_wrong_dim_is_named(dim, error, message):
    with pytest.raises(error, match=message):
        xpos.zeta(dim)
