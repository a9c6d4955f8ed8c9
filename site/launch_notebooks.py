"""Write the chapters as Colab opens them: each with a first cell that installs pe_lib.

    python site/launch_notebooks.py https://host/owner/name commit target

The publish workflow pushes what this writes to the branch ``launch``. The chapters themselves stay
free of such a cell, and no address stands in them.
"""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
NOTE = """# Chapters for Colab

Made from [{home}]({home}/tree/{commit}).
Each is the chapter of the same name with a first cell that installs `pe_lib`. Changes belong in the
original.
"""


def install_cell(home, commit):
    """The cell that installs the library of the same commit, and what chapters use beside it."""
    source = f'%pip install --quiet "pe_lib[chapters] @ git+{home}@{commit}"'
    cell = {"cell_type": "code", "execution_count": None, "id": "install-pe-lib", "metadata": {}}
    return cell | {"outputs": [], "source": [source]}


def prepare(notebook, home, commit):
    """Put the cell first; a figure shows its still picture until its own cell is run."""
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(WIDGET_VIEW, None)
    return notebook | {"cells": [install_cell(home, commit), *notebook["cells"]]}


def main(home, commit, target):
    """Write all chapters, and a note that says what they are."""
    for path in sorted((ROOT / "book").rglob("*.ipynb")):
        if ".ipynb_checkpoints" in path.parts:
            continue
        copy = Path(target) / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        notebook = prepare(json.loads(path.read_text(encoding="utf-8")), home, commit)
        text = json.dumps(notebook, indent=1, ensure_ascii=False)
        copy.write_text(text + "\n", encoding="utf-8")
    Path(target, "README.md").write_text(NOTE.format(home=home, commit=commit), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
