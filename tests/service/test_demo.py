"""The sample: a home folder of its own, with a past, in which every screen has something to show."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.builders import live_at
from zsmem_tui.config.model import Config
from zsmem_tui.core.errors import WriteFailed
from zsmem_tui.core.project_folders import State
from zsmem_tui.service import demo, folders, reviewing, undoing
from zsmem_tui.service.demo_folders import remove_demos, remove_left
from zsmem_tui.service.projects import naming
from zsmem_tui.service.projects.known import known_projects
from zsmem_tui.service.session import Session
from zsmem_tui.store.transfer.demo import placed

NOW = datetime(2026, 5, 25, 14, 7)


def texts(root: str) -> dict[tuple[str, str, str], bytes]:
    """Every text of a store by its place, whatever a project's slug says of the path of its folder."""
    found = {}
    for path in Path(root).rglob("*.md"):
        project = path.relative_to(root).parts[1].rpartition("-")[0] if path.parent != Path(root) else ""
        found[project, path.parent.name.rpartition("-")[0], path.name] = path.read_bytes()
    return found


class Home(NamedTuple):
    place: Path
    session: Session


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Home:
    place = tmp_path_factory.mktemp("ann")
    with pytest.MonkeyPatch.context() as patch:
        live_at(place, patch)
        folder = demo.make_home(str(place), Config(), lambda: NOW)
        return Home(place, Session.open(Config(), cwd=folder, clock=lambda: NOW))


@pytest.fixture
def home(made: Home, monkeypatch: pytest.MonkeyPatch) -> Home:
    live_at(made.place, monkeypatch)
    return made


def test_a_folder_of_the_sample_by_another_name_takes_along_what_is_in_it() -> None:
    moved = [placed(path, {"a": "b"}) for path in ("a", "a/x", "ab/x", "c/a")]
    assert moved == ["b", "b/x", "ab/x", "c/a"]


def test_what_happened_ends_in_the_store_as_it_is_shipped(home: Home, tmp_path: Path) -> None:
    root = demo.make_demo(NOW.date(), str(tmp_path / "memory"))
    assert texts(home.session.root) == texts(root)
    logs = [path for path in Path(root).rglob("*.md") if path.name.startswith("2026-")]
    assert logs and all(datetime.fromtimestamp(each.stat().st_mtime, UTC).date().isoformat() == each.stem for each in logs)
    assert {each.path for each in demo.past()} < {str(path.relative_to(root)) for path in Path(root).rglob("*")}


def test_agents_wrote_what_waits_for_review_and_the_person_has_seen_the_rest(home: Home) -> None:
    waiting = {each.ref.path.rpartition("/")[2]: each for each in reviewing.pending(home.session)}
    found = {name: {str(v.author) for v in each.versions} for name, each in waiting.items()}
    lines = {name: (each.added, each.removed) for name, each in waiting.items()}
    assert found == {"MEMORY.md": {"Claude Code"}, "errors.md": {"Codex"}, "SCRATCHPAD.md": {"another program"}}
    assert lines["errors.md"] == (1, 1), "what Codex wrote before was seen"
    assert {"you", "Claude Code"} <= {str(each.author) for each in home.session.history.latest()}


def test_to_undo_the_persons_last_step_meets_what_an_agent_wrote_since(home: Home) -> None:
    plan = undoing.undo(home.session, dry_run=True)
    assert [each.ref.path for each in plan.clashes] == ["MEMORY.md"]


def test_two_agents_and_instructions_are_about_the_folder_worked_in(home: Home) -> None:
    beside = folders.beside(home.session, Config(), cwd=home.session.folder)
    assert [each.layout.kind for each in beside.sessions] == ["claude-code", "instructions"]


def test_one_projects_folder_was_renamed_and_one_is_gone(home: Home) -> None:
    naming.name_projects(home.session)
    states = {each.slug.rpartition("-")[0]: each.verdict.state for each in known_projects(home.session).projects}
    assert states == dict.fromkeys(("lantern", "kite", "dotfiles", "--"), State.HERE) | {
        "harbor-api": State.MOVED,
        "old-thesis": State.GONE,
    }


def test_living_in_another_home_drops_what_leads_back(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("HOME", "ZSMEM_STATE_DIR", "CLAUDE_CONFIG_DIR", "XDG_DATA_HOME", "OMP_PROFILE"):
        monkeypatch.setenv(name, str(tmp_path / "own"))
    config, folder = demo.move_in(Config(root="~/own", stores=("ethos",)))
    assert not (tmp_path / "own").exists()
    assert folder == os.path.join(os.environ["HOME"], "code", "lantern") and os.environ["HOME"] != str(tmp_path / "own")
    assert not config.root and not config.stores
    assert not [name for name in os.environ if name.startswith(("ZSMEM", "CLAUDE", "OMP"))]
    remove_demos()
    assert not os.path.exists(os.environ["HOME"])


def test_a_full_disk_is_said_and_nothing_is_left(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    live_at(tmp_path / "own", monkeypatch)
    monkeypatch.setenv("ZSMEM_STATE_DIR", str(tmp_path / "kept"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("zsmem_tui.store.transfer.demo._put", full)
    with pytest.raises(
        WriteFailed, match=r"zsmem-sample-.*: No space left on device\. The sample was not made; nothing else was"
    ) as told:
        demo.move_in(Config())
    assert "TMPDIR" in told.value.hint and list(tmp_path.iterdir()) == []
    assert (os.environ["HOME"], os.environ["ZSMEM_STATE_DIR"]) == (str(tmp_path / "own"), str(tmp_path / "kept"))


def test_where_there_is_no_temporary_folder_that_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    live_at(tmp_path / "own", monkeypatch)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    with pytest.raises(WriteFailed, match=r"^/.*gone: No such file or directory\. The sample was not made"):
        demo.move_in(Config())

    def none() -> str:
        raise OSError(errno.ENOENT, "No usable temporary directory")

    monkeypatch.setattr(tempfile, "gettempdir", none)
    with pytest.raises(WriteFailed, match=r"^No usable temporary directory\. The sample was not made"):
        demo.move_in(Config())


def test_nothing_is_kept_of_a_sample(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    live_at(tmp_path / "own", monkeypatch)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    config, folder = demo.move_in(Config())
    session = Session.open(config, cwd=folder)
    assert session.mem().write("long_term", "- more\n")
    assert list(Path(os.environ["HOME"]).glob(".local/state/zsmem/*"))
    remove_demos()
    assert list(tmp_path.iterdir()) == []


def test_a_sample_of_a_run_that_was_killed_goes_and_others_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    live = "import sys, time, tempfile; tempfile.tempdir = sys.argv[1]\n"
    live += "from zsmem_tui.service.demo_folders import new_folder; print(new_folder(), flush=True); time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", live, str(tmp_path)], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        left = Path(child.stdout.readline().strip())
        (left / "a.json").write_text("{}")
        mine = [tmp_path / name for name in ("zsmem-sample-notes", "zsmem-sample-a1b2c3d4e")]
        linked = tmp_path / "zsmem-sample-linked00"
        (tmp_path / "elsewhere").mkdir()
        linked.symlink_to(tmp_path / "elsewhere")
        for each in mine:
            each.mkdir()
        for each in (left, *mine, tmp_path / "elsewhere"):
            os.utime(each, (1, 1))
        remove_left()
        assert left.is_dir()
        child.kill()
        child.wait()
    remove_left()
    assert not left.exists() and all(each.is_dir() for each in (*mine, linked))
