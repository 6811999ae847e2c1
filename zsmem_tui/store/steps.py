"""Write several files as one step: either all changes or none, even if the program is killed in between.

A step is collected first: each change is computed from the current text, and nothing is written. Then the old and new texts of all
files are written to one note in the state folder and synced; from then on the step will be completed. The stores are locked, each
file is replaced by the write path, new texts before deletions, so that moved text always exists in at least one place, and the
journal gets everything as one entry. On failure, written files are reverted; a step of a dead process is completed by the next one
(`interrupted`), or reverted if somebody has changed the same lines since. A step of one file needs no note, since replacing a file
is atomic.
"""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
import weakref
from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import IO, Any, Final, NamedTuple

from zsmem_tui.core.errors import Conflict, MemError, Missing, WriteConflict, WriteFailed
from zsmem_tui.core.lost_update import facts_of
from zsmem_tui.core.outcomes import Saved, SaveOutcome, Unchanged
from zsmem_tui.core.text import printable_path
from zsmem_tui.store import step_record, writing
from zsmem_tui.store.disk import folders, lock, waiting
from zsmem_tui.store.disk.files import digest_of, failing, missing
from zsmem_tui.store.disk.swap import present
from zsmem_tui.store.disk.waiting import Patience
from zsmem_tui.store.history.journal import Change, Recorder
from zsmem_tui.store.interrupted import TAKEN_BACK, Done, Edit, Note, Place, standing, take_back
from zsmem_tui.store.write_path.confirming import confirm_all
from zsmem_tui.store.write_path.install_file import Transform, WriteResult
from zsmem_tui.store.write_path.locating import refuse_gone, require_root, resolve

Progress = Callable[[int, int], object]
"""Called before each file with (files written, files in all). It may raise to cancel: written files are reverted then."""

_SYNCED_ONE_BY_ONE: Final = 16
"""Up to this many files of a step are synced one by one; for more, one sync at the end is much quicker."""

_IN_MEMORY: Final = 16 * 1024 * 1024
"""Bytes of a step's texts held in memory until it is applied; more are kept in a temporary file."""

NOTHING: Final = "Nothing was written."
_NOTHING_DONE: Final = re.compile(r" (Nothing was [^.]*|It was written, but may not survive a power cut)\.$")


class Batch:
    """A context that collects changes of files below `root` and applies them as one step if it ends without an error.

    With `dry_run` they are only computed. `nothing` is the sentence for a failed step. With `ends`, the end of the step is recorded
    in the history even if nothing changed. `makes_folders`, below the root, exist after the step, and `removes_folders` are removed
    if empty. Afterwards `lasting` is False if another program keeps overwriting one of the files, and `written` has the result for
    each.
    """

    def __init__(
        self,
        root: str,
        recorder: Recorder,
        *,
        dry_run: bool = False,
        make_root: bool = True,
        ends: bool = False,
        nothing: str = NOTHING,
    ) -> None:
        self.root = root
        self.recorder = recorder
        self.ends = ends
        self.nothing = nothing
        self.progress: Progress | None = None
        self.lasting = True
        self.is_part = False
        self.make_root = make_root
        self.makes_folders: Sequence[str] = ()
        self.removes_folders: Sequence[str] = ()
        self.edits: dict[str, Edit] = {}
        self.written: dict[str, WriteResult] = {}
        self._dry_run = dry_run
        self._texts = _Texts()
        self._seen: dict[str, Callable[[], bytes | None]] = {}

    def __enter__(self) -> Batch:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if error is None and not self.is_part:
            self.apply()

    def apply(self) -> None:
        """Write the collected changes. Raises `MemError`; nothing has changed then, or its message says what has."""
        if not self._dry_run:
            apply([self])

    def update(
        self,
        path: str,
        change: Transform,
        *,
        modified: int | None = None,
        mode: int = 0,
    ) -> WriteResult:
        """Change the file at `path` by `change`, a function of its content at that time; return the result for the current content.

        See `writing.update`. Raises `OutsideStore`, `WriteFailed` and whatever `change` raises.
        """
        place, now, seen = self._look(path)
        after = change(now)
        if after is None or after == now:
            return WriteResult(place, now, now, changed=False)
        self.recorder.ask(path, now, after)
        writing.refuse_protected(place, self.nothing)
        self._add(path, seen, after, change, modified=modified, mode=mode)
        return WriteResult(place, now, after, changed=True)

    def put(self, path: str, expected: str, raw: bytes, *, modified: int | None = None, mode: int = 0) -> WriteResult:
        """Give a file the content `raw`, if its content has the digest `expected` or is `raw` already.

        Raises `Conflict` if it has another content, `OutsideStore` or `WriteFailed`.
        """

        def change(now: bytes | None) -> bytes:
            if now != raw and digest_of(now) != expected:
                raise self.changed(path)
            return raw

        return self.update(path, change, modified=modified, mode=mode)

    def replace(self, path: str, before: bytes | None, after: bytes | None) -> WriteResult:
        """Replace the content `before` of a file by `after` (None: no file). Raises the errors of `put`, and `Conflict` if it is
        not `before`.
        """
        if after is not None:
            return self.put(path, digest_of(before), after)
        place, now, _ = self._look(path)
        if now == after:
            return WriteResult(place, None, None, changed=False)
        if now != before:
            raise self.changed(path)
        return self.remove(path, expected=before)

    def save(self, path: str, mine: bytes, base: bytes | None, *, modified: int | None = None, mode: int = 0) -> SaveOutcome:
        """Save `mine`, edited from `base` (None: no file), merged with what others wrote since. `modified`, `mode` as for `update`.

        Returns `Conflicted` if they changed the same lines; the file is left out then. Raises `OutsideStore` or `WriteFailed`.
        """

        edited = writing.EditedText(mine, base)

        def change(now: bytes | None) -> bytes | None:
            made = edited(now)
            if edited.conflict is not None:
                raise self.changed(path)
            return made

        _, now, _ = self._look(path)
        edited(now)
        if edited.conflict is not None:
            return edited.conflict
        kept = edited.kept_lines
        done = self.update(path, change, modified=modified, mode=mode)
        return Saved(done.after or b"", kept) if done.changed else Unchanged(done.after or b"")

    def remove(self, path: str, expected: bytes | None = None, *, is_left: bool = False) -> WriteResult:
        """Delete the file; with `expected`, only if that is its content. With `is_left` it is kept if it changes meanwhile.

        Raises `Missing`, `Conflict`, `OutsideStore` or `WriteFailed`.
        """
        place, now, seen = self._look(path)
        if now is None:
            raise missing(place)
        if expected is not None and now != expected:
            raise self.changed(path)
        self.recorder.ask(path, now, None)
        writing.refuse_protected(place, self.nothing)
        self._add(path, seen, None, None, is_left=is_left)
        return WriteResult(place, now, None, changed=True)

    def changed(self, path: str) -> Conflict:
        """The error to raise if a file has changed since the step was planned."""
        return Conflict(f"Somebody changed {printable_path(path)} since the plan was made. {self.nothing}", "Look at it again.")

    def rename(self, path: str, new: str) -> None:
        """Change the case of a file's name. Raises `OutsideStore` or `WriteFailed`."""
        _, now, seen = self._look(path)
        self._add(path, seen, now, None, renamed=new)

    def _look(self, path: str) -> tuple[str, bytes | None, Callable[[], bytes | None]]:
        """(path, content after the changes collected so far, function that returns the content on disk) for a file."""
        if self.make_root:
            refuse_gone(self.root)
        else:
            require_root(self.root, make=False)
        place, known = resolve(self.root, path), self.edits.get(path)
        if known is not None:
            return place, known.after(), known.before
        if path not in self._seen:
            self._seen[path] = self._texts.put(present(place))
        seen = self._seen[path]
        return place, seen(), seen

    def _add(
        self,
        path: str,
        before: Callable[[], bytes | None],
        after: bytes | None,
        change: Transform | None,
        **more: Any,
    ) -> None:
        known = self.edits.get(path)
        changes = (*(known.changes if known else ()), *((change,) if change else ()))
        if known and after is not None:
            more = {"mode": known.mode, "modified": known.modified} | {name: value for name, value in more.items() if value}
        self.edits[path] = Edit(path, before, self._texts.put(after), changes, **more)


def apply(batches: Sequence[Batch]) -> None:
    """Write the changes collected for one or several roots, as one step.

    Raises `Conflict` if somebody changed a file meanwhile, `StoreError` or `RuleBroken`; nothing has changed then, or the message
    says what has.
    """
    parts = [_Part(each, edit) for each in batches for edit in each.edits.values()]
    parts = [part for part in parts if part.edit.renamed or part.edit.before() != part.edit.after()]
    parts.sort(key=lambda part: part.edit.after() is None)
    stores = {part.batch.root: part.batch for part in parts if part.edit.foreign is None}
    places = [_place(batch, parts) for batch in batches]
    nothing, stay = batches[0].nothing, list[str]()
    try:
        with contextlib.ExitStack() as stack:
            note, patience = None, waiting.current()
            if len(parts) > 1:
                stack.enter_context(waiting.under_way(patience))
            for batch in sorted(stores.values(), key=lambda each: os.path.realpath(each.root)):
                require_root(batch.root, make=batch.make_root)
                stack.enter_context(lock.writer(batch.root))
            for part in parts:
                _refuse_stale(*part)
            for batch in stores.values():
                own = (part.edit for part in parts if part.batch is batch and part.edit.foreign is None and not part.edit.renamed)
                step_record.add_gone(batch.recorder.batch, batch.root, [edit.path for edit in own if edit.after() is None])
            if len(parts) > 1 or any(each.ends or each.makes_folders or each.removes_folders for each in places):
                note = stack.enter_context(Note(nothing))
                note.fill(places, ((batches.index(each.batch), each.edit) for each in parts))
            _write(parts, note, batches, places, stay, patience)
        _confirm(batches)
        step_record.add_folders((place.recorder.batch, place.root, place.made) for place in places if place.made)
    except MemError as error:
        for place in places:
            folders.remove_empty(place.root, place.made)
        error.message = _failure_message(error.message, stay, nothing)
        error.args = (error.message,)
        raise


def remade(now: bytes | None, changes: Sequence[Transform]) -> bytes | None:
    """Apply all changes in turn to the content `now`; a change that returns None leaves it. Raises what they raise."""
    for change in changes:
        made = change(now)
        now = now if made is None else made
    return now


def _refuse_stale(batch: Batch, edit: Edit) -> None:
    """Check that a file has not changed since the step was collected, or that its change can be applied anew. Raises if not.

    Nothing is written yet. Since the stores are locked, no other process of ours can write from here on.
    """
    if edit.foreign is not None or (now := standing(batch.root, edit.path)) == edit.before():
        return
    if edit.after() is None and (now is None or not edit.is_left):
        raise batch.changed(edit.path)
    remade(now, edit.changes)


def _place(batch: Batch, parts: Sequence[_Part]) -> Place:
    """The description of one store of a step for its note."""
    written = [part.edit.path for part in parts if part.batch is batch and part.edit.after() is not None]
    return Place(
        os.path.abspath(batch.root),
        batch.recorder,
        batch.ends,
        batch.make_root,
        tuple(batch.makes_folders),
        tuple(batch.removes_folders),
        tuple(dict.fromkeys(folder for path in written for folder in _missing_folders(batch.root, path))),
    )


class _Part(NamedTuple):
    """One file of a step."""

    batch: Batch
    edit: Edit


def _write(
    parts: Sequence[_Part],
    note: Note | None,
    batches: Sequence[Batch],
    places: Sequence[Place],
    stay: list[str],
    patience: Patience,
) -> None:
    """Write each file in turn. On any failure, written files are reverted; paths that could not be are added to `stay`."""
    _note_carried(parts)
    done: list[Done] = []
    progress = next((batch.progress for batch in batches if batch.progress), None)
    durable = len(parts) <= _SYNCED_ONE_BY_ONE
    with contextlib.ExitStack() as on_failure:  # any exception, including ctrl+c

        @on_failure.callback
        def _() -> None:
            if note is not None:
                note.mark(TAKEN_BACK)
                note.is_needed = True  # in case reverting is interrupted, too
            left = take_back(done, places)
            stay.extend(each.path for each in left)
            is_told = not [place for place in places if not place.recorder.record_step()]
            if note is not None:
                note.is_needed = any(each.why for each in left) or not is_told

        for number, part in enumerate(parts):
            patience.far = number, len(parts)
            if progress is not None:
                progress(number, len(parts))
            recorder, edit = part.batch.recorder, part.edit
            recorder.noted = Change(edit.path, edit.before, edit.after) if note is not None and note.is_kept else None
            try:
                _write_one(part, done, durable=durable)
            finally:
                recorder.noted = None
        on_failure.pop_all()
    if not durable:
        os.sync()  # must come before the note is deleted, which would restore the files
    is_told = not [place for place in places if not place.recorder.record_step()]
    for place in places:
        place.settle()
        if place.ends:
            place.recorder.record_step_end()
    if note is not None:
        note.is_needed = not is_told  # the note has the only copy of the texts then
        if is_told:
            note.drop()


def _note_carried(parts: Sequence[_Part]) -> None:
    """Tell the recorders which files get lines that this step takes from another file."""
    own = [part for part in parts if part.edit.foreign is None and not part.edit.renamed]
    if len(own) < 2 or all(part.batch.recorder.carries(part.edit.path) for part in own):
        return
    texts = [(part, facts_of(part.edit.before()), facts_of(part.edit.after())) for part in own]
    taken = set[str]().union(*(before - after for _, before, after in texts))
    for (batch, edit), before, after in texts:
        if taken & (after - before) and not batch.recorder.carries(edit.path):
            batch.recorder.carried = {*batch.recorder.carried, edit.path}


def _confirm(batches: Sequence[Batch]) -> None:
    """Watch briefly whether the written texts last."""
    for batch in batches:
        texts = {path: each for path, each in batch.written.items() if each.changed and each.after is not None}
        if texts:
            found = confirm_all(batch.root, texts, batch.recorder)
            batch.written |= found
            batch.lasting = all(each.confirmed for each in found.values())


def _write_one(part: _Part, done: list[Done], *, durable: bool) -> None:
    """Write one file; `done` gets an entry before the attempt, updated with the actual old and new content afterwards."""
    batch, edit = part
    before, after = edit.before(), edit.after()
    if edit.foreign is not None:
        done.append(Done(batch.root, edit.path, before, after, foreign=edit.foreign))
        edit.foreign.do()
        return
    if edit.renamed:
        done.append(Done(os.path.abspath(batch.root), edit.path, before, before, edit.renamed))
        writing.rename(batch.root, edit.path, edit.renamed, batch.recorder)
        return
    done.append(Done(os.path.abspath(batch.root), edit.path, before, after))
    if after is None:
        try:
            found = writing.remove(batch.root, edit.path, expected=before, recorder=batch.recorder)
        except (Missing, WriteFailed) as error:
            if standing(batch.root, edit.path) == before:
                raise
            if isinstance(error, Missing | WriteConflict):
                done.pop()  # we did not delete it
            if edit.is_left:
                return
            raise batch.changed(edit.path) from error
    else:

        def change(now: bytes | None) -> bytes | None:
            done[-1] = done[-1]._replace(before=now, after=now)  # placeholder until our change is applied
            made = after if now == before else remade(now, edit.changes)
            done[-1] = done[-1]._replace(after=made)
            return made

        try:
            found = writing.update(
                batch.root,
                edit.path,
                change,
                recorder=batch.recorder,
                modified=edit.modified,
                mode=edit.mode,
                make_root=batch.make_root,
                durable=durable,
            )
        except WriteConflict as error:
            raise batch.changed(edit.path) from error
    done[-1] = done[-1]._replace(before=found.before, after=found.after)
    batch.written[edit.path] = found


def _missing_folders(root: str, path: str) -> Iterator[str]:
    """The missing parent folders of a file, deepest first, relative to the root; the root and its parents too if missing."""
    folder = os.path.normpath(os.path.join(os.path.abspath(root), os.path.dirname(path)))
    while not os.path.lexists(folder):
        yield os.path.relpath(folder, os.path.abspath(root))
        folder = os.path.dirname(folder)


def _failure_message(message: str, stay: Sequence[str], nothing: str) -> str:
    """The message of a failed step according to what is on disk; files in `stay` could not be reverted."""
    if not stay:
        bare = message.removesuffix(" It was written, but may not survive a power cut.").removesuffix(NOTHING).rstrip()
        return message if bare == message else f"{bare} {nothing}"
    bare = _NOTHING_DONE.sub("", message)
    return f"{bare} Before that, these were written, and could not be taken back yet: {', '.join(stay)}."


class _Texts:
    """The texts of a step until it is applied: in memory, or in a temporary file if they are large."""

    def __init__(self) -> None:
        self._size = 0
        self._file: IO[bytes] | None = None

    def put(self, raw: bytes | None) -> Callable[[], bytes | None]:
        """Store a text; return a function that reads it back. Raises `WriteFailed` if there is no space."""
        self._size += len(raw or b"")
        if raw is None or self._size <= _IN_MEMORY:
            return lambda: raw
        with failing(tempfile.gettempdir(), NOTHING):
            if self._file is None:
                self._file = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the step is
                weakref.finalize(self, self._file.close)
            at = self._file.seek(0, os.SEEK_END)
            self._file.write(raw)
        return lambda: self._read(at, len(raw))

    def _read(self, at: int, size: int) -> bytes:
        assert self._file is not None
        self._file.seek(at)
        return self._file.read(size)


class Store(NamedTuple):
    """One of several stores of a step, with what is needed to open it again."""

    kind: str
    root: str
    group: str
    folder: str = ""


def join(recorders: Sequence[Recorder], stores: Sequence[Store]) -> None:
    """Make these recorders record one common step, and store which stores it is in, before anything is written.

    If that fails, their `problem` says why it cannot be undone as one.
    """
    batch = recorders[0].batch
    for recorder in recorders:
        recorder.batch = batch
    if len(stores) < 2:
        return
    facts = {"stores": [list(store) for store in stores]}
    step_record.put_if_possible(recorders, facts, "The step can only be undone store by store.")


def stores_of(batch: str) -> list[Store]:
    """The stores that a step was made in; empty if it was made in only one."""
    try:
        return [Store(*map(str, store)) for store in step_record.get(batch).get("stores", ())]
    except TypeError:
        return []
