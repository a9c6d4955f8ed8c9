"""Figures of the chapter ``relative/alibi``."""

import numpy as np

from pe_lib import alibi, attention, kerple
from pe_lib.plots import style

#: Weights from here on are drawn alike, or flat heads would show nothing.
_DARKEST = 0.2


def slopes_of_heads(ax, counts):
    """Draw the slopes of all heads on a logarithmic axis, one row per number of heads.

    Parameters
    ----------
    ax : Axes
    counts : sequence of int
        Numbers of heads. Slopes that fill up to a number that is no power of two are hollow.
    """
    for row, num_heads in enumerate(counts):
        slopes = alibi.slopes(num_heads)
        power = 2 ** (num_heads.bit_length() - 1)
        size = 5 if num_heads <= 20 else 3
        for part, face in ((slopes[:power], style.COLORS["alibi"]), (slopes[power:], "none")):
            rows = np.full(len(part), row)
            ax.plot(part, rows, "o", ms=size, mfc=face, mec=style.COLORS["alibi"], mew=1)
    ax.set(xscale="log", xlim=(1.25, 2.0**-8.5), ylim=(len(counts) - 0.5, -0.5))
    exponents = range(0, 9, 2)
    labels = ["1" if e == 0 else f"1/{2**e}" for e in exponents]
    ax.set_xticks([2.0**-e for e in exponents], labels)
    ax.set_yticks(range(len(counts)), [str(count) for count in counts])
    ax.minorticks_off()
    ax.set(xlabel="slope (logits per token), steep to flat", ylabel="number of heads")


def bias_and_attention(axes, num_heads, heads, length):
    """Draw the bias of some heads, and the attention it leaves where all contents score alike.

    Parameters
    ----------
    axes : ndarray of Axes, shape (2, len(heads))
        Above for the bias, below for the weights.
    num_heads : int
    heads : sequence of int
        Which heads to show, from 0.
    length : int
        Number of tokens.
    """
    positions, mask = np.arange(length), attention.causal_mask(length)
    bias = alibi.bias(positions, positions, num_heads)
    alike = np.zeros((num_heads, length, 1))
    weights = attention.weights(alike, alike, bias=bias, mask=mask)
    limit = float(-bias[list(heads)].min())
    maps = (
        (axes[0], bias, style.DIVERGING, limit, "bias (logits)"),
        (axes[1], weights, style.SEQUENTIAL, _DARKEST, "weight"),
    )
    for row, values, cmap, high, label in maps:
        low = -high if values is bias else 0
        for ax, head in zip(row, heads, strict=True):
            shown = np.ma.masked_array(values[head], ~mask)
            image = style.heat_map(ax, shown, cmap=cmap, vmin=low, vmax=high)
            ax.set(xticks=[], yticks=[])
        row[0].set_ylabel("query")
        extend = "neither" if values is bias else "max"
        bar = row[0].figure.colorbar(image, ax=list(row), shrink=0.9, label=label, extend=extend)
        if values is bias:
            bar.ax.set_ylim(low, 0)  # none is positive
    for ax, head in zip(axes[0], heads, strict=True):
        half_life = np.log(2) / alibi.slopes(num_heads)[head]
        ax.set_title(f"head {head}: {half_life:.3g}", loc="left", fontsize=9.5)
    for ax in axes[1]:
        ax.set_xlabel("key")


def weight_beyond(ax, num_heads, heads, length, spread):
    """Draw how much weight lies at a distance or beyond it, and the bounds on it.

    Solid where all contents score alike, dashed the most that contents can make of it.

    Parameters
    ----------
    ax : Axes
    num_heads : int
    heads : sequence of int
        Which heads to show, from 0.
    length : int
        Number of tokens that the query sees.
    spread : float
        Largest minus smallest content score, in logits.
    """
    distances = np.unique(np.round(np.geomspace(1, length - 1, 70)).astype(int))
    positions, slopes = np.arange(length), alibi.slopes(num_heads)
    rows = attention.softmax(alibi.bias(positions[-1:], positions, num_heads))[:, 0, ::-1]
    beyond = np.cumsum(rows[:, ::-1], axis=1)[:, ::-1]
    for head in heads:
        ax.plot(distances, beyond[head, distances], color=style.COLORS["alibi"])
        powers = np.exp(spread - slopes[head] * distances)
        bound = powers / (1 + powers - np.exp(-slopes[head] * distances))
        ax.plot(distances, bound, "--", color=style.FAINT, lw=1.3)
        at = distances[np.argmin(np.abs(beyond[head, distances] - 0.2))]
        point = at, beyond[head, at]
        place = {"xytext": (-6, 0), "textcoords": "offset points", "ha": "right", "va": "center"}
        ax.annotate(f"head {head}", point, color=style.COLORS["alibi"], **place)
    ax.set(xscale="log", xlim=(1, length), ylim=(0, 1.03))
    ticks = [1, 10, 100, 1000]
    ax.set_xticks(ticks, [f"{tick}" for tick in ticks])
    ax.minorticks_off()
    ax.set(xlabel="distance t back from the query (tokens)", ylabel="weight at t and beyond")


def decay_of_biases(ax, slope, log_parameters, power_parameters, max_distance):
    """Draw the factor by which ALiBi and the two kinds of KERPLE discount a distance.

    Parameters
    ----------
    ax : Axes
    slope : float
        Of ALiBi, in logits per token.
    log_parameters, power_parameters : dict
        ``p`` and ``a`` for :func:`pe_lib.kerple.log_bias` and :func:`pe_lib.kerple.power_bias`.
    max_distance : int
        In tokens.
    """
    distances = np.unique(np.round(np.geomspace(1, max_distance, 60)).astype(int))
    farthest = [max_distance], np.arange(max_distance + 1)
    power, log = (
        kerple.power_bias(*farthest, 1, **power_parameters),
        kerple.log_bias(*farthest, 1, **log_parameters),
    )
    line = slope * (farthest[1] - max_distance)
    below = {"xytext": (-4, 0), "ha": "right", "va": "top"}
    above = {"xytext": (5, 0), "ha": "left", "va": "bottom"}
    curves = (  # each with its name beside the point where it has this factor
        ("ALiBi", line, style.COLORS["alibi"], "-", 0.3, above),
        ("KERPLE, power", power[0, 0], style.INK, "-.", 2e-3, below),
        ("KERPLE, logarithm", log[0, 0], style.INK, "--", 1e-3, above),
    )
    for name, bias, color, dashes, at, place in curves:
        factors = np.exp(bias[::-1][distances])
        ax.plot(distances, factors, dashes, color=color, lw=1.6)
        named = np.argmin(np.abs(np.log(factors / at)))
        point = distances[named], factors[named]
        ax.annotate(name, point, textcoords="offset points", color=color, **place)
    ax.set(xscale="log", yscale="log", xlim=(1, max_distance), ylim=(1e-5, 1.5))
    ax.set_xticks([1, 10, 100, 1000], ["1", "10", "100", "1000"])
    ax.set_yticks([1, 1e-2, 1e-4], ["1", "0.01", "0.0001"])
    ax.minorticks_off()
    ax.set(xlabel="distance (tokens)", ylabel="factor on the weight")
