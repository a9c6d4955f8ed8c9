"""The style of the figures: legible on light and dark, the same on every run, nothing global."""

import itertools
import re
import subprocess
import sys
from pathlib import Path

import matplotlib
import numpy as np
import pytest
from matplotlib.colors import to_rgb

from pe_lib import plots
from pe_lib.plots import style

PAGE_CSS = Path(__file__).parents[1] / "site" / "styles" / "page.css"
PAPERS = re.findall(r"--paper: (#\w+)", PAGE_CSS.read_text(encoding="utf-8"))


def luminance(color):
    """WCAG 2.2, relative luminance."""
    channels = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(color)]
    return float(np.dot([0.2126, 0.7152, 0.0722], channels))


def contrast(one, other):
    """WCAG 2.2, contrast ratio."""
    light, dark = sorted([luminance(one), luminance(other)], reverse=True)
    return (light + 0.05) / (dark + 0.05)


def example(*, color=None):
    fig, ax = plots.figure(1, 1, height=2)
    ax.plot([0, 1], [0, 1], color=color or plots.COLORS["rope"], marker="o")
    ax.set_xlabel("position $p$ (tokens)")
    fig.colorbar(ax.imshow(np.eye(2), cmap=plots.SEQUENTIAL), label="weight")
    return fig


def test_contrast_agrees_with_the_standard():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.478, abs=1e-3)  # the known near miss


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", plots.COLORS)
def test_a_color_is_legible_on_the_light_and_on_the_dark_page(name, paper):
    assert contrast(plots.COLORS[name], paper) >= 3


def test_there_is_a_light_and_a_dark_page():
    assert [luminance(paper) > 0.5 for paper in PAPERS] == [True, False]


def test_colors_that_stand_for_different_schemes_differ():
    schemes = ["sinusoidal", "rope", "alibi", "learned", "t5", "none"]
    for one, other in itertools.combinations(schemes, 2):
        apart = np.subtract(to_rgb(plots.COLORS[one]), to_rgb(plots.COLORS[other]))
        assert np.linalg.norm(apart) > 0.15


@pytest.mark.parametrize("colormap", [plots.DIVERGING, plots.SEQUENTIAL])
def test_a_map_of_colors_darkens_steadily_away_from_its_light_end(colormap):
    middle = 0.5 if colormap is plots.DIVERGING else 0.0
    for end in {0.0, 1.0} - {middle}:
        steps = [luminance(colormap(x)) for x in np.linspace(middle, end, 20)]
        assert all(np.diff(steps) < 0)


def test_a_figure_is_the_same_svg_on_every_run():
    code = "import tests.test_plots_style as t; print(t.example().svg(), end='')"
    elsewhere = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", check=True
    )
    assert example().svg() == example().svg() == elsewhere.stdout
    assert example().svg() != example(color=plots.COLORS["alibi"]).svg()


def test_an_svg_holds_no_date_no_version_and_text_as_text():
    svg = example().svg()
    assert "<dc:date>" not in svg
    assert "Matplotlib" not in svg
    assert ">weight</text>" in svg


def test_a_figure_draws_in_ink_which_the_site_replaces_by_its_own_text_color():
    svg = example().svg()
    label = re.search(r'<text style="([^"]*)"[^>]*>weight</text>', svg)[1]
    assert f"fill: {style.INK}" in label
    ticks = set(re.findall(r"<use [^>]*stroke: (#\w+)", svg)) - {plots.COLORS["rope"]}
    assert ticks == {style.INK}


def test_nothing_global_is_touched():
    before = dict(matplotlib.rcParams)
    example().svg()
    assert dict(matplotlib.rcParams) == before
    assert (
        "matplotlib.pyplot"
        not in subprocess.run(
            [sys.executable, "-c", "import pe_lib.plots, sys; print(*sys.modules)"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
    )


def test_a_notebook_shows_svg_and_a_plain_line():
    bundle = example()._repr_mimebundle_()
    assert bundle["image/svg+xml"].startswith("<?xml")
    assert bundle["text/plain"] == "<Figure of 2 axes>"
