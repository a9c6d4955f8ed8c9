"""Tie the pages to the repository that they come from, wherever it is.

Its address is written nowhere: a build in GitHub Actions knows it from the environment, any other
from git's remote ``origin``. With it, each chapter can be opened in Colab and on Binder, and each
page has a link to suggest an edit. Without it, or where a service does not know the host, there is
no such button.
"""

import os
import re
import subprocess
from pathlib import Path
from urllib.parse import quote

BRANCH = "main"
#: The chapters as Colab opens them, made by launch_notebooks.py: a first cell installs pe_lib.
LAUNCH_BRANCH = "launch"
HOST = r"((?:[\w-]+\.)+[a-z]{2,})"
REMOTE = re.compile(
    rf"(?:(?:https|ssh)://(?:[^@/]+@)?{HOST}/|[^@/:]+@{HOST}:)([\w.-]+(?:/[\w.-]+)+)"
)
ACCOUNTS = {"in Colab": "with a Google account", "on Binder": "without an account"}
EDITORS = {"github": "edit", "gitlab": "-/edit"}


def web_address(remote):
    """Web address of a git remote, without names and keys; empty if it is not on a public host."""
    found = REMOTE.fullmatch(remote.rstrip("/").removesuffix(".git"))
    return f"https://{found[1] or found[2]}/{found[3]}" if found else ""


def find_home(environment, folder):
    """Web address of the repository, or an empty string."""
    if name := environment.get("GITHUB_REPOSITORY"):
        return f"{environment.get('GITHUB_SERVER_URL', 'https://github.com')}/{name}"
    command = ["git", "-C", str(folder), "remote", "get-url", "origin"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return ""
    return web_address(done.stdout.strip())


def edit_url(home, path):
    """Where a change to a file can be suggested, or None."""
    host = home.split("/")[2]
    editor = next((editor for kind, editor in EDITORS.items() if kind in host), None)
    return editor and f"{home}/{editor}/{BRANCH}/{quote(path)}"


def launch_urls(home, path):
    """Service, as a link says it -> where it opens a notebook."""
    _, _, host, name = home.split("/", 3)
    kind = {"github.com": f"gh/{name}", "gitlab.com": f"gl/{quote(name, safe='')}"}
    source = kind.get(host, f"git/{quote(home, safe='')}")
    binder = f"https://mybinder.org/v2/{source}/{BRANCH}?urlpath=lab/tree/{quote(path)}"
    colab = f"https://colab.research.google.com/github/{name}/blob/{LAUNCH_BRANCH}/{quote(path)}"
    return ({"in Colab": colab} if host == "github.com" else {}) | {"on Binder": binder}


def add_links(app, pagename, templatename, context, doctree):
    """Give one page its links, beside the theme's download buttons."""
    home = app.config.repository_home
    if not home:
        return
    written = pagename in app.env.found_docs
    path = app.env.doc2path(pagename, base=False) if written else f"site/templates/{templatename}"
    path = Path(path).as_posix()
    context["edit_url"] = edit_url(home, path)
    if path.endswith(".ipynb"):
        links = [
            {"type": "link", "tooltip": f"Run {service}", "text": ACCOUNTS[service], "url": url}
            for service, url in launch_urls(home, path).items()
        ]
        group = {"type": "group", "label": "launch-buttons", "tooltip": "Run this page"}
        context.setdefault("header_buttons", []).append(group | {"buttons": links})


def set_home(app, config):
    """Find the repository, unless the settings name it."""
    config.repository_home = config.repository_home or find_home(os.environ, app.srcdir)


def setup(app):
    """Register with Sphinx, after the theme; another address makes every page anew."""
    app.add_config_value("repository_home", "", "html", str)
    app.connect("config-inited", set_home)
    app.connect("html-page-context", add_links, priority=510)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
