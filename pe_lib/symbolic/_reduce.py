"""Rewritings that keep an expression's value, tried one after the other until zero is left."""

import sympy as sp

_WAVES = (sp.sin, sp.cos, sp.tan, sp.cot, sp.sec, sp.csc, sp.sinh, sp.cosh, sp.tanh)
_SIMPLIFY_AT_MOST = 400  # operations: beyond, sp.simplify may take minutes


def _euler(expr):
    """Sines and cosines as exponentials; expand then merges equal powers of e."""
    return sp.expand(sp.expand(expr).rewrite(_WAVES, sp.exp))


def _numerator(expr):
    """What must vanish where the denominator does not, so wherever ``expr`` has a value."""
    return sp.expand(sp.fraction(sp.together(expr))[0])


def _euler_numerator(expr):
    return _numerator(_euler(expr))


def _written_out(expr):
    return _euler_numerator(expr.doit())


def _parts(expr):
    return sp.expand(expr, complex=True)


def _simplify(expr):
    return sp.simplify(expr) if sp.count_ops(expr) <= _SIMPLIFY_AT_MOST else expr


#: Words for the reader -> the rewriting.
STEPS = {
    "comparing terms": lambda expr: expr,
    "multiplying out": sp.expand,
    "a common denominator and multiplying out": _numerator,
    "Euler's formula and multiplying out": _euler,
    "Euler's formula, a common denominator and multiplying out": _euler_numerator,
    "writing sums out": _written_out,
    "real and imaginary parts": _parts,
    "SymPy's simplify": _simplify,
}


def reduce_to_zero(difference):
    """Return the words for the step that leaves exactly zero, or None; and what was left.

    The remainder is the shortest form that was met.
    """
    shortest = difference
    for words, step in STEPS.items():
        rest = step(difference)
        if _is_zero(rest):
            return words, sp.Integer(0)
        shortest = min(shortest, rest, key=sp.count_ops)
    return None, shortest


def _is_zero(expr):
    """Exactly zero, in every branch; never by SymPy's numerical guess ``equals``."""
    if not expr.has(sp.Piecewise):
        return expr is sp.S.Zero
    folded = sp.piecewise_fold(expr)
    if not isinstance(folded, sp.Piecewise):
        return folded is sp.S.Zero
    return all(_branch(value, condition) is sp.S.Zero for value, condition in folded.args)


def _branch(value, condition):
    """The value of a branch; under the condition a = b, with b in the place of a."""
    if isinstance(condition, sp.Eq):
        value = value.subs(condition.lhs, condition.rhs)
    return _euler_numerator(value)
