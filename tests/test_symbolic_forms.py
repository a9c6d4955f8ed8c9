"""The SymPy forms against the numeric functions whose forms they are."""

import itertools

import numpy as np
import pytest
import sympy as sp

import pe_lib
from pe_lib import _checks, symbolic

LAYOUTS = _checks.LAYOUTS


def numbers(form, values=None):
    """The entries as floats, with a number in the place of every symbol."""
    return np.array(form.subs(values or {}).evalf(25).tolist(), dtype=float)


def with_frequencies(dim):
    return dict(zip(symbolic.frequencies(dim), map(sp.Float, pe_lib.frequencies(dim)), strict=True))


def close(got, want):
    np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-12)


# The numeric functions are the oracle.


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dim", [2, 6])
@pytest.mark.parametrize("position", [0, 5, -3, sp.Rational(7, 2)])
def test_encode_and_shift_matrix_are_the_forms_of_sinusoidal(layout, dim, position):
    p, values = sp.Symbol("p"), with_frequencies(dim)
    code = numbers(symbolic.encode(p, dim, layout=layout), {p: position, **values})
    close(code[:, 0], pe_lib.sinusoidal.encode(float(position), dim, layout=layout))
    shift = numbers(symbolic.shift_matrix(p, dim, layout=layout), {p: position, **values})
    close(shift, pe_lib.sinusoidal.shift_matrix(float(position), dim, layout=layout))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("position", [0, 5, -3])
def test_rope_matrix_turns_a_column_as_rotate_turns_a_row(layout, position):
    dim = 6
    x = np.random.default_rng(0).normal(size=(1, dim))
    turned = pe_lib.rope.rotate(x, position, pe_lib.frequencies(dim), layout=layout)
    matrix = numbers(symbolic.rope_matrix(position, dim, layout=layout), with_frequencies(dim))
    close(matrix @ x[0], turned[0])


def test_softmax_and_attention_are_the_forms_of_attention():
    rng = np.random.default_rng(0)
    names = {"q": (2, 3), "k": (4, 3), "v": (4, 2)}
    forms = {name: symbolic.matrix(name, *shape) for name, shape in names.items()}
    arrays = {name: rng.integers(-9, 10, shape) / 4 for name, shape in names.items()}
    values = {
        symbol: sp.Rational(value)
        for name in names
        for symbol, value in zip(forms[name].flat(), arrays[name].ravel().tolist(), strict=True)
    }
    close(
        numbers(symbolic.attention(**forms), values), pe_lib.attention.attention(*arrays.values())
    )
    close(numbers(symbolic.softmax(forms["v"]), values), pe_lib.attention.softmax(arrays["v"]))


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_permutation_matrix_reorders_rows_as_indexing_does(order):
    x = symbolic.matrix("x", 3, 2)
    assert symbolic.permutation_matrix(order) * x == x.extract(list(order), [0, 1])
    assert symbolic.permutation_matrix(np.array(order)) == symbolic.permutation_matrix(order)


# Edge values


def test_rotation_turns_the_first_axis_towards_the_second():
    assert symbolic.rotation(sp.pi / 2) * sp.Matrix([1, 0]) == sp.Matrix([0, 1])
    assert symbolic.rotation(0) == sp.eye(2)


def test_frequencies_are_positive_and_the_same_symbols_every_time():
    assert all(omega.is_positive for omega in symbolic.frequencies(8))
    assert symbolic.frequencies(8)[:2] == symbolic.frequencies(4)


def test_entries_of_a_matrix_are_real_and_never_share_a_name():
    assert all(symbol.is_real for symbol in symbolic.matrix("x", 2, 2).flat())
    assert len(set(symbolic.matrix("x", 12, 12).flat())) == 144


def test_forms_are_immutable():
    p = sp.Symbol("p")
    forms = [
        symbolic.rotation(p),
        symbolic.encode(p, 4, layout="half"),
        symbolic.shift_matrix(p, 4, layout="half"),
        symbolic.rope_matrix(p, 4, layout="half"),
        symbolic.permutation_matrix([1, 0]),
        symbolic.matrix("x", 2, 2),
        symbolic.softmax(sp.Matrix([[p, 1]])),
        symbolic.attention(sp.Matrix([p]), sp.Matrix([p]), sp.Matrix([p])),
    ]
    assert {type(form) for form in forms} == {sp.ImmutableMatrix}


# Errors


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: symbolic.rotation(0.5), TypeError, "angle must be an exact"),
        (lambda: symbolic.rotation(sp.Float(0.5)), TypeError, "angle must be exact"),
        (lambda: symbolic.rotation(sp.eye(2)), TypeError, "angle must be one expression"),
        (lambda: symbolic.rotation(sp.nan), ValueError, "angle must be finite"),
        (lambda: symbolic.frequencies(7), ValueError, "dim must be even, got 7"),
        (lambda: symbolic.frequencies(0), ValueError, "dim must be at least 2, got 0"),
        (lambda: symbolic.encode("p", 4, layout="half"), TypeError, "p must be an exact"),
        (lambda: symbolic.encode(1, 4, layout="halves"), ValueError, "layout must be one of"),
        (lambda: symbolic.encode(1, 4), TypeError, "layout"),
        (lambda: symbolic.shift_matrix(1, 3, layout="half"), ValueError, "dim must be even"),
        (lambda: symbolic.shift_matrix(1, 4, layout=None), ValueError, "layout must be one of"),
        (lambda: symbolic.rope_matrix(1, 2.0, layout="half"), TypeError, "dim must be an integer"),
        (lambda: symbolic.permutation_matrix([]), ValueError, "order must hold each"),
        (lambda: symbolic.permutation_matrix([0, 0]), ValueError, "order must hold each"),
        (lambda: symbolic.permutation_matrix([0, 2]), ValueError, "order must hold each"),
        (lambda: symbolic.permutation_matrix([0, -1]), ValueError, "order must be at least 0"),
        (lambda: symbolic.permutation_matrix([0.0, 1.0]), TypeError, "order must be an integer"),
        (lambda: symbolic.permutation_matrix(3), TypeError, "order must be a sequence"),
        (lambda: symbolic.softmax(sp.Symbol("x")), TypeError, "matrix must be a matrix"),
        (lambda: symbolic.softmax(np.eye(2)), TypeError, "matrix must be an exact"),
        (lambda: symbolic.softmax(sp.zeros(0, 2)), ValueError, "matrix must not be empty"),
        (lambda: symbolic.softmax(sp.Matrix([[1.5]])), TypeError, "matrix must be exact"),
        (
            lambda: symbolic.attention(sp.eye(2), sp.eye(3), sp.eye(3)),
            ValueError,
            "same number of channels",
        ),
        (
            lambda: symbolic.attention(sp.eye(2), sp.eye(2), sp.eye(3)),
            ValueError,
            "v must have one row per key, got 3 rows for 2 keys",
        ),
        (lambda: symbolic.matrix("", 1, 1), TypeError, "name must be"),
        (lambda: symbolic.matrix(1, 1, 1), TypeError, "name must be"),
        (lambda: symbolic.matrix("x", 0, 1), ValueError, "rows must be at least 1"),
        (lambda: symbolic.matrix("x", 1, True), TypeError, "cols must be an integer"),
    ],
)
def test_wrong_arguments_are_named(call, error, message):
    with pytest.raises(error, match=message):
        call()
