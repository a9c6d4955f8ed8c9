"""Points at which an alleged identity is tried: random, but the same every time."""

import random

import sympy as sp

_POINTS = 24
_TRIES = 400


def draw_points(symbols):
    """Points under the symbols' assumptions, always the same; the easiest to read come first.

    In two rounds all symbols get numbers of one kind, in the third each its own.
    """
    rng = random.Random(0)
    points = []
    for number in range(_POINTS if symbols else 1):
        one_kind = _KINDS[number % len(_KINDS)]
        mixed = number >= 2 * len(_KINDS)
        points.append(
            {s: _draw(s, rng.choice(_KINDS) if mixed else one_kind, rng) for s in symbols}
        )
    return points


def _draw(symbol, kind, rng):
    """A number of this kind if the assumptions allow one, else of any other."""
    for attempt in range(_TRIES):
        value = sp.sympify((kind if attempt < 20 else rng.choice(_KINDS))(rng))
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
