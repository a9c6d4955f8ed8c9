"""Still pictures of the interactive figures: what they show before they live, and in print."""

import numpy as np

from pe_lib import frequencies, rope
from pe_lib.plots.style import COLORS, DIVERGING, FAINT, INK, PAPER, SEQUENTIAL, figure


def permutation_playground(words, weights, output, expected):
    """Draw attention weights, the output, and the original output with its rows moved along.

    Parameters
    ----------
    words : list of str
        T tokens in their present order.
    weights : ndarray, shape (T, T)
    output, expected : ndarray, shape (T, D)

    Returns
    -------
    Figure
    """
    height = 1.5 + 0.28 * len(words)
    fig, axes = figure(1, 3, width=7.2, height=height, width_ratios=[len(words), 4, 4])
    largest = np.abs([output, expected]).max()
    titles = ("attention weights", "Sa[PX] of this order", "P Sa[X] moved along")
    for ax, values, title in zip(axes, (weights, output, expected), titles, strict=True):
        cmap, limits = (SEQUENTIAL, (0, 1)) if ax is axes[0] else (DIVERGING, (-largest, largest))
        _cells(ax, values, cmap, *limits)
        ax.set_title(title)
        ax.set_yticks(np.arange(len(words)) + 0.5, words if ax is axes[0] else [])
    axes[0].set_xticks(np.arange(len(words)) + 0.5, words, fontsize=9)
    axes[0].set_ylabel("query")
    axes[0].set_xlabel("key")
    difference = np.abs(output - expected).max()
    fig.supxlabel(
        f"largest difference |Sa[PX] − P Sa[X]| = {difference:.12f}", fontsize=10, color=INK
    )
    return fig


def rotation_explorer(position, shift, pair, dim, frequency, matrix):
    """Draw one pair of PE(p) and of PE(p + k) as arrows, its waves, and the matrix.

    Parameters
    ----------
    position, shift, frequency : float
    pair, dim : int
    matrix : ndarray, shape (2, 2)

    Returns
    -------
    Figure
    """
    fig, (dial, waves) = figure(1, 2, width=7.2, height=2.9, width_ratios=[1, 1.6])
    ends = (
        (position, COLORS["sinusoidal"], "$p$"),
        (position + shift, COLORS["rope"], "$p + k$"),
    )
    _dial(dial)
    # The code at angle a points to (sin a, cos a): a clock's hand, turning clockwise.
    sweep = frequency * np.linspace(position, position + shift, 200)
    dial.plot(0.35 * np.sin(sweep), 0.35 * np.cos(sweep), color=FAINT, linewidth=1.4)
    dial.text(1.12, 0, "sin", va="center", color=FAINT)
    dial.text(0, 1.12, "cos", ha="center", color=FAINT)
    for at, color, name in ends:
        tip = np.array([np.sin(frequency * at), np.cos(frequency * at)])
        _arrow(dial, tip, color)
        dial.text(*(1.2 * tip), name, color=color, ha="center", va="center")

    low, high = min(0.0, position, position + shift) - 1, max(18.0, position, position + shift) + 1
    t = np.linspace(low, high, 600)
    waves.plot(t, np.sin(frequency * t), color=COLORS["sine"])
    waves.plot(t, np.cos(frequency * t), color=COLORS["cosine"])
    for at, color, name in ends:
        waves.axvline(at, color=color, linewidth=1.2)
        waves.plot([at] * 2, [np.sin(frequency * at), np.cos(frequency * at)], "o", color=color)
        waves.text(at, 1.12, name, color=color, ha="right" if name == "$p$" else "left")
    waves.set_yticks([-1, 0, 1])
    waves.set_xlabel("position (tokens)")
    (a, b), (c, d) = matrix
    fig.supxlabel(
        f"p = {position:g}, k = {shift:g}, pair {pair} of d = {dim}:   "
        f"M = [{a:.4f}, {b:.4f}; {c:.4f}, {d:.4f}]".replace("-", "−"),
        fontsize=10,
        color=INK,
    )
    return fig


def rope_dials(query, key, query_position, key_position, pair):
    """Draw one pair of a turned query and a turned key, and their score against the offset.

    Parameters
    ----------
    query, key : ndarray, shape (dim,)
    query_position, key_position, pair : int

    Returns
    -------
    Figure
    """
    omega = frequencies(len(query))
    fig, axes = figure(1, 3, width=7.2, height=2.7, width_ratios=[1, 1, 1.6])
    channels = slice(2 * pair, 2 * pair + 2)
    longest = max(np.hypot(*query[channels]), np.hypot(*key[channels]))
    sides = (("query", "m", query, query_position), ("key", "n", key, key_position))
    for ax, (name, letter, vector, position) in zip(axes[:2], sides, strict=True):
        turned = rope.rotate(vector[None], position, omega, layout="interleaved")[0]
        _dial(ax)
        _arrow(ax, vector[channels] / longest, FAINT)
        _arrow(ax, turned[channels] / longest, COLORS[name])
        ax.set_title(f"{name} at {letter} = {position}")
    offsets = np.arange(-32, 33, 0.25)
    moved = rope.rotate(np.tile(key, (len(offsets), 1)), offsets, omega, layout="interleaved")
    offset = key_position - query_position
    score = moved[offsets == offset][0] @ query
    axes[2].plot(offsets, moved @ query, color=INK, linewidth=1.4)
    axes[2].plot(offset, score, "o", color=COLORS["rope"])
    axes[2].axhline(0, color=FAINT, linewidth=0.8)
    axes[2].set_xlabel("offset n − m (tokens)")
    axes[2].set_title(f"score at offset {offset}: {score:.6f}".replace("-", "−"))
    return fig


def context_explorer(seen, met, new, pair, title):
    """Draw the part of a full turn that each pair saw in training, and what it meets now.

    Parameters
    ----------
    seen, met : ndarray, shape (D/2,)
        Largest angles in training and now, in rad.
    new : ndarray of bool, shape (D/2,)
        Which pairs meet angles that they have not seen.
    pair : int
        The pair that is marked.
    title : str

    Returns
    -------
    Figure
    """
    lowest = 1e-3
    fig, ax = figure(width=7.2, height=2.9)
    number = np.arange(len(seen))
    seen, met = (np.clip(angle / (2 * np.pi), lowest, 1) for angle in (seen, met))
    used = np.minimum(seen, met)
    bottom = {"bottom": lowest, "width": 0.8}
    ax.bar(number, seen - lowest, color=FAINT, alpha=0.35, **bottom)
    ax.bar(number, used - lowest, color=FAINT, **bottom)
    above = np.where(new, np.maximum(met - seen, 0), 0)
    ax.bar(number, above, bottom=seen, width=0.8, color=COLORS["rope"])
    ax.plot(pair, lowest * 0.75, "^", color=INK, clip_on=False, ms=5)
    ax.set(yscale="log", ylim=(lowest, 1), xlim=(-0.6, len(seen) - 0.4))
    ax.set_yticks([1, 0.1, 0.01, 0.001], ["1", "1/10", "1/100", "1/1000"])
    ax.minorticks_off()
    ax.set(xlabel="pair i", ylabel="part of a full turn")
    ax.set_title(f"{title}: new angles in {int(new.sum())} of {len(seen)} pairs")
    return fig


def _cells(ax, values, cmap, low, high):
    """Draw a matrix with its numbers written in."""
    mesh = ax.pcolormesh(values, cmap=cmap, vmin=low, vmax=high, edgecolors=PAPER, linewidth=1)
    ax.set_xticks([])
    ax.invert_yaxis()
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    for (row, column), value in np.ndenumerate(values):
        red, green, blue, _ = cmap(mesh.norm(value))
        # Inside a cell the page's own text color could vanish, so these two are fixed.
        color = "#000000" if 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 else "#ffffff"
        text = f"{value:.2f}".replace("-", "−")
        ax.text(column + 0.5, row + 0.5, text, color=color, ha="center", va="center", fontsize=8)


def _dial(ax):
    """Draw an empty unit circle."""
    around = np.linspace(0, 2 * np.pi, 200)
    ax.plot(np.cos(around), np.sin(around), color=FAINT, linewidth=0.8)
    ax.set_aspect("equal")
    ax.set(xlim=(-1.3, 1.3), ylim=(-1.3, 1.3), xticks=[], yticks=[])
    ax.spines[:].set_visible(False)


def _arrow(ax, tip, color):
    """Draw an arrow from the center."""
    style = {"arrowstyle": "-|>", "color": color, "linewidth": 2, "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", tip, (0, 0), arrowprops=style)
