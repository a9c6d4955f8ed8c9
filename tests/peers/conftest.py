"""Peers are compared where they are installed: ``make peers``. REQUIRE_PEERS=1 demands them."""

import importlib
import os
import warnings

import pytest


def _imported(name):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # theirs, not ours
            return importlib.import_module(name)
    except ImportError:
        if os.environ.get("REQUIRE_PEERS") == "1":
            raise
        return pytest.skip(f"{name} is not installed: make peers")


@pytest.fixture(scope="session")
def torch():
    """PyTorch."""
    return _imported("torch")


@pytest.fixture(scope="session")
def peer(torch):
    """Import a module of transformers by name; its warnings stay silent."""
    _imported("transformers")
    return _imported
