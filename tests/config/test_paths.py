"""`~` in whatever a person names, and the settings file that is not there."""

from __future__ import annotations

import os
import pwd
import socket
from pathlib import Path

import pytest

from tests.builders import PROJECT, AStore
from tests.command_line import Run
from zsmem_tui import Mem
from zsmem_tui.config import locate
from zsmem_tui.config.load import load
from zsmem_tui.core.errors import ConfigError
from zsmem_tui.core.names import project_slug
from zsmem_tui.service import applying, bundles, exporting, formats, importing
from zsmem_tui.service.session import Session


@pytest.fixture
def at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ann")


@pytest.mark.usefixtures("at_home")
@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("~", "/home/ann"),
        ("~/", "/home/ann/"),
        ("~/a b/~", "/home/ann/a b/~"),
        ("$HOME", "/home/ann"),
        ("$HOME/x", "/home/ann/x"),
        ("$HOMER/x", "$HOMER/x"),
        ("./~", "./~"),
        ("/~", "/~"),
        ("a/~/b", "a/~/b"),
        ("", ""),
        ("-", "-"),
    ],
)
def test_a_tilde_at_the_front_is_the_home_folder(given: str, meant: str) -> None:
    assert locate.expanded(given) == meant


@pytest.mark.parametrize("named", [None, ""])
def test_without_a_home_in_the_environment_it_is_that_of_the_account(monkeypatch: pytest.MonkeyPatch, named: str | None) -> None:
    monkeypatch.delenv("HOME")
    if named is not None:
        monkeypatch.setenv("HOME", named)
    monkeypatch.setattr("pwd.getpwuid", lambda number: pwd.struct_passwd(("ann", "x", number, 1, "", "/home/ann", "/bin/sh")))
    assert locate.home_folder() == "/home/ann"
    monkeypatch.setattr("pwd.getpwuid", lambda number: {}[number])
    with pytest.raises(ConfigError, match="no home directory"):
        locate.home_folder()


def test_a_tilde_with_a_name_is_that_persons_home_folder() -> None:
    assert locate.expanded("~root/x") == os.path.expanduser("~root/x")
    with pytest.raises(ConfigError, match="no user called 'nobody-of-that-name'"):
        locate.expanded("~nobody-of-that-name/x")


@pytest.mark.usefixtures("at_home")
def test_a_tilde_with_a_name_means_no_person_where_zerostack_takes_it_as_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    for given, meant in (("~", "/home/ann"), ("$HOME/z", "/home/ann/z"), ("~root/z", "~root/z"), ("~nobody/z", "~nobody/z")):
        monkeypatch.setenv("ZS_CONFIG_DIR", given)
        assert locate.memory_root() == f"{meant}/agent/memory"


def run(*words: str, cwd: Path, **env: str) -> Run:
    return Run(*words, env=env, cwd=cwd)


@pytest.fixture
def here(tmp_path: Path, away_from_home: Path) -> Path:
    AStore(away_from_home / "mem").has("MEMORY.md", "alpha\n").has("~/notes/n.md", "note\n")
    folder = tmp_path / "here"
    folder.mkdir()
    return folder


def test_no_option_makes_a_folder_called_tilde(here: Path, away_from_home: Path) -> None:
    given = "~/mem"
    settings = here.parent / "config.toml"
    settings.write_text(f"root = '{given}'\n")
    assert run("write", "long_term", "beta", cwd=here, ZSMEM_CONFIG=str(settings)).code == 0
    assert run("--root", given, "write", "long_term", "gamma", cwd=here).code == 0
    assert Path(away_from_home, "mem/MEMORY.md").read_text() == "alpha\nbeta\ngamma\n"
    slug = project_slug(str(away_from_home / "code"))
    assert run("slug", "--cwd", given.replace("mem", "code"), cwd=here).out == f"{slug}\n"
    assert run("slug", given.replace("mem", "code"), cwd=here).out == f"{slug}\n"
    root = ("--root", given, "--project", PROJECT)
    assert run(*root, "export", "markdown", given.replace("mem", "out"), cwd=here).code == 0
    assert (away_from_home / "out").is_dir()
    bundle = given.replace("mem", "all.tar.gz")
    assert run(*root, "export", "bundle", bundle, cwd=here).code == 0
    assert run("--root", given.replace("mem", "other"), "import", "bundle", bundle, cwd=here).code == 0
    assert run(*root, "import", "markdown", given.replace("mem", "out"), "--dry-run", cwd=here).code in (0, 1)
    moved = given.replace("mem", "settings.toml")
    Path(away_from_home, "settings.toml").write_text(f"root = '{given}'\n")
    assert run("read", "long_term", cwd=here, ZSMEM_CONFIG=moved, ZSMEM_STATE_DIR=given.replace("mem", "st")).code == 0
    assert list(here.iterdir()) == []


def test_the_library_knows_it_too(here: Path, away_from_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(here)
    Mem.open(root="~/mem").write("long_term", "beta")
    assert Path(away_from_home, "mem/MEMORY.md").read_text() == "alpha\nbeta\n"
    assert Mem.open("~/code", root="~/mem").project == project_slug(str(away_from_home / "code"))
    assert list(here.iterdir()) == []


def test_a_path_that_is_typed_on_the_screen_is_expanded_by_the_verb(here: Path, away_from_home: Path) -> None:
    session = Session(str(away_from_home / "mem"), PROJECT)
    assert bundles.export_to(session, "~/all.tar.gz").message.startswith("Wrote 2 files to ")
    assert [row.source for row in bundles.plan(session, "~/all.tar.gz").rows] and (away_from_home / "all.tar.gz").exists()
    applying.apply(exporting.plan(session, formats.of_agent("markdown"), "~/out"))
    assert importing.plan(session, formats.of_agent("markdown"), "~/out").read.place == str(away_from_home / "out")


@pytest.mark.parametrize("given", ["/nope.toml", "~/nope.toml", "nope.toml"])
def test_a_settings_file_that_is_named_and_not_there_is_an_error(here: Path, given: str) -> None:
    done = run("status", cwd=here, ZSMEM_CONFIG=given)
    assert (done.code, done.out) == (2, "")
    assert "nope.toml" in done.err and "ZSMEM_CONFIG" in done.err


def test_settings_that_cannot_be_looked_at_are_not_taken_for_none(away_from_home: Path) -> None:
    assert load().root == ""
    folder = away_from_home / ".config/zsmem"
    folder.mkdir(parents=True)
    assert load().root == ""
    (folder / "config.toml").symlink_to("nowhere")
    with pytest.raises(ConfigError, match=r"config\.toml: a link to what is not there"):
        load()


def test_settings_that_never_end_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZSMEM_CONFIG", "/dev/zero")
    with pytest.raises(ConfigError, match="/dev/zero: it has more than 1,048,576 bytes: no settings file"):
        load()


def test_settings_that_would_be_waited_for_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "settings")
    with socket.socket(socket.AF_UNIX) as listening:
        monkeypatch.chdir(tmp_path)
        listening.bind("listening")
        for name in ("settings", "listening"):
            place = str(tmp_path / name)
            monkeypatch.setenv("ZSMEM_CONFIG", place)
            with pytest.raises(ConfigError, match="No setting was read") as refused:
                load()
            assert refused.value.message.startswith(place)
    monkeypatch.setenv("ZSMEM_CONFIG", os.devnull)
    assert load() == load(os.devnull)
