"""Help is the same with every version of Python, which lay it out each in its own way."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

from tests.builders import PROJECT, AStore
from tests.command_line import zsmem
from zsmem_tui.cli.main import _Formatter, _Parser, main

WANTED = """\
usage: zsmem paint [-h] [-m MARK] [--often] [--red | --green TONE] --brush {flat,round}
                   [--layers N [N ...]] (--wall NAME | --door NAME | --ceiling)
                   where [how] [words ...]

Paints.

positional arguments:
  where             the room
  how
  words

options:
  -h, --help        show this help message and exit
  -m, --mark MARK   a mark
  --often
  --red             as it was
  --green TONE
  --brush {flat,round}
  --layers N [N ...]
  --wall NAME
  --door NAME
  --ceiling
"""


def a_parser() -> argparse.ArgumentParser:
    parser = _Parser("zsmem paint", description="Paints.", formatter_class=_Formatter, allow_abbrev=False)
    parser.add_argument("where", help="the room")
    parser.add_argument("how", nargs="?")
    parser.add_argument("words", nargs="*")
    parser.add_argument("-m", "--mark", help="a mark")
    parser.add_argument("--often", action="store_true")
    parser.add_argument("--secret", help=argparse.SUPPRESS)
    either = parser.add_mutually_exclusive_group()
    either.add_argument("--red", action="store_true", help="as it was")
    either.add_argument("--green", metavar="TONE")
    either.add_argument("--blue", help=argparse.SUPPRESS)
    parser.add_argument("--brush", choices=["flat", "round"], required=True)
    parser.add_argument("--layers", metavar="N", nargs="+")
    one = parser.add_mutually_exclusive_group(required=True)
    one.add_argument("--wall", metavar="NAME")
    one.add_argument("--door", metavar="NAME")
    one.add_argument("--ceiling", action="store_true")
    return parser


def test_options_stand_before_words_and_what_excludes_each_other_on_one_line() -> None:
    assert a_parser().format_help() == WANTED


def test_what_fits_on_one_line_stands_there() -> None:
    parser = _Parser("zsmem go", formatter_class=_Formatter)
    parser.add_argument("where", nargs="?")
    assert parser.format_help().startswith("usage: zsmem go [-h] [where]\n\npositional")


def test_no_help_is_coloured_whatever_the_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert main(["search", "--help"]) == 0
    assert "\x1b" not in capsys.readouterr().out


def test_a_remote_may_stand_behind_an_option(tmp_path: Path) -> None:
    store = AStore(tmp_path / "memory").has("MEMORY.md", "- redis port\n")
    asked = zsmem(store, "sync", "setup", "--dry-run", str(tmp_path / "remote.git"))
    assert "Nothing was set up" in asked.out and "takes no" not in asked.err
    refused = zsmem(store, "sync", "setup", "--mask", "--yes", str(tmp_path / "remote.git"))
    assert refused.code == 2 and "--mask belongs to `zsmem sync`, which sends. Nothing was done." in refused.err
    assert not (tmp_path / "remote.git").exists()
    assert json.loads(zsmem(store, "search", "redis", "--json", "port").out)["terms"] == [["redis", 1], ["port", 1]]


@pytest.mark.parametrize(
    "line",
    [
        "scratch add milk --older 30d",
        "scratch list --to other",
        "scratch list --heading Old",
        "scratch done 1f --name x",
        "scratch done 1f --state open",
        "file rm note:tea --to other",
        "file copy note:tea note:cake --as facts",
        "file copy note:tea note:cake --into-group x",
        "file entry tea --alone",
        "projects list --into other",
        "history show 1f --file MEMORY.md",
        "history list --files",
        "history restore 1f --yes",
        "history --limit -5",
        "import detect --only x",
        "import detect --into x",
        "import bundle b.tar.gz --only x",
        "import bundle b.tar.gz --to claude-code",
        "import markdown . --to-group x",
        "import markdown . --to claude-code --into x",
        "export markdown out --projects x",
        "export bundle b.tar.gz --also x",
        "export bundle b.tar.gz --in-prompt x",
        "context --explain --changes",
        "connect claude-code --check --remove",
        "undo --redo --skip",
    ],
)
def test_an_option_that_means_nothing_there_is_refused(store: AStore, line: str) -> None:
    """What it would have kept out, or where it would have gone, is not done without it."""
    store.has("MEMORY.md", "- a\n")
    before = store.tree()
    refused = zsmem(store, *line.split(), cwd=store.root)
    option = next(each for each in line.split() if each.startswith("--"))
    assert refused.code == 2 and option in refused.err and "Nothing was" in refused.err and not refused.out
    assert store.tree() == before


def test_a_bundle_is_of_the_projects_that_were_named_or_is_none(store: AStore, tmp_path: Path) -> None:
    store.has("MEMORY.md", "- a\n").has(f"projects/{PROJECT}/notes/tea.md", "# Tea\n")
    for named, code, said in ((f"{PROJECT},othr", 3, "There is no project othr."), ("", 2, "--projects has an empty name.")):
        refused = zsmem(store, "export", "bundle", str(tmp_path / "b.tar.gz"), "--projects", named)
        assert refused.code == code and f"{said} Nothing was exported." in refused.err
        assert not (tmp_path / "b.tar.gz").exists()
    assert zsmem(store, "export", "bundle", str(tmp_path / "b.tar.gz"), "--projects", PROJECT).code == 0


def test_a_dry_run_of_skip_says_which_step_it_would_pass_over(store: AStore) -> None:
    for each in ("one", "two"):
        assert zsmem(store, "write", "long_term", f"- {each}").code == 0
    dry = zsmem(store, "undo", "--skip", "--dry-run")
    assert dry.out.startswith("Passed over: ") and dry.code == 0
    assert zsmem(store, "undo").code == 0 and store.raw("MEMORY.md") == b"- one\n"
