"""Every rule of ``rules.py`` is broken by a notebook that is faulty in its way, and by no other."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tests.book import rules

EXERCISES = "\n\n".join(
    f"```{{exercise-start}} Title\n:label: ex-topic-{n}\n```\n"
    f"```{{solution-start}} ex-topic-{n}\n```"
    for n in range(4)
)


def shown(source, data, count, **metadata):
    output = new_output("execute_result", data=data, execution_count=count)
    return new_code_cell(source, outputs=[output], execution_count=count, metadata=metadata)


FIGURE = {
    "figure": {"caption": "The arrow turns by the same angle.", "name": "fig-arrow"},
    "image": {"alt": "A circle with two arrows; the second stands one radian further on."},
}


def sound_chapter():
    """A small chapter that keeps every rule."""
    return new_notebook(
        cells=[
            new_markdown_cell("# Attention cannot see order"),
            new_markdown_cell("```{math}\n:label: eq-one\nx = y\n```"),
            new_code_cell("import numpy as np", execution_count=1),
            shown("symbolic.prove(a, b)", {"text/plain": "a = b"}, 2),
            shown("widgets.Dials()", {"image/svg+xml": "<svg/>"}, 3, mystnb=FIGURE),
            shown("exercises.check('one', f)", {"text/plain": "Right."}, 4),
            shown("exercises.check('two', f)", {"text/plain": "Right."}, 5),
            new_markdown_cell(EXERCISES),
            new_markdown_cell("## Key points\n\n## Sources\n\n{cite:t}`vaswani2017`, section 3.5."),
        ]
    )


def faults(notebook):
    """Names of the rules that a notebook breaks."""
    broken = {
        rule.__name__ for rule in rules.EVERY_NOTEBOOK + rules.EVERY_CHAPTER if list(rule(notebook))
    }
    if list(rules.citations_known(notebook, ["vaswani2017"])):
        broken.add("citations_known")
    return broken


def replace(index, old, new):
    def break_it(notebook):
        cell = notebook.cells[index]
        assert old in cell.source
        cell.source = cell.source.replace(old, new)

    return break_it


def change(index, **fields):
    return lambda notebook: notebook.cells[index].update(fields)


def drop_metadata(part, key):
    def break_it(notebook):
        described = nbformat.from_dict(FIGURE)
        described[part][key] = ""
        notebook.cells[4].metadata.mystnb = described

    return break_it


LONG = "\n".join(f"x{n} = {n}" for n in range(16))
STDERR = [new_output("stream", name="stderr", text="DeprecationWarning")]
ADDRESS = [new_output("stream", name="stdout", text="<object at 0x7f00deadbeef>")]
ERROR = [new_output("error", ename="ValueError", evalue="", traceback=[])]

BREAKS = {
    "two titles": (replace(1, "```{math}", "# Again\n\n```{math}"), "one_title"),
    "no title": (replace(0, "# ", "## "), "one_title"),
    "a long cell": (change(2, source=LONG), "short_cells"),
    "a semicolon": (replace(2, "import numpy as np", "x = 1;"), "no_trailing_semicolon"),
    "a cell not run": (change(2, execution_count=None), "executed"),
    "cells run out of order": (change(2, execution_count=9), "executed"),
    "an empty cell": (change(2, source=" "), "executed"),
    "a stored error": (change(2, outputs=ERROR), "executed"),
    "no stored output": (change(3, outputs=[]), "outputs_stored"),
    "a warning shown": (change(3, outputs=STDERR), "only_stable_outputs"),
    "an address shown": (change(3, outputs=ADDRESS), "only_stable_outputs"),
    "no caption": (drop_metadata("figure", "caption"), "figures_described"),
    "no figure name": (drop_metadata("figure", "name"), "figures_described"),
    "no alt text": (drop_metadata("image", "alt"), "figures_described"),
    "an equation without a label": (replace(1, ":label: eq-one\n", ""), "labels_well_formed"),
    "a label of no kind": (replace(1, "eq-one", "one"), "labels_well_formed"),
    "a missing solution": (
        replace(7, "{solution-start} ex-topic-3", "{note}"),
        "exercises_solved",
    ),
    "a solution to nothing": (
        replace(7, "{solution-start} ex-topic-3", "{solution-start} ex-topic-9"),
        "exercises_solved",
    ),
    "three exercises": (
        replace(7, EXERCISES, EXERCISES.rsplit("```{exercise-start}", 1)[0]),
        "exercises_solved",
    ),
    "one check": (replace(6, "'two'", "'one'"), "exercises_solved"),
    "no proof": (replace(3, "prove", "show"), "proofs_and_play"),
    "no interactive figure": (replace(4, "widgets", "pictures"), "proofs_and_play"),
    "a wall of text": (
        replace(0, "order", "order\n\n" + "word " * 151),
        "short_prose",
    ),
    "no key points": (replace(8, "## Key points", "## Summary"), "closing_sections"),
    "an unknown citation": (replace(8, "vaswani2017", "nobody2000"), "citations_known"),
    "no citation": (replace(8, "{cite:t}`vaswani2017`", "The paper"), "citations_known"),
}


def test_a_sound_chapter_keeps_every_rule():
    assert faults(sound_chapter()) == set()


@pytest.mark.parametrize("name", BREAKS)
def test_a_faulty_chapter_breaks_its_rule_and_no_other(name):
    break_it, rule = BREAKS[name]
    notebook = sound_chapter()
    break_it(notebook)
    assert faults(notebook) == {rule}


def test_every_rule_has_a_notebook_that_breaks_it():
    all_rules = {rule.__name__ for rule in rules.EVERY_NOTEBOOK + rules.EVERY_CHAPTER}
    assert {rule for _, rule in BREAKS.values()} == all_rules | {"citations_known"}
