"""Relative positions of transformers, and how exact they are."""

import numpy as np
import pytest

from pe_lib import alibi, attention, deberta, relative, swin, t5

T5 = "transformers.models.t5.modeling_t5"
DEBERTA = "transformers.models.deberta_v2.modeling_deberta_v2"


def t5_buckets(torch, peer, offsets, bidirectional, num_buckets, max_distance):
    function = peer(T5).T5Attention._relative_position_bucket
    return function(torch.as_tensor(offsets), bidirectional, num_buckets, max_distance).numpy()


@pytest.mark.parametrize("bidirectional", [True, False])
@pytest.mark.parametrize(("num_buckets", "max_distance"), [(32, 128), (32, 256), (64, 512)])
def test_t5_buckets(torch, peer, num_buckets, max_distance, bidirectional):
    offsets = np.arange(-2000, 2001)
    got = t5.bucket(
        offsets, bidirectional=bidirectional, num_buckets=num_buckets, max_distance=max_distance
    )
    sizes = bidirectional, num_buckets, max_distance
    np.testing.assert_array_equal(got, t5_buckets(torch, peer, offsets, *sizes))


def test_t5_buckets_far_out_are_wrong_in_float32(torch, peer):
    # The peer takes its logarithms in float32, where distances beyond 2**24 run together: it gives
    # the two neighbors of an edge one bucket, which is wrong for one of them.
    edge = 2**24 + 1
    while t5.bucket(-edge, bidirectional=False, num_buckets=16, max_distance=2**30) < 15:
        edge *= 2
    low, high = edge // 2, edge
    while high - low > 1:
        middle = (low + high) // 2
        there = t5.bucket(-middle, bidirectional=False, num_buckets=16, max_distance=2**30) == 15
        low, high = (low, middle) if there else (middle, high)
    sizes = False, 16, 2**30
    theirs = t5_buckets(torch, peer, np.array([1 - high, -high]), *sizes)
    assert theirs[0] == theirs[1]
    around = np.arange(-high - 200, -high + 200)
    ours = t5.bucket(around, bidirectional=False, num_buckets=16, max_distance=2**30)
    wrong = np.abs(ours - t5_buckets(torch, peer, around, *sizes))
    assert wrong.max() == 1


@pytest.mark.parametrize(("bucket_size", "max_position"), [(256, 512), (512, 1024), (34, 4353)])
def test_deberta_buckets(torch, peer, bucket_size, max_position):
    function = peer(DEBERTA).make_log_bucket_position
    relative_positions = np.arange(-2000, 2001)  # query minus key
    theirs = function(torch.as_tensor(relative_positions), bucket_size, max_position).long()
    offsets = -relative_positions
    ours = -deberta.bucket(offsets, bucket_size=bucket_size, max_position=max_position)
    np.testing.assert_array_equal(ours, theirs.numpy())


def test_deberta_scores(torch, peer):
    # The peer's scale is a float32 square root.
    configuration = peer("transformers").DebertaV2Config(
        hidden_size=24,
        num_attention_heads=3,
        relative_attention=True,
        pos_att_type=["c2p", "p2c"],
        share_att_key=True,
        position_buckets=6,
        max_relative_positions=12,
    )
    torch.manual_seed(0)
    layer = peer(DEBERTA).DisentangledSelfAttention(configuration).double().eval()
    hidden, embeddings = torch.randn(2, 20, 24).double(), torch.randn(12, 24).double()
    with torch.no_grad():
        mask = torch.ones(2, 1, 20, 20)
        theirs = layer(hidden, mask, output_attentions=True, rel_embeddings=embeddings)[1].numpy()

        def heads(projection, x):
            return projection(x).unflatten(-1, (3, 8)).transpose(-2, -3).numpy()

        q, k = heads(layer.query_proj, hidden), heads(layer.key_proj, hidden)
        keys, queries = heads(layer.key_proj, embeddings), heads(layer.query_proj, embeddings)
    positions = np.arange(20)
    at = {"query_positions": positions, "key_positions": positions, "max_position": 12}
    ours = attention.softmax(deberta.scores(q, k, keys, queries, **at))
    np.testing.assert_allclose(ours, theirs.reshape(ours.shape), rtol=0, atol=1e-6)


@pytest.mark.parametrize("window", [(7, 7), (12, 12), (2, 5), (5, 2), (1, 1)])
def test_swin_index_and_bias(torch, peer, window):
    theirs = peer("transformers.models.swin.modeling_swin").SwinRelativePositionBias(3, window)
    area = window[0] * window[1]
    index = theirs.relative_position_index.numpy().reshape(area, area)
    np.testing.assert_array_equal(swin.relative_position_index(*window), index)
    table = torch.randn(theirs.relative_position_bias_table.shape)
    with torch.no_grad():
        theirs.relative_position_bias_table.copy_(table)
        np.testing.assert_array_equal(swin.bias(table.numpy(), *window), theirs()[0].numpy())


@pytest.mark.parametrize(("num_queries", "num_keys"), [(4, 4), (3, 8), (1, 5)])
def test_xlnet_shift(torch, peer, num_queries, num_keys):
    # XLNet's columns begin one offset earlier, at a key before the first one: a column never read.
    scores = np.random.default_rng(0).normal(size=(2, 3, num_queries, num_queries + num_keys - 1))
    one_more = torch.as_tensor(np.concatenate([scores[..., :1] * np.nan, scores], axis=-1))
    function = peer("transformers.models.xlnet.modeling_xlnet").XLNetRelativeAttention
    theirs = function.rel_shift_bnij(one_more, klen=num_keys).numpy()
    np.testing.assert_array_equal(relative.rel_shift(scores), theirs)


def test_bloom_slopes(torch, peer):
    # The peer raises a float32 root to float32 powers: up to 1e-6 off, where ours are exact.
    function = peer("transformers.models.bloom.modeling_bloom")._get_alibi_slopes
    errors = []
    for num_heads in range(1, 129):
        ours = alibi.slopes(num_heads)
        theirs = function(num_heads, torch.device("cpu")).double().numpy()
        np.testing.assert_allclose(theirs, ours, rtol=5e-6)
        errors.append(np.abs(theirs / ours - 1).max())
    assert max(errors) > 1e-7


@pytest.mark.parametrize("num_heads", [8, 12])
def test_bloom_bias_is_alibi_up_to_a_number_per_query(torch, peer, num_heads):
    # Bloom's one row stands for all queries: softmax does not see what is added to a whole row.
    function = peer("transformers.models.bloom.modeling_bloom").build_alibi_tensor
    theirs = function(torch.ones(1, 50, dtype=torch.long), num_heads, torch.float32).numpy()
    ours = alibi.bias(np.arange(50), np.arange(50), num_heads)
    shift = ours - theirs
    np.testing.assert_allclose(shift, np.broadcast_to(shift[..., :1], shift.shape), atol=1e-5)
