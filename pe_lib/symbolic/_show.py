"""How a proof looks: one line of text, or LaTeX that KaTeX can render."""

import re

import sympy as sp

_WIDEST = 60  # characters on one line of a page, roughly
_LONGEST = 1500  # characters of a formula that anyone will read


def text(lhs, rhs, method):
    """One line; a long formula is described instead of written."""
    formula = f"{_described(lhs)} = {_described(rhs)}"
    return f"Proof: {formula}, by {method}"


def latex(lhs, rhs, method):
    """Display LaTeX: lhs = rhs, broken before = where it is wide, and the method below."""
    left, right = _formula(lhs), _formula(rhs)
    if _width(left) + _width(right) > _WIDEST:
        formula = rf"\begin{{aligned}} & {left} \\[4pt] & \quad = {right} \end{{aligned}}"
    else:
        formula = f"{left} = {right}"
    return (
        rf"$$\begin{{gathered}} {formula} \\[4pt] "
        rf"\text{{\small proved by {method}}} \end{{gathered}}$$"
    )


def _described(side):
    written = str(side)
    if isinstance(side, sp.MatrixBase):
        rows, cols = side.shape
        return f"({rows} x {cols} matrix)"
    return written if len(written) <= _WIDEST else f"({sp.count_ops(side)} operations)"


def _formula(side):
    written = sp.latex(side, mat_str="matrix", mat_delim="(")
    return written if len(written) <= _LONGEST else rf"\text{{{_described(side)}}}"


def _width(formula):
    """Roughly the printed characters of the widest row."""
    rows = re.split(r"\\\\", re.sub(r"\\(left|right|begin|end)\b(\{\w+\})?", "", formula))
    return max(len(re.sub(r"\\[a-zA-Z]+|[{}_^&\s]", "x", row).replace("xx", "x")) for row in rows)
