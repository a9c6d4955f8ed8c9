"""``prove``: what is true and in reach it proves; what is false it never does."""

import random
import subprocess
import sys
import time
from pathlib import Path

import mpmath
import numpy as np
import pytest
import sympy as sp
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sympy import I, Rational, Sum, cos, exp, pi, sin, sqrt

from pe_lib import symbolic
from pe_lib.symbolic import (
    NotProved,
    Proof,
    Refuted,
    attention,
    encode,
    proof,
    prove,
    rotation,
    softmax,
)
from pe_lib.symbolic import rope_matrix as rope
from pe_lib.symbolic import shift_matrix as shift

a, b, c, k, m, n, p = sp.symbols("a b c k m n p", real=True)
s, t = sp.symbols("s t", positive=True)
w, z = sp.symbols("w z")
i, j = sp.symbols("i j", integer=True)
T = sp.Symbol("T", integer=True, positive=True)
omega = symbolic.frequencies(4)[0]
P = symbolic.permutation_matrix([2, 0, 1])
S = symbolic.matrix("s", 3, 3)
X = symbolic.matrix("x", 3, 2)
W_Q, W_K, W_V = (symbolic.matrix(f"w_{name}", 2, 2) for name in "qkv")
Q, K = symbolic.matrix("q", 4, 1), symbolic.matrix("k", 4, 1)


def layer(x):
    return attention(x * W_Q, x * W_K, x * W_V)


def both_layouts(make):
    return {f"{make.__name__}, {layout}": make(layout) for layout in ("interleaved", "half")}


def shifted(layout):
    return encode(p + k, 4, layout=layout), shift(k, 4, layout=layout) * encode(p, 4, layout=layout)


def relative(layout):
    turned = rope(m, 4, layout=layout).T * rope(n, 4, layout=layout)
    return turned, rope(n - m, 4, layout=layout)


def orthogonal(layout):
    return shift(k, 4, layout=layout).T * shift(k, 4, layout=layout), sp.eye(4)


TRUE = {
    "sum-angle": (sin(a + b), sin(a) * cos(b) + cos(a) * sin(b)),
    "product of rotations": (rotation(a) * rotation(b), rotation(a + b)),
    "Euler": (exp(I * a), cos(a) + I * sin(a)),
    "derivative": (sp.diff(sin(a + b), a), cos(a) * cos(b) - sin(a) * sin(b)),
    "derivative of a rotation": (
        sp.diff(rotation(omega * p), p),
        omega * sp.Matrix([[0, -1], [1, 0]]) * rotation(omega * p),
    ),
    "tangent": (sp.tan(a + b), (sp.tan(a) + sp.tan(b)) / (1 - sp.tan(a) * sp.tan(b))),
    "half angle": (cos(z) ** 2, (1 + cos(2 * z)) / 2),
    **both_layouts(shifted),
    **both_layouts(relative),
    **both_layouts(orthogonal),
    "shift by zero": (shift(0, 6, layout="half"), sp.eye(6)),
    "identity as an expression": (shift(0, 4, layout="half"), sp.Identity(4)),
    "one-parameter group": (
        (sp.Matrix([[0, omega], [-omega, 0]]) * k).exp(),
        shift(k, 2, layout="half"),
    ),
    "eigenvalue": ((rotation(a) - exp(I * a) * sp.eye(2)).det(), 0),
    "determinant": (rope(m, 4, layout="half").det(), 1),
    "norm": ((rope(m, 4, layout="half") * Q).dot(rope(m, 4, layout="half") * Q), Q.dot(Q)),
    "rotated score": (
        (rope(m, 4, layout="half") * Q).T * rope(n, 4, layout="half") * K,
        Q.T * rope(n - m, 4, layout="half") * K,
    ),
    "dot product of codes": (
        encode(m, 4, layout="half").dot(encode(n, 4, layout="half")),
        sum(cos(w * (m - n)) for w in symbolic.frequencies(4)),
    ),
    "softmax of permuted scores": (softmax(P * S * P.T), P * softmax(S) * P.T),
    "softmax of shifted scores": (softmax(S + a * sp.ones(3, 3)), softmax(S)),
    "softmax sums to one": (softmax(S) * sp.ones(3, 1), sp.ones(3, 1)),
    "equivariance": (layer(P * X), P * layer(X)),
    "geometric sum, written out": (sum(z**n for n in range(6)), (1 - z**6) / (1 - z)),
    "geometric sum": ((1 - z) * Sum(z**j, (j, 0, T - 1)), 1 - z**T),
    "triangular numbers, any sign": (Sum(j, (j, 1, i)), i * (i + 1) / 2),
    "double sum": (Sum(i * j, (i, 1, j), (j, 1, 3)), 25),
    "Dirichlet kernel": (
        sum(cos(n * a) for n in range(5)),
        sin(5 * a / 2) / sin(a / 2) * cos(2 * a),
    ),
    "integers only": (sin(pi * i) + cos(2 * pi * j), 1),
    "positive only": (sp.log(s * t), sp.log(s) + sp.log(t)),
    "power of a product, positive": ((s * t) ** z, s**z * t**z),
    "even only": ((-1) ** sp.Symbol("e", even=True), 1),
    "modulus": (sp.Abs(z) ** 2, z * sp.conjugate(z)),
    "hyperbolic": (sp.tanh(a), (exp(2 * a) - 1) / (exp(2 * a) + 1)),
    "removable pole": ((z**2 - 1) / (z - 1), z + 1),
    "by cases": (sp.Piecewise((a**2, a > 0), ((-a) ** 2, True)), a**2),
    "numbers": (cos(pi / 12), (sqrt(6) + sqrt(2)) / 4),
    "plain integers": (4, 4),
}  # fmt: skip


@pytest.mark.parametrize("name", TRUE)
def test_a_true_identity_is_proved_quickly(name):
    start = time.process_time()
    found = prove(*TRUE[name])
    assert time.process_time() - start < 4
    assert isinstance(found, Proof)
    assert found.method in proof.STEPS


@pytest.mark.parametrize("name", TRUE)
def test_a_true_identity_is_not_refuted_even_at_every_point(name):
    lhs, rhs = proof.exact_sides(*TRUE[name])
    symbols = sorted(lhs.free_symbols | rhs.free_symbols, key=str)
    counterexample, agreeing, tried = proof.search(proof._pairs(lhs, rhs), symbols)
    assert counterexample is None
    assert agreeing >= tried / 2


def with_wrong(matrix, row, col, change):
    matrix = matrix.as_mutable()
    matrix[row, col] += change
    return matrix


FALSE = {
    "wrong sign": (sin(a + b), sin(a) * cos(b) - cos(a) * sin(b)),
    "sine for cosine": (sin(a + b), sin(a) * sin(b) + cos(a) * cos(b)),
    "half of the product": (rotation(a) * rotation(b), rotation(a + b / 2)),
    "turned the other way": (rotation(a) * rotation(b), rotation(a - b)),
    "transposed rotation": (rotation(a).T, rotation(a)),
    "swapped layout": (
        encode(p + k, 4, layout="half"),
        shift(k, 4, layout="interleaved") * encode(p, 4, layout="half"),
    ),
    "-k for k": (
        encode(p + k, 4, layout="half"),
        shift(-k, 4, layout="half") * encode(p, 4, layout="half"),
    ),
    "rotation for shift": (
        encode(p + k, 4, layout="half"),
        rope(k, 4, layout="half") * encode(p, 4, layout="half"),
    ),
    "query minus key": (
        rope(m, 4, layout="half").T * rope(n, 4, layout="half"),
        rope(m - n, 4, layout="half"),
    ),
    "missing minus in the derivative": (sp.diff(cos(a), a), sin(a)),
    "forgotten chain rule": (sp.diff(sin(omega * p), p), cos(omega * p)),
    "conjugate": (exp(-I * a), cos(a) + I * sin(a)),
    "permuted rows only": (softmax(P * S * P.T), P * softmax(S)),
    "inverse permutation": (layer(P * X), P.T * layer(X)),
    "invariance for equivariance": (layer(P * X), layer(X)),
    "softmax by columns": (softmax(S).T, softmax(S.T)),
    "unscaled attention": (layer(X), softmax(X * W_Q * W_K.T * X.T) * X * W_V),
    "off by one in a sum": (Sum(j, (j, 1, T - 1)), T * (T + 1) / 2),
    "off by one in a geometric sum": ((1 - z) * Sum(z**j, (j, 0, T)), 1 - z**T),
    "off by 1e-30": (sin(a) ** 2 + cos(a) ** 2, 1 + Rational(1, 10**30)),
    "off by a factor 1 + 1e-30": (exp(a + b), exp(a) * exp(b) * (1 + Rational(1, 10**30))),
    "one wrong entry": (rope(k, 4, layout="half"), with_wrong(rope(k, 4, layout="half"), 3, 1, k)),
    "one entry off by 1e-20": (sp.eye(3), with_wrong(sp.eye(3), 2, 2, Rational(1, 10**20))),
    "for integers only": (sin(pi * a), 0),
    "for even integers only": ((-1) ** i, 1),
    "for odd numbers only": (cos(pi * j), -1),
    "for positive numbers only": (sqrt(a**2), a),
    "logarithm, for positive numbers only": (sp.log(a * b), sp.log(a) + sp.log(b)),
    "power of a power": ((z**a) ** b, z ** (a * b)),
    "power of a product": ((z * w) ** a, z**a * w**a),
    "cube root of a negative number": (sp.cbrt(a**3), a),
    "product of roots": (sqrt(z - 1) * sqrt(z + 1), sqrt(z**2 - 1)),
    "root of the inverse, on the cut": (sqrt(1 / z), 1 / sqrt(z)),
    "for real numbers only": (sp.conjugate(z), z),
    "modulus of a complex number": (sp.Abs(z) ** 2, z**2),
    "except at zero": (sp.sign(a) ** 2, 1),
    "except at zero, as 0**0 is 1": (sp.Integer(0) ** sp.Symbol("r", nonnegative=True), 0),
    "mod 2 pi": (sp.log(exp(I * a)), I * a),
    "mod 2 pi, by atan2": (sp.atan2(sin(a), cos(a)), a),
    "arcsine": (sp.asin(sin(a)), a),
    "only near zero": (sp.Piecewise((a, sp.Abs(a) < 1000), (a + 1, True)), a),
    "only far from zero": (sp.Piecewise((a, sp.Abs(a) > Rational(1, 100)), (a + 1, True)), a),
    "for numbers above 6 only": (sp.Abs(a - 6) + 6, a),
    "slow drift": (cos(a / 10**12), 1),
    "small term at large numbers": (1 / (1 + exp(-a)), 1 - exp(-a)),
    "Ramanujan": (exp(pi * sqrt(163)), 262537412640768744),
    "22/7": (pi, Rational(22, 7)),
    "vanishes at every integer to 1000": (sp.prod([a - number for number in range(-9, 10)]), 0),
}  # fmt: skip


def entry_of(matrix_or_scalar, entry):
    return matrix_or_scalar if entry is None else matrix_or_scalar[entry]


@pytest.mark.parametrize("name", FALSE)
def test_a_false_identity_is_refuted_by_a_counterexample_that_is_one(name):
    lhs, rhs = FALSE[name]
    with pytest.raises(Refuted, match="not equal") as caught:
        prove(lhs, rhs)
    found = caught.value.counterexample
    for symbol, value in found.point.items():
        assert all(
            getattr(value, f"is_{key}") is holds for key, holds in symbol.assumptions0.items()
        )
    # SymPy's own evalf knows nothing of our evaluator.
    sides = [
        sp.sympify(entry_of(side, found.entry)).subs(found.point).doit() for side in (lhs, rhs)
    ]
    left, right = (sp.N(side, 60) for side in sides)
    assert abs(left - right) > 1e-45 * (abs(left) + abs(right))
    assert sp.N(found.difference, 10) == pytest.approx(sp.N(left - right, 10), rel=1e-9)
    assert complex(found.lhs) == pytest.approx(complex(left), rel=1e-12)
    assert complex(found.rhs) == pytest.approx(complex(right), rel=1e-12)


ONLY_EXACTLY_FALSE = {
    "off by 1e-70": (cos(a) + Rational(1, 10**70), cos(a)),
    "false at 7 alone": (sp.sign(a - 7) ** 2, 1),
    "false at 7 alone, by 0**0": (sp.Integer(0) ** sp.Abs(a - 7), 0),
    "false at 22/7 alone": (sp.Piecewise((1, sp.Eq(a, Rational(22, 7))), (a, True)), a),
    "false beyond a billion": (sp.Piecewise((a, sp.Abs(a) < 10**9), (0, True)), a),
    "cosine of almost nothing": (cos(Rational(1, 10**40)), 1),
}


@pytest.mark.parametrize("name", ONLY_EXACTLY_FALSE)
def test_what_no_point_refutes_is_not_proved_either(name):
    lhs, rhs = ONLY_EXACTLY_FALSE[name]
    with pytest.raises(NotProved, match="no counterexample found, but lhs - rhs leaves") as caught:
        prove(lhs, rhs)
    assert caught.value.remainder != 0


@pytest.mark.parametrize("name", {**FALSE, **ONLY_EXACTLY_FALSE})
def test_without_the_numeric_step_the_exact_step_refuses_alone(name, monkeypatch):
    monkeypatch.setattr(proof, "search", lambda pairs, symbols: (None, 1, 1))
    with pytest.raises(NotProved):
        prove(*{**FALSE, **ONLY_EXACTLY_FALSE}[name])


@pytest.mark.parametrize("name", FALSE)
def test_without_the_exact_step_the_numeric_step_refuses_alone(name, monkeypatch):
    monkeypatch.setattr(proof, "reduce_to_zero", lambda difference: ("by magic", sp.Integer(0)))
    with pytest.raises(Refuted):
        prove(*FALSE[name])


waves = st.sampled_from([sin(a), cos(a), sin(b), cos(b), exp(I * a), a, b, 1 / (2 + cos(a))])
fractions = st.fractions(-3, 3, max_denominator=8).map(Rational)
terms = st.lists(st.tuples(fractions, waves, waves), min_size=1, max_size=4)


@settings(deadline=None, max_examples=25)
@given(terms, terms, waves, fractions)
def test_products_equal_their_expansions_and_nothing_else(left, right, wave, change):
    assume(change != 0)
    left, right = (sum(number * x * y for number, x, y in side) for side in (left, right))
    assert isinstance(prove(left * right, sp.expand(left * right)), Proof)
    with pytest.raises((Refuted, NotProved)):
        prove(left * right, sp.expand(left * right) + change * wave / 10**6)


def test_a_proof_cannot_be_made_of_a_falsehood():
    assert Proof(sin(a) ** 2, 1 - cos(a) ** 2) == prove(sin(a) ** 2, 1 - cos(a) ** 2)
    with pytest.raises(Refuted):
        Proof(a, -a)
    with pytest.raises(TypeError):
        Proof(a, -a, "by magic")
    with pytest.raises(AttributeError):
        prove(a, a).rhs = b


# What is nowhere defined is no identity, and what is rewritten is not taken on trust.

ZERO = sin(z) ** 2 + cos(z) ** 2 - 1


@pytest.mark.parametrize(
    "side",
    [
        sp.Pow(0, -1, evaluate=False),
        1 / sp.Add(z, -z, evaluate=False),
        1 / ZERO,
        1 / sp.log(ZERO + 1),
        sp.log(sp.Pow(z, 0, evaluate=False) - 1),
    ],
)
def test_an_expression_without_values_is_not_even_equal_to_itself(side):
    with pytest.raises(NotProved, match="can be computed at only 0 of"):
        prove(side, side)


def test_zero_over_zero_is_nothing():
    with pytest.raises(NotProved, match="only 0 of 24 points"):
        prove(ZERO / sp.Add(1, -(sin(z) ** 2), -(cos(z) ** 2)), -1)
    with pytest.raises(NotProved, match="only 0 of 24 points"):
        prove(sp.log(ZERO + 1) / sp.log(1 / (ZERO + 1)), -1)


def test_a_rounding_error_has_no_sign():
    real_zero = sin(a) ** 2 + cos(a) ** 2 - 1
    with pytest.raises(Refuted, match=r"0\.0 on the left, 1\.0 on the right"):
        prove(sp.sign(real_zero), 1)
    assert isinstance(prove(sqrt(real_zero * I - 4), 2 * I), Proof)


@pytest.mark.parametrize("wrong", ["expand", "simplify", "together"])
def test_a_mistake_of_sympy_does_not_become_a_proof(wrong, monkeypatch):
    monkeypatch.setattr(sp, wrong, lambda expr, **hints: sp.Integer(0))
    with pytest.raises(Refuted):
        prove(sin(a), a)


def test_the_same_call_gives_the_same_answer_and_touches_nothing():
    random.seed(1)
    before, digits = random.getstate(), mpmath.mp.dps
    matrix = sp.Matrix([[a, 1]])
    messages = set()
    for _ in range(2):
        with pytest.raises(Refuted) as caught:
            prove(matrix, sp.Matrix([[a, sin(b + z)]]))
        messages.add(str(caught.value))
    assert len(messages) == 1
    assert (random.getstate(), mpmath.mp.dps, matrix) == (before, digits, sp.Matrix([[a, 1]]))


def test_the_answer_does_not_depend_on_the_hash_seed():
    program = (
        "import sympy as sp; from pe_lib.symbolic import *\n"
        "x, y, z = sp.symbols('x y z')\n"
        "print(prove(rotation(x) * rotation(y), rotation(x + y))._repr_latex_())\n"
        "try: prove(sp.Matrix([x * y, z]), sp.Matrix([x * y, y]))\n"
        "except Refuted as error: print(error)\n"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).parents[1])},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in "12"
    }  # fmt: skip
    assert len(outputs) == 1
    assert "not equal" in outputs.pop()


# Errors

f = sp.Function("f")
M = sp.MatrixSymbol("M", 2, 2)


@pytest.mark.parametrize(
    ("lhs", "rhs", "error", "message"),
    [
        (0.5, a, TypeError, "lhs must be an exact SymPy expression.* got float 0.5"),
        (a, 0.5 * a, TypeError, "rhs must be exact, got the float 0.5"),
        (a, a**0.5, TypeError, "rhs must be exact"),
        (sp.Matrix([[1.0]]), sp.eye(1), TypeError, "lhs must be exact"),
        (np.float64(1), 1, TypeError, "lhs must be an exact"),
        (np.eye(2), sp.eye(2), TypeError, "lhs must be an exact"),
        ([[1]], sp.eye(1), TypeError, "lhs must be an exact"),
        ("a", a, TypeError, "lhs must be an exact"),
        (None, None, TypeError, "lhs must be an exact"),
        (1j, I, TypeError, "lhs must be an exact"),
        (True, 1, TypeError, "lhs must be an exact"),
        (sp.true, sp.true, TypeError, "lhs must be an exact"),
        (sp.Eq(a, b), 1, TypeError, "lhs must be an exact"),
        (a > 0, a > 0, TypeError, "lhs must be an exact"),
        (sp.Tuple(a), sp.Tuple(a), TypeError, "lhs must be an exact"),
        (sp.Array([a]), sp.Array([a]), TypeError, "lhs must be an exact"),
        (M, M, TypeError, r"symbolic.matrix\(name, rows, cols\)"),
        (M[0, 0], M[0, 0], TypeError, r"symbolic.matrix\(name, rows, cols\)"),
        (M.as_explicit(), M.as_explicit(), TypeError, "MatrixElement is not known"),
        (M.T * M, sp.Identity(2), TypeError, "explicit entries"),
        (f(a), f(a), TypeError, r"f\(a\), and f is not known to prove"),
        (sp.Derivative(sin(a), a), cos(a), TypeError, "Derivative is not known to prove"),
        (sp.Integral(a, a), a**2 / 2, TypeError, "Integral is not known to prove"),
        (sp.zeta(a), sp.zeta(a), TypeError, "zeta is not known to prove"),
        (sp.Wild("a"), a, TypeError, "Wild is not known to prove"),
        (sp.eye(2), 1, TypeError, r"both be expressions or both be matrices.*\(2, 2\)"),
        (1, sp.eye(1), TypeError, "both be expressions or both be matrices"),
        (sp.eye(2), sp.eye(3), ValueError, r"same shape, got \(2, 2\) and \(3, 3\)"),
        (sp.ones(1, 2), sp.ones(2, 1), ValueError, "same shape"),
        (sp.zeros(0, 0), sp.zeros(0, 0), ValueError, r"lhs must not be empty, got shape \(0, 0\)"),
        (sp.zeros(0, 2), sp.zeros(0, 2), ValueError, "lhs must not be empty"),
        (sp.nan, sp.nan, ValueError, "lhs must be finite, got nan"),
        (sp.zoo, sp.zoo, ValueError, "lhs must be finite, got zoo"),
        (sp.oo, sp.oo, ValueError, "lhs must be finite, got oo"),
        (exp(a) - sp.oo, -sp.oo, ValueError, "lhs must be finite"),
        (sp.Matrix([[sp.nan]]), sp.eye(1), ValueError, "lhs must be finite"),
        (sp.Symbol("x"), sp.Symbol("x", real=True), ValueError, "two .* symbols are called x"),
        (sp.Dummy("x"), sp.Dummy("x"), ValueError, "two different symbols are called x"),
        (sp.Symbol("x", commutative=False), 1, ValueError, "noncommutative symbol x"),
        (Sum(z, (z, 0, a)), a, ValueError, "from one integer to another"),
        (Sum(j, (j, 1, sp.oo)), 1, ValueError, "from one integer to another"),
        (sp.Piecewise((a, a > 0)), a, ValueError, r"end with \(value, True\)"),
        (sp.Piecewise((a, sp.Contains(a, sp.S.Naturals)), (1, True)), a, TypeError, "condition"),
        (sp.Symbol("x", infinite=True), 1, ValueError, "no value found for x"),
    ],
)  # fmt: skip
def test_what_cannot_be_proved_or_refuted_honestly_is_refused(lhs, rhs, error, message):
    with pytest.raises(error, match=message):
        prove(lhs, rhs)
