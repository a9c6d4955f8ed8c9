"""Link every page to where it can be run or changed, if ``repository_home`` says where it is kept.

Each chapter can be opened in Colab and on Binder, and each page has a link to suggest an edit.
Where a service does not know the host of the repository, there is no such link.
"""

from pathlib import Path
from urllib.parse import quote

BRANCH = "main"
#: The chapters as Colab opens them, made by launch_notebooks.py: a first cell installs pe_lib.
LAUNCH_BRANCH = "launch"
ACCOUNTS = {"in Colab": "with a Google account", "on Binder": "without an account"}
EDITORS = {"github": "edit", "gitlab": "-/edit"}


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


def setup(app):
    """Register with Sphinx, after the theme."""
    app.connect("html-page-context", add_links, priority=510)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
