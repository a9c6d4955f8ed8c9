"""Checks for the exercises of the chapter ``context/interpolation``."""

import numpy as np

from pe_lib import rope
from pe_lib.exercises._check import call, exercise, numbers, require, require_close
from pe_lib.frequencies import frequencies


@exercise("interpolation-first-unfinished")
def first_unfinished(answer):
    """A function that gives the first pair that does not close its circle in training."""
    settings = ((8, 10_000.0, 10), (128, 10_000.0, 2048), (128, 500_000.0, 8192), (64, 100.0, 4096))
    for dim, base, trained in settings:
        unfinished = 2 * np.pi / frequencies(dim, base=base) > trained
        want = int(unfinished.argmax()) if unfinished.any() else dim // 2
        require_close(
            call(answer, dim, base, trained),
            want,
            input=(dim, base, trained),
            hint="A pair is unfinished if its wavelength is longer than the training. Where no "
            "pair is, the answer is the number of all pairs.",
        )


@exercise("interpolation-look-back")
def look_back(answer):
    """A function that gives the query that looks one token back after interpolation."""
    rng = np.random.default_rng(0)
    for dim, factor in ((2, 1.0), (2, 2.0), (64, 1.0), (64, 4.0), (64, 16.0)):
        k, omega = rng.standard_normal(dim), frequencies(dim)
        offsets = np.arange(-256 if dim > 2 else -3, 1)  # a single pair soon comes round again
        where = f"{dim} channels, factor {factor:g}"
        hint = "Offset -1 now turns a pair by less than it did. The score is largest where key and "
        hint += "query agree: which query does the key meet there?"
        q = numbers(call(answer, k, omega, factor), shape=(dim,), input=where, hint=hint)
        keys = rope.rotate(np.tile(k, (len(offsets), 1)), offsets, omega / factor, layout="half")
        scores = keys @ q
        best = offsets[scores.argmax()]
        lead = scores[offsets == -1][0] - scores[offsets != -1].max()
        require(
            lead > 1e-6 * np.linalg.norm(q) * np.linalg.norm(k),
            input=where,
            got=f"its largest score at offset {best}",
            hint=hint,
        )


@exercise("interpolation-choose-base")
def choose_base(answer):
    """A function that gives the smallest base at which a target length shows no new angle."""
    settings = (
        (128, 10_000.0, 2048, 4096),
        (128, 10_000.0, 4096, 32_768),
        (64, 10_000.0, 128, 1024),
        (8, 100.0, 10_000, 20_000),
    )
    for dim, base, trained, target in settings:
        omega = frequencies(dim, base=base)
        unfinished = 2 * np.pi / omega > trained
        shown = (dim, base, trained, target)
        got = call(answer, dim, base, trained, target)
        larger = float(numbers(got, shape=(), input=shown, hint="Give one base."))
        require(larger > 1, input=shown, got=got, hint="A base is greater than 1.")

        def new(larger, dim=dim, omega=omega, target=target, trained=trained):
            return frequencies(dim, base=larger) * (target - 1) >= omega * trained

        fresh = int((unfinished & new(larger)).sum())
        require(
            fresh == 0,
            input=shown,
            got=f"a base with which {fresh} of {int(unfinished.sum())} unfinished pairs meet new "
            "angles",
            hint="Changing the base slows each pair by another amount. Which unfinished pair is "
            "slowed least, and by how much must it be slowed?",
        )
        smaller = (unfinished & new(max(0.99 * larger, 1.0001))).any()
        require(
            smaller if unfinished.any() else larger <= 1.01 * base,
            input=shown,
            got=f"{larger:.4g}, more than is needed",
            hint="A smaller base would do. Which pair needs the change most? If no pair is "
            "unfinished, is any change needed?",
        )


@exercise("interpolation-by-parts")
def by_parts(answer):
    """A function that slows unfinished pairs fully, fast pairs not at all, others in between."""
    for dim, base, trained, factor in (
        (128, 10_000.0, 2048, 4.0),
        (128, 500_000.0, 8192, 8.0),
        (32, 10_000.0, 512, 1.0),
        (16, 10.0, 4096, 2.0),
    ):
        omega = frequencies(dim, base=base)
        turns = omega * trained / (2 * np.pi)
        where = f"{dim // 2} pairs, base {base:g}, {trained} tokens in training, factor {factor:g}"
        options = {"input": where, "hint": "Give one frequency for each pair."}
        got = numbers(call(answer, omega, trained, factor), shape=omega.shape, **options)
        parts = (
            (
                turns < 1,
                omega / factor,
                "less than one turn",
                "They must stay inside what they saw.",
            ),
            (turns >= 32, omega, "32 turns or more", "They have seen every angle many times."),
        )
        for part, want, name, reason in parts:
            require(
                np.allclose(got[part], want[part], rtol=1e-9, atol=0),
                input=where,
                got=f"other frequencies for the pairs with {name}",
                hint=f"Look at the pairs that make {name} in training. {reason}",
            )
        inside = (got >= omega / factor * (1 - 1e-9)) & (got <= omega * (1 + 1e-9))
        require(
            inside.all() and (np.diff(got) < 0).all(),
            input=where,
            got="frequencies that leave the range from omega / s to omega, or do not fall",
            hint="Between 1 and 32 turns, blend the two rules with a weight that follows the "
            "turns: 0 at one end, 1 at the other.",
        )
