"""Checks for the exercises of the chapter ``sinusoid/construction``."""

import numpy as np

from pe_lib import frequencies, sinusoidal
from pe_lib.exercises._check import call, exercise, numbers, require, require_close


@exercise("construction-by-hand")
def by_hand(answer):
    """The code of position 4 for d = 4 and base 100, four numbers to four decimals."""
    require_close(
        answer,
        sinusoidal.encode(4, 4, base=100, layout="interleaved"),
        input="p = 4, d = 4, base 100",
        hint="First the two frequencies: which power of 100 is each? Then two angles, in radians, "
        "and of each angle the sine and the cosine, next to each other. Round to four decimals.",
        rtol=0,
        atol=1e-4,
    )


@exercise("construction-channels")
def channels(answer):
    """A function of (p, d), the code of one position in the interleaved layout."""
    for p, d in ((0, 2), (1, 2), (1, 4), (3, 4), (7, 6), (50, 16)):
        where = f"p = {p}, d = {d}"
        got = numbers(
            call(answer, p, d),
            shape=(d,),
            input=where,
            hint="One number for each channel.",
        )
        require_close(
            got,
            sinusoidal.encode(p, d, layout="interleaved"),
            input=where,
            hint="At p = 0 every arrow points to twelve o'clock: which channels are then 0, and "
            "which are 1? And which two channels share a frequency?",
        )


@exercise("construction-slow-pairs")
def slow_pairs(answer):
    """A function of (dim, base, context): how many pairs turn less than once in the context."""
    cases = ((8, 10_000.0, 100), (512, 10_000.0, 512), (512, 1e6, 512), (64, 1e3, 10_000))
    for dim, base, context in (*cases, (128, 500_000.0, 131_072), (8, 10_000.0, 5)):
        where = f"dim = {dim}, base = {base:g}, context = {context}"
        got = numbers(call(answer, dim, base, context), shape=(), input=where, hint="Count pairs.")
        want = int((2 * np.pi / frequencies(dim, base=base) > context).sum())
        hint = "Pair i is slow if its wavelength is longer than the context. "
        if want == dim // 2:
            hint += "In so short a context even the fastest hand does not get around."
        elif want == 0:
            hint += "There may be none at all."
        else:
            hint += "The wavelength holds a factor of 2 pi, and i counts from 0."
        require(got == want, input=where, got=float(got), hint=hint)


@exercise("construction-base")
def base_for_context(answer):
    """A function of (dim, context): the base with which the slowest hand turns exactly once."""
    for dim, context in ((4, 1000), (64, 512), (128, 131_072), (512, 2048.0)):
        where = f"dim = {dim}, context = {context}"
        got = numbers(
            call(answer, dim, context),
            shape=(),
            input=where,
            hint="One number, the base.",
        )
        require(
            got > 1,
            input=where,
            got=float(got),
            hint="A base of at most 1 would make the hands faster, not slower.",
        )
        turns = float(frequencies(dim, base=float(got))[-1] * context / (2 * np.pi))
        require_close(
            turns,
            1.0,
            input=f"{where}, turns of the slowest hand with your base",
            hint="What is the index of the slowest pair, and so its exponent? It is not 1. Set "
            "its wavelength equal to the context and solve for the base.",
        )


@exercise("construction-spacing")
def spacing(answer):
    """Eight frequencies that keep 10,000 positions farther apart than the geometric row does."""
    row = numbers(
        answer,
        shape=(8,),
        input="your row",
        hint="Eight frequencies in rad per token, one for each pair.",
    )
    require(
        bool(((row > 0) & (row <= np.pi)).all()),
        input="your row",
        got=row,
        hint="Frequencies above 0 and up to pi: on whole positions a faster wave looks like a "
        "slower one.",
    )
    ours, theirs = _separation(row), _separation(frequencies(16))
    nearest = int(ours.argmin()) + 1
    require(
        bool(ours.min() > 1.1 * theirs.min()),
        input=f"two positions {nearest} apart",
        got=f"a distance of {ours.min():.4f}",
        hint="The row of the chapter reaches 1.0147 at offset 1, and you should beat it by a tenth "
        "of that. Its neighbors are close because most of its hands are slow. But frequencies with "
        "a common divisor all come home together: how could you avoid every regularity?",
    )


def _separation(omega):
    """Distance of the codes of two positions at the offsets 1, ..., 9999."""
    half_angles = np.multiply.outer(np.arange(1, 10_000), omega) / 2
    return 2 * np.sqrt((np.sin(half_angles) ** 2).sum(axis=1))
