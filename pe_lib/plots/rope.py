"""Figures of the chapter ``relative/rope``."""

import numpy as np

from pe_lib import rope, sinusoidal
from pe_lib.frequencies import frequencies
from pe_lib.plots import style

_ONE_TURN = np.linspace(0, 2 * np.pi, 181)


def rope_arrows(ax, q, k, query_position, key_position, frequency):
    """Draw a query and a key of one pair as they stand at their positions, and their score.

    Parameters
    ----------
    ax : Axes
    q, k : array_like, shape (2,)
        Before rotation.
    query_position, key_position : float
        In tokens.
    frequency : float
        In rad per token.
    """
    radius = max(np.linalg.norm(q), np.linalg.norm(k))
    ax.plot(radius * np.cos(_ONE_TURN), radius * np.sin(_ONE_TURN), color=style.FAINT, lw=0.8)
    turned = []
    for name, x, position in (("query", q, query_position), ("key", k, key_position)):
        tip = rope.rotate([x], position, [frequency], layout="interleaved")[0]
        ax.plot([0, x[0]], [0, x[1]], ":", color=style.COLORS[name], lw=1.2)
        ax.annotate(
            "",
            xy=tip,
            xytext=(0, 0),
            arrowprops={
                "arrowstyle": "-|>",
                "color": style.COLORS[name],
                "lw": 2,
                "shrinkA": 0,
                "shrinkB": 0,
            },
        )
        label = 1.22 * radius * tip / np.linalg.norm(tip)
        ax.text(*label, name[0], color=style.COLORS[name], ha="center", va="center", style="italic")
        turned.append(tip)
    ax.set(aspect="equal", xlim=(-1.4 * radius, 1.4 * radius), ylim=(-1.8 * radius, 1.4 * radius))
    ax.set_axis_off()
    score = f"{turned[0] @ turned[1]:.3f}".replace("-", "−")
    ax.text(0, -1.75 * radius, f"score {score}", color=style.INK, ha="center")
    ax.set_title(f"m = {query_position:g}, n = {key_position:g}")


def added_and_rotated_scores(axes, q, k, length):
    """Draw the scores of one query and one key content at every pair of positions.

    Parameters
    ----------
    axes : sequence of two Axes
        For the sinusoidal encoding, added, and for RoPE.
    q, k : array_like, shape (D,)
        The contents, the same at every position.
    length : int
        Positions 0, ..., length - 1.
    """
    positions, dim = np.arange(length), len(q)
    codes = sinusoidal.encode(positions, dim)
    q, k = (np.broadcast_to(x, (length, dim)) for x in (q, k))
    added = (q + codes) @ (k + codes).T
    turned = [rope.rotate(x, positions, frequencies(dim), layout="interleaved") for x in (q, k)]
    scores = added, turned[0] @ turned[1].T
    limit = float(np.abs(scores).max())
    for ax, shown, title in zip(axes, scores, ("sinusoid added", "rotated"), strict=True):
        image = style.heat_map(ax, shown, cmap=style.DIVERGING, vmin=-limit, vmax=limit)
        ax.set_title(title, loc="left")
        ax.set(xlabel="key position n (tokens)", ylabel="query position m (tokens)")
    colorbar = axes[0].figure.colorbar
    colorbar(image, ax=list(axes), shrink=0.8, label="score, before dividing by √d")


def rope_matrices(axes, position, frequencies):
    """Draw the matrix of RoPE at one position in the interleaved and in the half layout.

    Parameters
    ----------
    axes : sequence of two Axes
    position : float
        In tokens.
    frequencies : array_like, shape (D/2,)
        In rad per token.
    """
    dim = 2 * len(frequencies)
    for ax, layout in zip(axes, ("interleaved", "half"), strict=True):
        columns = rope.rotate(np.eye(dim), position, frequencies, layout=layout)
        image = style.heat_map(ax, columns.T, cmap=style.DIVERGING, vmin=-1, vmax=1)
        ticks = np.arange(dim)
        ax.set_title(layout, loc="left")
        ax.set(xlabel="channel in", ylabel="channel out", xticks=ticks, yticks=ticks)
    axes[0].figure.colorbar(image, ax=list(axes), shrink=0.8, label="entry")


def mean_score_and_bound(ax, frequencies, max_distance):
    """Draw the mean score of equal contents against distance, with its Abel-summation bound.

    Both are per pair: every pair product is 1, so that the largest step between neighbors is the
    last one, from 1 to 0, and the bound is the mean of the moduli of the partial sums.

    Parameters
    ----------
    ax : Axes
    frequencies : array_like, shape (D/2,)
        In rad per token.
    max_distance : int
        In tokens.
    """
    distances = np.arange(max_distance + 1)
    turns = np.exp(1j * np.multiply.outer(distances, np.asarray(frequencies)))
    bound = np.abs(np.cumsum(turns, axis=1)).mean(axis=1)
    ax.plot(distances, bound, color=style.INK, lw=1.2)
    ax.plot(distances, turns.real.mean(axis=1), color=style.COLORS["rope"])
    ax.axhline(1, color=style.FAINT, lw=1, ls="--")
    ax.axhline(0, color=style.FAINT, lw=0.8)
    right = {"x": max_distance, "ha": "right", "va": "bottom"}
    ax.text(
        y=bound[max_distance // 2 :].max() * 1.05,
        s="Abel-summation bound",
        color=style.INK,
        **right,
    )
    ax.text(y=1.15, s="bound without any summation", color=style.FAINT, **right)
    ax.text(y=0.4, s="mean score", color=style.COLORS["rope"], **right)
    ax.set(xlabel="distance between query and key (tokens)", ylabel="score per pair (logits)")
    ax.set(yscale="symlog", ylim=(-0.4, 1.3 * bound[0]))  # straight up to 1, logarithmic above
    ticks = [0, 0.5, 1, 2, 5, 10, 30]
    ax.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
    ax.minorticks_off()
