"""Every test runs away from the real home directory, settings and store, and without animations."""

from __future__ import annotations

import gc
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zlib
from collections import Counter
from pathlib import Path
from typing import Any

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # each of hundreds of processes would compile what it reads once more
os.environ["TEXTUAL_ANIMATIONS"] = "none"  # before textual is imported anywhere: pictures would differ from run to run

import pytest
from hypothesis import HealthCheck, settings

from tests.builders import AStore
from zsmem_tui.service.session import Session

# A machine with other work is slow, in a checkout that no test ran in before most of all: that says nothing about a rule.
UNTIMED = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
settings.register_profile("any machine", deadline=None, suppress_health_check=UNTIMED)
settings.register_profile("the same each time", settings.get_profile("any machine"), derandomize=True, database=None)

sys.dont_write_bytecode = False


def _has_room(folder: str) -> bool:
    """Whether programs may be put there, and a gigabyte."""
    try:
        about = os.statvfs(folder)
    except OSError:
        return False
    return not about.f_flag & os.ST_NOEXEC and about.f_bavail * about.f_frsize > 2**30


if "TMPDIR" not in os.environ and _has_room("/dev/shm"):
    tempfile.tempdir = os.environ["TMPDIR"] = (
        "/dev/shm"  # a hundred thousand small files: on a disk, to make and remove them takes a minute
    )

# Every app that was started is garbage: looking for it all the time takes a tenth of the run.
gc.set_threshold(1_000_000, 50, 100)


_numbers = itertools.count()
"""Of this process's folders: pytest's own way lists those of all tests before it makes the next."""


@pytest.fixture
def tmp_path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    name = re.sub(r"\W", "_", request.node.name)[:30]
    return tmp_path_factory.mktemp(f"{name}{next(_numbers)}", numbered=False)


@pytest.fixture(autouse=True)
def away_from_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path_factory.mktemp(f"home{next(_numbers)}", numbered=False)
    for name in list(os.environ):
        if name.startswith(
            ("XDG_", "ZS_", "ZSMEM_", "CLAUDE_", "ETHOS_", "MEMSEARCH_", "OMP_", "PI_", "TEXTUAL_THEME", "TEXTUAL_COLOR")
        ):
            monkeypatch.delenv(name)
    for name in ("VISUAL", "EDITOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home))
    return home


@pytest.fixture
def store(request: pytest.FixtureRequest, tmp_path: Path) -> AStore:
    """A store with the files that the module of the test calls `STORE`, by their paths."""
    made = AStore(tmp_path / "memory")
    for path, text in getattr(request.module, "STORE", {}).items():
        made.has(path, text)
    return made


@pytest.fixture
def session(store: AStore) -> Session:
    return store.session()


def pytest_configure(config: pytest.Config) -> None:
    """A property draws the same in every run but the slow one, before any of them is read, also one within a test."""
    settings.load_profile("any machine" if str(config.option.markexpr) == "slow" else "the same each time")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes() -> None:
    """In a fresh checkout each worker would compile all tests for itself: before there are any, two processes do half each."""
    here = Path(__file__).parent
    if any(here.glob(f"__pycache__/test_*.{sys.implementation.cache_tag}-pytest-*")):
        return
    parts = sorted(here.glob("[!_]*/"), key=lambda part: sum(each.stat().st_size for each in part.rglob("test_*.py")))
    collect = [sys.executable, "-m", "pytest", "--collect-only", "-qq", "-n", "0"]
    halves = [parts[::2], [*parts[1::2], *here.glob("test_*.py")]]
    readers = [subprocess.Popen([*collect, *half], stdout=subprocess.DEVNULL, cwd=here.parent) for half in halves]
    for reader in readers:
        reader.wait()


def pytest_make_parametrize_id(val: object) -> str | None:
    """A case whose value is a megabyte is named by how it begins: each worker tells the names of all tests."""
    return ascii(val[:60])[:80] if isinstance(val, str | bytes) and len(val) > 200 else None


def pytest_collection_finish() -> None:
    """Thousands of tests were read, and stay: no collection needs to look at them."""
    gc.freeze()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """What a test left is found by one collection; the five that come when pytest ends have nothing left to look at.

    Of what a worker would find then, nobody is told.
    """
    if not hasattr(session.config, "workerinput"):
        gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A property is tried with an eighth of its examples; the slow run draws all of them.

    Of a table with `draw(n)` every n-th case is tried, and the others are slow; tables begin at different cases, so that what
    several have, such as the agents, is tried by one or the other.

    A test that compares with another program is left out where there is none: the suite needs nothing but Python.
    """
    properties: set[Any] = {item.obj for item in items if isinstance(item, pytest.Function) and hasattr(item.obj, "hypothesis")}
    if str(config.option.markexpr) == "slow":
        for item in items:
            if isinstance(item, pytest.Function) and item.obj in properties:
                item.add_marker("slow")
    else:
        for each in properties:
            whole = each._hypothesis_internal_use_settings
            each._hypothesis_internal_use_settings = settings(whole, max_examples=(whole.max_examples + 7) // 8)
    drawn: Counter[str] = Counter()
    for item in items:
        for mark in item.iter_markers("draw"):
            table = item.nodeid.partition("[")[0]
            if (drawn[table] + zlib.crc32(table.encode())) % mark.args[0]:
                item.add_marker("slow")
            drawn[table] += 1
    missing = [item for item in items if any(not shutil.which(mark.args[0]) for mark in item.iter_markers("program"))]
    if missing:
        config.hook.pytest_deselected(items=missing)
        items[:] = [item for item in items if item not in missing]
    if hasattr(config, "workerinput"):
        items[:] = _mixed(items)


def _mixed(items: list[pytest.Item]) -> list[pytest.Item]:
    """The files that drive a screen spread among the others: those wait much, and beside each other leave processors idle."""
    placed: list[tuple[float, list[pytest.Item]]] = []
    for drives in (False, True):
        files = [list(own) for path, own in itertools.groupby(items, lambda item: item.path) if ("ui" in path.parts) is drives]
        count, before = sum(map(len, files)), 0
        for own in files:
            placed.append((before / count, own))
            before += len(own)
    return [item for _, own in sorted(placed, key=lambda each: each[0]) for item in own]
