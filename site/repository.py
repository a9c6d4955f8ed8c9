"""Find the web address of the repository that the pages come from, wherever it is.

The address is written nowhere: a build in GitHub Actions knows it from the environment, any other
from git's remote ``origin``. Others read it as ``repository_home``, which is empty where there is
none.
"""

import os
import re
import subprocess

HOST = r"((?:[\w-]+\.)+[a-z]{2,})"
REMOTE = re.compile(
    rf"(?:(?:https|ssh)://(?:[^@/]+@)?{HOST}/|[^@/:]+@{HOST}:)([\w.-]+(?:/[\w.-]+)+)"
)


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


def set_home(app, config):
    """Find the repository, unless the settings name it."""
    config.repository_home = config.repository_home or find_home(os.environ, app.srcdir)


def setup(app):
    """Register with Sphinx; another address makes every page anew."""
    app.add_config_value("repository_home", "", "html", str)
    app.connect("config-inited", set_home)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
