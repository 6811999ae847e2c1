"""`zsmem misses`, and aliases on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.builders import AStore
from tests.command_line import Run
from tests.mcp.clients import call, started
from tests.service.test_recall import NOTE, TEXT, missed, note_of
from zsmem_tui.agents.claude_code.files import encoded
from zsmem_tui.cli.main import main
from zsmem_tui.cli.output import Exit
from zsmem_tui.service import recall

STORE = {"MEMORY.md": "- a fact\n", NOTE: TEXT}


def zsmem(store: AStore, *words: str) -> int:
    return main(["--root", str(store.root), "--project", store.session().project, *words])


def test_misses_are_listed_with_a_sentence_on_top(
    store: AStore, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recall, "SIGNAL_DAYS", 100_000)  # the searches are of the day that tests have
    missed(store)
    assert zsmem(store, "misses") == 0
    says, row = capsys.readouterr().out.splitlines()
    assert says.startswith("1 of 2 searches in 100000 days missed (50%).")
    assert row == f"in-memory store: {note_of(store)}, by claude-code, found with berths"
    assert zsmem(store, "misses", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["searches"], found["missed"], found["misses"][0]["alias"]) == (2, 1, "in-memory store")


def test_apply_writes_them_and_a_dry_run_only_shows_it(store: AStore, capsys: pytest.CaptureFixture[str]) -> None:
    missed(store)
    assert zsmem(store, "misses", "--apply", "--dry-run") == 0
    assert "+aliases: in-memory store" in capsys.readouterr().out
    assert store.at(NOTE).read_text() == TEXT
    assert zsmem(store, "misses", "--apply") == 0
    assert store.at(NOTE).read_text() == "# Redis\naliases: in-memory store\n\nKeeps berths.\n"
    assert zsmem(store, "misses", "--apply") == 1


def test_with_another_agent_alone_what_agents_searched_through_the_server_is_counted_too(away_from_home: Path) -> None:
    folder = away_from_home / "code/alpha"
    own = away_from_home / ".claude/projects" / encoded(str(folder)) / "memory/MEMORY.md"
    for place in (folder, own.parent):
        place.mkdir(parents=True)
    own.write_text("- redis uses port 9999\n")
    assert Run("misses", cwd=folder).out == "No search was noted in the last 30 days.\n"
    asked = call("memory_search", 1, None, query="berths") + call("memory_search", 2, None, query="moorings")
    with started("--cwd", str(folder)) as server:
        assert len(server.communicate(asked)[0].splitlines()) == 2
    found = Run("misses", cwd=folder)
    assert [line.partition(" in ")[0] for line in found.out.splitlines()] == [
        "Claude Code: No search was noted",
        "zerostack: 2 of 2 searches",
    ]
    assert json.loads(Run("misses", "--json", cwd=folder).out)["searches"] == 2
    assert json.loads(Run("misses", "--json", "--store", "claude-code", cwd=folder).out)["searches"] == 0


def test_nothing_missed_is_nothing_listed(store: AStore, capsys: pytest.CaptureFixture[str]) -> None:
    assert zsmem(store, "misses") == 1
    assert capsys.readouterr().out == "No search was noted in the last 30 days.\n"


def test_write_takes_aliases_with_a_text_in_one_step(store: AStore) -> None:
    assert zsmem(store, "write", "note:deploy", "# Deploy\n\nBy hand.", "--alias", "rollout", "--alias", "ship") == 0
    assert store.at("~/notes/deploy.md").read_text() == "# Deploy\naliases: rollout, ship\n\nBy hand.\n"
    assert zsmem(store, "write", "note:deploy", "On Fridays never.", "--alias", "release") == 0
    assert store.at("~/notes/deploy.md").read_text() == (
        "# Deploy\naliases: rollout, ship, release\n\nBy hand.\nOn Fridays never.\n"
    )
    assert zsmem(store, "undo") == 0
    assert store.at("~/notes/deploy.md").read_text() == "# Deploy\naliases: rollout, ship\n\nBy hand.\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["note:redis", "x", "--alias", "a, b"], "has a comma in it"),
        (["note:redis", "x", "--alias", "a]"], "has a bracket in it"),
        (["note:redis", "x", "--alias", "a\nb"], "has a line break in it"),
        (["long_term", "x", "--alias", "a"], "aliases are for notes"),
    ],
)
def test_an_alias_that_is_none_is_refused_and_nothing_is_written(
    store: AStore, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    before = store.tree()
    assert zsmem(store, "write", *words) in (Exit.USAGE, Exit.REFUSED)
    assert said in capsys.readouterr().err
    assert store.tree() == before


def test_a_note_that_is_no_text_keeps_its_bytes(store: AStore, capsys: pytest.CaptureFixture[str]) -> None:
    store.has(NOTE, b"\xff\xfe\n")
    assert zsmem(store, "write", "note:redis", "x", "--alias", "a") != 0
    assert "not valid UTF-8" in capsys.readouterr().err
    assert store.raw(NOTE) == b"\xff\xfe\n"
