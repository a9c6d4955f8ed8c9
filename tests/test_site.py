"""The site's own Sphinx extensions, function by function; whole pages are tested in a browser."""

import re
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from docutils import nodes

from pe_lib import catalogue, plots

SITE = Path(__file__).parents[1] / "site"


@pytest.fixture(scope="module", autouse=True)
def extensions():
    """Let the extensions find each other, as the book's settings do."""
    sys.path.insert(0, str(SITE))
    yield
    sys.path.remove(str(SITE))


def figure(label="position $p + k$ (tokens)"):
    fig, ax = plots.figure()
    ax.plot([0, 1], color=plots.COLORS["rope"])
    ax.set_xlabel(label)
    return fig.svg()


def test_extensions_are_short():
    texts = {path.stem: path.read_text(encoding="utf-8") for path in SITE.glob("*.py")}
    lines = {name: text.count("\n") for name, text in texts.items() if "def setup(app)" in text}
    assert len(lines) > 10
    assert {name: count for name, count in lines.items() if count > 90} == {}


# ---- figures ----


def test_an_inline_figure_is_named_and_follows_the_page():
    import inline_svg

    svg = inline_svg.inline(figure(), 'a "rising" line', "figure1")
    assert 'role="img" aria-label="a &quot;rising&quot; line"' in svg
    assert plots.style.INK not in svg
    assert plots.style.PAPER not in svg
    assert "currentColor" in svg
    assert plots.COLORS["rope"] in svg
    for left_out in ("<?xml", "<!DOCTYPE", "<metadata", "<style", "<!--", "DejaVu", "STIX"):
        assert left_out not in svg


def test_figures_of_one_page_share_no_id_and_refer_to_their_own():
    import inline_svg

    ids = []
    for prefix in ("figure1", "figure2"):
        svg = inline_svg.inline(figure(), "x", prefix)
        ids.append(set(re.findall(r'\bid="([^"]*)"', svg)))
        assert set(re.findall(r'(?:href="|url\()#([^")]*)', svg)) <= ids[-1]
    assert ids[0]
    assert not ids[0] & ids[1]


def test_a_figure_as_wide_as_a_text_column_fills_it():
    import inline_svg

    assert 'style="--share: 1"' in inline_svg.inline(figure(), "x", "f")


def test_a_label_with_a_formula_runs_on_in_reading_order():
    import figure_text

    (label,) = re.findall(r"<text [^>]*>(?:<tspan.*?</tspan>)+</text>", figure_text.reset(figure()))
    words = re.sub(r"<[^>]*>", "", label).replace("\xa0", " ")
    assert words.split() == ["position", "p+k", "(tokens)"]
    (gap,) = re.findall(r'dx="([^"]*)"[^>]*>\+<', label)
    assert float(gap) > 1  # the space before the sign
    assert "var(--font-math-italic)" in label


def test_steps_up_and_down_in_a_label_come_back_to_the_line():
    import figure_text

    (label,) = re.findall(
        r"<text [^>]*>(?:<tspan.*?</tspan>)+</text>", figure_text.reset(figure("$x_0 y^2 z$"))
    )
    steps = [float(dy) for dy in re.findall(r'dy="([^"]*)"', label)]
    assert max(steps) > 1
    assert min(steps) < -1
    assert sum(steps) == pytest.approx(steps[0], abs=0.05)


# ---- formulas ----


def test_a_formula_becomes_html_and_mathml():
    import checked_math

    html = checked_math.ask_katex(r"\frac{1}{2}", display=True)
    assert "katex-display" in html
    assert "<math" in html


def test_a_formula_that_katex_cannot_render_is_refused_and_the_next_one_is_not():
    import checked_math

    with pytest.raises(ValueError, match="Undefined control sequence"):
        checked_math.ask_katex(r"\nosuchthing", display=False)
    assert "katex" in checked_math.ask_katex("x", display=False)


def test_a_formula_keeps_what_touches_it_and_nothing_else():
    from docutils.utils import new_document
    from kept_together import KeptTogether

    def kept(before, after, x="x"):
        paragraph = nodes.paragraph("", "", nodes.Text(before), nodes.math("", x), *after)
        document = new_document("")
        document += paragraph
        transform = object.__new__(KeptTogether)
        transform.document = document
        transform.run()
        assert paragraph.astext() == before + x + "".join(node.astext() for node in after)
        return [node.astext() for node in paragraph.findall(nodes.inline) if node["classes"]]

    assert kept("a length (", [nodes.Text("), then")]) == ["(x),"]
    assert kept("at most ", [nodes.Text(".")]) == ["x."]
    assert kept("the ", [nodes.Text("-th")]) == ["x-th"]
    assert kept("between ", [nodes.Text(" words")]) == []
    assert kept("(\n", [nodes.emphasis("", "slow"), nodes.Text(".")]) == []
    assert kept("", []) == []


def test_a_long_formula_takes_the_period_with_it():
    from kept_together import keep

    def formulas(after):
        long = nodes.math("", "x = 1 + 1 + 1 + 1 + 1 + 1 + 1")
        paragraph = nodes.paragraph("", "", long, nodes.Text(after))
        keep(long)
        return [node.astext() for node in paragraph]

    assert formulas(". Then") == [r"x = 1 + 1 + 1 + 1 + 1 + 1 + 1\text{.}", " Then"]
    assert formulas(" then") == ["x = 1 + 1 + 1 + 1 + 1 + 1 + 1", " then"]
    assert formulas("), then")[1] == "), then"


@pytest.mark.parametrize(
    ("latex", "nowrap", "rows"),
    [
        (r"a &= b \\ &= c", False, 2),
        (r"\begin{align}a &= b \\ &= c\end{align}", True, 2),
        (r"\begin{align*}a &= b\end{align*}", True, 1),
        (r"M = \begin{pmatrix} 1 & 0 \\ 0 & 1 \end{pmatrix}", False, 2),
    ],
)
def test_environments_of_amsmath_are_set_without_numbers_of_their_own(latex, nowrap, rows):
    import checked_math

    node = nodes.math_block("", latex, nowrap=nowrap)
    html = checked_math.render(node, display=True)
    assert "katex-error" not in html
    assert html.count("<mtr>") >= rows
    assert "eqn-num" not in html


# ---- boxes ----


def test_a_folded_box_opens_by_its_title_which_holds_no_link():
    import dropdowns

    html = (
        '<div class="solution dropdown admonition" id="s">\n'
        '<p class="admonition-title">Solution to <a href="#e">Exercise 1</a></p>\n'
        "<div><p>Deep.</p></div>\n</div>\n"
    )
    assert dropdowns.as_details(html) == (
        '<details class="solution dropdown admonition" id="s">\n'
        '<summary class="admonition-title">Solution to Exercise 1</summary>\n'
        "<div><p>Deep.</p></div>\n</details>\n"
    )


# ---- sizes ----


def test_the_guess_of_a_section_s_height_counts_what_is_seen():
    import section_sizes
    from bs4 import BeautifulSoup

    def height(body):
        return section_sizes.height(BeautifulSoup(f"<section>{body}</section>", "html.parser"))

    line = "<p>" + "letters " * 5 + "</p>"
    assert height("") == 0 < height(line) < height(10 * line) < 11 * height(line) + 5
    assert height(line + "<pre>a\nb\nc</pre>") > height(line + "<pre>a</pre>")
    folded = f"<details><summary>Proof</summary>{100 * line}</details>"
    assert height(folded) == height("<details><summary>Proof</summary></details>")


def test_only_innermost_sections_are_told_a_height():
    import section_sizes

    inner = '<section id="b"><p>words</p></section><section><p>no id</p></section>'
    context = {"body": f'<section class="x" id="a"><p>words</p>{inner}</section>'}
    section_sizes.note_heights(None, "page", "page.html", context, None)
    assert '<section class="x" id="a">' in context["body"]
    assert '<section style="--height: ' in context["body"]
    assert context["body"].count("--height") == 1


# ---- assets ----


def test_a_page_loads_ours_and_what_it_needs_and_nothing_else():
    import page_assets

    class Asset:
        def __init__(self, filename):
            self.filename = filename

    kept = ["_static/site.css", "_static/widgets/host.mjs", "_static/site.js"]
    dropped = [None, "_static/sphinx-thebe.js", "_static/mystnb.css", "https://example.org/a.js"]
    assert [name for name in kept + dropped if page_assets.keep(Asset(name))] == kept


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("_static/katex/katex.min.css", '<span class="katex">'),
        ("_static/katex/katex.min.css", "<svg viewBox>"),
        ("_static/sphinx-design.min.css", '<div class="sd-card">'),
    ],
)
def test_a_page_loads_what_stands_in_it_calls_for(name, body):
    import page_assets

    asset = SimpleNamespace(filename=name)
    assert page_assets.keep(asset, body)
    assert not page_assets.keep(asset, "<p>words</p>")


# ---- the library's reference ----


def linked(text, pages=("book/relative/rope",)):
    import api

    lines = text.splitlines()
    app = SimpleNamespace(env=SimpleNamespace(found_docs=set(pages)))
    api.link(app, "function", "name", None, None, lines)
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("chapter ``relative/rope``,", "chapter :doc:`/book/relative/rope`,"),
        ("chapter ``relative/alibi``.", "chapter ``relative/alibi`` (to come)."),
        ("equation ``eq-rope``.", "equation :eq:`eq-rope`."),
        ("theorem ``thm-shift``", "theorem :prf:ref:`thm-shift`"),
        ("section ``sec-rope-layouts``", "section :ref:`sec-rope-layouts`"),
        ('layout : {"interleaved", "half"}', 'layout : ``{"interleaved", "half"}``'),
    ],
)
def test_a_docstring_s_words_become_links(text, link):
    assert linked(text) == link


@pytest.mark.parametrize(
    "text", ["``layers/common_attention``", "``layers/common_attention.py``", '``{"a"}``', "``x``"]
)
def test_a_docstring_s_other_words_stay(text):
    assert linked(text) == text


def test_the_catalogue_s_rows_say_what_the_catalogue_says():
    import catalogue_table

    for name, scheme in catalogue.SCHEMES.items():
        cells = catalogue_table.row(name, scheme)
        assert len(cells) == len(catalogue_table.HEAD)
        assert cells[3:6] == [
            "yes" if said else "no"
            for said in (scheme.bounded, scheme.relative, scheme.directional)
        ]
        assert f"<pe_lib.{scheme.function.__module__.split('.')[1]}." in cells[0]
        assert (":cite:t:" in cells[6]) == (scheme.finding is not None)


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0"), (524_288, "524,288"), (16_777_216, "16.8 million"), (2**31, "2.15 billion")],
)
def test_numbers_of_numbers_are_short(number, text):
    import catalogue_table

    assert catalogue_table.count(number) == text
