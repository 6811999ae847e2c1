"""Archived projects: each a bundle in the state folder, removed from the store."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

from zsmem_tui.core.errors import MemError
from zsmem_tui.core.layout import Layout
from zsmem_tui.store.disk import files, state
from zsmem_tui.store.disk.files import failing
from zsmem_tui.store.disk.folders import delete_if_possible, make_private
from zsmem_tui.store.disk.processes import unique_name
from zsmem_tui.store.disk.replace import replacing

ENDING: Final = ".tar.gz"
NOTHING: Final = "Nothing was put away."


def new_place(root: str) -> str:
    """The path for a new bundle of the store at `root`."""
    return os.path.join(state.folder("archives", root), f"{unique_name()}{ENDING}")


@contextmanager
def bundled(place: str, root: str, paths: Sequence[str], known: Mapping[str, str], layout: Layout) -> Iterator[list[str]]:
    """Write a bundle of these files, which is deleted if that or the block fails; `known` maps slugs to projects' folders.

    Raises `StoreError`.
    """
    from zsmem_tui.store.transfer import bundle  # deferred: loads gzip and tarfile

    try:
        with failing(place, NOTHING):
            make_private(os.path.dirname(place))
            with replacing(place) as stream:
                bundle.write(root, list(paths), known, layout, stream)
        yield []
    except MemError:
        delete_if_possible(place)
        raise


def texts(place: str, root: str, paths: Sequence[str], layout: Layout) -> Iterator[tuple[str, bytes]]:
    """(path, content) of the files in a bundle or, if it does not exist yet, of the files that will be in it.

    Raises `BadContent` or `StoreError`.
    """
    from zsmem_tui.store.transfer import bundle  # as above

    if os.path.exists(place):
        yield from ((member.path, raw) for member, raw in bundle.texts(place, bundle.look(place, layout)))
    else:
        yield from ((path, files.read(os.path.join(root, path))[0]) for path in paths)
