"""pe_lib.hierarchical against its definition (Su 2020)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pe_lib import hierarchical

seeds = st.integers(0, 2**32 - 1)
rows = st.integers(1, 12)
alphas = st.floats(0.01, 0.99).filter(lambda a: abs(a - 0.5) > 1e-3)


def random_table(seed, n, dim=3):
    return np.random.default_rng(seed).normal(size=(n, dim))


# --- Oracle: Su's formula with his indices from 1 -----------------------------------------------


def _oracle(p, n, alpha):
    """Codes q_1, ..., q_(n n) as a dictionary, from the rows p_1, ..., p_n."""
    u = {i: [(x - alpha * y) / (1 - alpha) for x, y in zip(p[i], p[1], strict=True)] for i in p}
    return {
        (i - 1) * n + j: [alpha * x + (1 - alpha) * y for x, y in zip(u[i], u[j], strict=True)]
        for i in range(1, n + 1)
        for j in range(1, n + 1)
    }


@pytest.mark.parametrize("alpha", [0.4, 0.1, 0.9])
def test_oracle_the_published_formula(alpha):
    n, table = 5, random_table(0, 5)
    codes = _oracle({i + 1: table[i].tolist() for i in range(n)}, n, alpha)
    got = hierarchical.encode(np.arange(n * n), table, alpha=alpha)
    want = [codes[t + 1] for t in range(n * n)]
    np.testing.assert_allclose(got, want, rtol=0, atol=1e-13)


def test_the_published_weight_is_the_default():
    table = random_table(0, 4)
    np.testing.assert_array_equal(
        hierarchical.encode(np.arange(16), table),
        hierarchical.encode(np.arange(16), table, alpha=0.4),
    )


# --- Properties --------------------------------------------------------------------------------


@given(seeds, rows, alphas)
def test_the_first_n_codes_are_the_table_itself(seed, n, alpha):
    table = random_table(seed, n)
    np.testing.assert_array_equal(hierarchical.encode(np.arange(n), table, alpha=alpha), table)


@given(seeds, st.integers(2, 12), alphas)
def test_a_code_is_a_part_of_the_high_digit_and_a_part_of_the_low_one(seed, n, alpha):
    codes = hierarchical.encode(np.arange(n * n), random_table(seed, n), alpha=alpha)
    grid = codes.reshape(n, n, -1)
    np.testing.assert_allclose(
        grid, grid[:, :1] + grid[:1] - grid[0, 0], rtol=0, atol=1e-11 / (1 - alpha)
    )


@given(seeds, st.integers(2, 8), alphas)
def test_no_two_positions_share_a_code(seed, n, alpha):
    codes = hierarchical.encode(np.arange(n * n), random_table(seed, n), alpha=alpha)
    distances = np.abs(codes[:, None] - codes).max(axis=-1)
    assert (distances + np.eye(n * n) > 1e-9).all()


@given(seeds, rows, st.integers(0, 2**32 - 1))
def test_positions_of_any_shape_are_looked_up_one_by_one(seed, n, choice):
    table = random_table(seed, n)
    positions = np.random.default_rng(choice).integers(0, n * n, (2, 3))
    codes = hierarchical.encode(np.arange(n * n), table)
    np.testing.assert_array_equal(hierarchical.encode(positions, table), codes[positions])


# --- Golden numbers ----------------------------------------------------------------------------


def test_golden_the_digits_of_a_line():
    """On a table that counts, alpha = 0.4: the low digit counts 1, the high digit 2/3."""
    table = np.arange(512.0)[:, None]
    positions = [0, 511, 512, 513, 1023, 512**2 - 1]
    got = hierarchical.encode(positions, table)[:, 0]
    want = [0, 511, 2 / 3, 5 / 3, 511 + 2 / 3, 511 * 5 / 3]
    np.testing.assert_allclose(got, want, rtol=1e-15)


# --- Edge values -------------------------------------------------------------------------------


def test_one_row_reaches_one_position():
    assert hierarchical.encode(0, [[3.0]]).tolist() == [3.0]
    with pytest.raises(ValueError, match="positions must be at most 0, got 1"):
        hierarchical.encode(1, [[3.0]])


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_the_kind_of_float_is_kept_and_only_the_result_is_cast(dtype):
    table = random_table(0, 6).astype(dtype)
    got = hierarchical.encode(np.arange(36), table)
    assert got.dtype == dtype
    exact = hierarchical.encode(np.arange(36), table.astype(np.float64))
    np.testing.assert_array_equal(got, exact.astype(dtype))


def test_inputs_may_be_read_only_and_strided_and_are_never_changed():
    table = np.arange(24.0).reshape(6, 4).T[:, ::2]
    positions = np.arange(16)[::5]
    copies = table.copy(), positions.copy()
    table.flags.writeable = positions.flags.writeable = False
    got = hierarchical.encode(positions, table)
    np.testing.assert_array_equal(got, hierarchical.encode(copies[1], copies[0]))
    assert got.flags.writeable
    np.testing.assert_array_equal(table, copies[0])
    np.testing.assert_array_equal(positions, copies[1])


# --- Errors ------------------------------------------------------------------------------------

GOOD = {"positions": [0, 8], "table": np.ones((3, 2)), "alpha": 0.4}


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"positions": 9}, ValueError, "positions must be at most 8, got 9"),
        ({"positions": 2**62}, ValueError, "positions must be at most 8"),
        ({"positions": -1}, ValueError, "positions must be at least 0, got -1"),
        ({"positions": 1.0}, TypeError, "positions must be integers"),
        ({"positions": []}, ValueError, "positions must not be empty"),
        ({"positions": [np.nan]}, TypeError, "positions must be integers"),
        ({"positions": None}, TypeError, "positions must be numbers"),
        ({"positions": [False]}, TypeError, "positions must be numbers"),
        ({"table": np.ones(3)}, ValueError, r"table must have shape \(\*, \*\), got \(3,\)"),
        ({"table": np.ones((3, 0))}, ValueError, "table must not be empty"),
        ({"table": np.full((3, 2), np.inf)}, ValueError, "table must be finite, got inf"),
        ({"table": "table"}, TypeError, "table must be numbers"),
        ({"table": np.ones((3, 2), complex)}, TypeError, "table must be numbers"),
        ({"alpha": 0}, ValueError, "alpha must lie between 0 and 1 and not be 0.5, got 0.0"),
        ({"alpha": 1}, ValueError, "alpha must lie between 0 and 1"),
        ({"alpha": 0.5}, ValueError, "alpha must lie between 0 and 1 and not be 0.5, got 0.5"),
        ({"alpha": -0.4}, ValueError, "alpha must lie between 0 and 1"),
        ({"alpha": np.nan}, ValueError, "alpha must be finite, got nan"),
        ({"alpha": [0.4]}, TypeError, "alpha must be one number"),
        ({"alpha": None}, TypeError, "alpha must be numbers"),
        ({"alpha": True}, TypeError, "alpha must be numbers"),
        (
            {"table": np.array([[-6e4], [6e4], [6e4]], np.float16)},
            ValueError,
            "table must be small enough not to overflow float16",
        ),
        (
            {"table": np.array([[-1e308], [1e308], [1e308]])},
            ValueError,
            "table must be small enough not to overflow float64",
        ),
    ],
)
def test_what_is_wrong_is_named(change, error, message):
    options = GOOD | change
    with pytest.raises(error, match=message):
        hierarchical.encode(options["positions"], options["table"], alpha=options["alpha"])


def test_a_table_for_more_positions_than_can_be_told_apart_ends_at_2_28():
    with pytest.raises(ValueError, match="positions must be at most 268435456"):
        hierarchical.encode(2**28 + 1, np.ones((2**14 + 1, 1)))
