"""Figures of the chapter ``context/interpolation``."""

import numpy as np

from pe_lib import context
from pe_lib.frequencies import frequencies
from pe_lib.plots import style

_ROPE = style.COLORS["rope"]


def seen_and_met(axes, omega, pairs, *, trained, length):
    """Draw, pair by pair, the angles that training showed and those that a longer context adds.

    A pair starts to the right and turns counterclockwise. What it turns beyond the training is
    drawn further out, so that a second round shows.

    Parameters
    ----------
    axes : sequence of Axes
        One for each of ``pairs``.
    omega : array_like, shape (D/2,)
        In rad per token.
    pairs : sequence of int
    trained, length : int
        Number of tokens in training, and now.
    """
    for ax, pair in zip(axes, pairs, strict=True):
        seen, met = omega[pair] * (trained - 1), omega[pair] * (length - 1)
        _arc(ax, 0, 2 * np.pi, 1.0, color=style.FAINT, lw=0.8)
        _arc(ax, 0, min(seen, 2 * np.pi), 1.0, color=style.INK, lw=4)
        if seen < 2 * np.pi:
            _arc(ax, seen, min(met, 2 * np.pi), 1.0, color=_ROPE, lw=4)
        ax.plot([0, 1], [0, 0], color=style.FAINT, lw=0.8)
        ax.set(aspect="equal", xlim=(-1.25, 1.25), ylim=(-1.25, 1.25))
        ax.set_axis_off()
        ax.set_title(f"pair {pair}", loc="center")
        turns = f"{_count(seen)} → {_count(met)} turns"
        ax.text(0, -1.5, turns, color=style.INK, ha="center", va="center", fontsize=9)


def turns_per_pair(ax, dim, *, base, trained, length):
    """Draw how far each pair turns: in training, and in a longer context by three methods.

    Parameters
    ----------
    ax : Axes
    dim : int
        Number of rotated channels.
    base : float
    trained, length : int
        Number of tokens in training, and now; the factor of both methods is their ratio.
    """
    factor, pair = length / trained, np.arange(dim // 2)
    omega = frequencies(dim, base=base)
    slower = context.ntk(dim, base=base, factor=factor).frequencies

    def turns(omega, tokens):
        return omega * (tokens - 1) / (2 * np.pi)

    seen, met = turns(omega, trained), turns(omega, length)
    open_pairs = pair[2 * np.pi / omega > trained]
    ax.fill_between(
        open_pairs,
        seen[open_pairs],
        np.minimum(met[open_pairs], 1),
        color=_ROPE,
        alpha=0.25,
        lw=0,
    )
    ax.axhline(1, color=style.FAINT, lw=0.8, ls="--")
    ax.text(1, 1.15, "one full turn", color=style.FAINT, va="bottom")
    ax.plot(pair, met, color=_ROPE, label=f"{length} tokens, unchanged")
    ax.plot(pair, turns(slower, length), color=_ROPE, ls="--", label=f"{length}, NTK-aware")
    ax.plot(pair, seen, color=style.INK, lw=2.6, label=f"{trained}, in training")
    dots = {"color": _ROPE, "ls": ":", "lw": 2.6, "label": f"{length}, interpolated"}
    ax.plot(pair, turns(omega / factor, length), **dots)
    ax.legend(labelcolor=style.INK, frameon=False)
    ax.set(yscale="log", xlim=(0, pair[-1]), xlabel="pair i")
    ax.set_ylabel("full turns, first to last token")
    ax.minorticks_off()


def fitted_scores(axes, kernels, *, trained):
    """Draw scores that were fitted within the training length: inside, beyond, and between.

    Parameters
    ----------
    axes : sequence of two Axes
        For whole distances to twice the training length, and for twelve of them closely.
    kernels : dict of str to callable
        Name -> the score as a function of an array of distances; the first is drawn closely.
    trained : int
        Number of tokens in training.
    """
    wide, close = axes
    t = np.arange(0, 2 * trained, 8)
    colors = (_ROPE, style.COLORS["query"])
    for place, (name, kernel) in enumerate(kernels.items()):
        wide.plot(t, kernel(t), color=colors[place], lw=1.2)
        wide.text(0.05 * trained, -(50 ** (place + 1)), name, color=colors[place], va="center")
    wide.axvline(trained, color=style.FAINT, lw=0.8, ls="--")
    for x, name, side in ((0.98, "training", "right"), (1.02, "beyond", "left")):
        wide.text(x * trained, 4e4, name, color=style.FAINT, ha=side, va="top")
    wide.set_yscale("symlog", linthresh=1)
    wide.set(xlim=(0, 2 * trained), ylim=(-1e5, 5e4))
    wide.set(xlabel="distance m − n (tokens)", ylabel="score (logits)")
    ticks = [-1e4, -100, -1, 0, 1, 100, 1e4]
    wide.set_yticks(ticks, [f"{tick:g}".replace("-", "−") for tick in ticks])
    wide.minorticks_off()
    kernel = next(iter(kernels.values()))
    whole, fine = np.arange(13), np.arange(0, 12.01, 0.1)
    close.plot(fine, kernel(fine), color=colors[0], lw=1.2)
    close.plot(whole, kernel(whole), "o", color=style.INK, ms=4)
    close.axhline(0, color=style.FAINT, lw=0.8)
    close.set(xlabel="distance m − n (tokens)", xlim=(-0.5, 12.5))
    close.set_title("close by")


def previous_token_scores(ax, omega, scaled, *, width):
    """Draw the score of a head that was made to look one token back, after a change.

    Every pair of its query stands as if one token earlier than its key, at ``omega``.

    Parameters
    ----------
    ax : Axes
    omega : array_like, shape (D/2,)
        In training, in rad per token.
    scaled : dict of str to array_like, shape (D/2,)
        Name -> frequencies that are used now, with at most three names.
    width : int
        Drawn are the offsets -width, ..., 0.
    """
    offsets, fine = np.arange(-width, 1), np.arange(-width, 0.01, 0.125)
    drawn = zip(scaled.items(), ("-", ":", "--")[: len(scaled)], strict=True)
    for (name, now), line in drawn:

        def score(offset, now=now):
            return np.cos(omega + np.multiply.outer(offset, now)).mean(axis=-1)

        color = style.INK if line == "-" else _ROPE
        ax.plot(fine, score(fine), color=color, ls=line, lw=1.6)
        best = offsets[score(offsets).argmax()]
        ax.plot(best, score(best), "o", color=color, ms=6)
        ax.text(-width, score(-width), f"{name} ", color=color, ha="right", va="center")
    ax.set(xlabel="offset n − m (tokens)", ylabel="score per pair")
    ax.set_xlim(-1.32 * width, 0.3)
    ax.set_xticks(np.arange(-width, 1, max(1, width // 4)))


def _arc(ax, start, end, radius, **options):
    """Draw part of a circle, with as few points as look round."""
    angle = np.linspace(start, end, max(2, int(abs(end - start) / 0.1) + 1))
    ax.plot(radius * np.cos(angle), radius * np.sin(angle), solid_capstyle="butt", **options)


def _count(angle):
    """Full turns in an angle, to two digits or to whole turns."""
    turns = angle / (2 * np.pi)
    return f"{turns:.0f}" if turns >= 10 else f"{turns:.2g}"
