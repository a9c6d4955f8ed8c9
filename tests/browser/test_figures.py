"""The figures in a real browser: their formulas, and what they show when they are played."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from pe_lib import alibi, attention, context, frequencies, rope, sinusoidal, widgets
from tests.browser.site import HTML, ROOT, SETTLE, pages, require_site, serve

AXE = ROOT / "site" / "node_modules" / "axe-core" / "axe.min.js"
LAYOUTS = ("interleaved", "half")
#: In the order of the sample page.
FIGURES = ("permutation", "rotation", "rope", "construction", "alibi", "interpolation")
CLOSE = {"rtol": 0, "atol": 1e-12}


# formulas.js against pe_lib


@pytest.fixture(scope="module")
def sources():
    with serve(ROOT / "pe_lib" / "widgets" / "src") as address:
        yield address


@pytest.fixture
def call(visit, sources):
    """Call a function of formulas.js once for each list of arguments."""
    page = visit(sources + "figures.css")
    program = "async ([name, calls]) => { const f = await import('./formulas.js'); return %s }"
    each = program % "calls.map((args) => f[name](...args))"
    return lambda name, calls: page.evaluate(each, [name, calls])


def positions():
    """Draw integers, fractions and negative numbers, as far as the figures go."""
    rng = np.random.default_rng(0)
    return [0, 1, -1, 0.5, 1000, -1000, *rng.uniform(-1000, 1000, 40), *rng.integers(-64, 64, 20)]


def test_frequencies(call):
    dims = [2, 4, 6, 8, 16, 30, 64, 128, 512]
    for dim, got in zip(dims, call("frequencies", [[d] for d in dims]), strict=True):
        np.testing.assert_allclose(got, frequencies(dim), rtol=4e-15)
    (got,) = call("frequencies", [[8, 500000]])
    np.testing.assert_allclose(got, frequencies(8, base=500000), rtol=4e-15)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dim", [2, 8, 64])
def test_codes_and_shift_matrices(call, dim, layout):
    at = [float(p) for p in positions()]
    got = call("encode", [[p, dim, layout] for p in at])
    np.testing.assert_allclose(got, sinusoidal.encode(at, dim, layout=layout), **CLOSE)
    at = at[:12]
    got = call("shiftMatrix", [[k, dim, layout] for k in at])
    want = [sinusoidal.shift_matrix(k, dim, layout=layout) for k in at]
    np.testing.assert_allclose(got, want, **CLOSE)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dim", [2, 8, 64])
def test_rotary_embedding(call, dim, layout):
    rng = np.random.default_rng(1)
    at = np.array(positions(), dtype=float)
    x = rng.standard_normal((len(at), dim))
    omega = frequencies(dim)
    calls = [[row.tolist(), p, omega.tolist(), layout] for row, p in zip(x, at, strict=True)]
    want = rope.rotate(x, at, omega, layout=layout)
    np.testing.assert_allclose(call("rotate", calls), want, **CLOSE)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize(("length", "dim"), [(1, 2), (5, 4), (9, 3)])
def test_attention(call, length, dim, causal):
    rng = np.random.default_rng(2)
    calls, weights, outputs = [], [], []
    for scale in (0.1, 1, 10):
        x = rng.standard_normal((length, dim)) * scale
        q, k, v = w = rng.standard_normal((3, dim, dim))
        mask = attention.causal_mask(length) if causal else None
        calls.append([x.tolist(), *w.tolist(), causal])
        weights.append(attention.weights(x @ q, x @ k, mask=mask))
        outputs.append(attention.attention(x @ q, x @ k, x @ v, mask=mask))
    got = call("selfAttention", calls)
    np.testing.assert_allclose([g["weights"] for g in got], weights, **CLOSE)
    np.testing.assert_allclose([g["output"] for g in got], outputs, rtol=1e-13, atol=1e-12)


def test_alibi(call):
    counts = [*range(1, 34), 40, 71, 112, 128]
    for num_heads, got in zip(counts, call("alibiSlopes", [[n] for n in counts]), strict=True):
        np.testing.assert_allclose(got, alibi.slopes(num_heads), rtol=4e-15)
    traits = [(8, 3, 100, 40, 0.0), (12, 8, 0, 0, 3.0), (8, 7, 4096, 900, 12.0), (71, 0, 9, 9, 0.5)]
    for num_heads, head, m, t, extra in traits:
        want = widgets.AlibiHeads(
            num_heads=num_heads, head=head, query_position=m, distance=t, extra=extra
        )
        (weights,) = call("alibiWeights", [[want.slope(), m, t, extra]])
        np.testing.assert_allclose(weights, want.weights(), **CLOSE)
        (bound,) = call("alibiBound", [[want.slope(), t, extra]])
        np.testing.assert_allclose(bound, want.bound(), **CLOSE)


def test_softmax_and_small_parts(call):
    scores = [[0.0, 0.0], [1000.0, 0.0, -1000.0], [-3.0, 2.5, 0.125]]
    for got, row in zip(call("softmax", [[s] for s in scores]), scores, strict=True):
        np.testing.assert_allclose(got, attention.softmax(row), **CLOSE)
    x, y = [[1.0, 2.0], [3.0, 4.0]], [[1.0, 2.5], [3.0, 2.0]]
    assert call("permuteRows", [[x, [1, 0]]]) == [[[3, 4], [1, 2]]]
    assert call("largestDifference", [[x, y]]) == [2]
    assert call("matmul", [[x, y]]) == [(np.array(x) @ y).tolist()]
    assert call("add", [[x, y]]) == [(np.array(x) + y).tolist()]


@pytest.mark.parametrize("base", [3.5, 10_000, 500_000])
@pytest.mark.parametrize("dim", [2, 8, 30, 512])
def test_wavelengths_and_the_pairs_shown(call, dim, base):
    (got,) = call("wavelengths", [[dim, base]])
    np.testing.assert_allclose(got, 2 * np.pi / frequencies(dim, base=base), rtol=4e-15)
    for length in (8, 512, 131_072):
        explorer = widgets.WaveExplorer(dim=dim, base=base, context=length)
        assert call("slowPairs", [[dim, base, length]]) == [explorer.slow_pairs()]
    assert call("shownPairs", [[dim, 8]]) == [explorer.shown_pairs()]


@pytest.mark.parametrize("base", [1e4, 5e5])
@pytest.mark.parametrize("dim", [4, 64, 128])
def test_scaled_frequencies_and_angle_coverage(call, dim, base):
    omega = frequencies(dim, base=base)
    for factor in (1, 1.5, 4, 8.42, 64):
        methods = ("none", "linear", "ntk")
        got = call("scaledFrequencies", [[m, dim, base, factor] for m in methods])
        linear = context.linear(omega, factor=factor).frequencies
        ntk = context.ntk(dim, base=base, factor=factor).frequencies
        np.testing.assert_allclose(got, [omega, linear, ntk], rtol=4e-15)
        (pairs,) = call("angleCoverage", [[omega.tolist(), ntk.tolist(), 2048, 9000]])
        np.testing.assert_allclose([pair["seen"] for pair in pairs], omega * 2047, rtol=1e-15)
        np.testing.assert_allclose([pair["met"] for pair in pairs], ntk * 8999, rtol=1e-15)
        fresh = (2 * np.pi / omega > 2048) & (ntk * 8999 >= omega * 2048)
        assert [pair["fresh"] for pair in pairs] == fresh.tolist()


# The figures


@pytest.fixture
def figure(visit, sample_book):
    """Open the sample page, scroll to a figure, give its live element."""

    def open_figure(name, **options):
        page = visit(sample_book + "part/figures.html", **options)
        page.locator(".pe-stage").nth(FIGURES.index(name)).scroll_into_view_if_needed()
        live = page.locator(f".pe-{name}")
        live.wait_for(state="visible")
        return live

    return open_figure


def numbers(cells):
    return [float(text.replace("−", "-")) for text in cells.all_inner_texts()]


def exact(figure, name, value):
    """Type a value into a slider's box."""
    box = figure.get_by_label(f"{name}, exact value")
    box.fill(str(value))
    box.press("Enter")


def check_rotation(figure, **traits):
    expected = widgets.RotationExplorer(**traits)
    cells = numbers(figure.locator("tbody td"))
    np.testing.assert_allclose(cells[::2], expected.turned(), **CLOSE)
    np.testing.assert_allclose(cells[1::2], expected.direct(), **CLOSE)
    shown = numbers(figure.locator(".pe-matrix").first.locator(".pe-number"))
    np.testing.assert_allclose(shown, expected.matrix().ravel(), atol=5.1e-5)


def angle(figure, name):
    """Degrees by which an arrow stands counterclockwise from the right."""
    transform = figure.locator(f".pe-arrow.{name}").first.get_attribute("transform")
    return -float(transform.removeprefix("rotate(").removesuffix(")"))


def test_the_rotation_explorer_answers_the_keyboard(figure):
    explorer = figure("rotation")
    check_rotation(explorer, position=3, shift=2, pair=0)
    explorer.get_by_label("position p", exact=True).press("ArrowRight")
    check_rotation(explorer, position=3.5, shift=2, pair=0)
    expect(explorer.locator(".pe-says")).to_contain_text("Only p moved")
    explorer.get_by_label("shift k", exact=True).press("Home")
    check_rotation(explorer, position=3.5, shift=-12, pair=0)
    explorer.get_by_label("pair i", exact=True).press("End")
    check_rotation(explorer, position=3.5, shift=-12, pair=7)
    explorer.get_by_label("channels d").select_option("4")
    check_rotation(explorer, position=3.5, shift=-12, pair=1, dim=4)
    assert explorer.page.problems == []


def test_the_rotation_explorer_answers_the_mouse(figure):
    explorer = figure("rotation")
    slider = explorer.get_by_label("position p", exact=True)
    slider.click(position={"x": 200, "y": 10})
    position = float(slider.input_value())
    assert position > 10
    check_rotation(explorer, position=position, shift=2, pair=0)


def test_any_fraction_may_be_typed_and_stays_within_the_limits(figure):
    explorer = figure("rotation")
    exact(explorer, "position p", 987.654321)
    exact(explorer, "shift k", -0.25)
    check_rotation(explorer, position=987.654321, shift=-0.25)
    exact(explorer, "shift k", 1e6)
    check_rotation(explorer, position=987.654321, shift=1000)


def test_a_positive_shift_turns_the_arrow_clockwise_by_omega_k(figure):
    explorer = figure("rotation")
    assert angle(explorer, "pe-from") == pytest.approx(90 - np.degrees(3))
    assert angle(explorer, "pe-to") == pytest.approx(90 - np.degrees(5))


def check_playground(figure, words, **traits):
    tokens = ["my", "cat", "chases", "your", "mouse"]
    order = [tokens.index(word) for word in words.split()]
    expected = widgets.PermutationPlayground(order=order, **traits)
    assert figure.locator(".pe-chip").all_inner_texts() == words.split()
    (difference,) = numbers(figure.locator(".pe-result .pe-number"))
    assert abs(difference - expected.difference()) < 1e-12
    weights = cells(figure.locator("svg").first)
    assert weights == [
        "" if weight == 0 else f"{weight:.2f}" for weight in expected.weights().ravel()
    ]
    signs = figure.locator(".pe-sign").all_text_contents()
    differs = np.abs(expected.output() - expected.expected()).max(axis=1) > 1e-12
    assert sorted(signs) == sorted("≠" if row else "=" for row in differs)


def cells(drawing):
    """Texts of a matrix in reading order, from where its cells stand once they stopped."""
    return drawing.evaluate(
        """async (svg) => {
          await Promise.allSettled(svg.getAnimations({ subtree: true }).map((a) => a.finished));
          const corner = (cell) => cell.parentNode.getBoundingClientRect();
          return [...svg.querySelectorAll(".pe-cell")]
            .map((cell) => [cell.textContent, corner(cell)])
            .sort(([, a], [, b]) => Math.round(a.top - b.top) || a.left - b.left)
            .map(([text]) => text);
        }"""
    )


def test_the_playground_answers_the_keyboard(figure):
    playground = figure("permutation")
    check_playground(playground, "my cat chases your mouse")
    button = playground.get_by_role("button", name="move cat right")
    button.press("Enter")
    check_playground(playground, "my chases cat your mouse")
    expect(button).to_be_focused()
    button.press("ArrowRight")
    check_playground(playground, "my chases your cat mouse")
    expect(playground.locator(".pe-says")).to_contain_text("Attention cannot tell")
    playground.get_by_label("causal mask").press("Space")
    check_playground(playground, "my chases your cat mouse", causal=True)
    playground.get_by_label("add position codes").press("Space")
    check_playground(playground, "my chases your cat mouse", causal=True, encoding=True)
    expect(playground.locator(".pe-says")).to_contain_text("Now the order counts")
    playground.get_by_role("button", name="Original order").press("Enter")
    check_playground(playground, "my cat chases your mouse", causal=True, encoding=True)
    assert playground.page.problems == []


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_a_word_is_dragged_to_its_place(figure, motion):
    playground = figure("permutation", reduced_motion=motion)
    playground.evaluate("""figure => figure.addEventListener(
        "transitionrun", ({ propertyName }) => { figure.dataset.moved = propertyName })""")
    mouse = playground.page.mouse
    boxes = [chip.bounding_box() for chip in playground.locator(".pe-chip").all()]
    middle = boxes[0]["y"] + boxes[0]["height"] / 2
    mouse.move(boxes[4]["x"] + 10, middle)
    mouse.down()
    mouse.move(boxes[2]["x"] + 10, middle)
    mouse.move(boxes[1]["x"] + 10, middle, steps=3)
    mouse.up()
    mouse.move(boxes[0]["x"] + 10, middle)  # let go: it stays
    check_playground(playground, "my mouse cat chases your")
    glided = playground.get_attribute("data-moved")
    assert glided == ("transform" if motion == "no-preference" else None)


def test_nothing_glides_before_a_word_is_moved(visit, sample_book):
    page = visit(sample_book + "part/figures.html", reduced_motion="no-preference")
    page.add_init_script("""
      window.glides = 0;
      const { animate } = Element.prototype;
      Element.prototype.animate = function (...how) { glides++; return animate.apply(this, how) };
      addEventListener("transitionrun", () => glides++, true);
    """)
    page.reload()
    figure = page.locator(".pe-permutation")
    figure.wait_for(state="visible")
    page.wait_for_timeout(300)
    assert page.evaluate("glides") == 0
    figure.get_by_role("button", name="Swap the ends").click()
    check_playground(figure, "your mouse chases my cat")
    assert page.evaluate("glides") > 4  # the test sees them


def test_a_word_is_dragged_with_a_finger(figure):
    playground = figure("permutation", has_touch=True, width=360)
    playground.evaluate(
        """figure => {
          const [from, to] = [1, 3].map((i) => figure.querySelectorAll(".pe-chip")[i]);
          const at = (element, type) => {
            const box = element.getBoundingClientRect();
            const [clientX, clientY] = [box.left + box.width / 2, box.top + box.height / 2];
            const options = { clientX, clientY, pointerId: 1, pointerType: "touch", bubbles: true };
            return new PointerEvent(type, { ...options, isPrimary: true });
          };
          const list = figure.querySelector(".pe-words");
          list.setPointerCapture = () => {}; // no real pointer is down
          from.dispatchEvent(at(from, "pointerdown"));
          list.dispatchEvent(at(to, "pointermove"));
          list.dispatchEvent(at(to, "pointerup"));
        }"""
    )
    check_playground(playground, "my chases your cat mouse")


def test_the_ends_trade_places(figure):
    playground = figure("permutation")
    playground.get_by_role("button", name="Swap the ends").click()
    check_playground(playground, "your mouse chases my cat")
    playground.get_by_label("add position codes").check()
    check_playground(playground, "your mouse chases my cat", encoding=True)


def check_dials(figure, m, n, pair=0):
    expected = widgets.RopeDials(query_position=m, key_position=n, pair=pair)
    got = numbers(figure.locator("tbody td"))
    want = [expected.pair_score(), expected.score()] * 2
    np.testing.assert_allclose(got, want, **CLOSE)
    for name, vector in zip(("query", "key"), expected.turned(), strict=True):
        x, y = vector[2 * pair : 2 * pair + 2]
        turns = (angle(figure, f"pe-{name}") - np.degrees(np.arctan2(y, x))) / 360
        assert abs(turns - round(turns)) < 1e-9


def test_the_dials_answer_the_keyboard(figure):
    dials = figure("rope")
    check_dials(dials, 9, 4)
    dials.get_by_label("query position m", exact=True).press("ArrowLeft")
    check_dials(dials, 8, 4)
    expect(dials.locator(".pe-says")).to_contain_text("The offset changed")
    exact(dials, "key position n", 5)
    check_dials(dials, 8, 5)
    dials.get_by_label("pair shown").select_option("1")
    check_dials(dials, 8, 5, pair=1)
    assert dials.page.problems == []


def test_moving_both_turns_both_arrows_and_keeps_the_score(figure):
    dials = figure("rope")
    before = numbers(dials.locator("tbody td"))
    picture = dials.locator(".pe-picture").nth(2).inner_html()
    both = dials.get_by_label("move both", exact=True)
    both.press("End")
    check_dials(dials, 32, 27)
    np.testing.assert_allclose(numbers(dials.locator("tbody td")), before, **CLOSE)
    assert dials.locator(".pe-picture").nth(2).inner_html() == picture
    expect(dials.locator(".pe-says")).to_contain_text("Both moved")
    both.click(position={"x": 5, "y": 10})
    check_dials(dials, int(both.input_value()) + 5, int(both.input_value()))


def check_waves(figure, **traits):
    expected = widgets.WaveExplorer(**traits)
    rows = figure.locator(".pe-row-of-pair:visible")
    assert rows.count() == len(expected.shown_pairs())
    shown = [
        float(text.split()[1].replace("−", "-"))
        for text in rows.locator(".pe-number").all_inner_texts()
    ]
    np.testing.assert_allclose(shown, expected.code().ravel(), atol=5.1e-5)
    degrees = rows.locator(".pe-arrow").evaluate_all(
        "arrows => arrows.map((a) => -a.getAttribute('transform').slice(7, -1))"
    )
    turns = (np.array(degrees) - 90) / -360
    hands = np.stack([np.sin(2 * np.pi * turns), np.cos(2 * np.pi * turns)], axis=1)
    np.testing.assert_allclose(hands, expected.code(), atol=1e-10)
    longest, _, slow = figure.locator("tbody td").all_inner_texts()
    assert longest == f"{expected.wavelengths()[-1]:,.2f} tokens"
    assert slow == f"{expected.slow_pairs()} of {expected.dim // 2}"


def test_the_wave_explorer_answers_the_keyboard(figure):
    explorer = figure("construction")
    check_waves(explorer, position=4)
    explorer.get_by_label("position p", exact=True).press("ArrowRight")
    check_waves(explorer, position=5)
    expect(explorer.locator(".pe-says")).to_contain_text(
        "1 token further on: pair 0 turned by 57.3°"
    )
    explorer.get_by_label("base, as a power of ten").press("ArrowRight")
    check_waves(explorer, position=5, base=11_200)
    expect(explorer.locator(".pe-says")).to_contain_text("every other hand slower")
    explorer.get_by_label("channels d").select_option("512")
    explorer.get_by_label("context (tokens)").select_option("512")
    explorer.get_by_label("base, exact value").fill("10000")
    explorer.get_by_label("base, exact value").press("Enter")
    check_waves(explorer, position=5, dim=512, context=512)
    assert explorer.page.problems == []


def test_a_shorter_context_takes_the_position_along(figure):
    explorer = figure("construction")
    explorer.get_by_label("context (tokens)").select_option("131072")
    exact(explorer, "position p", 131_000.5)
    check_waves(explorer, position=131_000.5, context=131_072)
    explorer.get_by_label("context (tokens)").select_option("64")
    check_waves(explorer, position=64)
    explorer.get_by_label("channels d").select_option("4")
    check_waves(explorer, position=64, dim=4)


def check_heads(figure, **traits):
    expected = widgets.AlibiHeads(**traits)
    got = numbers(figure.locator("tbody td"))
    want = [expected.slope(), expected.half_life(), expected.weights()[0], expected.weight()]
    np.testing.assert_allclose(got, [*want, expected.beyond(), expected.bound()], **CLOSE)


def test_the_heads_answer_the_keyboard(figure):
    heads = figure("alibi")
    check_heads(heads)
    heads.get_by_label("head h", exact=True).press("ArrowRight")
    check_heads(heads, head=4)
    heads.get_by_label("query position m", exact=True).press("End")
    check_heads(heads, head=4, query_position=4096)
    own = widgets.AlibiHeads(head=4, query_position=4096).weights()[0]
    said = f"Of the 4097 tokens in view, the query's own key weighs {own:.6f}."
    expect(heads.locator(".pe-says")).to_contain_text(said)
    exact(heads, "extra score", 2.5)
    check_heads(heads, head=4, query_position=4096, extra=2.5)
    expect(heads.locator(".pe-says")).to_contain_text("2.5 logits make up for 80 tokens")
    assert heads.page.problems == []


def test_fewer_heads_and_tokens_take_the_others_along(figure):
    heads = figure("alibi")
    heads.get_by_label("head h", exact=True).press("End")
    check_heads(heads, head=7)
    exact(heads, "number of heads H", 6)
    check_heads(heads, num_heads=6, head=5)
    exact(heads, "number of heads H", 128)
    expect(heads.locator(".pe-says")).to_contain_text("half-life of 177 tokens")
    exact(heads, "query position m", 12)
    check_heads(heads, num_heads=128, head=5, query_position=12, distance=12)
    exact(heads, "query position m", 0)
    check_heads(heads, num_heads=128, head=5, query_position=0, distance=0)
    assert heads.page.problems == []


def check_context(figure, **traits):
    expected = widgets.ContextExplorer(**traits)
    pair, seen, met = expected.pair, expected.seen(), expected.met()
    want = [expected.frequencies()[pair], expected.scaled()[pair]]
    got = numbers(figure.locator("tbody td"))
    np.testing.assert_allclose(got[:2], want, **CLOSE)
    np.testing.assert_allclose(got[2:4], [seen[pair], met[pair]], atol=1e-6)
    turns = np.array([seen[pair], met[pair]]) / (2 * np.pi)
    np.testing.assert_allclose(got[4:], turns, atol=1e-4)
    heights = np.zeros(64)
    path = figure.locator(".pe-bar.pe-new").get_attribute("d")
    for x, top, bottom in re.findall(r"M([\d.]+) ([\d.]+)h[\d.]+V([\d.]+)", path):
        heights[int(float(x) // 10)] = float(bottom) - float(top)
    part = [np.clip(1 + np.log10(angle / (2 * np.pi)) / 3, 0, 1) for angle in (seen, met)]
    want = np.where(expected.new(), part[1] - part[0], 0) * 160
    np.testing.assert_allclose(heights, want, atol=2e-4)


def test_the_context_explorer_answers_the_keyboard(figure):
    explorer = figure("interpolation")
    check_context(explorer)
    expect(explorer.locator(".pe-says")).to_contain_text("23 of 64 pairs meet new angles")
    explorer.get_by_label("tokens now", exact=True).press("ArrowRight")
    check_context(explorer, length=10_240)
    explorer.get_by_label("pair i", exact=True).press("End")
    check_context(explorer, length=10_240, pair=63)
    explorer.get_by_label("method").select_option("1")
    exact(explorer, "factor s", 5)
    check_context(explorer, length=10_240, pair=63, method="linear", factor=5)
    expect(explorer.locator(".pe-says")).to_contain_text("no pair meets new angles")
    expect(explorer.locator(".pe-says")).to_contain_text("the fastest pair by 0.2 rad")
    explorer.get_by_label("method").select_option("2")
    explorer.get_by_label("factor s", exact=True).press("ArrowRight")
    check_context(explorer, length=10_240, pair=63, method="ntk", factor=5.1)
    assert explorer.page.problems == []


def test_the_context_explorer_finds_the_factor_that_clears_all_pairs(figure):
    explorer = figure("interpolation")
    explorer.get_by_label("method").select_option("2")
    for factor, count in ((4, "22 of 64 pairs meet"), (8.4, "1 of 64 pairs"), (8.42, "no pair")):
        exact(explorer, "factor s", factor)
        expect(explorer.locator(".pe-says")).to_contain_text(count)
        check_context(explorer, method="ntk", factor=factor)
    explorer.get_by_label("model").select_option("2")
    exact(explorer, "tokens now", 12_345)
    check_context(explorer, model="Llama 3", length=12_345, method="ntk", factor=8.42)


def test_a_bar_of_the_context_explorer_chooses_its_pair(figure):
    explorer = figure("interpolation")
    picture = explorer.locator(".pe-bars svg")
    width = picture.bounding_box()["width"]
    picture.click(position={"x": width * 50.5 / 64, "y": 30})
    check_context(explorer, pair=50)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1280])
def test_figures_are_accessible_and_fit_their_column(visit, sample_book, width, theme):
    page = visit(sample_book + "part/figures.html", width=width)
    page.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
    page.add_style_tag(path=ROOT / "site" / "styles" / "page.css")
    stages = page.locator(".pe-stage").all()
    for stage in stages:
        stage.scroll_into_view_if_needed()
        stage.locator(".pe-live").wait_for(state="visible")
        assert stage.evaluate("s => s.scrollWidth - s.clientWidth") <= 0
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("async () => (await axe.run('.pe-live')).violations")
    assert [f"{v['id']}: {v['nodes'][0]['html'][:300]}" for v in found] == []


@pytest.mark.parametrize("width", [320, 390, 600, 1440])
def test_a_figure_finds_its_room_kept_free(visit, width):
    require_site()
    with_figures = [name for name in pages() if "pe-stage" in (HTML / name).read_text("utf-8")]
    assert len(with_figures) > 5
    with serve(HTML) as site:
        for name in with_figures:
            page = visit(site + name, width=width)
            page.evaluate(SETTLE)
            for stage in page.locator(".pe-stage").all():
                stage.scroll_into_view_if_needed()
                stage.locator(".pe-live").wait_for(state="visible")
                room = stage.evaluate("stage => parseFloat(getComputedStyle(stage).minHeight)")
                assert stage.bounding_box()["height"] == room, name
