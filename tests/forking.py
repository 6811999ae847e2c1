"""Processes of the program that begin with its modules read: a process that has read them forks once for each.

What a test sees is what it sees of `python -m zsmem_tui`: a process of its own with its own streams, folder, environment and
exit code. Only the reading of some hundred modules is done once, which is most of what a verb costs. Tests of the start itself
start Python.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import gc
import importlib
import json
import os
import pkgutil
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import zsmem_tui
from zsmem_tui.entry import main

ROOT = str(Path(__file__).resolve().parents[1])
_READ_AT_THE_START = ("PYTHON", "LC_", "LANG")
"""Beginnings of the names of variables that Python reads while it starts: with others of these, it is started."""


class _Forker:
    """A process that forks the program; it ends with this one, which holds the other end of its socket."""

    def __init__(self) -> None:
        self.environ = dict(os.environ)
        ours, theirs = socket.socketpair()
        command = [sys.executable, "-m", __name__, str(theirs.fileno())]
        self._ours = ours
        self._process = subprocess.Popen(command, cwd=ROOT, pass_fds=[theirs.fileno()])
        theirs.close()
        atexit.register(self._end)

    def run(self, words: list[str], code: str, streams: list[int], environ: dict[str, str], cwd: str | None) -> int:
        """The exit code of the program with these words; a signal that ended it is negative, as `subprocess` has it."""
        order = json.dumps({"words": words, "code": code, "environ": environ, "cwd": cwd or os.getcwd()}).encode()
        socket.send_fds(self._ours, [len(order).to_bytes(8)], streams)
        self._ours.sendall(order)
        said = self._ours.recv(8, socket.MSG_WAITALL)
        assert len(said) == 8, "the forking process ended"
        return int.from_bytes(said, signed=True)

    def _end(self) -> None:
        self._ours.close()
        self._process.wait()


@functools.cache
def _forker() -> _Forker:
    return _Forker()


def run(
    words: list[str], stdin: bytes = b"", environ: dict[str, str] | None = None, cwd: Path | None = None, code: str = ""
) -> subprocess.CompletedProcess[bytes]:
    """What `python -m zsmem_tui` with these words does, what it says and its exit code; or what `python -c code` does."""
    environ = dict(os.environ) if environ is None else environ
    command = [sys.executable, *(["-c", code] if code else ["-m", "zsmem_tui"]), *words]
    if _of_the_start(environ) != _of_the_start(_forker().environ):
        environ = {**environ, "PYTHONPATH": ROOT}
        return subprocess.run(command, input=stdin, capture_output=True, env=environ, cwd=cwd, check=False)
    theirs, feed = os.pipe()
    outputs = [os.pipe(), os.pipe()]
    with ThreadPoolExecutor(3) as pool:
        pool.submit(_feed, feed, stdin)
        said = [pool.submit(_all_of, reads) for reads, _ in outputs]
        streams = [theirs, *(writes for _, writes in outputs)]
        try:
            ended = _forker().run(words, code, streams, environ, str(cwd) if cwd else None)
        finally:
            for stream in streams:
                os.close(stream)
        return subprocess.CompletedProcess(command, ended, *(each.result() for each in said))


def python(code: str, *words: object) -> subprocess.CompletedProcess[str]:
    """What `python -c code` with these words does, says and ends with."""
    done = run([str(word) for word in words], code=code)
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def a_dead_process() -> int:
    """The number of a process that has ended."""
    return int(python("import os; print(os.getpid())").stdout)


def _of_the_start(environ: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in environ.items() if name.startswith(_READ_AT_THE_START) and name != "PYTHONPATH"}


def _feed(pipe: int, data: bytes) -> None:
    with contextlib.suppress(BrokenPipeError), os.fdopen(pipe, "wb") as stream:
        stream.write(data)


def _all_of(pipe: int) -> bytes:
    with os.fdopen(pipe, "rb") as stream:
        return stream.read()


def _serve(place: socket.socket) -> None:
    """Fork for every order until the other end is closed."""
    for module in pkgutil.walk_packages(zsmem_tui.__path__, "zsmem_tui."):
        if not module.name.startswith("zsmem_tui.ui") and module.name != "zsmem_tui.__main__":
            importlib.import_module(module.name)
    gc.freeze()  # a collection in a child would copy every page that these modules stand in
    while True:
        head, streams, _, _ = socket.recv_fds(place, 8, 3)
        if not head:
            return
        order = json.loads(place.recv(int.from_bytes(head), socket.MSG_WAITALL))
        child = os.fork()
        if not child:
            place.close()
            return _become(order, streams)
        for each in streams:
            os.close(each)
        place.sendall(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]).to_bytes(8, signed=True))


def _become(order: dict[str, Any], streams: list[int]) -> None:
    """Be the program or that code, with its words, environment, folder and streams; how it ends goes up to the interpreter."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.environ.clear()
    os.environ.update(order["environ"])
    os.chdir(order["cwd"])
    sys.argv = ["-c" if order["code"] else os.path.join(ROOT, "zsmem_tui", "__main__.py"), *order["words"]]
    if order["code"]:
        exec(compile(order["code"], "<string>", "exec"), {"__name__": "__main__"})
    else:
        main()


if __name__ == "__main__":
    _serve(socket.socket(fileno=int(sys.argv[1])))
