"""Make the files that pages load from npm packages, into ``site/assets``.

Run by ``make book`` after ``npm ci``. Nothing third-party is committed, and no page asks another
host for anything.
"""

import shutil
from pathlib import Path

from fontTools import subset

SITE = Path(__file__).parent
ASSETS = SITE / "assets"
PACKAGES = SITE / "node_modules"

#: Faces of Source Serif and Source Sans, as their packages name them. Four, and only the letters
#: that English text, names and labels need, keep all fonts of the text below 60 KiB.
FACES = [
    "source-serif-4-latin-400-normal",
    "source-serif-4-latin-400-italic",
    "source-serif-4-latin-600-normal",
    "source-sans-3-latin-400-normal",
]
LETTERS = [*range(0x20, 0x7F), *map(ord, "\u00a0°±·×§©éèëáàäâåçíïñóôöøßüúÉÖÜ‐‑–—‘’“”•…′←→−≈≠≤≥")]


def copy_katex():
    """KaTeX's style sheet and its fonts, in the one format that every current browser reads."""
    source = PACKAGES / "katex" / "dist"
    target = ASSETS / "katex"
    shutil.rmtree(target, ignore_errors=True)
    (target / "fonts").mkdir(parents=True)
    shutil.copy(source / "katex.min.css", target)
    shutil.copy(source.parent / "LICENSE", target / "LICENSE.txt")
    for font in (source / "fonts").glob("*.woff2"):
        shutil.copy(font, target / "fonts")


def subset_fonts():
    """The faces of the text with LETTERS only.

    They are changed versions, so under their license they no longer carry the names of the
    originals, but its text goes with them.
    """
    target = ASSETS / "fonts"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    options = subset.Options(
        flavor="woff",
        layout_features=["kern", "liga", "mark"],
        hinting=False,
        name_IDs=[0, 13, 14],  # copyright and license
    )
    for face in FACES:
        package = face.split("-latin")[0]
        source = PACKAGES / "@fontsource" / package
        shutil.copy(source / "LICENSE", target / f"LICENSE-{package}.txt")
        font = subset.load_font(str(source / "files" / f"{face}.woff"), options)
        subsetter = subset.Subsetter(options)
        subsetter.populate(unicodes=LETTERS)
        subsetter.subset(font)
        subset.save_font(font, str(target / f"{face}.woff"), options)


if __name__ == "__main__":
    copy_katex()
    subset_fonts()
