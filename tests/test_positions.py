"""pe_lib.positions against counting one token at a time."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from pe_lib import attention, positions, rope

sizes = st.integers(1, 6)
masks = hnp.arrays(bool, hnp.array_shapes(min_dims=1, max_dims=3, max_side=8))
document_lengths = st.lists(st.integers(1, 7), min_size=1, max_size=6)
segments = st.lists(
    st.one_of(
        st.tuples(st.just("text"), sizes),
        st.tuples(st.just("image"), st.tuples(sizes, sizes)),
        st.tuples(st.just("video"), st.tuples(sizes, sizes, sizes)),
        st.tuples(
            st.just("video"),
            st.tuples(sizes, sizes, sizes),
            st.floats(0.1, 60) | st.integers(1, 60),
        ),
    ),
    min_size=1,
    max_size=6,
)

# --- Oracle: one token at a time ---------------------------------------------------------------


def _oracle_from_mask(row):
    numbers, seen = [], 0
    for real in row:
        numbers.append(seen if real else 0)
        seen += real
    return numbers


def _oracle_mrope(segments):
    """Wang et al. (2024), section 2.1."""
    ids, start = [], 0
    for kind, size, *step in segments:
        if kind == "text":
            new = [(start + n,) * 3 for n in range(size)]
        else:
            frames, height, width = size if kind == "video" else (1, *size)
            tau = step[0] if step else 1
            new = [
                (start + int(frame * tau), start + y, start + x)
                for frame in range(frames)
                for y in range(height)
                for x in range(width)
            ]
        ids += new
        start = max(max(triple) for triple in new) + 1
    return np.array(ids).T


@given(masks)
def test_oracle_counting_real_tokens(mask):
    got = positions.from_mask(mask)
    assert got.shape == mask.shape
    assert got.dtype == np.int64
    for index in np.ndindex(mask.shape[:-1]):
        assert got[index].tolist() == _oracle_from_mask(mask[index].tolist())


@given(document_lengths)
def test_oracle_counting_in_every_document(lengths):
    count = [n for length in lengths for n in range(length)]
    index = [i for i, length in enumerate(lengths) for _ in range(length)]
    assert positions.packed(lengths).tolist() == count
    assert positions.documents(lengths).tolist() == index


@given(segments)
def test_oracle_ids_of_segments_one_by_one(segments):
    got = positions.mrope(segments)
    assert got.dtype == np.int64
    np.testing.assert_array_equal(got, _oracle_mrope(segments))


def test_oracle_the_cells_of_a_grid_row_by_row():
    for height in range(1, 5):
        for width in range(1, 5):
            want = [[y, x] for y in range(height) for x in range(width)]
            assert positions.grid(height, width).tolist() == want


# --- Properties --------------------------------------------------------------------------------


@given(masks)
def test_zeros_and_ones_are_as_good_as_truth_values(mask):
    for dtype in (np.int64, np.uint8):
        got = positions.from_mask(np.array(mask, dtype))
        np.testing.assert_array_equal(got, positions.from_mask(mask))


@given(masks, st.integers(0, 5), st.integers(0, 5))
def test_padding_on_either_side_changes_no_real_token(mask, left, right):
    widths = [(0, 0)] * (mask.ndim - 1) + [(left, right)]
    padded = np.pad(mask, widths)
    np.testing.assert_array_equal(
        positions.from_mask(padded)[padded], positions.from_mask(mask)[mask]
    )


@given(st.integers(1, 20), st.integers(0, 5), st.integers(0, 5))
def test_without_holes_the_real_tokens_are_numbered_as_if_alone(length, left, right):
    mask = np.pad(np.ones(length, bool), (left, right))
    assert positions.from_mask(mask)[mask].tolist() == list(range(length))


@given(masks)
def test_padding_is_numbered_0(mask):
    assert not positions.from_mask(mask)[~mask].any()


@given(st.lists(st.integers(0, 6), min_size=1, max_size=4), st.integers(1, 5))
def test_new_tokens_continue_a_padded_batch_as_if_all_had_come_at_once(lengths, new):
    longest = max(lengths)
    cached = np.arange(longest) >= longest - np.array(lengths)[:, None]  # left padding
    whole = np.pad(cached, ((0, 0), (0, new)), constant_values=True)
    got = positions.with_cache(cached.sum(axis=-1), new)
    np.testing.assert_array_equal(got, positions.from_mask(whole)[:, longest:])


@given(st.integers(1, 30), st.data())
def test_decoding_in_pieces_numbers_tokens_as_at_once(length, data):
    cut = data.draw(st.integers(0, length - 1))
    first = positions.with_cache(0, cut) if cut else []
    pieces = [*first, *positions.with_cache(cut, length - cut)]
    assert pieces == list(range(length))


@given(document_lengths)
def test_attention_in_a_packed_sequence_is_that_of_each_document_alone(lengths):
    rng = np.random.default_rng(sum(lengths))
    q, k, v = rng.normal(size=(3, sum(lengths), 4))

    def attend(q, k, v, p, mask):
        q, k = (rope.rotate(x, p, [1.0, 0.1], layout="half") for x in (q, k))
        return attention.attention(q, k, v, mask=mask & attention.causal_mask(len(q)))

    ids = positions.documents(lengths)
    together = attend(q, k, v, positions.packed(lengths), ids[:, None] == ids)
    for document, length in enumerate(lengths):
        part = ids == document
        alone = attend(q[part], k[part], v[part], np.arange(length), True)
        np.testing.assert_allclose(together[part], alone, rtol=0, atol=1e-12)


@given(segments)
def test_a_segment_starts_one_after_the_largest_id_before_it(segments):
    """Wang et al. (2024), section 2.1: no id of a segment is used before it."""
    cut = len(segments) // 2
    if cut:
        before = positions.mrope(segments[:cut])
        after = positions.mrope(segments)[:, before.shape[1] :]
        assert (after[:, 0] == before.max() + 1).all()
        assert after.min() == before.max() + 1


@given(st.lists(sizes, min_size=1, max_size=4))
def test_text_alone_is_numbered_as_in_a_language_model(lengths):
    ids = positions.mrope([("text", length) for length in lengths])
    np.testing.assert_array_equal(ids, np.tile(np.arange(sum(lengths)), (3, 1)))


@given(sizes, sizes)
def test_an_image_is_a_grid_and_a_video_of_one_frame(height, width):
    image = positions.mrope([("image", (height, width))])
    np.testing.assert_array_equal(image[1:].T, positions.grid(height, width))
    assert not image[0].any()
    video = positions.mrope([("video", (1, height, width), 50)])
    np.testing.assert_array_equal(video, image)


@given(st.integers(1, 30), st.floats(0.05, 5))
def test_the_time_step_is_rounded_after_it_is_multiplied(frames, step):
    """huggingface/transformers#48669: int(step) first stops the clock of a video below 1."""
    times = positions.mrope([("video", (frames, 1, 1), step)])[0]
    exact = np.arange(frames) * step
    assert (times <= exact).all()
    assert (exact < times + 1).all()


# --- Golden numbers ----------------------------------------------------------------------------


def test_golden_mrope_ids(schemes_golden):
    case = schemes_golden["mrope_example"]
    # The image has 4 x 8 patches; 2 x 2 of them are merged into a token.
    ids = positions.mrope([("text", 3), ("image", (2, 4)), ("text", 2)])
    assert ids.tolist() == [case["t"], case["h"], case["w"]]
    assert ids.max() + 1 - ids.shape[1] == case["rope_delta"]


def test_a_video_of_two_frames_a_second_in_qwen2_5_vl():
    """25 ids per second, 2 seconds per grid step: huggingface/transformers#35569."""
    ids = positions.mrope([("video", (3, 2, 2), 50), ("text", 5)])
    assert ids[0, :12].tolist() == [0] * 4 + [50] * 4 + [100] * 4
    assert ids[1, :12].tolist() == [0, 0, 1, 1] * 3
    assert ids[2, :12].tolist() == [0, 1, 0, 1] * 3
    assert ids[:, 12:].tolist() == [[101, 102, 103, 104, 105]] * 3


def test_left_padding_of_two():
    assert positions.from_mask([False, False, True, True, True]).tolist() == [0, 0, 0, 1, 2]


# --- Edge values -------------------------------------------------------------------------------


def test_a_row_of_only_padding_is_all_0():
    assert positions.from_mask([[False, False], [True, True]]).tolist() == [[0, 0], [0, 1]]


def test_a_hole_in_a_mask_does_not_count():
    assert positions.from_mask([True, False, True]).tolist() == [0, 0, 1]


def test_a_cache_may_be_empty_and_ragged_of_any_shape():
    assert positions.with_cache(0, 3).tolist() == [0, 1, 2]
    past = np.arange(6).reshape(2, 3)
    got = positions.with_cache(past, 2)
    assert got.shape == (2, 3, 2)
    assert got.dtype == np.int64
    assert got[1, 2].tolist() == [5, 6]


def test_the_last_position_is_2_to_the_28():
    assert positions.with_cache(2**28, 1).tolist() == [2**28]
    assert positions.mrope([("video", (2, 1, 1), 2**28)]).max() == 2**28


def test_one_token_of_every_kind():
    assert positions.grid(1, 1).tolist() == [[0, 0]]
    assert positions.packed([1]).tolist() == positions.documents([1]).tolist() == [0]
    one = [("text", 1), ("image", (1, 1)), ("video", (1, 1, 1))]
    assert positions.mrope(one).tolist() == [[0, 1, 2]] * 3


def test_segments_may_be_lists_and_sizes_numpy_integers():
    got = positions.mrope([["text", np.int32(2)], ("image", [1, np.int64(2)])])
    np.testing.assert_array_equal(got, positions.mrope([("text", 2), ("image", (1, 2))]))


def test_small_integers_do_not_wrap():
    assert positions.with_cache(np.array([250], np.uint8), 10)[0, -1] == 259
    assert positions.packed(np.array([200, 200], np.uint8)).shape == (400,)
    assert positions.documents(np.array([200, 200], np.uint8))[-1] == 1
    assert positions.mrope([("video", (np.uint8(3), 1, 1), np.uint8(200))])[0].max() == 400


def test_inputs_may_be_read_only_and_strided_and_are_never_changed():
    mask = np.arange(24).reshape(4, 6)[::2, ::-1] % 3 > 0
    lengths, past = np.array([3, 9, 2, 9])[::2], np.array([0, 5, 4])[::-2]
    for array, call in [
        (mask, positions.from_mask),
        (lengths, positions.packed),
        (lengths, positions.documents),
        (past, lambda past: positions.with_cache(past, 3)),
    ]:
        copy = array.copy()
        array.flags.writeable = False
        got = call(array)
        np.testing.assert_array_equal(got, call(copy))
        np.testing.assert_array_equal(array, copy)
        assert got.flags.writeable
        assert not np.shares_memory(got, array)


# --- Errors ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mask", "error", "message"),
    [
        ([0, 1, 2], TypeError, "mask must be boolean, got int64"),
        ([0, -1], TypeError, "mask must be boolean, got int64"),
        ([1.0, 0.0], TypeError, "mask must be boolean, got float64"),
        ([0.0, -np.inf], TypeError, "mask must be boolean, got float64"),
        ("text", TypeError, "mask must be boolean"),
        (None, TypeError, "mask must be boolean"),
        (1j, TypeError, "mask must be boolean"),
        ([[True], [True, False]], TypeError, "mask must be an array of booleans"),
        (True, ValueError, r"mask must have shape \(\.\.\., T\)"),
        (np.ones((0, 3), bool), ValueError, r"mask must .* not be empty, got shape \(0, 3\)"),
        (np.ones((3, 0), bool), ValueError, r"mask must .* not be empty, got shape \(3, 0\)"),
    ],
)
def test_a_wrong_mask_is_named(mask, error, message):
    with pytest.raises(error, match=message):
        positions.from_mask(mask)


@pytest.mark.parametrize(
    ("past_length", "length", "error", "message"),
    [
        (-1, 1, ValueError, "past_length must be at least 0, got -1"),
        ([2, -3], 1, ValueError, "past_length must be at least 0, got -3"),
        (1.0, 1, TypeError, "past_length must be integers, got float64"),
        (True, 1, TypeError, "past_length must be numbers"),
        (None, 1, TypeError, "past_length must be numbers"),
        ("3", 1, TypeError, "past_length must be numbers"),
        ([], 1, ValueError, "past_length must not be empty"),
        ([[1], [1, 2]], 1, TypeError, "past_length must be an array of numbers"),
        (2**62, 1, ValueError, "past_length must be at most 268435456"),
        (2**28, 2, ValueError, r"past_length \+ length must be at most 2\*\*28 \+ 1"),
        (0, 0, ValueError, "length must be at least 1, got 0"),
        (0, -1, ValueError, "length must be at least 1, got -1"),
        (0, 1.0, TypeError, "length must be an integer, got 1.0"),
        (0, True, TypeError, "length must be an integer, got True"),
        (0, 2**30, ValueError, r"past_length \+ length must be at most"),
        (0, 2**62, ValueError, r"length must be less than 2\*\*31"),
    ],
)
def test_a_wrong_cache_is_named(past_length, length, error, message):
    with pytest.raises(error, match=message):
        positions.with_cache(past_length, length)


@pytest.mark.parametrize("call", [positions.packed, positions.documents])
@pytest.mark.parametrize(
    ("lengths", "error", "message"),
    [
        ([], ValueError, "lengths must not be empty"),
        ([2, 0], ValueError, "lengths must be at least 1, got 0"),
        ([-1], ValueError, "lengths must be at least 1, got -1"),
        ([2.0], TypeError, "lengths must be integers, got float64"),
        ([True], TypeError, "lengths must be numbers"),
        ("12", TypeError, "lengths must be numbers"),
        (None, TypeError, "lengths must be numbers"),
        ([[1], [1, 2]], TypeError, "lengths must be an array of numbers"),
        (3, ValueError, r"lengths must have shape \(\*,\), got \(\)"),
        ([[1, 2]], ValueError, r"lengths must have shape \(\*,\), got \(1, 2\)"),
        ([2**62], ValueError, "lengths must be at most 268435456"),
        ([2**28, 1], ValueError, r"lengths must sum to at most 2\*\*28, got 268435457"),
    ],
)
def test_wrong_lengths_are_named(call, lengths, error, message):
    with pytest.raises(error, match=message):
        call(lengths)


@pytest.mark.parametrize(
    ("size", "error", "message"),
    [
        ((0, 1), ValueError, "height must be at least 1, got 0"),
        ((1, -2), ValueError, "width must be at least 1, got -2"),
        ((1.0, 1), TypeError, "height must be an integer, got 1.0"),
        ((1, "2"), TypeError, "width must be an integer, got '2'"),
        ((1, None), TypeError, "width must be an integer, got None"),
        ((True, 1), TypeError, "height must be an integer, got True"),
        ((2**62, 1), ValueError, r"height must be less than 2\*\*31"),
        ((2**14, 2**15), ValueError, r"height \* width must be at most 2\*\*28, got 536870912"),
    ],
)
def test_a_wrong_grid_is_named(size, error, message):
    with pytest.raises(error, match=message):
        positions.grid(*size)


@pytest.mark.parametrize(
    ("segments", "error", "message"),
    [
        (None, TypeError, "segments must be a sequence of tuples, got None"),
        ([3], TypeError, "segments must be a sequence of tuples"),
        ([], ValueError, "segments must not be empty"),
        (np.ones((2, 2)), ValueError, r"segments\[0\] must be one of"),
        (np.ones((2, 2, 2)), ValueError, r"segments\[0\] must be one of"),
        ([(None, 3)], ValueError, r"segments\[0\] must be one of"),
        ([()], ValueError, r"segments\[0\] must be one of"),
        ("text", ValueError, r"segments\[0\] must be one of"),
        (("text", 3), TypeError, "segments must be a sequence of tuples"),
        ([("text", 3), ("audio", 4)], ValueError, r"segments\[1\] must be one of .*'audio'"),
        ([("text",)], ValueError, r"segments\[0\] must be one of \('text', length\)"),
        ([("text", 3, 1)], ValueError, r"segments\[0\] must be one of"),
        ([("text", (3,))], TypeError, r"segments\[0\] length must be an integer, got \(3,\)"),
        ([("text", 0)], ValueError, r"segments\[0\] length must be at least 1, got 0"),
        ([("text", 2.0)], TypeError, r"segments\[0\] length must be an integer, got 2.0"),
        ([("image", 4)], ValueError, r"segments\[0\] must be one of"),
        ([("image", (1, 2, 2))], ValueError, r"segments\[0\] must be one of"),
        ([("image", (2, 2), 1)], ValueError, r"segments\[0\] must be one of"),
        ([("image", (2, 0))], ValueError, r"segments\[0\] width must be at least 1, got 0"),
        ([("video", (2, 2))], ValueError, r"segments\[0\] must be one of"),
        ([("video", (0, 2, 2))], ValueError, r"segments\[0\] frames must be at least 1, got 0"),
        ([("video", (1, -2, 2))], ValueError, r"segments\[0\] height must be at least 1, got -2"),
        ([("video", (1, 1, 1), 0)], ValueError, r"segments\[0\] time_step must be greater than 0"),
        ([("video", (1, 1, 1), np.nan)], ValueError, r"segments\[0\] time_step must be finite"),
        ([("video", (1, 1, 1), "2")], TypeError, r"segments\[0\] time_step must be numbers"),
        ([("video", (1, 1, 1), [2])], TypeError, r"segments\[0\] time_step must be one number"),
        ([("video", (3, 1, 1), 1e300)], ValueError, r"segments\[0\] time_step takes ids past"),
        ([("video", (3, 1, 1), 1.7e308)], ValueError, r"segments\[0\] time_step takes ids past"),
        ([("text", 2**29)], ValueError, r"segments\[0\] length must be at most 2\*\*28"),
        ([("image", (2**14, 2**15))], ValueError, r"width must be at most 2\*\*28, got 536870912"),
        ([("text", 2**62)], ValueError, r"segments\[0\] length must be less than 2\*\*31"),
        (
            [("video", (2, 1, 1), 2**28), ("text", 1)],
            ValueError,
            r"segments\[1\] takes ids past 2\*\*28, got \('text', 1\)",
        ),
    ],
)
def test_wrong_segments_are_named(segments, error, message):
    with pytest.raises(error, match=message):
        positions.mrope(segments)
