"""Positional encodings as pure functions over arrays: the library of "Where Am I?".

Three families, one signature each: codes that are **added** to embeddings, **rotations** of
queries and keys, **biases** on attention scores. Importing ``pe_lib`` costs NumPy and nothing
more; ``pe_lib.plots`` (matplotlib), ``pe_lib.widgets`` (anywidget), ``pe_lib.symbolic`` (SymPy)
and ``pe_lib.exercises`` are imported by name where they are wanted.
"""

from pe_lib import (
    alibi,
    attention,
    catalogue,
    context,
    convolutional,
    cope,
    deberta,
    fire,
    fourier,
    hierarchical,
    kerple,
    learned,
    positions,
    randomized,
    relative,
    rope,
    sinusoidal,
    swin,
    t5,
    xpos,
)
from pe_lib.frequencies import frequencies

__all__ = [
    "alibi",
    "attention",
    "catalogue",
    "context",
    "convolutional",
    "cope",
    "deberta",
    "fire",
    "fourier",
    "frequencies",
    "hierarchical",
    "kerple",
    "learned",
    "positions",
    "randomized",
    "relative",
    "rope",
    "sinusoidal",
    "swin",
    "t5",
    "xpos",
]
__version__ = "0.1.0"
