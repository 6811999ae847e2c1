from __future__ import annotations

from pathlib import Path

import pytest

from zsmem_tui.core.errors import BadName, BadTarget
from zsmem_tui.core.names import project_slug
from zsmem_tui.service.which_project import SAY_WHICH, MeantProject, Start, started, which_project

HOME = "/home/kim"
EVERYTHING = Start(
    "",
    "/from/cwd",
    {"ZSMEM_PROJECT_DIR": "/from/ours", "CLAUDE_PROJECT_DIR": "/from/claude", "GEMINI_PROJECT_DIR": "/from/gemini"},
    "/from/process",
    HOME,
)


def folder(start: Start, **call: str) -> str:
    found = which_project(start, **call)
    assert found.slug == project_slug(found.folder)
    return found.folder


def test_what_is_said_nearer_to_the_call_wins() -> None:
    start, told = EVERYTHING, "/from/hook"
    assert folder(start, asked="/from/call", told=told) == "/from/call"
    assert folder(start, told=told) == "/from/cwd"
    start = start._replace(cwd="")
    assert folder(start, told=told) == "/from/ours"
    start = start._replace(environ={name: value for name, value in start.environ.items() if name != "ZSMEM_PROJECT_DIR"})
    assert folder(start, told=told) == "/from/hook"
    assert folder(start) == "/from/claude"
    assert folder(start._replace(environ={"GEMINI_PROJECT_DIR": "/from/gemini"})) == "/from/gemini"
    assert folder(start._replace(environ={})) == "/from/process"


def test_a_slug_names_a_project_without_its_folder() -> None:
    assert which_project(EVERYTHING, asked="lantern-1a2b3c4d") == MeantProject("lantern-1a2b3c4d")
    assert which_project(EVERYTHING._replace(project="tide-1a2b3c4d")) == MeantProject("tide-1a2b3c4d")


@pytest.mark.parametrize("own", ["", "/", HOME, f"{HOME}/", f"{HOME}/.some/plugins/cache/zsmem/0.1.0", f"{HOME}/x/plugins/cache"])
def test_where_nobody_works_says_nothing(own: str) -> None:
    start = Start(working=own, home=HOME)
    with pytest.raises(BadTarget, match=r"^Say which project: pass its folder as `project`\.$"):
        which_project(start)
    assert folder(start, asked=HOME) == HOME, "who asks for the home folder means it"
    assert SAY_WHICH.endswith("`project`.")


def test_a_folder_is_the_same_project_however_it_is_spelled() -> None:
    for spelled in ("/code/tide", "/code/tide/", "//code//tide", "/code/./tide", "/code/x/../tide"):
        assert folder(EVERYTHING, asked=spelled) == "/code/tide"
    assert folder(EVERYTHING, asked="~/tide") == f"{HOME}/tide"
    assert folder(EVERYTHING._replace(cwd="tide")) == "/from/process/tide"
    assert folder(EVERYTHING._replace(cwd=".")) == "/from/process"


@pytest.mark.parametrize("said", ["", "relative", ".", "${workspaceFolder}", "~"])
def test_a_variable_that_names_no_absolute_folder_is_passed_over(said: str) -> None:
    start = Start(environ={"ZSMEM_PROJECT_DIR": said, "CLAUDE_PROJECT_DIR": said}, working="/from/process")
    assert folder(start, told=said) == "/from/process"


def test_a_place_holder_that_nobody_filled_in_is_passed_over() -> None:
    assert folder(EVERYTHING._replace(cwd="${workspaceFolder}")) == "/from/ours"


@pytest.mark.parametrize("slug", ["../../etc", "a/b", "..", ".", "a\0b"])
def test_a_slug_that_cannot_be_a_folder_is_refused(slug: str) -> None:
    with pytest.raises(BadName):
        which_project(EVERYTHING, asked=slug)


@pytest.mark.parametrize("none", ["/half \ud800", "/a\0b", "~/\udfff"])
def test_a_text_that_can_be_no_folder_says_nothing(none: str) -> None:
    start = Start(working="/code/tide", home="/home/ann")
    assert which_project(start, told=none).folder == "/code/tide"
    assert which_project(start, told="/bytes \udcff").folder == "/bytes \udcff"


def test_the_home_folder_is_none_also_behind_a_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "home").symlink_to(tmp_path / "disk")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("ZSMEM_PROJECT_DIR", "CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path / "disk")
    with pytest.raises(BadTarget):
        which_project(started())
    (tmp_path / "disk/tide").mkdir()
    monkeypatch.chdir(tmp_path / "disk/tide")
    assert which_project(started()).folder == str(tmp_path / "disk/tide")
