"""A process that works beside this one holds nobody up who does not wait for it any more, whatever it does."""

from __future__ import annotations

import os
import threading
from typing import Any

import pytest

from zsmem_tui.store.disk import beside

READS_NOTHING = "import time; time.sleep(600)"
SAYS_HALF = "import os, time; os.write(1, (100).to_bytes(4, 'big') + b'half'); time.sleep(600)"
SAYS_PART_OF_A_HEAD = "import os, time; os.write(1, b'12'); time.sleep(600)"


def asking(
    monkeypatch: pytest.MonkeyPatch, code: str, request: bytes = b"request", **how: Any
) -> tuple[beside.Helper, threading.Thread, list[bytes | None]]:
    """A process that runs this code, a thread that asks it, and what that was told."""
    monkeypatch.setattr(beside, "CODE", code)
    helper, told = beside.Helper("none"), list[bytes | None]()
    thread = threading.Thread(target=lambda: told.append(helper.ask(request, **how)), daemon=True)
    thread.start()
    return helper, thread, told


@pytest.mark.parametrize("patience", [0.0, 0.2])
@pytest.mark.parametrize("code", [READS_NOTHING, SAYS_HALF, SAYS_PART_OF_A_HEAD])
def test_a_process_that_hangs_is_ended_when_nobody_waits_any_more(
    monkeypatch: pytest.MonkeyPatch, code: str, patience: float
) -> None:
    monkeypatch.setattr(beside, "_LOOK_SECONDS", 0.01)
    looks, request = iter(range(20)), bytes(1 << 20) if code == READS_NOTHING else b"request"
    how: dict[str, Any] = {"cancelled": lambda: next(looks, None) is None, "patience": patience}
    helper, thread, told = asking(monkeypatch, code, request, **how)
    thread.join(20)
    try:
        assert told == [None] and helper._process.wait(10) < 0
    finally:
        helper.close()
        thread.join(20)


def test_one_that_hangs_can_be_ended_by_another_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    helper, thread, told = asking(monkeypatch, READS_NOTHING, bytes(1 << 20))
    assert os.getsid(helper._process.pid) == helper._process.pid, "ctrl+c in the terminal is not for it"
    helper.end()
    thread.join(20)
    helper.close()
    assert told == [None]


def test_words_instead_of_an_answer_are_none_and_who_says_them_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    helper, thread, told = asking(monkeypatch, "import time; print('Warning', flush=True); time.sleep(600)")
    thread.join(20)
    assert told == [None]
    (closing := threading.Thread(target=helper.close, daemon=True)).start()
    closing.join(20)
    assert not closing.is_alive()
