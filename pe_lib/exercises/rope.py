"""Checks for the exercises of the chapter ``relative/rope``."""

import numpy as np

from pe_lib import rope
from pe_lib.exercises._check import call, exercise, numbers, require, require_close
from pe_lib.frequencies import frequencies


@exercise("rope-score-by-hand")
def score_by_hand(answer):
    """Two scores of one pair, omega = pi/6: at (m, n) = (4, 5), then at (5, 4)."""
    answer = numbers(
        answer,
        shape=(2,),
        input="(m, n) = (4, 5) and (5, 4)",
        hint="Give a tuple of two scores.",
    )
    hints = (
        "Only the offset counts. Draw k, turn it by that many steps of pi/6, and read off the "
        "coordinate that q looks at.",
        "Only the sign of the offset has changed. Which way does k turn now?",
    )
    for (m, n), got, hint in zip(((4, 5), (5, 4)), answer, hints, strict=True):
        at_m = rope.rotate([[1.0, 0.0]], m, [np.pi / 6], layout="interleaved")[0]
        at_n = rope.rotate([[0.0, 1.0]], n, [np.pi / 6], layout="interleaved")[0]
        require_close(got, at_m @ at_n, input=f"m = {m}, n = {n}", hint=hint)


@exercise("rope-unknown-layout")
def unknown_layout(answer):
    """A function that names the layout from vectors before and after rotation."""
    rng = np.random.default_rng(0)
    for dim, rows in ((4, 1), (8, 6), (64, 6)):
        for layout in ("interleaved", "half", "interleaved"):
            x = rng.standard_normal((rows, dim))
            omega = rng.uniform(0.1, 3, dim // 2)
            positions = rng.integers(1, 2000, rows)
            got = call(answer, x, rope.rotate(x, positions, omega, layout=layout))
            where = f"random vectors: {rows}, channels: {dim}"
            require(
                isinstance(got, str) and got in ("interleaved", "half"),
                input=where,
                got=got,
                hint='Return one of the two words "interleaved" and "half". To find out which: '
                "what does every rotation keep, and in which channels is it kept?",
            )
            require(
                got == layout,
                input=where,
                got=got,
                hint="You know neither the positions nor the frequencies, so look for something "
                "that every rotation keeps. In which channels is it kept?",
            )


@exercise("rope-cached-decoding")
def cached_decoding(answer):
    """A function that scores new queries against cached and new keys."""
    rng = np.random.default_rng(0)
    for past_length, length, dim in ((0, 2, 2), (1, 1, 2), (100, 1, 8), (7, 3, 8)):
        q, k = rng.standard_normal((2, past_length + length, dim))
        omega, positions = frequencies(dim), np.arange(past_length + length)
        turned_q, turned_k = (rope.rotate(x, positions, omega, layout="half") for x in (q, k))
        got = call(answer, q[past_length:], k[past_length:], turned_k[:past_length], omega)
        require_close(
            got,
            turned_q[past_length:] @ turned_k.T,
            input=f"cached keys: {past_length}, new tokens: {length}, channels: {dim}",
            hint="At which position does the first new token stand? Which keys have been turned "
            "already? One row per new query, one column per key, cached keys first.",
        )


@exercise("rope-previous-token")
def previous_token(answer):
    """A query and a key of 64 channels whose causal score is largest one token back."""
    where = "offsets -512, ..., 0"
    q, k = numbers(
        answer,
        shape=(2, 64),
        input=where,
        hint="Give a tuple (q, k) of two arrays with 64 numbers each.",
    )
    offsets = np.arange(-512, 1)
    keys = rope.rotate(np.tile(k, (len(offsets), 1)), offsets, frequencies(64), layout="half")
    scores = keys @ q
    lead = scores[offsets == -1][0] - scores[offsets != -1].max()
    require(
        lead > 1e-3 * np.linalg.norm(q) * np.linalg.norm(k),
        input=where,
        got=f"its largest score at offset {offsets[scores.argmax()]}, and {lead:.3g} as the lead "
        "of offset -1 over all others",
        hint="With q = k, where is the largest score, and why there? Then turn one of the two "
        "before it enters the layer."
        if np.allclose(q, k)
        else "At offset -1 the score is q . R k, where R turns each pair of k, channels i and "
        "i + 32, one step back. When is the product of two vectors of given lengths largest?",
    )


@exercise("rope-xpos")
def xpos(answer):
    """A function that gives the score of xPos from two contents and their positions."""
    rng = np.random.default_rng(0)
    for dim, m, n in ((2, 0, 0), (2, 3, 3), (2, 1, 0), (2, 0, 1), (6, 40, 12), (6, 41, 13)):
        q, k = rng.standard_normal((2, dim))
        omega, zeta = frequencies(dim), np.linspace(0.8, 0.99, dim // 2)
        products = [
            complex(*q[2 * i : 2 * i + 2]).conjugate() * complex(*k[2 * i : 2 * i + 2])
            for i in range(dim // 2)
        ]
        weights = zeta ** float(m - n) * np.exp(1j * omega * (n - m))
        require_close(
            call(answer, q, k, m, n, omega, zeta),
            (products * weights).real.sum(),
            input=f"{dim} channels, m = {m}, n = {n}",
            hint="At equal positions the score must be q . k. One token further into the past, "
            "by what is each pair's part multiplied, and by how much is it turned?",
        )
