"""Which folders are known from the stores on the machine, and how little is read for it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.builders import AStore
from zsmem_tui.agents.claude_code.files import encoded
from zsmem_tui.config.model import Config
from zsmem_tui.service import export_targets, stores
from zsmem_tui.service.known_folders import known_folders

LIMIT = 64 * 1024
SPARSE = 4 << 20

_opened: list[str] = []
_listening = False


def _hear(event: str, arguments: tuple[object, ...]) -> None:
    if _listening and event == "open":
        _opened.append(str(arguments[0]))


sys.addaudithook(_hear)


@contextmanager
def opens() -> Iterator[list[str]]:
    """The paths of all files that are opened meanwhile."""
    global _listening
    _opened.clear()
    _listening = True
    try:
        yield _opened
    finally:
        _listening = False


def transcript(home: Path, project: str, name: str, head: str, age: int = 0) -> Path:
    """A transcript that is mostly a hole, `age` seconds older than others."""
    place = home / ".claude/projects" / project / f"{name}.jsonl"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(head)
    os.truncate(place, SPARSE)
    os.utime(place, ns=((10**9 - age) * 10**9,) * 2)
    return place


def cwd(folder: str) -> str:
    return f'{{"type":"summary"}}\n{{"type":"user","cwd":"{folder}"}}\n'


def test_the_newest_transcript_of_a_project_says_its_folder(away_from_home: Path) -> None:
    for name, folder, age in (("a", "/a-b", 9), ("b", "/a/b", 1), ("c", "/a b", 5)):
        transcript(away_from_home, "-a-b", name, cwd(folder), age)
    found = known_folders("/here")
    assert [(each.folder, each.group) for each in found] == [("/here", ""), ("/a/b", "project:-a-b")]
    assert found[1].store == f"claude-code:{away_from_home}/.claude"


def test_a_session_in_a_folder_below_is_of_the_project_above(away_from_home: Path) -> None:
    transcript(away_from_home, "-home-ann-app", "a", cwd("/home/ann/app/src/deep"))
    transcript(away_from_home, "renamed", "a", cwd("/srv/elsewhere/"))
    assert [each.folder for each in known_folders("/here")] == ["/here", "/home/ann/app", "/srv/elsewhere"]


@pytest.mark.parametrize("head", ["", "not json\n", '{"cwd":"relative"}\n', '{"cwd":7}\n', '{"cwd":"/a\\u0000b"}\n', "x" * LIMIT])
def test_a_transcript_that_does_not_tell_is_none_and_no_other_is_asked(away_from_home: Path, head: str) -> None:
    transcript(away_from_home, "-a", "old", cwd("/a"), age=99)
    newest = transcript(away_from_home, "-a", "new", head + "\n" + "y" * LIMIT + "\n" + cwd("/a"))
    with opens() as paths:
        assert [each.folder for each in known_folders("/here")] == ["/here"]
    assert [path for path in paths if path.endswith(".jsonl")] == [str(newest)]


def test_a_folder_that_no_system_can_have_is_none(away_from_home: Path) -> None:
    transcript(away_from_home, "-a", "a", cwd("/a" * 20_000))
    transcript(away_from_home, "-b", "a", cwd("/b\\ud800"))
    assert [each.folder for each in known_folders("/here")] == ["/here"]


def test_links_pipes_and_folders_are_no_transcripts(away_from_home: Path) -> None:
    project = away_from_home / ".claude/projects/-a"
    transcript(away_from_home, "elsewhere", "b", cwd("/b")).rename(away_from_home / "b.jsonl")
    project.mkdir()
    (project / "z.jsonl").symlink_to(away_from_home / "b.jsonl")
    os.mkfifo(project / "y.jsonl")
    (project / "x.jsonl").mkdir()
    assert known_folders("/here")[1:] == []


def test_of_many_transcripts_one_a_project_is_read_and_its_start_alone(
    away_from_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for project in range(3):
        for number in range(20):
            transcript(away_from_home, f"-p{project}", str(number), "x" * (4 * LIMIT), number)
        (away_from_home / f".claude/projects/-p{project}/memory").mkdir()
    sizes: list[int] = []
    real = os.read

    def read(handle: int, count: int) -> bytes:
        raw = real(handle, count)
        if ".jsonl" in os.readlink(f"/proc/self/fd/{handle}"):
            sizes.append(len(raw))
        return raw

    monkeypatch.setattr(os, "read", read)
    with opens() as paths:
        known_folders("/here")
    assert sorted(path for path in paths if path.endswith(".jsonl")) == [
        f"{away_from_home}/.claude/projects/-p{project}/0.jsonl" for project in range(3)
    ]
    assert sum(sizes) == 3 * LIMIT


def test_no_transcript_is_opened_to_open_or_list_stores(away_from_home: Path) -> None:
    transcript(away_from_home, "-here", "a", cwd("/here"))
    memory = away_from_home / ".claude/projects/-here/memory"
    memory.mkdir()
    (memory / "MEMORY.md").write_text("- a fact\n")
    with opens() as paths:
        every = stores.sessions(Config(), cwd="/here")
        before = [path for path in paths if not path.endswith(".pyc")]
        assert [each.files for each in stores.lines(every)] == [1]
    assert before == [] and not [path for path in paths if path.endswith(".jsonl")]


def test_a_long_name_that_another_build_has_hashed_is_found_by_its_transcript(away_from_home: Path) -> None:
    folder = "/srv/" + "deep/" * 45 + "end"
    other = folder + "-of-it"
    start = encoded(folder)[:200]
    for project, of in ((f"{start}-0ther", other), (f"{start}-an0ther", folder)):
        transcript(away_from_home, project, "a", cwd(of))
        (away_from_home / ".claude/projects" / project / "memory").mkdir()
    (session,) = stores.sessions(Config(), cwd=folder)
    assert session.project == f"project:{start}-an0ther"
    (away_from_home / ".claude/projects" / encoded(folder)).mkdir()
    assert stores.sessions(Config(), cwd=folder)[0].project == f"project:{encoded(folder)}"


def test_the_folder_of_a_group_without_transcripts_is_known_from_another_agent(away_from_home: Path) -> None:
    store = AStore(away_from_home).has(".gemini/projects.json", '{"projects": {"/w/other": "other", "/w/app": "app"}}')
    store.has(".claude/projects/-w-app/memory/MEMORY.md", "- one\n")
    session = stores.open_store(Config(), f"claude-code:{store.root}/.claude", group="project:-w-app", cwd="/here")
    assert export_targets.folder_of(session) == "/w/app"
