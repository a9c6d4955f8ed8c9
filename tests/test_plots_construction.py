"""The figures of sinusoid/construction draw what pe_lib computes."""

import numpy as np
import pytest
from matplotlib.text import Text

from pe_lib import frequencies, plots, sinusoidal


def test_a_sampled_wave_holds_the_sine_at_every_position():
    _, axes = plots.figure(2, 1)
    plots.sampled_waves(axes, [1, 0.01], 61, alike=[(0, 22), (28, 29)])
    for ax, omega, marked in zip(axes, (1, 0.01), ((0, 22), (28, 29)), strict=True):
        _, dots, rings = ax.lines
        np.testing.assert_allclose(dots.get_ydata(), np.sin(omega * np.arange(61)))
        assert tuple(rings.get_xdata()) == marked
        gap = abs(np.sin(omega * marked[0]) - np.sin(omega * marked[1]))
        assert ax.get_title("left").endswith(f"differ by {gap:.4f}")


def test_separations_are_distances_between_codes():
    rows = {"ours": frequencies(6), "lone": np.array([0.7])}
    _, axes = plots.figure(2, 1)
    plots.separations(axes, rows, 60)
    codes = sinusoidal.encode(np.arange(61), 6)
    distances = np.linalg.norm(codes[1:] - codes[0], axis=1)
    np.testing.assert_allclose(axes[0].lines[0].get_ydata(), distances, atol=1e-12)
    nearest = int(distances.argmin()) + 1
    assert list(axes[0].lines[1].get_xdata()) == [nearest]
    assert axes[0].get_title("left") == f"ours: least {distances.min():.3f}, {nearest} tokens apart"
    np.testing.assert_allclose(
        axes[1].lines[0].get_ydata(), 2 * np.abs(np.sin(0.35 * np.arange(1, 61)))
    )


def test_waves_of_pairs_are_the_columns_of_the_table():
    _, axes = plots.figure(2, 1)
    plots.pair_waves(axes, 8, 41)
    for pair, ax in enumerate(axes):
        for channel, line in zip((2 * pair, 2 * pair + 1), ax.lines, strict=True):
            x = line.get_xdata()
            want = sinusoidal.encode(x, 8, layout="interleaved")[:, channel]
            np.testing.assert_allclose(line.get_ydata(), want, atol=1e-12)
            assert (x[0], x[-1]) == (0, 40)
    assert axes[1].get_title("left") == "pair 1: λ = 62.83 tokens"


def test_hands_of_clocks_point_to_sine_and_cosine():
    _, ax = plots.figure()
    plots.clock_rows(ax, [0, 3, 10], 6)
    codes = sinusoidal.encode([0, 3, 10], 6, layout="interleaved").reshape(-1, 2)
    faces, hands = ax.collections
    assert len(faces.get_paths()) == len(hands.get_segments()) == 9
    for (center, tip), code in zip(hands.get_segments(), codes, strict=True):
        np.testing.assert_allclose((tip - center) / 0.92, code, atol=1e-12)
    assert [text.get_text() for text in ax.get_yticklabels()] == ["p = 0", "p = 3", "p = 10"]


def test_the_maps_are_the_table_in_both_layouts():
    _, axes = plots.figure(1, 2)
    plots.code_maps(axes, 6, 9)
    for ax, layout in zip(axes, ("interleaved", "half"), strict=True):
        want = sinusoidal.encode(np.arange(9), 6, layout=layout)
        np.testing.assert_array_equal(np.asarray(ax.images[0].get_array()), want)
        assert ax.images[0].get_clim() == (-1, 1)
        assert ax.get_title("left") == layout


@pytest.mark.parametrize(("context", "slow"), [(100, 2), (10_000, 0)])
def test_wavelengths_are_a_straight_line_with_the_first_slow_pair_marked(context, slow):
    _, ax = plots.figure()
    plots.wavelengths(ax, 8, [1e4], context)
    lengths = 2 * np.pi / frequencies(8)
    np.testing.assert_allclose(ax.lines[1].get_ydata(), lengths[[0, -1]])
    assert ax.get_yscale() == "log"
    assert f"base 10,000: {slow} slow" in [text.get_text() for text in ax.texts]
    marked = [list(line.get_xdata()) for line in ax.lines[2:]]
    assert marked == ([[4 - slow]] if slow else [])


def test_no_text_is_left_in_matplotlib_s_own_black():
    """The page recolors INK alone, so anything else would vanish on a dark page."""
    drawn = []
    for number, draw in (
        (1, lambda axes: plots.sampled_waves(axes, [1], 9, alike=[(0, 3)])),
        (1, lambda axes: plots.separations(axes, {"a": [1.0]}, 9)),
        (2, lambda axes: plots.pair_waves(axes, 8, 9)),
        (1, lambda axes: plots.clock_rows(axes[0], [0, 1], 4)),
        (2, lambda axes: plots.code_maps(axes, 4, 5)),
        (1, lambda axes: plots.wavelengths(axes[0], 8, [1e4], 100)),
    ):
        fig, axes = plots.figure(number, 1, squeeze=False)
        draw(axes[:, 0])
        drawn.append(fig)
    for fig in drawn:
        colors = {text.get_color() for text in fig.findobj(Text) if text.get_text()}
        assert not colors & {"black", "k", "#000000"}
