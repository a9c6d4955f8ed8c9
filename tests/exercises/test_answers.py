"""Right answers are right in every form; a mistake is met with its input and the hint it needs."""

import inspect
import json
import pathlib
import re
import types

import numpy as np
import pytest

from pe_lib import exercises
from tests.exercises.mistakes import MISTAKES
from tests.exercises.right import RIGHT, choose_base, detector, padded, parts, previous_token

BOOK = pathlib.Path(__file__).parents[2] / "book"
every_exercise = pytest.mark.parametrize("name", exercises.names())


def test_every_exercise_has_a_right_answer_and_a_mistake_here():
    assert set(RIGHT) == set(MISTAKES) == set(exercises.names())


# --- Right answers -----------------------------------------------------------------------------


def _single(value):
    """The nearest numbers in single precision; other things as they are."""
    is_float = np.asarray(value).dtype.kind == "f"
    return np.asarray(value, dtype=np.float32)[()] if is_float else value


def _nested(value):
    return tuple(map(_nested, value)) if isinstance(value, list) else value


#: The same value in other types. A dictionary's values are turned one by one.
FORMS = {
    "itself": lambda value: value,
    "lists": lambda value: np.asarray(value).tolist(),
    "tuples": lambda value: _nested(np.asarray(value).tolist()),
    "an array": np.asarray,
    "single precision": _single,
}


def _in_form(value, form):
    if isinstance(value, dict):
        return {key: form(item) for key, item in value.items()}
    return form(value)


@every_exercise
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_right_answer_is_right_in_every_form(name, form):
    right = RIGHT[name]
    answer = (lambda *args: form(right(*args))) if callable(right) else _in_form(right, form)
    assert exercises.check(name, answer).message == f"Right ({name})"


@every_exercise
def test_a_right_answer_computed_in_single_precision_is_right(name):
    right = RIGHT[name]
    if callable(right):
        verdict = exercises.check(name, lambda *args: _single(right(*map(_single, args))))
        assert verdict.right, verdict.message


#: Other right answers: (exercise, answer).
ALSO_RIGHT = {
    "rounded by hand": ("alibi-weights-by-hand", (0.571, 0.286, 0.143)),
    "four decimals": ("alibi-weights-by-hand", (0.5714, 0.2857, 0.1429)),
    "a sine that is nearly 1/2": ("rope-score-by-hand", (-0.500001, 0.5)),
    "the fastest pair alone": ("rope-previous-token", previous_token(1, pairs=slice(1))),
    "the slowest pair alone": ("rope-previous-token", previous_token(1, pairs=slice(31, 32))),
    "a whole base": (
        "construction-base",
        lambda dim, context: round(RIGHT["construction-base"](dim, context)),
    ),
    "the infimum of bases": (
        "interpolation-choose-base",
        lambda dim, base, trained, target: choose_base(dim, base, trained, target - 1),
    ),
    "minus infinity under the mask": (
        "alibi-left-padding",
        lambda *case: padded(*case, masked=-np.inf),
    ),
    "a large key and a small query": ("equivariance-detector", detector(q=0.01, k=1e4)),
    "a list in an iterator": (
        "equivariance-survivors",
        lambda mask: iter(RIGHT["equivariance-survivors"](mask)),
    ),
    "orders in a set": (
        "equivariance-survivors",
        lambda mask: set(RIGHT["equivariance-survivors"](mask)),
    ),
    "a hundred words": ("equivariance-multiset", ["good", "very", "very"] * 33),
    "logarithm": ("interpolation-by-parts", parts(lambda turns: np.log(turns) / np.log(32))),
    "harmonic": ("interpolation-by-parts", parts(lambda turns: (1 - 1 / turns) * 32 / 31)),
    "smooth step": (
        "interpolation-by-parts",
        parts(lambda turns: (lambda x: x * x * (3 - 2 * x))((turns - 1) / 31)),
    ),
    "another random row": (
        "construction-spacing",
        np.random.default_rng(1).uniform(0, np.pi, 8),
    ),
}


@pytest.mark.parametrize(("name", "answer"), ALSO_RIGHT.values(), ids=ALSO_RIGHT)
def test_another_right_answer_is_right_too(name, answer):
    assert exercises.check(name, answer).message == f"Right ({name})"


# --- Mistakes ----------------------------------------------------------------------------------

every_mistake = pytest.mark.parametrize(
    ("name", "answer", "words"),
    [(name, *mistake) for name, mistakes in MISTAKES.items() for mistake in mistakes],
)


@every_mistake
def test_a_mistake_is_met_with_its_input_what_it_gave_and_its_hint(name, answer, words):
    verdict = exercises.check(name, answer)
    assert verdict.message.startswith(f"Not yet ({name})\n")
    told = dict(verdict.details)
    assert list(told)[:3] == ["Input", "Your answer gave", "Hint"]
    assert words in told["Hint"]


@every_mistake
def test_a_hint_asks(name, answer, words):
    hint = dict(exercises.check(name, answer).details)["Hint"]
    assert "?" in hint or hint.startswith("The result should be ")


def test_what_a_reader_wrote_is_shown_in_quotation_marks():
    verdict = exercises.check("equivariance-classify", RIGHT["equivariance-classify"] | {"b": "x "})
    assert dict(verdict.details)["Your answer gave"] == "'x '"


# --- What stands on the page before the reader has tried ----------------------------------------


def _cells():
    for path in sorted(BOOK.glob("*/*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] == "code" and "exercises.check(" in "".join(cell["source"]):
                yield "".join(cell["source"])


def _starters():
    """Name of each exercise -> the answer in the first cell that checks it."""
    found = {}
    for source in _cells():
        (name,) = re.findall(r'exercises\.check\("([^"]+)"', source)
        if name not in found:
            book = types.SimpleNamespace(check=lambda name, answer: found.update({name: answer}))
            exec(source, {"np": np, "exercises": book})
    return found


STARTERS = _starters()
FORMAT = r"The (result|answer) should be [^?]+\."


def test_every_exercise_starts_somewhere_in_the_book():
    assert set(STARTERS) == set(exercises.names())


@every_exercise
def test_a_starter_names_the_format_and_gives_nothing_of_the_idea_away(name):
    nothing = (lambda *args: None) if callable(STARTERS[name]) else None
    for answer in (nothing, [nothing], "some words"):
        told = dict(exercises.check(name, answer).details)
        assert re.fullmatch(FORMAT, told["Hint"]), told


@pytest.mark.parametrize("name", [name for name in exercises.names() if callable(STARTERS[name])])
def test_the_input_line_names_the_arguments_as_the_book_does(name):
    starter = STARTERS[name]
    names = list(inspect.signature(starter).parameters)
    for answer in (starter, None, lambda *args: 1 / 0, lambda *args: [x.fill(7) for x in args]):
        shown = dict(exercises.check(name, answer).details)["Input"]
        assert re.findall(r"(?:^|, )(\w+) = ", shown) == names


@every_mistake
def test_every_part_of_an_input_line_has_a_name(name, answer, words):
    shown = dict(exercises.check(name, answer).details)["Input"]
    assert re.match(r"\w+ = \S", shown)
