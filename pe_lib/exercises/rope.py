"""Checks for the exercises of the chapter ``relative/rope``."""

import numpy as np

from pe_lib import rope
from pe_lib.exercises._check import call, exercise, require, require_close
from pe_lib.frequencies import frequencies


@exercise("rope-score-by-hand")
def score_by_hand(answer):
    """Two scores of one pair, omega = pi/6: at (m, n) = (4, 5), then at (5, 4)."""
    q, k = np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]])
    hints = (
        "The score is q . R(n - m) k. Draw k, turn it counterclockwise by one step, and look at "
        "its first coordinate.",
        "Only the sign of the offset changed. Which way does k turn now?",
    )
    for place, hint in enumerate(hints):
        m, n = ((4, 5), (5, 4))[place]
        at_m = rope.rotate(q, m, [np.pi / 6], layout="interleaved")[0]
        at_n = rope.rotate(k, n, [np.pi / 6], layout="interleaved")[0]
        try:
            got = answer[place]
        except (TypeError, KeyError, IndexError):
            require(False, input="two scores", got=answer, hint="Give a tuple: two numbers.")
        require_close(got, at_m @ at_n, input=f"m = {m}, n = {n}", hint=hint)


@exercise("rope-unknown-layout")
def unknown_layout(answer):
    """A function that names the layout from vectors before and after rotation."""
    rng = np.random.default_rng(0)
    for dim in (4, 8, 64):
        for layout in ("interleaved", "half", "interleaved"):
            x = rng.standard_normal((6, dim))
            omega = rng.uniform(0.1, 3, dim // 2)
            positions = rng.integers(0, 2000, 6)
            got = call(answer, x.copy(), rope.rotate(x, positions, omega, layout=layout))
            require(
                isinstance(got, str) and got == layout,
                input=f"6 vectors of {dim} channels, rotated at {positions.tolist()}",
                got=got,
                hint="You know neither the positions nor the frequencies, so look for something "
                "that every rotation keeps. In which channels is it kept?",
            )


@exercise("rope-cached-decoding")
def cached_decoding(answer):
    """A function that scores new queries against cached and new keys."""
    rng = np.random.default_rng(0)
    for past_length, length, dim in ((0, 4, 4), (3, 1, 4), (100, 1, 8), (7, 3, 8)):
        q, k = rng.standard_normal((2, past_length + length, dim))
        omega = frequencies(dim)
        positions = np.arange(past_length + length)
        turned_q, turned_k = (rope.rotate(x, positions, omega, layout="half") for x in (q, k))
        got = call(
            answer,
            q[past_length:].copy(),
            k[past_length:].copy(),
            turned_k[:past_length].copy(),
            omega.copy(),
        )
        shape = (length, past_length + length)
        where = f"{past_length} cached keys, {length} new tokens"
        require(
            np.shape(got) == shape,
            input=where,
            got=f"shape {np.shape(got)}",
            hint="One row per new query, one column per key, cached keys first.",
        )
        require_close(
            got,
            turned_q[past_length:] @ turned_k.T,
            input=where,
            hint="At which position does the first new token stand? And which of the keys have "
            "been turned already?",
        )


@exercise("rope-previous-token")
def previous_token(answer):
    """A query and a key of 64 channels whose causal score is largest one token back."""
    shape_hint = "Give a tuple (q, k) of two arrays with 64 numbers each."
    try:
        q, k = (np.asarray(x, dtype=float) for x in answer)
    except (TypeError, ValueError):
        require(False, input="q, k", got=answer, hint=shape_hint)
    require(
        q.shape == k.shape == (64,) and np.isfinite([q, k]).all(),
        input="q, k",
        got=f"shapes {q.shape} and {k.shape}",
        hint=shape_hint,
    )
    offsets = np.arange(-512, 1)
    keys = rope.rotate(np.tile(k, (513, 1)), offsets, frequencies(64), layout="half")
    scores = keys @ q
    others = np.delete(scores, -2)
    highest = int(offsets[scores.argmax()])
    require(
        scores[-2] - others.max() > 1e-3 * np.linalg.norm(q) * np.linalg.norm(k),
        input="offsets -512, ..., 0",
        got=f"the largest score at offset {highest}"
        + (", but hardly above another" if highest == -1 else ""),
        hint="With q = k, where is the largest score, and why there? Then turn one of the two "
        "before it enters the layer.",
    )


@exercise("rope-xpos")
def xpos(answer):
    """A function that gives the score of xPos from two contents and their positions."""
    rng = np.random.default_rng(0)
    omega, decay = frequencies(6), np.array([0.8, 0.9, 0.99])
    for m, n in ((0, 0), (3, 3), (3, 0), (0, 3), (40, 12), (41, 13)):
        q, k = rng.standard_normal((2, 6))
        want = 0.0
        for i in range(3):
            pair_q, pair_k = complex(*q[2 * i : 2 * i + 2]), complex(*k[2 * i : 2 * i + 2])
            turn = np.exp(1j * omega[i] * (n - m)) * decay[i] ** (m - n)
            want += (pair_q.conjugate() * pair_k * turn).real
        got = call(answer, q.copy(), k.copy(), m, n, omega.copy(), decay.copy())
        require_close(
            got,
            want,
            input=f"6 channels, m = {m}, n = {n}",
            hint="At equal positions the score must be q . k; one token further into the past, "
            "each pair must shrink by its own factor.",
        )
