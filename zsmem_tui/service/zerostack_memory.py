"""zerostack's memory as a backend, so that a program written against `MemoryProvider` can use it as well as another agent's."""

from __future__ import annotations

import builtins
import os
import time
from collections.abc import Sequence

from zsmem_tui.core.append import appended, deduplicate
from zsmem_tui.core.errors import BadContent, BadTarget, Missing, RuleBroken
from zsmem_tui.core.limits import MAX_WRITE_BYTES
from zsmem_tui.core.profile import Profile
from zsmem_tui.core.provider import MemoryEntry, MemoryUpdate, SyncReport
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.text import lines, trim
from zsmem_tui.store.disk import files
from zsmem_tui.store.history import journal
from zsmem_tui.store.history.journal import Recorder
from zsmem_tui.store.history.library_use import take_if_many
from zsmem_tui.store.mem import Mem
from zsmem_tui.store.steps import Batch

_NAMED = (Role.NOTE, Role.LOG)


class ZerostackMemory:
    """What `mem` remembers, as a `MemoryProvider`. Keys are the paths of files below its root.

    The long-term memory is what is meant where no key is given; zerostack keeps nothing apart about the person.
    """

    def __init__(self, mem: Mem) -> None:
        self.mem = mem

    def prefetch(self, message: str = "") -> str | None:
        """The context block; the message changes nothing about it."""
        return self.mem.context_block()

    def read(self, key: str) -> str | None:
        """The text of a file; None when there is none, or agents cannot read it."""
        ref = self._ref(key)
        return files.text_or_none(self.mem.path(ref)) if ref is not None else None

    def search(self, query: str, limit: int | None = None) -> builtins.list[str]:
        """The keys of the files that hold a term of the query, the best first."""
        return [self._key(hit.path) for hit in self.mem.search(query).ranked[:limit]]

    def list(self, limit: int | None = None) -> builtins.list[MemoryEntry]:
        """The files that the agent lists, with their first paragraph."""
        keys = [self._key(path) for path in self.mem.list()][:limit]
        return [MemoryEntry(key, _first_paragraph(files.text_or_none(os.path.join(self.mem.root, key)) or "")) for key in keys]

    def sync(self, updates: Sequence[MemoryUpdate]) -> SyncReport:
        """Make these changes in their order, all or none.

        Raises `BadTarget`, `BadContent`, `RuleBroken` (`key`), `OutsideStore` or `WriteFailed`; nothing has been written then.
        """
        wanted = [(self._target(each), each) for each in updates]
        if not wanted:
            return SyncReport()
        for _, each in wanted:
            _check(each)
        recorder = self.mem.recorder or Recorder(
            journal.pending_folder(self.mem.root), time.time_ns, label=f"Memory: {', '.join(ref.path for ref, _ in wanted)}"
        )
        batch = Batch(self.mem.root, recorder, dry_run=self.mem.dry_run, make_root=self.mem.make_root)
        changed: dict[str, None] = {}
        with batch:
            for ref, each in wanted:
                if self._make(batch, ref, each):
                    changed[ref.path] = None
        if self.mem.recorder is None:
            take_if_many(self.mem.root, recorder)
        return SyncReport(tuple(changed), batch.lasting, recorder.problem)

    def _make(self, batch: Batch, ref: MemRef, update: MemoryUpdate) -> bool:
        if update.action == "delete":
            try:
                return batch.remove(ref.path).changed
            except Missing:
                return False

        def change(raw: bytes | None) -> bytes | None:
            match update.action:
                case "add":
                    return self._added(ref, raw, update.content)
                case "replace":
                    return update.content.encode()
                case _:
                    return _without(raw, update.substring)

        return batch.update(ref.path, change).changed

    def _added(self, ref: MemRef, raw: bytes | None, content: str) -> bytes | None:
        kept: str | None = content
        if self.mem.profile is Profile.ZEROSTACK_1_7 and ref.role is Role.FACTS:
            kept = deduplicate((raw or b"").decode("utf-8", "replace"), content).kept
        return None if kept is None else appended(raw or b"", kept.encode())

    def _target(self, update: MemoryUpdate) -> MemRef:
        if update.action not in ("add", "replace", "remove", "delete") or update.store not in ("memory", "user"):
            raise BadTarget(f"There is no {update.action!r} in {update.store!r}. Nothing was written.")
        if not update.key and update.store == "user":
            raise BadTarget(
                "zerostack keeps nothing apart about the person. Nothing was written.", "Put it into the memory of the work."
            )
        ref = self._ref(update.key) if update.key else self.mem.ref(Role.FACTS)
        if ref is None:
            raise RuleBroken("key", f"zerostack has no place {update.key!r} in this project. Nothing was written.")
        return ref

    def _ref(self, key: str) -> MemRef | None:
        stem = os.path.splitext(key.rpartition("/")[2])[0]
        places = [self.mem.ref(target) for target in (Role.FACTS, Role.CHECKLIST)]
        places += [self.mem.ref(target, stem) for target in _NAMED if stem]
        return next((ref for ref in places if ref.path == key), None)

    def _key(self, path: str) -> str:
        return os.path.relpath(path, self.mem.root)


def _check(update: MemoryUpdate) -> None:
    """Raises `BadContent` for what zerostack would cut or could not store."""
    try:
        size = len(update.content.encode())
    except UnicodeEncodeError as error:
        raise BadContent("the text is not valid Unicode (it holds half a character). Nothing was written.") from error
    if size > MAX_WRITE_BYTES:
        raise BadContent(f"zerostack takes {MAX_WRITE_BYTES:,} bytes at once, this has {size:,}. Nothing was written.")


def _without(raw: bytes | None, substring: str) -> bytes | None:
    """The file without the lines that hold a text; None (nothing to do) where none does."""
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
