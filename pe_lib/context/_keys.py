"""The keys of a model's configuration that concern rotation, by their many names.

Every function takes dictionaries without null entries and names the key it cannot make sense of.
"""

from collections.abc import Mapping

import numpy as np

from pe_lib import _checks

#: Type -> the keys that it must have and those that it may have.
_KEYS_OF_TYPE = {
    "default": ("", ""),
    "linear": ("factor", ""),
    "dynamic": ("factor", ""),
    "yarn": (
        "factor original_max_position_embeddings",
        "beta_fast beta_slow attention_factor mscale mscale_all_dim truncate",
    ),
    "longrope": (
        "short_factor long_factor original_max_position_embeddings",
        "factor attention_factor",
    ),
    "llama3": ("factor low_freq_factor high_freq_factor original_max_position_embeddings", ""),
    "proportional": ("", "factor"),
}

_OTHER_NAMES = {"su": "longrope", "mrope": "default"}

#: Keys that every type may have. The last two say which axis of a position drives which pair.
_COMMON = ("rope_type", "type", "rope_theta", "partial_rotary_factor")
_COMMON += ("mrope_section", "mrope_interleaved")

#: Keys of the base: of most layers, and of those with a sliding window where they differ.
_BASES = ("rope_theta", "rotary_emb_base", "global_rope_theta")
_LOCAL_BASES = ("rope_local_base_freq", "local_rope_theta")

#: Rotary keys of the configuration itself; the last concerns the layout alone and is not read.
_ROTARY = (*_BASES, *_LOCAL_BASES, "rope_scaling", "rope_parameters")
_ROTARY += ("partial_rotary_factor", "rotary_pct", "rotary_dim", "rope_interleave")


def mapping(name, value):
    """A dictionary without its null entries."""
    if not isinstance(value, Mapping):
        raise TypeError(f"{name} must be a dictionary, got {value!r}")
    return {key: entry for key, entry in value.items() if entry is not None}


def needed(config, key, advice=""):
    """The value of a key that must be there."""
    if key not in config:
        raise ValueError(f"config must have {key!r}{advice}")
    return config[key]


def agreed(what, *places):
    """The one value that these (dictionary, key) places hold; None where they hold none."""
    found = [(key, place[key]) for place, key in places if place.get(key) is not None]
    for key, value in found[1:]:
        first, wanted = found[0]
        try:
            with np.errstate(over="ignore"):  # float16 beside 1e300
                same = bool(value == wanted)
        except (TypeError, ValueError):  # arrays, which no JSON file holds
            same = False
        if not same:
            raise ValueError(
                f"config must not contradict itself on {what}, got {first} = {wanted!r} and "
                f"{key} = {value!r}"
            )
    return found[0][1] if found else None


def text_model(config):
    """The language model's part of a configuration over what surrounds it."""
    inner = mapping("text_config", config.get("text_config", {}))
    for key in _ROTARY:
        agreed(f"{key} inside and outside text_config", (config, key), (inner, key))
    return config | inner


def refuse_unknown(config):
    """Raise if a key looks as if it changed the rotation and is none of those that are read."""
    for key in config:
        if str(key).startswith(("rope_", "rotary_")) and key not in _ROTARY:
            raise ValueError(f"config must have no rotary keys of unknown meaning, got {key!r}")


def of_layer(config, layer_type):
    """The configuration of a type of layer, its rotary dictionary (where, what) and its base."""
    place = "rope_scaling" if "rope_scaling" in config else "rope_parameters"
    agreed("the scaling", (config, "rope_scaling"), (config, "rope_parameters"))
    rope = mapping(place, config.get(place, {}))
    nested = any(isinstance(entry, Mapping) for entry in rope.values())
    if nested and not all(isinstance(entry, Mapping) for entry in rope.values()):
        raise ValueError(f"{place} must be one dictionary per type of layer, got {list(rope)}")
    local = any(key in config for key in _LOCAL_BASES)
    # A null entry is a type of layer without rotation, and no choice.
    choices = tuple(rope) if nested else ("full_attention", "sliding_attention") * local
    _check_layer_type(layer_type, choices)
    if layer_type == "full_attention" and "global_head_dim" in config:
        config = config | {"head_dim": config["global_head_dim"]}
    sliding = local and layer_type == "sliding_attention"
    if nested:
        place = f"{place}[{layer_type!r}]"
        rope = mapping(place, rope[layer_type])
    elif sliding and "rope_local_base_freq" in config:
        rope = {}  # Gemma 3 scales its full attention only
    return config, place, rope, _base(config, rope, nested=nested, sliding=sliding)


def _check_layer_type(value, choices):
    """Raise unless ``value`` is one of the types of layer, or None where there is one."""
    if choices:
        _checks.one_of("layer_type", value, choices)
    elif value is not None:
        raise ValueError(f"layer_type must be None, all layers are alike here, got {value!r}")


def _base(config, rope, *, nested, sliding):
    """The base of the frequencies."""
    names = _LOCAL_BASES if sliding else _BASES
    if nested and "rope_theta" in rope:
        names = ()  # a layer's own base comes before the configuration's
    base = agreed("the base", *((config, name) for name in names), (rope, "rope_theta"))
    if base is None:
        raise ValueError(
            f"config must have {names[0]!r}: some files leave it to their model's code, "
            "which often means 10000; write it into the dictionary"
        )
    return _checks.scalar("rope_theta", base, above=1)


def kind(place, rope):
    """The type of scaling that a rotary dictionary names."""
    names = {}
    for key in ("rope_type", "type"):
        if key in rope:
            name = _checks.one_of(f"{place}[{key!r}]", rope[key], (*_KEYS_OF_TYPE, *_OTHER_NAMES))
            names[key] = _OTHER_NAMES.get(name, name)
    if not names and not set(rope) <= {"rope_theta", "partial_rotary_factor"}:
        raise ValueError(f"{place} must have 'rope_type', got {', '.join(map(repr, rope))}")
    return agreed(f"the type in {place}", (names, "rope_type"), (names, "type")) or "default"


def options(kind, place, rope, config):
    """The arguments of the method, from keys that it knows and none besides."""
    required, optional = (keys.split() for keys in _KEYS_OF_TYPE[kind])
    for key in rope:
        if key not in (*required, *optional, *_COMMON):
            raise ValueError(f"{place} must have only keys that {kind!r} knows, got {key!r}")
    arguments = {key: rope[key] for key in (*required, *optional) if key in rope}
    trained = "original_max_position_embeddings"
    if trained in required and trained in config:
        arguments[trained] = agreed(trained, (config, trained), (rope, trained))
    for key in required:
        if key not in arguments:
            raise ValueError(f"{place} must have {key!r} for type {kind!r}")
    return arguments


def head_dim(config):
    """Channels of one head, an even number."""
    if "head_dim" in config:
        return _checks.even_dim(config["head_dim"], "head_dim")
    advice = ", as it has no 'head_dim'"
    width = _checks.integer("hidden_size", needed(config, "hidden_size", advice), minimum=2)
    heads = needed(config, "num_attention_heads", advice)
    heads = _checks.integer("num_attention_heads", heads, minimum=1)
    if width % heads:
        raise ValueError(f"hidden_size must be a multiple of {heads} heads, got {width}")
    return _checks.even_dim(width // heads, "hidden_size // num_attention_heads")


def rotated_channels(config, rope):
    """How many channels of a head are rotated, an even number."""
    fraction = agreed(
        "the rotated fraction",
        (config, "partial_rotary_factor"),
        (config, "rotary_pct"),
        (rope, "partial_rotary_factor"),
    )
    fraction = 1.0 if fraction is None else _checks.scalar("partial_rotary_factor", fraction)
    named = [key for key in ("qk_rope_head_dim", "rotary_dim") if key in config]
    counts = {key: _checks.even_dim(config[key], key) for key in named}
    if not counts or fraction != 1:
        head = head_dim(config)
        pairs = round(min(fraction, 2) * head / 2)
        if not 1 <= pairs <= head // 2 or abs(fraction * head - 2 * pairs) > 1e-6:
            raise ValueError(
                f"partial_rotary_factor must rotate an even number of the {head} channels of a "
                f"head, got {fraction}"
            )
        counts["partial_rotary_factor times head_dim"] = 2 * pairs
    return agreed("the rotated channels", *((counts, key) for key in counts))
