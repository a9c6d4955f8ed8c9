"""Longer contexts: the frequencies of a rotary model, changed so that it reads beyond its training.

Each method gives :class:`pe_lib.context.Scaled`: frequencies for :func:`pe_lib.rope.rotate` and a
factor on its result. ``linear``, ``ntk`` and ``dynamic_ntk`` are the subject of the chapter
``context/interpolation``; ``yarn``, ``longrope``, ``llama3`` and ``from_config``, which reads a
model's own configuration, of ``context/scaling``.
"""

from pe_lib.context._config import from_config
from pe_lib.context._interpolation import dynamic_ntk, linear, ntk
from pe_lib.context._llama3 import llama3
from pe_lib.context._longrope import longrope
from pe_lib.context._scaled import Scaled
from pe_lib.context._yarn import yarn

__all__ = [
    "Scaled",
    "dynamic_ntk",
    "from_config",
    "linear",
    "llama3",
    "longrope",
    "ntk",
    "yarn",
]
