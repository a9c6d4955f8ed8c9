"""Symbolic forms of the library's mechanisms, and the machine that proves identities about them.

Every identity that the book displays is handed to :func:`prove`, in the chapter that displays
it. The forms are SymPy matrices with one symbol per frequency, position or weight, so that one
proof holds for all of their values.
"""

from pe_lib.symbolic.forms import (
    attention,
    encode,
    frequencies,
    matrix,
    permutation_matrix,
    rope_matrix,
    rotation,
    shift_matrix,
    softmax,
)
from pe_lib.symbolic.proof import Counterexample, NotProved, Proof, Refuted, prove

__all__ = [
    "Counterexample",
    "NotProved",
    "Proof",
    "Refuted",
    "attention",
    "encode",
    "frequencies",
    "matrix",
    "permutation_matrix",
    "prove",
    "rope_matrix",
    "rotation",
    "shift_matrix",
    "softmax",
]
