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

_VERSION: Final = re.compile(rb"\d{1,9}(?:\.\d{1,9})+")
_MOST_BYTES: Final = 4 * 1024 * 1024
"""How many bytes of a command's output are read."""

_LONGEST: Final = 200
"""The most characters shown of the output of a failing command."""


def usable(command: OwnCommand, on: Machine) -> str:
    """The path of a command's program; empty if it is not on the PATH or too old."""
    place, stamp = which(command.program, path=on.env.get("PATH")), 0
    if place is None:
        return ""
    with contextlib.suppress(OSError):
        stamp = os.stat(place).st_mtime_ns
    return place if _version(place, stamp, tuple(sorted(on.env.items())), on.home) >= command.since else ""


@cache
def _version(place: str, stamp: int, env: tuple[tuple[str, str], ...], folder: str) -> tuple[int, ...]:
    """The version of a program, cached per modification time `stamp`; empty if unknown."""
    out, problem = output([place, "--version"], dict(env), folder)
    found = None if problem else _VERSION.search(out)
    return tuple(int(part) for part in found[0].split(b".")) if found else ()


def run(words: Sequence[str], on: Machine) -> str:
    """Run a command in the project's folder; return why it failed, or empty."""
    return output(words, dict(on.env), on.folder if os.path.isdir(on.folder) else on.home)[1]


def shown(words: Sequence[str]) -> str:
    """The command as typed by a user, with the bare program name."""
    return f"`{shlex.join([os.path.basename(words[0]), *words[1:]])}`"


def output(
    words: Sequence[str], env: dict[str, str], folder: str, told: bytes | None = None, seconds: float = 0
) -> tuple[bytes, str]:
    """(end of stdout, why it failed) of a program that is `told` this on its standard input; the reason is empty if it did not.

    Output goes to files, since a pipe stays open as long as a child process that was left behind has it.
    """
    with contextlib.ExitStack() as stack:
        wait, given = seconds or _SECONDS, subprocess.DEVNULL if told is None else subprocess.PIPE
        try:
            out, said = (stack.enter_context(temporary.open_nameless()) for _ in range(2))
            process = stack.enter_context(
                subprocess.Popen(list(words), stdin=given, stdout=out, stderr=said, cwd=folder, env=env, start_new_session=True)
            )
        except (OSError, ValueError) as error:
            return b"", f"it could not be started: {error}"
        try:
            process.communicate(told, wait)
        except subprocess.TimeoutExpired:
            return temporary.last_of(out, _MOST_BYTES), f"it was still running after {wait:.0f} seconds"
        finally:
            if process.returncode is None:  # also if the user stops it
                with contextlib.suppress(OSError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        made, wrong = (temporary.last_of(each, _MOST_BYTES) for each in (out, said))
        if process.returncode == 0:
            return made, ""
        last = visible_line(" ".join((wrong or (made if told is None else b"")).decode("utf-8", "replace").split()))[-_LONGEST:]
        return made, f"it ended with {process.returncode}. {last}".rstrip(" .")
