"""Several writes as one step: all of them, or as if none had been made."""

from __future__ import annotations

import contextlib
import time
from types import TracebackType

from zsmem_tui.core.errors import MemError, StoreError
from zsmem_tui.core.merge import Merged, merge
from zsmem_tui.core.outcomes import SaveOutcome
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.version import Origin
from zsmem_tui.store import writing
from zsmem_tui.store.history.journal import Recorder
from zsmem_tui.store.write_path import confirming, saving
from zsmem_tui.store.write_path.placing import WriteResult


class Batch:
    """Writes to files below `root` that belong together, as a context.

    An error that leaves the context takes back what was written before it, so that "nothing was written" is so; where that cannot
    be, the error's sentence says what stays. When all is well, the files are watched for a moment (`confirming`); `lasting` is
    False afterwards when another program keeps writing over one of them.
    """

    def __init__(self, root: str, recorder: Recorder, *, dry_run: bool = False, make_root: bool = True) -> None:
        self.recorder = recorder
        self.lasting = True
        self._root = root
        self._dry_run = dry_run
        self._make_root = make_root
        self._done: list[tuple[str, bytes | None, bytes | None]] = []
        self._written: dict[str, WriteResult] = {}

    def __enter__(self) -> Batch:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if isinstance(error, MemError) and self._done:
            self._take_back(error)
        elif error is None and self._written:
            found = confirming.confirm_all(self._root, self._written, self.recorder)
            self.lasting = all(each.confirmed for each in found.values())

    def update(self, path: str, change: writing.Transform, *, modified: int | None = None) -> WriteResult:
        """`writing.update`. Raises `OutsideStore` or `WriteFailed`."""
        done = writing.update(
            self._root,
            path,
            change,
            dry_run=self._dry_run,
            recorder=self.recorder,
            modified=modified,
            make_root=self._make_root,
        )
        self._note(path, done)
        return done

    def save(self, path: str, mine: bytes, base: bytes | None) -> SaveOutcome:
        """`saving.save`. Raises `OutsideStore` or `WriteFailed`."""
        outcome, done = saving.put(self._root, path, mine, base, recorder=self.recorder, make_root=self._make_root)
        if done is not None:
            self._note(path, done)
        return outcome

    def remove(self, path: str, expected: bytes | None = None) -> WriteResult:
        """`writing.remove`. Raises `Missing`, `OutsideStore` or `WriteFailed`."""
        done = writing.remove(self._root, path, expected=expected, dry_run=self._dry_run, recorder=self.recorder)
        self._note(path, done)
        return done

    def _note(self, path: str, done: WriteResult) -> None:
        if done.changed and not self._dry_run:
            self._done.append((path, done.before, done.after))
            self._written[path] = done

    def _take_back(self, error: MemError) -> None:
        label = f"Took back: {self.recorder.label}"
        back = Recorder(self.recorder.home, time.time_ns, label=label, origin=Origin.UNDO, relation=f"undoes {self.recorder.batch}")
        stay = []
        for path, before, after in reversed(self._done):
            try:
                if not self._restore(path, before, after, back):
                    stay.append(printable_path(path))
            except StoreError:
                stay.append(printable_path(path))
        if stay:
            shown = ", ".join(sorted(set(stay)))
            error.message = f"{error.message.removesuffix(' Nothing was written.')} Before that, these were written: {shown}."
            return
        with contextlib.suppress(StoreError):
            back.record_step_end()

    def _restore(self, path: str, before: bytes | None, after: bytes | None, back: Recorder) -> bool:
        """Whether a file is again without what was written; not, where somebody has changed the same lines. Raises `StoreError`."""
        is_back = True

        def change(now: bytes | None) -> bytes | None:
            nonlocal is_back
            found = merge(after or b"", before or b"", now or b"") if now not in (before, after) else Merged(before or b"", 0)
            is_back = isinstance(found, Merged)
            return found.text if isinstance(found, Merged) else None

        if before is None and after is not None:
            writing.remove(self._root, path, expected=after, recorder=back)
        else:
            writing.update(self._root, path, change, recorder=back, make_root=False)
        return is_back
