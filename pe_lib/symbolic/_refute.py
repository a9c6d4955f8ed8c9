"""The search for a point where two expressions differ."""

import random
from typing import NamedTuple

import mpmath
import sympy as sp

from pe_lib.symbolic._evaluate import UndefinedError, evaluate

_POINTS = 24
_TRIES = 400


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
    agreeing = 0
    for point in points:
        verdicts = set()
        values = _values(pairs, point)
        for entry, (lhs, rhs) in pairs.items():
            verdict = _compare(*values[entry]) if values[entry] else "unknown"
            if verdict == "differ" and (found := _confirm(entry, lhs, rhs, point)):
                return found, agreeing, len(points)
            verdicts.add(verdict)
        agreeing += verdicts == {"agree"}
    return None, agreeing, len(points)


def _contexts():
    """Two precisions. A true difference is the same in both; a rounding error is not."""
    contexts = mpmath.MPContext(), mpmath.MPContext()
    contexts[0].dps, contexts[1].dps = 50, 75
    return contexts


_LOW, _HIGH = _contexts()


def _values(pairs, point):
    """Entry -> the four values (lhs and rhs, each in two precisions), or None if undefined."""
    results = {entry: [] for entry in pairs}
    for ctx in (_LOW, _HIGH):
        known = {}
        here = {symbol: evaluate(value, {}, ctx, known) for symbol, value in point.items()}
        for entry, sides in pairs.items():
            for side in sides:
                if results[entry] is not None:
                    try:
                        results[entry].append(evaluate(side, here, ctx, known))
                    except UndefinedError:
                        results[entry] = None
    return results


def _compare(lhs_low, rhs_low, lhs_high, rhs_high):
    """Tell "agree", "differ" or "unknown" from values in 50 and in 75 digits."""
    if not (_settled(lhs_low, lhs_high) and _settled(rhs_low, rhs_high)):
        return "unknown"
    low, high = (_HIGH.convert(value) for value in (lhs_low - rhs_low, lhs_high - rhs_high))
    if high != 0 and abs(low - high) <= abs(high) * 1e-10:
        return "differ"
    size = abs(lhs_high) + abs(rhs_high)
    negligible = abs(high) <= size * _HIGH.mpf(10) ** -40 or abs(high) <= abs(low) * 1e-10
    return "agree" if negligible or abs(high) < _HIGH.mpf(10) ** -40 else "unknown"


def _settled(low, high):
    """Whether more digits leave the value as it is, or show that it is zero."""
    low, high = _HIGH.convert(low), _HIGH.convert(high)
    return (
        abs(low - high) <= abs(high) * 1e-10
        or abs(high) <= abs(low) * 1e-10
        or max(abs(low), abs(high)) < _HIGH.mpf(10) ** -40
    )


def _confirm(entry, lhs, rhs, point):
    """The counterexample, if the sides still differ when the exact point is put into them.

    SymPy then simplifies first, so that a value computed on the wrong side of a branch cut by a
    rounding error cannot pass for a difference.
    """
    sides = lhs.subs(point), rhs.subs(point)
    try:
        values = [evaluate(side, {}, ctx, {}) for ctx in (_LOW, _HIGH) for side in sides]
    except (UndefinedError, KeyError):
        return None
    if _compare(*values) != "differ":
        return None
    left, right = values[2:]
    shown = {s: v for s, v in point.items() if s in lhs.free_symbols | rhs.free_symbols}
    return Counterexample(shown, _float(left), _float(right), _float(left - right), entry)


def _short(value):
    return mpmath.nstr(mpmath.mpmathify(value), 6)


def _float(value):
    real, imaginary = (sp.Float(part, 20) for part in (_HIGH.re(value), _HIGH.im(value)))
    return real + sp.I * imaginary if imaginary else real


def draw_points(symbols):
    """Points under the symbols' assumptions: simple ones first, then awkward, always the same."""
    rng = random.Random(0)
    order = [_KINDS[i % len(_KINDS)] for i in range(_POINTS)] if symbols else [_KINDS[0]]
    return [{symbol: _draw(symbol, kind, rng) for symbol in symbols} for kind in order]


def _draw(symbol, kind, rng):
    """A number of this kind if the assumptions allow one, else of any other."""
    for attempt in range(_TRIES):
        value = sp.sympify((kind if attempt < _TRIES // 4 else rng.choice(_KINDS))(rng))
        if symbol.is_real is None and symbol.is_imaginary is not False and rng.random() < 0.7:
            value += sp.I * sp.sympify(kind(rng))
        elif symbol.is_imaginary:
            value *= sp.I
        elif symbol.is_irrational:
            value *= rng.choice((sp.sqrt(2), sp.pi))
        if _allowed(symbol, value):
            return value
    raise ValueError(f"no value found for {symbol} under its assumptions: {symbol.assumptions0}")


def _allowed(symbol, value):
    return all(getattr(value, f"is_{name}") is holds for name, holds in symbol.assumptions0.items())


def _sign(rng):
    return rng.choice((1, -1))


def _fraction(rng):
    """Between 0 and 1, with 20 binary digits."""
    return sp.Rational(2 * rng.randrange(2**19) + 1, 2**20)


_KINDS = (
    lambda rng: rng.randint(1, 5),
    lambda rng: _sign(rng) * rng.randint(1, 5),
    lambda rng: sp.Rational(2 * rng.randint(-10, 10) + 1, 4),
    lambda rng: 4 * _sign(rng) * _fraction(rng),
    lambda rng: 0,
    lambda rng: _sign(rng) * (rng.randint(10**3, 10**6) + _fraction(rng)),
    lambda rng: _sign(rng) * _fraction(rng) / 2**20,
    lambda rng: _sign(rng) * rng.randint(10, 10**4),
)
