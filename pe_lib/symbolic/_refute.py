"""The search for a point where two expressions differ."""

from typing import NamedTuple

import mpmath
import sympy as sp

from pe_lib.symbolic._evaluate import UndefinedError, evaluate
from pe_lib.symbolic._points import draw_points


def _context(digits):
    ctx = mpmath.MPContext()  # of our own: the reader's mpmath.mp keeps its precision
    ctx.dps = digits
    return ctx


#: Two precisions. A true difference is the same in both; a rounding error is not.
_LOW, _HIGH = _BOTH = _context(50), _context(75)
_TINY = _HIGH.mpf(10) ** -40
_SAME = _HIGH.mpf(10) ** -10


class Counterexample(NamedTuple):
    """A point where the two sides of an alleged identity differ.

    Attributes
    ----------
    point : dict
        Symbol -> exact SymPy number.
    lhs, rhs : Float
        The value of either side there, to 20 digits.
    difference : Float
        ``lhs - rhs``, computed from 75 digits.
    entry : tuple of int or None
        Row and column where matrices differ.
    """

    point: dict
    lhs: sp.Expr
    rhs: sp.Expr
    difference: sp.Expr
    entry: tuple | None = None

    def __str__(self):
        parts = [f"in entry [{self.entry[0]}, {self.entry[1]}]"] if self.entry else []
        if self.point:
            parts.append(
                "at " + ", ".join(f"{name} = {value}" for name, value in self.point.items())
            )
        left, right = _short(self.lhs), _short(self.rhs)
        parts.append(f"{left} on the left, {right} on the right")
        if left == right:
            parts.append(f"a difference of {_short(self.difference)}")
        return ", ".join(parts)


def search(pairs, symbols):
    """Look for a counterexample among seeded random points.

    Parameters
    ----------
    pairs : dict
        Entry (row, column), or None for a scalar -> (lhs, rhs).
    symbols : list of Symbol

    Returns
    -------
    Counterexample or None
    int
        The number of points at which both sides have values, and equal ones.
    int
        The number of points tried.
    """
    points = draw_points(symbols)
    divisors = {entry: _divisors(sides) for entry, sides in pairs.items()}
    agreeing = 0
    for point in points:
        verdicts = set()
        known = {}, {}  # values of subexpressions at this point, in either precision
        for entry, sides in pairs.items():
            verdict, _ = _compare(sides, divisors[entry], point, known)
            if verdict == "differ" and (found := _confirm(entry, sides, point)):
                return found, agreeing, len(points)
            verdicts.add(verdict)
        agreeing += verdicts == {"agree"}
    return None, agreeing, len(points)


def _divisors(sides):
    """Everything that the two sides may divide by."""
    powers = set().union(*(side.atoms(sp.Pow) for side in sides))
    return [power.base for power in powers if not power.exp.is_nonnegative]


def _compare(sides, divisors, point, known):
    """The verdict "agree", "differ" or "unknown", and the values in 75 digits."""
    try:
        low, high = (_values(sides, point, *at) for at in zip(_BOTH, known, strict=True))
    except UndefinedError:
        return "unknown", None
    nonzero = (
        _settled(known[0][base], known[1][base], zero=False)
        for base in divisors
        if base in known[0] and base in known[1]  # else in a branch or sum not taken here
    )
    if not all(nonzero) or not all(map(_settled, low, high)):
        return "unknown", high
    before, difference = low[0] - low[1], high[0] - high[1]
    if _settled(before, difference, zero=False):
        return "differ", high
    size = max(abs(value) for value in high)
    equal = abs(difference) <= _TINY * size or _settled(before, difference)
    return ("agree" if equal else "unknown"), high


def _values(sides, point, ctx, known):
    here = {symbol: evaluate(value, {}, ctx, known) for symbol, value in point.items()}
    return [evaluate(side, here, ctx, known) for side in sides]


def _settled(low, high, zero=True):
    """Whether more digits leave the value as it is or, if it may be zero, show that it is."""
    low, high = _HIGH.convert(low), _HIGH.convert(high)
    if high != 0 and abs(low - high) <= _SAME * abs(high):
        return True
    return zero and (abs(high) <= _SAME * abs(low) or max(abs(low), abs(high)) < _TINY)


def _confirm(entry, sides, point):
    """The counterexample, if the sides still differ when the exact point is put into them.

    SymPy then simplifies first, so that a value computed on the wrong side of a branch cut by a
    rounding error cannot pass for a difference.
    """
    # xreplace is much faster, but would also replace a sum's own index
    exact = [side.subs(point) if side.has(sp.Sum) else side.xreplace(point) for side in sides]
    try:
        verdict, values = _compare(exact, [], {}, ({}, {}))
    except KeyError:  # SymPy made something of it that has no value, like zoo
        return None
    if verdict != "differ":
        return None
    left, right = values
    free = set().union(*(side.free_symbols for side in sides))
    shown = {symbol: value for symbol, value in point.items() if symbol in free}
    return Counterexample(shown, _float(left), _float(right), _float(left - right), entry)


def _short(value):
    return mpmath.nstr(mpmath.mpmathify(value), 6)


def _float(value):
    real, imaginary = (sp.Float(part, 20) for part in (_HIGH.re(value), _HIGH.im(value)))
    return real + sp.I * imaginary if imaginary else real
