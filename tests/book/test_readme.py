"""The README: its code runs, its links lead somewhere, its commands exist."""

import re
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_its_example_does_what_it_says():
    names = {}
    exec(re.search(r"```python\n(.*?)```", README, re.DOTALL)[1], names)
    assert names["code"].shape == (3, 64)
    np.testing.assert_allclose(names["moved"], names["sinusoidal"].encode(5, 64), atol=1e-12)
    assert names["q"].shape == (3, 64)


def test_its_links_lead_to_files():
    links = re.findall(r"\]\((?!http)([^)#]+)\)", README)
    assert len(links) > 4
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_its_commands_are_targets_of_the_makefile():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    assert set(re.findall(r"make ([a-z]+)", README)) <= targets
