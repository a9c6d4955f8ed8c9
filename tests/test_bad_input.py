"""Every public function, tried with everything that it should not be given.

The rule for all: a clear error (a ValueError or TypeError that names an argument) or the right
value; never a warning, never a NaN, never a change of an input.
"""

import copy

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tests.good_calls import GOOD_CALLS, public_functions, scheme_calls

FUNCTIONS = public_functions()
CALLS = [(name, argument) for name, call in GOOD_CALLS.items() for argument in call]
ids = [f"{name}-{argument}" for name, argument in CALLS]
every_argument = pytest.mark.parametrize(("name", "argument"), CALLS, ids=ids)
every_function = pytest.mark.parametrize("name", GOOD_CALLS)


def numbers(result):
    """All numbers of a result: an array, a number, or a tuple of these."""
    if isinstance(result, tuple):
        return np.concatenate([numbers(part) for part in result])
    return np.asarray(result, dtype=np.float64).ravel()


def same(a, b):
    """Whether an argument is what it was, to the bit."""
    if isinstance(a, np.ndarray) and a.dtype != object:
        return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    return a is b or repr(a) == repr(b)


def outcome(name, **changes):
    """Call a function with some arguments changed; the error or the numbers that come of it.

    Fails unless the rule holds.
    """
    options = GOOD_CALLS[name] | changes
    if "rng" in options and "rng" not in changes:
        options["rng"] = np.random.default_rng(0)
    before = {
        argument: copy.deepcopy(value) if isinstance(value, (np.ndarray, list, dict)) else value
        for argument, value in options.items()
    }
    try:
        answer = numbers(FUNCTIONS[name](**options))
    except (ValueError, TypeError) as error:
        answer = error
    if isinstance(answer, Exception):
        assert type(answer) in (ValueError, TypeError), f"{name}: {answer!r}"
        named = [argument for argument in options if argument in str(answer)]
        assert named, f"{name}: the error names no argument: {answer}"
    else:
        assert np.isfinite(answer).all(), f"{name} gives {answer} for {changes}"
    for argument, value in options.items():
        assert same(before[argument], value), f"{name} has changed {argument}"
    return answer


def refused(name, argument, value):
    """The error for one wrong argument, which must name that one."""
    error = outcome(name, **{argument: value})
    assert isinstance(error, Exception), f"{name} takes {value!r} for {argument}"
    assert argument in str(error), f"{name}: the error does not name {argument}: {error}"
    return error


def arrays(call):
    """The arguments of a call that are arrays of numbers."""
    return {a: v for a, v in call.items() if isinstance(v, np.ndarray) and v.dtype != bool}


ARRAYS = [(name, a) for name, call in GOOD_CALLS.items() for a in arrays(call)]
FLOATS = [(name, a) for name, a in ARRAYS if GOOD_CALLS[name][a].dtype.kind == "f"]
INTEGERS = [(name, a) for name, a in CALLS if type(GOOD_CALLS[name][a]) is int]
SCALARS = [(name, a) for name, a in CALLS if type(GOOD_CALLS[name][a]) is float]
NAMES = [(name, a) for name, a in CALLS if type(GOOD_CALLS[name][a]) is str]
FLAGS = [(name, a) for name, a in CALLS if type(GOOD_CALLS[name][a]) is bool]


def each(cases):
    return pytest.mark.parametrize(
        ("name", "argument"), cases, ids=[f"{name}-{argument}" for name, argument in cases]
    )


# --- The table is complete ---------------------------------------------------------------------


def test_every_public_function_has_a_call_here():
    assert GOOD_CALLS.keys() == FUNCTIONS.keys()


@every_function
def test_the_good_calls_are_good(name):
    assert not isinstance(outcome(name), Exception)


# --- Wrong kinds -------------------------------------------------------------------------------

_NOTHING_LIKE_IT = [
    "text",
    b"text",
    object(),
    1j,
    {1, 2},
    len,
    np.array([None, 1], object),
    [[1], [1, 2]],
    np.ones(3, complex),
    np.array(["2017-06-12"], "datetime64[D]"),
    np.zeros(2, [("a", float)]),
    np.array(["a", "b"]),
    np.ma.masked_array([1.0, 2.0, 3.0], [0, 1, 0]),
]


@every_argument
def test_what_is_nothing_like_it_is_refused(name, argument):
    for value in _NOTHING_LIKE_IT:
        refused(name, argument, value)


@every_argument
def test_none_is_refused_or_means_the_default(name, argument):
    error = outcome(name, **{argument: None})
    optional = {"bias", "mask", "attention_factor", "max_position_embeddings", "length"}
    assert isinstance(error, Exception) or argument in optional


@each(ARRAYS)
def test_booleans_are_no_numbers(name, argument):
    refused(name, argument, np.ones(GOOD_CALLS[name][argument].shape, bool))


@each(ARRAYS)
def test_bfloat16_is_refused_by_its_name(name, argument):
    value = GOOD_CALLS[name][argument].astype(ml_dtypes.bfloat16)
    assert "bfloat16" in str(refused(name, argument, value))


# --- Wrong numbers -----------------------------------------------------------------------------


@each(ARRAYS)
def test_nan_and_infinity_are_refused(name, argument):
    for bad in [np.nan, np.inf, -np.inf]:
        value = GOOD_CALLS[name][argument].astype(float)
        value.flat[-1] = bad
        refused(name, argument, value)


@each(SCALARS)
def test_nan_and_infinity_are_refused_as_numbers(name, argument):
    for bad in [np.nan, np.inf, -np.inf]:
        refused(name, argument, bad)


@each(INTEGERS + ARRAYS)
def test_huge_integers_are_refused_or_right(name, argument):
    for bad in [2**62, -(2**62), 2**63, -(2**63), 2**100]:
        good = GOOD_CALLS[name][argument]
        value = np.full(good.shape, bad) if isinstance(good, np.ndarray) else bad
        outcome(name, **{argument: value})


@each(FLOATS + SCALARS)
def test_extreme_floats_are_refused_or_right(name, argument):
    for bad in [1e300, -1e300, 1e-300, 5e-324, -0.0]:
        value = GOOD_CALLS[name][argument]
        if isinstance(value, np.ndarray):
            value = value.copy()
            value.flat[-1] = bad
        else:
            value = bad
        outcome(name, **{argument: value})


@each(INTEGERS)
def test_small_integers_are_refused_or_right(name, argument):
    for bad in [0, -1, -4, 1, 3, 7]:
        outcome(name, **{argument: bad})


@each([case for case in INTEGERS if not (case[1] == "offset" or "beta" in case[1])])
def test_what_is_no_integer_is_refused(name, argument):
    for bad in [2.0, 2.5, True, np.True_, [2], np.array([2]), np.nan]:
        if name == "positions.with_cache" and isinstance(bad, (list, np.ndarray)):
            continue  # a batch of caches
        refused(name, argument, bad)


@each(NAMES)
def test_unknown_names_are_refused_with_the_known_ones(name, argument):
    for bad in ["", "Half", "neox", "HALF ", 0, ["half"]]:
        error = refused(name, argument, bad)
        assert GOOD_CALLS[name][argument] in str(error)


@each(FLAGS)
def test_flags_are_true_or_false(name, argument):
    for bad in [0, 1, "True", None, np.ones(2, bool)]:
        refused(name, argument, bad)


@each([case for case in CALLS if case[1] == "dtype"])
def test_other_types_of_result_are_refused(name, argument):
    for bad in [int, "no such type", object, complex, 3]:
        refused(name, argument, bad)


# --- Wrong shapes ------------------------------------------------------------------------------


@each(ARRAYS)
def test_empty_arrays_are_refused(name, argument):
    value = GOOD_CALLS[name][argument]
    for axis in range(value.ndim):
        refused(name, argument, np.take(value, [], axis=axis))
    refused(name, argument, [])


@each(ARRAYS)
def test_shapes_that_do_not_fit_are_refused_or_right(name, argument):
    value = GOOD_CALLS[name][argument]
    outcome(name, **{argument: value.flat[0]})
    outcome(name, **{argument: np.tile(value, 7)})
    outcome(name, **{argument: np.stack([value] * 7)})
    outcome(name, **{argument: value[None, None, None]})
    outcome(name, **{argument: value[..., None]})
    for axis in range(value.ndim):
        if value.shape[axis] > 1:
            outcome(name, **{argument: np.take(value, [0], axis=axis)})
            outcome(name, **{argument: np.delete(value, 0, axis=axis)})


# --- Unusual, and right ------------------------------------------------------------------------


@every_function
def test_read_only_and_strided_arrays_are_as_good(name):
    def strided(value):
        if not isinstance(value, np.ndarray):
            return value
        memory = np.zeros(tuple(2 * n for n in value.shape[::-1]), value.dtype).T
        view = memory[tuple(slice(None, None, -2) for _ in value.shape)]
        view[...] = value
        view.flags.writeable = False
        return view

    changed = {argument: strided(value) for argument, value in GOOD_CALLS[name].items()}
    if "rng" in changed:
        changed["rng"] = np.random.default_rng(0)
    np.testing.assert_allclose(outcome(name, **changed), outcome(name), rtol=1e-12, atol=1e-12)


@every_function
def test_lists_are_as_good_as_arrays(name):
    lists = {
        argument: value.tolist() if isinstance(value, np.ndarray) else value
        for argument, value in GOOD_CALLS[name].items()
    }
    if "rng" in lists:
        lists["rng"] = np.random.default_rng(0)
    np.testing.assert_array_equal(outcome(name, **lists), outcome(name))


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
@each(FLOATS)
def test_narrow_floats_lose_no_more_than_their_own_precision(name, argument, dtype):
    narrow = GOOD_CALLS[name][argument].astype(dtype)
    got, want = (outcome(name, **{argument: x}) for x in (narrow, narrow.astype(float)))
    if isinstance(want, Exception):  # rounded frequencies are not geometric: YaRN refuses both
        assert str(got) == str(want)
        return
    np.testing.assert_allclose(
        got, want, rtol=0, atol=20 * np.finfo(dtype).eps * max(1, abs(want).max())
    )


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.uint64])
@each([(name, a) for name, a in ARRAYS if GOOD_CALLS[name][a].dtype.kind in "iu"])
def test_integers_of_any_width_are_as_good(name, argument, dtype):
    value = GOOD_CALLS[name][argument]
    if value.min() >= np.iinfo(dtype).min:
        got = outcome(name, **{argument: value.astype(dtype)})
        np.testing.assert_array_equal(got, outcome(name))


# --- Fuzz --------------------------------------------------------------------------------------

_dtypes = st.sampled_from(
    [np.int8, np.int64, np.uint64, np.float16, np.float32, np.float64, bool, complex, object]
)
_shapes = hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=5)
_anything = st.one_of(
    _dtypes.flatmap(
        lambda dtype: hnp.arrays(dtype, _shapes, elements=st.none() if dtype is object else None)
    ),
    st.integers(-3, 9),
    st.sampled_from([2**62, -(2**62), 2**100]),
    st.floats(),
    st.none(),
    st.booleans(),
    st.text(max_size=3),
    st.lists(st.integers(-3, 9), max_size=4),
    st.just(np.ma.masked_array([1.0, 2.0, 3.0], [0, 1, 0])),
)


@pytest.mark.parametrize("scheme", scheme_calls())
@given(st.data())
def test_a_scheme_given_anything_answers_rightly_or_says_what_is_wrong(scheme, data):
    name = scheme_calls()[scheme]
    arguments = data.draw(
        st.lists(st.sampled_from(sorted(GOOD_CALLS[name])), min_size=1, max_size=2)
    )
    outcome(name, **{argument: data.draw(_anything, label=argument) for argument in arguments})
