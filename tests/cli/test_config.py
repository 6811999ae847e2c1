"""`zsmem config` prints every setting, and `--check` every mistake."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from tests.command_line import zsmem
from zsmem_tui.cli.main import main
from zsmem_tui.config.model import Config
from zsmem_tui.entry import _check_screen


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ZSMEM_CONFIG", str(tmp_path / "config.toml"))
    return tmp_path / "config.toml"


def test_all_settings_are_printed_as_a_file_that_says_the_same(file: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file.write_text("inject_cap = 5\n\n[keys]\n'app.search' = 's,\"'\n")
    assert main(["config"]) == 0
    out = capfd.readouterr().out
    found = tomllib.loads(out)
    assert list(found) == list(Config._fields) and found["inject_cap"] == 5 and found["keys"] == {"app.search": 's,"'}
    assert "# (line 1 of the file)\ninject_cap = 5\n" in out and '# (default)\ntheme = "dark"\n' in out
    assert main(["config", "--json"]) == 0
    rows = {row["key"]: row for row in json.loads(capfd.readouterr().out)["settings"]}
    assert (rows["inject_cap"]["line"], rows["inject_cap"]["default"], rows["keys"]["line"]) == (1, 32768, 3)


def test_without_a_file_the_defaults_are_printed(capfd: pytest.CaptureFixture[str], away_from_home: Path) -> None:
    assert main(["config"]) == 0
    out = capfd.readouterr().out
    assert out.startswith(f"# {away_from_home}/.config/zsmem/config.toml (there is none: these are the defaults)\n")
    assert main(["config", "--check"]) == 0
    assert "config.toml: there is none, so all is as by default." in capfd.readouterr().err


def test_every_mistake_is_named_with_file_and_line(file: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file.write_text(
        "theme = 'drak'\ninject_kap = 5\nstores = ['ethoz']\nroots = ['/nowhere/at/all']\n\n[keys]\n'app.serch' = 's'\n"
        "'app.help' = 's'\n"
    )
    assert main(["config", "--check"], _check_screen) == 2
    said = capfd.readouterr()
    rows = said.out.split("\n")[:-1]
    assert [row.removeprefix(f"{file}:").partition(":")[0] for row in rows] == ["1", "2", "3", "4", "7", "8"]
    for words in (
        "no theme called 'drak'",
        "Did you mean 'inject_cap'?",
        "no kind of store 'ethoz'",
        "/nowhere/at/all",
        "'app.search'?",
    ):
        assert words in said.out
    assert "6 mistakes in" in said.err
    assert main(["config", "--check", "--json"], _check_screen) == 2
    assert json.loads(capfd.readouterr().out)["mistakes"][0]["line"] == 1


def test_a_wrong_entry_hides_no_other_mistake(file: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file.write_text(
        "stores = ['ethoz', 'markdown:x', 'other:y']\n[keys]\nfoo = 1\n'app.search' = 'f7'\nbar = 2\n'app.nope' = 'y'\n"
    )
    assert main(["config", "--check"], _check_screen) == 2
    said = capfd.readouterr()
    rows = said.out.split("\n")[:-1]
    assert [row.removeprefix(f"{file}:").partition(":")[0] for row in rows] == ["1", "1", "1", "3", "4", "5", "6"]
    assert "'ethoz'" in said.out and "'markdown:x'" in said.out and "'other:y'" in said.out
    assert "f7 would mean both" in said.out and "7 mistakes in" in said.err


def test_a_wrong_file_stops_verbs_but_not_those_that_help_with_it(file: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file.write_text("nonsense")
    assert main(["status"]) == 2
    assert "config.toml:1 is not valid TOML" in capfd.readouterr().err
    assert main(["man"]) == 0 and main(["completion", "bash"]) == 0
    assert main(["config"]) == 2 and main(["config", "--check"]) == 2
    file.unlink()
    assert main(["config", "--check"]) == 2, "ZSMEM_CONFIG names it"


def test_the_program_itself_knows_themes_and_keys(file: Path) -> None:
    file.write_text("theme = 'drak'\n")
    done = zsmem(None, "config", "--check")
    assert done.code == 2 and done.out.startswith(f"{file}:1: theme: there is no theme called 'drak'.")
    file.write_text("[keys]\n'app.search' = 's,3,f7'\n")
    done = zsmem(None, "config", "--check")
    assert done.code == 2 and done.out == f"{file}:2: [keys]: f7 would mean both app.search and app.tour.\n"
    file.write_text("[keys]\n'app.search' = 's,3,f7'\n'app.tour' = 'f12'\n")
    assert zsmem(None, "config", "--check").code == 0, "the action that had the key has another"
