"""A right and a wrong answer to every exercise."""

import itertools

import numpy as np

import pe_lib
from pe_lib import rope, sinusoidal


def classify(**changed):
    words = {"a": "invariant", "b": "equivariant", "c": "neither", "d": "equivariant"}
    return words | {"e": "invariant", "f": "neither"} | changed


def survivors(mask):
    orders = itertools.permutations(range(len(mask)))
    return [order for order in orders if (mask[np.ix_(order, order)] == mask).all()]


def detector(sign, threshold=1 / 2):
    layers = np.zeros((2, 3, 5, 5))
    layers[:, 0, :3, 0] = 1
    layers[0, 1, 0, 0] = layers[1, 1, 1, 0] = 100  # first look at A, then at B
    layers[0, 2, 0, 3] = 1
    layers[1, 2, 3, 4], layers[1, 2, :3, 4] = sign, -sign * threshold
    return layers


def block(angle):
    return np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])


def complex_form(sign):
    def shift(codes, k, omega):
        z = (codes[:, 0::2] + 1j * codes[:, 1::2]) * np.exp(sign * 1j * omega * k)
        return np.stack([z.real, z.imag], axis=-1).reshape(codes.shape)

    return shift


def head(sign):
    return lambda k, dim: sinusoidal.shift_matrix(sign * k, dim, layout="interleaved").T


def find_frequencies(table, *, smallest=1e-6):
    step = np.linalg.lstsq(table[:-1], table[1:], rcond=None)[0]
    angles = np.angle(np.linalg.eigvals(step))
    return np.sort(angles[angles > smallest])


def unknown_layout(before, after):
    dim = before.shape[-1]

    def norms(x):
        return np.hypot(x[:, : dim // 2], x[:, dim // 2 :])

    return "half" if np.allclose(norms(before), norms(after)) else "interleaved"


def cached_decoding(first):
    def scores(q, k, cached, omega):
        positions = (len(cached) if first is None else first) + np.arange(len(q))
        q, k = (rope.rotate(x, positions, omega, layout="half") for x in (q, k))
        return q @ np.concatenate([cached, k]).T

    return scores


def previous_token(position):
    q = np.ones((1, 64))
    return q[0], rope.rotate(q, position, pe_lib.frequencies(64), layout="half")[0]


def xpos(sign):
    def score(q, k, m, n, omega, zeta):
        q, k = q[0::2] + 1j * q[1::2], k[0::2] + 1j * k[1::2]
        turn = np.exp(1j * omega * (n - m)) * zeta ** float(sign * (m - n))
        return (q.conj() * k * turn).real.sum()

    return score


def slow_pairs(turn):
    def count(dim, base, context):
        exponent = np.log(context / turn) / np.log(base)
        return dim // 2 - np.clip(np.floor(dim / 2 * exponent) + 1, 0, dim // 2)

    return count


def one_frequency_per_channel(p, d):
    return np.sin(p / 10_000 ** (np.arange(d) / d))


def slopes(first_of_rest):
    def slopes(num_heads):
        power = 2 ** int(np.log2(num_heads))
        double = 2.0 ** (-4 * np.arange(1, 2 * power + 1) / power)
        return [*double[1::2], *double[first_of_rest::2][: num_heads - power]]

    return slopes


def window(rounded):
    def window(slope, spread, share):
        power = share / (np.exp(spread) - share * np.expm1(spread))
        return rounded(-np.log(power) / slope - 1e-9)

    return window


def padded(count):
    def weights(scores, is_token, slope):
        positions = np.cumsum(is_token) if count else np.arange(len(is_token))
        mask = np.tri(len(is_token), dtype=bool) & is_token | np.eye(len(is_token), dtype=bool)
        powers = np.where(mask, np.exp(scores + slope * positions), 0)
        return powers / powers.sum(axis=1, keepdims=True)

    return weights


def first_unfinished(dim, base, trained):
    turns = pe_lib.frequencies(dim, base=base) * trained / (2 * np.pi)
    return int((turns >= 1).sum())


def look_back(divided):
    def query(k, omega, factor):
        now = omega / factor if divided else omega
        return rope.rotate(k[None], -1, now, layout="half")[0]

    return query


def choose_base(dim, base, trained, target):
    first = first_unfinished(dim, base, trained)
    return base * (target / trained) ** (dim / (2 * first)) if first < dim // 2 else base


def by_parts(omega, trained, factor):
    keep = np.clip((omega * trained / (2 * np.pi) - 1) / 31, 0, 1)
    return keep * omega + (1 - keep) * omega / factor


#: Name of the exercise -> (a right answer, a wrong one that a reader might give).
ANSWERS = {
    "construction-by-hand": ([-0.7568, -0.6536, 0.3894, 0.9211], [-0.7568, -0.6536, 0.04, 0.9992]),
    "construction-channels": (
        lambda p, d: sinusoidal.encode(p, d, layout="interleaved"),
        one_frequency_per_channel,
    ),
    "construction-slow-pairs": (slow_pairs(2 * np.pi), slow_pairs(1)),
    "construction-base": (
        lambda dim, context: (context / (2 * np.pi)) ** (dim / (dim - 2)),
        lambda dim, context: context / (2 * np.pi),
    ),
    "construction-spacing": (
        np.random.default_rng(0).uniform(0, np.pi, 8),
        2 * np.pi / np.linspace(7, 70_000, 8),
    ),
    "equivariance-classify": (classify(), classify(f="equivariant")),
    "equivariance-multiset": (["very"] * 4 + ["good"] * 2, ["very"] * 3 + ["good"]),
    "equivariance-survivors": (survivors, lambda mask: [tuple(range(len(mask)))]),
    "equivariance-detector": (detector(+1), detector(-1)),
    "sum-angle-half-step": (lambda omega: block(omega / 2), lambda omega: block(omega) / 2),
    "sum-angle-direction": (lambda k, omega: -k * omega, lambda k, omega: k * omega),
    "sum-angle-complex": (complex_form(-1), complex_form(+1)),
    "sum-angle-head": (head(+1), head(-1)),
    "sum-angle-frequencies": (
        find_frequencies,
        lambda table: find_frequencies(table, smallest=-4),
    ),
    "alibi-weights-by-hand": ((4 / 7, 2 / 7, 1 / 7), (1 / 2, 1 / 4, 1 / 4)),
    "alibi-slopes": (slopes(0), slopes(1)),
    "alibi-window": (window(np.ceil), window(np.floor)),
    "alibi-left-padding": (padded(True), padded(False)),
    "interpolation-first-unfinished": (
        first_unfinished,
        lambda dim, base, trained: first_unfinished(dim, base, trained) + 1,
    ),
    "interpolation-look-back": (look_back(True), look_back(False)),
    "interpolation-choose-base": (
        choose_base,
        lambda dim, base, trained, target: base * (target / trained) ** (dim / (dim - 2)),
    ),
    "interpolation-by-parts": (by_parts, lambda omega, trained, factor: omega / factor),
    "rope-score-by-hand": ((-0.5, 0.5), (0.5, -0.5)),
    "rope-unknown-layout": (unknown_layout, lambda before, after: "interleaved"),
    "rope-cached-decoding": (cached_decoding(None), cached_decoding(0)),
    "rope-previous-token": (previous_token(+1), previous_token(-1)),
    "rope-xpos": (xpos(+1), xpos(-1)),
}
