"""Texts on their way from one store into another, and what was decided about the credentials in them."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence

from zsmem_tui.core.listed import Rewrite
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.text import printable_path
from zsmem_tui.service.outgoing_secrets import going_out, in_texts, masked_bytes, masked_changes, masked_new
from zsmem_tui.service.plan import Edit, Gate, Handling
from zsmem_tui.service.session import Session


class OutgoingTexts:
    """What comes into a store from others. What stays in it is nobody's business but the person's: it has the same readers."""

    def __init__(self, target: Session, secrets: Handling) -> None:
        self._target = target
        self._secrets = secrets
        self._texts: dict[str, str] = {}

    def leaving(self, source: Session, ref: MemRef, raw: bytes) -> bytes:
        """A text as it arrives: of another store, with its credentials masked if that was decided."""
        if os.path.realpath(source.root) == os.path.realpath(self._target.root):
            return raw
        self._texts[source.path(ref)] = raw.decode("utf-8", "replace")
        return masked_bytes(raw) if self._secrets is Handling.MASK else raw

    def decided(self, edits: Sequence[Edit], taken: Collection[str]) -> tuple[tuple[Edit, ...], Gate]:
        """The changes as they shall be, and the credentials in question. `taken` are the places of the texts that go."""
        texts = [(place, text) for place, text in self._texts.items() if place in taken]
        places = {printable_path(place) for place, _ in texts}
        gains = [edit for edit in edits if edit.session is self._target]
        leaks = {secret: each for secret, each in (going_out(gains, texts) if texts else {}).items() if each.place in places}
        if self._secrets is not Handling.MASK:
            return tuple(edits), Gate(self._secrets, tuple(leaks.values()))
        secrets = tuple(leaks)  # what only the other text around it makes a credential
        masking = [each._replace(changes=tuple(_masking(change, secrets) for change in each.changes)) for each in gains]
        losses = [edit for edit in edits if edit.session is not self._target]
        noticed = dict.fromkeys((*in_texts(texts, taken), *leaks.values()))
        return (*masked_changes(masking, secrets), *losses), Gate(self._secrets, tuple(noticed))


def _masking(rewrite: Rewrite, secrets: Sequence[str]) -> Rewrite:
    """The same, with what it brings masked."""

    def masking(now: bytes | None) -> bytes | None:
        made = rewrite(now)
        return None if made is None else masked_new(now, made, secrets)

    return masking if secrets else rewrite
