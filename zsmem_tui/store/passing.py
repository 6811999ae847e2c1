"""The texts of a store for one search, after which the program ends: each file opened once, nothing asked about it before."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from zsmem_tui.core.find import WORTH_LOADING_BYTES, use_fastest
from zsmem_tui.core.layout import Folder
from zsmem_tui.core.passed import Allowance, PassedTexts
from zsmem_tui.core.search import Cancelled, never
from zsmem_tui.core.slab import SLAB_BYTES, Slab
from zsmem_tui.store.disk import files, listing
from zsmem_tui.store.disk.joined import PieceReader


def each_slab(root: str, folders: Iterable[Folder], keep_bytes: int, *, cancelled: Callable[[], bool] = never) -> Iterator[Slab]:
    """The memory files in `folders`, some at a time, for a search that goes over them once.

    Files that cannot be read are there with an empty text. Of the texts that are found in, `keep_bytes` at most are kept for who
    looks at them then; the others are read again. Raises `Cancelled` when `cancelled()` says so between two folders.
    """
    reader, allowance, total = PieceReader(SLAB_BYTES), Allowance(keep_bytes), 0
    for folder in listing.expanded(root, folders):
        if cancelled():
            raise Cancelled
        home = os.path.join(root, folder.path) if folder.path else root
        for names, data, starts in reader.pieces(home, listing.names(root, folder)):
            total += len(data)
            if total > WORTH_LOADING_BYTES:
                use_fastest()
            texts = PassedTexts(data, starts, partial(_read, home, names), allowance)
            yield Slab(home, folder, names, partial(_texts, texts))
            texts.let_go()


def _texts(texts: PassedTexts, slab: Slab) -> PassedTexts:
    return texts


def _read(home: str, names: Sequence[str], place: int) -> bytes:
    """The bytes of a file now; none when it cannot be read."""
    return files.read_or_empty(f"{home}/{names[place]}")
