"""Rotary position embedding (RoPE): queries and keys turn by an angle that grows with position.

The subject of the chapter ``relative/rope``.
"""

from pe_lib.rope._axes import multimodal, rotate_2d, rotate_partial
from pe_lib.rope._layouts import convert_layout
from pe_lib.rope._rotate import rotate

__all__ = ["convert_layout", "multimodal", "rotate", "rotate_2d", "rotate_partial"]
