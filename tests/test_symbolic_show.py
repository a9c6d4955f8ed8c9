"""What a proof, a counterexample and a remainder say, in text and in LaTeX."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import sympy as sp
from sympy import Rational, Sum, cos, pi, sin, sqrt

from pe_lib import symbolic
from pe_lib.symbolic import NotProved, Refuted, prove, rotation, softmax
from pe_lib.symbolic import rope_matrix as rope

a, b, c, m, n = sp.symbols("a b c m n", real=True)
w, z = sp.symbols("w z")
i, j = sp.symbols("i j", integer=True)
s = sp.Symbol("s", positive=True)
T = sp.Symbol("T", integer=True, positive=True)
S = symbolic.matrix("s", 3, 3)


def test_a_matrix_counterexample_names_the_entry_and_both_values():
    wrong = sp.Matrix([[1, 0, 0], [0, 1, a], [0, 0, 1]])
    with pytest.raises(
        Refuted, match=r"not equal: in entry \[1, 2\], at a = 4, 0.0 on the left, 4.0 on the right"
    ) as caught:
        prove(sp.eye(3), wrong)
    found = caught.value.counterexample
    assert (found.entry, found.point, found.difference) == ((1, 2), {a: 4}, sp.Float(-4, 20))


def test_an_invisible_difference_is_written_out():
    with pytest.raises(
        Refuted, match=r"1\.0 on the left, 1\.0 on the right, a difference of -1\.0e-30"
    ):
        prove(1, 1 + Rational(1, 10**30))


def test_the_remainder_is_what_is_left_to_show():
    with pytest.raises(NotProved, match=r"in entry \[0, 1\]") as caught:
        prove(sp.Matrix([[1, sp.sign(a - 7) ** 2]]), sp.Matrix([[1, 1]]))
    assert caught.value.remainder.subs(a, 7) != 0


def test_the_method_is_the_simplest_that_serves_every_entry():
    assert prove(a + b, b + a).method == "comparing terms"
    assert prove((a + b) ** 2, a**2 + 2 * a * b + b**2).method == "multiplying out"
    assert prove((z**2 - 1) / (z - 1), z + 1).method == ("a common denominator and multiplying out")
    assert (
        prove(sp.diag(a, sin(b) ** 2), sp.diag(a, 1 - cos(b) ** 2)).method
        == "Euler's formula and multiplying out"
    )
    assert prove(Sum(j, (j, 1, T)), T * (T + 1) / 2).method == "writing sums out"
    assert prove(sp.Abs(z) ** 2, z * sp.conjugate(z)).method == "real and imaginary parts"
    assert prove(a**b * a**c, a ** (b + c)).method == "SymPy's simplify"


def test_text_is_one_readable_line():
    assert repr(prove(sin(2 * a), 2 * sin(a) * cos(a))) == (
        "Proof: sin(2*a) = 2*sin(a)*cos(a), by Euler's formula and multiplying out"
    )
    assert repr(prove(rotation(0), sp.eye(2))) == (
        "Proof: two 2 x 2 matrices are equal, by comparing terms"
    )
    long = sum(symbolic.matrix("x", 9, 9))
    assert repr(prove(long, long)) == (
        "Proof: (an expression of 80 operations) = (an expression of 80 operations), "
        "by comparing terms"
    )


def test_latex_states_the_identity_its_range_and_the_way():
    assert prove(sin(2 * a), 2 * sin(a) * cos(a))._repr_latex_() == (
        r"$$\begin{gathered} \sin(2 a) = 2 \sin a \cos a \\[4pt] "
        r"{\small\text{for all real }a} \\[4pt] "
        r"{\small\text{proved by Euler's formula and multiplying out}} \end{gathered}$$"
    )


@pytest.mark.parametrize(
    ("lhs", "expected", "absent"),
    [
        (rotation(a), r"\left(\begin{matrix}\cos a & - \sin a\\\sin a & \cos a\end{matrix}", "two"),
        (rope(m, 8, layout="half"), "one 8 by 8 matrix, with the entries", "matrix}"),
        (softmax(symbolic.matrix("x", 5, 5)), "(18 more entries)", "matrix}"),
        (rope(m + n, 12, layout="half"), r"(11 more entries)", "matrix}"),
        (sin(a) * sp.Abs(b), r"\sin(a) \left|{b}\right|", r"\sin a"),
        (
            z + i * T,
            r"for all positive integer }T\text{, integer }i\text{ and complex }z}",
            "$a$",
        ),
        (sp.Integer(4), r"come out as}} \\[4pt] 4 \\[4pt] {\small\text{proved", "for all"),
        (sum(S), r"for all real symbols", "s_{00}, s_{01}"),
    ],
)
def test_latex_stays_readable(lhs, expected, absent):
    latex = prove(lhs, lhs)._repr_latex_()
    assert expected in latex
    assert absent not in latex
    assert len(latex) < 3000


def test_a_matrix_too_wide_for_the_page_is_an_equation_for_each_entry():
    def at(position):
        return rope(position, 4, layout="half")

    latex = prove(at(m) * at(n), at(m + n))._repr_latex_()
    assert "two 4 by 4 matrices, equal entry by entry:" in latex
    assert r"= \cos(\omega_{0} \left(m + n\right))" in latex
    assert "matrix}" not in latex
    assert "0 = 0" not in latex


def test_what_is_on_both_sides_is_written_once():
    latex = prove(sin(a + b), sin(b + a))._repr_latex_()
    assert latex.count(r"\sin(a + b)") == 1
    assert r"{\small\text{both sides come out as}}" in latex
    assert "come out as" not in prove(sin(2 * a), 2 * sin(a) * cos(a))._repr_latex_()


def test_rows_of_fractions_and_lines_of_matrices_do_not_touch():
    """In KaTeX a gap counts from a row of plain text, so a deep row must ask for more."""
    lhs, rhs = sp.Matrix([a / w + 1, b / w + 1]), sp.Matrix([(a + w) / w, (b + w) / w])
    latex = prove(lhs, rhs)._repr_latex_()
    assert latex.count(r"\\[10pt]") == 2  # one between the rows of each matrix
    assert r"\end{matrix}\right)\rule[-2.6em]{0em}{1em} \\[4pt] {\small" in latex
    latex = prove(a / w + 1, (a + w) / w)._repr_latex_()
    assert r"\rule[-1.4em]{0em}{1em} \\[4pt] {\small" in latex
    two_lines = prove(rotation(a).T * rotation(b), rotation(b - a))._repr_latex_()
    assert "10pt" not in two_lines
    assert two_lines.count(r"\end{matrix}\right)\rule[-1.4em]{0em}{1em} \\[4pt]") == 2


def test_a_sum_in_brackets_keeps_its_brackets_and_the_function_loses_its_second_pair():
    latex = prove(sin(2 * (a + b)), sin(2 * (b + a)))._repr_latex_()
    assert r"\sin(2 a + 2 b)" in latex
    latex = prove(cos(w * (a + b)), cos(w * (b + a)))._repr_latex_()
    assert r"\cos(w \left(a + b\right))" in latex


@pytest.mark.parametrize(
    ("assumptions", "words"),
    [
        ({}, "complex }x"),
        ({"complex": True}, "complex }x"),
        ({"real": True}, "real }x"),
        ({"nonzero": True}, "nonzero real }x"),
        ({"nonnegative": True, "integer": True}, "nonnegative integer }x"),
        ({"even": True}, "even }x"),
        ({"prime": True}, "positive prime }x"),
        ({"composite": True}, r"positive integer }x\text{ under further assumptions}"),
        ({"zero": False}, r"complex }x\text{ under further assumptions}"),
        ({"irrational": True}, r"nonzero real }x\text{ under further assumptions}"),
    ],
)
def test_latex_never_claims_more_values_than_were_assumed(assumptions, words):
    x = sp.Symbol("x", **assumptions)
    assert rf"{{\small\text{{for all {words}}}" in prove(2 * x, x + x)._repr_latex_()


def test_katex_renders_every_proof():
    node = shutil.which("node", path=str(Path(sys.executable).parent)) or shutil.which("node")
    katex = Path(__file__).parents[1] / "site" / "node_modules" / "katex" / "dist" / "katex.js"
    assert node, "Node comes with the extra `book`"
    assert katex.exists(), "`make book` fetches KaTeX"
    everything = [
        rotation(a), rotation(a) * rotation(b), rope(m - n, 6, layout="half"), sp.Integer(0),
        softmax(symbolic.matrix("s", 3, 3)), symbolic.matrix("x", 11, 2) * sp.Matrix([a, pi]),
        sp.Piecewise((a, a > 0), (b, sp.And(a < 0, b < 1)), (c, True)), Sum(z**j, (j, 0, T)),
        sp.arg(z) + sp.re(z) * sp.im(w) + sp.Abs(z) + sp.conjugate(w) + sp.sign(z), sp.atan2(a, b),
        sp.asin(z) + sp.acos(z) + sp.atan(z) + sp.sinh(z) + sp.cosh(z) + sp.tanh(z) + sp.sinc(z),
        sp.tan(z) + sp.cot(z) + sp.sec(z) + sp.csc(z), sqrt(z) + z ** Rational(1, 3) + pi + sp.E,
    ]  # fmt: skip
    proofs = [prove(side, side) for side in everything]
    program = """
        const katex = require(process.argv[1]);
        for (const tex of JSON.parse(require("fs").readFileSync(0)))
            katex.renderToString(tex.slice(2, -2), {displayMode: true, strict: "error"});
    """
    subprocess.run(
        [node, "-e", program, str(katex)],
        input=json.dumps([found._repr_latex_() for found in proofs]), text=True, check=True,
    )  # fmt: skip
