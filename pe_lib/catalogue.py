"""Every scheme of the book in one table: what it is, what it costs, what is known about it."""

import math
from collections.abc import Callable
from typing import NamedTuple

from pe_lib import (
    alibi,
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


class Finding(NamedTuple):
    """What a publication reports about sequences longer than those of the training.

    Attributes
    ----------
    extrapolates : bool
        Whether it reports that the scheme still works there.
    citation : str
        Key of the publication in ``book/references.bib``.
    conditions : str
        What was longer, and after what training.
    """

    extrapolates: bool
    citation: str
    conditions: str


class Scheme(NamedTuple):
    """One positional encoding.

    Attributes
    ----------
    family : {"add", "rotate", "bias"}
        What its function gives: codes to add to embeddings, rotated queries and keys (or the
        frequencies to rotate them with), or numbers to add to scores.
    function : callable
        Its implementation in ``pe_lib``.
    citation : str
        Key of the source in ``book/references.bib``.
    chapter : str
        Slug of the chapter that teaches it.
    parameters : callable
        From length T, number of heads H and channels per head D to the trained numbers that the
        scheme adds to a layer, or to the model where it acts once.
    memory : callable
        From T, H and D to the numbers that ``function`` returns or keeps for T consecutive
        positions.
    bounded : bool
        Whether those numbers stay within fixed bounds however large positions grow.
    relative : bool
        Whether moving all positions by the same amount leaves every score of the same contents
        as it was.
    directional : bool
        Whether a score tells a key at offset k from one at -k.
    finding : Finding or None
        What is published about longer sequences than in training; None where we know of no
        such claim.
    models : tuple of str
        Some that use it.
    """

    family: str
    function: Callable
    citation: str
    chapter: str
    parameters: Callable[[int, int, int], int]
    memory: Callable[[int, int, int], int]
    bounded: bool
    relative: bool
    directional: bool
    finding: Finding | None
    models: tuple[str, ...]


def _none(length, num_heads, dim):
    return 0


def _codes(length, num_heads, dim):
    """A code as wide as the model for each position."""
    return length * num_heads * dim


def _pairs(length, num_heads, dim):
    """A frequency for each channel pair of a head: what a scaling of RoPE gives."""
    return dim // 2


def _rotated(length, num_heads, dim):
    """A cosine and a sine for each position and channel pair, shared by the heads."""
    return length * dim


def _diagonals(length, num_heads, dim):
    """A number for each head and offset: a view repeats it along a diagonal."""
    return num_heads * (2 * length - 1)


def _scores(length, num_heads, dim):
    """A number for each head, query and key."""
    return num_heads * length**2


#: What only changes which pairs turn, or how fast, has these facts in common with RoPE.
_ROPE = Scheme(
    family="rotate",
    function=rope.rotate,
    citation="su2021",
    chapter="relative/rope",
    parameters=_none,
    memory=_rotated,
    bounded=True,
    relative=True,
    directional=True,
    finding=Finding(False, "press2022", "language modeling, figure 1"),
    models=("RoFormer", "PaLM", "Llama", "Mistral", "Qwen2", "Gemma"),
)

#: Name of the scheme -> :class:`Scheme`.
SCHEMES = {
    "sinusoidal": Scheme(
        family="add",
        function=sinusoidal.encode,
        citation="vaswani2017",
        chapter="sinusoid/sum_angle",
        parameters=_none,
        memory=_codes,
        bounded=True,
        relative=False,
        directional=True,
        finding=Finding(False, "press2022", "language modeling, figure 1"),
        models=("Transformer", "M2M-100", "Whisper (encoder)"),
    ),
    "learned": Scheme(
        family="add",
        function=learned.lookup,
        citation="gehring2017",
        chapter="sinusoid/in_the_model",
        parameters=_codes,
        memory=_codes,
        bounded=True,
        relative=False,
        directional=True,
        finding=Finding(False, "press2022", "there is no row past the last"),
        models=("BERT", "GPT-2", "RoBERTa", "BART", "OPT", "ViT"),
    ),
    "fourier": Scheme(
        family="add",
        function=fourier.encode,
        citation="tancik2020",
        chapter="sinusoid/geometry",
        parameters=_none,
        memory=_codes,
        bounded=True,
        relative=False,
        directional=True,
        finding=None,
        models=("SAM (prompt encoder)",),
    ),
    "hierarchical": Scheme(
        family="add",
        function=hierarchical.encode,
        citation="su2020",
        chapter="beyond/multimodal",
        parameters=lambda length, num_heads, dim: (math.isqrt(length - 1) + 1) * num_heads * dim,
        memory=_codes,
        bounded=True,
        relative=False,
        directional=True,
        finding=Finding(True, "su2020", "up to the square of the table, after fine-tuning"),
        models=(),
    ),
    "randomized": Scheme(
        family="add",
        function=randomized.sample_positions,
        citation="ruoss2023",
        chapter="context/generalization",
        parameters=_none,
        memory=lambda length, num_heads, dim: length,
        bounded=True,
        relative=False,
        directional=True,
        finding=Finding(True, "ruoss2023", "algorithmic tasks, up to the range that is drawn from"),
        models=(),
    ),
    "convolutional": Scheme(
        family="add",
        function=convolutional.encode,
        citation="chu2023",
        chapter="beyond/images",
        parameters=lambda length, num_heads, dim: 10 * num_heads * dim,
        memory=_codes,
        bounded=True,
        relative=False,
        directional=True,
        finding=Finding(True, "chu2023", "larger images than in training"),
        models=("CPVT", "Twins-PCPVT", "Twins-SVT"),
    ),
    "rope": _ROPE,
    "partial_rope": _ROPE._replace(
        function=rope.rotate_partial,
        citation="black2022",
        finding=None,
        models=("GPT-J", "GPT-NeoX", "Pythia", "StableLM", "Phi"),
    ),
    "rope_2d": _ROPE._replace(
        function=rope.rotate_2d,
        citation="heo2024",
        chapter="beyond/images",
        finding=Finding(True, "heo2024", "larger images than in training"),
        models=("EVA-02", "SAM 2", "Qwen2-VL (vision part)"),
    ),
    "m_rope": _ROPE._replace(
        function=rope.multimodal,
        citation="wang2024",
        chapter="beyond/multimodal",
        finding=Finding(True, "wang2024", "longer videos than in training"),
        models=("Qwen2-VL", "Qwen2.5-VL", "Qwen3-VL"),
    ),
    "xpos": _ROPE._replace(
        function=xpos.rotate,
        citation="sun2023",
        bounded=False,
        finding=Finding(True, "sun2023", "language modeling, with blockwise causal attention"),
        models=("LeX Transformer",),
    ),
    "position_interpolation": _ROPE._replace(
        function=context.linear,
        citation="chen2023",
        chapter="context/interpolation",
        memory=_pairs,
        finding=Finding(True, "chen2023", "after fine-tuning"),
        models=("LongChat", "Vicuna v1.5 16k", "Gemma 3"),
    ),
    "ntk": _ROPE._replace(
        function=context.ntk,
        citation="bloc972023",
        chapter="context/interpolation",
        memory=_pairs,
        finding=Finding(True, "bloc972023", "perplexity, without fine-tuning"),
        models=(),
    ),
    "dynamic_ntk": _ROPE._replace(
        function=context.dynamic_ntk,
        citation="emozilla2023",
        chapter="context/interpolation",
        memory=_pairs,
        finding=Finding(True, "emozilla2023", "perplexity, without fine-tuning"),
        models=(),
    ),
    "yarn": _ROPE._replace(
        function=context.yarn,
        citation="peng2024",
        chapter="context/scaling",
        memory=_pairs,
        finding=Finding(True, "peng2024", "after fine-tuning"),
        models=("Yarn-Llama-2", "Qwen2.5", "DeepSeek-V3", "gpt-oss"),
    ),
    "longrope": _ROPE._replace(
        function=context.longrope,
        citation="ding2024",
        chapter="context/scaling",
        memory=_pairs,
        finding=Finding(True, "ding2024", "after fine-tuning"),
        models=("Phi-3-mini-128k",),
    ),
    "llama3": _ROPE._replace(
        function=context.llama3,
        citation="grattafiori2024",
        chapter="context/scaling",
        memory=_pairs,
        finding=Finding(True, "grattafiori2024", "after training on long sequences"),
        models=("Llama 3.1", "Llama 3.2", "Llama 3.3"),
    ),
    "shaw": Scheme(
        family="bias",
        function=relative.shaw_scores,
        citation="shaw2018",
        chapter="relative/relative",
        parameters=lambda length, num_heads, dim: 2 * 33 * num_heads * dim,  # keys, values; k = 16
        memory=_scores,
        bounded=True,
        relative=True,
        directional=True,
        finding=Finding(True, "shaw2018", "claimed because of the clipping, not measured"),
        models=(),
    ),
    "transformer_xl": Scheme(
        family="bias",
        function=relative.transformer_xl_scores,
        citation="dai2019",
        chapter="relative/relative",
        parameters=lambda length, num_heads, dim: (num_heads * dim) ** 2 + 2 * num_heads * dim,
        memory=_scores,
        bounded=True,
        relative=True,
        directional=True,
        finding=Finding(True, "dai2019", "longer memory in evaluation than in training"),
        models=("Transformer-XL", "XLNet"),
    ),
    "t5": Scheme(
        family="bias",
        function=t5.bias,
        citation="raffel2020",
        chapter="relative/relative",
        parameters=lambda length, num_heads, dim: 32 * num_heads,
        memory=_diagonals,
        bounded=True,
        relative=True,
        directional=True,
        finding=Finding(False, "press2022", "figure 1: it degrades too, if later than the others"),
        models=("T5", "mT5", "Flan-T5", "ByT5"),
    ),
    "swin": Scheme(
        family="bias",
        function=swin.bias,
        citation="liu2021",
        chapter="beyond/images",
        parameters=lambda length, num_heads, dim: (2 * math.isqrt(length) - 1) ** 2 * num_heads,
        memory=_scores,
        bounded=True,
        relative=True,
        directional=True,
        finding=None,
        models=("Swin Transformer",),
    ),
    "deberta": Scheme(
        family="bias",
        function=deberta.scores,
        citation="he2021",
        chapter="relative/relative",
        parameters=lambda length, num_heads, dim: 512 * num_heads * dim,  # twice the bucket size
        memory=_scores,
        bounded=True,
        relative=True,
        directional=True,
        finding=None,
        models=("DeBERTa-v2", "DeBERTa-v3"),
    ),
    "alibi": Scheme(
        family="bias",
        function=alibi.bias,
        citation="press2022",
        chapter="relative/alibi",
        parameters=_none,
        memory=_diagonals,
        bounded=False,
        relative=True,
        directional=True,
        finding=Finding(True, "press2022", "language modeling"),
        models=("BLOOM", "MPT", "Baichuan-13B"),
    ),
    "kerple_log": Scheme(
        family="bias",
        function=kerple.log_bias,
        citation="chi2022",
        chapter="relative/alibi",
        parameters=lambda length, num_heads, dim: 2 * num_heads,
        memory=_diagonals,
        bounded=False,
        relative=True,
        directional=False,
        finding=Finding(True, "chi2022", "language modeling"),
        models=(),
    ),
    "kerple_power": Scheme(
        family="bias",
        function=kerple.power_bias,
        citation="chi2022",
        chapter="relative/alibi",
        parameters=lambda length, num_heads, dim: 2 * num_heads,
        memory=_diagonals,
        bounded=False,
        relative=True,
        directional=False,
        finding=Finding(True, "chi2022", "language modeling, less far than the logarithm"),
        models=(),
    ),
    "fire": Scheme(
        family="bias",
        function=fire.bias,
        citation="li2024",
        chapter="relative/alibi",
        parameters=lambda length, num_heads, dim: 2 * 32 + 33 * num_heads + 2,  # width 32; c and L
        memory=_scores,
        bounded=True,
        relative=False,
        directional=False,
        finding=Finding(True, "li2024", "language modeling and long texts"),
        models=(),
    ),
    "cope": Scheme(
        family="bias",
        function=cope.bias,
        citation="golovneva2024",
        chapter="relative/alibi",
        parameters=lambda length, num_heads, dim: 64 * dim,  # 64 positions, shared by the heads
        memory=_scores,
        bounded=True,
        relative=True,
        directional=False,
        finding=Finding(True, "golovneva2024", "language modeling"),
        models=(),
    ),
}
