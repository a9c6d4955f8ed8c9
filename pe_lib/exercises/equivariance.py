"""Checks for the exercises of the chapter ``why/equivariance``."""

import itertools

import numpy as np

from pe_lib import attention
from pe_lib.exercises._check import call, exercise, numbers, require

_KINDS = ("invariant", "equivariant", "neither")

#: The six maps of the exercise, each on an array whose rows are tokens.
_MAPS = {
    "a": lambda x: x.max(axis=0),
    "b": lambda x: x - x.mean(axis=0),
    "c": lambda x: np.cumsum(x, axis=0),
    "d": lambda x: x / np.linalg.norm(x, axis=1, keepdims=True),
    "e": lambda x: x[np.argsort(x[:, 0])],
    "f": lambda x: x @ x.T,
}


@exercise("equivariance-classify")
def classify(answer):
    """Compare the reader's words with what one swap of rows does."""
    letters = ", ".join(_MAPS)
    require(
        isinstance(answer, dict) and set(answer) == set(_MAPS),
        input="the answer as a whole",
        got=answer,
        hint=f"Give a dictionary with the keys {letters}, one word for each.",
    )
    x, order = np.array([[3.0, 4.0], [1.0, 0.0]]), [1, 0]
    for letter, function in _MAPS.items():
        require(
            isinstance(answer[letter], str) and answer[letter] in _KINDS,
            input=f"map {letter}",
            got=answer[letter],
            hint=f"Each word is one of {', '.join(_KINDS)}.",
        )
        shuffled, plain = function(x[order]), function(x)
        stays = np.allclose(shuffled, plain)
        follows = len(plain) == len(x) and np.allclose(shuffled, plain[order])
        fits = {"invariant": stays, "equivariant": follows, "neither": not (stays or follows)}
        require(
            fits[answer[letter]],
            input=f"map {letter} on X = {x.tolist()} and on its two rows swapped",
            got=answer[letter],
            hint="Compute f(PX) by hand, then compare it with f(X) and with P f(X). "
            "Only the rows may have moved.",
        )


@exercise("equivariance-multiset")
def multiset(answer):
    """Run one attention layer on "very very good" and on the reader's longer sentence."""
    require(
        isinstance(answer, (list, tuple))
        and all(isinstance(word, str) for word in answer)
        and set(answer) == {"very", "good"}
        and len(answer) > 3,
        input="the answer as a whole",
        got=answer,
        hint='Give a list of more than three words; each is "very" or "good", and both occur.',
    )
    rng = np.random.default_rng(0)
    embedding = dict(zip(("very", "good"), rng.standard_normal((2, 4)), strict=True))
    projections = rng.standard_normal((3, 4, 4))

    def outputs(sentence):
        x = np.array([embedding[word] for word in sentence])
        return dict(zip(sentence, attention.attention(*(x @ projections)), strict=True))

    wanted, got = outputs(["very", "very", "good"]), outputs(answer)
    for word in ("very", "good"):
        require(
            np.allclose(got[word], wanted[word]),
            input=" ".join(answer),
            got=f'another output at "{word}" than in "very very good"',
            hint="Write out one row of softmax. Equal keys have equal exponentials: collect them "
            "in the numerator and in the denominator, and see which numbers remain.",
        )


@exercise("equivariance-survivors")
def survivors(answer):
    """Compare with every order, on masks whose symmetries differ."""
    near = np.abs(np.subtract.outer(np.arange(4), np.arange(4))) <= 1
    ring = np.isin(np.subtract.outer(np.arange(5), np.arange(5)) % 5, (0, 1, 4))
    window = near & attention.causal_mask(4)
    hints = {
        "all may see all": "With nothing forbidden, no shuffle can be noticed.",
        "causal": "The token that only sees itself: where can it go? And then the next one?",
        "neighbors only": "Rows and columns must be shuffled by the same order.",
        "neighbors on a circle": "Compare the whole mask, not only its row sums.",
        "causal window": "A mask need not be symmetric; compare mask[i, j] in this direction.",
    }
    masks = (np.ones((3, 3), bool), attention.causal_mask(4), near, ring, window)
    for (name, hint), mask in zip(hints.items(), masks, strict=True):
        got = call(answer, mask.copy())
        try:
            found = {tuple(int(i) for i in order) for order in got}
        except (TypeError, ValueError):
            found = None
        right = {
            order
            for order in itertools.permutations(range(len(mask)))
            if (mask[np.ix_(order, order)] == mask).all()
        }
        require(found == right, input=f"{name}: {mask.astype(int).tolist()}", got=got, hint=hint)


@exercise("equivariance-detector")
def detector(answer):
    """Run the reader's two causal layers on every place of A and B among others."""
    layers = numbers(
        answer,
        shape=(2, 3, 5, 5),
        input="all weights together",
        hint="For each of the two layers give w_q, w_k and w_v, each 5 by 5.",
    )
    require(
        np.abs(layers).max() <= 1000,
        input="all weights together",
        got=f"a weight of size {np.abs(layers).max():g}",
        hint="A score needs to be large against 0, but not beyond 1000.",
    )
    for length in range(2, 17):
        places = np.array(list(itertools.permutations(range(length), 2)))  # of A and of B
        tokens = np.full((len(places), length), 2)
        np.put_along_axis(tokens, places, [[0, 1]], axis=1)
        last = _two_causal_layers(np.eye(5)[tokens], layers)[:, -1, 4]
        right = (last > 0) == (places[:, 0] < places[:, 1])
        first_wrong = right.argmin()
        too_high = last[first_wrong] > 0
        require(
            right.all(),
            input=" ".join("AB."[token] for token in tokens[first_wrong]),
            got=f"{last[first_wrong]:.3g} in the last channel of the last output",
            hint="Look at channel 3 after the first layer: at the place of B it should tell "
            "whether A was seen. Then ask whether the second layer reads that place alone"
            + (
                ", and what is left of the others: no weight of a softmax is ever 0."
                if too_high
                else ". How small can the share of A be at B, and does channel 4 still show it?"
            ),
        )


def _two_causal_layers(x, layers):
    """Two layers of one causal head each, with residual connections; x is (..., T, 5)."""
    mask = attention.causal_mask(x.shape[-2])
    for w_q, w_k, w_v in layers:
        x = x + attention.attention(x @ w_q, x @ w_k, x @ w_v, mask=mask)
    return x
