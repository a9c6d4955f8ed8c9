"""Speed and memory as ratios within one run: ``make bench``.

Each line compares a function of ``pe_lib`` with something anyone can picture, a plain copy of its
result or of its input, timed in the same process moments apart. Seconds are not printed: they
belong to a machine.
"""

import subprocess
import sys
import timeit

import numpy as np

import pe_lib
from pe_lib import rope, sinusoidal


def best(function, repeat=7):
    """Shortest of several runs, in seconds."""
    return min(timeit.repeat(function, number=1, repeat=repeat))


def table_against_copy():
    """A table of 8192 positions, 512 channels, float32, in copies of the table."""
    table = sinusoidal.table(8192, 512, dtype=np.float32)
    return best(lambda: sinusoidal.table(8192, 512, dtype=np.float32)) / best(table.copy)


def rotation_against_copy(layout):
    """Rotation of (32, 2048, 128) in float32, in copies of the input."""
    x = np.random.default_rng(0).standard_normal((32, 2048, 128), dtype=np.float32)
    positions, omega = np.arange(2048), pe_lib.frequencies(128)
    return best(lambda: rope.rotate(x, positions, omega, layout=layout)) / best(x.copy)


def import_against_numpy():
    """Time to import pe_lib in a new process, in imports of NumPy alone."""

    def run(module):
        subprocess.run([sys.executable, "-c", f"import {module}"], check=True)

    return best(lambda: run("pe_lib")) / best(lambda: run("numpy"))


if __name__ == "__main__":
    print(f"sinusoidal.table(8192, 512)       {table_against_copy():6.1f} copies of the result")
    for layout in ("interleaved", "half"):
        ratio = rotation_against_copy(layout)
        print(f"rope.rotate, {layout:<20} {ratio:6.1f} copies of the input")
    print(f"import pe_lib                     {import_against_numpy():6.2f} imports of NumPy")
