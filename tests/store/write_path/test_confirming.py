from __future__ import annotations

import threading
from pathlib import Path

from zsmem_tui.store import writing


def test_a_write_is_not_held_up_by_another_of_ours_that_goes_on_and_on(tmp_path: Path) -> None:
    root, path = str(tmp_path), "MEMORY.md"
    (tmp_path / path).write_bytes(b"- first\n")
    begun, returned = threading.Event(), threading.Event()
    counts: list[int] = []

    def goes_on() -> None:
        for number in range(300):
            writing.update(root, path, lambda now, number=number: (now or b"") + b"- other %d\n" % number)  # type: ignore[misc]
            begun.set()
            if returned.wait(0.005):
                break
        counts.append(number)

    other = threading.Thread(target=goes_on)
    other.start()
    begun.wait()
    done = writing.update(root, path, lambda now: (now or b"") + b"- mine\n", confirm=True)
    returned.set()
    other.join()
    assert done.confirmed and b"- mine\n" in (tmp_path / path).read_bytes()
    assert counts[0] < 299
