"""From one layout of channel pairs to the other, in the weights of a model."""

import numpy as np

from pe_lib import _checks
from pe_lib._layout import pair_slices


def convert_layout(weight, num_heads, *, source, target):
    """Reorder a query or key projection so that the other layout computes the same scores.

    Parameters
    ----------
    weight : array_like of float, shape (num_heads * D, ...)
        A projection's weight, output channels first, or its bias. For grouped-query attention
        the key projection has its own, smaller ``num_heads``.
    num_heads : int
    source, target : {"interleaved", "half"}
        The layout that ``weight`` was trained with and the one that is wanted.

    Returns
    -------
    ndarray, shape and dtype of ``weight``
        The same rows; within each head, pair i moves from its source to its target channels.

    Raises
    ------
    TypeError, ValueError
        If the rows do not divide into ``num_heads`` heads of even size, or a layout is unknown.

    References
    ----------
    The same permutation as in the conversion of Llama checkpoints between Meta's (interleaved)
    and Hugging Face's (half) code. In the book: chapter ``relative/rope``, section
    ``sec-rope-layouts``.

    Examples
    --------
    >>> convert_layout([0.0, 1.0, 2.0, 3.0], 1, source="interleaved", target="half").tolist()
    [0.0, 2.0, 1.0, 3.0]
    """
    weight = _checks.float_array("weight", weight)
    num_heads = _checks.integer("num_heads", num_heads, minimum=1)
    _checks.one_of("source", source, _checks.LAYOUTS)
    _checks.one_of("target", target, _checks.LAYOUTS)
    rows = weight.shape[0]
    if rows % (2 * num_heads):
        raise ValueError(
            f"weight must have num_heads times an even number of rows, got {rows} rows for "
            f"{num_heads} heads"
        )
    channels = np.arange(rows).reshape(num_heads, -1)
    order = np.empty_like(channels)
    for old, new in zip(
        pair_slices(channels.shape[1], source), pair_slices(channels.shape[1], target), strict=True
    ):
        order[:, new] = channels[:, old]
    return weight[order.ravel()]
