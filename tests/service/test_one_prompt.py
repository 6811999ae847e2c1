"""Whether the agent sees a line is answered by the one block, wherever it is asked."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from tests.builders import NOW
from zsmem_tui.config.model import Config
from zsmem_tui.core.preview import Prompt
from zsmem_tui.core.profile import Profile
from zsmem_tui.core.text import lines, trim
from zsmem_tui.service import previewing
from zsmem_tui.service.demo import PROJECT, make_demo
from zsmem_tui.service.facts.rows import FactReader, Scope
from zsmem_tui.service.previewing import Subject
from zsmem_tui.service.session import Session
from zsmem_tui.service.tasks import every_project, task_list
from zsmem_tui.service.watching import prompt_use


class Truth:
    """What the block of one project holds, line by line."""

    def __init__(self, session: Session, project: str) -> None:
        self.preview = previewing.preview(session, Subject(project, "", session.profile))
        rows = [row for row in self.preview.rows if row.path]
        self.whole = {(row.path, row.line) for row in rows if not row.lost}
        self.begun = {(row.path, row.line) for row in rows if row.lost and row.text}
        self.lost = {(row.path, row.line) for row in rows if row.lost and not row.text}


def a_demo(tmp_path: Path, cap: int, profile: Profile) -> Session:
    make_demo(date(2026, 5, 25), str(tmp_path / "memory"))
    config = Config(inject_cap=cap, profile=profile)
    return Session(str(tmp_path / "memory"), PROJECT, config=config, clock=lambda: NOW, history_home=str(tmp_path / "history"))


@pytest.mark.draw(3)
@pytest.mark.parametrize("profile", list(Profile))
@pytest.mark.parametrize("cap", [700, 3_000, 32_768])
def test_every_surface_gives_the_same_answer_for_each_line_of_the_demo(tmp_path: Path, cap: int, profile: Profile) -> None:
    session = a_demo(tmp_path, cap, profile)
    projects = every_project(session)
    truth = {project: Truth(session, project) for project in projects}

    for project in projects:
        own = truth[project]
        for path, seen in previewing.in_block(session, Subject(project, "", profile)).items():
            text = lines((Path(session.root) / path).read_text())
            solid = {number for number, line in enumerate(text) if trim(line)}
            assert {(path, line) for line in seen.whole & solid} == {place for place in own.whole if place[0] == path} & {
                (path, line) for line in solid
            }
            assert {(path, line) for line in seen.begun} == {place for place in own.begun if place[0] == path}
            assert {(path, line) for line in seen.lost & solid} == {place for place in own.lost if place[0] == path}
        for task in task_list(session, [project]).tasks:
            pad = f"projects/{project}/SCRATCHPAD.md"
            assert (not task.item.hidden_reason) == ((pad, task.item.line) in own.whole), task
    for row in FactReader(session).read(Scope.ALL).rows:
        own = truth[row.ref.project or PROJECT]
        text = lines((Path(session.root) / row.ref.path).read_text())
        places = {(row.ref.path, line) for line in range(row.fact.line, row.fact.stop) if trim(text[line])}
        whole, gone = len(places & own.whole), len(places & own.lost)
        begun = len(places & own.begun)
        wanted = (
            Prompt.NEVER
            if not whole + gone + begun
            else Prompt.WHOLE
            if whole == len(places)
            else Prompt.LOST
            if not whole + begun
            else Prompt.CUT
        )
        assert row.prompt is wanted, row
    for cost in (previewing.cost(session, previewing.Subject(each, "", session.profile)) for each in projects):
        assert (cost.size, cost.lost) == (truth[cost.project].preview.size, truth[cost.project].preview.loss())
    assert prompt_use(session).used == truth[PROJECT].preview.needed
