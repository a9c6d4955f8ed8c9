"""The figures of context/interpolation draw what pe_lib computes."""

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.text import Text

from pe_lib import context, frequencies, plots


def test_an_arc_ends_at_the_largest_angle_of_training_and_the_next_at_that_of_now():
    omega = frequencies(128)
    _, axes = plots.figure(1, 3)
    plots.seen_and_met(axes, omega, [0, 45, 63], trained=2048, length=8192)
    ends = [[np.array(line.get_data())[:, -1] for line in ax.lines] for ax in axes]

    def at(angle):
        return [np.cos(angle), np.sin(angle)]

    np.testing.assert_allclose(ends[0][1], at(0), atol=1e-12)  # a full circle, and nothing new
    assert len(ends[0]) == 3
    np.testing.assert_allclose(ends[1][1], at(2047 * omega[45]))
    np.testing.assert_allclose(ends[1][2], at(0), atol=1e-12)  # goes on to the full circle
    np.testing.assert_allclose(ends[2][1], at(2047 * omega[63]))
    np.testing.assert_allclose(ends[2][2], at(8191 * omega[63]))
    assert [ax.get_title() for ax in axes] == ["pair 0", "pair 45", "pair 63"]
    assert "0.038 → 0.15 turns" in [text.get_text() for text in axes[2].texts]


def test_the_lines_are_the_turns_in_training_and_by_each_method():
    _, ax = plots.figure()
    plots.turns_per_pair(ax, 8, base=100.0, trained=50, length=200)
    lines = {line.get_label(): line.get_ydata() for line in ax.lines}
    omega, scaled = frequencies(8, base=100.0), context.ntk(8, base=100.0, factor=4).frequencies
    for label, turned in (
        ("50, in training", omega * 49),
        ("200 tokens, unchanged", omega * 199),
        ("200, interpolated", omega / 4 * 199),
        ("200, NTK-aware", scaled * 199),
    ):
        np.testing.assert_allclose(lines[label], turned / (2 * np.pi))
    assert ax.get_yscale() == "log"


def test_only_new_angles_are_shaded():
    _, ax = plots.figure()
    plots.turns_per_pair(ax, 128, base=1e4, trained=2048, length=8192)
    corners = ax.collections[0].get_paths()[0].vertices
    turns = frequencies(128) / (2 * np.pi)
    assert corners[:, 0].min() == np.argmax(1 / turns > 2048) == 41
    assert corners[:, 1].max() <= 1
    assert corners[:, 1].min() == pytest.approx(2047 * turns[63])


def test_fitted_scores_are_drawn_to_twice_the_training_and_closely():
    kernels = {"one": lambda t: np.cos(t / 9), "two": lambda t: -0.5 * np.sin(t / 7)}
    _, axes = plots.figure(1, 2)
    plots.fitted_scores(axes, kernels, trained=64)
    for line, kernel in zip(axes[0].lines[:2], kernels.values(), strict=True):
        t, values = line.get_data()
        assert (t[0], t[-1]) == (0, 120)
        np.testing.assert_allclose(values, kernel(t))
    curve, dots = axes[1].lines[:2]
    np.testing.assert_allclose(curve.get_ydata(), np.cos(curve.get_xdata() / 9))
    np.testing.assert_allclose(dots.get_data(), [np.arange(13), np.cos(np.arange(13) / 9)])


def test_a_head_is_drawn_with_its_best_offset():
    omega = frequencies(128)
    now = {"before": omega, "after": omega / 8}
    _, ax = plots.figure()
    plots.previous_token_scores(ax, omega, now, width=16)
    curves, dots = ax.lines[0::2], ax.lines[1::2]
    for curve, dot, scaled, best in zip(curves, dots, now.values(), (-1, -8), strict=True):
        offset, score = curve.get_data()
        want = [
            np.mean([np.cos(o * f + w) for f, w in zip(scaled, omega, strict=True)]) for o in offset
        ]
        np.testing.assert_allclose(score, want)
        np.testing.assert_allclose(dot.get_data(), [[best], [1]])


def test_no_text_is_left_in_matplotlib_s_own_black():
    """The page recolors INK alone, so anything else would vanish on a dark page."""
    omega = frequencies(8)
    figures = [plots.figure(1, 2) for _ in range(2)] + [plots.figure() for _ in range(2)]
    plots.seen_and_met(figures[0][1], omega, [0, 3], trained=9, length=20)
    plots.fitted_scores(figures[1][1], {"one": np.cos}, trained=16)
    plots.turns_per_pair(figures[2][1], 8, base=100.0, trained=9, length=20)
    plots.previous_token_scores(figures[3][1], omega, {"now": omega}, width=4)
    for drawn, _ in figures:
        colors = {to_hex(text.get_color()) for text in drawn.findobj(Text) if text.get_text()}
        assert "#000000" not in colors
