"""Reading a model's configuration: from the keys of its JSON file to frequencies.

The subject of the chapter ``context/scaling``.
"""

import numpy as np

from pe_lib import _checks
from pe_lib.context import _keys
from pe_lib.context._interpolation import dynamic_ntk, linear
from pe_lib.context._llama3 import llama3
from pe_lib.context._longrope import longrope
from pe_lib.context._scaled import Scaled
from pe_lib.context._yarn import yarn
from pe_lib.frequencies import frequencies


def from_config(config, *, length=None, layer_type=None):
    """Frequencies and attention factor that a model's configuration asks for.

    What it does not know it refuses by name, rather than compute another model than the one that
    was trained: an unknown type, an unknown key among the rotary ones, a missing key (the base
    too), two keys that contradict each other.

    Parameters
    ----------
    config : dict
        A model's ``config.json``. Rotary settings stand in ``rope_scaling`` or
        ``rope_parameters``, flat or one dictionary per type of layer, with ``rope_type`` or
        ``type``: default, linear, dynamic, yarn, longrope (su), llama3, proportional, or mrope,
        which is default here, as its sections belong to the positions. The base is
        ``rope_theta`` (``rotary_emb_base``), the rotated channels are ``qk_rope_head_dim``, or
        ``rotary_dim``, or ``head_dim`` (``hidden_size // num_attention_heads``) times
        ``partial_rotary_factor`` (``rotary_pct``). A ``text_config`` inside comes first. None is
        a missing key.
    length : int, optional
        Length of the sequence in tokens, one more than its largest position. dynamic and longrope
        need it, as their frequencies depend on it: there is no default, since the usual ones (the
        shortest, the longest, that of the last call) each are a known fault.
    layer_type : str, optional
        Which layers, where they differ: the keys of the configuration's own dictionaries, or
        "full_attention" and "sliding_attention".

    Returns
    -------
    Scaled
        Twice as many channels are rotated as there are frequencies; "proportional" has a
        frequency of 0 for each pair that is not. A DeepSeek model's softmax scale has one more
        factor, see :func:`pe_lib.context.yarn`.

    Raises
    ------
    TypeError, ValueError
        Naming the key.

    References
    ----------
    The keys are those of Hugging Face's transformers, versions 4 and 5. In the book: chapter
    ``context/scaling``.

    Examples
    --------
    >>> config = {"head_dim": 4, "rope_theta": 10_000.0}
    >>> from_config(config)
    Scaled(frequencies=array([1.  , 0.01]), attention_factor=1.0)
    >>> from_config(config | {"rope_scaling": {"rope_type": "linear", "factor": 2.0}})
    Scaled(frequencies=array([0.5  , 0.005]), attention_factor=1.0)
    """
    config = _keys.text_model(_keys.mapping("config", config))
    _keys.refuse_unknown(config)
    if length is not None:
        length = _checks.integer("length", length, minimum=1)
    config, place, rope, base = _keys.of_layer(config, layer_type)
    kind = _keys.kind(place, rope)
    options = _keys.options(kind, place, rope, config)
    rotated = _keys.rotated_channels(config, rope)
    if kind in ("dynamic", "longrope") and length is None:
        raise ValueError(f"length must be given: the frequencies of {kind!r} depend on it")
    if kind == "dynamic":
        options["max_position_embeddings"] = _keys.needed(config, "max_position_embeddings")
        return dynamic_ntk(rotated, base=base, length=length, **options)
    if kind == "proportional":
        # The exponents are those of the whole head; its fastest pairs turn, the rest stand still.
        head = _keys.head_dim(config)
        omega = frequencies(head, base=base) * (np.arange(head // 2) < rotated // 2)
        return linear(omega, **{"factor": 1.0} | options)
    omega = frequencies(rotated, base=base)
    if kind == "longrope":
        longest = config.get("max_position_embeddings")
        return longrope(omega, max_position_embeddings=longest, length=length, **options)
    methods = {"linear": linear, "yarn": yarn, "llama3": llama3}
    return methods[kind](omega, **options) if kind in methods else Scaled(omega, 1.0)
