"""Credentials that were masked in files, and forgetting them in the history."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from zsmem_tui.core.checks.secret import mask
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.text import listed
from zsmem_tui.service import applying, history
from zsmem_tui.service.plan import Plan
from zsmem_tui.service.session import Session
from zsmem_tui.ui.dialogs.ask import choose
from zsmem_tui.ui.perform import attempt
from zsmem_tui.ui.wording import place_name

if TYPE_CHECKING:
    from zsmem_tui.ui.tool import Place

_MOST_NAMED: Final = 3
"""The most credentials, and the most files, that a question names."""


class Masked(NamedTuple):
    """Credentials that a plan masks in these files of a memory; perhaps none."""

    session: Session
    secrets: Sequence[str]
    paths: Sequence[str]

    @property
    def _what(self) -> str:
        return "it" if len(self.secrets) == 1 else "them"

    def apply(self, plan: Plan) -> VerbResult:
        """Apply the plan; the message says that the history still holds what it masks. Raises `MemError`."""
        done = applying.apply(plan)
        if not (self.secrets and done.changed):
            return done
        still = f"The history still holds {self._what}: P forgets {self._what} for good"
        return replace(done, message=f"{done.message.rstrip('.')}. {still}")

    async def forget(self, place: Place) -> str | None:
        """Ask whether every version and file shall forget them; return a message, None if not."""
        session, what = self.session, self._what
        left = await asyncio.to_thread(history.files_holding, session, self.secrets)
        here, there = [listed([place_name(path, session) for path in own], _MOST_NAMED) for own in (self.paths, left)]
        masks = listed([f"{mask(each)} ({len(each)} characters)" for each in self.secrets], _MOST_NAMED)
        also = f"in {there} and in" if there else "in"
        words = f"{masks}: masked in {here}, but still {also} versions of the history, and u brings {what} back."
        answers = [("keep", f"Keep {what} in the history"), ("forget", f"Forget {what}: in every version and file of this memory")]
        if await choose(place, "Forget", f"{words} Forgetting cannot be undone.", answers) != "forget":
            return None
        return await attempt(asyncio.to_thread(self._forget_all), partial(place.say, warning=True))

    def _forget_all(self) -> str:
        """Remove them from all versions and files; return a message. Raises `MemError`."""
        done = [history.forget(self.session, secret, in_files=True) for secret in self.secrets]
        every = (f"Forgot all {len(done)}, in every version and every file.", *(each.doubts for each in done))
        return done[0].message if len(done) == 1 else " ".join(filter(None, dict.fromkeys(every)))
