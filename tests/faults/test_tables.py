"""Faults seen in tables: the wrong row, an end that is not one, memory not filled, a wrong size.

In each test a property that a faulty variant fails, and that ``pe_lib`` keeps.
"""

import math

import numpy as np
import pytest

from pe_lib import frequencies, learned

SIZES = [(1, 3), (14, 16), (14, 61), (16, 14), (37, 39), (37, 74), (39, 37), (61, 14), (7, 7)]


def distinct_rows(rows, dim=3):
    """A table without a zero in it, no two rows alike."""
    return np.arange(1.0, rows * dim + 1).reshape(rows, dim)


# --- Which row ----------------------------------------------------------------------------------


def each_position_has_its_own_row(embed, *, max_length, reserved):
    """Position p of a table with reserved rows in front reads row p + reserved, unchanged."""
    table = distinct_rows(max_length + reserved)
    got = embed(table, np.arange(max_length))
    np.testing.assert_array_equal(got, table[reserved:])


def embed(table, positions):
    """How a BART or OPT table is read with pe_lib: the two reserved rows are written out."""
    return learned.lookup(table, positions + 2)


def zeroed_at(padding_idx):
    """An embedding layer with a padding index, which blanks that row."""

    def embed(table, positions):
        table = table.copy()
        table[padding_idx] = 0
        return table[positions + 2]

    return embed


def without_offset(table, positions):
    return table[positions]


def offset_by_padding_idx(padding_idx):
    return lambda table, positions: table[positions + padding_idx + 1]


@pytest.mark.parametrize("max_length", [4, 64])
def test_a_reserved_row_blanked_or_an_offset_forgotten_moves_or_silences_a_position(max_length):
    """The padding index blanked a real row and the offset of 2 was lost in ports.

    huggingface/transformers#10200 (padding index 5, offset 2: position 3 is silent), #13481,
    #19240, #20761, #22359; EleutherAI/gpt-neox#650.
    """
    case = {"max_length": max_length, "reserved": 2}
    each_position_has_its_own_row(embed, **case)
    each_position_has_its_own_row(zeroed_at(1), **case)  # harmless for the usual padding index
    for faulty in (zeroed_at(5), zeroed_at(2), without_offset, offset_by_padding_idx(5)):
        with pytest.raises((AssertionError, IndexError)):
            each_position_has_its_own_row(faulty, **case)
    assert (zeroed_at(5)(distinct_rows(max_length + 2), np.array([3])) == 0).all()


def padding_does_not_move_the_tokens(embed_masked):
    """The rows of the real tokens are those of the same text without padding on its left."""
    table = distinct_rows(16)
    for length in (1, 3, 8):
        alone = embed_masked(table, np.ones(length, bool))
        for pads in (1, 2, 8):
            mask = np.arange(pads + length) >= pads
            np.testing.assert_array_equal(embed_masked(table, mask)[mask], alone)


def positions_of_tokens(table, mask):
    return learned.lookup(table, np.maximum(np.cumsum(mask) - 1, 0))


def positions_of_slots(table, mask):
    return learned.lookup(table, np.arange(len(mask)))


def test_slots_counted_instead_of_tokens_shift_a_text_by_its_padding():
    """Left padding without position ids: every token was embedded some rows too late.

    huggingface/transformers#3021, #3167; ndif-team/nnsight#672.
    """
    padding_does_not_move_the_tokens(positions_of_tokens)
    with pytest.raises(AssertionError):
        padding_does_not_move_the_tokens(positions_of_slots)


# --- The end ------------------------------------------------------------------------------------


def a_position_without_a_row_is_refused(lookup):
    """The error names the argument: no wrap, no clip, and no bare index error either."""
    for rows in (1, 4, 512):
        table = distinct_rows(rows)
        np.testing.assert_array_equal(lookup(table, np.array([rows - 1])), table[-1:])
        for position in (rows, rows + 1, 2 * rows, 2**40, -1, -rows, -rows - 1):
            try:
                lookup(table, np.array([0, position]))
            except ValueError as error:
                named = "positions" in str(error) and str(position) in str(error)
            except IndexError:
                named = False
            else:
                named = False
            assert named, f"position {position} of {rows} rows"


def test_a_position_past_the_end_must_be_an_error_that_says_so():
    """Too long an input ended in an index error on a CPU, a device assertion on a GPU.

    facebookresearch/esm#49, huggingface/transformers#97.
    """
    a_position_without_a_row_is_refused(learned.lookup)
    for faulty in (
        lambda table, positions: table[positions],  # -1 is the last row, 512 an index error
        lambda table, positions: table[positions % len(table)],
        lambda table, positions: np.take(table, positions, axis=0, mode="clip"),
    ):
        with pytest.raises(AssertionError):
            a_position_without_a_row_is_refused(faulty)


# --- Is it filled? ------------------------------------------------------------------------------


def loading_a_checkpoint_restores_the_frequencies(model):
    """A model built empty and filled from a saved state computes what the saved one computed."""
    for dim in (2, 8, 64):
        saved = model(dim)
        empty = model(dim, memory=np.full(dim // 2, 6.9e-18))
        empty.load(saved.state())
        np.testing.assert_array_equal(empty.omega(), saved.omega())
        assert empty.omega()[0] == 1.0


class Buffer:
    """Frequencies computed once, into memory that the state leaves out."""

    def __init__(self, dim, memory=None):
        self.buffer = frequencies(dim) if memory is None else memory

    def state(self):
        return {}

    def load(self, state):
        pass

    def omega(self):
        return self.buffer


class Arguments:
    """Frequencies computed from what the model is configured with."""

    def __init__(self, dim, memory=None):
        self.dim = dim

    def state(self):
        return {}

    def load(self, state):
        pass

    def omega(self):
        return frequencies(self.dim)


def test_a_buffer_left_out_of_the_state_keeps_whatever_was_in_memory():
    """Frequencies in a non-persistent buffer stayed uninitialized after a model was built empty.

    huggingface/transformers#34234, #45902, #48892; pytorch/torchtitan#4783. The first was 6.9e-18,
    so that no position turned any pair.
    """
    loading_a_checkpoint_restores_the_frequencies(Arguments)
    with pytest.raises(AssertionError):
        loading_a_checkpoint_restores_the_frequencies(Buffer)


# --- Another size -------------------------------------------------------------------------------


def the_size_is_the_one_asked_for(resize):
    """As many rows as patches, whatever the two numbers are."""
    for old, new in [*SIZES, *((n, m) for n in range(1, 40, 3) for m in range(1, 40, 2))]:
        assert len(resize(distinct_rows(old), new)) == new


def a_mirrored_table_resizes_to_the_mirror_image(resize):
    """The old grid lies centered on the new one."""
    for old, new in SIZES:
        table = distinct_rows(old) ** 2
        np.testing.assert_allclose(resize(table[::-1], new), resize(table, new)[::-1], rtol=1e-9)


def the_same_size_is_the_same_table(resize):
    for rows in (1, 2, 14, 37):
        table = distinct_rows(rows) ** 2
        np.testing.assert_array_equal(resize(table, rows), table)


def linear(table, new, scale):
    """Linear interpolation of ``new`` rows that are 1 / scale old rows apart."""
    centers = np.clip((np.arange(new) + 0.5) / scale - 0.5, 0, len(table) - 1)
    low = np.floor(centers).astype(int)
    part = (centers - low)[:, None]
    return (1 - part) * table[low] + part * table[np.minimum(low + 1, len(table) - 1)]


def size_from_scale(table, new):
    scale = new / len(table)
    return linear(table, int(len(table) * scale), scale)


def scale_with_a_fudge(table, new):
    scale = (new + 0.1) / len(table)
    return linear(table, int(len(table) * scale), scale)


def resized(**options):
    return lambda table, new: learned.resize_1d(table, new, **options)


@pytest.mark.parametrize("method", ["linear", "cubic"])
@pytest.mark.parametrize("antialias", [False, True])
def test_a_size_derived_from_a_ratio_of_floats_is_one_short_or_off_center(method, antialias):
    """int(39 / 37 * 37) is 38 and int(61 / 14 * 14) is 60; adding 0.1 first moves every sample.

    facebookresearch/dino#8, facebookresearch/dinov2#333, #336, #378, #468;
    huggingface/transformers#32410.
    """
    right = resized(method=method, antialias=antialias)
    properties = (
        the_size_is_the_one_asked_for,
        a_mirrored_table_resizes_to_the_mirror_image,
        the_same_size_is_the_same_table,
    )
    for holds in properties:
        holds(right)
    assert math.floor(61 / 14 * 14) == 60
    with pytest.raises(AssertionError):
        the_size_is_the_one_asked_for(size_from_scale)
    the_size_is_the_one_asked_for(scale_with_a_fudge)
    for holds in properties[1:]:
        with pytest.raises(AssertionError):
            holds(scale_with_a_fudge)
