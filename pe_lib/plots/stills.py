"""Still pictures of the interactive figures: what they show before they live, and in print."""

import matplotlib.colors
import numpy as np

from pe_lib import frequencies, rope
from pe_lib.plots.style import COLORS, DIVERGING, FAINT, INK, SEQUENTIAL, figure


def permutation_playground(words, weights, output, expected):
    """Draw the attention weights of a sentence, its output and the output that was moved along.

    Parameters
    ----------
    words : list of str
        T tokens in their present order.
    weights : ndarray, shape (T, T)
    output, expected : ndarray, shape (T, D)
    """
    fig, axes = figure(1, 3, width=7.2, height=2.9, width_ratios=[len(words), 4, 4])
    span = np.abs([output, expected]).max()
    signed = matplotlib.colors.Normalize(-span, span)
    titles = ("attention weights", "output Sa[PX]", "moved along P Sa[X]")
    for ax, values, title in zip(axes, (weights, output, expected), titles, strict=True):
        weighing = ax is axes[0]
        cmap = SEQUENTIAL if weighing else DIVERGING
        norm = matplotlib.colors.Normalize(0, 1) if weighing else signed
        _cells(ax, values, cmap, norm)
        ax.set_title(title)
        ax.set_yticks(np.arange(len(words)) + 0.5, words if weighing else [""] * len(words))
        if weighing:
            ax.set_xticks(np.arange(len(words)) + 0.5, words, rotation=30)
    axes[0].set_ylabel("query")
    axes[0].set_xlabel("key")
    largest = np.abs(output - expected).max()
    fig.supxlabel(f"largest difference |Sa[PX] − P Sa[X]| = {largest:.12f}", fontsize=10)
    return fig


def rotation_explorer(position, shift, pair, dim, frequency, matrix):
    """Draw one pair of PE(p) and of PE(p + k) as arrows, and the matrix between them."""
    fig, (dial, waves) = figure(1, 2, width=7.2, height=2.9, width_ratios=[1, 1.5])
    start, turn = frequency * position, frequency * shift
    sweep = start + np.linspace(0, turn, 200)
    _dial(dial)
    dial.plot(0.55 * np.sin(sweep), 0.55 * np.cos(sweep), color=FAINT, linewidth=1.2)
    for angle, color, name in (
        (start, COLORS["sinusoidal"], "PE(p)"),
        (start + turn, COLORS["rope"], "PE(p + k)"),
    ):
        _arrow(dial, np.sin(angle), np.cos(angle), color)
        dial.text(1.2 * np.sin(angle), 1.2 * np.cos(angle), name, color=color, ha="center")
    dial.set_xlabel(f"sin (channel {2 * pair})")
    dial.set_ylabel(f"cos (channel {2 * pair + 1})")

    low, high = sorted((position, position + shift))
    t = np.linspace(min(0, low), max(20, high + 2), 600)
    waves.plot(t, np.sin(frequency * t), color=COLORS["sine"])
    waves.plot(t, np.cos(frequency * t), color=COLORS["cosine"])
    for at, color in ((position, COLORS["sinusoidal"]), (position + shift, COLORS["rope"])):
        waves.axvline(at, color=color, linewidth=1.2)
        waves.plot([at] * 2, [np.sin(frequency * at), np.cos(frequency * at)], "o", color=color)
    waves.set_yticks([-1, 0, 1])
    waves.set_xlabel("position (tokens)")
    waves.set_title(f"p = {position:g}, k = {shift:g}, pair {pair} of d = {dim}")
    rows = "   ".join("(" + ", ".join(f"{value:.6f}" for value in row) + ")" for row in matrix)
    fig.supxlabel(f"rows of M_k:  {rows}", fontsize=10)
    return fig


def rope_dials(query, key, query_position, key_position, pair):
    """Draw one pair of a query and of a key, turned by their positions, and score against offset."""
    dim = len(query)
    omega = frequencies(dim)
    fig, axes = figure(1, 3, width=7.2, height=2.7, width_ratios=[1, 1, 1.5])
    channels = slice(2 * pair, 2 * pair + 2)
    sides = (
        ("query", query, query_position, "m"),
        ("key", key, key_position, "n"),
    )
    span = max(np.hypot(*query[channels]), np.hypot(*key[channels]))
    for ax, (name, vector, position, letter) in zip(axes[:2], sides, strict=True):
        turned = rope.rotate(vector[None], position, omega, layout="interleaved")[0]
        _dial(ax)
        _arrow(ax, *(vector[channels] / span), FAINT)
        _arrow(ax, *(turned[channels] / span), COLORS[name])
        ax.set_title(f"{name} at {letter} = {position}")
    offsets = np.arange(-32, 33)
    moved = rope.rotate(np.tile(key, (len(offsets), 1)), offsets, omega, layout="interleaved")
    scores = moved @ query
    offset = key_position - query_position
    axes[2].plot(offsets, scores, color=INK, linewidth=1.2)
    axes[2].plot(offset, scores[offset + 32], "o", color=COLORS["rope"])
    axes[2].set_xlabel("offset n − m (tokens)")
    axes[2].set_title(f"score {scores[offset + 32]:.6f}")
    return fig


def _cells(ax, values, cmap, norm):
    """Draw a matrix with its numbers written in."""
    ax.pcolormesh(values, cmap=cmap, norm=norm, edgecolors="white", linewidth=1)
    ax.set_xticks([])
    ax.invert_yaxis()
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    for (row, column), value in np.ndenumerate(values):
        ax.text(column + 0.5, row + 0.5, f"{value:.2f}", ha="center", va="center", fontsize=8)


def _dial(ax):
    """Draw an empty unit circle."""
    around = np.linspace(0, 2 * np.pi, 200)
    ax.plot(np.cos(around), np.sin(around), color=FAINT, linewidth=0.8)
    ax.set_aspect("equal")
    ax.set_xlim(-1.45, 1.45)
    ax.set_ylim(-1.45, 1.45)
    ax.set_xticks([])
    ax.set_yticks([])
    ax.spines[:].set_visible(False)


def _arrow(ax, x, y, color):
    """Draw an arrow from the center."""
    ax.annotate(
        "",
        (x, y),
        (0, 0),
        arrowprops={
            "arrowstyle": "-|>",
            "color": color,
            "linewidth": 2,
            "shrinkA": 0,
            "shrinkB": 0,
        },
    )
