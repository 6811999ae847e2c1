"""`Mem`: one project's memory as the agent sees it, with the reads and writes of the agent's tools."""

from __future__ import annotations

import builtins
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from zsmem_tui.agents.default import DEFAULT
from zsmem_tui.config import locate
from zsmem_tui.core.append import appended, appended_alike, deduplicate
from zsmem_tui.core.compaction import compaction_heading
from zsmem_tui.core.context import Block, Moment
from zsmem_tui.core.daily import day_before, entry
from zsmem_tui.core.errors import BadContent, BadName, BadTarget, MemError, NotExactlyOnce, encoded
from zsmem_tui.core.index_file import Rewrite
from zsmem_tui.core.layout import Folder, Layout, find_ref, needs_utf8, place_of, searched_folders
from zsmem_tui.core.limits import (
    EMPTY,
    EXTENSION,
    MAX_INJECT_BYTES,
    MAX_WRITE_BYTES,
    TRUNCATED_MARK,
)
from zsmem_tui.core.names import BAD_DAILY_EDIT, daily_stem, note_stem, project_name, stem_to_read
from zsmem_tui.core.notice import Notice, NoticeKind, over_limit
from zsmem_tui.core.outcomes import WriteReport
from zsmem_tui.core.profile import Profile
from zsmem_tui.core.refs import MemRef, Role, WriteMode, WriteTarget
from zsmem_tui.core.search import Searched, SearchResults, search
from zsmem_tui.core.text import cut, is_utf8, printable_path, truncate
from zsmem_tui.store import writing
from zsmem_tui.store.disk import files, listing
from zsmem_tui.store.disk.tree import DiskTree
from zsmem_tui.store.disk.waiting import Waits
from zsmem_tui.store.history.journal import Recorder, own_recorder
from zsmem_tui.store.history.library_use import take_if_many
from zsmem_tui.store.reader import StoreReader
from zsmem_tui.store.text_cache import Texts
from zsmem_tui.store.write_path.install_file import Transform, WriteResult

if TYPE_CHECKING:
    from os import PathLike

    from zsmem_tui.store.steps import Batch

DOES_NOT_LAST: Final = "warning: another program keeps writing over it; what was written is in the history"
"""Appended to a report when a write was restored three times and overwritten again each time."""

BAD_READ_NOTE: Final = "invalid note name"

_BACKED_UP: Final = (Role.FACTS, Role.CHECKLIST)


class Mem:
    """The memory of one project on one day (specification, section 16).

    `root` is the memory folder, `project` a slug, `today` and `yesterday` dates as `YYYY-MM-DD` (`yesterday` defaults to the day
    before `today`). Nothing is read before it is needed, and only the texts in `texts` are cached. `inject_cap` limits the context
    block in bytes. With `dry_run`, writes report what they would do and change nothing. A `recorder` records what writes replace;
    without one, each write is a step of its own in the history. `make_root`: the first write may create the root folder.
    """

    def __init__(
        self,
        root: str | PathLike[str],
        project: str,
        today: str,
        yesterday: str | None = None,
        *,
        profile: Profile | str = Profile.DOCUMENTED,
        layout: Layout = DEFAULT,
        texts: Texts | None = None,
        inject_cap: int = MAX_INJECT_BYTES,
        dry_run: bool = False,
        recorder: Recorder | None = None,
        make_root: bool = True,
    ) -> None:
        self.root = os.fspath(root)
        self.project = project_name(project)
        self.today = daily_stem(today)
        self.yesterday = day_before(today) if yesterday is None else daily_stem(yesterday)
        self.profile = Profile(profile)
        self.layout = layout
        self.inject_cap = inject_cap
        self.dry_run = dry_run
        self.recorder = recorder
        self.make_root = make_root
        self.texts = Texts() if texts is None else texts

    @classmethod
    def open(
        cls,
        cwd: str | PathLike[str] | None = None,
        *,
        root: str | PathLike[str] | None = None,
        profile: Profile | str = Profile.DOCUMENTED,
    ) -> Mem:
        """The current memory of an agent started in `cwd` (default: the current directory) (section 1).

        `root` overrides the agent's memory folder; a leading `~` is expanded. Raises `ConfigError` if there is no home directory.
        """
        where = locate.absolute(os.fspath(root)) if root else locate.memory_root()
        return cls(where, locate.folder_project(cwd), datetime.now().date().isoformat(), profile=profile)

    # -- places -------------------------------------------------------------------------------------------------------

    def ref(self, role: Role, name: str = "") -> MemRef:
        """The file for `role` in this project; `name` is a checked stem. Raises `BadTarget` if there is no such file.

        An existing note is preferred if this kind of store would give a new one another file name: with exactly this name, else the
        only one that it may mean.
        """
        ref = place_of(self.layout, role, self.project, name or (self.today if role is Role.LOG else ""))
        home = self.layout.home_of(self.project)
        if role is Role.NOTE and home and not os.path.lexists(self.path(ref)):
            there = find_ref(self.layout, f"{home}/{name}{EXTENSION}")
            if there is not None and there.role is role and os.path.lexists(self.path(there)):
                return there
            folder = ref.path.rpartition("/")[0]
            paths = (f"{folder}/{each}" for each in files.list_all(os.path.join(self.root, folder)))
            found = (find_ref(self.layout, path) for path in paths if self.layout.may_mean(name, path))
            alike = [each for each in found if each is not None and each.role is role]
            return alike[0] if len(alike) == 1 else ref
        return ref

    def path(self, ref: MemRef) -> str:
        """The file's path on this system."""
        return os.path.join(self.root, ref.path)

    def searched_folders(self) -> tuple[Folder, ...]:
        """The folders that the agent lists and searches, in its order."""
        return searched_folders(self.layout, self.project)

    # -- reading ------------------------------------------------------------------------------------------------------

    def read(self, source: WriteTarget | str, name: str | None = None) -> str:
        """The answer to `memory_read`: the content, at most 32,768 bytes, or `(empty)`; the paths for `list`.

        Raises `BadTarget` or `BadName`; a file that cannot be read counts as `(empty)`, as for agents (section 11).
        """
        if source == "list":
            return "\n".join(self.list())
        text = files.text_or_none(self.path(self.source_ref(source, name)))
        return truncate(text, MAX_INJECT_BYTES, TRUNCATED_MARK) if text else EMPTY

    def source_ref(self, source: WriteTarget | str, name: str | None = None) -> MemRef:
        """The file for a source of `memory_read`. Raises `BadTarget` or `BadName`."""
        try:
            role = WriteTarget(source).role
        except ValueError:
            raise BadTarget(f"unknown source: {source}", "Sources are long_term, scratchpad, daily, note and list.") from None
        if role is Role.NOTE:
            if name is None:
                raise BadName("note requires name")
            return self.ref(role, stem_to_read(name, BAD_READ_NOTE))
        if role is Role.LOG and name is not None:
            return self.ref(role, daily_stem(name))
        return self.ref(role)

    def list(self, *, inside: bool = False) -> builtins.list[str]:
        """The paths of all files the agent lists, sorted by bytes (section 5). The scratchpad is never included.

        With `inside`, links that lead out of the store are skipped.
        """
        found = [
            printable_path(f"{home}/{name}")
            for folder in listing.expanded(self.root, self.searched_folders())
            for home in (os.path.join(self.root, folder.path) if folder.path else self.root,)
            for name in listing.names(self.root, folder._replace(inside=inside or folder.inside))
        ]
        return sorted(found, key=str.encode)

    def search(self, query: str, *, near: bool = False) -> SearchResults:
        """All files that contain a term of `query`, or have it in their name, in the agent's order (section 6).

        Of a file behind a link out of the store, only the name is searched.

        With `near`, the result's `near` has up to five similar words of the memory for each term that was not found, best first.
        """
        found = search([Searched(self.texts.batches(self.root, self.searched_folders()))], query)
        if near and (missed := found.missed()):
            from zsmem_tui.core.recall.near_words import near_words  # deferred: loads word lists, needed only for suggestions

            words = self.texts.vocabulary(self.root, self.searched_folders())
            found.near = near_words(missed, words, are_found=bool(found.apart()))
        return found

    def block(self, unsaved: Mapping[str, str] = MappingProxyType({})) -> Block:
        """Compose the block for the prompt; `unsaved` maps relative paths to texts to use instead of the files."""
        return self.layout.block(StoreReader(self.root, unsaved), self._moment())

    def _moment(self) -> Moment:
        return Moment(self.project, self.today, self.yesterday, self.profile, self.inject_cap)

    def context_block(self, at: datetime | None = None) -> str | None:
        """The `<memory>` block for the prompt; None if there is nothing in it (section 8).

        With `at` (local if naive), the block at that moment according to the history. Raises `BadName` for a moment in the future
        or before the first record, and `HistoryError`.
        """
        if at is None:
            return self.block().text
        from zsmem_tui.store.history.past import block_at  # deferred: loads the history, which nothing else here reads

        return block_at(self.root, self.layout, self._moment(), at)

    def block_inside(self) -> tuple[str | None, builtins.list[str]]:
        """The block without files reached by links that leave the store, and the paths of those files."""
        reader = StoreReader(self.root, inside=True)
        text = self.layout.block(reader, self._moment()).text
        return text, builtins.list(reader.outside)

    # -- writing ------------------------------------------------------------------------------------------------------

    def write(
        self,
        target: WriteTarget | str,
        content: str,
        mode: WriteMode | str | None = "append",
        name: str | None = None,
        *,
        aliases: Sequence[str] = (),
        confirm: bool = True,
    ) -> WriteReport:
        """Append `content` to a file or replace the file (section 9).

        Any `mode` except exactly `overwrite` appends. `name` is required for a note and ignored otherwise. Content over 65,536
        bytes is cut. `aliases` are words by which others may search for a note; they are merged into its `aliases:` line. With
        `confirm`, the file is watched briefly (20 ms; 150 ms while another program writes it), and lines lost to a stale copy are
        restored; `confirmed` of the report is False if the write does not last. Raises `BadTarget`, `BadName`, `BadContent`,
        `OutsideStore` or `WriteFailed`; nothing is written then.
        """
        role = WriteTarget.parse(target).role
        ref = self.ref(role, note_stem(name) if role is Role.NOTE else "")
        return self.write_at(ref, content, mode, aliases=aliases, confirm=confirm)

    def write_at(
        self,
        ref: MemRef,
        content: str,
        mode: WriteMode | str | None = "append",
        *,
        aliases: Sequence[str] = (),
        confirm: bool = True,
    ) -> WriteReport:
        """`write` for a given file. Raises `BadContent`, `RuleBroken`, `OutsideStore` or `WriteFailed`."""
        role = ref.role
        if aliases and role is not Role.NOTE:
            raise BadTarget("aliases are for notes: other files are found by their own words. Nothing was written.")
        size = len(encoded(content))
        kept = cut(content, MAX_WRITE_BYTES)
        truncated_from = size if size > MAX_WRITE_BYTES else None
        if WriteMode.of_agent(mode) is WriteMode.OVERWRITE:
            return self._overwrite(ref, _with_aliases(kept.encode(), aliases, ref.path).decode(), truncated_from, confirm)
        return self._append(ref, kept, truncated_from, confirm, aliases, dedup=self._is_1_7 and role is Role.FACTS)

    def edit(
        self, target: WriteTarget | str, name: str | None = None, old_str: str | None = None, new_str: str = ""
    ) -> WriteReport:
        """Replace the only occurrence of `old_str` in a file by `new_str`; without `old_str`, delete a note (section 10).

        Raises `BadTarget`, `BadName`, `NotExactlyOnce`, `Missing`, `Undecodable`, `OutsideStore` or `WriteFailed`; nothing has
        changed then.
        """
        role = WriteTarget.parse(target).role
        ref = self._edit_ref(role, name)
        if old_str is None:
            if role is not Role.NOTE:
                raise BadTarget(
                    "memory_edit without old_str deletes a whole note; it is only allowed for target=note, "
                    "not long_term/scratchpad/daily"
                )
            done, also = self._remove(ref, backup=self._is_1_7)
            unlisted = f", and the line about it in {also}" if also else ""
            return self._report(ref, _with_backup(f"Deleted {self._shown(ref)}{unlisted}", done), done, 0)
        return self.edit_at(ref, old_str, new_str)

    def edit_at(self, ref: MemRef, old_str: str, new_str: str) -> WriteReport:
        """`edit` for a given file. Raises the same errors, and `RuleBroken`."""
        backup = self._is_1_7 and ref.role in _BACKED_UP
        old, path = old_str, self.path(ref)
        encoded(new_str)
        files.look(path)

        def change(before: bytes | None) -> bytes:
            text = files.decoded(path, before or b"", ". Nothing was written.")
            return _replace_once(text, old, new_str, printable_path(path)).encode()

        done, _ = self._put(ref, change, backup=backup)
        return self._report(ref, _with_backup(f"Edited {self._shown(ref)}", done), done, len(encoded(new_str)))

    def append_daily(self, heading: str, body: str, *, now: datetime | None = None) -> WriteReport:
        """Append a timestamped entry to today's log (section 12). `now` (local if naive) defaults to the local clock."""
        return self.write(WriteTarget.DAILY, entry(heading, body, (now or datetime.now()).astimezone()))

    @property
    def _is_1_7(self) -> bool:
        return self.profile is Profile.ZEROSTACK_1_7

    def _shown(self, ref: MemRef) -> str:
        return printable_path(self.path(ref))

    def _edit_ref(self, role: Role, name: str | None) -> MemRef:
        if role is Role.NOTE:
            return self.ref(role, note_stem(name))
        if role is Role.LOG and name is not None:
            return self.ref(role, daily_stem(name, BAD_DAILY_EDIT))
        return self.ref(role)

    def _overwrite(self, ref: MemRef, content: str, truncated_from: int | None, confirm: bool) -> WriteReport:
        raw = content.encode()
        backup = self._is_1_7 and ref.role in _BACKED_UP
        done, also = self._put(ref, lambda before: self._begun(ref, before, raw), backup=backup, confirm=confirm)
        message = _written(len(raw), self._shown(ref), 0, done.backup_error, truncated_from, also)
        return self._report(ref, message, done, len(raw), 0, truncated_from)

    def _append(
        self, ref: MemRef, content: str, truncated_from: int | None, confirm: bool, aliases: Sequence[str], *, dedup: bool
    ) -> WriteReport:
        skipped = 0
        kept: str | None = content
        join = appended if self.layout.has_profiles else appended_alike  # zerostack adds bytes as they come

        def change(before: bytes | None) -> bytes | None:
            nonlocal skipped, kept
            if dedup:
                found = deduplicate(_text_or_empty(before), content)
                kept, skipped = found.kept, found.skipped
            made = None if kept is None else join(before or b"", kept.encode())
            return made if made is None else self._begun(ref, before, _with_aliases(made, aliases, ref.path))

        done, also = self._put(ref, change, confirm=confirm)
        shown = self._shown(ref)
        if kept is None:
            return WriteReport(
                self.path(ref), f"Nothing written to {shown}: all {skipped} line(s) were duplicates", 0, skipped, changed=False
            )
        size = len(kept.encode())
        message = _written(size, shown, skipped, "", truncated_from, also)
        return self._report(ref, message, done, size, skipped, truncated_from)

    def _begun(self, ref: MemRef, before: bytes | None, raw: bytes) -> bytes:
        """The bytes to write to a file; a new note is wrapped in its kind's format, such as frontmatter."""
        return self.layout.dress.begun(ref.path, raw) if before is None and ref.role is Role.NOTE else raw

    def _put(self, ref: MemRef, change: Transform, *, backup: bool = False, confirm: bool = True) -> tuple[WriteResult, str]:
        """Change a file: (result, name of the index that got a line about it if the file is new, else empty)."""
        recorder = self.recorder or own_recorder(self.root, ref.path)
        recorder.waits = Waits()  # each write has its own waiting time
        if rewrites := self._rewrites(ref, made=change):
            done, also = self._as_one("Wrote", ref, recorder, rewrites, lambda batch: batch.update(ref.path, change))
        else:
            done, also = (
                writing.update(
                    self.root,
                    ref.path,
                    change,
                    backup=backup,
                    dry_run=self.dry_run,
                    recorder=recorder,
                    make_root=self.make_root,
                    confirm=confirm,
                ),
                "",
            )
        if self.recorder is None:
            take_if_many(self.root, recorder)
        return done, also

    def _remove(self, ref: MemRef, *, backup: bool) -> tuple[WriteResult, str]:
        """Delete a file: (result, name of the index that had a line about it, else empty)."""
        rewrites = self._rewrites(ref)
        if not rewrites:
            return writing.remove(self.root, ref.path, backup=backup, dry_run=self.dry_run, recorder=self.recorder), ""
        recorder = self.recorder or own_recorder(self.root, ref.path)
        return self._as_one("Deleted", ref, recorder, rewrites, lambda batch: batch.remove(ref.path))

    def _rewrites(self, ref: MemRef, made: Transform | None = None) -> dict[str, Rewrite]:
        """The edits to an index if a new file is created, or a file is deleted (`made` None)."""
        if made is None:
            return self.layout.lists.companions(DiskTree(self.root), ref.path, None, b"")
        if os.path.lexists(self.path(ref)):
            return {}
        return self.layout.lists.companions(DiskTree(self.root), None, ref.path, made(None) or b"")

    def _as_one(
        self, verb: str, ref: MemRef, recorder: Recorder, rewrites: Mapping[str, Rewrite], act: Callable[[Batch], WriteResult]
    ) -> tuple[WriteResult, str]:
        """Change a file and the files that describe it as one step: (result for the file, names of the others)."""
        from zsmem_tui.store.steps import Batch  # deferred: 4 ms, needed only with an index

        recorder.label = recorder.label or f"{verb} {ref.path}"
        with Batch(self.root, recorder, dry_run=self.dry_run, make_root=self.make_root) as batch:
            done = act(batch)
            also = {path: each for path, rewrite in rewrites.items() if (each := batch.update(path, rewrite)).changed}
        names = " and ".join(printable_path(path.rpartition("/")[2]) for path in also)
        unloaded = [self.layout.unloaded(path, each.before, each.after) for path, each in also.items()]
        return batch.written.get(ref.path, done), ". ".join(filter(None, (names, *unloaded)))

    def _report(
        self, ref: MemRef, message: str, done: WriteResult, size: int, skipped: int = 0, truncated_from: int | None = None
    ) -> WriteReport:
        if not done.confirmed:
            message += f" ({DOES_NOT_LAST})"
        found = tuple(self._findings(ref, done, truncated_from))
        return WriteReport(
            self.path(ref), message, size, skipped, truncated_from, found, confirmed=done.confirmed, after=done.after
        )

    def _findings(self, ref: MemRef, done: WriteResult, truncated_from: int | None = None) -> Iterator[Notice]:
        """Findings that agents do not report but a person should know (section 15)."""
        if truncated_from is not None:
            yield Notice(NoticeKind.CUT, count=truncated_from, limit=MAX_WRITE_BYTES)
        shown = printable_path(done.path)
        if done.after is not None and not is_utf8(done.after):
            yield Notice(NoticeKind.NOT_UTF8 if needs_utf8(self.layout, ref.role) else NoticeKind.NOTE_NOT_UTF8, shown)
        if self.layout.loses_head(ref.path, done.before, done.after):
            yield Notice(NoticeKind.HEAD_LOST, shown)
        if done.changed and done.after is not None and self.layout.is_made_anew(ref.path):
            yield Notice(NoticeKind.MADE_ANEW, shown)
        if self.recorder and self.recorder.problem:
            yield Notice(NoticeKind.UNDO_OFF, text=self.recorder.problem)
        if done.backup_error:
            yield Notice(NoticeKind.NO_BACKUP, text=done.backup_error)
        if done.after is not None and ref.role:
            yield from over_limit(shown, len(done.after), self.layout.inject_limit(ref.role))


def flush_compaction_summary(mem: Mem, summary: str, count: int | None = None, *, now: datetime | None = None) -> WriteReport:
    """Append the summary of a compaction of `count` messages to today's log (section 12).

    A failure never stops the compaction: then the report has the reason as its message, and `changed` is False. The profile
    `zerostack-1.7` logs it, too.
    """
    try:
        return mem.append_daily(compaction_heading(count), summary, now=now)
    except MemError as error:
        if mem.profile is Profile.ZEROSTACK_1_7:
            import logging  # deferred: needed only here

            logging.getLogger(__name__).warning("The summary of a compaction was not written. %s", error.message)
        return WriteReport(mem.path(mem.ref(Role.LOG)), f"{error.message} {error.hint}".rstrip(), changed=False)


def _with_backup(message: str, done: WriteResult) -> str:
    """The message of an edit, with a warning if no `.bak` could be written (section 10)."""
    return f"{message} (warning: backup failed, no .bak written: {done.backup_error})" if done.backup_error else message


def _with_aliases(raw: bytes, aliases: Sequence[str], path: str) -> bytes:
    """Add aliases to a note. Raises `BadContent` for invalid aliases, and for a note that is not UTF-8."""
    if not aliases:
        return raw
    from zsmem_tui.core.recall.aliases import with_aliases  # deferred: most writes have no aliases

    if not is_utf8(raw):
        raise BadContent(f"{printable_path(path)} is not valid UTF-8, so it can have no aliases. Nothing was written.")
    return with_aliases(raw.decode(), aliases).encode()


def _text_or_empty(raw: bytes | None) -> str:
    try:
        return (raw or b"").decode()
    except UnicodeDecodeError:
        return ""


def _replace_once(text: str, old: str, new: str, where: str) -> str:
    """Replace the only occurrence of `old` by `new`, both taken literally (specification, section 10).

    Raises `NotExactlyOnce`, naming `where`, if `old` does not occur exactly once. Occurrences do not overlap, and an empty `old`
    counts `len(text) + 1` times.
    """
    count = text.count(old)
    if count != 1:
        raise NotExactlyOnce(f"old_str matched {count} time(s) in {where}; it must match exactly once")
    return text.replace(old, new, 1)


def _written(size: int, path: str, skipped: int, backup_error: str, truncated_from: int | None, index: str = "") -> str:
    """The message for a completed write; `index` is the file in which a line about the written file was added."""
    text = f"Wrote {size} bytes to {path}"
    if index:
        text += f", and a line about it to {index}"
    if skipped:
        text += f" (skipped {skipped} duplicate line(s))"
    if backup_error:
        text += f" (warning: backup failed, no .bak written: {backup_error})"
    if truncated_from is not None:
        text += f" (truncated from {truncated_from} bytes to {MAX_WRITE_BYTES} byte cap)"
    return text
