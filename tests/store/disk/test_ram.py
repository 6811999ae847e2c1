"""Memory is scarce when the system says so, and not where it says nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from zsmem_tui.store.disk.ram import is_scarce, trim

QUIET = "some avg10=0.00 avg60=0.00 avg300=0.00 total=0\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n"


@pytest.mark.parametrize(
    ("meminfo", "pressure", "scarce"),
    [
        ("MemTotal: 1600 kB\nMemFree: 3 kB\nMemAvailable: 101 kB\n", QUIET, False),
        ("MemTotal: 1600 kB\nMemFree: 3 kB\nMemAvailable: 99 kB\n", QUIET, True),
        ("MemTotal: 1600 kB\nMemAvailable: 900 kB\n", QUIET.replace("avg10=0.00", "avg10=31.50", 1), True),
        ("MemTotal: 1600 kB\n", "", False),
        ("\nMemTotal:\nMemAvailable: much\n", "some avg10=nan\n", False),
        (None, None, False),
    ],
)
def test_what_the_system_says(tmp_path: Path, meminfo: str | None, pressure: str | None, scarce: bool) -> None:
    for name, text in (("meminfo", meminfo), ("pressure", pressure)):
        if text is not None:
            (tmp_path / name).write_text(text)
    assert is_scarce(str(tmp_path / "meminfo"), str(tmp_path / "pressure")) is scarce


def test_giving_back_harms_nobody() -> None:
    trim()
