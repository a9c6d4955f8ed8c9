"""Checks for the exercises of the chapter ``context/interpolation``."""

import numpy as np

from pe_lib.exercises._check import SINGLE, close, exercise, hint_for, require
from pe_lib.exercises._offsets import leads, offset_scores
from pe_lib.exercises._reader import call, numbers
from pe_lib.exercises._show import Words
from pe_lib.frequencies import frequencies


@exercise("interpolation-first-unfinished")
def first_unfinished(answer):
    """A function of (dim, base, trained): the first pair that does not close its circle."""
    settings = (
        (8, 10_000.0, 10),
        (128, 10_000.0, 2048),
        (128, 500_000.0, 8192),
        (128, 10_000.0, 5),
        (64, 100.0, 4096),
    )
    for dim, base, trained in settings:
        case = {"dim": dim, "base": base, "trained": trained}
        form = "the index of a pair, or the number of pairs"
        got = numbers(call(answer, **case), shape=(), input=case, form=form)
        unfinished = 2 * np.pi / frequencies(dim, base=base) > trained
        want = int(unfinished.argmax()) if unfinished.any() else dim // 2
        faults = (
            (not unfinished.any(), "What does the exercise ask for if all pairs are finished?"),
            (unfinished.all(), "Does even the fastest pair close its circle in this training?"),
        )
        otherwise = "How long is the wavelength of the pair that you name, and of the one before?"
        require(got == want, input=case, got=got, hint=hint_for(faults, otherwise))


@exercise("interpolation-look-back")
def look_back(answer):
    """A function of (k, omega, factor): the query that looks one token back."""
    rng = np.random.default_rng(0)
    plain = "With factor 1 nothing is interpolated. By how much must the query turn, and which way?"
    slower = (
        "Offset -1 now turns a pair by less than it did. The score is largest where key and query "
        "agree: which query does the key meet there?"
    )
    layout = "It is right for two channels. Which channels form a pair if there are more?"
    cases = ((2, 1.0, plain), (2, 2.0, slower), (64, 1.0, layout), (64, 4.0, slower))
    for dim, factor, hint in (*cases, (64, 16.0, slower)):
        k, omega = rng.standard_normal(dim).round(1), frequencies(dim)
        case = {"k": k, "omega": omega, "factor": factor}
        q = numbers(call(answer, **case), shape=(dim,), input=case, form="the query")
        offsets = np.arange(-256 if dim > 2 else -3, 1)  # a single pair soon comes round again
        scores = offset_scores(q, k, omega / factor, offsets)
        got = Words(f"a query whose score is largest at offset {offsets[scores.argmax()]}")
        require(leads(scores, offsets == -1), input=case, got=got, hint=hint)


@exercise("interpolation-choose-base")
def choose_base(answer):
    """A function of (dim, base, trained, target): the smallest base without new angles."""
    settings = (
        (128, 10_000.0, 2048, 4096),
        (128, 10_000.0, 4096, 32_768),
        (64, 10_000.0, 128, 1024),
        (8, 100.0, 10_000, 20_000),
    )
    for dim, base, trained, target in settings:
        case = {"dim": dim, "base": base, "trained": trained, "target": target}
        larger = float(numbers(call(answer, **case), shape=(), input=case, form="the new base"))
        hint = "Which way does a base below 1 change the pairs: faster or slower?"
        require(larger > 1, input=case, got=larger, hint=hint)
        unfinished, fresh = _meeting_new_angles(larger, **case)
        require(
            fresh == 0,
            input=case,
            got=Words(
                f"a base with which {fresh} of {unfinished} unfinished pairs meet new angles"
            ),
            hint="Changing the base slows each pair by another amount. Which unfinished pair is "
            "slowed least, and by how much must it be slowed?",
        )
        _, fresh = _meeting_new_angles(max(0.99 * larger, 1.0001), **case)
        require(
            fresh > 0 if unfinished else larger <= 1.01 * base,
            input=case,
            got=Words(f"{larger:.4g}, more than is needed"),
            hint="A smaller base would do. Which pair needs the change most? If no pair is "
            "unfinished, is any change needed?",
        )


def _meeting_new_angles(larger, dim, base, trained, target):
    """How many pairs are unfinished, and how many of them meet new angles with a larger base."""
    omega = frequencies(dim, base=base)
    unfinished = 2 * np.pi / omega > trained
    # With the smallest base the last angle just stops being new: rounding must not decide.
    new = frequencies(dim, base=larger) * (target - 1) >= omega * trained * (1 + SINGLE)
    return int(unfinished.sum()), int((unfinished & new).sum())


@exercise("interpolation-by-parts")
def by_parts(answer):
    """A function of (omega, trained, factor) that slows unfinished pairs fully, fast ones not."""
    for dim, base, trained, factor in (
        (8, 10_000.0, 512, 4.0),
        (128, 10_000.0, 2048, 4.0),
        (128, 500_000.0, 8192, 8.0),
        (32, 10_000.0, 512, 1.0),
        (16, 10.0, 4096, 2.0),
    ):
        omega = frequencies(dim, base=base)
        case = {"omega": omega, "trained": trained, "factor": factor}
        form = "one frequency for each pair"
        got = numbers(call(answer, **case), shape=omega.shape, input=case, form=form)
        for is_met, gave, hint in _demands_on_parts(got, **case):
            require(is_met, input=case, got=Words(gave), hint=hint)


def _demands_on_parts(got, omega, trained, factor):
    """Whether frequencies meet each demand, what is said of them if not, and a hint."""
    kept, turns = got / omega, omega * trained / (2 * np.pi)
    between = (turns >= 1) & (turns < 32)
    return (
        (
            close(kept[turns < 1], 1 / factor),
            "other frequencies for the pairs with less than one turn",
            "These pairs have not seen every angle. What keeps them inside what they saw?",
        ),
        (
            close(kept[turns >= 32], 1.0),
            "other frequencies for the pairs with 32 turns or more",
            "These pairs have seen every angle many times. Is there a reason to change them?",
        ),
        (
            ((kept > (1 - SINGLE) / factor) & (kept < 1 + SINGLE)).all(),
            "frequencies that leave the range from omega / factor to omega",
            "Can a blend of two frequencies lie outside both?",
        ),
        (
            (np.diff(got) < 0).all(),
            "frequencies that do not fall from pair to pair",
            "Which two neighbors has your blend put in the wrong order?",
        ),
        (
            factor == 1 or (np.diff(kept[between]) < 0).all(),
            "pairs with 1 to 32 turns that are not slowed the more, the fewer turns they make",
            "A pair with 2 turns has seen little more than one circle, a pair with 30 nearly as "
            "much as one with 32. How much of its speed should each keep?",
        ),
    )
