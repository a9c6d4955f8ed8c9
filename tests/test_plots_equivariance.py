"""The figures of why/equivariance draw what pe_lib computes."""

import numpy as np
import pytest

from pe_lib import attention, plots

TOKENS = ["little", "cat", "is", "rolling"]
ORDER = [2, 0, 3, 1]


@pytest.fixture
def weights():
    rng = np.random.default_rng(0)
    return attention.weights(rng.standard_normal((4, 8)), rng.standard_normal((4, 8)))


def cells(ax):
    """The numbers that a map is colored by."""
    return np.asarray(ax.collections[0].get_array())


def labels(axis):
    return [text.get_text() for text in axis.get_ticklabels()]


def test_a_map_shows_queries_from_top_to_bottom_with_their_numbers(weights):
    fig, ax = plots.figure()
    plots.attention_map(ax, weights, TOKENS)
    np.testing.assert_array_equal(cells(ax), weights)
    assert [text.get_text() for text in ax.texts] == [f"{w:.2f}" for w in weights.flat]
    assert labels(ax.xaxis) == labels(ax.yaxis) == TOKENS
    bottom, top = ax.get_ylim()
    assert bottom > top
    assert "<image" not in fig.svg()  # cells are shapes, the same bytes on every machine


def test_the_second_map_has_rows_and_columns_moved_alike(weights):
    _, axes = plots.figure(1, 2)
    plots.attention_permuted(axes, weights, ORDER, TOKENS, query=1, key=2)
    p = np.eye(4)[ORDER]
    np.testing.assert_array_equal(cells(axes[0]), weights)
    np.testing.assert_allclose(cells(axes[1]), p @ weights @ p.T, atol=1e-15)
    assert labels(axes[1].xaxis) == [TOKENS[i] for i in ORDER]


def test_the_outlines_follow_their_tokens(weights):
    _, axes = plots.figure(1, 2)
    plots.attention_permuted(axes, weights, ORDER, TOKENS, query=1, key=2)
    for ax in axes:
        row, column = ax.patches
        assert labels(ax.yaxis)[int(row.get_y())] == TOKENS[1]
        assert labels(ax.xaxis)[int(column.get_x())] == TOKENS[2]


def test_errors_share_one_scale(weights):
    _, axes = plots.figure(1, 2)
    plots.symmetry_errors(axes, {"none": 0 * weights, "mask": weights}, TOKENS)
    assert [ax.get_title(loc="left") for ax in axes] == ["none", "mask"]
    limits = [ax.collections[0].get_clim() for ax in axes]
    assert limits == [(0, weights.max())] * 2
    np.testing.assert_array_equal(cells(axes[1]), weights)


def test_prefix_weights_are_running_means_of_running_means():
    _, ax = plots.figure()
    plots.prefix_weights(ax, 4, [1, 2])
    one, two = (line.get_ydata() for line in ax.lines)
    np.testing.assert_allclose(one, [1 / 4] * 4)
    np.testing.assert_allclose(two, np.array([25, 13, 7, 3]) / 48)
