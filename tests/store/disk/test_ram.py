"""Memory is scarce when the system says so, and not where it says nothing."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from zsmem_tui.store.disk.ram import is_scarce, trim

QUIET = "some avg10=0.00 avg60=0.00 avg300=0.00 total=0\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n"


@pytest.mark.parametrize(
    ("meminfo", "pressure", "scarce"),
    [
        ("MemTotal: 1600 kB\nMemFree: 3 kB\nMemAvailable: 100 kB\n", QUIET, False),
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


def test_freed_memory_is_given_back_where_the_library_can(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def no_library(name: None) -> None:
        raise OSError("no such library")

    libraries: list[Callable[[None], object]] = [
        lambda _: SimpleNamespace(malloc_trim=asked.append),
        lambda _: object(),
        no_library,
    ]
    for library in libraries:
        monkeypatch.setattr(ctypes, "CDLL", library)
        trim()
    assert asked == [0]
