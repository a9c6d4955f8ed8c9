"""Checks for the exercises of the chapter ``relative/alibi``."""

import math

import numpy as np

from pe_lib import alibi, attention
from pe_lib.exercises._check import call, exercise, numbers, require, require_close


@exercise("alibi-weights-by-hand")
def weights_by_hand(answer):
    """Weights of three keys that score alike, at distances 0, 1, 2, for the slope ln 2."""
    got = numbers(
        answer,
        shape=(3,),
        input="slope ln 2, equal scores, distances 0, 1, 2",
        hint="Give a tuple of three weights, the query's own key first.",
    )
    require(
        abs(got.sum() - 1) < 1e-9,
        input="slope ln 2, equal scores, distances 0, 1, 2",
        got=f"weights that add up to {got.sum():.6g}",
        hint="What does softmax do after taking the exponentials?",
    )
    require_close(
        got,
        attention.softmax(-math.log(2) * np.arange(3)),
        input="slope ln 2, equal scores, distances 0, 1, 2",
        hint="By which factor does a weight change from one distance to the next, if the score "
        "changes by ln 2?",
    )


@exercise("alibi-slopes")
def slopes(answer):
    """A function that gives the slopes for any number of heads."""
    hints = {
        1: "One head is a power of two as well.",
        8: "The exponents run evenly from -1 to -8.",
        16: "Is the ratio of neighbors still 1/2? The last slope is the same for every power of "
        "two.",
        12: "All the slopes of the power of two below stand first, unchanged.",
    }
    rest = (
        "Past the power of two below: which of the next power's slopes are new, and which of those "
        "are taken?"
    )
    for num_heads in (1, 8, 16, 12, 3, 20, 71, 112):
        require_close(
            call(answer, num_heads),
            alibi.slopes(num_heads),
            input=(num_heads,),
            hint=hints.get(num_heads, rest),
        )


@exercise("alibi-window")
def window(answer):
    """A function that gives the smallest distance beyond which little weight is guaranteed."""
    cases = (
        ((math.log(2), 0.0, 0.5), "With equal scores, after which distance is half of it left?"),
        ((math.log(2), 0.0, 0.3), "A distance is a whole number of tokens. Round which way?"),
        ((0.5, 0.0, 0.01), "Solve exp(-slope t) <= share for t."),
        ((0.5, 2.0, 0.01), "Where in the bound does the spread enter? Solve for exp(-slope t)."),
        ((2.0**-8, 10.0, 0.05), "Where in the bound does the spread enter?"),
        ((0.25, 1.5, 0.9), "Use the first, sharper bound of the theorem, not the second."),
    )
    for (slope, spread, share), hint in cases:
        got = numbers(
            call(answer, slope, spread, share),
            shape=(),
            input=(slope, spread, share),
            hint="Give a number of tokens.",
        )
        t = float(got)

        def bound(distance, slope=slope, spread=spread):
            power = math.exp(min(-slope * distance, 50.0))
            return math.exp(spread) * power / (1 + math.expm1(spread) * power)

        tight = t == round(t) and bound(t) <= share + 1e-9 and (t < 1 or bound(t - 1) > share)
        require(t >= 0 and tight, input=(slope, spread, share), got=t, hint=hint)


@exercise("alibi-left-padding")
def left_padding(answer):
    """A function that gives causal weights over tokens among padding."""
    rng = np.random.default_rng(0)
    cases = (
        ([1, 1, 1], "Without padding it is plain causal attention with a bias."),
        ([0, 0, 1, 1, 1], "Padding gets no weight at all, and the rest adds up to 1."),
        (
            [1, 1, 0, 0, 1, 1],
            "Here padding stands between tokens, as when a padded prompt is continued. How many "
            "tokens lie between a key and its query?",
        ),
        ([0, 1, 0, 1], "How many tokens lie between a key and its query?"),
    )
    for pattern, hint in cases:
        is_token = np.array(pattern, dtype=bool)
        scores = rng.standard_normal((len(pattern), len(pattern)))
        got = call(answer, scores, is_token, 0.5)
        shown = f"is_token = {is_token.astype(int).tolist()}, slope 0.5, random scores"
        got = numbers(
            got, shape=scores.shape, input=shown, hint="Rows of padding are free, but finite."
        )
        there = np.flatnonzero(is_token)
        want = np.zeros(scores.shape)
        for row, m in enumerate(there):
            seen = there[: row + 1]
            want[m, seen] = attention.softmax(scores[m, seen] + 0.5 * np.arange(row + 1))
        require_close(got[there], want[there], input=shown, hint=hint)
