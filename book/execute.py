"""Execute notebooks in place and store them in the one form that the repository keeps.

    python book/execute.py book/why/equivariance.ipynb ...

Outputs are kept; whatever differs from run to run without meaning anything is not: timestamps,
the kernel's exact version, random widget ids, and the widgets' state (the site makes its own when
it executes the chapter).
"""

import argparse
from pathlib import Path

import nbclient
import nbformat

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def execute(path):
    """Run every cell of the notebook at ``path`` in order and write it back."""
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(
        notebook,
        timeout=60,
        kernel_name="python3",
        record_timing=False,
        resources={"metadata": {"path": str(path.parent)}},
    ).execute()
    nbformat.write(normalize(notebook), path)


def normalize(notebook):
    """Return the notebook without the parts that change from run to run."""
    described = {key: text for key, text in notebook.metadata.items() if key == "description"}
    notebook.metadata = nbformat.from_dict(
        {**described, "kernelspec": KERNEL, "language_info": {"name": "python"}}
    )
    count = 0
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            view = output.get("data", {}).get(WIDGET_VIEW)
            if view:
                count += 1
                view["model_id"] = f"{count:032x}"
    return notebook


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("notebooks", nargs="+", type=Path)
    for notebook_path in parser.parse_args().notebooks:
        print(notebook_path, flush=True)
        execute(notebook_path)
