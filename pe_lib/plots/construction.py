"""Figures of the chapter ``sinusoid/construction``: waves, clocks, the table, its wavelengths."""

import numpy as np
from matplotlib.collections import LineCollection, PatchCollection
from matplotlib.patches import Circle

from pe_lib import frequencies, sinusoidal
from pe_lib.plots import style

_SINE, _COSINE = style.COLORS["sine"], style.COLORS["cosine"]
_RING = {
    **{"marker": "o", "linestyle": "none", "color": style.COLORS["rope"]},
    **{"markersize": 7, "markerfacecolor": "none", "markeredgewidth": 1.6, "clip_on": False},
}


def sampled_waves(axes, omegas, length, *, alike):
    """Draw one sine per axes with its values at the positions, and two positions that look alike.

    Parameters
    ----------
    axes : sequence of Axes
        One for each frequency.
    omegas : sequence of float
        In rad per token.
    length : int
        Positions 0, ..., length - 1.
    alike : sequence of (int, int)
        For each frequency two positions to mark.
    """
    positions = np.arange(length)
    for ax, omega, marked in zip(axes, omegas, alike, strict=True):
        fine = np.linspace(0, length - 1, _steps(omega, length))
        ax.plot(fine, np.sin(omega * fine), color=style.FAINT, lw=0.9)
        ax.plot(positions, np.sin(omega * positions), ".", color=_SINE, markersize=4)
        values = np.sin(omega * np.array(marked))
        ax.plot(marked, values, **_RING)
        ax.set_title(
            f"ω = {omega:g} rad/token: positions {marked[0]} and {marked[1]} differ by "
            f"{abs(values[1] - values[0]):.4f}",
            loc="left",
        )
        ax.set(ylim=(-1.15, 1.15), yticks=[-1, 0, 1], ylabel="sin ωp")
    axes[-1].set_xlabel("position p (tokens)")


def separations(axes, rows, max_offset):
    """Draw how far apart two codes are against their offset, for several rows of frequencies.

    Parameters
    ----------
    axes : sequence of Axes
        One for each row.
    rows : dict of str to array_like
        Name of a spacing -> its frequencies, in rad per token.
    max_offset : int
        In tokens.
    """
    offsets = np.arange(1, max_offset + 1)
    for ax, (name, omegas) in zip(axes, rows.items(), strict=True):
        half_angles = np.multiply.outer(offsets, np.asarray(omegas)) / 2
        distances = 2 * np.sqrt((np.sin(half_angles) ** 2).sum(axis=1))
        ax.plot(offsets, distances, color=_SINE, lw=0.8)
        nearest = int(distances.argmin())
        ax.plot(offsets[nearest], distances[nearest], **_RING)
        ax.set_title(
            f"{name}: least {distances[nearest]:.3f}, {_tokens(offsets[nearest])} apart",
            loc="left",
        )
        ax.set(ylim=(0, 2.1 * np.sqrt(len(omegas))), ylabel="distance", xlim=(-4, max_offset))
    axes[-1].set_xlabel("offset between the two positions (tokens)")


def pair_waves(axes, dim, length):
    """Draw both waves of the first pairs over the positions.

    Parameters
    ----------
    axes : sequence of Axes
        One for each pair, from pair 0.
    dim, length : int
        Channels of the whole code; positions 0, ..., length - 1.
    """
    omega = frequencies(dim)
    both = (("sine", np.sin, _SINE), ("cosine", np.cos, _COSINE))
    for pair, ax in enumerate(axes):
        fine = np.linspace(0, length - 1, _steps(omega[pair], length))
        for _, wave, color in both:
            ax.plot(fine, wave(omega[pair] * fine), color=color, lw=1.3)
        period = 2 * np.pi / omega[pair]
        ax.set_title(f"pair {pair}: λ = {period:.2f} tokens", loc="left")
        ax.set(ylim=(-1.2, 1.2), yticks=[-1, 0, 1])
    for name, wave, color in both:
        place = (length, wave(omega[len(axes) - 1] * (length - 1)))
        axes[-1].text(*place, name, color=color, va="center")
    axes[-1].set_xlabel("position p (tokens)")


def clock_rows(ax, positions, dim, *, labels=None):
    """Draw the code of each position as a row of clocks, one clock per pair.

    The sine channel runs to the right and the cosine channel upwards: twelve o'clock is angle 0,
    and hands turn clockwise.

    Parameters
    ----------
    ax : Axes
    positions : sequence of float
        In tokens; one row each, from top to bottom.
    dim : int
    labels : sequence of str, optional
        Names of the rows; by default the positions.
    """
    pairs, step = dim // 2, 2.5
    codes = sinusoidal.encode(positions, dim, layout="interleaved")
    hands = codes.reshape(len(positions), pairs, 2)
    centers = [(step * i, -step * row) for row in range(len(positions)) for i in range(pairs)]
    faces = [Circle(center, 1) for center in centers]
    ax.add_collection(PatchCollection(faces, facecolor="none", edgecolor=style.FAINT, lw=0.8))
    tips = hands.reshape(-1, 2)
    lines = [(c, tuple(c + 0.92 * tip)) for c, tip in zip(np.array(centers), tips, strict=True)]
    ax.add_collection(LineCollection(lines, colors=_SINE, linewidths=2, capstyle="round"))
    ax.set(xlim=(-1.4, step * (pairs - 1) + 1.4), ylim=(-step * (len(positions) - 1) - 1.4, 1.4))
    ax.set_aspect("equal")
    names = labels or [f"p = {position:g}" for position in positions]
    ax.set_yticks(-step * np.arange(len(positions)), names)
    ax.set_xticks(step * np.arange(pairs), [f"{i}" for i in range(pairs)])
    ax.set_xlabel("pair i")
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)


def code_maps(axes, dim, length):
    """Draw the table of codes in both layouts, positions from top to bottom.

    Parameters
    ----------
    axes : sequence of two Axes
        For the interleaved and for the half layout.
    dim, length : int
    """
    for ax, layout in zip(axes, ("interleaved", "half"), strict=True):
        codes = sinusoidal.encode(np.arange(length), dim, layout=layout)
        image = style.heat_map(ax, codes, cmap=style.DIVERGING, vmin=-1, vmax=1, aspect="auto")
        ax.set_title(layout, loc="left")
        ax.set_xlabel("channel")
    axes[0].set_ylabel("position p (tokens)")
    axes[0].figure.colorbar(image, ax=list(axes), ticks=[-1, 0, 1], label="value", shrink=0.8)


def wavelengths(ax, dim, bases, context):
    """Draw the wavelength of every pair for several bases, and the length of a context.

    Parameters
    ----------
    ax : Axes
    dim : int
    bases : sequence of float
    context : float
        In tokens.
    """
    last, blue = dim // 2 - 1, style.COLORS["sinusoidal"]
    ax.axhline(context, color=style.FAINT, lw=1, ls="--")
    note = {"color": style.FAINT, "ha": "right", "va": "top"}
    ax.text(last, context / 1.3, f"context: {context:,} tokens", **note)
    for base in bases:
        lengths = 2 * np.pi / frequencies(dim, base=base)
        slow = int((lengths > context).sum())
        ax.plot([0, last], lengths[[0, last]], color=blue)
        if slow:
            ax.plot(last + 1 - slow, lengths[-slow], "o", color=blue)
        name = f"base {base:,.0f}: {slow} slow"
        ax.text(last + 4, lengths[-1], name, color=blue, va="center")
    ax.set(yscale="log", xlabel="pair i", ylabel="wavelength (tokens)", xlim=(0, last + 1))


def _steps(omega, length):
    """Points that draw a wave smoothly and no more."""
    return max(2, 12 * int(np.ceil(omega * length / (2 * np.pi))) + 12)


def _tokens(count):
    return f"{count} {'token' if count == 1 else 'tokens'}"
