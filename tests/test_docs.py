"""The README, the pictures and the help are true for this commit."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests import docs
from zsmem_tui import __version__
from zsmem_tui.ui.actions import ACTIONS, PANES

ROOT = Path(__file__).parent.parent


def test_the_generated_parts_of_the_readme_are_up_to_date() -> None:
    text = docs.README.read_text()
    assert docs.filled(text) == text, "run python -m tests.docs"


def test_every_picture_of_the_readme_is_there_and_used() -> None:
    named = set(re.findall(r"\(screenshots/(\w+)\.svg\)", docs.README.read_text()))
    there = {file.stem for file in (ROOT / "screenshots").glob("*.svg")}
    assert named <= there and there - named <= {"keys"}


def test_the_pictures_are_those_of_this_commit() -> None:
    done = subprocess.run([sys.executable, "-m", "tests.shots", "--check"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_pane_has_a_page_of_help() -> None:
    for pane in set(PANES.values()):
        assert (ROOT / f"zsmem_tui/help/panes/{pane}.md").read_text().startswith("# ")


def test_the_changelog_tells_of_this_version() -> None:
    assert f"## {__version__}" in (ROOT / "zsmem_tui/help/changes.md").read_text()
    assert f'version = "{__version__}"' in (ROOT / "pyproject.toml").read_text()


def test_no_default_key_is_one_that_terminals_confuse() -> None:
    for action in ACTIONS:
        assert not {"ctrl+h", "ctrl+i", "ctrl+m", "ctrl+left_square_bracket"} & set(action.keys.split(","))
