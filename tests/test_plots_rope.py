"""The figures of relative/rope draw what pe_lib computes."""

import numpy as np
import pytest
from matplotlib.text import Text

from pe_lib import frequencies, plots, rope, sinusoidal

RNG = np.random.default_rng(0)


def test_the_arrows_end_at_the_rotated_query_and_key():
    q, k = RNG.standard_normal((2, 2))
    _, ax = plots.figure()
    plots.rope_arrows(ax, q, k, 3, 5, 0.7)
    tips = [text.xy for text in ax.texts if hasattr(text, "xy")]
    want = [rope.rotate([x], p, [0.7], layout="interleaved")[0] for x, p in ((q, 3), (k, 5))]
    np.testing.assert_allclose(tips, want)
    score = f"score {want[0] @ want[1]:.3f}".replace("-", "−")
    assert score in [text.get_text() for text in ax.texts]
    assert ax.get_title() == "m = 3, n = 5"


def test_the_score_maps_hold_every_pair_of_positions():
    q, k = RNG.standard_normal((2, 6))
    _, axes = plots.figure(1, 2)
    plots.added_and_rotated_scores(axes, q, k, 5)
    added, turned = (np.asarray(ax.images[0].get_array()) for ax in axes)
    omega = frequencies(6)
    for m in range(5):
        for n in range(5):
            by_sum = (q + sinusoidal.encode(m, 6)) @ (k + sinusoidal.encode(n, 6))
            at_m, at_n = (
                rope.rotate(x[None], p, omega, layout="interleaved")[0] for x, p in ((q, m), (k, n))
            )
            assert added[m, n] == pytest.approx(by_sum)
            assert turned[m, n] == pytest.approx(at_m @ at_n)
    for ax in axes:
        low, high = ax.images[0].get_clim()
        assert low == -high  # signed values: the map is centered at 0


def test_the_matrices_are_those_that_rotate():
    omega = frequencies(6, base=10.0)
    x = RNG.standard_normal(6)
    _, axes = plots.figure(1, 2)
    plots.rope_matrices(axes, 4, omega)
    for ax, layout in zip(axes, ("interleaved", "half"), strict=True):
        matrix = np.asarray(ax.images[0].get_array())
        np.testing.assert_allclose(
            matrix @ x, rope.rotate(x[None], 4, omega, layout=layout)[0], atol=1e-12
        )
        assert ax.get_title("left") == layout


def test_the_curves_are_the_mean_cosine_and_the_mean_partial_sum():
    omega = frequencies(8)
    _, ax = plots.figure()
    plots.mean_score_and_bound(ax, omega, 50)
    bound, mean = (line.get_ydata() for line in ax.lines[:2])
    for distance in (0, 1, 7, 50):
        assert mean[distance] == pytest.approx(np.cos(distance * omega).mean())
        partial = [abs(sum(np.exp(1j * distance * w) for w in omega[:j])) for j in range(1, 5)]
        assert bound[distance] == pytest.approx(np.mean(partial))
    assert (bound >= np.abs(mean)).all()


def test_no_text_is_left_in_matplotlib_s_own_black():
    """The page recolors INK alone, so anything else would vanish on a dark page."""
    fig, axes = plots.figure(1, 2)
    plots.added_and_rotated_scores(axes, *RNG.standard_normal((2, 4)), 3)
    fig2, axes = plots.figure(1, 2)
    plots.rope_matrices(axes, 4, frequencies(4))
    fig3, ax = plots.figure()
    plots.rope_arrows(ax, [1.0, 0.0], [0.0, 1.0], 1, 2, 0.5)
    fig4, ax = plots.figure()
    plots.mean_score_and_bound(ax, frequencies(4), 9)
    for drawn in (fig, fig2, fig3, fig4):
        colors = {text.get_color() for text in drawn.findobj(Text) if text.get_text()}
        assert not colors & {"black", "k", "#000000"}
