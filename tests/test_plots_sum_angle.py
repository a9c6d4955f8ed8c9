"""The figures of ``sinusoid/sum_angle`` draw what ``pe_lib`` computes."""

import numpy as np
from matplotlib.patches import FancyArrowPatch

from pe_lib import plots, sinusoidal


def arrow_tips(ax):
    """Where the arrows of an axes end, in data coordinates."""
    arrows = [patch for patch in ax.patches if isinstance(patch, FancyArrowPatch)]
    return np.array([arrow._posA_posB[1] for arrow in arrows])


def test_turning_pairs_end_at_the_code_of_p_and_of_p_plus_k():
    fig, axes = plots.figure(1, 3)
    plots.turning_pairs(axes, 2, 5, dim=8)
    codes = sinusoidal.encode([2, 7], 8, layout="interleaved").reshape(2, 4, 2)
    for pair, ax in enumerate(axes):
        np.testing.assert_array_equal(arrow_tips(ax), codes[:, pair])
    assert fig.svg() == fig.svg()


def test_turning_pairs_draw_the_turn_from_one_arrow_to_the_other():
    _, axes = plots.figure(1, 2)
    plots.turning_pairs(axes, 2, 5, dim=8)
    x, y = axes[1].lines[0].get_data()
    np.testing.assert_allclose(np.arctan2(x, y)[[0, -1]], [0.2, 0.7], atol=1e-12)


def test_shift_matrices_show_the_matrix_of_each_offset():
    _, axes = plots.figure(1, 3)
    plots.shift_matrices(axes, [0, 1, -2.5], dim=6, layout="half")
    for ax, offset in zip(axes, [0, 1, -2.5], strict=True):
        drawn = ax.images[0]
        np.testing.assert_array_equal(
            drawn.get_array(), sinusoidal.shift_matrix(offset, 6, layout="half")
        )
        assert drawn.get_clim() == (-1, 1)


def test_eigenvalues_of_a_shift_lie_where_the_theorem_puts_them():
    _, ax = plots.figure()
    plots.eigenvalues(ax, sinusoidal.shift_matrix(1, 4), title="")
    x, y = ax.lines[0].get_data()
    want = [np.exp(1j), np.exp(-1j), np.exp(0.01j), np.exp(-0.01j)]
    np.testing.assert_allclose(np.sort_complex(x + 1j * y), np.sort_complex(want), atol=1e-14)
