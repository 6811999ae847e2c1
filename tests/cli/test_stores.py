"""Other agents' stores on the command line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from zsmem_tui.cli.main import main, parse_program

SAMPLES = Path(__file__).parents[1] / "samples"
FOLDER = "/home/ann/code/lantern"


@pytest.fixture(autouse=True)
def machine(away_from_home: Path) -> Path:
    for name in ("claude-code", "ethos", "oh-my-pi", "zerostack"):
        shutil.copytree(SAMPLES / name / "home", away_from_home, dirs_exist_ok=True)
    return away_from_home


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Any:
    def made(*words: str) -> tuple[int, str, str]:
        code = main([*words, "--cwd", FOLDER])
        out, err = capfd.readouterr()
        return code, out, err

    return made


def test_stores_are_listed_with_what_would_be_in_the_prompt_here(run: Any) -> None:
    code, out, _ = run("stores", "--json")
    found = {each["kind"]: each for each in json.loads(out)["stores"]}
    assert code == 0 and list(found) == ["zerostack", "claude-code", "ethos", "oh-my-pi"]
    assert found["claude-code"]["prompt_bytes"] > 0 and found["claude-code"]["group"] == "project:-home-ann-code-lantern"
    assert found["ethos"]["prompt_bytes"] is None and "--group" in found["ethos"]["problem"]
    assert [line.split()[0] for line in run("stores")[1].splitlines()] == list(found)


def test_list_read_search_and_context_of_another_agent(run: Any, machine: Path) -> None:
    named = ("--store", "ethos", "--group", "engineer")
    listed = json.loads(run("list", *named, "--json")[1])
    assert listed["store"] == f"ethos:{machine}/.ethos" and listed["group"] == "personality:engineer"
    own = (machine / ".ethos/personalities/engineer/MEMORY.md").read_text()
    assert run("read", "MEMORY.md", *named)[1] == own
    assert json.loads(run("search", "usb dongle", *named, "--json")[1])["hits"][0]["project"] == "personality:engineer"
    assert run("search", "dongle usb", *named)[0] == 1
    code, out, _ = run("context", *named, "--explain", "--json")
    seen = json.loads(out)
    assert code == 0 and seen["group"] == "personality:engineer" and seen["text"].startswith("## Memory\n")
    assert seen["lost_lines"] == [] and seen["sections"][0]["path"].endswith("personalities/engineer/MEMORY.md")


def test_a_write_is_made_and_undone_and_a_refusal_is_a_sentence(run: Any, machine: Path) -> None:
    place = machine / ".omp/agent/memories/--home-ann-code-lantern--/learned.md"
    before = place.read_bytes()
    assert run("write", "learned.md", "- short words", "--store", "oh-my-pi")[0] == 0
    assert place.read_bytes() != before
    assert run("undo", "--store", "oh-my-pi")[0] == 0 and place.read_bytes() == before
    code, _, err = run("write", "memory_summary.md", "x", "--store", "oh-my-pi")
    assert code == 3 and "is not edited here" in err and "Nothing was written." in err
    code, _, err = run("scratch", "add", "x", "--store", "oh-my-pi")
    assert code == 3 and "oh-my-pi has no checklist. Nothing was done." in err


def test_every_store_is_searched_at_once(run: Any) -> None:
    found = json.loads(run("search", "UTC", "--all-stores", "--json")[1])["hits"]
    assert found and all(hit["store"].partition(":")[0] in ("zerostack", "claude-code", "oh-my-pi") for hit in found)
    assert all("group" in hit for hit in found)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("list", "--store", "mem0"), "no kind of store 'mem0'"),
        (("list", "--store", "ethos"), "name one with --group"),
        (("list", "--group", "x"), "name it with --store"),
        (("list", "--store", "ethos", "--store", "opencode"), "works on one store"),
        (("list", "--store", "ethos", "--root", "/tmp"), "name two stores"),
    ],
)
def test_a_store_that_is_none_is_a_sentence(run: Any, words: tuple[str, ...], says: str) -> None:
    code, out, err = run(*words)
    assert code in (2, 3) and says in err and not out


def test_the_program_takes_any_number_of_stores() -> None:
    args = parse_program(["--store", "ethos", "--store", "markdown:~/notes"])
    assert not isinstance(args, int) and args.store == ["ethos", "markdown:~/notes"]
    one = parse_program(["--store", "ethos", "--group", "engineer", "--user", "4be1c09a77d2"])
    assert not isinstance(one, int) and (one.group, one.user) == ("engineer", "4be1c09a77d2")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--store", "ethos", "--root", "/tmp"), "--root and --store name two stores"),
        (("--group", "x"), "name one with --store"),
        (("--store", "ethos", "--store", "opencode", "--group", "x"), "name one with --store"),
        (("--store", "ethos", "--group", "x", "--project", "y"), "--project says whose memory of one store"),
        (("--demo", "--store", "ethos"), "--demo opens a store of its own"),
    ],
)
def test_what_the_program_cannot_mean_is_a_sentence(words: tuple[str, ...], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert parse_program(words) == 2 and says in capsys.readouterr().err


def test_stores_that_are_named_need_no_group(run: Any, machine: Path) -> None:
    code, out, _ = run("stores", "--store", "ethos", "--store", "claude-code", "--json")
    assert code == 0 and [each["kind"] for each in json.loads(out)["stores"]] == ["ethos", "claude-code"]
    (line,) = json.loads(run("stores", "--store", "ethos", "--group", "engineer", "--json")[1])["stores"]
    assert line["group"] == "personality:engineer" and line["prompt_bytes"] > 0


def test_folders_that_a_transcript_tells_of_have_stores_too(run: Any, machine: Path, tmp_path: Path) -> None:
    (tmp_path / ".memsearch/memory").mkdir(parents=True)
    project = machine / ".claude/projects/-x"
    project.mkdir()
    (project / "a.jsonl").write_text(json.dumps({"cwd": str(tmp_path)}) + "\n")
    found = [each["root"] for each in json.loads(run("stores", "--json")[1])["stores"] if each["kind"] == "memsearch"]
    assert found == [f"{tmp_path}/.memsearch/memory"]
