"""Every scheme of the book in one table: what it is, where it comes from, where it is taught."""

from collections.abc import Callable
from typing import NamedTuple

from pe_lib import rope, sinusoidal


class Scheme(NamedTuple):
    """One positional encoding.

    Attributes
    ----------
    family : {"add", "rotate", "bias"}
        What its function gives: codes to add to embeddings, rotated queries and keys, or a bias
        to add to scores.
    function : callable
        Its implementation in ``pe_lib``, with the signature of its family.
    citation : str
        Key of the source in ``book/references.bib``.
    chapter : str
        Slug of the chapter that teaches it.
    """

    family: str
    function: Callable
    citation: str
    chapter: str


#: Name of the scheme -> :class:`Scheme`.
SCHEMES = {
    "sinusoidal": Scheme("add", sinusoidal.encode, "vaswani2017", "sinusoid/sum_angle"),
    "rope": Scheme("rotate", rope.rotate, "su2021", "relative/rope"),
}
