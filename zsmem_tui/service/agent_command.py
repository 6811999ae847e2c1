"""Run agents' own commands that change their settings, if they are installed."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import signal
import subprocess
from collections.abc import Sequence
from functools import cache
from shutil import which
from typing import Final

from zsmem_tui.agents.connection import OwnCommand
from zsmem_tui.agents.places import Machine
from zsmem_tui.core.visible import visible_line
from zsmem_tui.store.disk import temporary

_SECONDS: Final = 20.0
"""The timeout in seconds of a command; those that run on Node take one or two to start."""

_VERSION: Final = re.compile(rb"\d+(?:\.\d+)+")
_MOST_BYTES: Final = 64 * 1024
"""How many bytes of a command's output are read."""

_LONGEST: Final = 200
"""The most characters shown of the output of a failing command."""


def usable(command: OwnCommand, on: Machine) -> str:
    """The path of a command's program; empty if it is not on the PATH or too old."""
    place = which(command.program, path=on.env.get("PATH"))
    if place is None:
        return ""
    return place if _version(place, _stamp(place), tuple(sorted(on.env.items())), on.home) >= command.since else ""


def _stamp(place: str) -> int:
    try:
        return os.stat(place).st_mtime_ns
    except OSError:
        return 0


@cache
def _version(place: str, stamp: int, env: tuple[tuple[str, str], ...], folder: str) -> tuple[int, ...]:
    """The version of a program, cached per modification time `stamp`; empty if unknown."""
    done = _output([place, "--version"], dict(env), folder)
    found = _VERSION.search(done[1]) if done[0] == 0 else None
    return tuple(int(part) for part in found[0].split(b".")) if found else ()


def run(words: Sequence[str], on: Machine) -> str:
    """Run a command in the project's folder; return why it failed, or empty."""
    code, out, said = _output(words, dict(on.env), on.folder if os.path.isdir(on.folder) else on.home)
    if code == 0:
        return ""
    if code is None:
        return said.decode("utf-8", "replace")
    words_of_it = visible_line(" ".join((said or out).decode("utf-8", "replace").split()))[-_LONGEST:]
    return f"it ended with {code}. {words_of_it}".rstrip(" .")


def shown(words: Sequence[str]) -> str:
    """The command as typed by a user, with the bare program name."""
    return f"`{shlex.join([os.path.basename(words[0]), *words[1:]])}`"


def _output(words: Sequence[str], env: dict[str, str], folder: str) -> tuple[int | None, bytes, bytes]:
    """(exit code, end of stdout, end of stderr) of a program; code None and the reason instead if it was not started or killed.

    Output goes to files, since a pipe stays open as long as a child process that was left behind has it.
    """
    with contextlib.ExitStack() as stack:
        try:
            out, said = (stack.enter_context(temporary.open_nameless()) for _ in range(2))
            process = subprocess.Popen(
                list(words), stdin=subprocess.DEVNULL, stdout=out, stderr=said, cwd=folder, env=env, start_new_session=True
            )
        except (OSError, ValueError) as error:
            return None, b"", f"it could not be started: {error}".encode()
        try:
            process.wait(_SECONDS)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(OSError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return None, b"", f"it was still running after {_SECONDS:.0f} seconds".encode()
        return process.returncode, temporary.last_of(out, _MOST_BYTES), temporary.last_of(said, _MOST_BYTES)
