"""`MemoryProvider`s for programs: read the memory as its agent does, and update it through the common write path.

Ethos neither locks nor merges its own writes, so two of its processes can overwrite each other; here they cannot.
"""

from __future__ import annotations

import builtins
import os
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Final

from zsmem_tui.agents.ethos import files as ethos_files
from zsmem_tui.agents.ethos import layout as scopes
from zsmem_tui.agents.ethos import prompt, writes
from zsmem_tui.agents.javascript import decode, encode
from zsmem_tui.agents.places import Where
from zsmem_tui.agents.prompt_parts import AgentPrompt
from zsmem_tui.config import locate
from zsmem_tui.core.append import appended, deduplicate
from zsmem_tui.core.context import Moment
from zsmem_tui.core.errors import BadContent, BadTarget, Missing, RuleBroken, WriteFailed, encoded
from zsmem_tui.core.limits import MAX_WRITE_BYTES
from zsmem_tui.core.profile import Profile
from zsmem_tui.core.provider import MemoryEntry, MemoryUpdate, SyncReport
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.text import grouped, lines, printable_path, trim
from zsmem_tui.service.session import local_clock
from zsmem_tui.store.disk import files
from zsmem_tui.store.disk.agent_locks import refuse_held
from zsmem_tui.store.disk.tree import DiskTree
from zsmem_tui.store.history import journal
from zsmem_tui.store.history.journal import Recorder
from zsmem_tui.store.history.library_use import take_if_many
from zsmem_tui.store.mem import Mem
from zsmem_tui.store.steps import Batch

_STORES: Final = ("memory", "user")
_NAMED: Final = (Role.NOTE, Role.LOG)
_ATTEMPTS: Final = 3
"""How many times a deletion is tried if somebody writes the file meanwhile; their text is in the history."""


class Memory(ABC):
    """Base class of `MemoryProvider`s below `root`. A subclass defines the prompt and how updates change a file."""

    step = "Memory"
    """The prefix of its steps' names in the history, before the paths."""
    dry_run = False
    make_root = True

    def __init__(self, root: str, recorder: Recorder | None) -> None:
        self.root = root
        self.recorder = recorder

    @abstractmethod
    def prefetch(self, message: str = "") -> str | None:
        """The text for the prompt, given the user's message; None if there is none."""

    def context_block(self, at: datetime | None = None) -> str | None:
        """The text for the prompt before the user's first message, now or at a past moment as in `Mem.context_block`.

        Raises what these raise.
        """
        return self.prefetch() if at is None else self._block_at(at)

    @abstractmethod
    def _block_at(self, at: datetime) -> str | None:
        """The text that was in the prompt at a past moment."""

    def sync(self, updates: Sequence[MemoryUpdate], *, scope: str | None = None) -> SyncReport:
        """Apply the updates, in order within each file, all or none; a bad key makes all fail.

        `scope` says whose memory is meant, for agents with several. Raises `RuleBroken`, `BadTarget`, `BadContent`, `Undecodable`,
        `OutsideStore` or `WriteFailed`; nothing was written then.
        """
        wanted = grouped((self._place(each, scope), each) for each in updates)
        if not wanted:
            return SyncReport()
        self._check(wanted)
        recorder = self.recorder or Recorder(
            journal.pending_folder(self.root), time.time_ns, label=f"{self.step}: {', '.join(wanted)}"
        )
        batch = Batch(self.root, recorder, dry_run=self.dry_run, make_root=self.make_root)
        with batch:
            changed = dict.fromkeys(path for each in wanted.items() for path in self._write(batch, *each))
        if self.recorder is None:
            take_if_many(self.root, recorder)
        return SyncReport(tuple(changed), batch.lasting, recorder.problem)

    @abstractmethod
    def _place(self, update: MemoryUpdate, scope: str | None) -> str:
        """The path of the file for an update. Raises what `sync` raises."""

    @abstractmethod
    def _check(self, wanted: dict[str, builtins.list[MemoryUpdate]]) -> None:
        """Check the updates by path. Raises what `sync` raises."""

    @abstractmethod
    def _write(self, batch: Batch, path: str, updates: builtins.list[MemoryUpdate]) -> builtins.list[str]:
        """Apply the updates to one file; return the paths that changed."""


class EthosMemory(Memory):
    """The memory of one Ethos personality and the user it talks to.

    `root` is Ethos' folder (`~/.ethos`; `~` is expanded). Files are read on demand. Names that Ethos refuses raise `RuleBroken`
    when used. An encrypted file, or one in a scope locked by Ethos, is refused with a message.
    """

    kind: Final = "ethos"
    step = "Ethos memory"

    def __init__(
        self,
        root: str | os.PathLike[str],
        personality: str,
        user: str | None = None,
        *,
        now: Callable[[], datetime] = local_clock,
        recorder: Recorder | None = None,
    ) -> None:
        super().__init__(locate.absolute(os.fspath(root)), recorder)
        self.personality = personality
        self.user = user or None
        self.now = now
        self._tree = DiskTree(self.root)

    @property
    def scope(self) -> str:
        """The personality's scope, which is the default."""
        return f"personality:{self.personality}"

    def _scope(self, named: str | None) -> str:
        return self.scope if named is None else named

    # -- reading ------------------------------------------------------------------------------------------------------

    def prefetch(self, message: str = "", *, cap: int = prompt.CAP, index_mode: bool = False) -> str | None:
        """What Ethos puts into its prompt for the user's message; None if there is nothing.

        Raises `RuleBroken` for a bad id, `Unreadable` if a memory file is a folder, `Undecodable` for an encrypted one.
        """
        return self.prompt(message, cap=cap, index_mode=index_mode).text

    def prompt(self, message: str = "", *, cap: int = prompt.CAP, index_mode: bool = False) -> AgentPrompt:
        """Like `prefetch`, with the sections and the lines that were left out."""
        return scopes.prompt_of(self._tree, self.personality, self.user or "", message, cap=cap, index_mode=index_mode)

    def _block_at(self, at: datetime) -> str | None:
        from zsmem_tui.store.history.past import block_at  # deferred: loads the history, which nothing else here needs

        layout = scopes.EthosLayout(Where(self.root, "", locate.home_folder(), self.user or "", self.now))
        return block_at(self.root, layout, Moment(self.scope, "", "", Profile.DOCUMENTED, 0), at)

    def read(self, key: str, *, scope: str | None = None) -> str | None:
        """The text of a file; None if there is none, or if Ethos refuses the name."""
        return scopes.text(self._tree, self._scope(scope), key) if ethos_files.is_key(key) else None

    def search(self, query: str, limit: int | None = None, *, scope: str | None = None, mode: str = "") -> builtins.list[str]:
        """The keys of the files that contain the whole query, sorted by the bytes of their names."""
        return prompt.search(scopes.texts(self._tree, self._scope(scope)), query, limit=limit, mode=mode)

    def list(self, limit: int | None = None, *, scope: str | None = None) -> builtins.list[MemoryEntry]:
        """The Markdown files with their first paragraphs, sorted by the bytes of their names."""
        found = [MemoryEntry(key, prompt.summary(text)) for key, text in scopes.texts(self._tree, self._scope(scope))]
        return found[:limit]

    # -- writing ------------------------------------------------------------------------------------------------------

    def _place(self, update: MemoryUpdate, scope: str | None) -> str:
        if update.action not in writes.ACTIONS or update.store not in _STORES:
            raise BadTarget(
                f"Ethos knows no {update.action!r} in {update.store!r}. Nothing was written.",
                "Actions are add, replace, remove and delete; stores are memory and user.",
            )
        of_user = update.store == "user" and self.user is not None and scope is None
        where = f"user:{self.user}" if of_user else self._scope(scope)
        key = ethos_files.USER if update.store == "user" else ethos_files.MEMORY
        return ethos_files.path_of(where, update.key if update.key or scope is not None else key)

    def _check(self, wanted: dict[str, builtins.list[MemoryUpdate]]) -> None:
        if scopes.is_encrypting(self._tree):
            raise WriteFailed(
                self.root,
                f"{printable_path(self.root)}: Ethos encrypts this store, and plain text is not put there. Nothing was written.",
            )
        folders = {path.rpartition("/")[0] for path in wanted}
        locks = [
            os.path.join(self.root, folder, entry.name)
            for folder in sorted(folders)
            for entry in self._tree.entries(folder, ethos_files.is_lock)
        ]
        refuse_held(locks, self.kind, ethos_files.PROGRAMS)

    def _write(self, batch: Batch, path: str, updates: builtins.list[MemoryUpdate]) -> builtins.list[str]:
        made = writes.Synced(None)
        stamp = self.now().astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

        def change(raw: bytes | None) -> bytes | None:
            nonlocal made
            scopes.refuse_encrypted(self._tree, path, raw or b"", "Nothing was written.", os.path.join(self.root, path))
            made = writes.synced(decode(raw or b""), path.rpartition("/")[2], updates, stamp)
            return None if made.text is None else encode(made.text)

        done = batch.update(path, change)
        if made.text is None:
            return self._delete(batch, path)
        changed = [path] if done.changed else []
        if made.archived:
            archive = ethos_files.archive_of(path)
            batch.update(archive, lambda raw: (raw or b"") + encode(made.archived))
            changed.append(archive)
        return changed

    def _delete(self, batch: Batch, path: str, attempts: int = _ATTEMPTS) -> builtins.list[str]:
        try:
            batch.remove(path)
        except Missing:
            return []
        except WriteFailed:
            if attempts == 1:
                raise
            return self._delete(batch, path, attempts - 1)
        return [path]


class ZerostackMemory(Memory):
    """The memory of `mem`. Keys are paths relative to its root.

    Without a key, an update goes to long-term memory; zerostack has no separate memory about the user.
    """

    def __init__(self, mem: Mem) -> None:
        super().__init__(mem.root, mem.recorder)
        self.mem, self.dry_run, self.make_root = mem, mem.dry_run, mem.make_root

    def prefetch(self, message: str = "") -> str | None:
        """The context block; it does not depend on the message."""
        return self.mem.context_block()

    def _block_at(self, at: datetime) -> str | None:
        return self.mem.context_block(at)

    def read(self, key: str) -> str | None:
        """The text of a file; None if there is none or agents cannot read it."""
        ref = self._ref(key)
        return files.text_or_none(self.mem.path(ref)) if ref is not None else None

    def search(self, query: str, limit: int | None = None) -> builtins.list[str]:
        """The keys of the files that contain a term of the query, best first."""
        return [os.path.relpath(hit.path, self.mem.root) for hit in self.mem.search(query).ranked[:limit]]

    def list(self, limit: int | None = None) -> builtins.list[MemoryEntry]:
        """The files that the agent lists, with their first paragraphs."""
        keys = [os.path.relpath(path, self.mem.root) for path in self.mem.list()][:limit]
        return [MemoryEntry(key, _first_paragraph(files.text_or_none(os.path.join(self.mem.root, key)) or "")) for key in keys]

    def _check(self, wanted: dict[str, builtins.list[MemoryUpdate]]) -> None:
        """Raise `BadContent` for text that zerostack would cut or could not store."""
        for update in (update for updates in wanted.values() for update in updates):
            size = len(encoded(update.content))
            if size > MAX_WRITE_BYTES:
                raise BadContent(f"zerostack takes {MAX_WRITE_BYTES:,} bytes at once, this has {size:,}. Nothing was written.")

    def _write(self, batch: Batch, path: str, updates: builtins.list[MemoryUpdate]) -> builtins.list[str]:
        return [path for each in updates if self._make(batch, path, each)]

    def _make(self, batch: Batch, path: str, update: MemoryUpdate) -> bool:
        if update.action == "delete":
            try:
                return batch.remove(path).changed
            except Missing:
                return False

        def change(raw: bytes | None) -> bytes | None:
            if update.action not in ("add", "replace"):
                return _without(raw, update.substring)
            kept: str | None = update.content
            if update.action == "replace":
                return update.content.encode()
            if self.mem.profile is Profile.ZEROSTACK_1_7 and path == self.mem.ref(Role.FACTS).path:
                kept = deduplicate((raw or b"").decode("utf-8", "replace"), update.content).kept
            return None if kept is None else appended(raw or b"", kept.encode())

        return batch.update(path, change).changed

    def _place(self, update: MemoryUpdate, scope: str | None) -> str:
        if update.action not in writes.ACTIONS or update.store not in _STORES:
            raise BadTarget(f"There is no {update.action!r} in {update.store!r}. Nothing was written.")
        if not update.key and update.store == "user":
            raise BadTarget(
                "zerostack keeps nothing apart about the person. Nothing was written.", "Put it into the memory of the work."
            )
        ref = self._ref(update.key) if update.key else self.mem.ref(Role.FACTS)
        if ref is None:
            raise RuleBroken("key", f"zerostack has no place {update.key!r} in this project. Nothing was written.")
        return ref.path

    def _ref(self, key: str) -> MemRef | None:
        stem = os.path.splitext(key.rpartition("/")[2])[0]
        places = [self.mem.ref(target) for target in (Role.FACTS, Role.CHECKLIST)]
        places += [self.mem.ref(target, stem) for target in _NAMED if stem]
        return next((ref for ref in places if ref.path == key), None)


def _without(raw: bytes | None, substring: str) -> bytes | None:
    """The file without the lines that contain a text; None if there are none."""
    wanted = substring.encode("utf-8", "surrogatepass")
    if raw is None or not wanted or wanted not in raw:
        return None
    kept = [line for line in raw.split(b"\n") if wanted not in line]
    return b"\n".join(kept if kept and not kept[-1] else [*kept, b""]) if any(kept) else b""


def _first_paragraph(text: str) -> str | None:
    found: list[str] = []
    for line in lines(text):
        if trim(line):
            found.append(line)
        elif found:
            break
    return trim("\n".join(found)) or None
