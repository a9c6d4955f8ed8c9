"""The three figures in a live JupyterLab: drawn, answering, and in step with the kernel."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

import nbformat
import pytest
from playwright.sync_api import expect

from tests.browser.site import ROOT

CELLS = (
    "from pe_lib import widgets\nexplorer = widgets.RotationExplorer()\nexplorer",
    "playground = widgets.PermutationPlayground()\nplayground",
    "dials = widgets.RopeDials()\ndials",
    "explorer.position, playground.causal, dials.query_position = 7.5, True, 20",
    "print('kernel:', explorer.shift, playground.order, dials.key_position)",
)


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """Start a JupyterLab of its own, without settings of the user; give its address."""
    home = tmp_path_factory.mktemp("lab")
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(source) for source in CELLS],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
    )
    nbformat.write(notebook, home / "figures.ipynb")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--ip=127.0.0.1"]
    command += [
        f"--port={port}",
        "--allow-root",
        "--IdentityProvider.token=",
        "--ServerApp.port_retries=0",
    ]
    command += [f"--ServerApp.root_dir={home}", "--LabApp.news_url=None"]
    folders = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
    environment = os.environ | {name: str(home / name) for name in folders}
    environment["PYTHONPATH"] = str(ROOT)
    log = (home / "log").open("w")
    server = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    address = f"http://127.0.0.1:{port}/"
    try:
        await_answer(address + "api", server, home / "log")
        yield address
    finally:
        server.terminate()
        server.wait(20)
        log.close()


def await_answer(url, server, log):
    for _ in range(300):
        assert server.poll() is None, log.read_text()
        try:
            with urllib.request.urlopen(url):
                return
        except urllib.error.URLError:
            time.sleep(0.2)
    pytest.fail(f"JupyterLab did not start: {log.read_text()}")


def test_figures_live_in_jupyterlab(visit, lab):
    page = visit(lab + "lab/tree/figures.ipynb?reset")
    page.set_default_timeout(60_000)
    cells = page.locator(".jp-Notebook .jp-CodeCell")
    cells.first.click()
    expect(page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]")).to_be_visible(
        timeout=60_000
    )
    for number in range(3):
        page.keyboard.press("Shift+Enter")
        cells.nth(number).locator(".pe-figure svg").first.wait_for()

    # From the kernel to the figure.
    page.keyboard.press("Shift+Enter")
    explorer, playground, dials = (
        page.locator(f".pe-{n}") for n in ("rotation", "permutation", "rope")
    )
    box = explorer.get_by_label("position p, exact value")
    expect(box).to_have_value("7.5")
    expect(playground.get_by_label("causal mask")).to_be_checked()
    expect(dials.locator(".pe-caption").first).to_contain_text("20")

    # From the figure to the kernel.
    explorer.get_by_label("shift k", exact=True).press("ArrowRight")
    playground.get_by_role("button", name="move my right").click()
    dials.get_by_label("key position n", exact=True).press("ArrowRight")
    cells.nth(4).locator(".cm-content").click()
    page.keyboard.press("Shift+Enter")
    expect(cells.nth(4).locator(".jp-OutputArea-output")).to_contain_text(
        "kernel: 2.5 [1, 0, 2, 3, 4] 5", timeout=60_000
    )
