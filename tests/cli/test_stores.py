"""Other agents' stores on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.builders import not_there, put_samples
from zsmem_tui.cli.main import main, parse_program
from zsmem_tui.config.model import Config
from zsmem_tui.core.layout import can_add
from zsmem_tui.service import previewing, prompts
from zsmem_tui.service.stores import open_store
from zsmem_tui.service.watching import prompt_use
from zsmem_tui.ui import wording as common
from zsmem_tui.ui.open_store import OpenStore
from zsmem_tui.ui.prompt import wording
from zsmem_tui.ui.widgets import budget

FOLDER = "/home/ann/code/lantern"


@pytest.fixture(autouse=True)
def machine(away_from_home: Path) -> Path:
    put_samples(away_from_home, None, "claude-code", "ethos", "oh-my-pi", "zerostack")
    return away_from_home


@pytest.fixture(autouse=True)
def nobodys_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    not_there(monkeypatch, FOLDER)


KINDS = {
    "zerostack": ("", "MEMORY.md"),
    "claude-code": ("", "user_role.md"),
    "ethos": ("engineer", "MEMORY.md"),
    "opencode": ("", "human.md"),
    "memsearch": ("", "2026-08-04.md"),
    "oh-my-pi": ("", "learned.md"),
    "markdown": ("", "tea.md"),
}
"""Every kind with a group and a file of its sample."""


@pytest.fixture
def named(machine: Path, tmp_path: Path) -> dict[str, tuple[str, ...]]:
    """The options that name a store of each kind, all over samples."""
    notes, project = tmp_path / "notes", tmp_path / "lantern"
    notes.mkdir()
    (notes / "tea.md").write_text("# Tea\n\n- green\n")
    (notes / "SCRATCHPAD.md").write_text("- [ ] drink it\n")
    put_samples(machine, project, "opencode-agent-memory", "memsearch")
    roots = {"markdown": str(notes), "memsearch": f"{project}/.memsearch/memory"}
    out = {kind: ("--store", f"{kind}:{roots[kind]}" if kind in roots else kind) for kind in KINDS}
    return {kind: (*words, *(("--group", KINDS[kind][0]) if KINDS[kind][0] else ())) for kind, words in out.items()}


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Any:
    def made(*words: str) -> tuple[int, str, str]:
        code = main([*words, *(() if "--cwd" in words else ("--cwd", FOLDER))])
        out, err = capfd.readouterr()
        return code, out, err

    return made


def test_stores_are_listed_with_what_would_be_in_the_prompt_here(run: Any) -> None:
    code, out, _ = run("stores", "--json")
    found = {each["kind"]: each for each in json.loads(out)["stores"]}
    assert code == 0 and list(found) == ["zerostack", "claude-code", "ethos", "oh-my-pi", "instructions"]
    assert found["claude-code"]["prompt_bytes"] > 0 and found["claude-code"]["group"] == "project:-home-ann-code-lantern"
    assert found["ethos"]["prompt_bytes"] is None and "--group" in found["ethos"]["problem"]
    said = run("stores")[1].splitlines()
    assert [line.split()[0] for line in said] == list(found) and not any("?" in line for line in said)
    about = found["instructions"]["root"]
    for cwd, prompt, end in ((FOLDER, 0, "that reads them there."), (about, None, "reads them."), (f"{about}/src", None, "them.")):
        every = json.loads(run("stores", "--json", "--cwd", cwd)[1])["stores"]
        told = next(each for each in every if each["root"] == about and each["kind"] == "instructions")
        assert told["prompt_bytes"] == prompt and told["problem"].endswith(end), "they are loaded below their folder, too"


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


def test_the_instructions_in_a_prompt_are_those_of_the_groups_folder(run: Any, machine: Path, tmp_path: Path) -> None:
    folders = {name: tmp_path / name for name in ("here", "there")}
    groups = {name: "".join(char if char.isalnum() else "-" for char in str(folder)) for name, folder in folders.items()}
    for name, folder in folders.items():
        folder.mkdir()
        (folder / "CLAUDE.md").write_text(f"- The build of {name} needs make and docker.\n")
        memory = machine / ".claude/projects" / groups[name] / "memory"
        memory.mkdir(parents=True)
        (memory.parent / "session.jsonl").write_text(json.dumps({"cwd": str(folder)}) + "\n")
        (memory / "MEMORY.md").write_text("".join(f"- The build of {each} needs make and docker.\n" for each in folders))
    for name in folders:
        for words in ([], ["--group", f"project:{groups[name]}"]):
            cwd = folders["here" if words else name]
            code, out, err = run("context", "--explain", "--json", "--store", "claude-code", "--cwd", str(cwd), *words)
            told = json.loads(out)
            others = str(folders["there" if name == "here" else "here"])
            assert code == 0 and str(folders[name] / "CLAUDE.md") in [each["path"] for each in told["instructions"]], err
            assert str(folders[name] / "CLAUDE.md") in err and others not in out.replace(told["text"], "") + err


def test_a_write_is_made_and_undone_and_a_refusal_is_a_sentence(run: Any, machine: Path) -> None:
    place = machine / ".omp/agent/memories/--home-ann-code-lantern--/learned.md"
    before = place.read_bytes()
    assert run("write", "learned.md", "- short words", "--store", "oh-my-pi")[0] == 0
    assert place.read_bytes() != before
    assert run("undo", "--store", "oh-my-pi")[0] == 0 and place.read_bytes() == before
    place.write_bytes(b"- one\r\n- two")
    assert run("write", "learned.md", "- three", "--store", "oh-my-pi")[0] == 0
    assert place.read_bytes() == b"- one\r\n- two\r\n- three\r\n"
    code, _, err = run("write", "memory_summary.md", "x", "--store", "oh-my-pi")
    assert code == 3 and "is not edited here" in err and "Nothing was written." in err
    code, _, err = run("scratch", "add", "x", "--store", "oh-my-pi")
    assert code == 3 and "oh-my-pi has no checklist. Nothing was done." in err


def test_a_block_is_not_made_under_a_label_that_opencode_refuses(run: Any, machine: Path) -> None:
    for name in ("a.md", "café.md"):
        code, _, err = run("write", name, "- tea", "--store", "opencode")
        assert code == 3 and f"opencode does not take the label '{name[:-3]}'. Nothing was written." in err
    place = machine / ".config/opencode/memory/a.md"
    place.write_text("- tea\n")
    assert run("write", "a.md", "- milk", "--store", "opencode")[0] == 0 and place.read_text() == "- tea\n- milk\n"
    assert run("file", "rm", "a.md", "--store", "opencode")[0] == 0 and not place.exists()
    assert run("undo", "--store", "opencode")[0] == 0 and place.read_text() == "- tea\n- milk\n"


def test_every_store_is_searched_at_once(run: Any) -> None:
    found = json.loads(run("search", "UTC", "--all-stores", "--json")[1])["hits"]
    assert found and all(hit["store"].partition(":")[0] in ("zerostack", "claude-code", "oh-my-pi") for hit in found)
    assert all("group" in hit for hit in found)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("list", "--store", "mem0"), "no kind of store 'mem0'"),
        (("list", "--store", "markdown"), "markdown has no folder of its own"),
        (("list", "--store", "ethos"), "name one with --group"),
        (("list", "--group", "x"), "No memory here is of 'x'"),
        (("slug", "--group", "x"), "name it with --store"),
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
    (tmp_path / "GEMINI.md").write_text("- oolong\n")
    every = [(each["kind"], each["root"], each["files"]) for each in json.loads(run("stores", "--json")[1])["stores"]]
    assert [each for each in every if each[1].startswith(str(tmp_path))] == [
        ("memsearch", f"{tmp_path}/.memsearch/memory", 0),
        ("instructions", str(tmp_path), 1),
    ]
    [hit] = json.loads(run("search", "oolong", "--all-stores", "--json")[1])["hits"]
    assert hit["store"] == f"instructions:{tmp_path}"


@pytest.mark.draw(3)
@pytest.mark.parametrize("kind", KINDS)
def test_the_json_of_every_verb_says_which_store_and_group(kind: str, run: Any, named: Any, tmp_path: Path) -> None:
    of = named[kind]
    file, out = KINDS[kind][1], str(tmp_path / "out")
    verbs: list[tuple[str, ...]] = [
        *(("status",), ("list",), ("search", "the"), ("read", file), ("context", "--explain"), ("slug",), ("projects",)),
        *(
            ("write", file, "- short words"),
            ("edit", file, "--old", "- short words", "--new", "- shorter"),
            ("editor", file, "--dry-run"),
        ),
        *(("history",), ("history", "--file", file), ("undo", "--dry-run"), ("undo",), ("undo", "--redo"), ("scratch", "list")),
        *(("facts",), ("facts", file), ("fit",), ("review",), ("file", "trash"), ("import", "detect"), ("export", "markdown", out)),
    ]
    documents = []
    for verb in verbs:
        code, text, err = run(*verb, *of, "--json")
        assert code in (0, 1) and text.startswith("{"), (verb, err)
        documents.append(json.loads(text))
    stores = {document["store"].partition(":")[0] for document in documents}
    groups = {document["group"] for document in documents}
    assert stores == {kind} and len(groups) == 1
    assert groups == {None} if kind in ("opencode", "memsearch", "markdown") else None not in groups


def test_a_document_without_a_named_store_says_zerostacks(run: Any, machine: Path) -> None:
    found = json.loads(run("list", "--json")[1])
    assert found["store"] == f"zerostack:{machine}/.local/share/zerostack/agent/memory" and found["group"] == "lantern-2cf21588"


def test_a_fact_is_in_the_prompt_of_its_own_agent(run: Any, named: Any) -> None:
    def prompts(kind: str, file: str) -> set[str]:
        return {each["prompt"] for each in json.loads(run("facts", file, *named[kind], "--json")[1])["facts"]}

    assert prompts("ethos", "MEMORY.md") == {"whole"}
    assert prompts("claude-code", "MEMORY.md") == {"whole"} and prompts("claude-code", "user_role.md") == {"never"}
    assert prompts("oh-my-pi", "learned.md") == {"whole"} and prompts("oh-my-pi", "MEMORY.md") == {"never"}
    assert prompts("opencode", "human.md") == {"whole"}
    assert prompts("markdown", "tea.md") == {"never"}


def test_a_prompt_goes_by_the_settings_of_its_agent(run: Any, named: Any, machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def context(kind: str) -> str:
        found: tuple[int, str, str] = run("context", *named[kind])
        return found[1] or found[2]

    (machine / ".ethos/config.yaml").write_text("promptBudget:\n  memorySnapshotCap: 40\nmemory: markdown\n")
    assert context("ethos").startswith("[...truncated]\n\n") and len(context("ethos")) == len("[...truncated]\n\n") + 40
    (machine / ".ethos/config.yaml").write_text("memory: vector\n")
    assert "its config.yaml says memory: vector." in context("ethos")
    settings = machine / ".omp/agent/config.yml"
    settings.write_text("memory:\n  backend: local\nmemories: {summaryInjectionTokenLimit: 10}\n")
    assert "...[truncated]..." in context("oh-my-pi")
    settings.write_text("memory:\n  backend: off\n")
    assert "its settings say backend: off." in context("oh-my-pi")
    settings.unlink()
    settings.with_suffix(".yaml").write_text("memory: [\n")
    assert context("oh-my-pi").startswith("{GUIDANCE}") and context("memsearch").startswith("# Recent Memory")
    monkeypatch.setenv("MEMSEARCH_DIR", "/elsewhere")
    assert "memsearch shows Claude Code the days in /elsewhere/memory" in context("memsearch")
    monkeypatch.setenv("MEMSEARCH_DISABLE", "1")
    assert "memsearch shows nothing: MEMSEARCH_DISABLE is set." in context("memsearch")


def test_what_a_kind_has_not_is_said_by_every_verb(run: Any, named: Any) -> None:
    code, out, err = run("scratch", "list", *named["ethos"], "--json")
    assert code == 1 and json.loads(out)["items"] == [] and err.endswith("zsmem: Ethos has no checklist.\n")
    assert "Ethos has no checklist. Nothing was done." in run("scratch", "done", "1f3a", *named["ethos"])[2]
    assert "scratchpad: (Claude Code has none)\n  today: (Claude Code has none)" in run("status", *named["claude-code"])[1]
    assert "knows no limit" in run("fit", *named["markdown"])[2]
    assert run("fit", *named["claude-code"])[1] == "6 lines in all, 200 fit.\n"
    assert "No agent says what of a folder of Markdown is in its prompt" in run("context", *named["markdown"])[2]
    assert json.loads(run("scratch", "list", "--all", *named["markdown"], "--json")[1])["items"][0]["text"] == "drink it"
    assert run("scratch", "add", "more", *named["markdown"])[1] == "Added 1 item.\n"
    assert "ethos does not name its memory after folders" in run("slug", "/a/b", *named["ethos"])[2]
    assert run("slug", "/a/b", *named["claude-code"])[1] == "project:-a-b\n"


def test_files_are_named_by_their_path_for_every_verb(run: Any, named: Any, machine: Path) -> None:
    of = named["claude-code"]
    home = machine / ".claude/projects/-home-ann-code-lantern/memory"
    assert run("file", "rename", "user_role.md", "work", *of)[0] == 0 and not (home / "user_role.md").exists()
    assert run("file", "rm", "user_work.md", *of)[0] == 0
    assert run("file", "restore", *of)[0] == 0
    assert run("editor", "MEMORY.md", "--dry-run", *of)[1].endswith("memory/MEMORY.md\n")


def test_an_import_leaves_what_the_store_has_no_place_for_and_says_so(run: Any, named: Any, tmp_path: Path, machine: Path) -> None:
    source = tmp_path / "source"
    (source / "notes").mkdir(parents=True)
    (source / "MEMORY.md").write_text("- a fact\n")
    (source / "notes/tea.md").write_text("Green tea.\n")
    code, out, err = run("import", "markdown", str(source), *named["memsearch"], "--json")
    items = {each["source"]: each for each in json.loads(out)["items"]}
    assert code == 0 and [path.endswith("notes/tea.md") for path in json.loads(out)["written"]] == [True], err
    assert items["MEMORY.md:1"]["fate"] == "skipped" and items["MEMORY.md:1"]["reason"] == "memsearch has no long-term memory"
    code, out, _ = run("import", "markdown", str(source), *named["oh-my-pi"], "--json")
    fates = {each["source"]: each["fate"] for each in json.loads(out)["items"]}
    assert fates == {"MEMORY.md:1": "add", "notes/tea.md": "skipped"}


def test_what_lies_in_the_store_itself_is_not_detected(run: Any, named: Any) -> None:
    code, out, _ = run("import", "detect", *named["claude-code"], "--json")
    found = {each["format"] for each in json.loads(out)["found"]}
    assert code == 0 and found == {"oh-my-pi", "opencode", "ethos", "zerostack"}


def test_stores_that_share_files_are_searched_once(run: Any, machine: Path, tmp_path: Path) -> None:
    settings = machine / ".config/zsmem/config.toml"
    settings.parent.mkdir(parents=True)
    (tmp_path / "notes/deep").mkdir(parents=True)
    (tmp_path / "notes/deep/tea.md").write_text("oolong\n")
    settings.write_text(f'stores = ["markdown:{tmp_path}/notes", "markdown:{tmp_path}/notes/deep"]\n')
    code, out, err = run("search", "oolong", "--all-stores", "--json", "--cwd", str(tmp_path))
    assert code == 0 and len(json.loads(out)["hits"]) == 1
    assert f"its files are in markdown:{tmp_path}/notes. It was not searched." in err


@pytest.mark.parametrize(("option", "kind"), [("--store", "markdown"), ("--root", "zerostack")])
def test_a_store_that_is_named_is_one_of_all_wherever_it_is(run: Any, tmp_path: Path, option: str, kind: str) -> None:
    (tmp_path / "MEMORY.md").write_text("oolong\n")
    (tmp_path / "odd.md").write_bytes(b"\xff")
    named = (option, f"markdown:{tmp_path}" if option == "--store" else str(tmp_path))
    [hit] = json.loads(run("search", "oolong", "--all-stores", *named, "--json")[1])["hits"]
    found = json.loads(run("doctor", "--all-stores", *named, "--json")[1])["findings"]
    [odd] = [each for each in found if each["path"].endswith("odd.md")]
    assert hit["store"] == odd["store"] == f"{kind}:{tmp_path}"


@pytest.mark.parametrize(
    ("words", "changed"),
    [
        (("file", "copy", "MEMORY.md", "tea", "--into", "markdown:{notes}", "--as", "note"), ["{notes}/tea.md"]),
        (("promote", "MEMORY.md:1", "--in", "{notes}"), ["{notes}/AGENTS.md", "{memory}"]),
    ],
)
def test_the_json_of_a_step_over_two_stores_says_of_which_it_is_and_what_changes(
    run: Any, machine: Path, tmp_path: Path, words: tuple[str, ...], changed: list[str]
) -> None:
    notes, memory = tmp_path / "notes", machine / ".local/share/zerostack/agent/memory/MEMORY.md"
    notes.mkdir()
    (notes / "AGENTS.md").write_text("# Orders\n")
    code, out, _ = run(*(word.format(notes=notes) for word in words), "--dry-run", "--json")
    told = json.loads(out)
    assert code == 0 and told["store"].startswith("zerostack:") and told["group"] == "lantern-2cf21588" and told["dry_run"]
    assert [change["path"] for change in told["changes"]] == [each.format(notes=notes, memory=memory) for each in changed]


def test_of_an_agent_whose_memory_is_its_instructions_every_surface_says_the_same(away_from_home: Path, run: Any) -> None:
    """Gemini CLI without an index of the folder: its `GEMINI.md` files are what is in the prompt."""
    folder = away_from_home / "code/shop"
    (folder / ".git").mkdir(parents=True)
    (away_from_home / ".gemini").mkdir()
    (away_from_home / ".gemini/GEMINI.md").write_text("- Ann likes tables.\n")
    (folder / "GEMINI.md").write_text("# Shop\n\n- Redis listens on port 6382.\n")
    here = ("--cwd", str(folder))
    said = "58 bytes from 2 GEMINI.md files, 14 tokens"
    lines = {line.split()[0]: line for line in run("stores", *here)[1].splitlines()}
    assert "58 in the prompt" in lines["gemini"]
    for words in (["context"], ["context", "--explain"]):
        _, out, err = run(*words, "--store", "gemini", *here)
        assert f"In the prompt are {said}. Gemini CLI loads the index of a project, and has none of this folder." in err
        assert "No memory" not in out + err
    session = open_store(Config(), "gemini", cwd=str(folder))
    seen = previewing.with_instructions(session, previewing.preview(session))
    assert budget.sentence(seen) == said == prompt_use(session).instructed and wording.cap_of(seen) == "no cap"
    assert common.prompt(prompt_use(session)) == f"prompt {said}" and prompts.whose(session, session.project) == "~/code/shop"
    assert not can_add(session.layout, session.project), "no key is offered for what it does not have"
    assert OpenStore(session).by_group == "Gemini CLI keeps memory by group: it has none yet."
    (folder / "CLAUDE.md").write_text("Tests first.\n")
    told = open_store(Config(), "instructions", cwd=str(folder))
    seen = previewing.with_instructions(told, previewing.preview(told))
    apart = "2 instruction files, of which each agent reads its own"
    assert budget.sentence(seen) == apart == prompt_use(told).instructed, "no prompt has them all: they are not summed"
    row = wording.row(wording.listed(seen, "all")[0], seen)
    assert "".join(text for text, _ in row.pieces) == "2 instruction files: each agent reads its own" and not row.facts
    assert f"There are {apart}. Each agent" in (said := run("context", "--store", "instructions", *here)[2]) and "bytes" not in said
    assert prompts.whose(told, told.project) == "~/code/shop"
    index = away_from_home / ".gemini/tmp/shop/memory/MEMORY.md"
    index.parent.mkdir(parents=True)
    index.write_text("- an index\n")
    (away_from_home / ".gemini/projects.json").write_text(json.dumps({"projects": {str(folder): "shop"}}))
    lines = {line.split()[0]: line for line in run("stores", *here)[1].splitlines()}
    assert "11 in the prompt" in lines["gemini"] and run("context", "--store", "gemini", *here)[1] == "- an index\n"
