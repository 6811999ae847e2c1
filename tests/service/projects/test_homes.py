"""Generated homes: no memory is said to have moved to where it has not, none gets a wrong name, what can be known is known."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from datetime import datetime
from itertools import count
from pathlib import Path

import pytest

from tests.service.projects.homes import generate
from zsmem_tui.core.project_folders import State
from zsmem_tui.service.projects.known import known_projects
from zsmem_tui.service.projects.naming import name_projects
from zsmem_tui.service.session import Session

QUICK = 6
MANY = 1_000


def clock() -> Iterator[datetime]:
    for second in count():
        yield datetime.fromtimestamp(1_800_000_000 + second)


def judged(place: Path, seed: int) -> tuple[list[str], int, int]:
    """What was wrong in one home; how many of its memories can be known, and how many are."""
    home, root = place / "home", place / "store"
    home.mkdir(parents=True)
    os.environ["HOME"], os.environ["ZSMEM_STATE_DIR"] = str(home), str(place / "state")
    made, later = generate(home, root, seed)
    ticks = clock()
    session = Session(str(root), "nobody-00000000", clock=lambda: next(ticks))
    name_projects(session)
    numbers = {path: os.stat(path).st_ino for truth in made.truth.values() if os.path.isdir(path := truth.folder)}
    for act in later:
        if callable(act):
            act()
    name_projects(session)
    wrong, knowable, known = [], 0, 0
    for slug, truth in made.truth.items():
        found = known_projects(session).of(slug)
        assert found is not None
        verdict = found.verdict
        about = f"seed {seed}: {truth.story}: {truth.folder} is said to be {verdict}"
        if verdict.folder and verdict.folder != truth.folder:
            wrong.append(f"wrong name: {about}")
        if verdict.state is State.MOVED and (State.MOVED not in truth.states or verdict.moved_to != truth.to):
            wrong.append(f"wrongly moved: {about}")
        reused = verdict.state is State.MAYBE and os.stat(verdict.moved_to).st_ino == numbers.get(truth.folder)
        states = (*truth.states, State.MAYBE) if reused and State.GONE in truth.states else truth.states
        is_right = verdict.state in states and (verdict.moved_to == truth.to or not truth.to)
        is_named = (verdict.folder == truth.folder) == truth.named
        knowable += 1
        known += is_right and is_named
        if not (is_right and is_named):
            wrong.append(f"not known: {about}")
    return wrong, knowable, known


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    for name in ("HOME", "ZSMEM_STATE_DIR"):
        monkeypatch.setenv(name, str(tmp_path))
    yield tmp_path


def of_homes(places: Path, seeds: range) -> tuple[list[str], int, int]:
    wrong: list[str] = []
    knowable = known = 0
    for seed in seeds:
        found = judged(places / str(seed), seed)
        wrong += found[0]
        knowable += found[1]
        known += found[2]
        shutil.rmtree(places / str(seed))
    return wrong, knowable, known


def test_what_became_of_folders_is_told_right(places: Path) -> None:
    wrong, knowable, known = of_homes(places, range(QUICK))
    assert wrong == []
    assert known == knowable


@pytest.mark.slow
def test_what_became_of_folders_is_told_right_in_a_thousand_homes(places: Path) -> None:
    wrong, knowable, known = of_homes(places, range(1_000, 1_000 + MANY))
    assert [each for each in wrong if not each.startswith("not known")] == []
    assert known >= 0.99 * knowable, wrong
