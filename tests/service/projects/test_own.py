"""What is known of a project."""

from __future__ import annotations

from pathlib import Path

from tests.builders import NOW, PROJECT, AStore
from zsmem_tui.core.names import project_slug
from zsmem_tui.core.project import Project
from zsmem_tui.service.projects.own import project_of
from zsmem_tui.service.session import Session


def test_the_sessions_own_project_knows_its_folder_and_repository(tmp_path: Path) -> None:
    folder = tmp_path / "code" / "lantern" / "src"
    folder.mkdir(parents=True)
    (folder.parent / ".git").mkdir()
    slug = project_slug(str(folder))
    session = Session(str(tmp_path / "store"), slug, folder=str(folder), clock=lambda: NOW)
    assert project_of(session) == Project(slug, f"{tmp_path}/store/projects/{slug}", str(folder), str(folder.parent))


def test_of_another_project_only_its_slug_is_known(tmp_path: Path) -> None:
    session = AStore(tmp_path / "store").session()
    found = project_of(session, "other-00000000")
    assert (found.folder, found.repository, found.label) == ("", "", "other-00000000")
    assert project_of(session).slug == PROJECT


def test_a_label_can_be_shown_whatever_bytes_the_name_has() -> None:
    assert Project("a\x1b[31m\udcff", "x").label == "a␛[31m\ufffd"
