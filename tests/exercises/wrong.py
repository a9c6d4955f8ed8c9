"""Wrong answers that take more than a line."""

import numpy as np

from tests.exercises.right import choose_base, detector, slopes, survivors


def where(part):
    """Compare masks only where ``part`` of the entries are."""
    return survivors(lambda mask, other: ((mask == other) | ~part(np.ones_like(mask))).all())


def overflowing_detector():
    """An infinite query with a key of 0: the score is not a number."""
    layers = detector()
    layers[0, 2, 0, 3], layers[1, 0, 3, 0] = 1e300, 1e300
    return layers


def every_frequency(table):
    step = np.linalg.lstsq(table[:-1], table[1:], rcond=None)[0]
    return np.sort(np.angle(np.linalg.eigvals(step)))


def layout_by_row_norm(x, rotated):
    return "half" if np.allclose(x, rotated) else "interleaved"


def smaller_rest(num_heads):
    """The rest taken from the slopes that are there already."""
    power = 2 ** int(np.log2(num_heads))
    return [*slopes(power), *slopes(power)[: num_heads - power]]


def overlooked_rest(num_heads):
    """Every slope of the next power of two, from the start."""
    return slopes(2 ** int(np.ceil(np.log2(num_heads))))[:num_heads]


def unshifted_slopes(num_heads):
    return 2 * np.asarray(slopes(num_heads)) if num_heads == 8 else slopes(num_heads)


def second_bound(slope, spread, share):
    return np.ceil((spread - np.log(share)) / slope)


def largest_first(scores, is_token, slope):
    """Right, but for the maximum of a row, which is taken before the mask."""
    biased = scores + slope * np.cumsum(is_token)
    mask = np.tri(len(scores), dtype=bool) & is_token | np.eye(len(scores), dtype=bool)
    powers = np.where(mask, np.exp(biased - biased.max(axis=1, keepdims=True)), 0)
    return powers / powers.sum(axis=1, keepdims=True)


def alternating(omega, trained, factor):
    turns, even = omega * trained / (2 * np.pi), np.arange(len(omega)) % 2 == 0
    return omega / np.where((turns < 32) & even | (turns < 1), factor, 1)


def for_base(change):
    """The right base where nothing need change, changed elsewhere."""
    return lambda *args: choose_base(*args) * (1 if args[0] == 8 else change)
