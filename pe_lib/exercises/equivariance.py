"""Checks for the exercises of the chapter ``why/equivariance``."""

import itertools

import numpy as np

from pe_lib import attention
from pe_lib.exercises._check import exercise, hint_for, require
from pe_lib.exercises._reader import Wrong, call, items, numbers, word
from pe_lib.exercises._show import Words

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
    x, order = np.array([[3.0, 4.0], [1.0, 0.0]]), [1, 0]
    if not isinstance(answer, dict) or set(answer) != set(_MAPS):
        hint = f"The result should be a dictionary with the keys {', '.join(_MAPS)}."
        raise Wrong(input={"X": x}, got=answer, hint=hint)
    for letter, function in _MAPS.items():
        case = {"map": letter, "X": x}
        choices = ("invariant", "equivariant", "neither")
        kind = word(answer[letter], choices=choices, input=case)
        shuffled, plain = function(x[order]), function(x)
        stays = np.allclose(shuffled, plain)
        follows = len(plain) == len(x) and np.allclose(shuffled, plain[order])
        fits = {"invariant": stays, "equivariant": follows, "neither": not (stays or follows)}
        hint = (
            "Swap the two rows of X and compute the map by hand. Is it f(X) again, or f(X) with "
            "its rows swapped and nothing else?"
        )
        require(fits[kind], input=case, got=kind, hint=hint)


@exercise("equivariance-multiset")
def multiset(answer):
    """Run one attention layer on "very very good" and on the reader's longer sentence."""
    short = ["very", "very", "good"]
    form = 'a list of 4 to 100 words, each "very" or "good", and both occur'
    case = {"sentence": " ".join(short)}
    given = items(answer, most=101, input=case, form=form)
    is_sentence = all(type(item) in (str, np.str_) for item in given) and 3 < len(given) < 101
    if not is_sentence or set(given) != set(short):
        raise Wrong(input=case, got=answer, hint=f"The result should be {form}.")
    rng = np.random.default_rng(0)
    embedding = dict(zip(("very", "good"), rng.standard_normal((2, 4)), strict=True))
    projections = rng.standard_normal((3, 4, 4))

    def outputs(sentence):
        x = np.array([embedding[word] for word in sentence])
        return dict(zip(sentence, attention.attention(*(x @ projections)), strict=True))

    wanted, got = outputs(short), outputs(given)
    mean = "Every output is a weighted mean of two values. Which weight has your sentence changed?"
    faults = ((given.count("very") == given.count("good"), mean),)
    otherwise = (
        "Write out one row of softmax. Equal keys have equal exponentials: collect them in the "
        "numerator and in the denominator. Which numbers remain?"
    )
    require(
        all(np.allclose(got[text], wanted[text]) for text in short),
        input={"sentence": " ".join(given)},
        got=Words('other outputs than "very very good"'),
        hint=hint_for(faults, otherwise),
    )


@exercise("equivariance-survivors")
def survivors(answer):
    """A function of (mask) that lists the orders which leave the mask as it is."""
    for mask, too_many, missing in _masks():
        case = {"mask": mask}
        found = _orders(call(answer, **case), case)
        right = [
            order
            for order in itertools.permutations(range(len(mask)))
            if (mask[np.ix_(order, order)] == mask).all()
        ]
        faults = (
            (not set(found) <= set(right), too_many),
            (not set(found) >= set(right), missing),
        )
        hint = hint_for(faults, "Is any order listed twice?")
        require(sorted(found) == right, input=case, got=found, hint=hint)


def _masks():
    """Masks, each with a hint if too many orders pass it and one if too few do."""
    near = np.abs(np.subtract.outer(np.arange(4), np.arange(4))) <= 1
    ring = np.isin(np.subtract.outer(np.arange(5), np.arange(5)) % 5, (0, 1, 4))
    one_way = np.array([[1, 0, 0], [1, 1, 0], [0, 0, 1]], dtype=bool)
    every = "Nothing is forbidden here. Which order could be noticed?"
    first = "The token that only sees itself: where can it go? And then the next one?"
    identity = "Is there an order that no mask can notice?"
    sums = "Some rows have equal sums here. Are two masks equal if their row sums are?"
    both_axes = "When the rows are shuffled, what happens to the columns?"
    diagonal = "May every token see itself here? Is that a part of the mask?"
    both_ways = "A mask need not be symmetric. Which entries does your code compare?"
    circle = "Every token has two neighbors on a circle. Which turns could be noticed?"
    return (
        (np.ones((3, 3), dtype=bool), every, every),
        (attention.causal_mask(4), first, identity),
        (near, sums, both_axes),
        (np.diag([True, True, False]), diagonal, both_axes),
        (one_way, both_ways, identity),
        (one_way.T, both_ways, identity),
        (ring, sums, circle),
    )


def _orders(got, case):
    """What the answer listed, as tuples of whole numbers."""
    size = len(case["mask"])
    form = f"a list of orders, each a tuple of the places 0 to {size - 1}"
    reading = {"input": case, "form": form}
    # Each order twice would be 240 for five tokens; an iterator may never end.
    listed = items(got, most=1000, **reading)
    orders = [tuple(items(order, most=size + 1, **reading)) for order in listed]
    whole = all(isinstance(place, (int, np.integer)) for order in orders for place in order)
    require(whole, input=case, got=listed, hint=f"The result should be {form}.")
    return orders


@exercise("equivariance-detector")
def detector(answer):
    """Run the reader's two causal layers on every place of A and B among others."""
    form = "for each of the two layers w_q, w_k and w_v, each 5 by 5"
    layers = numbers(answer, shape=(2, 3, 5, 5), input={"sentence": "A B"}, form=form)
    for length in range(2, 17):
        places = np.array(list(itertools.permutations(range(length), 2)))  # of A and of B
        tokens = np.full((len(places), length), 2)
        np.put_along_axis(tokens, places, [[0, 1]], axis=1)
        cases = [{"sentence": " ".join("AB."[token] for token in row)} for row in tokens]
        x = np.eye(5)[tokens]
        with np.errstate(all="ignore"):  # a warning would look like one of the reader's code
            for weights in layers:
                x = _causal_layer(x, weights, cases)
        last = x[:, -1, 4]
        right = (last > 0) == (places[:, 0] < places[:, 1])
        wrong = right.argmin()
        got = Words(f"{last[wrong]:.3g} in channel 4 of the last output")
        require(right.all(), input=cases[wrong], got=got, hint=_detector_hint(last[wrong]))


def _causal_layer(x, weights, cases):
    """One causal head with a residual connection; x is (cases, T, 5)."""
    w_q, w_k, w_v = weights
    q, k, mask = x @ w_q, x @ w_k, attention.causal_mask(x.shape[1])
    scores = np.abs(q @ k.swapaxes(1, 2))[:, mask].max(axis=1) / np.sqrt(5)
    loud = ~(scores <= 300)  # so are overflow and NaN
    require(
        not loud.any(),
        input=cases[loud.argmax()],
        got=Words(f"a score of size {scores[loud.argmax()]:.4g}"),
        # Far beyond it, exponentials become 0, which no weight of a softmax is.
        hint="No score may be beyond 300. How far must one score be above the others?",
    )
    return x + attention.weights(q, k, mask=mask) @ (x @ w_v)


def _detector_hint(last):
    faults = (
        (
            last == 0,
            "Nothing arrives in channel 4. What must it hold for this sentence, and what for the "
            "same one with A and B exchanged?",
        ),
        (
            last > 0,
            "B comes first. Does the second layer read the place of B alone? What is left of the "
            "others, if no weight of a softmax is ever 0?",
        ),
    )
    otherwise = (
        "A comes first. What does the place of B know after the first layer? How small can the "
        "share of A be there, and does channel 4 still show it?"
    )
    return hint_for(faults, otherwise)
