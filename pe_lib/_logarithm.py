"""Steps of equal ratio, counted without rounding errors: the far buckets of T5 and DeBERTa."""

import decimal
import fractions
import math

import numpy as np


def steps(distances, *, start, stop, number, rounding):
    r"""Number of steps from ``start`` to each distance, ``number`` of which lead to ``stop``.

    .. math:: \mathrm{round}\left(\mathrm{number} \cdot
              \frac{\ln(\mathrm{distance} / \mathrm{start})}{\ln(\mathrm{stop} / \mathrm{start})}
              \right)

    A float lands on the wrong side of an edge where the quotient is an integer, or close to one:
    such distances (a handful) are decided in exact arithmetic.

    Parameters
    ----------
    distances : ndarray of int, any shape
        At least ``start``.
    start, stop : int
        Positive, start < stop.
    number : int
        At least 0; so small that no quotient exceeds 2**40.
    rounding : numpy.floor or numpy.ceil

    Returns
    -------
    ndarray of int64, same shape
    """
    shape, distances = distances.shape, distances.ravel()
    # log1p: its relative error stays that of one rounding where a ratio is close to 1.
    quotient = number * np.log1p((distances - start) / start) / math.log1p((stop - start) / start)
    nearest = np.rint(quotient)
    rounded = rounding(quotient).astype(np.int64)
    # The relative error of a quotient is below 1e-14; near 0 there is nothing to decide.
    close = (nearest > 0) & (np.abs(quotient - nearest) <= 1e-13 * nearest)
    values, first, where = np.unique(distances[close], return_index=True, return_inverse=True)
    counts = nearest[close][first].astype(np.int64)
    pairs = zip(values.tolist(), counts.tolist(), strict=True)
    sides = np.array([_side(value, start, stop, number, count) for value, count in pairs], int)
    rounded[close] = (counts + rounding(sides / 2).astype(np.int64))[where]
    return rounded.reshape(shape)


def _side(distance, start, stop, number, count):
    """Sign of (distance / start)**number - (stop / start)**count."""
    common = math.gcd(number, count) or 1
    p, s = count // common, number // common
    if max(p, s) <= 31:
        left, right = fractions.Fraction(distance, start) ** s, fractions.Fraction(stop, start) ** p
        return (left > right) - (left < right)
    # The powers are not equal. If they were, stop / start would be the s-th power of a fraction a/b
    # and distance = start (a/b)**p, so that 2**s <= stop, and b**p divides start (or b = 1 and
    # 2**p <= distance): no number below 2**31 leaves room for p or s above 31. So digits suffice.
    digits = 50
    while True:
        with decimal.localcontext(decimal.Context(prec=digits)):
            ends = (decimal.Decimal(end) / start for end in (distance, stop))
            from_start, all_the_way = (end.ln() for end in ends)
            gap = number * from_start - count * all_the_way
            if abs(gap) > decimal.Decimal(10) ** (25 - digits):
                return 1 if gap > 0 else -1
        digits *= 2
