"""What every scheme of the book must satisfy, run over the catalogue."""

import inspect
import pathlib
import re

import numpy as np
import pytest

import pe_lib
from pe_lib import catalogue

ROOT = pathlib.Path(__file__).parent.parent
SIGNATURES = {  # parameters that a family's functions start with, before their own options
    "add": ["positions", "dim"],
    "rotate": ["x", "positions", "frequencies"],
    "bias": ["query_positions", "key_positions", "num_heads"],
}
every_scheme = pytest.mark.parametrize("name", catalogue.SCHEMES)


def of_family(family):
    return [name for name, scheme in catalogue.SCHEMES.items() if scheme.family == family]


@every_scheme
def test_a_name_is_lower_case_words(name):
    assert re.fullmatch(r"[a-z0-9]+(_[a-z0-9]+)*", name)


@every_scheme
def test_a_scheme_has_the_signature_of_its_family(name):
    scheme = catalogue.SCHEMES[name]
    parameters = inspect.signature(scheme.function).parameters.values()
    positional = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
    assert positional == SIGNATURES[scheme.family]
    assert all(p.kind is p.KEYWORD_ONLY for p in parameters if p.name not in positional)


@every_scheme
def test_a_scheme_is_a_documented_public_function_of_pe_lib(name):
    function = catalogue.SCHEMES[name].function
    module = function.__module__.removeprefix("pe_lib.")
    assert getattr(getattr(pe_lib, module), function.__name__) is function
    for section in ("Parameters", "Returns", "Raises", "References", "Examples"):
        assert f"\n{section}\n---" in inspect.getdoc(function), section


@every_scheme
def test_the_source_is_in_the_bibliography(name):
    bibliography = (ROOT / "book" / "references.bib").read_text(encoding="utf-8")
    assert re.search(rf"@\w+\{{{catalogue.SCHEMES[name].citation},", bibliography)


@every_scheme
def test_the_chapter_exists(name):
    chapter = ROOT / "book" / f"{catalogue.SCHEMES[name].chapter}.ipynb"
    assert chapter.is_file()


@pytest.mark.parametrize("name", of_family("add"))
def test_codes_to_add_have_the_shape_of_positions_and_dim(name):
    encode = catalogue.SCHEMES[name].function
    positions = np.arange(6).reshape(2, 3)
    before = positions.copy()
    codes = encode(positions, 8)
    assert codes.shape == (2, 3, 8)
    assert np.isfinite(codes).all()
    np.testing.assert_array_equal(codes, encode(positions, 8))
    np.testing.assert_array_equal(positions, before)
    flat = codes.reshape(6, 8)
    assert len(np.unique(flat.round(6), axis=0)) == 6, "two positions have the same code"


@pytest.mark.parametrize("layout", ["interleaved", "half"])
@pytest.mark.parametrize("name", of_family("rotate"))
def test_rotations_keep_shape_and_norm_and_leave_their_input(name, layout):
    rotate = catalogue.SCHEMES[name].function
    x = np.random.default_rng(0).normal(size=(2, 3, 8)).astype(np.float32)
    before = x.copy()
    rotated = rotate(x, np.arange(3), pe_lib.frequencies(8), layout=layout)
    assert rotated.shape == x.shape
    assert rotated.dtype == x.dtype
    np.testing.assert_array_equal(x, before)
    np.testing.assert_allclose(
        np.linalg.norm(rotated, axis=-1), np.linalg.norm(x, axis=-1), rtol=1e-6
    )


def test_every_scheme_belongs_to_a_family_tested_here():
    assert {scheme.family for scheme in catalogue.SCHEMES.values()} <= {"add", "rotate"}
