"""Imports point one way, and `import pe_lib` costs NumPy and nothing more.

_checks <- what mechanisms share (_layout, _offsets, ...) <- mechanisms <- catalogue <- plots <-
widgets, and beside these symbolic and exercises <- chapters. A room is a module or a package
directly in pe_lib; one that is not named below is a mechanism.
"""

import ast
import graphlib
import json
import pathlib
import subprocess
import sys

import pytest

import pe_lib

ROOT = pathlib.Path(__file__).parent.parent
ROOMS = {path.stem for path in (ROOT / "pe_lib").glob("[!_]*") if path.name != "__pycache__"}
#: What mechanisms share, and nobody else sees.
BASIS = {path.stem for path in (ROOT / "pe_lib").glob("_[!_]*.py")}
NO_MECHANISM = {"catalogue", "symbolic", "plots", "widgets", "exercises"}
MECHANISMS = ROOMS - NO_MECHANISM

#: Room -> the rooms that it may import besides itself.
MAY_IMPORT = {
    "_checks": set(),
    "_layout": {"_checks"},
    "_logarithm": set(),
    "_offsets": {"_checks"},
    "_scores": {"_checks"},
    "_waves": {"_offsets"},
    "catalogue": BASIS | MECHANISMS,
    "symbolic": BASIS | MECHANISMS,
    "plots": BASIS | MECHANISMS | {"catalogue"},
    "widgets": BASIS | MECHANISMS | {"catalogue", "plots"},
    "exercises": BASIS | MECHANISMS | {"catalogue"},
    "__init__": MECHANISMS,
}

#: Package that is not Python's own -> the rooms that may import it; NumPy all.
AT_HOME = {
    "matplotlib": {"plots"},
    "sympy": {"symbolic"},
    "mpmath": {"symbolic"},
    "anywidget": {"widgets"},
    "traitlets": {"widgets"},
}

#: What reaches out of the process, or imports what no rule can see.
NEVER = {"asyncio", "ftplib", "http", "importlib", "smtplib", "socket", "ssl", "subprocess"}
NEVER |= {"urllib", "webbrowser", "xmlrpc"}


def imports(source):
    """Dotted names of all that a text imports, wherever in it: ``from a import b`` is a.b."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            yield from (f"{module}.{alias.name}" for alias in node.names)


def broken_in_library(room, source):
    """What a text in this room of pe_lib imports against the rules."""
    allowed = MAY_IMPORT.get(room, BASIS | MECHANISMS) | {room}
    for name in imports(source):
        package, *path = name.split(".")
        if package == "pe_lib":
            if not path or path[0] not in allowed:
                yield name
        elif package in sys.stdlib_module_names:
            if package in NEVER and (room, name) != ("__init__", "importlib.import_module"):
                yield name
        elif package != "numpy" and room not in AT_HOME.get(package, ()):
            yield name


def broken_in_chapter(source):
    """What a chapter's code imports or reaches against the rules: only pe_lib's public names."""
    ours = {"pe_lib"}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            text = ast.unparse(node)
            for name in imports(text):
                path = name.split(".")
                private = path[0] == "pe_lib" and any(part.startswith("_") for part in path)
                if private or path[0] in ("torch", "") or path[-1] == "*":
                    yield name
                if path[0] == "pe_lib":
                    ours |= {alias.asname or alias.name for alias in node.names}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute) and node.attr.startswith("_"):
            owner = ast.unparse(node.value)
            if owner.split(".")[0] in ours and not node.attr.startswith("__"):
                yield f"{owner}.{node.attr}"


def library():
    """Every file of pe_lib, with its room."""
    package = ROOT / "pe_lib"
    for path in sorted(package.rglob("*.py")):
        yield path.relative_to(package).parts[0].removesuffix(".py"), path


def chapter_code(path):
    """The code of a notebook as one text, without IPython's own lines."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    lines = (
        line
        for cell in cells
        if cell["cell_type"] == "code"
        for line in "".join(cell["source"]).splitlines()
    )
    return "\n".join(line for line in lines if not line.startswith(("%", "!")))


# --- The rules hold ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("room", "path"), list(library()), ids=lambda value: str(getattr(value, "name", value))
)
def test_a_module_imports_only_what_its_room_may(room, path):
    assert list(broken_in_library(room, path.read_text(encoding="utf-8"))) == []


def test_the_rooms_that_the_rules_name_are_there():
    assert ROOMS >= NO_MECHANISM
    assert MAY_IMPORT.keys() >= BASIS
    assert {room for room, _ in library()} == ROOMS | BASIS | {"__init__"}


def test_no_room_imports_itself_by_way_of_another():
    graph = {}
    for room, path in library():
        names = (name.split(".") for name in imports(path.read_text(encoding="utf-8")))
        rooms = {parts[1] for parts in names if parts[0] == "pe_lib"}
        graph.setdefault(room, set()).update(rooms - {room})
    assert list(graphlib.TopologicalSorter(graph).static_order())


@pytest.mark.parametrize(
    "path", sorted((ROOT / "book").rglob("*.ipynb")), ids=lambda path: path.stem
)
def test_a_chapter_uses_only_the_public_form(path):
    assert list(broken_in_chapter(chapter_code(path))) == []


@pytest.mark.parametrize("module", ["pe_lib", "pe_lib.catalogue", "pe_lib.exercises"])
def test_an_import_costs_numpy_and_nothing_more(module):
    code = f"import sys; old = set(sys.modules); import {module}; print(*set(sys.modules) - old)"
    loaded = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    packages = {name.split(".")[0] for name in loaded}
    foreign = packages - set(sys.stdlib_module_names)
    assert {name for name in foreign if not name.startswith("_")} <= {"pe_lib", "numpy"}


def test_modules_are_imported_when_they_are_asked_for():
    """Forty files take longer to find than most readers of one of them should wait."""
    code = """
import sys, pe_lib
assert set(pe_lib.__all__) <= set(dir(pe_lib))
assert "pe_lib.rope" not in sys.modules
assert pe_lib.rope.rotate is sys.modules["pe_lib.rope"].rotate
assert "pe_lib.t5" not in sys.modules
from pe_lib import t5
assert callable(t5.bucket) and callable(pe_lib.frequencies)
assert all(getattr(pe_lib, name) for name in pe_lib.__all__)
"""
    subprocess.run([sys.executable, "-W", "error", "-c", code], cwd=ROOT, check=True)


def test_pe_lib_names_what_it_does_not_have():
    with pytest.raises(AttributeError, match="module 'pe_lib' has no attribute 'ropes'"):
        pe_lib.ropes  # noqa: B018


# --- The rules can fail ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("room", "source", "broken"),
    [
        ("_checks", "from pe_lib import rope", "pe_lib.rope"),
        ("_layout", "import pe_lib.frequencies", "pe_lib.frequencies"),
        ("_waves", "from pe_lib import alibi", "pe_lib.alibi"),
        ("rope", "from pe_lib.catalogue import SCHEMES", "pe_lib.catalogue.SCHEMES"),
        ("rope", "from pe_lib import _checks, plots", "pe_lib.plots"),
        ("rope", "import pe_lib", "pe_lib"),
        ("rope", "import scipy.special", "scipy.special"),
        ("rope", "from . import attention", "..attention"),
        ("new_mechanism", "from pe_lib.exercises import check", "pe_lib.exercises.check"),
        ("attention", "import matplotlib.pyplot as plt", "matplotlib.pyplot"),
        ("attention", "def f():\n    import sympy", "sympy"),
        ("catalogue", "from pe_lib.symbolic import prove", "pe_lib.symbolic.prove"),
        ("plots", "import anywidget", "anywidget"),
        ("plots", "from pe_lib import widgets", "pe_lib.widgets"),
        ("symbolic", "from matplotlib.figure import Figure", "matplotlib.figure.Figure"),
        ("widgets", "import sympy as sp", "sympy"),
        ("widgets", "try:\n    import torch\nexcept ImportError:\n    pass", "torch"),
        ("exercises", "from pe_lib import symbolic", "pe_lib.symbolic"),
        ("exercises", "from urllib.request import urlopen", "urllib.request.urlopen"),
        ("exercises", "import importlib", "importlib"),
        ("__init__", "from pe_lib import plots", "pe_lib.plots"),
    ],
)
def test_a_faulty_module_is_caught(room, source, broken):
    assert list(broken_in_library(room, "import numpy as np\nimport math\n" + source)) == [broken]


@pytest.mark.parametrize(
    ("source", "broken"),
    [
        ("from pe_lib._checks import layout", "pe_lib._checks.layout"),
        ("from pe_lib import _layout", "pe_lib._layout"),
        ("from pe_lib.exercises import _check", "pe_lib.exercises._check"),
        ("import pe_lib\npe_lib._checks.even_dim(2)", "pe_lib._checks"),
        ("from pe_lib import attention as at\nat._softmax(x, 0)", "at._softmax"),
        ("from pe_lib.rope import *", "pe_lib.rope.*"),
        ("import torch", "torch"),
        ("if True:\n    from torch import nn", "torch.nn"),
    ],
)
def test_a_faulty_chapter_is_caught(source, broken):
    assert list(broken_in_chapter("import numpy as np\n" + source)) == [broken]


@pytest.mark.parametrize(
    "source",
    [
        "from pe_lib import rope, plots\nrope.rotate",
        "import pe_lib\npe_lib.__version__",
        "import sympy as sp\nfrom pe_lib.symbolic import prove\nprove(1, 1)",
        "class A:\n    def f(self):\n        return self._x",
    ],
)
def test_a_faultless_chapter_passes(source):
    assert list(broken_in_chapter(source)) == []
