"""Figures of the chapter ``why/equivariance``: attention maps, whole, shuffled and broken."""

import numpy as np
from matplotlib.patches import Rectangle

from pe_lib import attention
from pe_lib.plots.style import COLORS, FAINT, INK, SEQUENTIAL


def attention_map(ax, weights, tokens, *, title=None, largest=1.0):
    """Draw a square of attention weights, or of their errors, with its numbers.

    Parameters
    ----------
    ax : Axes
    weights : ndarray, shape (T, T)
        Row: query; column: key. Not negative.
    tokens : sequence of str, length T
    title : str, optional
    largest : float
        The value that gets the darkest color.

    Returns
    -------
    QuadMesh
    """
    mesh = ax.pcolormesh(
        weights, cmap=SEQUENTIAL, vmin=0.0, vmax=largest, edgecolor="face", linewidth=0.4
    )
    for (row, column), value in np.ndenumerate(weights):
        # Inside a cell the page's own text color could vanish, so these two are fixed.
        color = "#ffffff" if value > 0.7 * largest else "#000000"
        ax.text(
            column + 0.5, row + 0.5, f"{value:.2f}", color=color, ha="center", va="center", size=8
        )
    ticks = np.arange(len(tokens)) + 0.5
    ax.set_xticks(ticks, tokens, va="baseline")  # accents must not push a label down
    ax.set_yticks(ticks, tokens)
    ax.tick_params(length=0, labelsize=9)
    ax.tick_params(axis="x", pad=12)
    ax.spines[:].set_visible(False)
    ax.set(aspect="equal", xlabel="key (is read)", ylabel="query (reads)")
    ax.set_title(title or "", loc="left")
    ax.invert_yaxis()
    return mesh


def attention_permuted(axes, weights, order, tokens, *, query, key):
    """Draw an attention map before and after the same permutation of its rows and columns.

    Parameters
    ----------
    axes : two Axes
    weights : ndarray, shape (T, T)
    order : sequence of int, length T
        Row i of the shuffled input is row ``order[i]`` of the original.
    tokens : sequence of str, length T
    query, key : int
        The row and the column, counted in the original order, to outline in both maps.
    """
    order = np.asarray(order)
    size = len(order)
    for ax, kept, title in zip(axes, (np.arange(size), order), ("A", "P A Pᵀ"), strict=True):
        attention_map(ax, weights[np.ix_(kept, kept)], [tokens[i] for i in kept], title=title)
        row, column = list(kept).index(query), list(kept).index(key)
        frame = {"fill": False, "linewidth": 2.2, "clip_on": False}
        ax.add_patch(Rectangle((0, row), size, 1, edgecolor=COLORS["query"], **frame))
        ax.add_patch(Rectangle((column, 0), 1, size, edgecolor=COLORS["key"], **frame))


def symmetry_errors(axes, errors, tokens):
    """Draw how far several attention maps are from following a permutation.

    Parameters
    ----------
    axes : sequence of Axes
    errors : dict of str to ndarray, shape (T, T)
        Title of the panel and the absolute differences, all drawn on one scale.
    tokens : sequence of str, length T
        In the shuffled order.
    """
    largest = max(error.max() for error in errors.values())
    for ax, (title, error) in zip(axes, errors.items(), strict=True):
        attention_map(ax, error, tokens, title=title, largest=largest)
    for ax in axes[1:]:
        ax.set_ylabel("")


def prefix_weights(ax, length, layers):
    """Draw what each token weighs in the last output of a stack of uniform causal layers.

    Parameters
    ----------
    ax : Axes
    length : int
        Number of tokens.
    layers : sequence of int
        Depths to draw, each one line.
    """
    blank = np.zeros((length, 1))  # equal scores: every query takes the mean of what it may see
    mean = attention.weights(blank, blank, mask=attention.causal_mask(length))
    for depth in layers:
        weights = np.linalg.matrix_power(mean, depth)[-1]
        color = INK if depth == 2 else FAINT
        ax.plot(weights, marker="o", markersize=4, color=color)
        name = f"{depth} layer" + "s" * (depth > 1)
        at = 2 * (max(layers) - depth)  # where this line runs above the deeper ones
        ax.annotate(
            name, (at, weights[at]), (6, 4), textcoords="offset points", color=color, va="bottom"
        )
    ax.set(
        xlabel="position of the token (tokens from the start)",
        ylabel="weight in the last output",
        ylim=(0, None),
        xticks=range(length),
    )
