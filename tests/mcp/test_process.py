"""The real program as an agent starts it: how it begins, how it ends, what it keeps off the wire, what it loads."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.builders import PROJECT, AStore
from tests.mcp.clients import call, line, program, started
from zsmem_tui.cli import main as cli

PING = line("ping", 9)
SECONDS = 60
"""Longer than anything takes; only a server that hangs waits so long."""


STORE = {"MEMORY.md": "- redis\n"}


def answers(*arguments: str, said: bytes, **options: Any) -> tuple[list[Any], bytes, int]:
    """What comes back on the wire, what on standard error, and the exit code."""
    done = subprocess.run(program(*arguments), input=said, capture_output=True, timeout=SECONDS, check=False, **options)
    return [json.loads(each) for each in done.stdout.split(b"\n") if each], done.stderr, done.returncode


def test_it_answers_everything_that_was_asked_before_the_end_of_input_and_then_ends(store: AStore) -> None:
    said = PING + call("memory_search", 1, query="redis") + b'{"jsonrpc":"2.0","id":2,"method":"pi'
    found, words, code = answers("--root", str(store.root), said=said, cwd=store.root)
    assert {each["id"] for each in found} == {9, 1, None}
    assert (words, code) == (b"", 0)


def test_fifty_megabytes_in_one_line_are_refused_and_the_next_request_is_served(store: AStore) -> None:
    said = b'{"jsonrpc":"2.0","id":1,"method":"' + b"x" * 50_000_000 + b'"}\n' + PING
    server = started("--root", str(store.root))
    assert server.stdin is not None and server.stdout is not None
    server.stdin.write(said)
    server.stdin.flush()
    found = [json.loads(server.stdout.readline()) for _ in range(2)]
    assert [(each["id"], each.get("error", {}).get("code")) for each in found] == [(None, -32600), (9, None)]
    held = int(Path(f"/proc/{server.pid}/status").read_text().split("VmHWM:")[1].split()[0]) if sys.platform == "linux" else 0
    assert held < 60_000, "kilobytes: a line that is refused is not held"
    server.communicate(timeout=SECONDS)
    assert server.returncode == 0


def test_a_stray_print_lands_on_standard_error(store: AStore) -> None:
    stray = (
        "import os, sys\n"
        "from zsmem_tui.mcp import tools\n"
        "real = tools.Tools.call\n"
        "def call(self, asked):\n"
        "    print('stray'); sys.stdout.flush(); os.write(1, b'bytes\\n'); os.system('echo child')\n"
        "    return real(self, asked)\n"
        "tools.Tools.call = call\n"
        "from zsmem_tui.cli import main\n"
        "main.main(sys.argv[1:])\n"
    )
    command = [sys.executable, "-c", stray, "mcp", "--root", str(store.root), "--project", PROJECT]
    said = call("memory_read", 1, source="long_term")
    done = subprocess.run(command, input=said, capture_output=True, timeout=SECONDS, check=True)
    assert json.loads(done.stdout)["result"]["content"][0]["text"] == "- redis\n"
    assert done.stderr == b"stray\nbytes\nchild\n"


def test_it_ends_when_its_parent_is_gone_though_its_input_stays_open(store: AStore) -> None:
    reads, writes = os.pipe()
    parent = subprocess.Popen(
        [sys.executable, "-c", "import subprocess, sys, time; subprocess.Popen(sys.argv[1:]); time.sleep(600)", *program()],
        stdin=reads,
        stdout=subprocess.PIPE,
    )
    os.close(reads)
    assert parent.stdout is not None
    os.write(writes, PING)
    assert json.loads(parent.stdout.readline())["id"] == 9
    parent.send_signal(signal.SIGKILL)
    parent.wait(SECONDS)
    with contextlib.suppress(BrokenPipeError):  # it may have looked already
        os.write(writes, PING)  # then it looks at once, not after its five seconds
    assert select.select([parent.stdout], [], [], SECONDS)[0]
    assert parent.stdout.read() == b"", "the end: nobody holds the other side any more"
    parent.stdout.close()
    os.close(writes)


def test_the_first_answer_loads_neither_screen_nor_history_nor_yaml(store: AStore) -> None:
    show = (
        "import atexit, sys\n"
        "from zsmem_tui.cli import main\n"
        "main.main(sys.argv[1:])\n"
        "print(*sorted({name.partition('.')[0] for name in sys.modules}), file=sys.stderr)\n"
    )
    command = [sys.executable, "-c", show, "mcp", "--root", str(store.root)]
    done = subprocess.run(command, input=line("initialize", 1), capture_output=True, timeout=SECONDS, check=True)
    assert json.loads(done.stdout)["result"]["serverInfo"]["name"] == "zsmem"
    loaded = set(done.stderr.decode().split())
    assert not loaded & {"textual", "rich", "dulwich", "yaml", "stringzilla", "platformdirs", "markdown_it", "asyncio", "threading"}
    assert not loaded & {"dataclasses", "inspect", "subprocess", "datetime", "email", "tempfile"}


def test_it_runs_without_standard_error_and_says_when_it_has_no_input(store: AStore) -> None:
    shell = " ".join([*program("--root", str(store.root)), "2>&-"])
    done = subprocess.run(["sh", "-c", shell], input=PING, capture_output=True, timeout=SECONDS, check=False)
    assert json.loads(done.stdout)["id"] == 9
    shell = " ".join([*program("--root", str(store.root)), "<&-"])
    done = subprocess.run(["sh", "-c", shell], capture_output=True, timeout=SECONDS, check=False)
    assert (done.stdout, done.returncode) == (b"", 2)
    assert b"standard input" in done.stderr and b"Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--tool-prefix", "a b"], "--tool-prefix may have 32 letters"),
        (["--tool-prefix", "x" * 33], "--tool-prefix may have 32 letters"),
        (["--store", "markdown:/tmp"], "--store has no meaning with it"),
        (["--project", ""], "--project is empty"),
    ],
)
def test_what_cannot_be_served_is_said_before_anything_is(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["mcp", *arguments]) == 2
    told = capsys.readouterr()
    assert words in told.err and told.out == ""


def test_the_environment_says_which_project(store: AStore, tmp_path: Path) -> None:
    said = call("memory_read", 1, source="list")
    for variables, options, folder in (
        ({"CLAUDE_PROJECT_DIR": "/code/claude"}, [], "(/code/claude)"),
        ({"CLAUDE_PROJECT_DIR": "/code/claude", "ZSMEM_PROJECT_DIR": "/code/ours"}, [], "(/code/ours)"),
        ({"CLAUDE_PROJECT_DIR": "/code/claude"}, ["--cwd", "${workspaceFolder}"], "(/code/claude)"),
        ({"CLAUDE_PROJECT_DIR": "/code/claude"}, ["--cwd", "/code/option"], "(/code/option)"),
    ):
        found, _, _ = answers("--root", str(store.root), *options, said=said, cwd=tmp_path, env=os.environ | variables)
        assert folder in found[0]["result"]["content"][1]["text"]
