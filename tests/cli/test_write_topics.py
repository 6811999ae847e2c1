"""What `write` and `edit --delete` do beside the file itself, where the agent finds its files by an index."""

from __future__ import annotations

from pathlib import Path

import pytest

from zsmem_tui.cli.main import main

INDEX = "# Memory Index\n\n- [Deploy](deploy.md) — how it is shipped\n- never push on Fridays\n"


@pytest.fixture
def memory(away_from_home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The memory that Claude Code has of the folder worked in."""
    folder = away_from_home / "shop"
    folder.mkdir()
    monkeypatch.chdir(folder)
    name = "".join(char if char.isascii() and char.isalnum() else "-" for char in str(folder))
    found = away_from_home / ".claude/projects" / name / "memory"
    found.mkdir(parents=True)
    (found / "MEMORY.md").write_text(INDEX)
    (found / "deploy.md").write_text("# Deploy\n")
    return found


def held(memory: Path) -> dict[str, str]:
    return {each.name: each.read_text() for each in memory.iterdir()}


def dressed(file: str, about: str, text: str, kind: str = "project") -> str:
    """A topic as Claude Code writes one."""
    name = file.removesuffix(".md").replace("_", "-")
    front = f'name: "{name}"\ndescription: "{about}"\nmetadata:\n  node_type: memory\n  type: {kind}'
    return f"---\n{front}\n---\n\n{text}"


@pytest.mark.parametrize("words", [["note", "", "--name", "cache"], ["cache.md", " \n"], ["note:cache", "", "--mode", "overwrite"]])
def test_nothing_to_write_is_refused(memory: Path, capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    before = held(memory)
    assert main(["write", *words, "--store", "claude-code"]) == 2
    assert capsys.readouterr().err.startswith("zsmem: the text is empty. Nothing was written.\n")
    assert held(memory) == before


def test_a_file_can_be_overwritten_with_nothing(memory: Path) -> None:
    assert main(["write", "deploy.md", "", "--mode", "overwrite", "--store", "claude-code"]) == 0
    assert held(memory) == {"MEMORY.md": INDEX, "deploy.md": ""}


@pytest.mark.parametrize("words", [["note:cache"], ["note", "cache"], ["note", "--name", "cache"], ["cache.md"]])
def test_a_new_topic_gets_its_line_in_the_index_and_both_go_by_one_undo(
    memory: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    before = held(memory)
    text = "# Cache\n\nRedis listens on port 6380.\n"
    store = ["--store", "claude-code"] if words == ["cache.md"] else []
    assert main(["write", *words, text, "--dry-run", *store]) == 0
    assert held(memory) == before
    tried = capsys.readouterr()
    assert "Wrote" in tried.out and "and a line about it to MEMORY.md" in tried.out and "at the end" not in tried.err
    assert main(["write", *words, text, *store]) == 0
    file = "cache.md" if words == ["cache.md"] else "project_cache.md"
    assert f"/{file}, and a line about it to MEMORY.md" in capsys.readouterr().out
    index = INDEX + f"- [Cache]({file}) — Redis listens on port 6380.\n"
    assert held(memory) == before | {file: dressed(file, "Redis listens on port 6380.", text), "MEMORY.md": index}
    assert main(["write", *words, "- a line more\n", *store]) == 0
    assert "MEMORY.md" not in capsys.readouterr().out, "one that is there is not listed again"
    assert main(["undo"]) == 0
    capsys.readouterr()
    assert main(["undo"]) == 0
    assert capsys.readouterr().out.startswith(f"Undid: Wrote ~/shop · note {file.removesuffix('.md')}. {file} is deleted\n"), (
        "which file, though it is two"
    )
    assert held(memory) == before


def test_only_a_new_topic_gets_a_line_in_the_index(memory: Path) -> None:
    (memory / "project_old.md").write_text("- one\n")
    before = held(memory)
    assert main(["write", "note:old", "- two\n"]) == 0
    assert held(memory) == before | {"project_old.md": "- one\n- two\n"}


def test_a_topic_without_a_type_in_its_name_is_the_one_that_is_meant(memory: Path) -> None:
    assert main(["write", "note:deploy", "- by hand"]) == 0
    assert held(memory) == {"MEMORY.md": INDEX, "deploy.md": "# Deploy\n- by hand\n"}


def test_the_file_that_is_edited_without_a_name_is_the_one_in_every_prompt(
    memory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["editor", "--dry-run"]) == 0
    assert capsys.readouterr().out == f"Would edit {memory}/MEMORY.md\n"


def test_names_in_any_script_are_files_of_their_own(memory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = set(held(memory))
    for name in ("日本-1", "中国-1", "Ärger", "rger", "a b.c".replace(".", "!")):
        assert main(["write", f"note:{name}", name]) == 0
    assert set(held(memory)) - before == {f"project_{name}.md" for name in ("日本_1", "中国_1", "ärger", "rger", "a_b_c")}
    assert "- [日本 1](project_日本_1.md) — 日本-1\n" in (memory / "MEMORY.md").read_text()
    assert main(["write", "note:---", "x"]) == 3
    assert "Claude Code cannot call a file '---'" in capsys.readouterr().err


def test_the_first_topic_makes_the_index(memory: Path) -> None:
    for each in memory.iterdir():
        each.unlink()
    assert main(["write", "note:cache", "Redis listens on port 6380.\n", "--store", "claude-code"]) == 0
    assert held(memory) == {
        "project_cache.md": dressed("project_cache.md", "Redis listens on port 6380.", "Redis listens on port 6380.\n"),
        "MEMORY.md": "# Memory Index\n\n- [Cache](project_cache.md) — Redis listens on port 6380.\n",
    }


def test_what_is_made_has_its_type_and_keeps_a_frontmatter_of_its_own(memory: Path) -> None:
    assert main(["write", "note:feedback_tabs", "Tabs in Go.", "--mode", "overwrite"]) == 0
    assert held(memory)["feedback_tabs.md"] == dressed("feedback_tabs.md", "Tabs in Go.", "Tabs in Go.", "feedback")
    own = "---\nname: own\ndescription: mine\n---\n\nText.\n"
    assert main(["write", "note:own", own]) == 0
    assert main(["file", "new", "note:bare"]) == 0
    assert held(memory)["project_own.md"] == own
    assert held(memory)["project_bare.md"] == dressed("project_bare.md", "bare", "# bare\n")
    assert held(memory)["MEMORY.md"].endswith("- [Own](project_own.md) — mine\n- [bare](project_bare.md)\n")


@pytest.mark.parametrize(
    ("filler", "limit"),
    [("- x\n" * 198, ""), ("- x\n" * 199, "line 200"), ("é" * 12_480 + "\n", ""), ("é" * 12_500 + "\n", "25,000 bytes")],
)
def test_a_line_that_is_not_loaded_or_pushes_one_out_is_said_where_it_is_written(
    memory: Path, capsys: pytest.CaptureFixture[str], filler: str, limit: str
) -> None:
    (memory / "MEMORY.md").write_text("# I\n" + filler)
    (memory / "loose.md").write_text("Loose.\n")
    assert main(["write", "note:c", "C.", "--dry-run"]) == 0
    told = capsys.readouterr().out
    assert main(["file", "new", "note:c", "--dry-run"]) == 0
    told += capsys.readouterr().out
    assert main(["file", "list", "loose.md", "--dry-run"]) == 0
    told += capsys.readouterr().out
    its = f"its line {filler.count(chr(10)) + 2} of MEMORY.md"
    lost = "Out goes: “- x” of MEMORY.md" if "x" in filler else f"Claude Code does not load {its}"
    says = f"{lost}: past {limit}. = (Fit), or `zsmem fit`, makes room."
    assert told.count(says) == told.count("makes room") == (3 if limit else 0)


def test_a_topic_that_goes_takes_its_line_along(memory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = held(memory)
    assert main(["edit", "note:deploy", "--delete"]) == 0
    assert "deploy.md, and the line about it in MEMORY.md" in capsys.readouterr().out
    assert held(memory) == {"MEMORY.md": "# Memory Index\n\n- never push on Fridays\n"}
    assert main(["undo"]) == 0
    assert held(memory) == before


def test_an_agent_without_notes_says_what_it_has_and_makes_one(away_from_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    blocks = away_from_home / ".config/opencode/memory"
    blocks.mkdir(parents=True)
    assert main(["--store", "opencode", "write", "note:deploy", "hi"]) == 3
    said = capsys.readouterr().err
    assert (
        "opencode has no notes. Nothing was done." in said and "It has blocks, each named as its file, such as deploy.md." in said
    )
    assert main(["--store", "opencode", "file", "new", "note:deploy"]) == 0
    assert (blocks / "deploy.md").read_text().endswith("limit: 5000\nread_only: false\n---\n# deploy\n")


def test_a_line_that_the_prompt_has_no_room_for_is_told(memory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    full = "The prompt is full: {} line more is lost. `zsmem fit` makes room."
    (memory / "MEMORY.md").write_text("- line\n" * 199)
    assert main(["write", "MEMORY.md", "- the last"]) == 0 and "The prompt" not in capsys.readouterr().err
    for more in (["--dry-run"], []):
        assert main(["write", "MEMORY.md", "- one too many", *more]) == 0
        assert full.format(1) in capsys.readouterr().err
    (memory / "MEMORY.md").write_text("- line\n")
    assert main(["write", "MEMORY.md", f"- {'x' * 25_000}"]) == 0
    assert full.format(1) in capsys.readouterr().err
    assert main(["write", "note:long", "- line\n" * 300]) == 0 and "The prompt" not in capsys.readouterr().err
