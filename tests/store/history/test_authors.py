"""Who wrote what, out of the histories that this release and earlier ones have written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from zsmem_tui.core.version import CAME_LATE, FIRST_LOOK, Author, AuthorKind, Origin
from zsmem_tui.service.session import Session
from zsmem_tui.store import writing
from zsmem_tui.store.history.commit_message import Meta, message, meta_of
from zsmem_tui.store.history.version_log import VersionLog
from zsmem_tui.store.scan import scan

OLD = """\
["c1","c1","MEMORY.md",1,"other","there when zsmem first looked","","","","","t1",3,0,false]
["c2","c2","MEMORY.md",2,"you","","b1","Saved MEMORY.md","","t1","t2",0,1,false]
["c3","c3","MEMORY.md",3,"other","written since zsmem last looked","","","","t2","t3",1,0,false]
["c4","c4","MEMORY.md",4,"other","Saved MEMORY.md","","","","t3","t4",1,0,false]
["c5","c5","MEMORY.md",5,"import","","b2","Imported from markdown","","t4","t5",1,0,false]
["c6","c6","MEMORY.md",6,"undo","","b3","Undid: Imported from markdown","undoes b2","t5","t4",0,1,false]
"""
"""A list of versions as release 0.1.0 wrote it."""


STORE = {"MEMORY.md": "one\ntwo\nthree\n"}


def test_a_list_of_versions_of_the_first_release_tells_its_authors(tmp_path: Path) -> None:
    place = tmp_path / "versions"
    place.write_text(OLD)
    assert [row.version.author for row in VersionLog(str(place)).rows()] == [
        Author(AuthorKind.UNDO),
        Author(AuthorKind.IMPORTED),
        Author(AuthorKind.UNNAMED, "Saved MEMORY.md"),
        Author(AuthorKind.UNNAMED, "written since zsmem last looked"),
        Author(AuthorKind.YOU),
        Author(AuthorKind.BEFORE),
    ]


@pytest.mark.parametrize("origin", Origin)
def test_a_commit_tells_its_origin_and_evidence_again(origin: Origin) -> None:
    meta = Meta(7, origin, FIRST_LOOK)
    assert meta_of(message(meta, {"MEMORY.md": ("", "t1")})) == meta


def test_the_first_line_of_a_commit_says_the_step_or_else_who_wrote_what() -> None:
    metas = (Meta(7, Origin.YOU, "x", label="Saved it"), Meta(7, Origin.OTHER, "x"), Meta(7, Origin.OTHER))
    files = dict.fromkeys(("a.md", "b.md"), ("", "t1"))
    assert [message(meta, files).split("\n")[0] for meta in metas] == ["Saved it", "x: 2 files", "other: 2 files"]


def test_a_named_agents_writes_carry_its_name(session: Session) -> None:
    session.history.catch_up(scan(session.root, session.layout))
    agent = Author(AuthorKind.AGENT, "zerostack")
    recorder = session.history.recorder("", Origin.OTHER, who=agent.evidence)
    writing.save(session.root, "MEMORY.md", b"one\n", b"one\ntwo\nthree\n", confirm=False, recorder=recorder)
    session.history.drain()
    assert [str(each.author) for each in session.history.versions("MEMORY.md")] == ["zerostack", "before zsmem"]


def test_what_came_late_into_a_file_is_synced_and_not_put_down_to_the_step_that_found_it(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    session.history.catch_up(scan(session.root, session.layout))
    synced: list[int] = []
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", synced.append)
        session.recorder("Saved MEMORY.md").record_leftover("MEMORY.md", b"late\n")
    assert synced
    session.history.drain()
    assert CAME_LATE in [each.who for each in session.history.versions("MEMORY.md")]
