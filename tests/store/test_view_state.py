"""What is kept of screens that is no text is read only from a file that nobody else has a hand in."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from zsmem_tui.config import locate
from zsmem_tui.core.errors import WriteFailed
from zsmem_tui.service import view_state


@pytest.fixture
def place() -> Path:
    view_state.keep_raw("styles", b"ours")
    return Path(locate.state_folder(), "view", "styles")


def a_link(place: Path) -> None:
    place.rename(place.with_name("elsewhere"))
    place.symlink_to("elsewhere")


def a_pipe(place: Path) -> None:
    place.unlink()
    os.mkfifo(place)


def a_huge_one(place: Path) -> None:
    os.truncate(place, 60 << 30)


def one_that_others_write(place: Path) -> None:
    place.chmod(0o620)


def of_somebody_else(place: Path) -> None:
    if os.geteuid():
        place.chmod(0)
    else:
        os.chown(place, 12_345, -1)


@pytest.mark.parametrize("made", [a_link, a_pipe, a_huge_one, one_that_others_write, of_somebody_else])
def test_what_is_no_file_of_ours_alone_is_passed_over_and_replaced(place: Path, made: Callable[[Path], None]) -> None:
    assert view_state.read_raw("styles") == b"ours"
    made(place)
    assert view_state.read_raw("styles") == b""
    view_state.keep_raw("styles", b"new")
    assert view_state.read_raw("styles") == b"new"
    assert not place.is_symlink() and place.stat().st_mode & 0o777 == 0o600


def test_a_folder_in_its_place_stays(place: Path) -> None:
    place.unlink()
    place.mkdir()
    assert view_state.read_raw("styles") == b""
    with pytest.raises(WriteFailed, match="not remembered"):
        view_state.keep_raw("styles", b"new")
    assert place.is_dir()
