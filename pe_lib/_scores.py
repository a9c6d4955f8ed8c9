"""What scores with a term of relative position have in common: precision, offsets, overflow."""

import numpy as np

from pe_lib import _checks


def vectors(**arrays):
    """Float arrays, each with an axis of tokens or rows and one of channels, ready to multiply.

    Returns the dtype of the result, then the arrays in float32 at least: sums of float16 products
    soon pass its 65504.
    """
    checked = {name: _checks.float_array(name, array, min_ndim=2) for name, array in arrays.items()}
    dtype = np.result_type(*checked.values())
    wide = np.result_type(dtype, np.float32)
    return dtype, *(array.astype(wide, copy=False) for array in checked.values())


def same_channels(**arrays):
    """The one length of all last axes, or ValueError."""
    if len({array.shape[-1] for array in arrays.values()}) > 1:
        shapes = ", ".join(str(array.shape) for array in arrays.values())
        raise ValueError(
            f"{_listed(arrays)} must have the same number of channels, got shapes {shapes}"
        )
    return next(iter(arrays.values())).shape[-1]


def same_batch(**arrays):
    """Raise unless the leading axes, all but the last two, broadcast."""
    try:
        np.broadcast_shapes(*(array.shape[:-2] for array in arrays.values()))
    except ValueError:
        shapes = ", ".join(str(array.shape) for array in arrays.values())
        raise ValueError(
            f"the leading axes of {_listed(arrays)} must broadcast, got shapes {shapes}"
        ) from None


def offsets(query_positions, key_positions, num_queries, num_keys):
    """Key position minus query position, shape (Tq, Tk), int64."""
    lines = []
    for name, value, length, of in (
        ("query_positions", query_positions, num_queries, "query"),
        ("key_positions", key_positions, num_keys, "key"),
    ):
        line = _checks.integer_array(name, value)
        if line.shape != (length,):
            raise ValueError(
                f"{name} must have shape ({length},), one position per {of}, got {line.shape}"
            )
        lines.append(line)
    queries, keys = lines
    return keys - queries[:, None]


def finished(array, dtype, **arrays):
    """A result in its dtype, or ValueError where it has overflowed."""
    with np.errstate(over="ignore"):
        return _checks.finite(
            f"{_listed(arrays)} must be small enough that nothing overflows {dtype}",
            array.astype(dtype, copy=False),
        )


def _listed(names):
    """Names for a message: a, b and c."""
    *first, last = names
    return f"{', '.join(first)} and {last}"
