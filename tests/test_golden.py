"""The golden numbers are what their generator gives: nobody has edited them by hand."""

import runpy

import pytest


@pytest.fixture(scope="module")
def recomputed(request):
    script = request.path.parent / "golden" / "make_golden.py"
    return runpy.run_path(str(script))["golden"]()


@pytest.mark.parametrize(
    "formula", ["frequencies", "timescale_frequencies", "sinusoid", "rope", "attention"]
)
def test_golden_numbers_are_those_of_their_generator(formula, golden, recomputed):
    assert golden[formula] == recomputed[formula]


def test_there_are_no_others(golden, recomputed):
    assert golden.keys() == recomputed.keys()
