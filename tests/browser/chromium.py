"""Find a Chromium for the browser tests; as a script (``make browser``), get one where it can.

The system's comes first, then Playwright's own, which is installed where that is possible. With
neither, the browser tests are skipped and the script says so; with ``REQUIRE_BROWSER=1`` in the
environment it fails instead, and so do they.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
#: As root, as in containers, Chromium starts only without its sandbox.
ARGUMENTS = ["--no-sandbox"] if getattr(os, "geteuid", lambda: 1)() == 0 else []
REQUIRED = os.environ.get("REQUIRE_BROWSER") == "1"
MISSING = (
    "No Chromium was found: install one (Debian: apt install chromium), or let "
    "'playwright install chromium' fetch its own."
)


def find_chromium():
    """Return the path of a Chromium that can be started, or None."""
    for name in NAMES:
        if found := shutil.which(name):
            return found
    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    return own if Path(own).is_file() else None


def main():
    """Say which Chromium the tests will use; install Playwright's where there is none."""
    found = find_chromium()
    if found is None:
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)
        found = find_chromium()
    if found is not None:
        print(f"Browser tests use {found}")
        return 0
    print(MISSING)
    print("Without it, the tests in tests/browser that open pages are skipped:")
    print("errors on pages, requests, layout, accessibility, search, interactive figures.")
    return 1 if REQUIRED else 0


if __name__ == "__main__":
    sys.exit(main())
