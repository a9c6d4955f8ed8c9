"""What may enter a proof: exact, finite expressions in functions whose values are known."""

import sympy as sp
from sympy.matrices.expressions.matexpr import MatrixElement, MatrixExpr

from pe_lib.symbolic._evaluate import CONNECTIVES, CONSTANTS, FUNCTIONS, RELATIONS

_ARITHMETIC = {sp.Add, sp.Mul, sp.Pow}
_INFINITE = (sp.nan, sp.zoo, sp.oo, -sp.oo)


def exact_scalar(name, value):
    """Return ``value`` as a SymPy expression that :func:`prove` can work with."""
    value = _exact(name, value)
    if isinstance(value, sp.MatrixBase):
        raise TypeError(f"{name} must be one expression, got a matrix of shape {value.shape}")
    return value


def exact_matrix(name, value):
    """Return ``value`` as an immutable matrix that :func:`prove` can work with."""
    value = _exact(name, value)
    if not isinstance(value, sp.MatrixBase):
        raise TypeError(f"{name} must be a matrix, got {value}")
    return value


def exact_sides(lhs, rhs):
    """Return both sides of an identity, checked one by one and against each other."""
    lhs, rhs = _exact("lhs", lhs), _exact("rhs", rhs)
    left, right = (getattr(side, "shape", None) for side in (lhs, rhs))
    if (left is None) != (right is None):
        raise TypeError(
            "lhs and rhs must both be expressions or both be matrices, "
            f"got shapes {left or 'of a scalar'} and {right or 'of a scalar'}"
        )
    if left != right:
        raise ValueError(f"lhs and rhs must have the same shape, got {left} and {right}")
    by_name = {}
    for symbol in sorted(lhs.free_symbols | rhs.free_symbols, key=sp.default_sort_key):
        if by_name.setdefault(symbol.name, symbol) != symbol:
            raise ValueError(
                f"two different symbols are called {symbol.name} (their assumptions differ, "
                "or one is a Dummy); give them different names"
            )
    return lhs, rhs


def _exact(name, value):
    if isinstance(value, sp.MatrixBase):
        value = value.as_immutable()
        if 0 in value.shape:
            raise ValueError(f"{name} must not be empty, got shape {value.shape}")
    elif isinstance(value, (MatrixExpr, MatrixElement)):
        if value.has(sp.MatrixSymbol):
            raise TypeError(
                f"{name} must have explicit entries; instead of a MatrixSymbol use "
                f"symbolic.matrix(name, rows, cols), got {value}"
            )
        return _exact(name, value.as_explicit())  # an identity or zero matrix of known size
    elif isinstance(value, bool) or not isinstance(value, (int, sp.Expr)):
        raise TypeError(
            f"{name} must be an exact SymPy expression, a SymPy matrix or an int, "
            f"got {type(value).__name__} {value!r}"
        )
    value = sp.sympify(value)
    seen = set()
    for entry in value if isinstance(value, sp.MatrixBase) else [value]:
        _check(name, entry, seen)
    return value


def _check(name, node, seen):
    """Raise unless ``node`` and all that it is made of is understood."""
    if node in seen:
        return
    seen.add(node)
    if isinstance(node, sp.Float):
        raise TypeError(f"{name} must be exact, got the float {node}; write sp.Rational(...)")
    if node in _INFINITE:
        raise ValueError(f"{name} must be finite, got {node}")
    if isinstance(node, sp.Rational) or node in CONSTANTS:
        return
    if type(node) in (sp.Symbol, sp.Dummy):
        if not node.is_commutative:
            raise ValueError(f"{name} must commute, got the noncommutative symbol {node}")
        return
    if node.func is sp.Sum:
        _check_sum(name, node, seen)
    elif node.func is sp.Piecewise:
        _check_piecewise(name, node, seen)
    elif node.func in _ARITHMETIC or node.func in FUNCTIONS:
        for arg in node.args:
            _check(name, arg, seen)
    else:
        raise TypeError(f"{name} holds {node}, and {node.func.__name__} is not known to prove")


def _check_sum(name, node, seen):
    _check(name, node.function, seen)
    for limit in node.limits:
        if len(limit) != 3 or not all(bound.is_integer for bound in limit[1:]):
            raise ValueError(
                f"{name} must sum from one integer to another, got the limits {limit} "
                "(declare their symbols integer=True)"
            )
        for part in limit:
            _check(name, part, seen)


def _check_piecewise(name, node, seen):
    if node.args[-1].cond != sp.true:
        raise ValueError(f"{name} must have a value everywhere; end with (value, True): {node}")
    for value, condition in node.args:
        _check(name, value, seen)
        _check_condition(name, condition, seen)


def _check_condition(name, condition, seen):
    if condition in (sp.true, sp.false):
        return
    if condition.func in CONNECTIVES:
        for part in condition.args:
            _check_condition(name, part, seen)
    elif condition.func in RELATIONS:
        for side in condition.args:
            _check(name, side, seen)
    else:
        raise TypeError(f"{name} holds the condition {condition}, which is not known to prove")
