"""The sample store: copied to a temporary folder, its dates moved so that its last day is today."""

from __future__ import annotations

import os
from datetime import date
from typing import Final

from zsmem_tui.config import locate
from zsmem_tui.config.model import Config
from zsmem_tui.service.session import Session, local_clock
from zsmem_tui.store.disk import temporary
from zsmem_tui.store.transfer import demo

PROJECT: Final = "lantern-2cf21588"
"""The project that the sample store opens on."""

_opened: list[str] = []


def make_demo(today: date, folder: str | None = None) -> str:
    """Copy the sample store to `folder` (default: a new temporary one) as it would look on `today`; return its root."""
    root = folder or os.path.join(temporary.make_folder("zsmem-demo-"), "memory")
    demo.make_demo(locate.shipped("demo", "store"), today, root)
    return root


def open_demo(config: Config) -> Session:
    """A session on a fresh copy of the sample store; settings that name another root do not count."""
    clock = local_clock
    root = make_demo(clock().date())
    _opened.append(root)
    return Session(root, PROJECT, config=config, clock=clock, history_home=os.path.join(os.path.dirname(root), "history"))


def remove_demos() -> None:
    """Delete the sample stores that this run opened: they were made for looking around."""
    while _opened:
        temporary.drop_folder(os.path.dirname(_opened.pop()))
