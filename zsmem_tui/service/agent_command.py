"""Commands of agents' own that change their settings: whether there is one, and running it."""

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
"""How long a command may take: those that run on Node need one or two to start."""

_VERSION: Final = re.compile(rb"\d+(?:\.\d+)+")
_MOST_BYTES: Final = 64 * 1024
"""Bytes of what a command says that are looked at."""

_LONGEST: Final = 200
"""Characters of what a failing command said that are shown."""


def usable(command: OwnCommand, on: Machine) -> str:
    """Where the program of a command lies; empty when it is not on the path, or too old."""
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
    """The version of a program, asked once as long as `stamp` says that it is the same; none where it does not tell."""
    done = _output([place, "--version"], dict(env), folder)
    found = _VERSION.search(done[1]) if done[0] == 0 else None
    return tuple(int(part) for part in found[0].split(b".")) if found else ()


def run(words: Sequence[str], on: Machine) -> str:
    """Run a command in the project's folder; why it failed, empty when it did not."""
    code, out, said = _output(words, dict(on.env), on.folder if os.path.isdir(on.folder) else on.home)
    if code == 0:
        return ""
    if code is None:
        return said.decode("utf-8", "replace")
    words_of_it = visible_line(" ".join((said or out).decode("utf-8", "replace").split()))[-_LONGEST:]
    return f"it ended with {code}. {words_of_it}".rstrip(" .")


def shown(words: Sequence[str]) -> str:
    """A command as a person types it, with the program's name alone."""
    return f"`{shlex.join([os.path.basename(words[0]), *words[1:]])}`"


def _output(words: Sequence[str], env: dict[str, str], folder: str) -> tuple[int | None, bytes, bytes]:
    """Exit code, and the last of the output and errors of a program; no code, and why in words, when it did not end by itself.

    They go to files: a pipe does not end as long as a program that was left behind has it open.
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
