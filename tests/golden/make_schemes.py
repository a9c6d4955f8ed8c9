"""Golden numbers of the schemes: each published formula at 50 digits, rounded once to float64.

Run ``python tests/golden/make_schemes.py`` to write schemes.json again. Nothing here imports
pe_lib, so that a mistake there cannot hide here. RoPE and all that rests on it stand in
make_rope.py beside this file. ``tests/test_golden.py`` computes everything anew.
"""

import json
import pathlib
import runpy

import mpmath as mp

HERE = pathlib.Path(__file__).parent
FILE = HERE / "schemes.json"

ABOUT = {
    "generator": "tests/golden/make_schemes.py and make_rope.py",
    "digits": 50,
    "rounding": "each float is the float64 nearest to a result of 50 digits; integers are exact",
    "conventions": "sinusoidal.paper holds pairs (sine, cosine); t2t all sines, then all cosines; "
    "keys such as '100,50' are query, key",
}

# --- Added to the embeddings --------------------------------------------------------------------


def frequencies(dim):
    """omega_i = 10000^(-2i/dim), Vaswani et al. (2017), section 3.5."""
    return [mp.power(10_000, -mp.mpf(2 * i) / dim) for i in range(dim // 2)]


def timescale_frequencies(dim):
    """From 1 to exactly 1/10000 by equal factors: tensor2tensor, get_timing_signal_1d."""
    return [mp.power(10_000, -mp.mpf(i) / (dim // 2 - 1)) for i in range(dim // 2)]


def paper_code(position, dim):
    return [wave(omega * position) for omega in frequencies(dim) for wave in (mp.sin, mp.cos)]


def tensor2tensor_code(position, dim):
    angles = [omega * position for omega in timescale_frequencies(dim)]
    return [mp.sin(angle) for angle in angles] + [mp.cos(angle) for angle in angles]


def dot(offset, dim):
    """encode(p) . encode(p + offset), a sum of cosines of the offset alone."""
    return mp.fsum(mp.cos(omega * offset) for omega in frequencies(dim))


def sinusoidal():
    dims, positions = (4, 8, 512), (0, 1, 2, 3, 4, 5, 511, 4095, 100_000, 1_000_003)
    omega = frequencies(512)
    offsets = (0, 1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000, 5000, 10_000)
    return {
        "paper": {d: {p: paper_code(p, d) for p in positions} for d in dims},
        "t2t": {d: {p: tensor2tensor_code(p, d) for p in positions} for d in dims},
        "theta_d512_first10": omega[:10],
        "theta_d512_last": omega[-1],
        "wavelength_d512": {
            "min": 2 * mp.pi / omega[0],
            "max": 2 * mp.pi / omega[-1],
            "limit_never_reached": 2 * mp.pi * 10_000,
        },
        "dot_d512": {k: dot(k, 512) for k in offsets},
        "step_norm_d512": mp.sqrt(2 * dot(0, 512) - 2 * dot(1, 512)),
    }


# --- Added to the scores: slopes and curves ------------------------------------------------------


def alibi(num_heads):
    """2^(-8h/H) for h = 1..H; the first slopes of 2P heads, one in two, beyond a power of two P.

    Press, Smith and Lewis (2022), section 3, and get_slopes of their code.
    """
    power = 2 ** (num_heads.bit_length() - 1)
    exponents = [mp.mpf(8 * h) / power for h in range(1, power + 1)]
    exponents += [mp.mpf(8 * h) / (2 * power) for h in range(1, 2 * power, 2)]
    return [mp.power(2, -exponent) for exponent in exponents[:num_heads]]


def kerple_log(distance, p, a):
    """-p ln(1 + a distance), Chi et al. (2022), the logarithmic kernel."""
    return -p * mp.log(1 + a * distance)


def kerple_power(distance, p, a):
    """-a distance^p, the power kernel there."""
    return -a * mp.power(distance, p)


def kerple():
    distances, half = (0, 1, 2, 10, 100, 1000), mp.mpf(1) / 2
    return {
        "log_p1_a1": {k: kerple_log(k, 1, 1) for k in distances},
        "log_p2_a0.5": {k: kerple_log(k, 2, half) for k in distances},
        "power_p0.5_a1": {k: kerple_power(k, half, 1) for k in distances},
    }


def fire_distance(query, key, c, threshold):
    """psi(i - j) / psi(max(i, L)) with psi(x) = ln(cx + 1), Li et al. (2024), section 3."""
    return mp.log(c * (query - key) + 1) / mp.log(c * max(query, threshold) + 1)


def fire():
    pairs = [(1, 0), (10, 0), (100, 50), (512, 0), (1024, 0), (1024, 512), (8192, 0)]
    return {f"{i},{j}": fire_distance(i, j, mp.mpf(1) / 10, 512) for i, j in pairs}


# --- Added to the scores: indices, by integers alone ---------------------------------------------


def t5_steps(distance, buckets, max_distance):
    """floor(s ln(distance/s) / ln(max_distance/s)), s = buckets/2: logarithmic buckets passed.

    k of them are when (distance/s)^s >= (max_distance/s)^k, which integers decide.
    """
    s = buckets // 2
    return max(k for k in range(s + 1) if distance**s * s**k >= max_distance**k * s**s)


def t5_bucket(offset, bidirectional, num_buckets=32, max_distance=128):
    """Raffel et al. (2020), section 2.1; mesh_tensorflow, _relative_position_bucket."""
    buckets = num_buckets // 2 if bidirectional else num_buckets
    first = buckets if bidirectional and offset > 0 else 0
    distance = abs(offset) if bidirectional else max(-offset, 0)
    if distance < buckets // 2:
        return first + distance
    return first + min(buckets - 1, buckets // 2 + t5_steps(distance, buckets, max_distance))


def t5_exact(buckets, max_distance=128):
    """Distances at which the logarithm is a whole number, so that its rounding decides."""
    s = buckets // 2
    return [
        distance
        for distance in range(s, max_distance + 1)
        if any(distance**s * s**k == max_distance**k * s**s for k in range(s + 1))
    ]


def t5():
    offsets = list(range(-300, 301))
    return {
        "num_buckets": 32,
        "max_distance": 128,
        "rel_is": "key position - query position",
        "rel": offsets,
        "bidirectional": [t5_bucket(k, bidirectional=True) for k in offsets],
        "causal": [t5_bucket(k, bidirectional=False) for k in offsets],
        "exact_integer_boundaries_bidirectional_abs_rel": t5_exact(16),
        "exact_integer_boundaries_causal_abs_rel": t5_exact(32),
    }


def deberta_bucket(offset, bucket_size=256, max_position=512):
    """sign (m + ceil((m - 1) ln(|r|/m) / ln((M - 1)/m))) beyond m = bucket_size/2; r within.

    He et al., DeBERTa code, make_log_bucket_position. The ceiling is the least k with
    (|r|/m)^(m - 1) <= ((M - 1)/m)^k, which integers decide.
    """
    distance, m, last = abs(offset), bucket_size // 2, max_position - 1
    if distance <= m:
        return offset
    k = 0
    while distance ** (m - 1) * m**k > last**k * m ** (m - 1):
        k += 1
    return (m + k) * (1 if offset > 0 else -1)


def deberta():
    offsets = list(range(-600, 601))
    return {
        "bucket_size": 256,
        "max_position": 512,
        "rel_is": "query position - key position",
        "rel": offsets,
        "bucket": [deberta_bucket(r) for r in offsets],
    }


def swin(height, width):
    """Row of the table for each pair of cells (query, key), Liu et al. (2021), section 3.2."""
    cells = [(y, x) for y in range(height) for x in range(width)]
    return [
        [(y - v + height - 1) * (2 * width - 1) + x - u + width - 1 for v, u in cells]
        for y, x in cells
    ]


def shaw(length, max_distance):
    """clip(j - i, -k, k) + k, Shaw et al. (2018), section 3.2."""
    return [
        [min(max(j - i, -max_distance), max_distance) + max_distance for j in range(length)]
        for i in range(length)
    ]


# --- The file ------------------------------------------------------------------------------------


def rounded(value):
    """Lists and dictionaries with the nearest float64; mpmath's own conversion need not be."""
    if isinstance(value, dict):
        return {str(key): rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [rounded(item) for item in value]
    return float(mp.nstr(value, 40)) if isinstance(value, mp.mpf) else value


def golden():
    """Every entry of the file."""
    rotations = runpy.run_path(str(HERE / "make_rope.py"))
    heads = [*range(1, 17), 20, 32, 40, 71, 112]
    with mp.workdps(50):
        schemes = {
            "sinusoidal": sinusoidal(),
            "rope": rotations["rope"](),
            "alibi": {n: alibi(n) for n in heads},
            "t5": t5(),
            "swin": {"7x7": swin(7, 7), "2x2": swin(2, 2), "2x3": swin(2, 3)},
            "deberta_v2": deberta(),
            "shaw": {"clip_k4_len8": shaw(8, 4), "rel_is": "clip(j - i, -k, k) + k"},
            "xpos": rotations["xpos"](),
            "kerple": kerple(),
            "fire_normalized_distance_c0.1_L512": fire(),
            "mrope_example": rotations["mrope"](),
        }
        return {"_meta": ABOUT, **rounded(schemes)}


def text(schemes):
    """JSON with one line for each entry of a scheme: small, and a change shows where it is."""
    return "{\n" + ",\n".join(_scheme(*scheme) for scheme in schemes.items()) + "\n}\n"


def _scheme(name, entries):
    compact = {key: json.dumps(entry, separators=(",", ":")) for key, entry in entries.items()}
    lines = [f'"{key}":{entry}' for key, entry in compact.items()]
    return f'"{name}":{{\n' + ",\n".join(lines) + "\n}"


if __name__ == "__main__":
    FILE.write_text(text(golden()), encoding="utf-8")
