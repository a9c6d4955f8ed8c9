"""Positional encodings as pure functions over arrays: the library of "Where Am I?".

Three families, one signature each: codes that are **added** to embeddings, **rotations** of
queries and keys, **biases** on attention scores. Importing ``pe_lib`` costs NumPy and next to
nothing more. ``pe_lib.plots`` (matplotlib), ``pe_lib.widgets`` (anywidget), ``pe_lib.symbolic``
(SymPy) and ``pe_lib.exercises`` are imported by name where they are wanted.
"""

from importlib import import_module

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


def __getattr__(name):
    """Import a module of ``__all__`` when it is first asked for: reading forty files takes time."""
    if name in __all__:
        return import_module(f"pe_lib.{name}")
    raise AttributeError(f"module 'pe_lib' has no attribute {name!r}")


def __dir__():
    """Show modules that nobody has asked for yet."""
    return sorted({*globals(), *__all__})
