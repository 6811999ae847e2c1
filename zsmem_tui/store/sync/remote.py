"""Access to the sync remote, an ordinary git repository: by `git` if installed, else by dulwich.

Authentication is left to git. Nothing from the remote is executed here: no hooks, filters or submodules, and only the usual
transports.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from typing import IO, Final

from zsmem_tui.config import locate
from zsmem_tui.core.errors import RemoteFailed
from zsmem_tui.core.text import printable_path, raw_lines
from zsmem_tui.store.sync.place import THERE, Place, Remote, is_folder

SECONDS: Final = 900.0
"""Seconds after which a remote without progress is given up."""

_LOOK: Final = 0.05
_QUIET: Final = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "core.bigFileThreshold=16m",
    "fetch.recurseSubmodules=false",
    "push.recurseSubmodules=no",
    "transfer.fsckObjects=true",
    "fetch.fsckObjects=true",
    "push.gpgSign=false",
    "http.lowSpeedLimit=1",
    "http.lowSpeedTime=60",
    "protocol.allow=never",
    "protocol.file.allow=always",
    "protocol.ssh.allow=always",
    "protocol.https.allow=always",
    "protocol.http.allow=always",
    "protocol.git.allow=always",
)
_RECEIVING: Final = (
    "core.hooksPath=/dev/null",
    "core.alternateRefsCommand=true",
    "core.fsmonitor=false",
    "receive.autogc=false",
    "receive.denyCurrentBranch=refuse",
)
_SSH: Final = "-o BatchMode=yes -o ConnectTimeout=20 -o ServerAliveInterval=20 -o ServerAliveCountMax=3"
_REFUSED: Final = (
    "[rejected]",
    "non-fast-forward",
    "fetch first",
    "stale info",
    "failed to lock",
    "cannot lock ref",
    "reference already exists",
)

_NOT_LET_IN: Final = (
    "could not read Username",
    "Authentication failed",
    "Permission denied",
    "terminal prompts disabled",
    "Host key verification failed",
)
_TELLING: Final = ("fatal:", "error:", "remote:", "! [", "ssh:")


def _filled(stream: IO[bytes], given: str) -> IO[bytes]:
    stream.write(given.encode())
    stream.seek(0)
    return stream


Cancelled = Callable[[], bool]


def opened(place: Place, cancelled: Cancelled = lambda: False) -> Remote:
    """Connect to a remote by git, or without git by dulwich. Raises `BadTarget` if dulwich cannot reach it."""
    program = shutil.which("git")
    if program:
        return GitProgram(program, place, cancelled)
    from zsmem_tui.store.sync.without_git import Dulwich  # deferred: needed only without a git program

    return Dulwich(place)


class GitProgram:
    """Uses the installed `git`, with its credential helpers and ssh, but never prompts."""

    def __init__(self, program: str, place: Place, cancelled: Cancelled) -> None:
        self._program = program
        self._place = place
        self._cancelled = cancelled
        self._ref = f"refs/heads/{place.branch}"

    def head(self) -> str:
        """The id of the branch's last commit; empty if there is no such branch."""
        for line in raw_lines(self._run("ls-remote", "--", self._place.url, self._ref)):
            id, _, name = line.partition("\t")
            if name == self._ref:
                return id
        return ""

    def fetch(self) -> str:
        """Fetch the branch into the local repository; return the id of its last commit."""
        options = ["--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--no-auto-maintenance", "--refmap="]
        self._run("fetch", *options, "--", self._place.url, f"+{self._ref}:{THERE}")
        with contextlib.suppress(OSError), open(os.path.join(self._place.home, THERE), encoding="ascii") as stream:
            return stream.read().strip()
        raise RemoteFailed(f"{self._place.shown}: the branch {self._place.branch} was not received. Nothing was synced.")

    def push(self, commit: str, expected: str, *, force: bool = False) -> bool:
        """Push `commit`, which follows `expected`; False if somebody else has pushed meanwhile."""
        lease = [f"--force-with-lease={self._ref}:{expected}"] if force else []
        try:
            self._run("push", "--quiet", "--no-verify", *self._receiving, *lease, "--", self._place.url, f"{commit}:{self._ref}")
        except RemoteFailed as error:
            if any(word in error.said for word in _REFUSED) and "hook declined" not in error.said:
                return False
            raise
        return True

    @property
    def _receiving(self) -> list[str]:
        """Options for pushing to a folder: the git process there must not run anything that the folder's settings name."""
        if not is_folder(self._place.url):
            return []
        return [f"--receive-pack={shlex.quote(self._program)} {' '.join(f'-c {setting}' for setting in _RECEIVING)} receive-pack"]

    def sizes(self, ids: Sequence[str]) -> dict[str, int]:
        """The size in bytes of each of these objects, without unpacking it."""
        found = self._run("cat-file", "--batch-check=%(objectname) %(objectsize)", given="".join(f"{id}\n" for id in ids))
        return {id: int(size) for id, _, size in (line.partition(" ") for line in raw_lines(found)) if size.isdecimal()}

    def _run(self, *words: str, given: str = "") -> str:
        quiet = (word for setting in _QUIET for word in ("-c", setting))
        command = [self._program, "--git-dir", self._place.home, *quiet, *words]
        try:
            # a process group of its own, so that children such as ssh end with it; a file, since the input may exceed a pipe's
            # buffer
            with (
                tempfile.TemporaryFile() as giving,
                subprocess.Popen(
                    command,
                    stdin=_filled(giving, given),
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    env=self._environment(),
                    cwd=self._place.home,
                    start_new_session=True,
                ) as running,
            ):
                out, said = self._ended(running)
        except (OSError, ValueError) as error:
            raise RemoteFailed(
                f"git cannot be started: {getattr(error, 'strerror', None) or error}. Nothing was synced."
            ) from error
        if running.returncode:
            raise self._failed(
                said.decode("utf-8", "replace"), "Nothing was sent." if words[0] == "push" else "Nothing was synced."
            )
        return out.decode("utf-8", "replace")

    def _ended(self, running: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
        end = time.monotonic() + SECONDS
        while True:
            try:
                return running.communicate(timeout=_LOOK)
            except subprocess.TimeoutExpired as error:
                if time.monotonic() < end and not self._cancelled():
                    continue
                with contextlib.suppress(OSError):
                    os.killpg(running.pid, signal.SIGKILL)
                running.communicate()
                why = "You stopped it." if self._cancelled() else f"{self._place.shown} does not answer."
                raise RemoteFailed(f"{why} Nothing was synced.") from error

    def _environment(self) -> Mapping[str, str]:
        own = {name: value for name, value in locate.environment().items() if not name.startswith("GIT_")}
        kept = (
            "GIT_SSH",
            "GIT_SSH_VARIANT",
            "GIT_SSL_",
            "GIT_PROXY",
            "GIT_CONFIG_GLOBAL",
            "GIT_CONFIG_SYSTEM",
            "GIT_CONFIG_NOSYSTEM",
        )
        own |= {name: value for name, value in locate.environment().items() if name.startswith(kept)}
        ssh = own.get("GIT_SSH_COMMAND") or own.get("GIT_SSH") or self._ssh_command(own)
        return own | {
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_ASKPASS": "",
            "SSH_ASKPASS": "",
            "SSH_ASKPASS_REQUIRE": "never",
            "GCM_INTERACTIVE": "never",
            "GIT_SSH_COMMAND": f"{ssh} {_SSH}",
            "GIT_ATTR_NOSYSTEM": "1",
            "LC_ALL": "C",
        }

    def _ssh_command(self, environment: Mapping[str, str]) -> str:
        """The ssh command from the person's git settings."""
        if is_folder(self._place.url) or self._place.url.startswith("http"):
            return "ssh"
        command = [self._program, "config", "--get", "core.sshCommand"]
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            done = subprocess.run(
                command,
                capture_output=True,
                env=environment,
                timeout=10,
                check=False,
                stdin=subprocess.DEVNULL,
                cwd=self._place.home,
            )
            return done.stdout.decode("utf-8", "replace").strip() or "ssh"
        return "ssh"

    def _failed(self, said: str, outcome: str) -> RemoteFailed:
        lines = [self._place.told(line.strip()) for line in raw_lines(said) if line.strip()]
        telling = [line for line in lines if line.startswith(_TELLING) or any(word in line for word in _NOT_LET_IN)]
        reason = printable_path("; ".join(dict.fromkeys((telling or lines)[:3]))[:400].rstrip(".")) or "git ended without a word"
        hint = ""
        if any(word in said for word in _NOT_LET_IN):
            hint = "zsmem asks for no password: let git sign in by itself, with a credential helper or an ssh key."
        if "checked out" in said:
            hint = "That repository has the branch checked out: name another with --branch, or a bare repository."
        return RemoteFailed(f"{self._place.shown}: {reason}. {outcome}", hint, said)
