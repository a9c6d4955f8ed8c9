"""The golden numbers are what their generators give: nobody has edited them by hand."""

import ast
import json
import pathlib
import runpy

import pytest

SCRIPTS = sorted((pathlib.Path(__file__).parent / "golden").glob("make_*.py"))
SCHEMES = [
    "sinusoidal",
    "rope",
    "alibi",
    "t5",
    "swin",
    "deberta_v2",
    "shaw",
    "xpos",
    "kerple",
    "fire_normalized_distance_c0.1_L512",
    "mrope_example",
]


def _generator(name):
    return runpy.run_path(str(SCRIPTS[0].with_name(name)))


@pytest.fixture(scope="module")
def recomputed():
    return _generator("make_golden.py")["golden"]()


@pytest.fixture(scope="module")
def recomputed_schemes():
    return _generator("make_schemes.py")["golden"]()


@pytest.mark.parametrize(
    "formula", ["frequencies", "timescale_frequencies", "sinusoid", "rope", "attention"]
)
def test_golden_numbers_are_those_of_their_generator(formula, golden, recomputed):
    assert golden[formula] == recomputed[formula]


def test_there_are_no_others(golden, recomputed):
    assert golden.keys() == recomputed.keys()


@pytest.mark.parametrize("scheme", SCHEMES)
def test_golden_numbers_of_a_scheme_are_those_of_its_generator(
    scheme, schemes_golden, recomputed_schemes
):
    assert schemes_golden[scheme] == recomputed_schemes[scheme]


def test_there_are_no_other_schemes(schemes_golden, recomputed_schemes):
    assert schemes_golden.keys() == recomputed_schemes.keys() == {"_meta", *SCHEMES}


def test_the_file_of_schemes_is_the_generators_byte_for_byte(recomputed_schemes):
    """1 and 1.0 are equal in Python and differ in the file."""
    generator = _generator("make_schemes.py")
    assert generator["FILE"].read_text("utf-8") == generator["text"](recomputed_schemes)
    json.loads(generator["text"](recomputed_schemes))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_a_generator_knows_nothing_of_the_library_that_it_judges(script):
    tree = ast.parse(script.read_text("utf-8"))
    imported = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imported |= {alias.name.split(".")[0] for alias in node.names}
        if isinstance(node, ast.ImportFrom):
            imported.add(node.module.split(".")[0])
    assert imported <= {"json", "mpmath", "pathlib", "runpy"}
