"""A handful of pages look as they did when somebody last looked at them.

What is compared is where things are and how dark, not pixels: each page is photographed, made gray,
shrunk to an eighth and blurred until letters are gone, so that another machine's fonts and a shift
by a pixel change next to nothing. Live figures are left out. After a change of looks that is meant,
look at the pages, then at the pictures that this writes anew:

    python -m tests.browser.test_looks
"""

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageFilter
from playwright.sync_api import sync_playwright

from tests.browser import chromium
from tests.browser.site import HTML, require_site, serve

PICTURES = Path(__file__).parent / "looks"
#: Page, width, colors.
LOOKS = {
    "first-page": ("book/intro.html", 1280, "light"),
    "chapter": ("book/sinusoid/sum_angle.html", 1280, "light"),
    "chapter-dark": ("book/relative/rope.html", 1280, "dark"),
    "chapter-phone": ("book/why/equivariance.html", 390, "light"),
    "library": ("book/reference/api.html", 820, "light"),
    "sources": ("book/reference/bibliography.html", 1280, "light"),
    "not-found": ("404.html", 390, "dark"),
}
HEIGHT = 1280  # of the screen
SCALE = 8
#: A spot has changed if it is that much darker or lighter, of 255; a page, if that part of it has.
SHADE, PART = 12, 0.03
STILL = ".pe-stage { visibility: hidden }"


def photograph(browser, address, name, change=""):
    """Take the blurred picture of a page; ``change`` is a script that runs first."""
    page_name, width, theme = LOOKS[name]
    page = browser.new_page(
        viewport={"width": width, "height": HEIGHT}, color_scheme=theme, reduced_motion="reduce"
    )
    try:
        page.goto(address + page_name, wait_until="networkidle")
        page.add_style_tag(content=STILL)
        page.evaluate(f"async () => {{ {change}; await document.fonts.ready }}")
        photo = Image.open(io.BytesIO(page.screenshot())).convert("L")
    finally:
        page.close()
    blurred = photo.reduce(SCALE).filter(ImageFilter.GaussianBlur(2))
    return blurred.point(lambda shade: shade // 4 * 4)  # smaller as a file


def changed(picture, other):
    """The part of two pictures in which they differ, and where: left, top, right, bottom."""
    if picture.size != other.size:
        return 1.0, (0, 0, *picture.size)
    pair = (np.asarray(image, dtype=int) for image in (picture, other))
    spots = np.abs(np.subtract(*pair)) > SHADE
    where = Image.fromarray(spots).getbbox() or (0, 0, 0, 0)
    return spots.mean(), tuple(SCALE * edge for edge in where)


@pytest.fixture(scope="module")
def take(browser):
    require_site()
    with serve(HTML) as address:
        yield lambda name, change="": photograph(browser, address, name, change)


def kept(name):
    return Image.open(PICTURES / f"{name}.png")


@pytest.mark.parametrize("name", LOOKS)
def test_a_page_looks_as_it_did(take, name):
    part, where = changed(take(name), kept(name))
    assert part <= PART, (
        f"{LOOKS[name]} has changed in {part:.1%} of its first screen, within {where}. If that is "
        "meant, look at it, then: python -m tests.browser.test_looks"
    )


STYLE = "document.head.append(Object.assign(document.createElement('style'), {textContent: `%s`}))"
BREAKS = {
    "no style sheets": "document.querySelectorAll('link[rel=stylesheet]').forEach(l => l.remove())",
    "site.css is missing": "document.querySelector('link[href*=\"site.css\"]').remove()",
    "headings as small as the text": STYLE % "h1, h2, h3 { font-size: 1rem }",
    "dark colors in light mode": "document.documentElement.dataset.theme = 'dark'",
    "navigation over the text": STYLE
    % ".site-nav { position: fixed; left: 30%; z-index: 9; background: var(--paper) }",
    "text in one narrow column": STYLE % "main { width: 60% }",
}
HARMLESS = {
    "another font for code": STYLE % ":root { --font-mono: sans-serif }",
    "a shift by a pixel": STYLE % "body { position: relative; top: 1px; left: 1px }",
}


@pytest.mark.parametrize("change", BREAKS.values(), ids=BREAKS)
def test_a_break_is_seen(take, change):
    assert changed(take("chapter", change), kept("chapter"))[0] > 1.5 * PART


@pytest.mark.parametrize("change", HARMLESS.values(), ids=HARMLESS)
def test_what_differs_from_machine_to_machine_is_not_seen(take, change):
    parts = [changed(take(name, change), kept(name))[0] for name in ("chapter", "chapter-phone")]
    assert max(parts) < PART / 2


def renew():
    """Write all pictures anew, and say which have changed."""
    with serve(HTML) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium.find_chromium(), args=chromium.ARGUMENTS
        )
        for name, look in LOOKS.items():
            picture = photograph(browser, address, name)
            path = PICTURES / f"{name}.png"
            part = changed(picture, Image.open(path))[0] if path.exists() else 1.0
            picture.save(path, optimize=True)
            print(f"{name}: {look}, {part:.1%} changed")
        browser.close()


if __name__ == "__main__":
    renew()
