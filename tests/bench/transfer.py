"""How fast 5,000 items are planned and painted on the screen of import and export, whichever way they go.

    python -m tests.bench.transfer

From the key that asks for the plan to the painted list; then a tick, a filter, a key in the list.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final
from unittest import mock

from tests.bench.import_ import MAKERS
from tests.ui.driving import running, screen_text
from zsmem_tui.config.model import Config
from zsmem_tui.service import formats
from zsmem_tui.service.session import Session
from zsmem_tui.service.transferring import Goal
from zsmem_tui.ui.app import ZsmemApp
from zsmem_tui.ui.dialogs.plan import PlanDialog
from zsmem_tui.ui.transfer.jobs import Job, bring_in, take_to
from zsmem_tui.ui.transfer.screen import TransferScreen

MANY: Final = 5_000

AIM: Final = 1_000
"""Milliseconds of work from the key to the painted plan: what others do on the machine is not counted."""


async def shown(screen: TransferScreen, job: Job) -> None:
    """Plan it, and show that."""
    await screen.start(job)
    await screen.show_job(job)


async def measured(session: Session, jobs: Mapping[str, Callable[[], Job]]) -> None:
    """Each job planned on the screen, then used."""
    app = ZsmemApp(session, follow=False)
    async with running(app, size=(120, 40)) as pilot:
        await pilot.press("f4")
        while not app.screen.source:  # type: ignore[attr-defined]
            await pilot.pause()
        screen: Any = app.screen
        for name, job in jobs.items():
            start, busy = time.perf_counter(), time.process_time()
            app.talk(shown(screen, job()), screen)
            while not isinstance(app.screen, PlanDialog):
                await pilot.pause()
            await pilot.pause()
            painted, used = (time.perf_counter() - start) * 1000, (time.process_time() - busy) * 1000
            rows = len(app.screen.rows.keys)
            assert "nothing is written before A" in screen_text(app)
            took = {}
            for what, key in (("tick", "space"), ("cursor", "j")):
                start = time.perf_counter()
                await pilot.press(key)
                while any(each.group == "plan" and not each.is_finished for each in app.workers):
                    await pilot.pause()
                await pilot.pause()
                took[what] = (time.perf_counter() - start) * 1000
            verdict = "ok" if used <= AIM else "OVER"
            print(
                f"{name:<28} {rows:>6} rows painted in {painted:>6.0f} ms, {used:>6.0f} of them worked (aim {AIM}) {verdict}   "
                f"a tick {took['tick']:>5.0f} ms   the cursor {took['cursor']:>4.0f} ms",
                flush=True,
            )
            await pilot.press("escape")
            while isinstance(app.screen, PlanDialog):
                await pilot.pause()


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, {"HOME": f"{folder}/home"}):
        base = Path(folder)
        os.environ["ZSMEM_STATE_DIR"] = str(base / "state")
        memory = base / "memory"
        notes = memory / "projects/app-00000000/notes"
        notes.mkdir(parents=True)
        (memory / "MEMORY.md").write_text("".join(f"- fact {number} of many\n" for number in range(MANY)))
        for number in range(MANY):
            (notes / f"note-{number}.md").write_text(f"# Note {number}\n\nText.\n")
        config = Config()
        session = Session(str(memory), "app-00000000", folder="/srv/app", config=config, history_home=str(base / "history"))
        empty = base / "empty"
        empty.mkdir()
        fresh = Session(str(empty), "app-00000000", folder="/srv/app", config=config, history_home=str(base / "history"))
        places = {name: str(MAKERS[name](base / name)) for name in ("claude-code", "markdown", "ethos")}
        asyncio.run(measured(fresh, {f"in from {name}": partial(bring_in, fresh, name, place) for name, place in places.items()}))
        goals = [
            Goal(formats.of_agent(name), str(base / "out" / name), group)
            for name, group in (("markdown", ""), ("ethos", "personality:eng"), ("claude-code", ""))
        ]
        asyncio.run(measured(session, {f"out to {goal.format.name}": partial(take_to, session, goal) for goal in goals}))


if __name__ == "__main__":
    main()
