"""Checks for the exercises of the chapter ``sinusoid/construction``."""

import numpy as np

from pe_lib import frequencies, sinusoidal
from pe_lib.exercises._check import SINGLE, close, exercise, hint_for, require, require_close
from pe_lib.exercises._reader import call, numbers
from pe_lib.exercises._show import Words

_OTHER_CHANNELS = "These are the right numbers. Which channel holds which?"


@exercise("construction-by-hand")
def by_hand(answer):
    """The code of position 4 for d = 4 and base 100, four numbers to four decimals."""
    case = {"p": 4, "d": 4, "base": 100}
    got = numbers(answer, shape=(4,), input=case, form="the code to four decimals")
    want = sinusoidal.encode(4, 4, base=100, layout="interleaved")
    faults = (
        (np.allclose(got, want, rtol=0, atol=6e-3), "Nearly: to how many decimals did you round?"),
        (close(np.sort(got), np.sort(want), rtol=1e-4), _OTHER_CHANNELS),
        (
            not np.allclose(got[:2], want[:2], rtol=0, atol=6e-3),
            "The first two come from pair 0, the fastest. Is the calculator set to radians?",
        ),
    )
    otherwise = "The first two are right. Which power of 100 is the frequency of the other pair?"
    require_close(got, want, input=case, hint=hint_for(faults, otherwise), rtol=1e-4)


@exercise("construction-channels")
def channels(answer):
    """A function of (p, d), the code of one position in the interleaved layout."""
    hints = {
        (0, 2): "At p = 0 every arrow points to twelve o'clock. Which channels are then 0, and "
        "which are 1?",
        (1, 2): "The arrow of pair 0 turns by one radian per token. Is channel 0 rising?",
        (1, 4): "What is the frequency of pair 1 for d = 4?",
    }
    for p, d in ((0, 2), (1, 2), (1, 4), (3, 4), (7, 6), (50, 16)):
        case = {"p": p, "d": d}
        got = numbers(call(answer, **case), shape=(d,), input=case, form="one for each channel")
        want = sinusoidal.encode(p, d, layout="interleaved")
        hint = hints.get((p, d), "Which channels share a frequency, and which one has pair i?")
        faults = ((close(np.sort(got), np.sort(want)), _OTHER_CHANNELS),)
        require_close(got, want, input=case, hint=hint_for(faults, hint))


@exercise("construction-slow-pairs")
def slow_pairs(answer):
    """A function of (dim, base, context): how many pairs turn less than once in the context."""
    cases = ((8, 10_000.0, 100), (512, 10_000.0, 512), (512, 1e6, 512), (64, 1e3, 10_000))
    for dim, base, context in (*cases, (128, 500_000.0, 131_072), (512, 10_000.0, 5)):
        case = {"dim": dim, "base": base, "context": context}
        got = numbers(call(answer, **case), shape=(), input=case, form="a number of pairs")
        want = int((2 * np.pi / frequencies(dim, base=base) > context).sum())
        faults = (
            (not 0 <= got <= dim // 2, "How many pairs are there at all?"),
            (want == 0, "Which pair is the slowest, and is it slow?"),
            (want == dim // 2, "Does even the fastest hand get around in so short a context?"),
        )
        otherwise = (
            "Pair i is slow if its wavelength is longer than the context. Where does 2 pi enter, "
            "and at which number does i begin?"
        )
        require(got == want, input=case, got=got, hint=hint_for(faults, otherwise))


@exercise("construction-base")
def base_for_context(answer):
    """A function of (dim, context): the base with which the slowest hand turns exactly once."""
    for dim, context in ((4, 1000), (64, 65_536), (128, 131_072), (512, 65_536.0)):
        case = {"dim": dim, "context": context}
        base = float(numbers(call(answer, **case), shape=(), input=case, form="the base"))
        hint = "Which way does a base below 1 change the hands: faster or slower?"
        require(base > 1, input=case, got=base, hint=hint)
        turns = float(frequencies(dim, base=base)[-1] * context / (2 * np.pi))
        faults = (
            (
                np.isclose(turns, 1 / (2 * np.pi), rtol=1e-3),
                "0.159 is 1/(2 pi). Did you set the timescale or the wavelength equal to the "
                "context?",
            ),
        )
        otherwise = "What is the index of the slowest pair, and so its exponent?"
        # A base that is rounded to a whole number is as good.
        require(
            close(turns, 1.0, rtol=1e-4),
            input=case,
            got=Words(f"a base with which the slowest hand turns {turns:.6g} times"),
            hint=hint_for(faults, otherwise),
        )


@exercise("construction-spacing")
def spacing(answer):
    """Eight frequencies that keep 10,000 positions farther apart than the geometric row does."""
    case = {"pairs": 8, "offsets": Words("1, ..., 9999")}
    form = "frequencies in rad per token, above 0 and up to pi"
    row = numbers(answer, shape=(8,), input=case, form=form)
    allowed = (row > 0) & (row <= np.pi * (1 + SINGLE))
    hint = "On whole positions, which slower wave looks like one with a frequency beyond pi?"
    require(allowed.all(), input=case, got=row, hint=hint)
    ours, theirs = _separation(row), _separation(frequencies(16))
    nearest, wanted = int(ours.argmin()) + 1, round(1.1 * theirs.min(), 4)
    faults = (
        (nearest == 1, "Neighbors are the nearest. How many of your hands are slow?"),
        (
            np.unique(row).size < row.size,
            "Two of your hands go together. What does the second one tell that the first does not?",
        ),
    )
    otherwise = "All hands come home together here. What do your frequencies have in common?"
    require(
        ours.min() >= wanted,
        input={"offset": nearest},
        got=Words(f"positions {ours.min():.4f} apart"),
        hint=f"At least {wanted} is asked for. {hint_for(faults, otherwise)}",
    )


def _separation(omega):
    """Distance of the codes of two positions at the offsets 1, ..., 9999."""
    half_angles = np.multiply.outer(np.arange(1, 10_000), omega) / 2
    return 2 * np.sqrt((np.sin(half_angles) ** 2).sum(axis=1))
