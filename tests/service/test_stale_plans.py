"""Plans that are done later than they were made: somebody wrote meanwhile, did the same, or took the store away."""

from __future__ import annotations

import os
import tarfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.builders import PROJECT
from tests.failing import no_waiting
from tests.service.test_killed import KINDS, OTHER, SETTINGS, Home, with_settings
from zsmem_tui.core.errors import Conflict, MemError, StoreError
from zsmem_tui.service import applying, connecting, triage
from zsmem_tui.service.connecting import Wish
from zsmem_tui.service.facts import acts
from zsmem_tui.service.facts.rows import FactReader, Scope
from zsmem_tui.service.plan import Plan
from zsmem_tui.service.session import Session
from zsmem_tui.service.tasks import read as tasks_read
from zsmem_tui.service.tasks import task_list
from zsmem_tui.store import steps
from zsmem_tui.store.steps import Batch

APPLY = applying.apply
THEIRS = b"zzz theirs zzz"
PLANNED = [
    *("triage move", "triage promote", "triage note", "triage log", "triage archive", "fact move", "facts demote", "facts promote"),
    *("facts to instructions", "doctor fix", "move across", "copy across", "project move", "project merge", "projects merged"),
    *("projects followed", "project archive", "export markdown", "export agents-md", "export taken out", "bundle in", "import"),
    "transfer",
]


def done(home: Home, name: str, monkeypatch: pytest.MonkeyPatch, between: Callable[[], object]) -> str:
    """Why a verb did nothing, as its sentence; empty when it was done. `between` happens once its plan is made."""

    def apply(*words: Any, **more: Any) -> object:
        between()
        return APPLY(*words, **more)

    with monkeypatch.context() as patch:
        patch.setattr(applying, "apply", apply)
        try:
            KINDS[name].act(home)
        except MemError as error:
            return error.message
    return ""


@pytest.fixture
def a_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], Home]:
    no_waiting(monkeypatch)

    def made(name: str, at: str) -> Home:
        monkeypatch.setenv("ZSMEM_STATE_DIR", str(tmp_path / at / "state"))
        home = Home(tmp_path / at)
        home.fill()
        KINDS[name].before(home)
        return home

    return made


def whole(home: Home) -> dict[str, bytes]:
    """Every file, also those in bundles and archives."""
    found = home.state()
    for place in home.folder.rglob("*.tar.gz"):
        with tarfile.open(place) as bundle:
            found |= {f"{place}:{each.name}": (bundle.extractfile(each) or place.open("rb")).read() for each in bundle}
    return found


def changed(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> list[str]:
    return sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))


@pytest.mark.draw(2)
@pytest.mark.parametrize("name", PLANNED)
def test_what_others_wrote_since_the_plan_was_made_is_kept(
    name: str, a_home: Callable[[str, str], Home], monkeypatch: pytest.MonkeyPatch
) -> None:
    home = a_home(name, "first")
    before = home.state()
    assert done(home, name, monkeypatch, lambda: None) == ""
    for number, path in enumerate(changed(before, home.state())):
        home = a_home(name, f"again-{number}")
        place = home.folder / path
        stood: dict[str, bytes] = {}

        def write(place: Path = place, home: Home = home, stood: dict[str, bytes] = stood) -> None:
            place.parent.mkdir(parents=True, exist_ok=True)
            now = place.read_bytes() if place.exists() else b""
            place.write_bytes(now + b"\n- " + THEIRS + b"\n")
            stood.update(home.state())

        said = done(home, name, monkeypatch, write)
        assert sum(THEIRS in raw for raw in whole(home).values()) >= 1, (path, said)
        if said:
            assert home.state() == stood and ("Nothing was" in said or "not written over" in said), (path, said)


@pytest.mark.draw(3)
@pytest.mark.parametrize("name", PLANNED)
def test_of_two_programs_with_one_plan_one_does_it(
    name: str, a_home: Callable[[str, str], Home], monkeypatch: pytest.MonkeyPatch
) -> None:
    home = a_home(name, "here")
    once: dict[str, bytes] = {}

    def by_another() -> None:
        assert done(home, name, monkeypatch, lambda: None) == ""
        once.update(home.state())

    done(home, name, monkeypatch, by_another)
    assert home.state() == once


@pytest.mark.draw(3)
@pytest.mark.parametrize("name", [name for name in KINDS if "connect" not in name and name != "move reviewed lines"])
def test_who_comes_too_late_takes_nothing_back_of_what_another_program_did(
    name: str, a_home: Callable[[str, str], Home], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other does the same between the last look at the files and the first write."""
    home, real = a_home(name, "here"), steps.apply
    after: list[dict[str, bytes]] = []

    def apply(batches: Sequence[Batch]) -> None:
        if not after:
            after.append({})
            KINDS[name].act(home)
            after.append(home.state())
        real(batches)

    monkeypatch.setattr(steps, "apply", apply)
    try:
        KINDS[name].act(home)
    except MemError as error:
        assert "Nothing was" in error.message, error
    assert home.state() == (after or [home.state()])[-1]


@pytest.mark.draw(3)
@pytest.mark.parametrize("name", PLANNED)
def test_a_store_that_vanished_is_not_made_anew(
    name: str, a_home: Callable[[str, str], Home], monkeypatch: pytest.MonkeyPatch
) -> None:
    for root in ("memory", "claude", "project"):
        home = a_home(name, root)
        before, stays = home.state(), home.folder / f"{root}-away"

        def take_away(home: Home = home, root: str = root, stays: Path = stays) -> None:
            (home.folder / root).rename(stays)

        said = done(home, name, monkeypatch, take_away)
        if (home.folder / root).exists():
            assert root == "project" and name in ("export markdown", "transfer"), said  # a folder that was to be made
            continue
        stays.rename(home.folder / root)
        assert (home.state() == before) is bool(said), said


def test_lines_that_came_below_a_task_since_are_not_taken_along(home: Home) -> None:
    session = home.session()
    pad = home.memory.root / "projects" / PROJECT / "SCRATCHPAD.md"
    was = pad.read_bytes()
    tasks = task_list(session, [PROJECT]).tasks[-1:]
    verbs: list[Callable[[], Plan]] = [
        lambda: triage.remove(session, tasks),
        lambda: triage.log(session, tasks),
        lambda: triage.to_note(session, tasks, "made"),
        lambda: triage.move(session, tasks, OTHER),
    ]
    for verb in verbs:
        plan = verb()
        pad.write_bytes(was + b"  - " + THEIRS + b"\n")
        with pytest.raises(Conflict, match=r"SCRATCHPAD\.md since the plan was made\. Nothing was written\."):
            applying.apply(plan)
        assert pad.read_bytes().endswith(THEIRS + b"\n")
        pad.write_bytes(was)


def test_a_task_that_is_gone_since_is_said(home: Home) -> None:
    session = home.session()
    pad = home.memory.root / "projects" / PROJECT / "SCRATCHPAD.md"
    plan = triage.set_done(session, task_list(session, [PROJECT]).tasks, done=True)
    pad.write_bytes(b"- [ ] first\n")
    with pytest.raises(Conflict, match=r"since the plan was made\. Nothing was written\."):
        applying.apply(plan)
    assert pad.read_bytes() == b"- [ ] first\n"


def test_lines_that_came_below_a_fact_since_are_not_deleted_with_it(home: Home) -> None:
    session = home.session()
    rows = list(FactReader(session).read(Scope.FILE, session.ref_at("MEMORY.md")).rows)
    place = home.memory.root / "MEMORY.md"
    was = place.read_bytes()
    for late in (False, True):
        place.write_bytes(was)
        plan = acts.delete(session, rows[-1:]) if late else None
        place.write_bytes(was + b"  - " + THEIRS + b"\n")
        with pytest.raises(Conflict, match=r"“two” is no longer in MEMORY\.md\. Nothing was deleted\."):
            applying.apply(plan or acts.delete(session, rows[-1:]))
        assert THEIRS in place.read_bytes()


def test_where_one_settings_file_is_write_protected_no_other_is_touched(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    with_settings(home)
    session, real = home.session(), os.access
    places = [Path.home() / path for path in SETTINGS]
    plan = connecting.plan(session, "claude-code", Wish())
    assert {each.place for each in plan.changed} == set(map(str, places))
    for protected in places:
        monkeypatch.setattr(os, "access", lambda path, mode, at=protected: os.fspath(path) != str(at) and real(path, mode))
        stood = [(place.stat().st_ino, place.stat().st_ctime_ns) for place in places]
        with pytest.raises(StoreError, match=r"is write-protected\. Nothing was written\."):
            connecting.apply(session, plan)
        assert [(place.stat().st_ino, place.stat().st_ctime_ns) for place in places] == stood


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    monkeypatch.setenv("ZSMEM_STATE_DIR", str(tmp_path / "here" / "state"))
    home = Home(tmp_path / "here")
    home.fill()
    return home


def test_a_task_that_goes_while_its_move_is_planned_is_not_put_elsewhere(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    session = home.session()
    pad = home.memory.root / "projects" / PROJECT / "SCRATCHPAD.md"
    tasks, real = task_list(session, [PROJECT]).tasks, tasks_read

    def read(session: Session, path: str) -> tuple[str, int]:
        found = real(session, path)
        pad.write_bytes(b"- [ ] another\n")
        return found

    monkeypatch.setattr(triage, "read", read)
    with pytest.raises(Conflict, match=r"Nothing was written\."):
        triage.move(session, tasks, OTHER)


def test_of_two_tasks_of_the_same_words_the_one_that_is_there_is_moved_once(home: Home) -> None:
    session = home.session()
    pad = home.memory.root / "projects" / PROJECT / "SCRATCHPAD.md"
    pad.write_bytes(b"- [ ] same\n- [ ] same\n")
    tasks = task_list(session, [PROJECT]).tasks
    pad.write_bytes(b"- [ ] same\n")
    said = applying.apply(triage.move(session, tasks, OTHER)).message
    assert "Moved 1 item" in said and "1 item is gone" in said
    assert sum(raw.count(b"same") for raw in home.state().values()) == 1
