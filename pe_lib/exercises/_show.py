"""Values of a reader's code as short text that is the same on every run.

No method of an unknown object is called, because any of them may raise, never end, or show an
address: such an object is named by its type.
"""

import re
import types

import numpy as np

#: Longest text of one value, in characters.
LONGEST = 300

#: Items shown of a list.
_ITEMS = 8

#: Entries shown of an array; of a larger one, what stands in its corners.
_ENTRIES = 25

_COLLECTIONS = (list, tuple, set, frozenset, dict)
_FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodType, np.ufunc)


class Words(str):
    """Words of a check, shown as they are; a reader's text is shown in quotation marks."""

    __slots__ = ()


def show(value):
    """Return ``value`` as text: numbers to six digits, large arrays by shape and corners."""
    if value is None or value is Ellipsis or isinstance(value, (bool, np.bool_)):
        text = str(value)
    elif type(value) in (int, float, complex) or isinstance(value, np.number):
        text = _number(value)
    elif type(value) is Words:
        text = value
    elif type(value) in (str, np.str_, bytes):
        text = repr(value[:LONGEST])
    elif type(value) is np.ndarray:
        text = _array(value)
    elif type(value) in _COLLECTIONS:
        text = _collection(value)
    elif isinstance(value, _FUNCTIONS):
        text = f"the function {value.__name__}"
    elif isinstance(value, type):
        text = f"the class {_name(value)}"
    else:
        text = f"an object of type {_name(type(value))}"
    return shorten(text)


def show_inputs(inputs):
    """Return named inputs as text; of an array with many entries only the shape."""
    return ", ".join(f"{name} = {_input(value)}" for name, value in inputs.items())


def show_error(error):
    """Return an exception as text, its type and message without addresses."""
    name = _name(type(error))
    try:
        message = str(error)
    except BaseException:  # an exception's own __str__ may raise anything
        message = ""
    message = re.sub(r"0x[0-9a-fA-F]{4,}", "0x...", message)
    return shorten(f"{name}: {message}" if message else name)


def shorten(text):
    """Return ``text``, its tail cut off where it is too long."""
    return text if len(text) <= LONGEST else text[: LONGEST - 4] + " ..."


def _name(kind):
    """The name of a class, whatever its metaclass makes of it."""
    return type.__dict__["__name__"].__get__(kind)


def _number(value):
    if abs(value) < 1e-12:  # whether a rounding error is there at all differs between machines
        return "0"
    try:
        return f"{value:.6g}" if not isinstance(value, (int, np.integer)) else str(value)
    except ValueError:  # more digits than Python converts
        return "an integer with very many digits"


def _array(array):
    if array.dtype.kind not in "biufcUS":
        return f"an array of {array.dtype} of shape {array.shape}"
    if array.size == 0 or array.size > 10_000:  # printing its corners would first look at all of it
        return _shape(array)
    text = np.array2string(
        array,
        max_line_width=LONGEST,
        threshold=_ENTRIES,
        edgeitems=2,
        separator=", ",
        formatter={"all": lambda item: show(np.asarray(item).item())},
    )
    return re.sub(r"\s+", " ", text)


def _input(value):
    many = type(value) is np.ndarray and value.size > _ENTRIES
    return _shape(value) if many else show(value)


def _shape(array):
    return f"an array of shape {array.shape}"


def _collection(values):
    """A list, tuple, set or dict: its first items, each shown if it is no collection itself."""
    kind = type(values)
    opening, closing = {list: "[]", tuple: "()"}.get(kind, "{}")
    if kind is dict:
        items = [f"{_item(key)}: {_item(values[key])}" for key in list(values)[:_ITEMS]]
    elif kind is list or kind is tuple:
        items = [_item(value) for value in values[:_ITEMS]]
    else:  # sorted, because the order of a set of strings differs from run to run
        items = sorted(map(_item, values))[:_ITEMS]
    more = ["..."] if len(values) > _ITEMS else []
    return opening + ", ".join(items + more) + closing


def _item(value):
    """One level down, flat lists are shown; deeper ones are not, for a list can hold itself."""
    if type(value) not in _COLLECTIONS:
        return show(value)
    opening, closing = {list: "[]", tuple: "()"}.get(type(value), "{}")
    flat = type(value) in (list, tuple) and not any(type(item) in _COLLECTIONS for item in value)
    if flat and len(value) <= _ITEMS:
        return opening + ", ".join(map(show, value)) + closing
    return f"{opening}{len(value)} items{closing}"
