"""What a build executes, and what it leaves behind when a chapter fails.

A small book of two chapters, built with the project's own settings for execution. Each chapter
writes its name to a log when it runs, so the log tells what was executed.
"""

import importlib
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
import yaml
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

ROOT = Path(__file__).parents[2]
PAGES = ["one", "two"]


def write_chapter(book, name, line="x = 1"):
    source = f"with open('ran.log', 'a') as log:\n    log.write('{name} ')\n{line}"
    cells = [new_markdown_cell(f"# Chapter {name}"), new_code_cell(source)]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    nbformat.write(new_notebook(cells=cells, metadata=kernel), book / f"{name}.ipynb")


@pytest.fixture
def book(tmp_path):
    """A book of two chapters that has not been built."""
    real = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    sphinx = {
        "local_extensions": {"execution_cache": "site"},
        "config": {
            key: value for key, value in real["sphinx"]["config"].items() if key.startswith("nb_")
        },
    }
    config = {"title": "Two", "execute": real["execute"], "sphinx": sphinx}
    config |= {key: real[key] for key in ("only_build_toc_files", "exclude_patterns")}
    (tmp_path / "_config.yml").write_text(yaml.safe_dump(config))
    (tmp_path / "_toc.yml").write_text("format: jb-book\nroot: one\nchapters:\n- file: two\n")
    (tmp_path / "site").mkdir()
    shutil.copy(ROOT / "site" / "execution_cache.py", tmp_path / "site")
    (tmp_path / "pe_lib").mkdir()
    (tmp_path / "pe_lib" / "rope.py").write_text("SIGN = 1\n")
    (tmp_path / "requirements.txt").write_text("numpy==2.0.0\n")
    for name in PAGES:
        write_chapter(tmp_path, name)
    return tmp_path


def build(book):
    """Build as the Makefile does; return the exit code, all that was printed, what was executed."""
    (book / "ran.log").unlink(missing_ok=True)
    command = [
        Path(sys.executable).parent / "jupyter-book",
        "build",
        ".",
        "-n",
        "-W",
        "--keep-going",
    ]
    done = subprocess.run(command, cwd=book, capture_output=True, text=True, encoding="utf-8")
    log = book / "ran.log"
    return (
        done.returncode,
        done.stdout + done.stderr,
        log.read_text().split() if log.exists() else [],
    )


def test_a_build_executes_what_could_have_changed_and_a_failure_leaves_no_page(book):
    code, printed, executed = build(book)
    assert code == 0, printed
    assert sorted(executed) == PAGES

    assert build(book)[2] == []  # nothing changed

    write_chapter(book, "two", line="x = 2")
    assert build(book)[2] == ["two"]

    (book / "pe_lib" / "rope.py").write_text("SIGN = -1\n")
    assert sorted(build(book)[2]) == PAGES

    page = book / "_build" / "html" / "two.html"
    assert page.exists()
    write_chapter(book, "two", line="1 / 0")
    code, printed, _ = build(book)
    assert code != 0
    assert "two.ipynb" in printed
    assert "ZeroDivisionError" in printed
    assert not page.exists()


def test_the_digest_follows_every_file_of_the_library_and_the_lock(book, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "site"))
    digest = importlib.import_module("execution_cache").digest
    before = digest(book)
    assert digest(book) == before
    for name in ["pe_lib/rope.py", "pe_lib/new.js", "requirements.txt"]:
        path = book / name
        path.write_text(path.read_text() + "#\n" if path.exists() else "new")
        assert digest(book) != before, name
        before = digest(book)
    (book / "pe_lib" / "new.js").rename(book / "pe_lib" / "renamed.js")
    assert digest(book) != before
