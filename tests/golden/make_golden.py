"""Golden numbers: each formula of the book at 50 digits, rounded once to float64.

Run ``python tests/golden/make_golden.py`` to write core.json again. Nothing here imports pe_lib,
so that a mistake there cannot hide here. ``tests/test_golden.py`` computes a sample anew.
"""

import json
import pathlib

import mpmath as mp

FILE = pathlib.Path(__file__).with_name("core.json")
POSITIONS = [0, 1, 2, 3, 17, 511, 4095, 100_000, 1_000_000, -5, 0.5, 2**28]
X = [1, 2, 3, 4]


def frequencies(dim, base):
    """omega_i = base^(-2i/dim), Vaswani et al. (2017), section 3.5."""
    return [mp.power(mp.mpf(base), -mp.mpf(2 * i) / dim) for i in range(dim // 2)]


def timescale_frequencies(dim, shortest, longest):
    """1 / t_i where t_i runs geometrically from shortest to longest."""
    pairs, ratio = dim // 2, mp.mpf(longest) / mp.mpf(shortest)
    return [1 / (shortest * ratio ** (mp.mpf(i) / max(pairs - 1, 1))) for i in range(pairs)]


def sinusoid(position, dim, base):
    """sin(omega_0 p), cos(omega_0 p), sin(omega_1 p), ..."""
    angles = [omega * mp.mpf(position) for omega in frequencies(dim, base)]
    return [wave(angle) for angle in angles for wave in (mp.sin, mp.cos)]


def rope(x, position, base, pairs):
    """Each pair (a, b) of channels turned by its angle, Su et al. (2021), section 3.2.2."""
    turned = [None] * len(x)
    for (a, b), omega in zip(pairs, frequencies(len(x), base), strict=True):
        cos, sin = mp.cos(omega * mp.mpf(position)), mp.sin(omega * mp.mpf(position))
        turned[a], turned[b] = x[a] * cos - x[b] * sin, x[a] * sin + x[b] * cos
    return turned


def attention(q, k, v):
    """softmax(q k^T / sqrt(D)) v, Vaswani et al. (2017), equation 1."""
    rows = []
    for query in q:
        scores = [mp.fdot(query, key) / mp.sqrt(len(query)) for key in k]
        powers = [mp.exp(score) for score in scores]
        weights = [power / mp.fsum(powers) for power in powers]
        rows.append([mp.fdot(weights, column) for column in zip(*v, strict=True)])
    return rows


def rounded(value):
    """The nearest float64; mpmath's own conversion need not be."""
    if isinstance(value, list):
        return [rounded(item) for item in value]
    return float(mp.nstr(value, 40))


def golden():
    """Every entry of the file, as plain lists of floats with what was put in."""
    q, k, v = [[1, 0], [0.5, -2]], [[1, 2], [3, -1], [0, 0.25]], [[1, 0], [0, 1], [-1, 3]]
    layouts = {"interleaved": [(0, 1), (2, 3)], "half": [(0, 2), (1, 3)]}
    with mp.workdps(50):
        return {
            "frequencies": [
                {"dim": dim, "base": base, "want": rounded(frequencies(dim, base))}
                for dim, base in [(2, 1e4), (6, 1e4), (80, 1e4), (128, 5e5), (192, 1e6), (512, 1e4)]
            ],
            "timescale_frequencies": [
                {
                    "dim": dim,
                    "min_timescale": shortest,
                    "max_timescale": longest,
                    "want": rounded(timescale_frequencies(dim, shortest, longest)),
                }
                for dim, shortest, longest in [(2, 1, 1e4), (8, 1, 1e4), (64, 1, 1e4), (8, 2, 1e3)]
            ],
            "sinusoid": [
                {"position": p, "dim": 16, "base": 1e4, "want": rounded(sinusoid(p, 16, 1e4))}
                for p in POSITIONS
            ],
            "rope": [
                {
                    "position": p,
                    "layout": layout,
                    "x": X,
                    "base": 1e4,
                    "want": rounded(rope(X, p, 1e4, pairs)),
                }
                for p in POSITIONS
                for layout, pairs in layouts.items()
            ],
            "attention": [{"q": q, "k": k, "v": v, "want": rounded(attention(q, k, v))}],
        }


if __name__ == "__main__":
    FILE.write_text(json.dumps(golden(), indent=1) + "\n", encoding="utf-8")
