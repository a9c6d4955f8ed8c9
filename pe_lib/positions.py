"""Positions: which number every token is given, before any encoding sees it.

Padding, a cache, packed documents and grids are questions about positions, not about encodings.
The subject of the chapter ``beyond/multimodal``.
"""

import math

import numpy as np

from pe_lib import _checks

_SEGMENTS = (
    "('text', length)",
    "('image', (height, width))",
    "('video', (frames, height, width))",
    "('video', (frames, height, width), time_step)",
)


def from_mask(mask):
    r"""Positions 0, 1, 2, ... over the real tokens of each row.

    .. math:: p_t = \Big(\sum_{s \le t} \mathrm{mask}_s\Big) - 1 \quad \text{where mask}_t,
        \text{ else } 0

    so that the amount of padding, on either side, changes no real token's position.

    Parameters
    ----------
    mask : array_like of bool, or of int 0 and 1, shape (..., T)
        True or 1 at real tokens, False or 0 at padding, as tokenizers give it. (A mask to add to
        scores, of 0 and minus infinity, means the opposite and is refused.)

    Returns
    -------
    ndarray of int64, shape (..., T)
        In tokens. Padding gets 0, a number that every table has; the mask must still keep
        attention away from it.

    Raises
    ------
    TypeError, ValueError
        If ``mask`` is neither boolean nor integers 0 and 1, or empty.

    References
    ----------
    huggingface/transformers#3021 tells what happens without. RoBERTa's rows are these numbers plus
    ``padding_idx + 1`` (padding itself keeps row ``padding_idx``), those of BART and OPT these
    plus 2. In the book: chapter ``beyond/multimodal``.

    Examples
    --------
    >>> from_mask([0, 0, 1, 1, 1]).tolist()
    [0, 0, 0, 1, 2]
    """
    mask = _checks.token_mask("mask", mask)
    if mask.ndim == 0 or mask.size == 0:
        raise ValueError(f"mask must have shape (..., T) and not be empty, got shape {mask.shape}")
    return np.where(mask, np.cumsum(mask, axis=-1, dtype=np.int64) - 1, 0)


def with_cache(past_length, length):
    """Positions of new tokens that follow those in a cache.

    Parameters
    ----------
    past_length : int, or array_like of int, any shape
        Number of real tokens in the cache: one number, or one per row of a batch, then
        ``mask.sum(axis=-1)`` of the cached tokens. Padding does not count.
    length : int
        Number of new tokens, at least 1.

    Returns
    -------
    ndarray of int64, shape (..., length)
        past_length, ..., past_length + length - 1, in tokens.

    Raises
    ------
    TypeError, ValueError
        If ``past_length`` is negative, ``length`` not positive or either no integer, or if a
        position would pass 2**28.

    References
    ----------
    keras-team/keras-hub#1544 tells what happens without. In the book: chapter
    ``beyond/multimodal``.

    Examples
    --------
    >>> with_cache(100, 2).tolist()
    [100, 101]
    >>> with_cache([3, 5], 2).tolist()
    [[3, 4], [5, 6]]
    """
    past_length = _checks.integer_array("past_length", past_length, minimum=0)
    length = _checks.integer("length", length, minimum=1)
    longest = int(past_length.max())
    if longest + length - 1 > _checks.MAX_POSITION:
        raise ValueError(f"past_length + length must be at most 2**28 + 1, got {longest + length}")
    return past_length[..., None] + np.arange(length, dtype=np.int64)


def packed(lengths):
    """Positions of documents packed into one sequence: each starts again at 0.

    They do not keep the documents apart: that takes a mask, see :func:`documents`.

    Parameters
    ----------
    lengths : array_like of int, shape (N,)
        Tokens per document, each at least 1, in the order of the sequence.

    Returns
    -------
    ndarray of int64, shape (T,)
        In tokens; T is the sum of the lengths.

    Raises
    ------
    TypeError, ValueError
        If ``lengths`` are not a line of positive integers, or their sum passes 2**28.

    References
    ----------
    Krell et al. (2021), section 3.2. In the book: chapter ``beyond/multimodal``.

    Examples
    --------
    >>> packed([3, 2]).tolist()
    [0, 1, 2, 0, 1]
    """
    lengths = _lengths(lengths)
    starts = np.cumsum(lengths) - lengths
    return np.arange(lengths.sum(), dtype=np.int64) - np.repeat(starts, lengths)


def documents(lengths):
    """Index of the document that each token of a packed sequence belongs to.

    Parameters
    ----------
    lengths
        As in :func:`packed`.

    Returns
    -------
    ndarray of int64, shape (T,)
        From 0 to N - 1. Where two of them are equal a query may attend to a key: the mask is
        ``ids[:, None] == ids``, block diagonal, together with
        :func:`pe_lib.attention.causal_mask` in a decoder.

    Raises
    ------
    TypeError, ValueError
        As :func:`packed`.

    References
    ----------
    Krell et al. (2021), section 3.2. In the book: chapter ``beyond/multimodal``.

    Examples
    --------
    >>> ids = documents([2, 1])
    >>> ids.tolist()
    [0, 0, 1]
    >>> (ids[:, None] == ids).astype(int).tolist()
    [[1, 1, 0], [1, 1, 0], [0, 0, 1]]
    """
    lengths = _lengths(lengths)
    return np.repeat(np.arange(len(lengths), dtype=np.int64), lengths)


def grid(height, width):
    """Positions (y, x) of the patches of an image, row by row from the top left.

    Parameters
    ----------
    height, width : int
        In patches, each at least 1.

    Returns
    -------
    ndarray of int64, shape (height * width, 2)
        In patches; the form that :func:`pe_lib.rope.rotate_2d` takes.

    Raises
    ------
    TypeError, ValueError
        If ``height`` or ``width`` is not a positive integer, or their product passes 2**28.

    References
    ----------
    Dosovitskiy et al. (2021), section 3.1, read patches in this order. In the book: chapter
    ``beyond/images``.

    Examples
    --------
    >>> grid(2, 3).tolist()
    [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]
    """
    return _cells({"height": height, "width": width}).T


def mrope(segments):
    r"""Time, height and width ids of text, images and videos in one sequence (M-RoPE).

    A segment that starts at s (one more than the largest id before it) has, at index n of a text,
    row y and column x of an image or of frame f of a video,

    .. math:: (s + n, s + n, s + n), \qquad (s, s + y, s + x), \qquad
        (s + \lfloor f \tau \rfloor, s + y, s + x)

    Parameters
    ----------
    segments : sequence of tuples
        In the order of the sequence: ``("text", length)``, ``("image", (height, width))``,
        ``("video", (frames, height, width))`` or ``("video", (frames, height, width), time_step)``.
        Sizes are in tokens, so after merging: Qwen2-VL's ``grid_thw`` of (1, 4, 8) with a merge
        size of 2 is ``("image", (2, 4))``. The time step tau, in ids per frame, is 1 if not given
        (Qwen2-VL); in Qwen2.5-VL ids per second times seconds per frame. Qwen3-VL writes a video
        as images with a text before each.

    Returns
    -------
    ndarray of int64, shape (3, T)
        Rows time, height, width, for :func:`pe_lib.rope.multimodal`. Text that follows, such as an
        answer, goes on at ``ids.max() + 1`` in all three; ``ids.max() + 1 - T`` is what models
        keep as ``rope_delta``.

    Raises
    ------
    TypeError, ValueError
        If a segment is of another form, a size is not a positive integer, the time step not a
        positive number, or ids pass 2**28.

    References
    ----------
    Wang et al. (2024), section 2.1 and figure 3. In the book: chapter ``beyond/multimodal``.

    Examples
    --------
    >>> mrope([("text", 1), ("image", (2, 2)), ("text", 2)]).tolist()
    [[0, 1, 1, 1, 1, 3, 4], [0, 1, 1, 2, 2, 3, 4], [0, 1, 2, 1, 2, 3, 4]]
    """
    try:
        segments = [tuple(segment) for segment in segments]
    except TypeError:
        raise TypeError(f"segments must be a sequence of tuples, got {segments!r}") from None
    if not segments:
        raise ValueError("segments must not be empty")
    ids, start = [], 0
    for index, segment in enumerate(segments):
        ids.append(start + _segment_ids(f"segments[{index}]", segment))
        start = int(ids[-1].max()) + 1
        if start > _checks.MAX_POSITION + 1:
            raise ValueError(f"segments[{index}] takes ids past 2**28, got {segment!r}")
    return np.concatenate(ids, axis=1)


def _segment_ids(name, segment):
    """Ids of one segment that starts at 0, shape (3, tokens)."""
    match segment:
        case (str("text"), length):
            return _cells({f"{name} length": length})[[0, 0, 0]]
        case (str("image"), (height, width)):
            frames, time_step = 1, 1
        case (str("video"), (frames, height, width)):
            time_step = 1
        case (str("video"), (frames, height, width), time_step):
            pass
        case _:
            raise ValueError(f"{name} must be one of {', '.join(_SEGMENTS)}, got {segment!r}")
    sizes = {"frames": frames, "height": height, "width": width}
    ids = _cells({f"{name} {axis}": size for axis, size in sizes.items()})
    tau = _checks.scalar(f"{name} time_step", time_step, above=0)
    if int(ids[0, -1]) * tau > _checks.MAX_POSITION:
        raise ValueError(f"{name} time_step takes ids past 2**28, got {time_step!r}")
    ids[0] = np.floor(ids[0] * tau)
    return ids


def _cells(sizes):
    """Indices of all cells of a grid, the last axis fastest, shape (number of axes, cells)."""
    lengths = [_checks.integer(name, size, minimum=1) for name, size in sizes.items()]
    if math.prod(lengths) > _checks.MAX_POSITION:
        raise ValueError(f"{' * '.join(sizes)} must be at most 2**28, got {math.prod(lengths)}")
    return np.indices(lengths, np.int64).reshape(len(lengths), -1)


def _lengths(value):
    """Lengths of packed documents."""
    lengths = _checks.integer_array("lengths", value, minimum=1)
    _checks.shape("lengths", lengths, (None,))
    if lengths.sum() > _checks.MAX_POSITION:
        raise ValueError(f"lengths must sum to at most 2**28, got {lengths.sum()}")
    return lengths
