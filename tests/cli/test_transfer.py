"""`zsmem import` and `zsmem export`."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.builders import SAMPLES, AStore
from tests.command_line import zsmem
from tests.service.test_importing import CLAUDE, ZEROSTACK
from zsmem_tui.cli.main import main


def test_a_dry_run_prints_the_plan_and_writes_nothing(store: AStore) -> None:
    done = zsmem(store, "import", "claude-code", str(CLAUDE), "--dry-run", "--json")
    found = json.loads(done.out)
    assert found["format"] == "claude-code" and len(found["items"]) == 9 and (found["written"], found["dry_run"]) == ([], True)
    assert {"source", "target", "fate", "reason", "text"} <= found["items"][0].keys()
    assert "The prompt of demo-1a2b3c4d would change by +" in done.err and store.tree() == {}
    assert zsmem(store, "import", "claude-code", str(CLAUDE)).code == 0
    grown = f"MEMORY.md, in the prompt of every project: +{len(store.raw('MEMORY.md'))} bytes."
    assert found["notes"] == [grown] and grown in done.err
    warned = {each["target"] for each in found["items"] if each["warnings"]}
    assert warned == {"MEMORY.md"}


def test_an_import_a_second_one_and_undo(store: AStore) -> None:
    assert zsmem(store, "import", "zerostack", str(ZEROSTACK)).code == 0 and len(store.tree()) == 5
    assert zsmem(store, "import", "zerostack", str(ZEROSTACK)).code == 1
    told = zsmem(store, "undo").out
    assert told == "Undid: Imported from zerostack. MEMORY.md, SCRATCHPAD.md, 2026-08-03.md and 2 more are deleted\n"
    assert store.tree() == {}


def test_bundles_go_through_pipes(store: AStore, tmp_path: Path) -> None:
    store.has("MEMORY.md", "fact\n").has("~/notes/n.md", "x")
    place = tmp_path / "a.tar.gz"
    assert zsmem(store, "export", "bundle", str(place)).code == 0
    fresh = AStore(tmp_path / "fresh")
    assert zsmem(fresh, "import", "bundle", "-", stdin=place.read_bytes()).code == 0 and fresh.tree() == store.tree()
    assert zsmem(fresh, "import", "bundle", "-", stdin=b"x").err.startswith("zsmem: standard input is ")
    place.write_bytes(place.read_bytes()[:-1])
    done = zsmem(AStore(tmp_path / "other"), "import", "bundle", str(place))
    assert done.code == 2 and "Nothing was written" in done.err


def test_detect_tells_what_is_on_this_machine(store: AStore, away_from_home: Path, tmp_path: Path) -> None:
    from zsmem_tui.agents.claude_code.files import encoded

    assert zsmem(store, "import", "detect", cwd=tmp_path, env={"PYTHONPATH": os.getcwd()}).code == 1
    place = away_from_home / ".claude/projects" / encoded(str(tmp_path)) / "memory"
    place.mkdir(parents=True)
    (place / "user_x.md").write_text("---\ntype: user\n---\n\nA fact.\n")
    found = json.loads(zsmem(store, "import", "detect", "--json", cwd=tmp_path).out)["found"]
    assert [(each["format"], each["items"], each["new"]) for each in found] == [("claude-code", 1, 1)]


def test_an_import_says_where_it_goes_in_a_row_each_and_what_is_no_text(tmp_path: Path, away_from_home: Path) -> None:
    notes, folder = AStore(tmp_path / "notes").has("odd\n.md", "- odd\n"), tmp_path / "work"
    notes.has("UP.MD", "- up\n").has("wide.md", "- wide\n".encode("utf-16-le")).has("wide-bom.md", "- wide\n".encode("utf-16"))
    AStore(folder).has(".memsearch/memory/2026-05-24.md", "### 10:00\n- x\n")
    done = zsmem(None, "import", "markdown", str(notes.root), cwd=folder)
    assert (done.code, done.err) == (
        0,
        "zsmem: Imported 2 notes from Markdown. 2 items are left out: wide-bom.md (it is not valid UTF-8: characters"
        " were replaced), wide.md (it holds NUL bytes)."
        " Into the memory of memsearch; --store names another.\n",
    )
    rows = done.out.splitlines()
    assert [row.split()[0] for row in rows] == ["add", "add", "left", "left"]
    assert rows[0].startswith("add        UP.MD -> notes/UP.md") and rows[1].startswith("add        odd␊.md -> ")
    assert rows[2].endswith(
        "wide-bom.md: it is not valid UTF-8: characters were replaced, it holds NUL bytes, as text in UTF-16 does,"
        " holds hidden characters: U+0000"
    )
    assert rows[3].endswith("wide.md: it holds NUL bytes, as text in UTF-16 does, holds hidden characters: U+0000")


def test_what_is_left_by_default_comes_when_asked_for_and_every_item_says_whose_it_is(store: AStore) -> None:
    ethos = SAMPLES / "ethos/home/.ethos"
    done = zsmem(store, "import", "ethos", str(ethos), "--group", "engineer", "--dry-run", "--json")
    assert {each["group"] for each in json.loads(done.out)["items"]} == {"personality:engineer"}
    omp = str(SAMPLES / "oh-my-pi/home/.omp/agent/memories/--home-ann-code-lantern--")
    taken = [each["taken"] for each in json.loads(zsmem(store, "import", "oh-my-pi", omp, "--dry-run", "--json").out)["items"]]
    also = zsmem(store, "import", "oh-my-pi", omp, "--also", "*/rollout_summaries/*", "--dry-run", "--json")
    assert (taken.count(True), [each["taken"] for each in json.loads(also.out)["items"]].count(True)) == (3, 5)


def test_a_section_is_picked_by_its_heading(store: AStore, tmp_path: Path) -> None:
    file = tmp_path / "AGENTS.md"
    file.write_text("# App\n\n- order\n\n## Facts\n\n- one\n- two\n")
    assert zsmem(store, "import", "agents-md", str(file)).code == 1 and store.tree() == {}
    refused = zsmem(store, "import", "agents-md", str(file), "--section", "Fact")
    assert refused.code == 3 and "Sections with items are App, Facts." in refused.err
    assert zsmem(store, "import", "agents-md", str(file), "--section", "facts").code == 0
    assert store.raw("MEMORY.md") == b"- one\n- two\n"
    assert zsmem(store, "search", "one", "--group", "x").code == 2


def test_an_export_prints_a_row_for_everything_and_says_what_is_lost(store: AStore, away_from_home: Path, tmp_path: Path) -> None:
    store.has("MEMORY.md", "- one `q`\n").has("~/daily/2026-05-24.md", "\n### 10:00 — head\nwords\n")
    words = ("export", "ethos")
    none = zsmem(store, *words, cwd=tmp_path)
    assert none.code == 1 and "name one with --group" in none.out and "Nothing was exported" in none.err
    dry = zsmem(store, *words, "--group", "eng", "--dry-run", "--json", cwd=tmp_path)
    found = json.loads(dry.out)
    assert [item["fate"] for item in found["items"]] == ["add", "add"] and found["items"][0]["every_turn"] == 10
    assert not (away_from_home / ".ethos").exists() and "would change by +34 bytes" in dry.err
    done = zsmem(store, *words, "--group", "eng", cwd=tmp_path)
    assert done.code == 0 and "[10 bytes on every turn] It is everybody's here" in done.out
    assert (away_from_home / ".ethos/personalities/eng/USER.md").read_text() == "- one `q`\n"
    assert zsmem(store, *words, "--group", "eng", cwd=tmp_path).code == 1
    dry = zsmem(store, *words, "--group", "eng", "--remove", "--dry-run", "--json", cwd=tmp_path)
    assert {item["fate"] for item in json.loads(dry.out)["items"]} == {"take out"}
    removed = zsmem(store, *words, "--group", "eng", "--remove", cwd=tmp_path)
    assert removed.code == 0 and {line.split("  ")[0] for line in removed.out.splitlines()} == {"take out"}
    assert not (away_from_home / ".ethos/personalities/eng/USER.md").exists()
    assert zsmem(store, "undo").out == "Undid: Took out what was exported to ethos\n"
    assert zsmem(store, "export", "bundle", "x", "--remove").code == 2


def test_why_nothing_at_all_can_go_is_said_once_with_what_to_do(store: AStore, away_from_home: Path, tmp_path: Path) -> None:
    others = AStore(tmp_path / "in")
    for name in "abc":
        store.has(f"~/notes/{name}.md", f"Words of {name}.\n")
        others.has(f"{name}.md", f"Words of {name}.\n")
    why = "the folder of this memory is not known: name it with --group"
    for words in (["export", "gemini"], ["import", "markdown", str(others.root), "--to", "gemini"]):
        dry = zsmem(store, *words, "--dry-run", cwd=tmp_path)
        assert (dry.code, dry.out) == (1, f"skipped    3 items: {why}\n") and "each row" not in dry.err
        assert "Or name a folder, as in `zsmem export gemini DIR`" in dry.err, dry.err
    assert len(json.loads(zsmem(store, "export", "gemini", "--dry-run", "--json", cwd=tmp_path).out)["items"]) == 3
    assert "name a folder" not in zsmem(store, "export", "ethos", cwd=tmp_path).err, "there, that is of no help"
    (tmp_path / "DIR").mkdir()
    assert zsmem(store, "export", "gemini", "DIR", cwd=tmp_path).code == 0 and len([*(tmp_path / "DIR").iterdir()]) > 2


def test_from_one_agent_to_another_in_one_go(store: AStore, tmp_path: Path) -> None:
    source = AStore(tmp_path / "notes").has("MEMORY.md", "- one\n").has("tea.md", "oolong\n")
    goal = f"zerostack:{tmp_path / 'other'}"
    done = zsmem(store, "import", "markdown", str(source.root), "--to", goal)
    assert done.code == 0 and store.tree() == {}, done.err
    assert AStore(tmp_path / "other").tree() == {
        "MEMORY.md": b"- one\n",
        f"projects/{store.project}/notes/tea.md": b"oolong\n",
    }
    assert zsmem(store, "import", "markdown", str(source.root), "--to", "nope").code == 3


def test_an_export_says_line_by_line_what_stays_behind_and_its_exit_code_says_so_too(tmp_path: Path, away_from_home: Path) -> None:
    from zsmem_tui.agents.claude_code.files import encoded
    from zsmem_tui.core.names import project_slug

    work = tmp_path / "work"
    work.mkdir()
    home = AStore(away_from_home)
    own = f".claude/projects/{encoded(str(work))}/memory"
    home.has(f"{own}/MEMORY.md", "- alpha uses port 9999\n- [Deploy](project_deploy.md) - a hook\n")
    home.has(f"{own}/project_deploy.md", "# Deploy\n\nOn friday.\n")
    words = ("--store", "claude-code", "export", "zerostack", str(tmp_path / "out"))
    dry = zsmem(None, *words, "--dry-run", cwd=work)
    left = f"Left out: 1 line of {own.removeprefix('.claude/')}/MEMORY.md."
    assert dry.code == 1 and dry.err.rstrip().endswith(left) and "Every line goes along" not in dry.err
    assert f"left out   {own.removeprefix('.claude/')}/MEMORY.md:2: - [Deploy](project_deploy.md) - a hook\n" in dry.out
    done = zsmem(None, *words, cwd=work)
    out = AStore(tmp_path / "out").tree()
    assert done.code == 1 and out["MEMORY.md"] == b"- alpha uses port 9999\n"
    assert f"projects/{project_slug(str(work))}/notes/project_deploy.md" in out and len(out) == 2
    home.has(f"{own}/MEMORY.md", "- alpha uses port 9999\n")
    fresh = zsmem(None, *words[:-1], str(tmp_path / "fresh"), cwd=work)
    assert fresh.code == 0 and "Every line goes along." in fresh.err


def test_a_bundle_says_what_is_not_in_it_and_its_exit_code_says_so_too(tmp_path: Path) -> None:
    whole = AStore(tmp_path / "whole").has("MEMORY.md", "- one\n")
    part = AStore(tmp_path / "part").has("MEMORY.md", "- one\n").has(".envrc", "x\n")
    (part.root / "away.md").symlink_to(whole.at("MEMORY.md"))
    place = tmp_path / "a.tgz"
    dry = zsmem(part, "export", "bundle", str(place), "--dry-run")
    assert dry.code == 1 and not place.exists() and "left out   away.md: a link\n" in dry.out
    assert dry.err.rstrip().endswith("Left out: 2 files: away.md (a link), .envrc (its name begins with a dot).")
    told = json.loads(zsmem(part, "export", "bundle", str(place), "--dry-run", "--json").out)
    assert told["dry_run"] and len(told["left"]) == len(dry.out.splitlines())
    done = zsmem(part, "export", "bundle", str(place))
    assert done.code == 1 and place.exists() and "Left out: 2 files: " in done.err
    assert zsmem(whole, "export", "bundle", str(tmp_path / "b.tgz"), "--dry-run").code == 0
    assert zsmem(whole, "export", "bundle", str(tmp_path / "b.tgz")).code == 0


def test_an_import_of_a_bundle_says_what_stays_out_and_what_is_replaced(tmp_path: Path) -> None:
    theirs = AStore(tmp_path / "theirs").has("MEMORY.md", "- theirs\n").has("same.md", "same\n").has("new.md", "new\n")
    place = str(tmp_path / "a.tgz")
    zsmem(theirs, "export", "bundle", place)
    ours = AStore(tmp_path / "ours").has("MEMORY.md", "- ours\n").has("same.md", "same\n")
    told = json.loads(zsmem(ours, "import", "bundle", place, "--dry-run", "--json", "--on-conflict", "merge").out)
    assert [(each["source"], each["text"]) for each in told["items"]] == [
        ("MEMORY.md", "- theirs\n"),
        ("new.md", "new\n"),
        ("same.md", "same\n"),
    ]
    dry = zsmem(ours, "import", "bundle", place, "--dry-run")
    assert dry.code == 1 and dry.err.rstrip().endswith("Left out: 1 file.") and "Nothing is lost" not in dry.err
    over = zsmem(ours, "import", "bundle", place, "--dry-run", "--on-conflict", "replace")
    assert over.code == 0 and over.err.rstrip().endswith("1 file of the store is replaced.")
    both = zsmem(ours, "import", "bundle", place, "--dry-run", "--on-conflict", "merge")
    assert both.code == 0 and "Nothing is lost: " in both.err
    done = zsmem(ours, "import", "bundle", place)
    assert done.code == 1 and "Imported 1 file; 1 was there already. Left out: 1 file." in done.err
    assert zsmem(ours, "import", "bundle", place, "--on-conflict", "rename").code == 0


@pytest.mark.parametrize(
    "words",
    [
        ["import", "claude-code", "--to", "zerostack"],
        ["import", "claude-code"],
        ["export", "zerostack"],
        ["export", "zerostack", "--store", "claude-code"],
    ],
)
def test_zerostack_alone_means_its_own_memory(
    away_from_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    from zsmem_tui.agents.claude_code.files import encoded

    monkeypatch.chdir(tmp_path)
    memory = away_from_home / ".claude/projects" / encoded(str(tmp_path)) / "memory"
    memory.mkdir(parents=True)
    (memory / "MEMORY.md").write_text("- never push on Fridays\n")
    assert main([*words, "--dry-run"]) == 0
    assert ("This would begin a memory of zerostack in " in capsys.readouterr().err) == (words[0] == "import")
    assert main(words) == 0
    told = capsys.readouterr()
    if words[0] == "export":
        assert "They are of one project here and in every prompt of zerostack there." in told.out
    else:
        assert "This began a memory of zerostack in " in told.err, "which the verbs work on from now on"
    goal = away_from_home / ".local/share/zerostack/agent/memory"
    assert [each.name for each in goal.rglob("*.md")] == ["MEMORY.md"]
    assert "- never push on Fridays\n" in (goal / "MEMORY.md").read_text()


def test_an_export_to_zerostack_goes_where_it_reads_and_from_there_wants_a_folder(store: AStore, away_from_home: Path) -> None:
    store.has("MEMORY.md", "- a fact\n")
    assert zsmem(store, "export", "zerostack").code == 0
    goal = AStore(away_from_home / ".local/share/zerostack/agent/memory")
    assert goal.raw("MEMORY.md") == b"- a fact\n"
    done = zsmem(goal, "export", "zerostack")
    assert done.code == 3 and "Name the folder to export zerostack to." in done.err


def test_a_group_that_a_format_has_not_is_refused(store: AStore, tmp_path: Path) -> None:
    store.has("MEMORY.md", "- a fact\n")
    done = zsmem(store, "export", "memsearch", str(tmp_path / "out"), "--group", "reviewer")
    assert done.code == 3 and "memsearch keeps no memory by group" in done.err and "--store zerostack --group" in done.err
    assert not (tmp_path / "out").exists()


def test_a_pattern_given_twice_counts_twice(store: AStore, tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        store.has(f"~/notes/{name}.md", f"words of {name}\n").has(f"~/daily/2026-05-2{ord(name) - 96}.md", f"day {name}\n")
    told = zsmem(store, "export", "claude-code", str(tmp_path / "cc"), "--also", "*-21.md", "--also", "*-23.md", "--json")
    went = [each["source"] for each in json.loads(told.out)["items"] if each["fate"] == "add" and "daily" in each["source"]]
    assert [each[-5:] for each in went] == ["21.md", "23.md"]
    (tmp_path / "md").mkdir()
    assert zsmem(store, "export", "markdown", str(tmp_path / "md")).code == 0
    fresh = AStore(tmp_path / "fresh")
    assert zsmem(fresh, "import", "markdown", str(tmp_path / "md"), "--only", "*/a.md", "--only", "*/b.md").code == 0
    assert sorted(fresh.tree()) == [f"projects/{store.project}/notes/{name}.md" for name in "ab"]
    assert zsmem(store, "export", "bundle", str(tmp_path / "x.gz"), "--projects", store.project, "--projects", "none").code == 3
