"""pe_lib.sinusoidal against its definition and the shift theorem (Vaswani et al. 2017, 3.5)."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pe_lib
from pe_lib import sinusoidal

LAYOUTS = ("interleaved", "half")
dims = st.integers(1, 16).map(lambda pairs: 2 * pairs)
layouts = st.sampled_from(LAYOUTS)
positions = st.integers(-2000, 2000) | st.floats(-2000, 2000)
offsets = st.integers(-2000, 2000) | st.floats(-2000, 2000)

# --- Oracle: the paper's formula in a plain loop -----------------------------------------------


def _oracle(p, dim, *, base=10_000.0, layout):
    code = [None] * dim
    for i in range(dim // 2):
        angle = p / base ** (2 * i / dim)
        sine, cosine = (2 * i, 2 * i + 1) if layout == "interleaved" else (i, i + dim // 2)
        code[sine], code[cosine] = math.sin(angle), math.cos(angle)
    return code


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("base", [10_000.0, 100.0])
def test_oracle_a_plain_loop(layout, base):
    """In the book: eq-pair-channels."""
    for dim in (2, 6, 16):
        for p in (0, 1, -7, 0.5, 1000):
            np.testing.assert_allclose(
                sinusoidal.encode(p, dim, base=base, layout=layout),
                _oracle(p, dim, base=base, layout=layout),
                rtol=0,
                atol=1e-12,
            )


# --- Properties --------------------------------------------------------------------------------


@given(positions, offsets, dims, layouts)
def test_shift_theorem_a_matrix_of_the_offset_alone_moves_every_code(p, k, dim, layout):
    """In the book: thm-shift, eq-shift."""
    shifted = sinusoidal.shift_matrix(k, dim, layout=layout) @ sinusoidal.encode(
        p, dim, layout=layout
    )
    np.testing.assert_allclose(shifted, sinusoidal.encode(p + k, dim, layout=layout), atol=5e-12)


@given(offsets, offsets, dims, layouts)
def test_shifts_form_a_group(a, b, dim, layout):
    """In the book: thm-shift-group."""

    def shift(k):
        return sinusoidal.shift_matrix(k, dim, layout=layout)

    np.testing.assert_allclose(shift(a) @ shift(b), shift(a + b), atol=5e-12)
    np.testing.assert_allclose(shift(a) @ shift(-a), np.eye(dim), atol=1e-15)
    np.testing.assert_array_equal(shift(0), np.eye(dim))


@given(offsets, dims, layouts)
def test_a_shift_is_a_rotation(k, dim, layout):
    """In the book: eq-shift-block."""
    matrix = sinusoidal.shift_matrix(k, dim, layout=layout)
    np.testing.assert_allclose(matrix.T @ matrix, np.eye(dim), atol=1e-14)
    np.testing.assert_allclose(matrix.T, sinusoidal.shift_matrix(-k, dim, layout=layout))
    assert np.linalg.det(matrix) == pytest.approx(1)


@given(positions, dims, layouts)
def test_every_code_has_norm_sqrt_of_half_the_channels(p, dim, layout):
    """In the book: eq-pair-channels."""
    norm = np.linalg.norm(sinusoidal.encode(p, dim, layout=layout))
    assert norm == pytest.approx(math.sqrt(dim / 2), rel=1e-14)


@given(positions, offsets, dims, layouts)
def test_the_dot_product_of_two_codes_is_a_sum_of_cosines_of_the_offset(p, k, dim, layout):
    left, right = (sinusoidal.encode(at, dim, layout=layout) for at in (p, p + k))
    want = np.cos(pe_lib.frequencies(dim) * k).sum()
    assert left @ right == pytest.approx(want, abs=2e-11)


@given(positions, dims)
def test_the_layouts_hold_the_same_numbers(p, dim):
    interleaved = sinusoidal.encode(p, dim, layout="interleaved")
    half = sinusoidal.encode(p, dim, layout="half")
    np.testing.assert_array_equal(half, np.concatenate([interleaved[0::2], interleaved[1::2]]))


@given(st.integers(1, 600), st.integers(-500, 3500), dims, layouts)
def test_a_table_is_the_codes_of_consecutive_positions(length, start, dim, layout):
    table = sinusoidal.table(length, dim, start=start, layout=layout, dtype=np.float64)
    codes = sinusoidal.encode(np.arange(start, start + length), dim, layout=layout)
    np.testing.assert_allclose(table, codes, rtol=0, atol=1e-12)  # thm-shift


@given(st.integers(-1_000_000, 1_000_000), dims, layouts)
def test_a_table_in_float32_is_right_to_1e_7_wherever_it_starts(start, dim, layout):
    table = sinusoidal.table(300, dim, start=start, layout=layout)
    codes = sinusoidal.encode(np.arange(start, start + 300), dim, layout=layout)
    assert np.abs(table - codes).max() < 1e-7


def test_the_float32_formula_errs_by_5_percent_where_the_table_does_not():
    """Plain float32 angles, as in many a code base, at positions around a million."""
    positions = np.arange(1_000_000, 1_000_300)
    angles = positions.astype(np.float32)[:, None] * pe_lib.frequencies(512).astype(np.float32)
    exact = sinusoidal.encode(positions, 512)
    assert np.abs(np.sin(angles) - exact[:, 0::2]).max() > 0.03
    assert np.abs(sinusoidal.table(300, 512, start=1_000_000) - exact).max() < 1e-7


@given(st.floats(0.1, 100), st.floats(101, 1e6), st.integers(2, 16))
def test_timescales_reach_both_ends_by_equal_factors(shortest, longest, pairs):
    timescales = 1 / sinusoidal.timescale_frequencies(
        2 * pairs, min_timescale=shortest, max_timescale=longest
    )
    assert timescales[0] == pytest.approx(shortest)
    assert timescales[-1] == pytest.approx(longest)
    factor = (longest / shortest) ** (1 / (pairs - 1))
    np.testing.assert_allclose(timescales[1:] / timescales[:-1], factor, rtol=1e-12)


# --- Golden numbers ----------------------------------------------------------------------------


def _tolerance(position):
    """Angles round at 2^-53 of their size, and are right to 1e-12 wherever a table is usual."""
    return 1e-12 if abs(position) <= 4095 else max(5e-10, 5e-16 * abs(position))


def test_golden_codes(golden):
    for case in golden["sinusoid"]:
        p, want = case["position"], np.array(case["want"])
        got = sinusoidal.encode(p, case["dim"], base=case["base"], layout="interleaved")
        np.testing.assert_allclose(got, want, rtol=0, atol=_tolerance(p), err_msg=str(p))


def test_golden_codes_in_float32_are_right_to_1e_7_at_any_position(golden):
    for case in golden["sinusoid"]:
        p, want = case["position"], np.array(case["want"])
        got = sinusoidal.encode(p, case["dim"], layout="interleaved", dtype=np.float32)
        assert got.dtype == np.float32
        np.testing.assert_allclose(got, want, rtol=0, atol=1e-7, err_msg=str(p))


def test_golden_rows_of_tables_in_float32(golden):
    for case in golden["sinusoid"]:
        p = case["position"]
        if p == int(p):
            row = sinusoidal.table(1, case["dim"], start=int(p), layout="interleaved")[0]
            np.testing.assert_allclose(row, case["want"], rtol=0, atol=1e-7)


def test_golden_timescale_frequencies_within_4_ulp(golden):
    for case in golden["timescale_frequencies"]:
        options = {name: case[name] for name in ("min_timescale", "max_timescale")}
        got = sinusoidal.timescale_frequencies(case["dim"], **options)
        want = np.array(case["want"])
        assert (np.abs(got - want) <= 4 * np.spacing(want)).all(), case


def _published(schemes_golden, variant):
    """Dim, position and code of every row of a published table."""
    for dim, rows in schemes_golden["sinusoidal"][variant].items():
        for position, want in rows.items():
            yield int(dim), int(position), np.array(want)


def test_golden_rows_of_the_papers_table(schemes_golden):
    for dim, p, want in _published(schemes_golden, "paper"):
        got = sinusoidal.encode(p, dim, layout="interleaved")
        np.testing.assert_allclose(got, want, rtol=0, atol=_tolerance(p), err_msg=f"{dim}, {p}")
        half = sinusoidal.encode(p, dim, layout="half")
        np.testing.assert_array_equal(half, np.concatenate([got[0::2], got[1::2]]))


def test_golden_rows_of_the_tensor2tensor_table(schemes_golden):
    for dim, p, want in _published(schemes_golden, "t2t"):
        angles = p * sinusoidal.timescale_frequencies(dim)
        got = np.concatenate([np.sin(angles), np.cos(angles)])
        np.testing.assert_allclose(got, want, rtol=0, atol=_tolerance(p), err_msg=f"{dim}, {p}")


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("before", [0, 1, 200])
def test_golden_rows_in_the_middle_of_long_tables(before, layout, schemes_golden):
    for dim, p, want in _published(schemes_golden, "paper"):
        if layout == "half":
            want = np.concatenate([want[0::2], want[1::2]])
        options = {"start": p - before, "layout": layout}
        exact = sinusoidal.table(300, dim, dtype=np.float64, **options)[before]
        np.testing.assert_allclose(exact, want, rtol=0, atol=_tolerance(p), err_msg=f"{dim}, {p}")
        short = sinusoidal.table(300, dim, **options)[before]
        np.testing.assert_allclose(short, want, rtol=0, atol=1e-7, err_msg=f"{dim}, {p}")


def test_golden_rows_of_one_table_from_0_to_4095(schemes_golden):
    for dim in (4, 8, 512):
        table = sinusoidal.table(4096, dim, layout="interleaved", dtype=np.float64)
        for p, want in schemes_golden["sinusoidal"]["paper"][str(dim)].items():
            if int(p) < 4096:
                np.testing.assert_allclose(table[int(p)], want, rtol=0, atol=1e-12, err_msg=p)


def test_golden_frequencies_and_wavelengths_within_4_ulp(schemes_golden):
    want = schemes_golden["sinusoidal"]
    omega = pe_lib.frequencies(512)
    wavelengths = {
        "min": 2 * math.pi / omega[0],
        "max": 2 * math.pi / omega[-1],
        "limit_never_reached": 2 * math.pi * 10_000,
    }
    pairs = [
        *zip(omega[:10], want["theta_d512_first10"], strict=True),
        (omega[-1], want["theta_d512_last"]),
        *((wavelengths[name], number) for name, number in want["wavelength_d512"].items()),
    ]
    for got, number in pairs:
        assert abs(got - number) <= 4 * np.spacing(number)
    assert (2 * math.pi / omega < wavelengths["limit_never_reached"]).all()


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("p", [0, 7, 1000, -300])
def test_golden_dot_products_from_any_position_and_either_side(p, layout, schemes_golden):
    here = sinusoidal.encode(p, 512, layout=layout)
    for k, want in schemes_golden["sinusoidal"]["dot_d512"].items():
        there = sinusoidal.encode([p - int(k), p + int(k)], 512, layout=layout)
        np.testing.assert_allclose(there @ here, want, rtol=0, atol=256 * _tolerance(11_000))


def test_golden_length_of_every_step(schemes_golden):
    codes = sinusoidal.encode(np.arange(-50, 50), 512)
    steps = np.linalg.norm(np.diff(codes, axis=0), axis=1)
    np.testing.assert_allclose(steps, schemes_golden["sinusoidal"]["step_norm_d512"], rtol=1e-14)


def test_tensor2tensor_differs_from_the_paper_in_order_and_exponent():
    paper = pe_lib.frequencies(8)
    variant = sinusoidal.timescale_frequencies(8)
    assert paper.round(4).tolist() == [1, 0.1, 0.01, 0.001]
    assert variant.round(4).tolist() == [1, 0.0464, 0.0022, 0.0001]


# --- Edge values -------------------------------------------------------------------------------


@pytest.mark.parametrize("layout", LAYOUTS)
def test_position_0_is_all_zero_sines_and_one_cosines(layout):
    code = sinusoidal.encode(0, 8, layout=layout)
    want = [0, 1] * 4 if layout == "interleaved" else [0] * 4 + [1] * 4
    assert code.tolist() == want


@pytest.mark.parametrize("shape", [(), (1,), (5,), (2, 3), (2, 1, 3)])
def test_positions_of_any_shape(shape):
    p = np.arange(math.prod(shape)).reshape(shape)
    codes = sinusoidal.encode(p, 6)
    assert codes.shape == (*shape, 6)
    for index in np.ndindex(shape):
        np.testing.assert_array_equal(codes[index], sinusoidal.encode(p[index], 6))


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_only_the_result_is_cast(dtype):
    p = np.array([3, 1000, 100_000])
    exact = sinusoidal.encode(p, 8)
    cast = sinusoidal.encode(p, 8, dtype=dtype)
    assert cast.dtype == dtype
    np.testing.assert_array_equal(cast, exact.astype(dtype))


def test_defaults_encode_in_float64_and_tables_in_float32():
    assert sinusoidal.encode(1, 4).dtype == np.float64
    assert sinusoidal.table(1, 4).dtype == np.float32
    np.testing.assert_array_equal(
        sinusoidal.encode(1, 4), sinusoidal.encode(1, 4, layout="interleaved", base=10_000)
    )


def test_float16_positions_are_exact_where_they_are_integers():
    p = np.array([0, 7, 2048], np.float16)
    np.testing.assert_array_equal(sinusoidal.encode(p, 8), sinusoidal.encode([0, 7, 2048], 8))


def test_inputs_may_be_read_only_and_strided_and_are_never_changed():
    p = np.arange(12.0).reshape(3, 4)[:, ::-2]
    p.flags.writeable = False
    before = p.copy()
    np.testing.assert_array_equal(sinusoidal.encode(p, 4), sinusoidal.encode(before, 4))
    np.testing.assert_array_equal(p, before)


def test_one_pair_has_the_shortest_timescale_alone():
    assert sinusoidal.timescale_frequencies(2, min_timescale=4).tolist() == [0.25]


def test_timescales_far_apart_neither_overflow_nor_vanish():
    got = sinusoidal.timescale_frequencies(6, min_timescale=1e-99, max_timescale=1e300)
    np.testing.assert_allclose(got, [1e99, 10**-100.5, 1e-300], rtol=1e-12)


# --- Errors ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        (np.nan, ValueError, "positions must be finite, got nan"),
        ([0, np.inf], ValueError, "positions must be finite, got inf"),
        ([], ValueError, "positions must not be empty"),
        (2**62, ValueError, r"positions must lie within \+-2\*\*28"),
        (-(2**28) - 1, ValueError, r"positions must lie within \+-2\*\*28"),
        ("1", TypeError, "positions must be numbers"),
        (None, TypeError, "positions must be numbers"),
        ([True], TypeError, "positions must be numbers"),
        (1j, TypeError, "positions must be numbers"),
        ([[1], [1, 2]], TypeError, "positions must be an array of numbers"),
    ],
)
def test_wrong_positions_are_named(value, error, message):
    with pytest.raises(error, match=message):
        sinusoidal.encode(value, 4)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"dim": 5}, ValueError, "dim must be even, got 5"),
        ({"dim": 0}, ValueError, "dim must be at least 2, got 0"),
        ({"dim": -4}, ValueError, "dim must be at least 2, got -4"),
        ({"dim": 4.0}, TypeError, "dim must be an integer, got 4.0"),
        ({"base": 1}, ValueError, "base must be greater than 1, got 1"),
        ({"layout": "split"}, ValueError, "layout must be one of 'interleaved', 'half'"),
        ({"layout": None}, ValueError, "layout must be one of"),
        ({"dtype": int}, TypeError, "dtype must be float16, float32 or float64"),
    ],
)
def test_wrong_options_are_named_by_encode_and_table(options, error, message):
    options = {"dim": 4} | options
    for call in (lambda **o: sinusoidal.encode([1], **o), lambda **o: sinusoidal.table(1, **o)):
        with pytest.raises(error, match=message):
            call(**options)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"length": 0}, ValueError, "length must be at least 1, got 0"),
        ({"length": -1}, ValueError, "length must be at least 1, got -1"),
        ({"length": 2.0}, TypeError, "length must be an integer, got 2.0"),
        ({"length": 2**62}, ValueError, r"length must be less than 2\*\*31"),
        ({"length": 2**29}, ValueError, r"start \+ length must be at most 2\*\*28 \+ 1"),
        ({"start": 0.5}, TypeError, "start must be an integer, got 0.5"),
        ({"start": 2**28}, ValueError, r"start \+ length must be at most 2\*\*28 \+ 1"),
        ({"start": -(2**28) - 1}, ValueError, "start must be at least -268435456"),
        ({"start": 2**62}, ValueError, r"start must be less than 2\*\*31"),
    ],
)
def test_a_wrong_range_of_positions_is_named(options, error, message):
    with pytest.raises(error, match=message):
        sinusoidal.table(**({"length": 2, "dim": 4} | options))


@pytest.mark.parametrize(
    ("offset", "error", "message"),
    [
        ([1], TypeError, r"offset must be one number, got an array of shape \(1,\)"),
        (np.nan, ValueError, "offset must be finite, got nan"),
        (2**62, ValueError, r"offset must lie within \+-2\*\*28"),
        ("1", TypeError, "offset must be numbers"),
    ],
)
def test_a_wrong_offset_is_named(offset, error, message):
    with pytest.raises(error, match=message):
        sinusoidal.shift_matrix(offset, 4)


@pytest.mark.parametrize("name", ["min_timescale", "max_timescale"])
@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        (0, ValueError, "must be greater than 1e-100, got 0"),
        (-1, ValueError, "must be greater than 1e-100, got -1"),
        (1e-320, ValueError, "must be greater than 1e-100"),
        (np.inf, ValueError, "must be finite, got inf"),
        (None, TypeError, "must be numbers"),
    ],
)
def test_a_wrong_timescale_is_named(name, value, error, message):
    with pytest.raises(error, match=f"{name} {message}"):
        sinusoidal.timescale_frequencies(8, **{name: value})
