"""Fixes of the doctor on a full disk, in files that may not be written, and in a store that changes meanwhile."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path

import pytest

from tests.builders import AStore
from tests.command_line import zsmem
from tests.service.test_failing import at_every_call, memory
from zsmem_tui.core.checks.span_faults import SECRET
from zsmem_tui.core.errors import Conflict, RuleBroken
from zsmem_tui.service import applying, doctor_fixes
from zsmem_tui.service.doctor import Doctor
from zsmem_tui.service.plan import Plan
from zsmem_tui.service.session import Session
from zsmem_tui.service.stores import open_store


def a_store(root: Path) -> AStore:
    made = AStore(root).has("MEMORY.md", "- See [it](gone.md).\n").has("gon.md", "").has("~/SCRATCHPAD.md", "- [ ] a\n+ [ ] b\n")
    return made.has("~/notes/plan.2.md", "plan\n")


def planned(session: Session) -> Plan:
    found = Doctor(session).examine(None).faults
    return doctor_fixes.plan(session, [each for each in found if each.fix is not None])


@pytest.mark.parametrize("code", [errno.ENOSPC])
def test_a_disk_that_is_full_in_the_middle_of_several_files_leaves_them_all_as_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    root = tmp_path / "memory"
    before = memory(a_store(root).root)
    state: list[tuple[Session, Plan]] = []

    def begin() -> None:
        shutil.rmtree(root)
        session = a_store(root).session()
        plan = planned(session)
        assert plan.count == 3 and len(plan.changes) == 4
        state[:] = [(session, plan)]

    def check(said: str, why: str) -> None:
        if not said:
            assert memory(root) != before, why
        elif "could not be taken back" not in said and "It was written" not in said:
            assert memory(root) == before, why
        assert not [name for name in os.listdir(root) if name.startswith(".zsmem")], why

    at_every_call(monkeypatch, begin, lambda: applying.apply(state[0][1]), check, code, step=23)


def test_a_file_that_changes_between_the_plan_and_its_end_is_not_written_and_neither_are_the_others(tmp_path: Path) -> None:
    store = a_store(tmp_path / "memory")
    session = store.session()
    plan = planned(session)
    store.has("~/SCRATCHPAD.md", "- [ ] a\n+ [ ] b\n- [ ] c\n")
    before = store.tree()
    with pytest.raises(Conflict) as refused:
        applying.apply(plan)
    assert "SCRATCHPAD.md since the plan was made. Nothing was mended." in refused.value.message and store.tree() == before


def test_a_file_that_an_agent_forbids_to_write_is_left_as_it_is_and_said(tmp_path: Path) -> None:
    store = AStore(tmp_path / ".opencode" / "memory")
    store.has("human.md", "---\nlabel: human\nread_only: true\n---\n- the token ghp_aZ3kQ9wLm2Rt8Xc5Vb7Nf1Jd4Gh6Ys0PqUeT\n")
    session = open_store(store.session().config, f"opencode:{store.root}", cwd="/w", needs_group=False)
    found = [each for each in Doctor(session).examine(None).faults if each.rule == SECRET]
    before = store.tree()
    plan = doctor_fixes.plan(session, found)
    with pytest.raises(RuleBroken) as refused:
        applying.apply(plan)
    assert "human.md" in refused.value.message and store.tree() == before
    done = zsmem(None, "--store", f"opencode:{store.root}", "doctor", "--fix", "secret")
    assert done.code == 3 and "Traceback" not in done.err and store.tree() == before
