"""Checks for the exercises of the chapter ``relative/rope``."""

import numpy as np

from pe_lib import rope
from pe_lib.exercises._check import exercise, hint_for, require, require_close
from pe_lib.exercises._offsets import leads, offset_scores
from pe_lib.exercises._reader import call, numbers, word
from pe_lib.exercises._show import Words
from pe_lib.frequencies import frequencies


@exercise("rope-score-by-hand")
def score_by_hand(answer):
    """Two scores of one pair, omega = pi/6: at (m, n) = (4, 5), then at (5, 4)."""
    case = {"q": (1, 0), "k": (0, 1), "m": 4, "n": 5}
    form = "the scores for (m, n) = (4, 5) and for (5, 4)"
    got = numbers(answer, shape=(2,), input=case, form=form)

    def score(m, n):
        at_m = rope.rotate([[1.0, 0.0]], m, [np.pi / 6], layout="interleaved")[0]
        return at_m @ rope.rotate([[0.0, 1.0]], n, [np.pi / 6], layout="interleaved")[0]

    faults = (
        (abs(got[0] + score(4, 5)) < 1e-3, "The key comes later here. Which way does it turn?"),
    )
    draw = "Only the offset counts. What does k look like after that many steps of pi/6? Draw it."
    back = "Only the sign of the offset has changed. Which way does k turn now?"
    # Within a thousandth: three decimals are enough by hand.
    require_close(got[0], score(4, 5), input=case, hint=hint_for(faults, draw), rtol=2e-3)
    case |= {"m": 5, "n": 4}
    require_close(got[1], score(5, 4), input=case, hint=back, rtol=2e-3)


@exercise("rope-unknown-layout")
def unknown_layout(answer):
    """A function of (x, rotated) that names the layout of the rotation."""
    rng = np.random.default_rng(0)
    for dim, rows in ((4, 1), (8, 6), (64, 6)):
        for layout in ("interleaved", "half", "interleaved"):
            x = rng.standard_normal((rows, dim)).round(1)
            omega = rng.uniform(0.1, 3, dim // 2)
            positions = rng.integers(1, 2000, rows)
            case = {"x": x, "rotated": rope.rotate(x, positions, omega, layout=layout)}
            got = word(call(answer, **case), choices=("interleaved", "half"), input=case)
            hint = (
                "You know neither the positions nor the frequencies, so look for something that "
                "every rotation keeps. In which channels is it kept?"
            )
            require(got == layout, input=case, got=got, hint=hint)


@exercise("rope-cached-decoding")
def cached_decoding(answer):
    """A function of (q, k, cached_keys, omega): scores of new queries with all keys."""
    rng = np.random.default_rng(0)
    start = "Nothing is in the cache yet. At which position does each of the new tokens stand?"
    cached = (
        "At which position does the first new token stand? Which of the keys have been turned "
        "already?"
    )
    layout = "It is right for two channels. Which channels form a pair if there are more?"
    cases = ((0, 2, 2, start), (2, 1, 2, cached), (0, 2, 4, layout), (7, 3, 8, cached))
    for past_length, length, dim, hint in (*cases, (50, 1, 8, cached)):
        q, k = rng.standard_normal((2, past_length + length, dim)).round(1)
        omega, positions = frequencies(dim), np.arange(past_length + length)
        turned_q, turned_k = (rope.rotate(x, positions, omega, layout="half") for x in (q, k))
        case = {"q": q[past_length:], "k": k[past_length:]}
        case |= {"cached_keys": turned_k[:past_length], "omega": omega}
        want = turned_q[past_length:] @ turned_k.T
        form = "one row per new query, one column per key, cached keys first"
        got = numbers(call(answer, **case), shape=want.shape, input=case, form=form)
        require_close(got, want, input=case, hint=hint)


@exercise("rope-previous-token")
def previous_token(answer):
    """A query and a key of 64 channels whose causal score is largest one token back."""
    case = {"offsets": Words("-512, ..., 0")}
    q, k = numbers(answer, shape=(2, 64), input=case, form="the query, and then the key")
    offsets = np.arange(-512, 2)
    scores = offset_scores(q, k, frequencies(64), offsets)
    ahead, past, offsets = offsets[scores.argmax()] == 1, scores[:-1], offsets[:-1]
    best = offsets[past.argmax()]
    faults = (
        (np.allclose(q, k), "With q = k, where is the largest score, and why there?"),
        (ahead, "At offset 1 your score would be larger still. Which way must a turn go?"),
    )
    otherwise = (
        "At offset -1 the score is q . R k, where R turns each pair of k, channels i and i + 32, "
        "one step back. When is the product of two vectors of given lengths largest?"
    )
    got = Words(f"its largest score at offset {best}")
    require(leads(past, offsets == -1), input=case, got=got, hint=hint_for(faults, otherwise))


@exercise("rope-xpos")
def xpos(answer):
    """A function of (q, k, m, n, omega, zeta) that gives the score of xPos."""
    rng = np.random.default_rng(0)
    equal = "At equal positions nothing turns and nothing fades. What is then left of the score?"
    past = "One token further back, how much weaker is the part of a pair? How far does it turn?"
    future = "The key stands in the future here. What changes in the turn, and what in the weight?"
    layout = "It is right for two channels. Which channels form a pair if there are more?"
    cases = ((2, 0, 0, equal), (2, 3, 3, equal), (2, 1, 0, past), (2, 0, 1, future))
    for dim, m, n, hint in (*cases, (4, 1, 0, layout), (6, 40, 12, past), (6, 41, 13, past)):
        q, k = rng.standard_normal((2, dim)).round(1)
        omega, zeta = frequencies(dim), np.linspace(0.8, 0.99, dim // 2)
        case = {"q": q, "k": k, "m": m, "n": n, "omega": omega, "zeta": zeta}
        products = (q[0::2] - 1j * q[1::2]) * (k[0::2] + 1j * k[1::2])
        weights = zeta ** float(m - n) * np.exp(1j * omega * (n - m))
        got = numbers(call(answer, **case), shape=(), input=case, form="the score")
        require_close(got, (products * weights).real.sum(), input=case, hint=hint)
