"""The figures of relative/alibi draw what pe_lib computes."""

import numpy as np
import pytest
from matplotlib.text import Text

from pe_lib import alibi, attention, kerple, plots


def texts(ax):
    return [text.get_text() for text in ax.texts]


def test_every_head_has_a_dot_at_its_slope():
    _, ax = plots.figure()
    plots.slopes_of_heads(ax, [8, 12])
    eight, none, twelve, rest = (np.asarray(line.get_xdata()) for line in ax.lines)
    np.testing.assert_array_equal(eight, alibi.slopes(8))
    assert none.size == 0
    np.testing.assert_array_equal(np.concatenate([twelve, rest]), alibi.slopes(12))
    assert [line.get_markerfacecolor() for line in ax.lines[2:]] == [plots.COLORS["alibi"], "none"]
    assert {*ax.lines[0].get_ydata(), *ax.lines[2].get_ydata()} == {0, 1}
    low, high = ax.get_xlim()
    assert high < 2**-8 < 1 < low  # all dots in view, the steep ones left


def test_the_maps_are_the_bias_and_the_weights_of_equal_contents():
    _, axes = plots.figure(2, 2)
    plots.bias_and_attention(axes, 8, [1, 6], 5)
    for column, head in enumerate((1, 6)):
        bias, weights = (np.ma.getdata(ax.images[0].get_array()) for ax in axes[:, column])
        hidden = np.ma.getmaskarray(axes[1, column].images[0].get_array())
        slope = alibi.slopes(8)[head]
        for m in range(5):
            powers = np.exp(-slope * np.arange(m, -1, -1))
            np.testing.assert_allclose(weights[m, : m + 1], powers / powers.sum())
            np.testing.assert_allclose(bias[m, : m + 1], -slope * np.arange(m, -1, -1))
            assert hidden[m].tolist() == [n > m for n in range(5)]
        assert axes[0, column].get_title("left") == f"head {head}: {np.log(2) / slope:.3g}"
        low, high = axes[0, column].images[0].get_clim()
        assert low == -high  # signed values: the map is centered at 0


def test_the_curves_are_what_lies_beyond_and_its_bound():
    _, ax = plots.figure()
    plots.weight_beyond(ax, 8, [2, 5], 200, 2.0)
    assert texts(ax) == ["head 2", "head 5"]
    for exact, bound, head in ((*ax.lines[:2], 2), (*ax.lines[2:], 5)):
        slope, distances = alibi.slopes(8)[head], exact.get_xdata()
        powers = np.exp(-slope * np.arange(200))
        want = [powers[t:].sum() / powers.sum() for t in distances]
        np.testing.assert_allclose(exact.get_ydata(), want, rtol=1e-9)
        far = np.exp(2.0 - slope * distances)
        np.testing.assert_allclose(
            bound.get_ydata(), far / (far + 1 - np.exp(-slope * distances)), rtol=1e-9
        )
        assert (exact.get_ydata() <= bound.get_ydata()).all()


def test_the_dashed_curve_bounds_contents_of_that_spread():
    rng = np.random.default_rng(0)
    _, ax = plots.figure()
    plots.weight_beyond(ax, 8, [4], 100, 3.0)
    bound = ax.lines[1]
    for _ in range(200):
        scores = rng.choice([0.0, 3.0], 100) - alibi.slopes(8)[4] * np.arange(100)
        weights = attention.softmax(scores)
        beyond = [weights[t:].sum() for t in bound.get_xdata()]
        assert (beyond <= bound.get_ydata() + 1e-12).all()


def test_the_decays_are_those_of_the_three_biases():
    _, ax = plots.figure()
    log, power = {"p": 2.0, "a": 0.5}, {"p": 0.5, "a": 0.25}
    plots.decay_of_biases(ax, 0.1, log, power, 300)
    assert texts(ax) == ["ALiBi", "KERPLE, power", "KERPLE, logarithm"]
    for distance in (1, 300):
        line, by_power, by_log = (
            curve.get_ydata()[list(curve.get_xdata()).index(distance)] for curve in ax.lines
        )
        assert line == pytest.approx(np.exp(-0.1 * distance))
        assert by_power == pytest.approx(np.exp(-0.25 * distance**0.5))
        assert by_log == pytest.approx((1 + 0.5 * distance) ** -2.0)
        got = kerple.log_bias([distance], [0], 1, **log)[0, 0, 0]
        assert by_log == pytest.approx(np.exp(got))


def test_no_text_is_left_in_matplotlib_s_own_black():
    """The page recolors INK alone, so anything else would vanish on a dark page."""
    drawn = []
    for rows, columns, draw in (
        (1, 1, lambda ax: plots.slopes_of_heads(ax, [3])),
        (2, 2, lambda axes: plots.bias_and_attention(axes, 4, [0, 3], 4)),
        (1, 1, lambda ax: plots.weight_beyond(ax, 4, [0], 50, 1.0)),
        (1, 1, lambda ax: plots.decay_of_biases(ax, 0.1, {"p": 1, "a": 1}, {"p": 1, "a": 1}, 50)),
    ):
        fig, axes = plots.figure(rows, columns)
        draw(axes)
        drawn.append(fig)
    for fig in drawn:
        colors = {text.get_color() for text in fig.findobj(Text) if text.get_text()}
        assert not colors & {"black", "k", "#000000"}
