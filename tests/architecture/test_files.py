"""Who may touch files, folders, the environment and the clock. Each rule is also shown to catch planted violations."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.architecture.source import Module, Rule, broken, planted

OPENERS = frozenset(
    {"open", "builtins.open", "codecs.open", "io.open", "io.FileIO"}
    | {f"os.{name}" for name in ("open", "fdopen", "read", "write", "truncate", "utime", "chmod", "chown", "mkfifo", "mknod")}
    | {f"os.{name}" for name in ("listdir", "scandir", "walk", "fwalk", "mkdir", "makedirs", "rmdir", "removedirs")}
    | {f"os.{name}" for name in ("replace", "rename", "renames", "remove", "unlink", "link", "symlink")}
)
PACKAGES = ("shutil", "tempfile", "fcntl", "mmap", "glob", "fileinput", "zipfile", "tarfile", "sqlite3")
METHODS = frozenset(
    {"read_text", "read_bytes", "write_text", "write_bytes", "unlink", "touch", "mkdir", "rmdir", "iterdir", "rglob"}
    | {"symlink_to", "hardlink_to"}
)
NAMES_ONLY = frozenset({"shutil.which"})
"""Looks up a program and opens nothing."""

MOVERS = frozenset(
    {f"os.{name}" for name in ("replace", "rename", "renames", "link", "symlink")}
    | {"shutil.move", "pathlib.Path.rename", "pathlib.Path.replace"}
)


def touches_files(module: Module) -> Iterator[str]:
    for name, line in module.used:
        package = name.split(".")[0]
        if (name in OPENERS or package in PACKAGES) and name not in NAMES_ONLY:
            yield f"{line} uses {name}"
        elif name in ("pathlib.Path", "pathlib.PosixPath"):
            yield f"{line} uses {name}, whose methods open files"
        elif name.startswith("pathlib.Path."):
            yield f"{line} uses {name}"
    for call, name in module.calls:
        method = name.rpartition(".")[2]
        if name.startswith("zsmem_tui."):
            continue  # a function of ours: its own module answers for it
        if ("." in name and method in METHODS) or ("." in name and method == "open" and _is_mode(call)):
            yield f"{call.lineno} calls {name}"


def _is_mode(call: ast.Call) -> bool:
    """Whether a call of some `.open` reads like one of `Path.open`: a mode, an encoding, or nothing at all."""
    first = call.args[0] if call.args else None
    words = {each.arg for each in call.keywords}
    is_mode = isinstance(first, ast.Constant) and isinstance(first.value, str) and 0 < len(first.value) < 4
    return is_mode or bool(words & {"mode", "encoding"}) or not (call.args or call.keywords)


def no_file_access(module: Module) -> Iterator[str]:
    """Rules, formats, views and verbs never open a file: only the store and the settings do, and standard streams are the CLI's."""
    if module.layer in ("core", "agents", "ui", "service"):
        yield from touches_files(module)


def the_command_line_opens_nothing_but_its_streams(module: Module) -> Iterator[str]:
    """`os.open(os.devnull)` when the reader has gone is the one exception, and the server's wire, which is such streams."""
    if module.layer in ("cli", "mcp", "entry") and module.name != "mcp.wire":
        yield from (found for found in touches_files(module) if not (module.name == "cli.main" and found.endswith("uses os.open")))


def one_place_for_replacing(module: Module) -> Iterator[str]:
    """A file gets another's place or name in `store.disk`, and for memory files in `store.writing`."""
    if module.name.startswith("store.disk.") or module.name == "store.writing":
        return
    for name, line in module.used:
        if name in MOVERS:
            yield f"{line} uses {name}"


def one_place_for_making_folders(module: Module) -> Iterator[str]:
    """Folders are made in `store.disk`, so that those in a store last and those of our own are private."""
    if module.name.startswith("store.disk."):
        return
    for name, line in module.used:
        if name in ("os.mkdir", "os.makedirs", "tempfile.mkdtemp"):
            yield f"{line} uses {name}"
    for call, name in module.calls:
        if name.endswith(".mkdir"):
            yield f"{call.lineno} calls {name}"


def core_is_pure(module: Module) -> Iterator[str]:
    """Rules know no system, clock or environment."""
    if module.layer != "core":
        return
    for name, line in module.used:
        if name == "os.PathLike":
            continue  # a type
        if name.split(".")[0] in ("os", "io", "time", "subprocess", "shutil", "tempfile", "locale") or name == "pathlib.Path":
            yield f"{line} uses {name}"


def one_place_for_the_environment(module: Module) -> Iterator[str]:
    """`config.locate` alone reads the environment and the home directory."""
    if module.name == "config.locate":
        return
    for name, line in module.used:
        if name in ("os.environ", "os.environb", "os.getenv", "os.path.expanduser", "os.path.expandvars", "pathlib.Path.home"):
            yield f"{line} uses {name}"


def one_place_for_the_clock(module: Module) -> Iterator[str]:
    """Today is what the session's clock says; only it, and a bare `Mem`, ask the system."""
    if module.name in ("service.session", "store.mem"):
        return
    asks = ("datetime.datetime.now", "datetime.datetime.today", "datetime.date.today", "time.time", "time.localtime")
    for name, line in module.used:
        if name in asks:
            yield f"{line} uses {name}"


PLANTED: list[tuple[Rule, str, str]] = [
    (no_file_access, "ui.memory.tree", "def f(p):\n    return p.read_text()\n"),
    (no_file_access, "service.demo", "def f(p):\n    with open(p) as stream:\n        return stream.read()\n"),
    (no_file_access, "service.demo", "from os import walk\n"),
    (no_file_access, "service.demo", "from os import walk as by\nfor each in by('.'):\n    pass\n"),
    (no_file_access, "service.demo", "import os as system\nsystem.makedirs('x')\n"),
    (no_file_access, "service.demo", "import os\nmake = os.mkdir\n"),
    (no_file_access, "service.demo", "import shutil\n"),
    (no_file_access, "service.demo", "from shutil import rmtree\n"),
    (no_file_access, "service.demo", "import tempfile\n"),
    (no_file_access, "service.demo", "import os\nos.remove('x')\n"),
    (no_file_access, "core.text", "from pathlib import Path\n"),
    (no_file_access, "agents.base", "def f(p):\n    return p.open()\n"),
    (no_file_access, "agents.base", "def f(p):\n    return p.open('rb')\n"),
    (no_file_access, "agents.base", "def f(p):\n    return p.parent.open(encoding='utf-8')\n"),
    (no_file_access, "ui.app", "import io\nio.open('x')\n"),
    (no_file_access, "ui.app", "from io import open as look\n"),
    (the_command_line_opens_nothing_but_its_streams, "cli.commands.import_", "import tempfile\n"),
    (the_command_line_opens_nothing_but_its_streams, "mcp.tools", "def f(p):\n    return open(p)\n"),
    (one_place_for_replacing, "store.transfer.exports", "import os\nos.replace('a', 'b')\n"),
    (one_place_for_replacing, "store.history.index", "from os import rename\n"),
    (one_place_for_replacing, "store.drafts", "import shutil\nshutil.move('a', 'b')\n"),
    (one_place_for_making_folders, "store.drafts", "from os import makedirs\n"),
    (one_place_for_making_folders, "store.drafts", "def f(p):\n    p.mkdir()\n"),
    (core_is_pure, "core.text", "import os\n"),
    (core_is_pure, "core.text", "from os.path import join\n"),
    (core_is_pure, "core.text", "from pathlib import Path\n"),
    (one_place_for_the_environment, "service.session", "import os\nHOME = os.environ['HOME']\n"),
    (one_place_for_the_environment, "service.session", "from os import environ\n"),
    (one_place_for_the_environment, "service.session", "from pathlib import Path\nHOME = Path.home()\n"),
    (one_place_for_the_clock, "cli.main", "from datetime import datetime\nNOW = datetime.now()\n"),
    (one_place_for_the_clock, "cli.main", "from time import time\n"),
    (one_place_for_the_clock, "cli.main", "import datetime as d\nNOW = d.datetime.now()\n"),
]


@pytest.mark.parametrize("rule", dict.fromkeys(rule for rule, _, _ in PLANTED), ids=lambda rule: rule.__name__)
def test_the_package_keeps(rule: Rule) -> None:
    assert broken(rule) == []


@pytest.mark.parametrize(("rule", "name", "source"), PLANTED)
def test_a_planted_violation_is_found(rule: Rule, name: str, source: str) -> None:
    assert planted(rule, name, source)
