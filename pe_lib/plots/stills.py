"""Still pictures of the interactive figures: what they show before they live, and in print."""

import numpy as np

from pe_lib import frequencies, rope
from pe_lib.plots.style import COLORS, DIVERGING, FAINT, INK, PAPER, SEQUENTIAL, figure

#: More turns than this in one strip of the wave explorer are drawn as a band.
WAVE_TURNS = 60


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
    titles = ("attention weights", "f(PX), your order", "P f(X), moved along")
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
        f"largest difference |f(PX) − P f(X)| = {difference:.12f}", fontsize=10, color=INK
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


def wave_explorer(position, dim, base, context, pairs):
    """Draw the clock and both waves of some pairs of a code.

    Parameters
    ----------
    position, base, context : float
    dim : int
    pairs : sequence of int
        Which pairs to show.

    Returns
    -------
    Figure
    """
    omegas = frequencies(dim, base=base)[pairs]
    size = {"width": 7.2, "height": 0.5 + 0.5 * len(pairs)}
    fig, axes = figure(len(pairs), 2, **size, width_ratios=[1, 12], squeeze=False)
    for (dial, waves), pair, omega in zip(axes, pairs, omegas, strict=True):
        _dial(dial)
        angle = omega * position
        dial.plot([0, np.sin(angle)], [0, np.cos(angle)], color=COLORS["sinusoidal"])
        turns = omega * context / (2 * np.pi)
        if turns > WAVE_TURNS:
            waves.axhspan(-1, 1, color=COLORS["sine"], alpha=0.25, linewidth=0)
        else:
            t = np.linspace(0, context, 24 + 16 * int(turns))
            waves.plot(t, np.sin(omega * t), color=COLORS["sine"], linewidth=1.2)
            waves.plot(t, np.cos(omega * t), color=COLORS["cosine"], linewidth=1.2)
        waves.axvline(position, color=INK, linewidth=1)
        waves.set(xlim=(0, context), ylim=(-1.2, 1.2), xticks=[], yticks=[])
        waves.spines[:].set_visible(False)
        waves.set_ylabel(f"pair {pair}", rotation=0, ha="right", va="center")
    waves.set_xticks([0, context])
    waves.set_xlabel(
        f"position (tokens); p = {position:g}, d = {dim}, base {base:g}; "
        f"longest wavelength {2 * np.pi / frequencies(dim, base=base)[-1]:.2f} tokens"
    )
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


def alibi_heads(slopes, head, query_position, distance, extra, weights):
    """Draw how one head spreads its attention over the distances back from the query.

    Parameters
    ----------
    slopes : ndarray, shape (H,)
    head, query_position, distance : int
    extra : float
        Score of the key at the distance beyond that of all others, in logits.
    weights : ndarray, shape (query_position + 1,)
        By distance, the query's own key first.

    Returns
    -------
    Figure
    """
    fig, ax = figure(1, 1, width=7.2, height=2.9)
    reach = np.linspace(0, 1, 90) ** 2 * query_position
    for other in slopes[:: max(1, len(slopes) // 8)]:
        ax.plot(reach, np.exp(-other * reach), color=FAINT, linewidth=0.6)
    ax.plot(reach, np.exp(-slopes[head] * reach), color=COLORS["alibi"])
    half_life = np.log(2) / slopes[head]
    if half_life <= query_position:
        ax.plot(half_life, 0.5, "o", color=COLORS["alibi"])
    stem = np.exp(extra - slopes[head] * distance)
    ax.plot([distance, distance], [0, stem], color=COLORS["key"], linewidth=1.6)
    ax.plot(distance, stem, "o", color=COLORS["key"])
    ax.set(xlim=(0, max(query_position, 1)), ylim=(0, max(1.05, 1.05 * stem)))
    ax.set_xlabel("distance back from the query (tokens)")
    ax.set_ylabel("weight, own key = 1")
    ax.set_title(f"head {head} of {len(slopes)}, half-life {half_life:.4g} tokens")
    fig.supxlabel(
        f"weight at distance {distance}: {weights[distance]:.6f}, "
        f"at {distance} and beyond: {weights[distance:].sum():.6f}",
        fontsize=10,
        color=INK,
    )
    return fig
