"""One small, right call of every public function of pe_lib, by its dotted name."""

import inspect
import pkgutil

import numpy as np

import pe_lib
from pe_lib import catalogue

_RNG = np.random.default_rng(0)
_POSITIONS = np.arange(3)
_FREQUENCIES = pe_lib.frequencies(8)
_MASK = np.tri(3, dtype=bool)


def _normal(*shape):
    return _RNG.normal(size=shape)


def _bias(**options):
    return {"query_positions": _POSITIONS, "key_positions": np.arange(4), "num_heads": 2} | options


def _rotation(**options):
    return {
        "x": _normal(2, 3, 8),
        "positions": _POSITIONS,
        "frequencies": _FREQUENCIES,
        "layout": "half",
    } | options


_FIRE = {
    "hidden_weight": _normal(5),
    "hidden_bias": _normal(5),
    "output_weight": _normal(2, 5),
    "output_bias": _normal(2),
}
_LINE = {"query_positions": _POSITIONS, "key_positions": np.arange(4)}

GOOD_CALLS = {
    "frequencies": {"dim": 8, "base": 1e4},
    "sinusoidal.encode": {
        "positions": _POSITIONS,
        "dim": 8,
        "base": 1e4,
        "layout": "half",
        "dtype": np.float32,
    },
    "sinusoidal.table": {
        "length": 5,
        "dim": 8,
        "start": 3,
        "base": 1e4,
        "layout": "half",
        "dtype": np.float32,
    },
    "sinusoidal.shift_matrix": {"offset": 3, "dim": 8, "base": 1e4, "layout": "half"},
    "sinusoidal.timescale_frequencies": {"dim": 8, "min_timescale": 1.0, "max_timescale": 1e4},
    "learned.lookup": {"table": _normal(5, 8), "positions": _POSITIONS},
    "learned.resize_1d": {
        "table": _normal(5, 8),
        "length": 7,
        "method": "cubic",
        "align_corners": False,
        "antialias": False,
    },
    "learned.resize_2d": {
        "table": _normal(7, 8),
        "grid": (2, 3),
        "new_grid": (3, 5),
        "method": "linear",
        "num_prefix_tokens": 1,
        "align_corners": False,
        "antialias": False,
    },
    "fourier.encode": {"coordinates": _normal(3, 2), "matrix": _normal(4, 2)},
    "hierarchical.encode": {"positions": _POSITIONS, "table": _normal(5, 8), "alpha": 0.4},
    "randomized.sample_positions": {
        "length": 3,
        "max_position": 20,
        "rng": np.random.default_rng(0),
    },
    "convolutional.encode": {
        "x": _normal(4, 5, 8),
        "weight": _normal(3, 3, 8),
        "bias": _normal(8),
    },
    "rope.rotate": _rotation(),
    "rope.rotate_partial": _rotation(frequencies=_FREQUENCIES[:2]),
    "rope.rotate_2d": _rotation(positions=_normal(3, 2), frequencies=_FREQUENCIES[:2]),
    "rope.multimodal": _rotation(
        positions=np.arange(9).reshape(3, 3), sections=(2, 1, 1), arrangement="contiguous"
    ),
    "rope.convert_layout": {
        "weight": _normal(8, 3),
        "num_heads": 2,
        "source": "half",
        "target": "interleaved",
    },
    "xpos.zeta": {"dim": 8},
    "xpos.rotate": _rotation(role="query", scale_base=512.0),
    "context.linear": {"frequencies": _FREQUENCIES, "factor": 2.0},
    "context.ntk": {"dim": 8, "base": 1e4, "factor": 2.0},
    "context.dynamic_ntk": {
        "dim": 8,
        "base": 1e4,
        "factor": 2.0,
        "max_position_embeddings": 2048,
        "length": 4096,
    },
    "context.yarn": {
        "frequencies": _FREQUENCIES,
        "factor": 4.0,
        "original_max_position_embeddings": 2048,
        "beta_fast": 32,
        "beta_slow": 1,
        "attention_factor": 1.0,
        "truncate": True,
    },
    "context.longrope": {
        "frequencies": _FREQUENCIES,
        "short_factor": np.ones(4),
        "long_factor": np.full(4, 2.0),
        "original_max_position_embeddings": 2048,
        "max_position_embeddings": 8192,
        "length": 4096,
    },
    "context.llama3": {
        "frequencies": _FREQUENCIES,
        "factor": 8.0,
        "low_freq_factor": 1.0,
        "high_freq_factor": 4.0,
        "original_max_position_embeddings": 8192,
    },
    "context.from_config": {
        "config": {"head_dim": 8, "rope_theta": 1e4, "max_position_embeddings": 2048},
        "length": 100,
    },
    "relative.clip_offsets": {"offsets": np.arange(-4, 5), "max_distance": 2},
    "relative.shaw_scores": {
        "q": _normal(2, 3, 8),
        "k": _normal(2, 4, 8),
        "key_table": _normal(5, 8),
        **_LINE,
    },
    "relative.shaw_values": {
        "weights": np.full((2, 3, 4), 0.25),
        "v": _normal(2, 4, 8),
        "value_table": _normal(5, 8),
        **_LINE,
    },
    "relative.transformer_xl_scores": {
        "q": _normal(2, 3, 8),
        "k": _normal(2, 4, 8),
        "u": _normal(8),
        "v": _normal(8),
        "r": _normal(6, 8),
    },
    "relative.rel_shift": {"scores": _normal(2, 3, 6)},
    "t5.bucket": {
        "offsets": np.arange(-40, 41),
        "bidirectional": True,
        "num_buckets": 32,
        "max_distance": 128,
    },
    "t5.bias": _bias(table=_normal(32, 2), bidirectional=True, max_distance=128),
    "swin.relative_position_index": {"height": 2, "width": 3},
    "swin.bias": {"table": _normal(15, 2), "height": 2, "width": 3},
    "deberta.bucket": {"offsets": np.arange(-40, 41), "bucket_size": 16, "max_position": 64},
    "deberta.scores": {
        "q": _normal(2, 3, 8),
        "k": _normal(2, 4, 8),
        "position_keys": _normal(8, 8),
        "position_queries": _normal(8, 8),
        **_LINE,
        "max_position": 64,
    },
    "alibi.slopes": {"num_heads": 6},
    "alibi.bias": _bias(symmetric=True),
    "kerple.log_bias": _bias(p=1.0, a=np.array([0.5, 2.0])),
    "kerple.power_bias": _bias(p=1.0, a=np.array([0.5, 2.0])),
    "fire.normalized_distance": {
        "query_positions": np.arange(3, 6),
        "key_positions": np.arange(3),
        "c": 0.1,
        "threshold": 512.0,
    },
    "fire.bias": _bias(
        query_positions=np.arange(3, 6), key_positions=np.arange(3), c=0.1, threshold=512.0, **_FIRE
    ),
    "cope.positions": {"q": _normal(2, 3, 8), "k": _normal(2, 3, 8), "mask": _MASK},
    "cope.bias": {
        "q": _normal(2, 3, 8),
        "k": _normal(2, 3, 8),
        "embeddings": _normal(4, 8),
        "mask": _MASK,
    },
    "positions.from_mask": {"mask": np.array([[False, True, True], [True, True, True]])},
    "positions.with_cache": {"past_length": 3, "length": 2},
    "positions.packed": {"lengths": np.array([2, 3])},
    "positions.documents": {"lengths": np.array([2, 3])},
    "positions.grid": {"height": 2, "width": 3},
    "positions.mrope": {"segments": [("text", 2), ("image", (2, 2))]},
    "attention.softmax": {"scores": _normal(3, 4), "axis": -1},
    "attention.weights": {
        "q": _normal(2, 3, 8),
        "k": _normal(2, 3, 8),
        "bias": _normal(3, 3),
        "mask": _MASK,
    },
    "attention.attention": {
        "q": _normal(2, 3, 8),
        "k": _normal(2, 3, 8),
        "v": _normal(2, 3, 8),
        "bias": _normal(3, 3),
        "mask": _MASK,
    },
    "attention.causal_mask": {"length": 3, "past_length": 2},
}

_OTHER_ROOMS = {"plots", "widgets", "exercises", "symbolic", "catalogue", "frequencies"}


def public_functions():
    """Dotted name -> function, for every public function of a mechanism."""
    found = {"frequencies": pe_lib.frequencies}
    for module in pkgutil.iter_modules(pe_lib.__path__):
        if module.name.startswith("_") or module.name in _OTHER_ROOMS:
            continue
        room = getattr(pe_lib, module.name)
        ours = getattr(room, "__all__", None) or [
            name
            for name, value in vars(room).items()
            if inspect.isfunction(value) and value.__module__ == room.__name__
        ]
        for name in ours:
            if inspect.isfunction(getattr(room, name)) and not name.startswith("_"):
                found[f"{module.name}.{name}"] = getattr(room, name)
    return found


def scheme_calls():
    """Dotted names of the functions in the catalogue."""
    functions = {function: name for name, function in public_functions().items()}
    return {name: functions[scheme.function] for name, scheme in catalogue.SCHEMES.items()}
