"""Speed and memory as ratios within one run: ``make bench``.

Each line compares a function of ``pe_lib`` with something anyone can picture, a plain copy of its
result or of its input, or the formula as it is usually written, timed in the same process moments
apart. Bytes are the same everywhere and are printed as they are.
"""

import subprocess
import sys
import timeit
import tracemalloc

import numpy as np

import pe_lib
from benchmarks import figures
from pe_lib import alibi, fire, kerple, rope, sinusoidal, t5


def best(function, repeat=15):
    """Shortest of several runs, in seconds."""
    return min(timeit.repeat(function, number=1, repeat=repeat))


def peak(function):
    """Bytes that a call has allocated at its worst, its result included."""
    tracemalloc.start()
    result = function()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del result
    return most


def kept(view):
    """Bytes that stand behind a view."""
    while isinstance(view.base, np.ndarray):
        view = view.base
    return getattr(view.base, "base", view).nbytes


def line(what, value, unit, goal=""):
    print(f"{what:<44} {value:8.2f} {unit:<28} {goal}")


def formula(length, dim, dtype, start=0):
    """The sinusoid as it is usually written: every angle on its own, in one precision."""
    positions = np.arange(start, start + length).astype(dtype)
    angles = positions[:, None] * pe_lib.frequencies(dim).astype(dtype)
    codes = np.empty((length, dim), np.float32)
    codes[:, 0::2], codes[:, 1::2] = np.sin(angles), np.cos(angles)
    return codes


def table():
    """A table of 8192 positions and 512 channels in float32."""
    name = "sinusoidal.table(8192, 512)"
    result = sinusoidal.table(8192, 512)
    fast, copy = best(lambda: sinusoidal.table(8192, 512)), best(result.copy)
    line(name, fast / copy, "copies of the result", "at most 5")
    half = best(lambda: sinusoidal.table(8192, 512, layout="half"))
    line("  layout='half'", half / copy, "copies of the result", "at most 5")
    for dtype, goal in ((np.float64, "at least 8"), (np.float32, "more than 1")):
        slow = best(lambda dtype=dtype: formula(8192, 512, dtype), repeat=5)
        line(f"  the {dtype.__name__} formula takes", slow / fast, "times as long", goal)
    memory = peak(lambda: sinusoidal.table(8192, 512))
    line("  memory at the peak", memory / result.nbytes, "results")
    exact = sinusoidal.encode(np.arange(10**6, 10**6 + 8192), 512)
    error = np.abs(sinusoidal.table(8192, 512, start=10**6) - exact).max()
    line("  error from position 1e6 on", error / 1e-7, "times 1e-7", "at most 1")
    error = np.abs(formula(8192, 512, np.float32, start=10**6) - exact).max()
    line("  of the float32 formula", error / 1e-7, "times 1e-7")


def rotation():
    """Rotation of (32, 2048, 128) in float32."""
    x = np.random.default_rng(0).standard_normal((32, 2048, 128), dtype=np.float32)
    positions, omega = np.arange(2048), pe_lib.frequencies(128)
    copy = best(x.copy)
    for layout, goal in (("interleaved", "at most 1.5"), ("half", "at most 4")):

        def rotate(layout=layout):
            return rope.rotate(x, positions, omega, layout=layout)

        line(f"rope.rotate, {layout}", best(rotate) / copy, "copies of the input", goal)
        extra = (peak(rotate) - x.nbytes) / x.nbytes
        line("  memory beside the result", extra, "inputs", "at most 1")
    angles = np.tile(np.outer(positions, omega), 2)
    cosines, sines = (wave(angles).astype(np.float32) for wave in (np.cos, np.sin))

    def by_halves():
        a, b = np.split(x, 2, axis=-1)
        return x * cosines + np.concatenate([-b, a], axis=-1) * sines

    line("  the usual expression in NumPy", best(by_halves) / copy, "copies of the input")
    try:
        import torch
    except ImportError:
        return
    torch.set_num_threads(1)
    tensor = torch.from_numpy(x)
    cos, sin = torch.from_numpy(cosines), torch.from_numpy(sines)

    def usual():
        a, b = tensor.chunk(2, dim=-1)
        return tensor * cos + torch.cat((-b, a), dim=-1) * sin

    line("  the usual expression in PyTorch, one thread", best(usual) / copy, "copies of the input")


def biases():
    """Biases of 32 heads for 8192 consecutive queries and keys, dense in float64: 17 GB."""
    p, heads, rng = np.arange(8192), 32, np.random.default_rng(0)
    rows = rng.normal(size=(32, heads))
    views = {
        "alibi.bias": lambda: alibi.bias(p, p, heads),
        "alibi.bias, symmetric": lambda: alibi.bias(p, p, heads, symmetric=True),
        "kerple.log_bias": lambda: kerple.log_bias(p, p, heads, p=1.0, a=1.0),
        "kerple.power_bias": lambda: kerple.power_bias(p, p, heads, p=1.0, a=1.0),
        "t5.bias": lambda: t5.bias(p, p, heads, table=rows),
        "fire.bias, up to its threshold": lambda: fire.bias(
            p,
            p,
            heads,
            c=0.1,
            threshold=8192.0,
            hidden_weight=rows[:, 0],
            hidden_bias=rows[:, 1],
            output_weight=rows,
            output_bias=rows[0],
        ),
    }
    for name, function in views.items():
        bias = function()
        goal = "below 8" if name.startswith("alibi") else ""
        line(f"{name}, 32 heads, 8192 x 8192", peak(function) / 1e6, "MB at the peak", goal)
        line("  a dense copy would take", bias.nbytes / kept(bias), "times what is kept")


def imports():
    """What `import pe_lib` costs beyond NumPy, each time in a new process."""
    code = """
from time import perf_counter as now
start = now()
import numpy
between = now()
import pe_lib
print(between - start, now() - between)
"""

    def run():
        command = [sys.executable, "-c", code]
        result = subprocess.run(command, check=True, capture_output=True, text=True)
        return [float(number) for number in result.stdout.split()]

    numpy, ours = np.min([run() for _ in range(9)], axis=0)
    line("import pe_lib beyond NumPy's import", ours / numpy, "imports of NumPy")
    line("  that is", ours * 1e3, "ms on this machine", "at most 20")


if __name__ == "__main__":
    for measure in (table, rotation, biases, imports):
        measure()
    figures.measure(line)
