"""Credentials in files and facts that go from one store into another: asked about once, masked on the way, never in silence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.builders import NOW, PROJECT, AStore, plan_copy
from tests.command_line import zsmem
from zsmem_tui.config.model import Config
from zsmem_tui.core.errors import RuleBroken
from zsmem_tui.core.refs import MemRef
from zsmem_tui.service import applying, instructions, promoting, stores, undoing
from zsmem_tui.service.facts.rows import FactReader, FactRow, Scope
from zsmem_tui.service.plan import Fate, Handling
from zsmem_tui.service.session import Session

TOKEN = "ghp_" + "aZ3kQ9wLm2Rt8Xc5Vb7Nf1Jd4Gh6Ys0PqUeT"
PASSWORD = "xK9" + "mPq2vLr8wTz"
MASK = "ghp_…".encode()


@pytest.fixture
def ours(tmp_path: Path) -> AStore:
    made = AStore(tmp_path / "zerostack").has("MEMORY.md", f"# Facts\n\n- lunch at noon\n- CI token {TOKEN}\n")
    made.has("~/notes/db.md", f"# Database\n\n| host | password |\n|---|---|\n| db | {PASSWORD} |\n")
    return made.has("~/notes/ci.md", f"- the token {TOKEN}\n").has("~/notes/plain.md", "- tea\n")


@pytest.fixture
def theirs(tmp_path: Path) -> AStore:
    return AStore(tmp_path / "claude").has("projects/-w/memory/MEMORY.md", "# Memory Index\n\n")


@pytest.fixture
def session(ours: AStore) -> Session:
    return ours.session()


@pytest.fixture
def target(theirs: AStore) -> Session:
    return stores.open_store(Config(), f"claude-code:{theirs.root}", group="project:-w", cwd="/w", clock=lambda: NOW)


def notes(session: Session, *names: str) -> list[MemRef]:
    return [session.mem().source_ref("note", name) for name in names]


def held(store: AStore) -> bytes:
    return b"".join(raw for raw in store.tree().values())


@pytest.mark.parametrize("move", [False, True])
def test_a_file_with_a_credential_goes_into_no_other_store_before_it_is_decided(
    ours: AStore, theirs: AStore, session: Session, target: Session, move: bool
) -> None:
    before = ours.tree(), theirs.tree()
    plan = plan_copy(session, notes(session, "db", "ci", "plain"), target, move=move)
    assert plan.gate.stops and [(each.place.rpartition("/")[2], each.line) for each in plan.gate.found] == [
        ("ci.md", 1),
        ("db.md", 5),
    ]
    with pytest.raises(RuleBroken) as refused:
        applying.apply(plan)
    said = refused.value.message
    assert "notes/db.md:5" in said and "[secret]" in said and TOKEN not in said and PASSWORD not in said
    assert (ours.tree(), theirs.tree()) == before


@pytest.mark.parametrize("move", [False, True])
def test_masked_is_only_what_arrives_and_one_undo_takes_it_back(
    ours: AStore, theirs: AStore, session: Session, target: Session, move: bool
) -> None:
    before = ours.tree(), theirs.tree()
    plan = plan_copy(session, notes(session, "db", "ci"), target, move=move, secrets=Handling.MASK)
    assert len(plan.gate.found) == 2 and "masked on the way out" in plan.gate.said
    shown = b"".join(each.after or b"" for each in plan.changes)
    assert MASK in shown and TOKEN.encode() not in shown and PASSWORD.encode() not in shown
    assert applying.apply(plan).changed and MASK in held(theirs) and b"xK9m\xe2\x80\xa6" in held(theirs)
    assert TOKEN.encode() not in held(theirs) and PASSWORD.encode() not in held(theirs)
    assert ours.tree() == before[0] or move
    undoing.undo(session if move else target)
    assert (ours.tree(), theirs.tree()) == before


def test_what_is_masked_twice_stands_there_once_and_what_is_allowed_goes_as_it_is(
    theirs: AStore, session: Session, target: Session
) -> None:
    applying.apply(plan_copy(session, notes(session, "ci"), target, secrets=Handling.MASK))
    again = plan_copy(session, notes(session, "ci"), target, secrets=Handling.MASK)
    assert not again.changes and [each.fate for each in again.rows] == [Fate.DUPLICATE]
    applying.apply(plan_copy(session, notes(session, "db"), target, secrets=Handling.ALLOW))
    assert PASSWORD.encode() in held(theirs)


def test_masked_is_also_what_joins_a_file_that_changed_since_the_plan(tmp_path: Path, session: Session) -> None:
    other = AStore(tmp_path / "other").has("MEMORY.md", "- theirs\n")
    plan = plan_copy(session, [session.ref_at("MEMORY.md")], other.session(), secrets=Handling.MASK)
    other.has("MEMORY.md", "- theirs\n- since\n")
    assert applying.apply(plan).changed and other.raw("MEMORY.md").startswith(b"- theirs\n- since\n")
    assert MASK in held(other) and TOKEN.encode() not in held(other)


def test_within_a_store_nothing_goes_out(ours: AStore, session: Session) -> None:
    other = stores.open_store(Config(), f"zerostack:{ours.root}", group="other-00000000", cwd="/w", clock=lambda: NOW)
    plan = plan_copy(session, notes(session, "ci"), other, group="other-00000000", secrets=Handling.MASK)
    assert not plan.gate.found and [each.after for each in plan.changes] == [ours.raw("~/notes/ci.md")]


def test_a_fact_with_a_credential_is_promoted_masked_or_as_it_is_but_not_in_silence(tmp_path: Path, ours: AStore) -> None:
    folder = AStore(tmp_path / "project").has("AGENTS.md", "# Rules\n")
    session, told = ours.session(), instructions.open_folder(Config(), str(folder.root), clock=lambda: NOW)

    def rows(fact: str) -> list[FactRow]:
        found = FactReader(session).read(Scope.FILE, session.ref_at("MEMORY.md")).rows
        return [row for row in found if fact in row.fact.text]

    assert not promoting.plan_promote(session, rows("lunch"), told).gate.found
    plan = promoting.plan_promote(session, rows("token"), told)
    assert plan.gate.stops and [(each.place, each.line) for each in plan.gate.found] == [("MEMORY.md", 4)]
    with pytest.raises(RuleBroken):
        applying.apply(plan)
    plan = promoting.plan_promote(session, rows("token"), told, secrets=Handling.MASK)
    assert applying.apply(plan).changed and "masked on the way out" in plan.gate.said
    assert MASK in folder.raw("AGENTS.md") and TOKEN.encode() not in held(folder)


def test_headless_it_is_exit_three_and_two_options_go_on(tmp_path: Path, ours: AStore, theirs: AStore) -> None:
    into = ("file", "copy", "note:ci", "--into", f"claude-code:{theirs.root}", "--into-group", "project:-w")
    for words in (into, (*into, "--dry-run")):
        done = zsmem(ours, *words)
        assert (
            done.code == 3 and f"projects/{PROJECT}/notes/ci.md:1" in done.err and "[secret]" in done.err and "--mask" in done.err
        )
        assert TOKEN not in done.out + done.err and TOKEN.encode() not in held(theirs)
    dry = zsmem(ours, *into, "--allow-secrets", "--dry-run", "--json")
    assert dry.code == 0 and TOKEN not in dry.out and json.loads(dry.out)["changes"]
    assert zsmem(ours, *into, "--mask").code == 0 and MASK in held(theirs) and TOKEN.encode() not in held(theirs)
    folder = AStore(tmp_path / "project").has("AGENTS.md", "# Rules\n")
    promote = ("promote", "MEMORY.md:4", "--in", str(folder.root))
    assert zsmem(ours, *promote).code == 3 and zsmem(ours, *promote, "--mask").code == 0 and MASK in folder.raw("AGENTS.md")
    assert zsmem(ours, "file", "rename", "note:ci", "cd", "--mask").code == 2
