"""Ties to the repository: its address, the buttons with and without one, Colab and Binder."""

import importlib
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import nbformat
import pytest
import yaml
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

ROOT = Path(__file__).parents[2]
HOME = "https://github.com/example/book"
PUBLISH = (ROOT / ".github" / "workflows" / "publish.yml").read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def extensions(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "site"))


def load(name):
    return importlib.import_module(name)


@pytest.mark.parametrize(
    ("remote", "home"),
    [
        ("https://github.com/example/book.git", HOME),
        ("https://someone:secret@github.com/example/book", HOME),
        ("git@github.com:example/book.git", HOME),
        ("ssh://git@github.com/example/book.git/", HOME),
        ("https://gitlab.com/a/b/book.git", "https://gitlab.com/a/b/book"),
        ("/srv/book.git", ""),
        ("file:///srv/book.git", ""),
        ("https://localhost/example/book", ""),
        ("http://127.0.0.1:3000/example/book", ""),
        ("https://10.0.0.1/example/book", ""),
        ("", ""),
    ],
)
def test_a_remote_has_a_web_address_if_it_is_on_a_public_host(remote, home):
    assert load("repository").web_address(remote) == home


def test_the_environment_comes_before_the_remote_and_without_either_there_is_no_address(tmp_path):
    find = load("repository").find_home
    assert find({}, tmp_path) == ""
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    assert find({}, tmp_path) == ""
    remote = "git@example.org:one/two.git"
    subprocess.run(["git", "-C", str(tmp_path), "remote", "add", "origin", remote], check=True)
    assert find({}, tmp_path) == "https://example.org/one/two"
    assert find({"GITHUB_REPOSITORY": "example/book"}, tmp_path) == HOME
    server = {"GITHUB_SERVER_URL": "https://git.example.org", "GITHUB_REPOSITORY": "a/b"}
    assert find(server, tmp_path) == "https://git.example.org/a/b"


def test_a_service_that_does_not_know_the_host_has_no_link():
    links = load("page_links")
    gitlab = links.launch_urls("https://gitlab.com/a/b", "x.ipynb")
    assert gitlab == {"on Binder": "https://mybinder.org/v2/gl/a%2Fb/main?urlpath=lab/tree/x.ipynb"}
    assert links.edit_url("https://gitlab.com/a/b", "x.md").endswith("/a/b/-/edit/main/x.md")
    other = links.launch_urls("https://example.org/a/b", "x.ipynb")
    assert list(other) == ["on Binder"]
    assert "/v2/git/https%3A%2F%2Fexample.org%2Fa%2Fb/main?" in other["on Binder"]
    assert links.edit_url("https://example.org/a/b", "x.md") is None


CONF = """
import sys
sys.path.insert(0, {site!r})
project = "Small? A book"
extensions = ["myst_nb", "sphinx_book_theme", "repository", "page_links", "headings", "page_assets"]
html_theme = "sphinx_book_theme"
templates_path = [{site!r} + "/templates"]
html_additional_pages = {{"404": "404.html"}}
html_permalinks_icon = {icon!r}
nb_execution_mode = "off"
"""


def build(folder, **environment):
    """Build a book of a notebook and a page with the frame of ours; return its pages."""
    settings = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    source, html = folder / "book", folder / "html"
    (source / "part").mkdir(parents=True, exist_ok=True)
    icon = settings["sphinx"]["config"]["html_permalinks_icon"]
    (source / "conf.py").write_text(CONF.format(site=str(ROOT / "site"), icon=icon))
    (source / "index.md").write_text("# First\n\n```{toctree}\npart/chapter\n```\n")
    cells = [new_markdown_cell("# Chapter\n\n## $x$ & [a link](x)"), new_code_cell("1")]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    notebook = new_notebook(cells=cells, metadata=kernel)
    nbformat.write(notebook, source / "part" / "chapter.ipynb")
    known = {name: value for name, value in os.environ.items() if not name.startswith("GITHUB_")}
    command = [sys.executable, "-m", "sphinx", "-q", "-b", "html", str(source), str(html)]
    done = subprocess.run(command, env=known | environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    names = ("index", "part/chapter", "404")
    return {
        name: BeautifulSoup((html / f"{name}.html").read_text(encoding="utf-8"), "html.parser")
        for name in names
    }


def leading_out(page):
    return [link["href"] for link in page.find_all("a", href=re.compile("://"))]


def test_pages_have_the_buttons_when_the_address_is_known_and_not_otherwise(tmp_path):
    without = build(tmp_path)
    assert [leading_out(page) for page in without.values()] == [[], [], []]
    assert "Run this page" not in str(without["part/chapter"])

    # The same folder: another address makes every page anew.
    pages = build(tmp_path, GITHUB_REPOSITORY="example/book")
    assert leading_out(pages["part/chapter"]) == [
        "https://colab.research.google.com/github/example/book/blob/launch/part/chapter.ipynb",
        "https://mybinder.org/v2/gh/example/book/main?urlpath=lab/tree/part/chapter.ipynb",
        f"{HOME}/edit/main/part/chapter.ipynb",
    ]
    assert leading_out(pages["index"]) == [f"{HOME}/edit/main/index.md"]
    assert leading_out(pages["404"]) == [f"{HOME}/edit/main/site/templates/404.html"]

    heading = pages["part/chapter"].h1
    assert heading.get_text() == "Chapter"
    assert heading.a["href"] == "#chapter"


# ---- Colab ----


def test_colabs_copies_install_pe_lib_first_and_are_else_the_chapters(tmp_path):
    load("launch_notebooks").main(HOME, "abc123", tmp_path)
    chapters = sorted(path.relative_to(ROOT) for path in (ROOT / "book").rglob("*.ipynb"))
    copies = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*.ipynb"))
    assert copies == [path for path in chapters if ".ipynb_checkpoints" not in path.parts]
    for path in copies:
        copy = nbformat.read(tmp_path / path, as_version=4)
        nbformat.validate(copy)
        first, *rest = copy.cells
        assert first.source == f'%pip install --quiet "pe_lib[chapters] @ git+{HOME}@abc123"'
        original = nbformat.read(ROOT / path, as_version=4)
        assert [cell.source for cell in rest] == [cell.source for cell in original.cells]
        assert "widget-view" not in json.dumps(copy)
    assert f"{HOME}/tree/abc123" in (tmp_path / "README.md").read_text(encoding="utf-8")


def imported(source):
    return set(re.findall(r"^\s*(?:import|from) (\w+)", source, re.MULTILINE))


def test_what_colab_installs_is_all_that_chapters_import():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = project["dependencies"] + project["optional-dependencies"]["chapters"]
    known = {re.match(r"[\w-]+", name)[0] for name in needed} | {"pe_lib"} | sys.stdlib_module_names
    brought_along = {"IPython", "traitlets", "mpmath"}  # by anywidget, and by SymPy
    for path in (ROOT / "book").rglob("*.ipynb"):
        cells = nbformat.read(path, as_version=4).cells
        code = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
        assert imported(code) <= known, path
    for name in ("plots", "widgets", "symbolic", "exercises"):
        for path in (ROOT / "pe_lib" / name).rglob("*.py"):
            assert imported(path.read_text(encoding="utf-8")) <= known | brought_along, path


def test_the_workflow_publishes_to_the_branch_that_the_buttons_open():
    links = load("page_links")
    jobs = yaml.safe_load(PUBLISH)["jobs"]
    commands = "\n".join(step.get("run", "") for step in jobs["launch"]["steps"])
    assert "site/launch_notebooks.py" in commands
    assert f"origin {links.LAUNCH_BRANCH}" in commands
    assert yaml.safe_load(PUBLISH)[True]["workflow_run"]["branches"] == [links.BRANCH]


# ---- Binder ----


def test_binder_installs_the_lock_and_pe_lib_with_a_python_that_both_support():
    folder = ROOT / ".binder"
    lines = (folder / "requirements.txt").read_text(encoding="utf-8").splitlines()
    lines = [line for line in lines if not line.startswith("#")]
    assert lines == ["-r ../requirements.txt", "-e ."]  # a list is found from its own folder ...
    assert (folder / "../requirements.txt").resolve() == ROOT / "requirements.txt"
    assert (ROOT / "pyproject.toml").is_file()  # ... and a package from where pip runs: the root
    assert "jupyterlab==" in (ROOT / "requirements.txt").read_text(encoding="utf-8")
    assert (folder / "runtime.txt").read_text(encoding="utf-8").strip() == "python-3.11"
