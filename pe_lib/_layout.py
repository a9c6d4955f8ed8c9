"""Which channels make a pair: the one place where the two storage layouts are told apart."""

from pe_lib import _checks


def pair_slices(dim, layout):
    """Channels of the first and of the second member of every pair, as two slices.

    ``"interleaved"`` keeps pair i in channels 2i, 2i+1; ``"half"`` in channels i, i + dim/2.
    """
    if _checks.layout(layout) == "interleaved":
        return slice(0, dim, 2), slice(1, dim, 2)
    return slice(0, dim // 2), slice(dim // 2, dim)
