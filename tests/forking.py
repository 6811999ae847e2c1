"""Processes of their own that have read the program already: forks of this one, for tests that kill them or let them die."""

from __future__ import annotations

import os
import subprocess
import sys
import traceback
from collections.abc import Callable


def python(code: str, *words: object) -> subprocess.CompletedProcess[str]:
    """What `python -c code` with these words does, says and ends with, but for `atexit`; the end by a signal is negative."""
    return begun(code, *words)()


def begun(code: str, *words: object) -> Callable[[], subprocess.CompletedProcess[str]]:
    """Such a process, which others run beside; who calls what is returned waits for its end."""
    pipes = [os.pipe(), os.pipe()]
    child = os.fork()
    if not child:
        _become(code, [str(word) for word in words], [writes for _, writes in pipes])
    for _, writes in pipes:
        os.close(writes)

    def end() -> subprocess.CompletedProcess[str]:
        out, err = (_all_of(reads) for reads, _ in pipes)
        ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        return subprocess.CompletedProcess([code], ended, out, err)

    return end


def a_dead_process() -> int:
    """The number of a process that has ended."""
    return int(python("import os; print(os.getpid())").stdout)


def _all_of(pipe: int) -> str:
    with os.fdopen(pipe) as stream:
        return stream.read()


def _become(code: str, words: list[str], streams: list[int]) -> None:
    ended = 1
    try:
        for number, stream in enumerate(streams, 1):
            os.dup2(stream, number)
        sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")
        sys.argv = ["-c", *words]
        exec(compile(code, "<string>", "exec"), {"__name__": "__main__"})
        sys.stdout.flush()
        ended = 0
    except SystemExit as left:
        ended = int(left.code or 0)
    except BaseException:  # noqa: BLE001 - a child of a test must not go on as the test
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(ended)
