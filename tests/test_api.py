"""The reference that readers see: every public function documented, with its chapter."""

import inspect
import pathlib
import re

import pytest

import pe_lib
from pe_lib import catalogue
from tests.good_calls import GOOD_CALLS, public_functions

ROOT = pathlib.Path(__file__).parent.parent
FUNCTIONS = public_functions()
PAGE = (ROOT / "book" / "reference" / "api.md").read_text(encoding="utf-8")

#: Chapters that do not stand yet, by the address they will have. One that is written leaves here.
PLANNED = {
    "sinusoid/geometry",
    "sinusoid/in_the_model",
    "relative/relative",
    "context/scaling",
    "context/generalization",
    "beyond/images",
    "beyond/multimodal",
}

every_function = pytest.mark.parametrize("name", FUNCTIONS)


def stands(chapter):
    return (ROOT / "book" / f"{chapter}.ipynb").is_file()


def test_no_planned_chapter_stands():
    assert not [chapter for chapter in PLANNED if stands(chapter)]


@every_function
def test_a_docstring_has_every_section_and_names_a_chapter(name):
    text = inspect.getdoc(FUNCTIONS[name])
    for section in ("Parameters", "Returns", "Raises", "References", "Examples"):
        assert f"\n{section}\n---" in text, section
    references = text.partition("\nReferences\n")[2].partition("\nExamples\n")[0]
    in_the_book = " ".join(references.split()).partition("In the book:")[2]
    chapters = re.findall(r"``([a-z]+/[a-z_]+)``", in_the_book)
    assert chapters, "a docstring says: In the book: chapter ``...``."
    assert all(stands(chapter) or chapter in PLANNED for chapter in chapters), chapters


@every_function
def test_a_docstring_lists_the_parameters_in_their_order(name):
    text = inspect.getdoc(FUNCTIONS[name])
    parameters = text.partition("\nParameters\n")[2].partition("\nReturns\n")[0]
    heads = re.findall(r"^(\w+(?:, \w+)*)(?: : .+)?$", parameters, re.MULTILINE)
    listed = [argument for head in heads for argument in head.split(", ")]
    assert sorted(listed) == sorted(inspect.signature(FUNCTIONS[name]).parameters)


@every_function
def test_a_call_in_the_tests_gives_every_parameter_that_has_no_default(name):
    signature = inspect.signature(FUNCTIONS[name])
    signature.bind(**GOOD_CALLS[name])


@pytest.mark.parametrize("room", pe_lib.__all__)
def test_the_reference_page_prints_every_module(room):
    kind = "autofunction" if room == "frequencies" else "automodule"
    assert f".. {kind}:: pe_lib.{room}\n" in PAGE


@pytest.mark.parametrize("name", catalogue.SCHEMES)
def test_the_chapter_of_a_scheme_stands_or_is_planned(name):
    chapter = catalogue.SCHEMES[name].chapter
    assert stands(chapter) or chapter in PLANNED


def test_equations_that_tests_and_docstrings_cite_are_in_the_book():
    """Labels are words in a test: nothing else would notice when one is renamed."""
    pages = [*ROOT.glob("book/**/*.ipynb"), *ROOT.glob("book/**/*.md")]
    book = "".join(page.read_text(encoding="utf-8") for page in pages)
    code = [*ROOT.glob("tests/test_*.py"), *ROOT.glob("tests/faults/*.py")]
    code += ROOT.glob("pe_lib/**/*.py")
    cited = {
        label
        for file in code
        for label in re.findall(r"\b(?:eq|thm)-[a-z-]+[a-z]", file.read_text(encoding="utf-8"))
    }
    assert len(cited) > 10
    assert sorted(label for label in cited if not re.search(rf"{label}\b(?!-)", book)) == []
