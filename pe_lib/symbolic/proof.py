"""``prove``: first an honest attempt to refute an identity, then an exact derivation."""

from dataclasses import dataclass, field

import sympy as sp

from pe_lib.symbolic import _show
from pe_lib.symbolic._accept import exact_sides
from pe_lib.symbolic._reduce import STEPS, reduce_to_zero
from pe_lib.symbolic._refute import Counterexample, search

__all__ = ["Counterexample", "NotProved", "Proof", "Refuted", "prove"]


class Refuted(AssertionError):
    """The identity is false; ``counterexample`` is a point where it fails."""

    def __init__(self, counterexample):
        super().__init__(f"not equal: {counterexample}")
        self.counterexample = counterexample


class NotProved(AssertionError):
    """Neither refuted nor derived; ``remainder`` is the shortest form found of lhs - rhs."""

    def __init__(self, message, remainder):
        super().__init__(message)
        self.remainder = remainder


@dataclass(frozen=True, repr=False)
class Proof:
    """An identity that holds wherever both of its sides have a value.

    What does not hold has no ``Proof``: to make one is to prove it. See :func:`prove`.

    Attributes
    ----------
    lhs, rhs : SymPy expression or ImmutableMatrix
    method : str
        How the difference was reduced to exactly zero.
    """

    lhs: sp.Basic
    rhs: sp.Basic
    method: str = field(init=False)

    def __post_init__(self):
        lhs, rhs = exact_sides(self.lhs, self.rhs)
        for name, value in (("lhs", lhs), ("rhs", rhs), ("method", _establish(lhs, rhs))):
            object.__setattr__(self, name, value)

    def __repr__(self):
        return _show.text(self.lhs, self.rhs, self.method)

    def _repr_latex_(self):
        return _show.latex(self.lhs, self.rhs, self.method)


def prove(lhs, rhs):
    """Establish ``lhs = rhs`` for all values that the symbols' assumptions allow.

    Two things must happen. At 24 points (always the same: small, large, tiny, zero, negative,
    fractional, complex, as far as the assumptions go) the two sides must agree, computed in 50
    and in 75 digits. Then a fixed list of rewritings must turn ``lhs - rhs`` into exactly 0.

    Parameters
    ----------
    lhs, rhs : int, SymPy expression or SymPy matrix
        Exact: no floats. Matrices must have the same shape and are compared entry by entry.
        A symbol without assumptions stands for every complex number.

    Returns
    -------
    Proof
        The equality holds wherever both sides have a value; where one has none (a zero
        denominator) nothing is said. What SymPy simplifies before ``prove`` is called, as
        ``x / x`` to 1, is not seen.

    Raises
    ------
    Refuted
        If a point was found where the sides differ.
    NotProved
        If none was found and the difference could not be reduced to zero, or the sides have
        values at fewer than half of the points.
    TypeError
        For floats, booleans, relations, arrays, MatrixSymbol, undefined or unknown functions
        (also unevaluated Derivative, Integral, Limit: call ``.doit()`` first), or a scalar
        against a matrix.
    ValueError
        For different shapes, empty matrices, infinities or NaN, noncommutative symbols, two
        symbols of one name, sums whose limits are not integers, a Piecewise without a default.

    Examples
    --------
    >>> x = sp.Symbol("x")
    >>> prove(sp.sin(2 * x), 2 * sp.sin(x) * sp.cos(x))
    Proof: sin(2*x) = 2*sin(x)*cos(x), by Euler's formula and multiplying out
    >>> prove(x, -x)
    Traceback (most recent call last):
        ...
    pe_lib.symbolic.proof.Refuted: not equal: at x = 4, 4.0 on the left, -4.0 on the right
    """
    return Proof(lhs, rhs)


def _establish(lhs, rhs):
    """The words for the way in which lhs = rhs was shown."""
    pairs = _pairs(lhs, rhs)
    symbols = sorted(lhs.free_symbols | rhs.free_symbols, key=lambda symbol: symbol.name)
    counterexample, agreeing, tried = search(pairs, symbols)
    if counterexample:
        raise Refuted(counterexample)
    if 2 * agreeing < tried:
        raise NotProved(
            f"both sides have values that can be computed at only {agreeing} of {tried} points",
            lhs - rhs,
        )
    return _derive(pairs)


def _pairs(lhs, rhs):
    """Entry -> (lhs, rhs); the entry of a scalar is None."""
    if not isinstance(lhs, sp.MatrixBase):
        return {None: (lhs, rhs)}
    return {(i, j): (lhs[i, j], rhs[i, j]) for i in range(lhs.rows) for j in range(lhs.cols)}


def _derive(pairs):
    """The words for the strongest step that an entry needed."""
    used = set()
    for entry, (left, right) in pairs.items():
        words, remainder = reduce_to_zero(left - right)
        if words is None:
            where = "" if entry is None else f" in entry [{entry[0]}, {entry[1]}]"
            left_over = _show.in_words(remainder)
            raise NotProved(
                f"no counterexample found, but lhs - rhs{where} leaves {left_over}", remainder
            )
        used.add(words)
    return max(used, key=list(STEPS).index)
