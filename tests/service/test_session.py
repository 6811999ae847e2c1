"""What a session knows: whether what was done last can be undone, and what its groups are called."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import NOW, AStore
from zsmem_tui.config.model import Config
from zsmem_tui.service import applying, file_ops, previewing, triage
from zsmem_tui.service.session import Session
from zsmem_tui.service.stores import open_store
from zsmem_tui.service.tasks import task_list

STORE = {"MEMORY.md": "one\n", "~/SCRATCHPAD.md": "- [ ] first\n- [ ] second\n"}


@pytest.fixture
def blocked(store: AStore, tmp_path: Path) -> Session:
    """A session whose history folder cannot be made."""
    (tmp_path / "state").write_text("a file")
    clock = store.session().clock
    return Session(str(store.root), store.project, clock=clock, history_home=str(tmp_path / "state" / "history"))


def tick(session: Session) -> None:
    task = next(each for each in task_list(session).tasks if each.item.box == "open")
    assert applying.apply(triage.set_done(session, [task], done=True)).changed == 1


def test_nothing_is_wrong_before_something_is_written(blocked: Session) -> None:
    blocked.mem().list()
    assert blocked.undo_problem == ""


def test_that_undo_is_off_is_known_until_a_write_can_be_undone_again(blocked: Session, tmp_path: Path) -> None:
    blocked.mem().write("long_term", "more")
    assert str(tmp_path / "state") in blocked.undo_problem
    blocked.mem().search("one")
    task_list(blocked)
    previewing.preview(blocked)
    blocked.recorder("made, and not used")
    assert str(tmp_path / "state") in blocked.undo_problem
    (tmp_path / "state").unlink()
    blocked.mem().context_block()
    assert blocked.undo_problem
    tick(blocked)
    assert blocked.undo_problem == ""


def test_a_step_of_which_one_part_was_not_kept_cannot_be_undone(store: AStore) -> None:
    session = store.session()
    recorder = session.recorder("two files")
    recorder.record_written("a.md", None, b"a")
    state = Path(recorder.home)
    state.rename(state.with_name("away"))
    state.write_text("in the way")
    recorder.record_written("b.md", None, b"b")
    state.unlink()
    state.with_name("away").rename(state)
    recorder.record_written("c.md", None, b"c")
    assert session.undo_problem


def test_reading_loads_no_history(store: AStore) -> None:
    session = store.session()
    session.mem().list()
    session.settle()
    assert session._history is None
    file_ops.new_note(session, "n")
    assert session.undo_problem == ""


def test_a_group_is_called_by_its_folder_where_its_name_is_a_code_of_that(tmp_path: Path) -> None:
    def opened(kind: str) -> Session:
        return open_store(Config(), f"{kind}:{tmp_path}", cwd="/w", clock=lambda: NOW)

    claude, blocks, ours = opened("claude-code"), opened("opencode"), opened("zerostack")
    assert [claude.group_name(group) for group in ("project:-w", "global")] == ["-w", "everybody"]
    claude.folders, blocks.folders, ours.folders = {"project:-w": "/w/er"}, {"": "/w/er"}, {"w-12345678": "/w/er"}
    assert claude.group_name("project:-w") == blocks.group_name("global") == "/w/er"
    assert [ours.group_name(group) for group in ("w-12345678", "global")] == ["w-12345678", "global"]
    assert opened("ethos").group_name("personality:poet") == "personality poet"
