"""A command line that means nothing is refused in one sentence, which names what was meant where that can be guessed."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.builders import AStore
from tests.command_line import zsmem
from zsmem_tui.cli.main import main, parse_program


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("search --al redis", "search has no option '--al'. Did you mean '--all'? Nothing was done."),
        ("search --josn=1 redis", "search has no option '--josn'. Did you mean '--json'? Nothing was done."),
        ("--projct p search redis", "there is no option '--projct'. Did you mean '--project'?"),
        ("import --from x", "import has no option '--from'. Nothing was done."),
        ("fit --to 0", "fit has no option '--to'. Nothing was done."),
        ("delete note:x", "there is no verb 'delete'. Did you mean 'file rm' or 'scratch rm'?"),
        ("search -q redis", "search has no option '-q'. Nothing was done."),
        ("search redis --quiet-please", "search has no option '--quiet-please'. Nothing was done."),
        ("--all search redis", "'--all' goes behind the verb: zsmem search --all … Nothing was done."),
        ("--dry-run search redis", "search has no option '--dry-run'. Nothing was done."),
        ("list x y", "list takes no 'x'. Nothing was done."),
        ("move note:x --to p", "there is no verb 'move'. Did you mean 'file move', 'projects move' or 'scratch move'?"),
        ("scratch tick x", "scratch has no action 'tick'. Did you mean 'done'? Nothing was done."),
        ("file delete note:x", "file has no action 'delete'. Did you mean 'rm'? Nothing was done."),
        ("scratch", "scratch needs an action: list, add, done, reopen"),
        ("file trash x", "file trash takes no 'x'. Nothing was done."),
        ("file rm note:x note:y", "file rm takes no 'note:y'. Nothing was done."),
        ("file zzz note:x", "file has no action 'zzz'. It has new, entry, rename, copy, move, rm, list"),
        ("diff", "there is no verb 'diff'. Did you mean 'history diff'?"),
        ("prompt", "there is no verb 'prompt'. Did you mean 'context'?"),
        ("triage --json", "there is no verb 'triage'. Did you mean 'scratch'?"),
        ("redo", "there is no verb 'redo'. Did you mean 'undo --redo'?"),
        ("seen note:x", "there is no verb 'seen'. Did you mean 'review accept'?"),
        ("review --seen", "review has no option '--seen'. Did you mean 'review accept'?"),
        ("review seen x", "review has no action 'seen'. Did you mean 'accept'?"),
        ("file --delete x", "file has no option '--delete'. Did you mean 'file rm'?"),
        ("undo --steps", "undo has no option '--steps'. Nothing was done."),
        ("serach redis", "there is no verb 'serach'. Did you mean 'search'?"),
        ("read", "read needs SOURCE. Nothing was done."),
        ("search --limit redis", "search: argument --limit: 'redis' is no number from 1 to 999999999. Nothing was done."),
        ("search --limit", "search: argument --limit: expected one argument. Nothing was done."),
        ("context --day 2026-02-30", "context: argument --day: '2026-02-30' is no day as YYYY-MM-DD. Nothing was done."),
        ("doctor --today 20260201", "doctor: argument --today: '20260201' is no day as YYYY-MM-DD. Nothing was done."),
        ("history --limit 0", "history: argument --limit: '0' is no number from 1 to 999999999. Nothing was done."),
        ("edit long_term a b", "edit takes no 'b'. Nothing was done."),
        ("edit long_term a b", "`zsmem edit TARGET --old TEXT --new TEXT`"),
        ("edit long_term a", "`zsmem edit TARGET --old TEXT --new TEXT`"),
        ("clear note:x", "zsmem edit note:NAME --delete"),
        ("--profile documents list", "Nothing was done."),
        ("list --project a --cwd b", "not allowed with argument"),
    ],
)
def test_a_mistaken_line_is_refused_in_words(line: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(line.split()) == 2
    error = capsys.readouterr().err
    assert said in error and all(each.startswith("zsmem: ") for each in error.splitlines())


def test_the_flags_that_many_verbs_have_may_stand_before_the_verb(store: AStore) -> None:
    for words in (["--json", "list"], ["list", "--json"], ["--json", "list", "--json"]):
        assert json.loads(zsmem(store, *words).out)["files"] == []
    tried = zsmem(store, "--dry-run", "--json", "write", "long_term", "x")
    assert tried.code == 0 and json.loads(tried.out)["dry_run"] is True and not store.at("MEMORY.md").exists()


def test_what_is_asked_is_not_taken_for_an_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "--", "--al"]) == 1
    assert "There is no memory" in capsys.readouterr().err, "it was searched for"
    assert main(["search", " "]) == 1
    assert capsys.readouterr().err.startswith("zsmem: The query holds no word to search for.\n")


def test_the_program_guesses_its_own_options(capsys: pytest.CaptureFixture[str]) -> None:
    for words, said in (
        (["--demmo"], "Did you mean '--demo'?"),
        (["--tuor"], "Did you mean '--tour'?"),
        (["-x"], "no option '-x'"),
    ):
        assert parse_program(words) == 2 and said in capsys.readouterr().err
    assert parse_program(["--cwd"]) == 2 and "--cwd: expected one argument. Nothing was done." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "outcome"),
    [
        ("write long_term", "Nothing was written."),
        ("edit long_term --old a --new -", "Nothing was written."),
        ("scratch add", "Nothing was written."),
        ("import bundle -", "Nothing was imported."),
        ("sync setup remote.git", "Nothing was set up, and nothing is sent."),
    ],
)
def test_input_that_cannot_be_read_is_said(
    line: str, outcome: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with open(os.open("printed", os.O_WRONLY | os.O_CREAT)) as stream:
        monkeypatch.setattr("sys.stdin", stream)
        assert main(line.split()) == 4
    assert f"Bad file descriptor. {outcome}" in capsys.readouterr().err
    monkeypatch.setattr("sys.stdin", None)
    assert main(line.split()) in {2, 3}
    assert outcome in "".join(capsys.readouterr())


def test_a_bundle_for_no_standard_output_is_said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["write", "long_term", "- a"]) == 0
    monkeypatch.setattr("sys.stdout", None)
    assert main(["export", "bundle", "-"]) == 4
    assert "There is no standard output to write the bundle to. Nothing was written." in capsys.readouterr().err


def test_a_folder_that_was_deleted_meanwhile_has_no_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    for line in ("status", "stores --json", "list"):
        assert main(line.split()) in {0, 1}
    assert "There is no memory of this folder yet." in capsys.readouterr().err
