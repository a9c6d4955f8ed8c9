"""Make the style sheets that pages load, with their fonts, in ``site/assets``.

Run by ``make book`` after ``npm ci``. Nothing third-party is committed, and no page asks another
host for anything. Fonts travel inside the style sheets: a page is drawn once, in its own letters,
and nothing on it moves because a font came later than the text.
"""

import base64
import io
import logging
import re
import shutil
from pathlib import Path

import sphinx_copybutton
from fontTools import subset

SITE = Path(__file__).parent
ASSETS = SITE / "assets"
PACKAGES = SITE / "node_modules"

#: In this order the sheets of ``styles`` become one: on a slow line every file takes its time.
STYLES = ("fonts", "page", "book", "code", "stages", "api", "previews", "print")
COPY_BUTTON = Path(sphinx_copybutton.__file__).parent / "_static" / "copybutton.css"

ASCII = range(0x20, 0x7F)
#: What English text, names and labels need: with it, the four faces of the text, which fonts.css
#: names as their packages do, stay below 60 KiB.
LETTERS = {*ASCII, *map(ord, "\u00a0°±·×§©éèëáàäâåçíïñóôöøßüúÉÖÜ‐‑–—‘’“”•…′←→−≈≠≤≥")}
#: What the book's formulas need of each of KaTeX's fonts; None is all of it. Whatever else a
#: formula asks for comes from the whole font, which is a file of its own.
SYMBOLS = {
    "KaTeX_Main-Regular": {
        *ASCII,
        *range(0x300, 0x339),  # accents and the stroke of a negation
        *range(0x391, 0x3AA),
        *range(0xE000, 0xF900),  # KaTeX's own parts of symbols
        *map(ord, "\u00a0ˉ¬±·×÷–—‘’“”†‡…′ℓℑℜ←↑→↓↔↦⇐⇒⇔⟵⟶⟷⟸⟹⟺∀∂∃∅∇∈∋−∓∗∘∙√∝∞∠∣∥∧∨∩∪∫"),
        *map(ord, "∼≃≅≈≡≤≥≪≫⊂⊃⊆⊇⊕⊗⊙⊤⊥⋅⋮⋯⋱⌈⌉⌊⌋⟨⟩△"),
    },
    "KaTeX_Main-Bold": set(ASCII),
    "KaTeX_AMS-Regular": {0x20, *range(0x41, 0x5B), 0x25A0, 0x25A1},
    "KaTeX_Math-Italic": None,
    **{f"KaTeX_Size{size}-Regular": None for size in (1, 2, 3, 4)},
}


def embed(path, wanted):
    """Return the ``src`` of a face with the wanted letters (None: all), and which it has or lacks.

    A part is a changed version, so under the fonts' license it does not carry the name of the
    original, but its license's text goes with it.
    """
    options = subset.Options(
        flavor="woff2",
        layout_features=["kern", "liga", "mark"],
        hinting=False,
        name_IDs=[0, 13, 14],  # copyright and license
    )
    font = subset.load_font(str(path), options)
    letters = set(font.getBestCmap())
    inside = letters if wanted is None else letters & wanted
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=inside)
    subsetter.subset(font)
    data = io.BytesIO()
    font.flavor = "woff2"
    font.save(data)
    text = base64.b64encode(data.getvalue()).decode()
    return f'url(data:font/woff2;base64,{text}) format("woff2")', inside, letters - inside


def ranges(letters):
    """Write letters as a ``unicode-range``."""
    return ",".join(f"U+{letter:X}" for letter in sorted(letters))


def site():
    """Ours and that of the copy buttons, with the faces of the text in them."""

    def face(match):
        package = match[1].split("-latin")[0]
        folder = PACKAGES / "@fontsource" / package
        shutil.copy(folder / "LICENSE", ASSETS / f"LICENSE-{package}.txt")
        return embed(folder / "files" / f"{match[1]}.woff2", LETTERS)[0]

    sheets = [COPY_BUTTON, *(SITE / "styles" / f"{name}.css" for name in STYLES)]
    css = "\n".join(sheet.read_text(encoding="utf-8") for sheet in sheets)
    css = re.sub(r'url\("(source-[\w-]+)"\)', face, css)
    (ASSETS / "site.css").write_text(css, encoding="utf-8")


def katex():
    """KaTeX's style sheet with the usual symbols in it, and its fonts as files for the others."""
    source = PACKAGES / "katex" / "dist"
    target = ASSETS / "katex"
    (target / "fonts").mkdir(parents=True)
    shutil.copy(source.parent / "LICENSE", target / "LICENSE-katex.txt")

    def face(match):
        head, name = match.groups()
        # The one format that every current browser reads.
        file = f'src:url(fonts/{name}.woff2) format("woff2")'
        if name in SYMBOLS:
            data, inside, outside = embed(source / "fonts" / f"{name}.woff2", SYMBOLS[name])
            part = f"{head}src:{data};unicode-range:{ranges(inside)}}}"
            if not outside:
                return part
            file = f"{file};unicode-range:{ranges(outside)}}}{part.removesuffix('}')}"
        shutil.copy(source / "fonts" / f"{name}.woff2", target / "fonts")
        return f"{head}{file}}}"

    css = (source / "katex.min.css").read_text(encoding="utf-8")
    css, faces = re.subn(r"(@font-face\{[^}]*?)src:url\(fonts/([\w-]+)\.woff2\)[^}]*\}", face, css)
    if faces < len(SYMBOLS):
        raise SystemExit("KaTeX's style sheet no longer names its fonts as site/assets.py expects")
    (target / "katex.min.css").write_text(css, encoding="utf-8")


if __name__ == "__main__":
    logging.disable(logging.WARNING)  # fontTools finds the dates of KaTeX's fonts odd
    shutil.rmtree(ASSETS, ignore_errors=True)
    ASSETS.mkdir()
    site()
    katex()
