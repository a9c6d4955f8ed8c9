"""What every scheme of the book must satisfy, and what the catalogue says of it, measured."""

import functools
import inspect
import math
import pathlib
import re

import numpy as np
import pytest

import pe_lib
from pe_lib import (
    alibi,
    attention,
    context,
    convolutional,
    cope,
    deberta,
    fire,
    fourier,
    hierarchical,
    kerple,
    learned,
    randomized,
    relative,
    rope,
    sinusoidal,
    swin,
    t5,
    xpos,
)
from pe_lib.catalogue import SCHEMES
from tests.good_calls import public_functions

ROOT = pathlib.Path(__file__).parent.parent
BIBLIOGRAPHY = (ROOT / "book" / "references.bib").read_text(encoding="utf-8")
every_scheme = pytest.mark.parametrize("name", SCHEMES)

T, H, D = 16, 2, 8  # a square number of positions, for schemes of a grid
W = H * D
P = np.arange(T)
OMEGA = pe_lib.frequencies(D)


def _normal(*shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape)


# --- One small instance of every scheme --------------------------------------------------------

#: Scheme of the family "add" -> its codes for positions.
CODES = {
    "sinusoidal": lambda p: sinusoidal.encode(p, W),
    "learned": lambda p: learned.lookup(_normal(2 * T, W), p),
    "fourier": lambda p: fourier.encode(np.asarray(p)[:, None], _normal(W // 2, 1)),
    "hierarchical": lambda p: hierarchical.encode(p, _normal(6, W)),
    "randomized": lambda p: sinusoidal.encode(
        randomized.sample_positions(max(p) + 1, 1000, np.random.default_rng(0))[p], W
    ),
    "convolutional": lambda p: convolutional.encode(np.ones((max(p) + 1, 1, W)), _normal(3, 3, W))[
        p, 0
    ],
}

#: Scheme of the family "rotate" -> queries (role "query") and keys turned to positions.
TURNED = {
    "rope": lambda x, p, role: rope.rotate(x, p, OMEGA, layout="half"),
    "partial_rope": lambda x, p, role: rope.rotate_partial(x, p, OMEGA[:2], layout="half"),
    "rope_2d": lambda x, p, role: rope.rotate_2d(
        x, np.stack([p, 2 * p], -1), OMEGA[:2], layout="half"
    ),
    "m_rope": lambda x, p, role: rope.multimodal(
        x, np.stack([p, 2 * p, 3 * p]), OMEGA, layout="half", sections=(2, 1, 1)
    ),
    "xpos": lambda x, p, role: xpos.rotate(x, p, OMEGA, layout="half", role=role),
}

#: Scheme that gives frequencies to rotate with -> these.
SCALED = {
    "position_interpolation": lambda: context.linear(OMEGA, factor=4),
    "ntk": lambda: context.ntk(D, factor=4),
    "dynamic_ntk": lambda: context.dynamic_ntk(
        D, factor=4, max_position_embeddings=100, length=400
    ),
    "yarn": lambda: context.yarn(OMEGA, factor=4, original_max_position_embeddings=100),
    "longrope": lambda: context.longrope(
        OMEGA,
        short_factor=np.ones(4),
        long_factor=np.arange(1.0, 5.0),
        original_max_position_embeddings=100,
        max_position_embeddings=400,
        length=400,
    ),
    "llama3": lambda: context.llama3(
        OMEGA,
        factor=4,
        low_freq_factor=1,
        high_freq_factor=4,
        original_max_position_embeddings=100,
    ),
}


def _network(heads):
    return {
        "hidden_weight": _normal(5, seed=1),
        "hidden_bias": _normal(5, seed=2),
        "output_weight": _normal(heads, 5, seed=3),
        "output_bias": _normal(heads, seed=4),
    }


#: Scheme of the family "bias" that needs positions alone -> its bias.
BIASES = {
    "t5": lambda p: t5.bias(p, p, H, table=_normal(32, H)),
    "alibi": lambda p: alibi.bias(p, p, H),
    "kerple_log": lambda p: kerple.log_bias(p, p, H, p=1.0, a=1.0),
    "kerple_power": lambda p: kerple.power_bias(p, p, H, p=1.0, a=1.0),
    "fire": lambda p: fire.bias(p, p, H, c=0.1, threshold=4.0, **_network(H)),
}


def _same(length, seed):
    """Queries or keys with the same content at every position, for each head."""
    return np.repeat(_normal(H, 1, D, seed=seed), length, axis=1)


#: Scheme of the family "bias" that reads contents -> scores of equal contents, (H, T, T).
CONTENT_SCORES = {
    "shaw": lambda p: relative.shaw_scores(
        _same(len(p), 1), _same(len(p), 2), _normal(9, D), query_positions=p, key_positions=p
    ),
    "transformer_xl": lambda p: relative.transformer_xl_scores(
        _same(len(p), 1), _same(len(p), 2), _normal(D), _normal(D), _normal(2 * len(p) - 1, D)
    ),
    "swin": lambda p: swin.bias(_normal((2 * math.isqrt(len(p)) - 1) ** 2, H), *_square(p)),
    "deberta": lambda p: deberta.scores(
        _same(len(p), 1),
        _same(len(p), 2),
        _normal(16, D, seed=3),
        _normal(16, D, seed=4),
        query_positions=p,
        key_positions=p,
        max_position=64,
    ),
    "cope": lambda p: np.tril(
        cope.bias(
            _same(len(p), 1),
            _same(len(p), 2),
            _normal(8, D),
            mask=attention.causal_mask(len(p)),
        )
    ),
}


def _square(p):
    side = math.isqrt(len(p))
    return side, side


def scores(name, positions):
    """Scores of a sequence with the same content at every position, shape (..., T, T)."""
    scheme = SCHEMES[name]
    if name in CODES:
        x = _normal(W) + CODES[name](positions)
        return (x @ _normal(W, W, seed=5)) @ (x @ _normal(W, W, seed=6)).T
    if name in TURNED or name in SCALED:
        q, k = _same(len(positions), 1), _same(len(positions), 2)
        if name in SCALED:
            omega, factor = SCALED[name]()
            turn = functools.partial(rope.rotate, frequencies=omega, layout="half")
            q, k = factor * turn(q, positions), factor * turn(k, positions)
        else:
            q, k = TURNED[name](q, positions, "query"), TURNED[name](k, positions, "key")
        return q @ k.swapaxes(-1, -2)
    assert scheme.family == "bias"
    return (BIASES | CONTENT_SCORES)[name](positions)


def test_every_scheme_has_an_instance_here():
    instances = [*CODES, *TURNED, *SCALED, *BIASES, *CONTENT_SCORES]
    assert sorted(instances) == sorted(SCHEMES)
    for family, names in (
        ("add", [*CODES]),
        ("rotate", [*TURNED, *SCALED]),
        ("bias", [*BIASES, *CONTENT_SCORES]),
    ):
        assert {SCHEMES[name].family for name in names} == {family}


# --- Entries -----------------------------------------------------------------------------------

#: Parameters that a family's functions start with, before their own options. Schemes that read
#: more than positions, or something else, have a signature of their own.
SIGNATURES = {
    "add": ["positions", "dim"],
    "rotate": ["x", "positions", "frequencies"],
    "bias": ["query_positions", "key_positions", "num_heads"],
}
OWN_SIGNATURE = {"learned", "fourier", "hierarchical", "randomized", "convolutional"}
OWN_SIGNATURE |= {*SCALED, *CONTENT_SCORES}


@every_scheme
def test_a_name_is_lower_case_words(name):
    assert re.fullmatch(r"[a-z0-9]+(_[a-z0-9]+)*", name)


@every_scheme
def test_a_scheme_has_the_signature_of_its_family(name):
    scheme = SCHEMES[name]
    parameters = inspect.signature(scheme.function).parameters.values()
    positional = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
    assert (positional == SIGNATURES[scheme.family]) == (name not in OWN_SIGNATURE)
    if name not in OWN_SIGNATURE:
        assert all(p.kind is p.KEYWORD_ONLY for p in parameters if p.name not in positional)


@every_scheme
def test_a_scheme_is_a_public_function_of_pe_lib(name):
    assert SCHEMES[name].function in public_functions().values()


@every_scheme
def test_the_sources_are_in_the_bibliography(name):
    scheme = SCHEMES[name]
    for key in {scheme.citation} | ({scheme.finding.citation} if scheme.finding else set()):
        assert re.search(rf"@\w+\{{{key},", BIBLIOGRAPHY), key


@every_scheme
def test_a_finding_says_under_what_conditions(name):
    finding = SCHEMES[name].finding
    assert finding is None or (type(finding.extrapolates) is bool and finding.conditions)


# --- What the entries say, measured ------------------------------------------------------------


@every_scheme
def test_a_relative_scheme_scores_by_the_offset_alone(name):
    """Scores of equal contents are constant along diagonals; on a grid, of each block too."""
    s = np.atleast_3d(scores(name, P).reshape(-1, T, T))
    if name == "swin":
        side = math.isqrt(T)
        grid = s.reshape(-1, side, side, side, side)
        relative_here = np.allclose(grid[:, 1:, 1:, 1:, 1:], grid[:, :-1, :-1, :-1, :-1])
    else:
        relative_here = np.allclose(s[:, 1:, 1:], s[:, :-1, :-1], rtol=0, atol=1e-9)
    assert relative_here == SCHEMES[name].relative


@every_scheme
def test_a_directional_scheme_tells_before_from_after(name):
    if name == "cope":
        assert not SCHEMES[name].directional, "it has no score for a key after its query"
        return
    s = scores(name, P)
    if name == "swin":  # on a grid a swap of query and key turns the offset around
        after, before = s, s.swapaxes(-1, -2)
    else:
        after, before = s[..., T // 2, T // 2 + 1 :], s[..., T // 2, T // 2 - 1 : 0 : -1]
    assert (not np.allclose(after, before, atol=1e-9)) == SCHEMES[name].directional


#: Schemes whose numbers do not come from positions as large as one likes.
NEVER_FAR = {"learned", "hierarchical", "randomized", "convolutional", "swin", "transformer_xl"}
NEVER_FAR |= {"cope", *SCALED}


@pytest.mark.parametrize("name", [name for name in SCHEMES if name not in NEVER_FAR])
def test_a_bounded_scheme_stays_as_large_at_positions_a_thousand_times_as_far(name):
    def largest(far):
        p = np.array([0, far // 2, far])
        if name in CODES:
            return np.abs(CODES[name](p)).max()
        if name in TURNED:
            return np.abs(TURNED[name](np.ones((3, D)), p, "key")).max()
        return np.abs(np.tril(scores(name, p))).max()  # what a causal mask lets through

    near, far = max(map(largest, range(2, 60, 7))), largest(60_000)
    assert (far < 1.5 * near) == SCHEMES[name].bounded


@pytest.mark.parametrize("name", [*CODES, *SCALED, *BIASES, *CONTENT_SCORES])
def test_the_memory_is_what_is_kept(name):
    if name == "randomized":
        kept = randomized.sample_positions(T, 1000, np.random.default_rng(0))
    elif name in CODES:
        kept = CODES[name](P)
    elif name in SCALED:
        kept = SCALED[name]().frequencies
    else:
        kept = (BIASES | CONTENT_SCORES)[name](P)
        while kept.base is not None and SCHEMES[name].memory(T, H, D) != H * T * T:
            kept = kept.base  # a view keeps what it looks at
    assert kept.size == SCHEMES[name].memory(T, H, D)


@pytest.mark.parametrize(
    ("name", "setting", "parameters"),
    [
        ("learned", (512, 12, 64), 512 * 768),  # BERT base
        ("learned", (1024, 12, 64), 1024 * 768),  # GPT-2
        ("sinusoidal", (512, 8, 64), 0),
        ("hierarchical", (512**2, 12, 64), 512 * 768),
        ("convolutional", (196, 3, 64), 9 * 192 + 192),  # CPVT-Ti: 3 x 3 filters and biases
        ("t5", (512, 12, 64), 32 * 12),
        ("swin", (49, 3, 32), 169 * 3),  # windows of 7 x 7
        ("alibi", (2048, 112, 128), 0),
        ("kerple_log", (512, 12, 64), 24),
        ("shaw", (512, 8, 64), 2 * 33 * 512),
        ("rope", (4096, 32, 128), 0),
    ],
)
def test_the_parameters_of_known_models(name, setting, parameters):
    assert SCHEMES[name].parameters(*setting) == parameters


@every_scheme
def test_parameters_and_memory_are_counts(name):
    for count in (SCHEMES[name].parameters, SCHEMES[name].memory):
        for setting in ((1, 1, 2), (16, 2, 8), (4096, 32, 128)):
            assert type(count(*setting)) is int
            assert count(*setting) >= 0


# --- What a family's functions have in common --------------------------------------------------


@pytest.mark.parametrize("name", [name for name in CODES if name != "randomized"])
def test_codes_tell_positions_apart(name):
    codes = CODES[name](P)
    assert codes.shape == (T, W)
    if name == "convolutional":  # equal contents: only the border differs
        assert not np.allclose(codes[0], codes[1])
    else:
        assert len(np.unique(codes.round(6), axis=0)) == T


@pytest.mark.parametrize("name", [name for name in TURNED if name != "xpos"])
def test_rotations_keep_shape_type_and_norm(name):
    x = _normal(H, T, D).astype(np.float32)
    turned = TURNED[name](x, P, "query")
    assert turned.shape == x.shape
    assert turned.dtype == x.dtype
    np.testing.assert_allclose(
        np.linalg.norm(turned, axis=-1), np.linalg.norm(x, axis=-1), rtol=1e-6
    )


@pytest.mark.parametrize("name", SCALED)
def test_scalings_slow_pairs_down_and_speed_none_up(name):
    frequencies, factor = SCALED[name]()
    assert (frequencies <= OMEGA * (1 + 1e-15)).all()
    assert (frequencies < OMEGA).any()
    assert factor >= 1


@pytest.mark.parametrize("name", BIASES)
def test_biases_are_read_only_and_fit_attention(name):
    bias = BIASES[name](P)
    assert bias.shape == (H, T, T)
    assert not bias.flags.writeable
    q, k, v = _normal(3, H, T, D)
    mask = attention.causal_mask(T)
    assert attention.attention(q, k, v, bias=bias, mask=mask).shape == (H, T, D)
