"""Let the browser set the text of a figure, in the page's own fonts.

matplotlib places every letter of a label with a formula in it for the fonts that it measured with.
In other fonts those stand too close or too far. Here such a label is running text again: what is
kept is the order of the letters, the gaps that are no letter's own width (around an equals sign,
say), and the steps up and down.
"""

import re
from functools import cache

from matplotlib.font_manager import FontProperties, findfont, get_font

#: What matplotlib measured with: the font of the page in its place, and how much larger that must
#: be to look as large.
_FONTS = {
    "DejaVu Sans": ("sans", 1.17),
    "DejaVu Sans oblique": ("math-italic", 1.3),
    "STIXGeneral": ("math", 1.18),
    "STIXGeneral italic": ("math-italic", 1.18),
}
_STYLE = re.compile(
    r"(?P<before>[^\"]*?)font-size: (?P<size>[\d.]+)px; font-family: '(?P<family>[^']*)'[^;\"]*"
)
_GLYPH = re.compile(r'<tspan x="([^"]*)" y="([^"]*)" style="([^"]*)">([^<]*)</tspan>')
_FORMULA = re.compile(r"<text>\s*(?:<tspan [^>]*>[^<]*</tspan>\s*)+</text>")


@cache
def _advance(family, slant, weight, letter):
    """Width of a letter of one of matplotlib's own fonts, for a size of 1."""
    font = get_font(findfont(FontProperties(family=family, style=slant, weight=weight)))
    font.set_size(100, 72)
    return font.load_char(ord(letter)).linearHoriAdvance / 65536 / 100


def _width(letter, style):
    found = _STYLE.search(style)
    slant = re.search(r"font-style: (\w+)", style)
    weight = re.search(r"font-weight: (\d+)", style)
    return float(found["size"]) * _advance(
        found["family"], slant[1] if slant else "normal", int(weight[1]) if weight else 400, letter
    )


def _run_on(match):
    """Rewrite a label of single letters as text that runs on, centered where it was."""
    glyphs = sorted(
        (float(x), float(y), style, letter) for x, y, style, letter in _GLYPH.findall(match[0])
    )
    runs, right, level = [], 0.0, 0.0
    for x, y, style, letter in glyphs:
        size = float(_STYLE.search(style)["size"])
        gap, step = x - right, y - level
        if runs and runs[-1][2] == style and abs(gap) < 0.08 * size and step == 0:
            runs[-1][3] += letter
        else:
            runs.append([gap if runs else 0, step, style, letter])
        right, level = x + _width(letter, style), y
    text = "".join(
        f'<tspan dx="{dx:.3g}" dy="{dy:.3g}" style="{style}">{letters}</tspan>'
        for dx, dy, style, letters in runs
    )
    return f'<text x="{right / 2:.5g}" y="0" style="text-anchor: middle">{text}</text>'


def _page_font(match):
    slants = [f" {slant}" for slant in ("italic", "oblique") if slant in match["before"]]
    name, enlarged = _FONTS.get("".join([match["family"], *slants]), _FONTS["DejaVu Sans"])
    size = float(match["size"]) * enlarged
    return f"{match['before']}font-size: {size:.4g}px; font-family: var(--font-{name})"


def reset(svg):
    """Rewrite the labels of an SVG of matplotlib, whose text is text."""
    svg = _FORMULA.sub(_run_on, svg)
    return re.sub(f'(?<=style="){_STYLE.pattern}', _page_font, svg)
