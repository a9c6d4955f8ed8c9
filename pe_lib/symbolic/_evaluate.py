"""The value of a SymPy expression at a point, in mpmath numbers.

A table of what is understood, instead of a general evaluator: whatever is not in it is refused
by :mod:`pe_lib.symbolic._accept`, so nothing is ever tested by a rule that was guessed.
"""

import operator
from functools import reduce

import sympy as sp

CONSTANTS = {sp.pi: "pi", sp.E: "e", sp.I: "j"}

#: SymPy function -> the mpmath function with the same principal branch.
FUNCTIONS = {
    sp.exp: "exp",
    sp.log: "log",
    sp.sin: "sin",
    sp.cos: "cos",
    sp.tan: "tan",
    sp.cot: "cot",
    sp.sec: "sec",
    sp.csc: "csc",
    sp.sinc: "sinc",
    sp.asin: "asin",
    sp.acos: "acos",
    sp.atan: "atan",
    sp.atan2: "atan2",
    sp.sinh: "sinh",
    sp.cosh: "cosh",
    sp.tanh: "tanh",
    sp.Abs: "fabs",
    sp.sign: "sign",
    sp.re: "re",
    sp.im: "im",
    sp.arg: "arg",
    sp.conjugate: "conj",
}

RELATIONS = {
    sp.Eq: operator.eq,
    sp.Ne: operator.ne,
    sp.Lt: operator.lt,
    sp.Le: operator.le,
    sp.Gt: operator.gt,
    sp.Ge: operator.ge,
}

CONNECTIVES = {sp.And: all, sp.Or: any, sp.Not: lambda values: not next(iter(values))}

_LARGEST = 150  # binary digits of the largest argument: beyond, no digit of sin is right
_LONGEST_SUM = 300  # terms


class UndefinedError(Exception):
    """The expression has no value at the point, or none that can be computed."""


def evaluate(expr, point, ctx, known):
    """Value of ``expr`` where each symbol has the value in ``point``.

    ``ctx`` is the mpmath context whose precision is used; ``known`` is a dictionary, empty at
    first, that remembers the values of subexpressions at this point.
    """
    if expr in point:
        return point[expr]
    if expr not in known:
        try:
            known[expr] = _finite(_compute(expr, point, ctx, known), ctx)
        except (ArithmeticError, ValueError, TypeError) as error:
            raise UndefinedError(f"{expr} at {point}") from error
    return known[expr]


def _compute(expr, point, ctx, known):
    if isinstance(expr, sp.Rational):
        return ctx.mpf(expr.p) / expr.q
    if expr in CONSTANTS:
        return +getattr(ctx, CONSTANTS[expr])
    if expr.func is sp.Sum:
        return _sum(expr.function, list(expr.limits), point, ctx)
    if expr.func is sp.Piecewise:
        return _piecewise(expr, point, ctx, known)
    values = [evaluate(arg, point, ctx, known) for arg in expr.args]
    if expr.func is sp.Add:
        return _add(values, ctx)
    if expr.func is sp.Mul:
        return reduce(operator.mul, values)
    if expr.func is sp.Pow:
        return _power(*values, ctx)
    if any(ctx.mag(value) > _LARGEST for value in values):
        raise UndefinedError(f"{expr} has too large an argument")
    return getattr(ctx, FUNCTIONS[expr.func])(*values)


def _add(values, ctx):
    """The sum; a part of it in which all digits but the last ten cancel is taken for zero.

    Else the rounding error in sin(x)**2 + cos(x)**2 - 1 would have a sign, and an inverse.
    """
    total = reduce(operator.add, values)
    noise = ctx.mpf(10) ** (10 - ctx.dps)
    parts = [
        part(total) if abs(part(total)) > noise * max(abs(part(v)) for v in values) else ctx.zero
        for part in (ctx.re, ctx.im)
    ]
    return ctx.mpc(*parts) if parts[1] else parts[0]


def _power(base, exponent, ctx):
    if exponent == 0:
        return ctx.one  # 0**0 = 1, SymPy's convention
    if base == 0:
        if ctx.re(exponent) > 0 and ctx.im(exponent) == 0:
            return ctx.zero
        raise UndefinedError("0 to a power that is not positive")
    if ctx.mag(exponent) + ctx.mag(ctx.log(base)) > _LARGEST:
        raise UndefinedError("too large a power")
    return base**exponent


def _sum(term, limits, point, ctx):
    *inner, (index, lower, upper) = limits
    start, stop = (int(evaluate(limit, point, ctx, {})) for limit in (lower, upper))
    sign = 1
    if stop < start:  # a sum from a to b is minus the sum from b + 1 to a - 1 (Karr)
        start, stop, sign = stop + 1, start - 1, -1
    if stop - start > _LONGEST_SUM:
        raise UndefinedError("too long a sum")
    total = ctx.zero
    for number in range(start, stop + 1):
        here = {**point, index: ctx.mpf(number)}
        total += _sum(term, inner, here, ctx) if inner else evaluate(term, here, ctx, {})
    return sign * total


def _piecewise(expr, point, ctx, known):
    for value, condition in expr.args:
        if _holds(condition, point, ctx, known):
            return evaluate(value, point, ctx, known)
    raise UndefinedError("no condition holds")


def _holds(condition, point, ctx, known):
    if condition in (sp.true, sp.false):
        return bool(condition)
    if condition.func in CONNECTIVES:
        return CONNECTIVES[condition.func](
            _holds(part, point, ctx, known) for part in condition.args
        )
    left, right = (evaluate(side, point, ctx, known) for side in condition.args)
    if left != right and abs(left - right) < ctx.mpf(10) ** (10 - ctx.dps) * abs(left):
        raise UndefinedError("a comparison too close to call")
    return RELATIONS[condition.func](left, right)


def _finite(value, ctx):
    value = ctx.convert(value)
    if not ctx.isfinite(value):
        raise UndefinedError("not finite")
    return value
