"""Copy what pages load from npm packages into ``site/assets``, the site's own folder.

Run by ``make book`` after ``npm ci``. Nothing third-party is committed, and no page asks another
host for anything.
"""

import shutil
from pathlib import Path

SITE = Path(__file__).parent
ASSETS = SITE / "assets"
KATEX = SITE / "node_modules" / "katex" / "dist"


def copy_katex():
    """KaTeX's style sheet and its fonts, in the one format that every current browser reads."""
    target = ASSETS / "katex"
    shutil.rmtree(target, ignore_errors=True)
    (target / "fonts").mkdir(parents=True)
    shutil.copy(KATEX / "katex.min.css", target)
    for font in (KATEX / "fonts").glob("*.woff2"):
        shutil.copy(font, target / "fonts")


if __name__ == "__main__":
    copy_katex()
