"""What people install: the wheel holds the program and nothing else, the source archive can test itself."""

from __future__ import annotations

import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

WHEEL_BYTES = 1_822_000
"""Bytes that the wheel may have: its files take 1.6 MB packed, and their names in it 0.1 MB."""


def built(tmp_path: Path) -> Path:
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(tmp_path), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    return next(tmp_path.glob("*.whl"))


@pytest.mark.slow
def test_the_wheel_holds_the_program_its_licence_and_nothing_else(tmp_path: Path) -> None:
    wheel = built(tmp_path)
    assert wheel.stat().st_size < WHEEL_BYTES
    with zipfile.ZipFile(wheel) as inside:
        names = inside.namelist()
        (licence,) = [name for name in names if name.endswith("licenses/LICENSE")]
        assert inside.read(licence) == (ROOT / "LICENSE").read_bytes()
    assert {name.partition("/")[0] for name in names} == {"zsmem_tui", licence.partition("/")[0]}
    tracked = {
        file.relative_to(ROOT).as_posix()
        for file in (ROOT / "zsmem_tui").rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    assert {name for name in names if name.startswith("zsmem_tui/")} == tracked


def test_the_source_archive_holds_what_its_tests_need() -> None:
    targets = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["targets"]
    assert targets["wheel"]["packages"] == ["zsmem_tui"]
    assert {"zsmem_tui", "tests", "screenshots", ".ci", ".github", "README.md", "LICENSE", "pyproject.toml"} <= set(
        targets["sdist"]["include"]
    )


def test_lowest_versions_are_those_of_the_project() -> None:
    done = subprocess.run([sys.executable, str(ROOT / ".ci/lowest.py"), "test"], capture_output=True, text=True, check=True)
    lines = done.stdout.split("\n")[:-1]
    assert "textual==8.2.8" in lines and any(line.startswith("hypothesis==") for line in lines)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert len(lines) >= len(project["dependencies"])
