"""Checks for the exercises of the chapter ``relative/alibi``."""

import math

import numpy as np

from pe_lib import alibi, attention
from pe_lib.exercises._check import SINGLE, close, exercise, hint_for, require, require_close
from pe_lib.exercises._reader import call, numbers
from pe_lib.exercises._show import Words


@exercise("alibi-weights-by-hand")
def weights_by_hand(answer):
    """Weights of three keys that score alike, at distances 0, 1, 2, for the slope ln 2."""
    case = {"slope": Words("ln 2"), "scores": [0, 0, 0], "distances": [0, 1, 2]}
    form = "three weights to three decimals, that of the query's own key first"
    got = numbers(answer, shape=(3,), input=case, form=form)
    want = attention.softmax(-math.log(2) * np.arange(3))
    faults = (
        (abs(got.sum() - 1) > 0.02, "What does softmax do after taking the exponentials?"),
        (np.allclose(got, want, rtol=0, atol=6e-3), "Nearly: to how many decimals did you round?"),
        (got[0] < got[2], "The query's own key comes first. Which key loses nothing?"),
    )
    otherwise = (
        "By which factor does a weight change from one distance to the next, if the score changes "
        "by ln 2?"
    )
    # Within a thousandth: three decimals are enough by hand.
    require_close(got, want, input=case, hint=hint_for(faults, otherwise), rtol=2e-3)


@exercise("alibi-slopes")
def slopes(answer):
    """A function of (num_heads) that gives the slopes for any number of heads."""
    of_powers = {
        8: "Which exponent has the first head, and which the last?",
        1: "One head is a power of two as well. Which is the last slope of every power of two?",
        16: "Which is the last slope of every power of two? Is the ratio of neighbors still 1/2?",
    }
    first = "The slopes of the power of two below stand first, unchanged. Where do yours differ?"
    rest = (
        "Past the power of two below: which of the next power's slopes are new, and which of those "
        "are taken?"
    )
    for num_heads in (8, 1, 16, 12, 3, 20, 71, 112):
        case, shape = {"num_heads": num_heads}, (num_heads,)
        got = numbers(call(answer, **case), shape=shape, input=case, form="one slope for each head")
        below = alibi.slopes(2 ** int(math.log2(num_heads)))
        faults = ((not close(got[: len(below)], below), of_powers.get(num_heads, first)),)
        require_close(got, alibi.slopes(num_heads), input=case, hint=hint_for(faults, rest))


@exercise("alibi-window")
def window(answer):
    """A function of (slope, spread, share) that gives the smallest distance with a guarantee."""
    cases = (
        ((math.log(2), 0.0, 0.5), "With equal scores, after which distance is half of it left?"),
        ((math.log(2), 0.0, 0.3), "A distance is a whole number of tokens. Round which way?"),
        ((0.5, 0.0, 0.01), "With equal scores, for which t is exp(-slope t) <= share?"),
        ((0.5, 2.0, 0.01), "Where in the bound does the spread enter? Solve for exp(-slope t)."),
        ((0.25, 1.5, 0.9), "The theorem has two bounds. Which of them is the sharper one?"),
        ((2.0**-8, 10.0, 0.05), "Where in the bound does the spread enter?"),
    )
    for (slope, spread, share), hint in cases:
        case = {"slope": slope, "spread": spread, "share": share}
        t = float(numbers(call(answer, **case), shape=(), input=case, form="a number of tokens"))

        def bound(distance, slope=slope, spread=spread):
            power = math.exp(min(-slope * distance, 50.0))
            return math.exp(spread) * power / (1 + math.expm1(spread) * power)

        # Where a bound meets the share exactly, rounding may take one token more.
        enough = t == round(t) >= 0 and bound(t) <= share * (1 + SINGLE)
        smallest = t < 1 or bound(t - 1) > share * (1 - SINGLE)
        require(enough and smallest, input=case, got=t, hint=hint)


@exercise("alibi-left-padding")
def left_padding(answer):
    """A function of (scores, is_token, slope) that gives causal weights among padding."""
    rng = np.random.default_rng(0)
    alike = "All scores are alike. Which of two keys should weigh more, and by which factor?"
    plain = "There is no padding here. Which bias does plain ALiBi add to these scores?"
    tokens = "How many tokens lie between a key and its query?"
    ahead = "A score of 800 belongs to the future. Which steps of yours does it reach?"
    cases = (
        ([1, 1, 1], 0, 0, alike),
        ([1, 1, 1], 3, 0, plain),
        ([0, 0, 1, 1, 1], 3, 0, "Without the padding, which scores and distances are left?"),
        ([1, 0, 0, 1, 1], 3, 0, tokens),  # as when a padded prompt is continued
        ([0, 1, 0, 1], 3, 0, tokens),
        ([1, 1, 1], 3, 800, ahead),  # softmax overflows, or loses all that a query may see
    )
    for pattern, spread, future, hint in cases:
        is_token, shape = np.array(pattern, dtype=bool), (len(pattern), len(pattern))
        scores = rng.integers(-spread, spread + 1, shape).astype(float)
        scores[np.triu_indices_from(scores, 1)] += future
        case = {"scores": scores, "is_token": is_token, "slope": 0.5}
        form = "one row per query; rows of padding are free, but finite"
        got = numbers(call(answer, **case), shape=shape, input=case, form=form)
        rows = got[is_token]
        faults = (
            (np.triu(got, 1)[is_token].any(), "May a query see what comes after it?"),
            (rows[:, ~is_token].any(), "How much weight may padding get?"),
            (not np.allclose(rows.sum(axis=1), 1), "What do the weights of a query add up to?"),
        )
        is_right = close(rows, _among_padding(**case))
        require(is_right, input=case, got=got, hint=hint_for(faults, hint))


def _among_padding(scores, is_token, slope):
    """The weights of the queries that are tokens."""
    places = np.flatnonzero(is_token)
    weights = np.zeros((len(places), len(is_token)))
    for row, m in enumerate(places):
        seen = places[: row + 1]
        weights[row, seen] = attention.softmax(scores[m, seen] + slope * np.arange(row + 1))
    return weights
