"""Faults seen in the wild: a token that is given the wrong position.

Each property holds for pe_lib and fails for a variant with the fault.
"""

import numpy as np
import pytest

import pe_lib
from pe_lib import alibi, positions, rope, sinusoidal, xpos

OMEGA = pe_lib.frequencies(8)


def _rotate(x, p):
    return rope.rotate(x, p, OMEGA, layout="half")


# --- The axis of the tokens --------------------------------------------------------------------


def property_each_head_of_a_token_turns_by_the_tokens_position(rotate):
    """For arrays (batch, tokens, heads, channels), also where tokens and heads are as many."""
    rng = np.random.default_rng(0)
    for tokens, heads in [(5, 2), (2, 5), (4, 4), (1, 3)]:
        x = rng.normal(size=(2, tokens, heads, 8))
        got = rotate(x)
        for b, t, h in np.ndindex(x.shape[:3]):
            want = _rotate(x[b, t, h][None], t)[0]
            np.testing.assert_allclose(got[b, t, h], want, rtol=0, atol=1e-12)


def test_positions_count_tokens_and_not_heads():
    """Heads stood where the code looked for tokens: every token turned by its heads' indices.

    facebookresearch/xformers#841, mlfoundations/open_lm#4.
    """

    def faulty(x):
        return _rotate(x, np.arange(x.shape[-2]))

    def by_axis(x):
        return _rotate(x.swapaxes(1, 2), np.arange(x.shape[1])).swapaxes(1, 2)

    def by_broadcasting(x):
        return _rotate(x, np.arange(x.shape[1])[:, None])

    prop = property_each_head_of_a_token_turns_by_the_tokens_position
    prop(by_axis)
    prop(by_broadcasting)
    with pytest.raises(AssertionError):
        prop(faulty)


def test_tokens_on_the_wrong_axis_are_an_error_where_the_numbers_differ():
    with pytest.raises(ValueError, match="positions of shape"):
        _rotate(np.ones((2, 5, 3, 8)), np.arange(5))


def property_a_sample_is_encoded_as_if_it_were_alone(encode):
    """For embeddings (batch, tokens, channels): the batch is no axis of positions."""
    for batch, tokens in [(2, 3), (3, 3), (1, 4), (5, 1)]:
        got = encode(np.zeros((batch, tokens, 8)))
        for sample in got:
            np.testing.assert_allclose(sample, sinusoidal.encode(np.arange(tokens), 8))


def test_positions_count_tokens_and_not_samples():
    """A table [length, 1, channels] was cut to the batch: each sample got one code for all tokens.

    KasperGroesLudvigsen/influenza_transformer#9, datawhalechina/hello-agents#61.
    """

    def faulty(x):
        table = sinusoidal.table(50, 8, dtype=np.float64)[:, None]
        return x + table[: x.shape[0]]

    def ours(x):
        return x + sinusoidal.encode(np.arange(x.shape[1]), 8)

    property_a_sample_is_encoded_as_if_it_were_alone(ours)
    with pytest.raises(AssertionError):
        property_a_sample_is_encoded_as_if_it_were_alone(faulty)


# --- Padding -----------------------------------------------------------------------------------


def property_padding_moves_no_real_token(number):
    for length in (1, 3, 7):
        for left in (0, 1, 4):
            for right in (0, 2):
                mask = np.pad(np.ones((2, length), bool), ((0, 0), (left, right)))
                assert (number(mask)[:, left : left + length] == np.arange(length)).all()


def test_padding_does_not_count():
    """Tokens were numbered by where they stand in the padded row.

    huggingface/transformers#3021, ndif-team/nnsight#672; keys of ALiBi,
    PaddlePaddle/PaddleNLP#6495.
    """

    def faulty(mask):
        return np.broadcast_to(np.arange(mask.shape[-1]), mask.shape)

    def counts_before_it_subtracts(mask):
        return np.cumsum(mask, axis=-1)

    def forgets_the_rows(mask):
        return np.where(mask, np.cumsum(mask).reshape(mask.shape) - 1, 0)

    property_padding_moves_no_real_token(positions.from_mask)
    for variant in (faulty, counts_before_it_subtracts, forgets_the_rows):
        with pytest.raises(AssertionError):
            property_padding_moves_no_real_token(variant)


def property_a_padded_prompt_turns_and_is_biased_as_without_padding(number):
    q = np.random.default_rng(0).normal(size=(4, 8))
    for left in (0, 1, 5):
        p = number(np.arange(4 + left) >= left)[left:]
        np.testing.assert_allclose(_rotate(q, p), _rotate(q, np.arange(4)), atol=1e-12)
        # Key positions alone, as Bloom and Falcon have it; a softmax ignores what rows share.
        bias = alibi.slopes(2)[:, None] * p
        np.testing.assert_array_equal(bias, alibi.slopes(2)[:, None] * np.arange(4))


def test_padding_changes_neither_rotations_nor_key_biases():
    """Left padding shifted what a checkpoint had learned for the first tokens.

    huggingface/transformers#3167, PaddlePaddle/PaddleNLP#6496.
    """
    prop = property_a_padded_prompt_turns_and_is_biased_as_without_padding
    prop(positions.from_mask)
    with pytest.raises(AssertionError):
        prop(lambda mask: np.arange(len(mask)))


# --- Rows of a learned table -------------------------------------------------------------------


def property_every_real_token_finds_the_row_of_its_position(look_up, first_row):
    """In a table whose rows from ``first_row`` on were trained for positions 0, 1, 2, ..."""
    for padding_idx in (0, 1, 5):
        first = first_row(padding_idx)
        table = np.full(first + 16, -1)  # rows that no position was trained for
        table[first : first + 8] = np.arange(8)
        for left in (0, 3):
            mask = np.arange(8 + left) >= left
            assert look_up(table, mask, padding_idx)[mask].tolist() == list(range(8))


def test_a_tables_first_rows_belong_to_no_position():
    """Rows 0 and 1 of BART and OPT, and those up to padding_idx of RoBERTa, are not positions.

    Porting without the offset, huggingface/transformers#13481, EleutherAI/gpt-neox#650; counting
    padding, huggingface/transformers#20761; an embedding that zeroes row padding_idx although the
    offset is 2 whatever padding_idx is, huggingface/transformers#10200.
    """

    def roberta(table, mask, padding_idx):
        return table[np.where(mask, positions.from_mask(mask) + padding_idx + 1, padding_idx)]

    def bart(table, mask, padding_idx):
        return table[positions.from_mask(mask) + 2]

    def without_offset(table, mask, padding_idx):
        return table[positions.from_mask(mask)]

    def counting_padding(table, mask, padding_idx):
        return table[np.arange(len(mask)) + 2]

    def zeroing_a_row(table, mask, padding_idx):
        zeroed = table.copy()
        zeroed[padding_idx] = 0
        return bart(zeroed, mask, padding_idx)

    prop = property_every_real_token_finds_the_row_of_its_position
    prop(roberta, lambda padding_idx: padding_idx + 1)
    prop(bart, lambda padding_idx: 2)
    for faulty in (without_offset, counting_padding, zeroing_a_row):
        with pytest.raises(AssertionError):
            prop(faulty, lambda padding_idx: 2)
    with pytest.raises(AssertionError):
        prop(bart, lambda padding_idx: padding_idx + 1)


# --- Caches ------------------------------------------------------------------------------------


def property_pieces_turn_as_the_whole(rotate_piece):
    x = np.random.default_rng(0).normal(size=(6, 8))
    whole = _rotate(x, np.arange(6))
    for cuts in [(), (5,), (3,), (2, 4), (1, 2, 3, 4, 5)]:
        pieces = np.split(x, cuts)
        starts = (0, *cuts)
        got = [rotate_piece(piece, start) for piece, start in zip(pieces, starts, strict=True)]
        np.testing.assert_allclose(np.concatenate(got), whole, rtol=0, atol=1e-12)


def test_new_tokens_continue_where_the_cache_ends():
    """A start index was ignored, keras-team/keras-hub#1544; angles were kept by length without the
    offset they were made for, lucidrains/rotary-embedding-torch#11.
    """

    def ours(x, start):
        return _rotate(x, positions.with_cache(start, len(x)))

    def ignoring_the_start(x, start):
        return _rotate(x, positions.with_cache(0, len(x)))

    kept = {}

    def keeping_by_length(x, start):
        p = kept.setdefault(len(x), positions.with_cache(start, len(x)))
        return _rotate(x, p)

    property_pieces_turn_as_the_whole(ours)
    for faulty in (ignoring_the_start, keeping_by_length):
        with pytest.raises(AssertionError):
            property_pieces_turn_as_the_whole(faulty)


# --- The scale of xPos -------------------------------------------------------------------------


def property_a_pair_of_a_score_keeps_zeta_of_ropes_per_512_tokens(scale):
    """For interleaved vectors; each comes when the sequence has grown to it, as with a cache."""
    q, k = np.random.default_rng(0).normal(size=(2, 8))

    def parts(left, right):
        return (left * right).reshape(-1, 2).sum(axis=1)

    for m, n in [(0, 0), (7, 3), (40, 8), (1000, 488), (1000, 999)]:
        plain = [
            rope.rotate(x[None], p, OMEGA, layout="interleaved")[0] for x, p in [(q, m), (k, n)]
        ]
        got = parts(scale(q, m, "query", m + 1), scale(k, n, "key", n + 1))
        want = parts(*plain) * xpos.zeta(8) ** ((m - n) / 512)
        np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-12)


def _turn_and_scale(x, p, role, exponent, spread):
    """xPos by hand: ``spread`` gives the two channels of each pair their factor."""
    turned = rope.rotate(x[None], p, OMEGA, layout="interleaved")[0]
    return turned * spread(xpos.zeta(8)) ** (exponent if role == "query" else -exponent)


def test_the_scale_of_xpos_is_a_power_of_position_over_512_given_to_both_channels_of_a_pair():
    """A bracket left out, lucidrains/rotary-embedding-torch 2605ece; factors in the order of the
    other layout, its pull request #34; a center that moves as the sequence grows past cached keys,
    lucidrains/x-transformers#233.
    """

    def pairwise(zeta):
        return np.repeat(zeta, 2)

    def ours(x, p, role, length):
        return xpos.rotate(x[None], p, OMEGA, layout="interleaved", role=role)[0]

    def ours_from_another_origin(x, p, role, length):
        return xpos.rotate(x[None], p - 500, OMEGA, layout="interleaved", role=role)[0]

    def by_hand(x, p, role, length):
        return _turn_and_scale(x, p, role, p / 512, pairwise)

    def without_the_bracket(x, p, role, length):
        return _turn_and_scale(x, p, role, p - 500 / 512, pairwise)

    def in_the_other_order(x, p, role, length):
        return _turn_and_scale(x, p, role, p / 512, lambda zeta: np.tile(zeta, 2))

    def from_a_moving_center(x, p, role, length):
        return _turn_and_scale(x, p, role, (p - length // 2) / 512, pairwise)

    prop = property_a_pair_of_a_score_keeps_zeta_of_ropes_per_512_tokens
    for right in (ours, ours_from_another_origin, by_hand):
        prop(right)
    for faulty in (without_the_bracket, in_the_other_order, from_a_moving_center):
        with pytest.raises(AssertionError):
            prop(faulty)
