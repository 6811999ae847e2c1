"""Projects put away: each a bundle in the state folder, and then no more in the store."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from zsmem_tui.agents.zerostack.layout import ZEROSTACK
from zsmem_tui.core.errors import MemError, WriteFailed
from zsmem_tui.core.layout import Layout
from zsmem_tui.core.text import printable_path
from zsmem_tui.store import interrupted, step_record
from zsmem_tui.store.disk import folders, state
from zsmem_tui.store.disk.folders import make_private
from zsmem_tui.store.disk.replace import replacing
from zsmem_tui.store.history.journal import Recorder
from zsmem_tui.store.step_record import Moved
from zsmem_tui.store.steps import Batch

ENDING: Final = ".tar.gz"
_FAILED: Final = "Nothing was put away."


class Archived(NamedTuple):
    """Where the bundle is, how many files are in it, and which were written meanwhile and so stay."""

    place: str
    files: int
    stays: tuple[str, ...] = ()


def archive(
    root: str, homes: Sequence[str], paths: list[str], known: Mapping[str, str], layout: Layout, recorder: Recorder
) -> Archived:
    """Write the files of projects as a bundle, then take them out of the store, as one step.

    `paths` are all of them, `known` are the projects' folders by slug. Raises `StoreError`: the store is as it was then.
    """
    from zsmem_tui.store.transfer import bundle  # gzip and tarfile with it

    place = os.path.join(state.folder("archives", root), f"{recorder.batch}{ENDING}")
    try:
        make_private(os.path.dirname(place))
        with replacing(place) as stream:
            count = bundle.write(root, paths, known, layout, stream)
    except OSError as error:
        raise WriteFailed(place, f"{printable_path(place)}: {error.strerror}. {_FAILED}") from error
    removed = [
        path for home in homes for path in (home, *(f"{home}/{each}" for each in folders.inside(os.path.join(root, home)).folders))
    ]
    try:
        step_record.put(recorder.batch, Moved(removed=tuple(removed))._asdict(), _FAILED)
        with Batch(root, recorder, make_root=False, nothing=_FAILED) as batch:
            batch.removes_folders = removed
            for member, raw in bundle.texts(place, bundle.look(place, layout)):
                if interrupted.standing(root, member.path) == raw:
                    batch.remove(member.path, expected=raw, is_left=True)
    except MemError:
        step_record.drop(recorder.batch)
        with contextlib.suppress(OSError):
            state.drop(place)
        raise
    return Archived(place, count, tuple(path for path in paths if os.path.lexists(os.path.join(root, path))))


def masked(place: str, secret: bytes, mask: bytes) -> bytes | None:
    """A bundle of ours with `mask` for `secret`; None where it is not in it. Raises `BadContent` or `StoreError`."""
    from zsmem_tui.store.transfer import bundle  # as above

    return bundle.replaced(place, secret, mask, ZEROSTACK)
