"""`zsmem facts` and `zsmem fit`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.builders import PROJECT, AStore
from tests.command_line import zsmem
from zsmem_tui.agents.claude_code.files import encoded

NOTE = f"projects/{PROJECT}/notes/n.md"


STORE = {
    "MEMORY.md": "# Memory\n\n- the port is 8080\n- two\n  lines\n",
    "~/notes/n.md": "the port is 8080\n",
    "projects/other-0/SCRATCHPAD.md": "- [ ] theirs\n",
}


def test_facts_are_listed_with_what_of_them_is_in_the_prompt(store: AStore) -> None:
    assert zsmem(store, "facts").out == (
        f"\u2713 MEMORY.md:3: the port is 8080\n\u2713 MEMORY.md:4: two lines  (+1 line)\n\u25cc {NOTE}:1: the port is 8080\n"
    )
    assert zsmem(store, "facts", "note:n").out == f"\u25cc {NOTE}:1: the port is 8080\n"
    assert "theirs" in zsmem(store, "facts", "--all").out
    assert zsmem(store, "facts", "long_term", "--twice").out == "\u2713 MEMORY.md:3: the port is 8080\n"
    vain = f"projects/{PROJECT}/MEMORY.md"
    store.has(vain, "- kept in vain\n")
    assert zsmem(store, "facts", "--lost").out == f"\u2717 {vain}:1: kept in vain\n"
    [fact] = json.loads(zsmem(store, "facts", "--lost", "--json").out)["facts"]
    assert (fact["prompt"], fact["reason"]) == ("lost", "no agent reads this file")
    explained = zsmem(store, "context", "--explain").out
    assert explained.endswith(f"\n\n1 file lost that no agent reads:\n{vain}: no agent reads this file\n")
    assert json.loads(zsmem(store, "context", "--explain", "--json").out)["unread"] == [str(store.at(vain))]
    store.has("~/notes/bin.md", b"\xff")
    unread = zsmem(store, "facts", "note:bin")
    assert unread.code == 4 and unread.err.endswith("bin.md is not valid UTF-8. No fact was listed.\n")
    assert zsmem(store, "facts", "long_term", "--all").code == 2 and zsmem(store, "facts", "note:").code == 3


def test_facts_of_the_instructions_in_the_prompt_are_of_this_memory_for_each_agent_those_that_it_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    folder = (
        AStore(tmp_path / "lantern")
        .has("CLAUDE.md", "- ours\n@AGENTS.md\n")
        .has("AGENTS.md", "- all\n")
        .has("GEMINI.md", "- its\n")
    )
    folder.has(".claude/rules/a.md", "- a rule\n").has(".claude/rules/b.md", "---\npaths: src\n---\n- of some paths\n")
    AStore(tmp_path / ".claude").has("CLAUDE.md", "- brief\n")
    AStore(tmp_path / ".gemini").has("GEMINI.md", "- slow\n")

    def listed(kind: str, *words: str) -> set[str]:
        return {
            line.rpartition(": ")[2].partition("  ")[0]
            for line in zsmem(None, "--store", kind, "facts", *words, cwd=folder.root).out.splitlines()
        }

    assert listed("claude-code") == listed("claude-code", "--all") == {"brief", "ours @AGENTS.md", "all", "a rule"}
    assert listed("gemini") == {"slow", "its"}
    assert listed("claude-code", "CLAUDE.md") == {"brief"}
    run = zsmem(None, "--store", "gemini", "facts", "--json", cwd=folder.root)
    assert [each["path"] for each in json.loads(run.out)["facts"]] == ["GEMINI.md", f"{folder.root}/GEMINI.md"]


def test_without_memory_that_is_said_first_as_by_list(tmp_path: Path) -> None:
    store = AStore(tmp_path / "none")
    for options in ([], ["--lost"]):
        found = zsmem(store, "facts", *options)
        assert found.code == 1 and found.err.startswith(f"zsmem: There is no memory yet for {PROJECT} in {store.root}.\n")
    assert zsmem(store.has("~/notes/n.md", ""), "facts").err == "zsmem: There is no fact.\n"


def test_only_lost_or_new_facts_are_listed_when_asked_for(store: AStore) -> None:
    none = zsmem(store, "facts", "--lost")
    assert none.code == 1 and none.out == "" and none.err == "zsmem: No fact is lost.\n"
    assert zsmem(store, "facts", "--new").code == 1
    assert zsmem(store, "facts", "note:n", "--lost", "--new").err == "zsmem: No fact of note:n is lost and is new.\n"
    store.has("MEMORY.md", "- from the agent\n" + "- long\n" * 6_000)
    assert zsmem(store, "facts", "--new", "long_term").out.startswith("\u2713 MEMORY.md:1: from the agent\n")
    assert "\u2717 MEMORY.md:6001: long\n" in zsmem(store, "facts", "--lost").out


def test_the_json_of_a_fact_has_what_is_known_of_it(store: AStore) -> None:
    [first, *_] = json.loads(zsmem(store, "facts", "--json").out)["facts"]
    assert first.pop("since") > 0
    assert first == {
        "path": "MEMORY.md",
        "project": "",
        "line": 3,
        "lines": 1,
        "kind": "item",
        "headings": ["Memory"],
        "text": "- the port is 8080\n",
        "prompt": "whole",
        "reason": None,
        "bytes": 19,
        "tokens": 4,
        "twice": True,
        "wanted": False,
        "new": False,
        "author": "before zsmem",
    }


def test_the_memory_is_made_to_fit_by_one_step_that_undo_takes_back(store: AStore) -> None:
    fits = zsmem(store, "fit")
    assert fits.code == 1 and "It fits already." in fits.err
    store.has("MEMORY.md", "- first\n\n## Long\n\n" + "".join(f"- fact {number} {'x' * 50}\n" for number in range(700)))
    before = store.tree()
    listed = zsmem(store, "fit")
    assert listed.code == 0 and "Afterwards: " in listed.out and " fit, nothing lost; " in listed.out
    after = int(listed.out.partition("Afterwards: ")[2].split()[0].replace(",", ""))
    assert f"{32_768 - after:,} bytes to spare, as no more goes than must." in listed.out
    assert zsmem(store, "fit", "--apply", "--dry-run").code == 0 and store.tree() == before
    found = json.loads(zsmem(store, "fit", "--json").out)
    assert found["after"]["lost_lines"] == 0 < found["before"]["lost_lines"] and not found["applied"]
    other = json.loads(zsmem(store, "fit", "--json", "--without", found["moves"][0]["id"]).out)
    assert found["moves"][0]["id"] not in {move["id"] for move in other["moves"]}
    assert zsmem(store, "fit", "--without", "none").code == 3
    assert "bytes less to load." in zsmem(store, "fit", "--apply").out
    assert zsmem(store, "facts", "--lost").code == 1
    assert zsmem(store, "undo").code == 0 and store.tree() == before


def test_fit_moves_the_end_of_an_index_that_is_too_long_into_a_topic(tmp_path: Path) -> None:
    index = AStore(tmp_path / ".claude").has("projects/-w/memory/MEMORY.md", "- a fact\n" * 230)
    of = ("--store", f"claude-code:{index.root}", "--group", "project:-w")
    before = index.tree()
    assert "`zsmem fit` makes room" in zsmem(None, *of, "write", "--dry-run", "MEMORY.md", "more").err
    found = zsmem(None, *of, "fit")
    assert found.code == 0 and "--apply does it." in found.err and index.tree() == before
    done = zsmem(None, *of, "fit", "--apply")
    assert done.code == 0 and "MEMORY.md fit into the prompt." in done.out
    assert index.tree()["projects/-w/memory/reference_more_facts.md"].count(b"- a fact") > 30
    assert zsmem(None, *of, "undo").code == 0 and index.tree() == before
    index.has("projects/-w/memory/MEMORY.md", "".join(f"- [t{n}](t{n}.md)\n" for n in range(230)))  # links stay
    found = zsmem(None, *of, "fit")
    assert found.code == 1 and "The doctor may have a fix" in found.err and "No move" not in found.err


def test_a_group_of_another_folder_is_judged_and_promoted_in_that_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    here, there = AStore(tmp_path / "lantern").has("CLAUDE.md", "- ours\n"), AStore(tmp_path / "harbor").has("CLAUDE.md", "- its\n")
    there.has("src/pump.go", "").has(".git/HEAD", "")
    memory, group = AStore(tmp_path / ".claude"), encoded(str(there.root))
    memory.has(f"projects/{group}/memory/MEMORY.md", "- the pump is in src/pump.go\n- the valve is in src/valve.go\n")
    memory.has(f"projects/{group}/s.jsonl", f'{{"cwd": "{there.root}"}}\n')
    memory.has(f"projects/{encoded(str(here.root))}/memory/MEMORY.md", "- x\n")

    for named in (("--store", "claude-code", "--group", f"project:{group}"), ("--project", "harbor")):
        assert "has no src/valve.go" in zsmem(None, *named, "doctor", "--rule", "dead-path", cwd=here.root).out
        told = zsmem(None, *named, "facts", cwd=here.root).out
        assert "its" in told and "ours" not in told
    promoted = zsmem(None, *named, "promote", f"projects/{group}/memory/MEMORY.md:1", cwd=here.root)
    assert promoted.code == 0, promoted.err
    assert b"src/pump.go" in there.raw("CLAUDE.md") and here.raw("CLAUDE.md") == b"- ours\n"


@pytest.mark.parametrize("verb", ["promote", "demote"])
def test_where_no_fact_or_no_folder_is_named_one_sentence_says_so(tmp_path: Path, verb: str) -> None:
    store = AStore(tmp_path / "memory").has("MEMORY.md", "- one\n")
    store.has("AGENTS.md", "<!-- zerostack-memory:begin -->\n- one\n<!-- zerostack-memory:end -->\n")
    before = store.tree()
    for word in ("MEMORY.md", "MEMORY.md:", "MEMORY.md:x", ":1", "MEMORY.md:-1", f"MEMORY.md:{'9' * 5000}"):
        done = zsmem(store, verb, word, "--in", str(store.root))
        assert (done.code, done.err.splitlines()[0][-18:]) == (3, " Nothing was done.") and f"no fact at {word[:9]}" in done.err
    for folder in (tmp_path / "none", store.at("MEMORY.md")):
        done = zsmem(store, verb, "MEMORY.md:1", "--in", str(folder))
        assert (done.code, done.err.splitlines()[0]) == (3, f"zsmem: {folder} is not a folder. Nothing was done.")
    assert store.tree() == before and not (tmp_path / "none").exists()
