"""Checks of arguments, shared by every module.

Each function returns its argument in the form that the caller computes with, or
raises an error that names the argument, its value and the rule it breaks.
"""

import operator

import numpy as np

LAYOUTS = ("interleaved", "half")

#: Largest |position|. Up to here an angle computed in float64 is within 1e-7 rad
#: of the truth: it carries at most three roundings, and 2**28 * 3 * 2**-53 < 9e-8.
MAX_POSITION = 2**28

_FLOATS = (np.float16, np.float32, np.float64)


def integer(name, value, *, minimum):
    """Return ``value`` as an int from ``minimum`` to 2**31 - 1: no array is longer than that."""
    if isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be an integer, got {value!r}")
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be an integer, got {value!r}") from None
    if number < minimum:
        raise ValueError(f"{name} must be at least {minimum}, got {number}")
    if number >= 2**31:
        raise ValueError(f"{name} must be less than 2**31, got {number}")
    return number


def even_dim(dim, name="dim"):
    """Return ``dim`` as a positive even int: channels come in pairs."""
    number = integer(name, dim, minimum=2)
    if number % 2:
        raise ValueError(f"{name} must be even, got {number}")
    return number


def axis(value, array):
    """Return ``value`` if it is an axis of ``array``, counted from either end."""
    number = integer("axis", value, minimum=-array.ndim)
    if number >= array.ndim:
        raise ValueError(f"axis must be less than {array.ndim}, got {number}")
    return number


def scalar(name, value, *, above=None):
    """Return ``value`` as a finite float, larger than ``above`` where that is given."""
    number = real_array(name, value)
    if number.ndim:
        raise TypeError(f"{name} must be one number, got an array of shape {number.shape}")
    if above is not None and not number > above:
        raise ValueError(f"{name} must be greater than {above}, got {value!r}")
    return float(number)


def real_array(name, value):
    """Return ``value`` as a float64 array without NaN or infinity."""
    array = _numbers(name, value)
    with np.errstate(over="ignore"):  # an integer beyond float64 is refused just below
        array = array.astype(np.float64)
    if not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite, got {_first(array, ~np.isfinite(array))}")
    return array


def positions(name, value):
    """Return positions or offsets as a float64 array, fractions allowed."""
    array = real_array(name, value)
    if array.size == 0:
        raise ValueError(f"{name} must not be empty, got shape {array.shape}")
    too_far = np.abs(array) > MAX_POSITION
    if too_far.any():
        raise ValueError(
            f"{name} must lie within +-2**28, where float64 angles are exact to 1e-7 rad, "
            f"got {_first(array, too_far)}"
        )
    return array


def integer_array(name, value, *, minimum=-MAX_POSITION, maximum=MAX_POSITION):
    """Return ``value`` as an int64 array from ``minimum`` to ``maximum``; 3.0 is no integer."""
    array = _numbers(name, value)
    if array.size == 0:
        raise ValueError(f"{name} must not be empty, got shape {array.shape}")
    if array.dtype.kind == "f":
        raise TypeError(f"{name} must be integers, got {array.dtype}")
    if (low := array < minimum).any():
        raise ValueError(f"{name} must be at least {minimum}, got {_first(array, low)}")
    if (high := array > maximum).any():
        raise ValueError(f"{name} must be at most {maximum}, got {_first(array, high)}")
    return array.astype(np.int64)


def floats(name, value, *, min_ndim=1):
    """Return ``value`` as a float16, float32 or float64 array, from integers as float64.

    NaN and infinity pass: for those who find them in their result, which is one look the less.
    """
    array = _numbers(name, value)
    if array.dtype.kind in "iu":
        array = array.astype(np.float64)
    if array.dtype.type not in _FLOATS:
        raise TypeError(f"{name} must be float16, float32 or float64, got {array.dtype}")
    if array.ndim < min_ndim:
        raise ValueError(f"{name} must have at least {min_ndim} axes, got shape {array.shape}")
    if array.size == 0:
        raise ValueError(f"{name} must not be empty, got shape {array.shape}")
    return array


def float_array(name, value, *, min_ndim=1):
    """Return ``value`` as an array of float16, float32 or float64; integers become float64."""
    array = floats(name, value, min_ndim=min_ndim)
    if not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite, got {_first(array, ~np.isfinite(array))}")
    return array


def boolean_array(name, value):
    """Return ``value`` as an array of booleans; zeros and ones are refused."""
    try:
        array = np.asarray(value)
    except ValueError:  # ragged
        raise TypeError(f"{name} must be an array of booleans, got {value!r}") from None
    if array.dtype != bool:
        raise TypeError(
            f"{name} must be boolean, got {array.dtype}; for zeros and ones write {name} == 1"
        )
    return array


def token_mask(name, value):
    """Return a mask of real tokens as booleans; zeros and ones, as tokenizers give them, too."""
    try:
        array = np.asarray(value)
    except ValueError:  # ragged, and refused in the last line
        array = None
    if array is not None and array.dtype.kind in "iu" and np.isin(array, (0, 1)).all():
        return array == 1
    return boolean_array(name, value)


def finite(message, array):
    """Return a result, or raise ValueError with ``message`` where it has overflowed."""
    if not np.isfinite(array).all():
        raise ValueError(message)
    return array


def flag(name, value):
    """Return ``value`` if it is True or False; 0, 1 and text are refused."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be True or False, got {value!r}")
    return bool(value)


def generator(name, value):
    """Return ``value`` if it is a NumPy random generator."""
    if not isinstance(value, np.random.Generator):
        raise TypeError(f"{name} must be a numpy.random.Generator, got {value!r}")
    return value


def float_dtype(dtype):
    """Return ``dtype`` as float16, float32 or float64."""
    try:
        checked = np.dtype(dtype)
    except TypeError:
        checked = None
    if checked is None or dtype is None or checked.type not in _FLOATS:
        raise TypeError(f"dtype must be float16, float32 or float64, got {dtype!r}")
    return checked


def one_of(name, value, options):
    """Return ``value`` if it is one of the strings in ``options``."""
    if not isinstance(value, str) or value not in options:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, options))}, got {value!r}")
    return value


def layout(value):
    """Return ``value`` if it names a channel layout."""
    return one_of("layout", value, LAYOUTS)


def shape(name, array, wanted):
    """Return ``array`` if it has the ``wanted`` shape, in which None stands for any length."""
    same = array.ndim == len(wanted) and all(
        want in (None, length) for length, want in zip(array.shape, wanted, strict=True)
    )
    if not same:
        words = ", ".join("*" if want is None else str(want) for want in wanted)
        words += "," * (len(wanted) == 1)
        raise ValueError(f"{name} must have shape ({words}), got {array.shape}")
    return array


def broadcastable(name, shape, target):
    """Raise unless an array of ``shape`` broadcasts to exactly ``target``."""
    try:
        same = np.broadcast_shapes(shape, target) == tuple(target)
    except ValueError:
        same = False
    if not same:
        raise ValueError(f"{name} of shape {tuple(shape)} must broadcast to {tuple(target)}")


def _numbers(name, value):
    """An array of integers or floats; booleans, text, complex and objects are refused."""
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(f"{name} must be a plain array, got a masked one: fill it first")
    try:
        array = np.asarray(value)
    except ValueError:
        raise TypeError(f"{name} must be an array of numbers, got {value!r}") from None
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{name} must be numbers, got {array.dtype} {value!r}")
    return array


def _first(array, where):
    """The first offending entry, for an error message."""
    return np.asarray(array)[where].flat[0].item()
