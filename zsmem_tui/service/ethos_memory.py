"""Ethos' memory as a backend: what goes into its prompt, and updates on the one write path.

The agent's own writes are neither locked nor merged, so two processes of one personality race; here they do not.
"""

from __future__ import annotations

import builtins
import os
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Final

from zsmem_tui.agents.ethos import files, prompt, writes
from zsmem_tui.agents.ethos import layout as scopes
from zsmem_tui.agents.ethos.writes import Update
from zsmem_tui.agents.javascript import decode, encode
from zsmem_tui.agents.prompt_parts import AgentPrompt
from zsmem_tui.config import locate
from zsmem_tui.core.errors import BadTarget, Missing, WriteFailed
from zsmem_tui.core.provider import MemoryEntry, MemoryUpdate, SyncReport
from zsmem_tui.core.text import printable_path
from zsmem_tui.service.session import local_clock
from zsmem_tui.store.disk.agent_locks import refuse_held
from zsmem_tui.store.disk.tree import DiskTree
from zsmem_tui.store.history import journal
from zsmem_tui.store.history.journal import Recorder
from zsmem_tui.store.history.library_use import take_if_many
from zsmem_tui.store.steps import Batch

_ATTEMPTS: Final = 3
"""Times that a deletion is tried anew because somebody wrote the file meanwhile; what they wrote is in the history."""


class EthosMemory:
    """The memory of one personality, and of the user it talks to; a `MemoryProvider`.

    `root` is Ethos' folder (`~/.ethos`; `~` is expanded). Nothing is read before it is asked for. Names that Ethos refuses raise
    `RuleBroken` when they are used. A file that is encrypted, or whose scope Ethos has locked, is refused with a sentence.
    """

    kind: Final = "ethos"

    def __init__(
        self,
        root: str | os.PathLike[str],
        personality: str,
        user: str | None = None,
        *,
        now: Callable[[], datetime] = local_clock,
        recorder: Recorder | None = None,
    ) -> None:
        self.root = locate.expanded(os.fspath(root))
        self.personality = personality
        self.user = user or None
        self.now = now
        self.recorder = recorder
        self._tree = DiskTree(self.root)

    @property
    def scope(self) -> str:
        """The personality's scope, which is meant where none is named."""
        return f"personality:{self.personality}"

    # -- reading ------------------------------------------------------------------------------------------------------

    def prefetch(self, message: str = "", *, cap: int = prompt.CAP, index_mode: bool = False) -> str | None:
        """What Ethos puts into its prompt for the person's message; None when there is nothing.

        Raises `RuleBroken` for a bad id, `Unreadable` where a memory file is a folder, `Undecodable` for an encrypted one.
        """
        return self.prompt(message, cap=cap, index_mode=index_mode).text

    def prompt(self, message: str = "", *, cap: int = prompt.CAP, index_mode: bool = False) -> AgentPrompt:
        """The same with its sections and the lines that do not get into it."""
        return scopes.prompt_of(self._tree, self.personality, self.user or "", message, cap=cap, index_mode=index_mode)

    def context_block(self) -> str | None:
        """What goes into the prompt before the person has said anything. Raises what `prefetch` raises."""
        return self.prefetch()

    def read(self, key: str, *, scope: str | None = None) -> str | None:
        """The text of a file; None when there is none, or Ethos would not take the name."""
        files.scope_folder(scope or self.scope)
        return scopes.text(self._tree, scope or self.scope, key) if files.is_key(key) else None

    def search(self, query: str, limit: int | None = None, *, scope: str | None = None, mode: str = "") -> builtins.list[str]:
        """The keys of the files that hold the whole query, by the bytes of their names."""
        where = scope or self.scope
        files.scope_folder(where)
        return prompt.search(scopes.texts(self._tree, where), query, limit=limit, mode=mode)

    def list(self, limit: int | None = None, *, scope: str | None = None) -> builtins.list[MemoryEntry]:
        """The Markdown files with their first paragraph, by the bytes of their names."""
        found = [MemoryEntry(key, prompt.summary(text)) for key, text in scopes.texts(self._tree, scope or self.scope)]
        return found[:limit]

    # -- writing ------------------------------------------------------------------------------------------------------

    def sync(self, updates: Sequence[MemoryUpdate], *, scope: str | None = None) -> SyncReport:
        """Make these changes in their order, all or none; a bad key stops all of them.

        The text becomes what Ethos would make of it. What it would destroy on the way (bytes that are no UTF-8, what overflows
        the archive) is in the history. Raises `RuleBroken`, `BadTarget`, `Undecodable` or `WriteFailed`.
        """
        wanted = self._by_path(updates, scope)
        if not wanted:
            return SyncReport()
        self._refuse_locked(wanted)
        recorder = self.recorder or Recorder(
            journal.pending_folder(self.root), time.time_ns, label=f"Ethos memory: {', '.join(wanted)}"
        )
        batch = Batch(self.root, recorder)
        changed: builtins.list[str] = []
        with batch:
            for path, each in wanted.items():
                changed += self._write(batch, path, each)
        if self.recorder is None:
            take_if_many(self.root, recorder)
        return SyncReport(tuple(changed), batch.lasting, recorder.problem)

    def _by_path(self, updates: Sequence[MemoryUpdate], scope: str | None) -> dict[str, builtins.list[Update]]:
        found: dict[str, builtins.list[Update]] = {}
        for each in updates:
            if each.action not in writes.ACTIONS or each.store not in ("memory", "user"):
                raise BadTarget(
                    f"Ethos knows no {each.action!r} in {each.store!r}. Nothing was written.",
                    "Actions are add, replace, remove and delete; stores are memory and user.",
                )
            of_user = each.store == "user" and self.user is not None and scope is None
            where = f"user:{self.user}" if of_user else scope or self.scope
            key = each.key if each.key or scope is not None else files.USER if each.store == "user" else files.MEMORY
            update = Update(each.action, key, each.content, each.substring)
            found.setdefault(files.path_of(where, key), []).append(update)
        return found

    def _refuse_locked(self, paths: dict[str, builtins.list[Update]]) -> None:
        if scopes.is_encrypting(self._tree):
            raise WriteFailed(
                self.root,
                f"{printable_path(self.root)}: Ethos encrypts this store, and plain text is not put there. Nothing was written.",
            )
        folders = {path.rpartition("/")[0] for path in paths}
        locks = [
            os.path.join(self.root, folder, entry.name)
            for folder in sorted(folders)
            for entry in self._tree.entries(folder, files.is_lock)
        ]
        refuse_held(locks, self.kind, files.PROGRAMS)

    def _write(self, batch: Batch, path: str, updates: builtins.list[Update]) -> builtins.list[str]:
        """Bring one file up to date; the paths that changed."""
        made = writes.Synced(None)
        stamp = self.now().astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

        def change(raw: bytes | None) -> bytes | None:
            nonlocal made
            scopes.refuse_encrypted(self._tree, path, raw or b"", "Nothing was written.", os.path.join(self.root, path))
            made = writes.synced(decode(raw or b""), updates, stamp)
            return None if made.text is None else encode(made.text)

        done = batch.update(path, change)
        if made.text is None:
            return self._delete(batch, path)
        changed = [path] if done.changed else []
        if made.archived:
            archive = files.archive_of(path)
            batch.update(archive, lambda raw: (raw or b"") + encode(made.archived))
            changed.append(archive)
        return changed

    def _delete(self, batch: Batch, path: str) -> builtins.list[str]:
        for attempt in range(_ATTEMPTS):
            try:
                batch.remove(path)
                return [path]
            except Missing:
                return []
            except WriteFailed:
                if attempt == _ATTEMPTS - 1:
                    raise
        return []
