"""pe_lib.widgets without a browser: what the traits promise, the stills, the bundle."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import traitlets
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_lib import frequencies, plots, widgets

ROOT = Path(__file__).parents[1]
FIGURES = (
    widgets.PermutationPlayground,
    widgets.RotationExplorer,
    widgets.RopeDials,
    widgets.WaveExplorer,
    widgets.AlibiHeads,
    widgets.ContextExplorer,
)

tokens = st.floats(-1000, 1000)
places = st.integers(0, 32)


# Oracle: the formulas, written out.


def attend(x, w_q, w_k, w_v, *, causal):
    rows = []
    for i, row in enumerate(x):
        q = [sum(row[c] * w_q[c][d] for c in range(4)) for d in range(4)]
        seen = [other for j, other in enumerate(x) if j <= i or not causal]
        keys = [[sum(o[c] * w_k[c][d] for c in range(4)) for d in range(4)] for o in seen]
        values = [[sum(o[c] * w_v[c][d] for c in range(4)) for d in range(4)] for o in seen]
        powers = [np.exp(sum(a * b for a, b in zip(q, k, strict=True)) / 2) for k in keys]
        rows.append(
            [
                sum(p * v[d] for p, v in zip(powers, values, strict=True)) / sum(powers)
                for d in range(4)
            ]
        )
    return np.array(rows)


@pytest.mark.parametrize("encoding", [False, True])
@pytest.mark.parametrize("causal", [False, True])
def test_the_playground_computes_attention_of_the_reordered_sentence(encoding, causal):
    playground = widgets.PermutationPlayground(
        order=[3, 4, 2, 0, 1], encoding=encoding, causal=causal
    )
    code = [
        [np.sin(p), np.cos(p), np.sin(p / 100), np.cos(p / 100)] if encoding else [0] * 4
        for p in range(5)
    ]
    matrices = [playground.w_q, playground.w_k, playground.w_v]
    x = np.array(playground.embeddings)
    output = attend(x[[3, 4, 2, 0, 1]] + code, *matrices, causal=causal)
    expected = attend(x + code, *matrices, causal=causal)[[3, 4, 2, 0, 1]]
    np.testing.assert_allclose(playground.output(), output, atol=1e-14)
    np.testing.assert_allclose(playground.expected(), expected, atol=1e-14)


@settings(deadline=None)
@given(tokens, tokens, st.integers(0, 7))
def test_the_explorer_shows_the_pair_of_the_code_and_of_the_shift_matrix(p, k, pair):
    explorer = widgets.RotationExplorer(position=p, shift=k, pair=pair)
    omega = 10_000 ** (-2 * pair / 16)
    cos, sin = np.cos(omega * k), np.sin(omega * k)
    np.testing.assert_allclose(explorer.matrix(), [[cos, sin], [-sin, cos]], atol=1e-12)
    np.testing.assert_allclose(explorer.code(), [np.sin(omega * p), np.cos(omega * p)], atol=1e-12)


@settings(deadline=None)
@given(places, places, st.integers(0, 3))
def test_the_dials_turn_query_and_key_as_complex_numbers_turn(m, n, pair):
    dials = widgets.RopeDials(query_position=m, key_position=n, pair=pair)
    q, k = (np.array(v)[::2] + 1j * np.array(v)[1::2] for v in (dials.query, dials.key))
    parts = (
        q * np.exp(1j * m * frequencies(8)) * np.conj(k * np.exp(1j * n * frequencies(8)))
    ).real
    np.testing.assert_allclose(dials.pair_score(), parts[pair], atol=1e-13)
    np.testing.assert_allclose(dials.score(), parts.sum(), atol=1e-13)


@pytest.mark.parametrize("dim", [2, 4, 8, 16, 30, 64, 512])
def test_the_wave_explorer_shows_waves_of_the_formula(dim):
    explorer = widgets.WaveExplorer(position=37.5, dim=dim, base=300.0, context=100)
    pairs = explorer.shown_pairs()
    assert pairs[0] == 0
    assert pairs[-1] == dim // 2 - 1
    assert pairs == sorted(set(pairs))
    assert len(pairs) == min(8, dim // 2)
    angles = [37.5 * 300 ** (-2 * i / dim) for i in pairs]
    np.testing.assert_allclose(
        explorer.code(), np.stack([np.sin(angles), np.cos(angles)], axis=1), atol=1e-12
    )
    slow = [i for i in range(dim // 2) if 2 * np.pi * 300 ** (2 * i / dim) > 100]
    assert explorer.slow_pairs() == len(slow)


@settings(deadline=None)
@given(st.integers(1, 128), st.integers(0, 200), st.floats(0, 12), st.data())
def test_the_heads_weigh_keys_as_softmax_weighs_a_line(num_heads, m, extra, data):
    head, t = data.draw(st.integers(0, num_heads - 1)), data.draw(st.integers(0, m))
    heads = widgets.AlibiHeads(
        num_heads=num_heads, head=head, query_position=m, distance=t, extra=extra
    )
    powers = [np.exp(-heads.slope() * j + (extra if j == t else 0)) for j in range(m + 1)]
    np.testing.assert_allclose(heads.weight(), powers[t] / sum(powers), rtol=1e-12, atol=1e-300)
    np.testing.assert_allclose(heads.beyond(), sum(powers[t:]) / sum(powers), rtol=1e-11)
    assert heads.half_life() * heads.slope() == pytest.approx(np.log(2))


@pytest.mark.parametrize("method", ["none", "linear", "ntk"])
@pytest.mark.parametrize(
    ("model", "trained", "base"),
    [("LLaMA 1", 2048, 1e4), ("Llama 2", 4096, 1e4), ("Llama 3", 8192, 5e5)],
)
def test_the_context_explorer_counts_pairs_that_turn_past_what_they_saw(
    model, trained, base, method
):
    for length, factor in ((2, 1), (trained, 1), (trained + 1, 1), (3 * trained, 3), (99_999, 7.5)):
        explorer = widgets.ContextExplorer(model=model, length=length, factor=factor, method=method)
        for i in range(64):
            omega = base ** (-i / 64)
            now = {"none": omega, "linear": omega / factor, "ntk": omega * factor ** (-i / 63)}
            np.testing.assert_allclose(explorer.seen()[i], omega * (trained - 1), rtol=1e-13)
            np.testing.assert_allclose(explorer.met()[i], now[method] * (length - 1), rtol=1e-12)
            closed = omega * trained >= 2 * np.pi
            passed = now[method] * (length - 1) > omega * (trained - 1e-6)
            assert explorer.new()[i] == (passed and not closed)


# Properties


@settings(deadline=None)
@given(st.integers(1, 40), st.integers(0, 4096), st.floats(0, 12), st.data())
def test_no_more_than_the_bound_lies_beyond_a_distance(num_heads, m, extra, data):
    head, t = data.draw(st.integers(0, num_heads - 1)), data.draw(st.integers(0, m))
    heads = widgets.AlibiHeads(
        num_heads=num_heads, head=head, query_position=m, distance=t, extra=extra
    )
    assert heads.beyond() <= heads.bound() * (1 + 1e-12) <= 1 + 2e-12
    power = np.exp(-heads.slope() * t)
    wanted = np.exp(extra) * power / (np.exp(extra) * power + 1 - power)
    assert heads.bound() == pytest.approx(wanted, rel=1e-9)


@settings(deadline=None)
@given(st.integers(2, 1_048_576), st.sampled_from(["LLaMA 1", "Llama 2", "Llama 3"]))
def test_interpolation_by_the_ratio_of_lengths_shows_no_new_angle(length, model):
    explorer = widgets.ContextExplorer(model=model, length=length, method="linear")
    explorer.factor = max(1.0, length / explorer.trained)
    assert not explorer.new().any()


@settings(deadline=None)
@given(st.permutations(range(5)))
def test_attention_cannot_see_order(order):
    assert widgets.PermutationPlayground(order=list(order)).difference() < 1e-14


@settings(deadline=None)
@given(tokens, tokens, st.integers(0, 7))
def test_shifting_is_turning(p, k, pair):
    explorer = widgets.RotationExplorer(position=p, shift=k, pair=pair)
    np.testing.assert_allclose(explorer.turned(), explorer.direct(), atol=1e-12)


@settings(deadline=None)
@given(places, places)
def test_the_score_keeps_the_offset_only(m, n):
    dials = widgets.RopeDials(query_position=m, key_position=n)
    assert abs(dials.score() - dials.score_from_offset()) < 1e-13


def test_the_default_query_looks_three_tokens_back():
    scores = {n: widgets.RopeDials(query_position=16, key_position=n).score() for n in range(33)}
    assert max(scores, key=scores.get) == 13


# What a notebook stores


@pytest.mark.parametrize("figure", FIGURES)
def test_the_same_state_gives_the_same_repr_and_the_same_still(figure):
    first, second = (figure()._repr_mimebundle_()[0] for _ in range(2))
    view = "application/vnd.jupyter.widget-view+json"
    assert first.pop(view)["model_id"] != second.pop(view)["model_id"]
    assert first == second
    assert set(first) == {"text/plain", "image/svg+xml"}
    assert first["text/plain"].startswith(f"{figure.__name__}(")


def test_the_still_shows_the_present_state():
    explorer = widgets.RotationExplorer()
    before = explorer.still().svg()
    explorer.shift = 7.5
    assert explorer.still().svg() != before
    assert "k = 7.5" in explorer.still().svg()


def test_a_repr_names_the_settings():
    assert repr(widgets.RotationExplorer(shift=0.5)) == (
        "RotationExplorer(position=3.0, shift=0.5, pair=0, dim=16)"
    )


def test_heads_and_positions_may_change_together():
    heads = widgets.AlibiHeads(head=7, distance=40)
    heads.set_state({"num_heads": 4, "head": 3})
    heads.set_state({"query_position": 10, "distance": 10})
    assert repr(heads) == (
        "AlibiHeads(num_heads=4, head=3, query_position=10, distance=10, extra=0.0)"
    )


def test_the_longest_sentence_has_a_still():
    words = ["a", "b", "c", "d", "e", "f", "g"]
    assert widgets.PermutationPlayground(words).still().svg().count("<text") > 60


# Values out of range


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda: widgets.PermutationPlayground(["alone"]), "tokens must be 2 to 7 words, got 1"),
        (
            lambda: widgets.PermutationPlayground(order=[0, 0, 1, 2, 3]),
            r"order must contain each of 0 to 4 once, got \[0, 0, 1, 2, 3\]",
        ),
        (lambda: widgets.PermutationPlayground(encoding="yes"), "expected a boolean"),
        (lambda: widgets.RotationExplorer(position=np.inf), "position must be finite, got inf"),
        (lambda: widgets.RotationExplorer(shift=1001), "shift must lie within .-1000, got 1001"),
        (lambda: widgets.RotationExplorer(pair=8), "pair must be below dim/2 = 8, got 8"),
        (lambda: widgets.RotationExplorer(pair=-1), "pair must be at least 0, got -1"),
        (lambda: widgets.RotationExplorer(dim=7), "dim must be even, got 7"),
        (lambda: widgets.RotationExplorer(dim=514), "dim must be at most 512, got 514"),
        (lambda: widgets.RopeDials(query_position=33), "query_position must lie between 0 and 32"),
        (lambda: widgets.RopeDials(pair=4), "pair must be at least 0 and below 4, got 4"),
        (lambda: widgets.RopeDials(query=[1.0, 2.0, 3.0]), "dim must be even, got 3"),
        (lambda: widgets.RopeDials(query=[1.0, np.nan]), "query must be finite, got nan"),
        (lambda: widgets.RopeDials(query=[1.0, 2.0]), "query and key must be equally long"),
        (lambda: widgets.WaveExplorer(position=65), "position must lie between 0 and context = 64"),
        (lambda: widgets.WaveExplorer(position=-1), "position must lie between 0 and context = 64"),
        (lambda: widgets.WaveExplorer(position=np.nan), "position must be finite, got nan"),
        (lambda: widgets.WaveExplorer(dim=5), "dim must be even, got 5"),
        (lambda: widgets.WaveExplorer(dim=514), "dim must be at most 512, got 514"),
        (lambda: widgets.WaveExplorer(base=1), "base must be greater than 1, got 1"),
        (lambda: widgets.WaveExplorer(base=1e10), r"base must be at most 1e9, got 1e\+10"),
        (lambda: widgets.WaveExplorer(context=7), "context must be at least 8, got 7"),
        (lambda: widgets.WaveExplorer(context=2**21), r"context must be at most 2\*\*20"),
        (lambda: widgets.AlibiHeads(num_heads=0), "num_heads must be at least 1, got 0"),
        (lambda: widgets.AlibiHeads(num_heads=129), "num_heads must be at most 128, got 129"),
        (lambda: widgets.AlibiHeads(head=8), "head must be below num_heads = 8, got 8"),
        (lambda: widgets.AlibiHeads(head=-1), "head must be at least 0, got -1"),
        (lambda: widgets.AlibiHeads(query_position=4097), "query_position must be at most 4096"),
        (lambda: widgets.AlibiHeads(distance=101), "distance must be at most query_position = 100"),
        (lambda: widgets.AlibiHeads(extra=12.5), "extra must lie between 0 and 12, got 12.5"),
        (lambda: widgets.ContextExplorer(length=1), "length must lie between 2 and 1048576, got 1"),
        (lambda: widgets.ContextExplorer(factor=0.5), "factor must lie between 1 and 1000"),
        (lambda: widgets.ContextExplorer(factor=np.nan), "factor must be finite, got nan"),
        (lambda: widgets.ContextExplorer(pair=64), "pair must be at least 0 and below 64, got 64"),
        (lambda: widgets.ContextExplorer(model="Llama 9"), "model"),
        (lambda: widgets.ContextExplorer(method="yarn"), "method"),
    ],
)
def test_a_value_out_of_range_is_refused_with_its_rule(change, message):
    with pytest.raises(traitlets.TraitError, match=message):
        change()


def test_a_refused_value_leaves_the_old_one():
    explorer = widgets.RotationExplorer(pair=5)
    with pytest.raises(traitlets.TraitError, match=r"pair must be below dim/2 = 2, got 5"):
        explorer.dim = 4
    assert (explorer.dim, explorer.pair) == (16, 5)


def test_pair_and_dim_may_change_together():
    explorer = widgets.RotationExplorer(pair=5)
    explorer.set_state({"dim": 4, "pair": 1})
    assert (explorer.dim, explorer.pair) == (4, 1)


def test_position_and_context_may_change_together():
    explorer = widgets.WaveExplorer(position=64)
    explorer.set_state({"position": 500.0, "context": 512})
    assert (explorer.position, explorer.context) == (500.0, 512)


def test_a_wave_that_turns_too_often_is_drawn_as_a_band():
    explorer = widgets.WaveExplorer(context=2048)
    turns = explorer.context / explorer.wavelengths()
    curves = [len(axes.lines) - 1 for axes in explorer.still().axes[1::2]]
    assert curves == [0 if turn > 60 else 2 for turn in turns]
    assert sorted(set(curves)) == [0, 2]


# The JavaScript side


def test_figures_are_drawn_in_the_colors_of_the_plots():
    colors = widgets.RopeDials().get_state()["colors"]
    flat = {name: color for name, color in colors.items() if isinstance(color, str)}
    assert flat == {name: plots.COLORS[name] for name in flat}
    assert set(flat) >= {"query", "key", "sine", "cosine", "sinusoidal", "rope", "alibi"}
    for name, colormap in (("diverging", plots.DIVERGING), ("sequential", plots.SEQUENTIAL)):
        for at, color in zip((0.0, 0.5, 1.0), colors[name], strict=True):
            rgb = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
            np.testing.assert_allclose(colormap(at)[:3], rgb, atol=0.01)


def test_the_style_sheet_has_no_colors_of_its_own():
    css = (ROOT / "pe_lib" / "widgets" / "src" / "figures.css").read_text(encoding="utf-8")
    assert re.findall(r"#[0-9a-f]{3,8}\b|rgba?\(", css) == []


def test_the_bundle_is_fresh_and_of_our_own_code_only(tmp_path):
    """``make widgets`` makes it."""
    committed = ROOT / "pe_lib" / "widgets" / "static" / "figures.js"
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    command = [shutil.which("node", path=path), "bundle.mjs", str(tmp_path / "figures.js")]
    subprocess.run(command, cwd=ROOT / "site", check=True)
    bundle = (tmp_path / "figures.js").read_text(encoding="utf-8")
    assert committed.read_text(encoding="utf-8") == bundle
    assert set(re.findall(r"^// (.*\.(?:js|css))$", bundle, re.MULTILINE)) == {
        f"src/{path.name}" for path in (ROOT / "pe_lib" / "widgets" / "src").iterdir()
    }
