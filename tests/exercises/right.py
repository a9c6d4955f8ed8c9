"""A right answer to every exercise, made of parts that the usual mistakes share."""

import itertools

import numpy as np

import pe_lib
from pe_lib import rope, sinusoidal


def classes(**changed):
    words = {"a": "invariant", "b": "equivariant", "c": "neither", "d": "equivariant"}
    return words | {"e": "invariant", "f": "neither"} | changed


def survivors(same):
    """The orders after which a mask is the same, as ``same`` compares them."""
    return lambda mask: [
        order
        for order in itertools.permutations(range(len(mask)))
        if same(mask, mask[np.ix_(order, order)])
    ]


def detector(sign=1, threshold=1 / 32, q=50, k=1):
    layers = np.zeros((2, 3, 5, 5))
    layers[0, 2, 0, 3] = 1
    layers[1, 0, :3, 0], layers[1, 1, 1, 0] = q, k
    layers[1, 2, 3, 4], layers[1, 2, 1, 4] = sign, -sign * threshold
    return layers


def block(angle):
    return np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])


def complex_form(sign):
    """Sine first: the product turns the other way, so the right sign is -1."""

    def shift(codes, k, omega):
        z = (codes[:, 0::2] + 1j * codes[:, 1::2]) * np.exp(sign * 1j * omega * k)
        return np.stack([z.real, z.imag], axis=-1).reshape(codes.shape)

    return shift


def head(sign=1, layout="interleaved"):
    return lambda k, dim: sinusoidal.shift_matrix(sign * k, dim, layout=layout).T


def find_frequencies(table, *, order=1):
    step = np.linalg.lstsq(table[:-1], table[1:], rcond=None)[0]
    angles = np.angle(np.linalg.eigvals(step))
    return np.sort(angles[angles > 1e-3])[::order]


def unknown_layout(x, rotated):
    norms = [np.hypot(*np.split(rows, 2, axis=1)) for rows in (x, rotated)]
    return np.where(np.allclose(*norms, atol=1e-5), "half", "interleaved")


def cached_decoding(first=len, layout="half", turn_cache=False):
    def scores(q, k, cached_keys, omega):
        past = len(cached_keys)
        positions = first(cached_keys) + np.arange(len(q))
        q, k = (rope.rotate(x, positions, omega, layout=layout) for x in (q, k))
        if turn_cache and past:
            cached_keys = rope.rotate(cached_keys, np.arange(past), omega, layout=layout)
        return q @ np.concatenate([cached_keys, k]).T

    return scores


def previous_token(position, pairs=slice(None)):
    """A query of ones in some pairs, and the key that is the query, turned."""
    q = np.zeros(64)
    q[:32][pairs] = q[32:][pairs] = 1
    return q, rope.rotate(q[None], position, pe_lib.frequencies(64), layout="half")[0]


def xpos(fade=1, turn=1, layout="interleaved"):
    def score(q, k, m, n, omega, zeta):
        if layout == "half":
            q, k = (np.reshape(x, (2, -1)).T.ravel() for x in (q, k))
        q, k = q[0::2] + 1j * q[1::2], k[0::2] + 1j * k[1::2]
        factor = np.exp(turn * 1j * omega * (n - m)) * zeta ** float(fade * (m - n))
        return (q.conj() * k * factor).real.sum()

    return score


def channels(exponent=lambda d: 2 * np.arange(d // 2) / d, layout="interleaved"):
    def code(p, d):
        angles = p / 10_000 ** exponent(d)
        parts = [np.sin(angles), np.cos(angles)]
        return np.concatenate(parts) if layout == "half" else np.stack(parts, -1).ravel()

    return code


def slow_pairs(wavelength=2 * np.pi, clip=True):
    def count(dim, base, context):
        place = dim / 2 * np.log(context / wavelength) / np.log(base)
        return np.clip(dim // 2 - 1 - np.floor(place), 0, dim // 2 if clip else None)

    return count


def slopes(num_heads):
    power = 2 ** int(np.log2(num_heads))
    double = 2.0 ** (-4 * np.arange(1, 2 * power + 1) / power)
    return [*double[1::2], *double[0::2][: num_heads - power]]


def window(rounded=np.ceil):
    def tokens(slope, spread, share):
        power = share / (np.exp(spread) - share * np.expm1(spread))
        return rounded(-np.log(power) / slope)

    return tokens


def padded(scores, is_token, slope, *, count=np.cumsum, sign=1, seen=np.tril, masked=-1e9):
    """Softmax of what a query may see; padding sees itself."""
    mask = seen(np.ones_like(scores)).astype(bool) & is_token | np.eye(len(scores), dtype=bool)
    biased = np.where(mask, scores + sign * slope * count(is_token), masked)
    powers = np.exp(biased - biased.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def first_unfinished(dim, base, trained):
    turns = pe_lib.frequencies(dim, base=base) * trained / (2 * np.pi)
    return int((turns >= 1).sum())


def look_back(turn=-1, divide=True, layout="half"):
    def query(k, omega, factor):
        now = omega / factor if divide else omega
        return rope.rotate(k[None], turn, now, layout=layout)[0]

    return query


def choose_base(dim, base, trained, target):
    first = first_unfinished(dim, base, trained)
    return base * (target / trained) ** (dim / (2 * first)) if first < dim // 2 else base


def parts(blend):
    """How much of its speed a pair keeps, by what ``blend`` makes of the turns from 1 to 32."""

    def by_parts(omega, trained, factor):
        turns = np.clip(omega * trained / (2 * np.pi), 1, 32)
        keep = np.where(turns == 1, 0, np.where(turns == 32, 1, blend(turns)))
        return keep * omega + (1 - keep) * omega / factor

    return by_parts


#: Name of the exercise -> a right answer.
RIGHT = {
    "construction-by-hand": [-0.7568, -0.6536, 0.3894, 0.9211],
    "construction-channels": channels(),
    "construction-slow-pairs": slow_pairs(),
    "construction-base": lambda dim, context: (context / (2 * np.pi)) ** (dim / (dim - 2)),
    "construction-spacing": np.random.default_rng(0).uniform(0, np.pi, 8),
    "equivariance-classify": classes(),
    "equivariance-multiset": ["very"] * 4 + ["good"] * 2,
    "equivariance-survivors": survivors(np.array_equal),
    "equivariance-detector": detector(),
    "sum-angle-half-step": lambda omega: block(omega / 2),
    "sum-angle-direction": lambda k, omega: -k * omega,
    "sum-angle-complex": complex_form(-1),
    "sum-angle-head": head(),
    "sum-angle-frequencies": find_frequencies,
    "alibi-weights-by-hand": (4 / 7, 2 / 7, 1 / 7),
    "alibi-slopes": slopes,
    "alibi-window": window(),
    "alibi-left-padding": padded,
    "interpolation-first-unfinished": first_unfinished,
    "interpolation-look-back": look_back(),
    "interpolation-choose-base": choose_base,
    "interpolation-by-parts": parts(lambda turns: (turns - 1) / 31),
    "rope-score-by-hand": (-0.5, 0.5),
    "rope-unknown-layout": unknown_layout,
    "rope-cached-decoding": cached_decoding(),
    "rope-previous-token": previous_token(+1),
    "rope-xpos": xpos(),
}
