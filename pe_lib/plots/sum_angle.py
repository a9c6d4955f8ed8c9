"""Figures of the chapter ``sinusoid/sum_angle``: pairs that turn, the matrices that turn them."""

import numpy as np
from matplotlib.patches import Circle, FancyArrowPatch

from pe_lib import frequencies, sinusoidal
from pe_lib.plots.style import COLORS, DIVERGING, FAINT, heat_map

#: The colors of p and of p + k, as in the interactive figure of the chapter.
_HERE, _THERE = COLORS["sinusoidal"], COLORS["rope"]


def turning_pairs(axes, position, offset, *, dim):
    """Draw the first pairs of one code as arrows on unit circles, at p and at p + k.

    The sine channel runs to the right and the cosine channel upwards, so position 0 points to
    twelve o'clock and an arrow turns as the hand of a clock does.

    Parameters
    ----------
    axes : sequence of Axes
        One for each pair, from pair 0.
    position, offset : float
        p and k, in tokens.
    dim : int
        Number of channels of the whole code.
    """
    omega = frequencies(dim)
    codes = sinusoidal.encode([position, position + offset], dim, layout="interleaved")
    tips = codes.reshape(2, dim // 2, 2)
    for pair, ax in enumerate(axes):
        _unit_circle(ax)
        turn = omega[pair] * np.linspace(position, position + offset, 200)
        radii = np.linspace(0.45, 0.6, 200)  # a spiral, so that a second turn stays visible
        ax.plot(radii * np.sin(turn), radii * np.cos(turn), color=FAINT, linewidth=1.2)
        for tip, color in zip(tips[:, pair], (_HERE, _THERE), strict=True):
            arrow = FancyArrowPatch((0, 0), tip, arrowstyle="-|>", shrinkA=0, shrinkB=0)
            arrow.set(mutation_scale=12, linewidth=2, color=color)
            ax.add_patch(arrow)
        ax.set(xlabel="sine channel", title=f"pair {pair}: {omega[pair]:.4g} rad/token")
        ax.set(yticklabels=[] if pair else ["−1", "0", "1"])
    axes[0].set_ylabel("cosine channel")
    names = (("p", _HERE), ("p + k", _THERE))
    for tip, (name, color) in zip(tips[:, 0], names, strict=True):
        axes[0].text(*(1.25 * tip), name, color=color, ha="center", va="center", style="italic")


def shift_matrices(axes, offsets, *, dim, layout):
    """Draw the shift matrix of each offset as colored cells.

    Parameters
    ----------
    axes : sequence of Axes
        One for each of ``offsets``.
    offsets : sequence of float
        Shifts k, in tokens.
    dim, layout
        As in :func:`pe_lib.sinusoidal.shift_matrix`.
    """
    for ax, offset in zip(axes, offsets, strict=True):
        matrix = sinusoidal.shift_matrix(offset, dim, layout=layout)
        image = heat_map(ax, matrix, cmap=DIVERGING, vmin=-1, vmax=1)
        ax.set(xticks=[0, dim - 1], yticks=[0, dim - 1], xlabel="channel at p")
        ax.set_title(f"k = {offset:g}")
    axes[0].set_ylabel("channel at p + k")
    axes[0].figure.colorbar(image, ax=list(axes), ticks=[-1, 0, 1], label="entry", shrink=0.8)


def eigenvalues(ax, matrix, *, title):
    """Draw the eigenvalues of a matrix in the complex plane, with the unit circle.

    Parameters
    ----------
    ax : Axes
    matrix : array_like of float, shape (n, n)
    title : str
    """
    values = np.sort_complex(np.linalg.eigvals(matrix))  # their order is the solver's affair
    _unit_circle(ax)
    ax.plot(values.real, values.imag, "o", color=COLORS["sinusoidal"], markersize=6)
    ax.set(xlabel="real part", ylabel="imaginary part", title=title)


def _unit_circle(ax):
    """Square axes with the unit circle in them."""
    ax.add_patch(Circle((0, 0), 1, fill=False, color=FAINT, linewidth=0.8))
    ax.set(xlim=(-1.45, 1.45), ylim=(-1.45, 1.45), xticks=[-1, 0, 1], yticks=[-1, 0, 1])
    ax.set_aspect("equal")
