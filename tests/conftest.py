"""What every test file shares: the Hypothesis profile and the golden numbers."""

import json
import os
import pathlib

import pytest
from hypothesis import settings

# A busy machine is slow, which is no failure; in CI every run draws the same examples.
settings.register_profile("book", deadline=None, derandomize="CI" in os.environ, max_examples=50)
settings.load_profile("book")

_GOLDEN = pathlib.Path(__file__).parent / "golden"


@pytest.fixture(scope="session")
def golden():
    """Formula -> its cases, computed with 50 digits by tests/golden/make_golden.py."""
    return json.loads((_GOLDEN / "core.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def schemes_golden():
    """Scheme -> its reference values, computed with 50 digits by tests/golden/make_schemes.py."""
    return json.loads((_GOLDEN / "schemes.json").read_text(encoding="utf-8"))
