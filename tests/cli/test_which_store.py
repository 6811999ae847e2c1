"""Which memory a verb works on where none is named: with each kind alone on the machine, with several, with none."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.command_line import Run
from zsmem_tui.agents import registry
from zsmem_tui.agents.claude_code.files import encoded
from zsmem_tui.agents.oh_my_pi.files import encoded as omp_encoded
from zsmem_tui.agents.places import Machine
from zsmem_tui.cli.verbs import VERBS
from zsmem_tui.config.load import load
from zsmem_tui.config.locate import shortened
from zsmem_tui.config.model import Config
from zsmem_tui.core.errors import BadTarget
from zsmem_tui.core.names import project_slug
from zsmem_tui.service.agent_memory import agent_memory
from zsmem_tui.service.session import Session
from zsmem_tui.service.which_store import Has, beside, open_here, others, what_is_in
from zsmem_tui.store.mem import Mem
from zsmem_tui.ui import run as ui_run
from zsmem_tui.ui.memory.reading import welcome

TEXT = "- redis uses port 9999\n"

Put = Callable[[Path, Path], Path]
"""Puts memory into a home folder for a project's folder; the file that has it."""


def _file(path: Path, text: str = TEXT) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def _markdown(home: Path, folder: Path) -> Path:
    _file(home / ".config/zsmem/config.toml", f'stores = ["markdown:{home}/notes"]\n')
    return _file(home / "notes/ports.md")


def _gemini(home: Path, folder: Path) -> Path:
    _file(home / ".gemini/projects.json", json.dumps({"projects": {str(folder): "alpha"}}))
    return _file(home / ".gemini/tmp/alpha/memory/MEMORY.md")


def _team(folder: Path) -> Path:
    _file(folder / ".qwen/settings.json", '{"memory": {"enableTeamMemory": true}}')
    return _file(folder / ".qwen/team-memory/MEMORY.md")


PUTS: dict[str, Put] = {
    "zerostack": lambda home, folder: _file(
        home / ".local/share/zerostack/agent/memory/projects" / project_slug(str(folder)) / "notes/ports.md"
    ),
    "claude-code": lambda home, folder: _file(home / ".claude/projects" / encoded(str(folder)) / "memory/MEMORY.md"),
    "ethos": lambda home, folder: _file(home / ".ethos/personalities/engineer/MEMORY.md"),
    "opencode": lambda home, folder: _file(home / ".config/opencode/memory/human.md"),
    "opencode, of the project": lambda home, folder: _file(folder / ".opencode/memory/project.md"),
    "memsearch": lambda home, folder: _file(folder / ".memsearch/memory/2026-08-04.md", f"# Day\n\n## Session 10:00\n\n{TEXT}"),
    "oh-my-pi": lambda home, folder: _file(home / ".omp/agent/memories" / omp_encoded(str(folder)) / "learned.md"),
    "qwen-code": lambda home, folder: _file(home / ".qwen/projects" / encoded(str(folder)) / "memory/MEMORY.md"),
    "qwen-code, of a team": lambda home, folder: _team(folder),
    "gemini": _gemini,
    "markdown": _markdown,
}
"""Every kind, alone on a machine. A folder of Markdown is nobody's until the settings name it."""

WITHOUT_PROMPT = ("markdown",)


@pytest.fixture
def home(away_from_home: Path) -> Path:
    return away_from_home


@pytest.fixture
def folder(home: Path) -> Path:
    (home / "code/alpha").mkdir(parents=True)
    return home / "code/alpha"


@pytest.fixture
def zsmem(home: Path, folder: Path) -> Callable[..., Run]:
    def run(*words: str, stdin: bytes = b"", cwd: Path = folder) -> Run:
        return Run(*words, stdin=stdin, cwd=cwd)

    return run


@pytest.fixture(params=PUTS)
def alone(request: pytest.FixtureRequest, home: Path, folder: Path) -> SimpleNamespace:
    """One kind alone: its name, and the file with its memory."""
    return SimpleNamespace(kind=request.param.partition(",")[0], file=PUTS[request.param](home, folder))


def test_each_kind_alone_is_what_verbs_work_on(alone: SimpleNamespace, zsmem: Callable[..., Run], folder: Path) -> None:
    found = zsmem("search", "redis")
    assert found.code == 0 and "redis uses port 9999" in found.out and str(alone.file) in found.out and found.err == ""
    assert zsmem("list").out.splitlines() == [str(alone.file)]
    assert zsmem("read", "list").out == str(alone.file)
    name = "note:ports" if alone.kind == "zerostack" else alone.file.name
    assert "redis uses port 9999" in zsmem("read", name).out
    assert "redis uses port 9999" in zsmem("facts").out
    assert json.loads(zsmem("search", "redis", "--json").out)["store"].startswith(f"{alone.kind}:")
    doctor = zsmem("doctor")
    assert "1 file checked" in doctor.err and "no memory" not in doctor.err
    status = zsmem("status", "--json")
    assert json.loads(status.out)["files"] == 1 and json.loads(status.out)["bytes"] == alone.file.stat().st_size
    context = zsmem("context")
    if alone.kind in WITHOUT_PROMPT:
        assert context.code == 1 and "No agent says what of a folder of Markdown is" in context.err
    elif alone.kind == "zerostack":
        assert context.code == 1  # its notes are read on demand
    else:
        assert "redis uses port 9999" in context.out and "no memory" not in context.err


def test_the_program_opens_each_kind_alone(alone: SimpleNamespace, folder: Path) -> None:
    asked = SimpleNamespace(store=None, root=None, project=None, group=None, user=None, cwd=str(folder))
    sessions, more = ui_run._stores(load(), asked)
    assert sessions[0].layout.kind == alone.kind and what_is_in(sessions[0]) > Has.OTHERS
    if more is not None:
        assert alone.kind not in {each.layout.kind for each in more().sessions}


def test_the_library_has_each_kind_alone(alone: SimpleNamespace, folder: Path) -> None:
    if alone.kind == "markdown":
        return  # the library reads no settings
    group = "engineer" if alone.kind == "ethos" else None
    found = agent_memory(folder=folder, group=group)
    assert found.search("redis") and found.list()
    assert type(found) is type(agent_memory(alone.kind, folder=folder, group=group))


@pytest.mark.draw(3)
def test_every_verb_starts_on_each_kind_alone(alone: SimpleNamespace, zsmem: Callable[..., Run]) -> None:
    """With no words of its own or those it cannot do without: no verb says that there is no memory, none works on another store."""
    needs = {
        **{"search": ["redis"], "read": ["list"], "write": ["note:x", "--dry-run", "x"], "clear": ["daily", "--dry-run"]},
        **{"edit": ["note:x", "--old", "a", "--dry-run"], "scratch": ["list"], "file": ["trash"], "import": ["detect"]},
        **{"promote": ["x:1", "--dry-run"], "demote": ["AGENTS.md:1", "--dry-run"], "export": ["zerostack", "out", "--dry-run"]},
    }
    verbs = [name for name, verb in VERBS.items() if verb.any_store and name not in ("serve", "editor", "connect")]
    for verb in verbs:
        done = zsmem(verb, *needs.get(verb, []))
        assert "There is no memory of this folder" not in done.err, verb
        if alone.kind != "zerostack":
            assert "zerostack/agent/memory" not in done.out + done.err, verb


def test_a_folder_that_is_not_there_is_said_and_its_memory_found_all_the_same(
    zsmem: Callable[..., Run], home: Path, folder: Path
) -> None:
    PUTS["claude-code"](home, folder)
    gone = home / "code/gone"
    PUTS["claude-code"](home, gone)
    found = zsmem("search", "redis", "--cwd", str(gone))
    assert found.code == 0 and "redis uses port 9999" in found.out and f"The folder {gone} is not there." in found.err
    for words in (("status", "--cwd", "nowhere"), ("--cwd", "nowhere", "today")):
        done = zsmem(*words)
        said = f"The folder {folder}/nowhere is not there, and no memory is of it. Nothing was done.\n"
        assert (done.code, done.out, done.err) == (3, "", f"zsmem: {said}")
    _file(folder / "file.txt")
    assert f"{folder}/file.txt is not a folder, and no memory is of it." in zsmem("list", "--cwd", "file.txt").err
    assert "is not there" not in zsmem("status", "--cwd", str(folder)).err
    options = dict.fromkeys(("root", "project", "store", "group", "user", "profile"))
    args = SimpleNamespace(**options, cwd=str(folder / "nowhere"), demo=False, tour=False)
    with pytest.raises(BadTarget, match="nowhere is not there, and no memory is of it"):
        ui_run._make_app(args)


@pytest.mark.draw(3)
@pytest.mark.parametrize("name", ["zerostack", "claude-code"])
@pytest.mark.parametrize("given", [".", "../alpha", "../alpha/", "{}/", "{}/./x/.."])
def test_a_folder_that_is_named_in_another_way_is_the_same_folder(
    zsmem: Callable[..., Run], home: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, given: str, name: str
) -> None:
    PUTS[name](home, folder)
    cwd, plain = given.format(folder), json.loads(zsmem("status", "--json").out)
    assert json.loads(zsmem("--cwd", cwd, "status", "--json").out) == plain
    assert zsmem("--cwd", cwd, "write", "note", "hi", "--name", "z").code == 0
    assert "z.md" in zsmem("list").out
    monkeypatch.chdir(folder)
    root, kind = plain["root"], "" if name == "zerostack" else name
    assert Mem.open(cwd).project == Mem.open().project == Session.open(Config(), cwd=cwd).project
    assert any("z.md" in each for each in agent_memory(kind, folder=cwd).list())
    relative = os.path.relpath(root)
    assert json.loads(zsmem("status", "--json", "--store", f"{name}:{relative}", "--cwd", cwd).out)["root"] == root
    if not kind:
        assert json.loads(zsmem("status", "--json", "--root", relative, "--cwd", cwd).out)["root"] == root


def test_of_several_zerostack_is_first_and_the_others_are_named_in_one_line(
    zsmem: Callable[..., Run], home: Path, folder: Path
) -> None:
    for name in ("oh-my-pi", "claude-code", "zerostack"):
        PUTS[name](home, folder)
    found = zsmem("search", "redis")
    line = "zsmem: This is the memory of zerostack; --store claude-code or --store oh-my-pi has memory of this folder, too.\n"
    assert "zerostack/agent/memory" in found.out and found.err == ""
    assert zsmem("search", "qqqq").err.endswith(line) and line not in zsmem("search", "qqqq", "--json").err
    assert json.loads(zsmem("list", "--json").out)["store"].startswith("zerostack:")
    quiet = (["status", "--line"], ["stores"], ["search", "redis", "--all-stores"], ["slug"], ["help"], ["man"], ["config"])
    for words in (*quiet, ["search", "redis", "--store", "claude-code"], ["completion", "bash"]):
        assert zsmem(*words).err == "", words
    hook = zsmem("hook", "claude-code", stdin=json.dumps({"hook_event_name": "SessionStart", "cwd": str(folder)}).encode())
    assert hook.err == ""


def test_of_other_kinds_memory_of_the_folder_goes_before_what_is_for_all(
    zsmem: Callable[..., Run], home: Path, folder: Path
) -> None:
    PUTS["ethos"](home, folder)
    own = PUTS["memsearch"](home, folder)
    found = zsmem("list")
    assert found.out == f"{own}\n" and found.err == ""  # what is for every folder is no other memory of this one
    assert json.loads(zsmem("today", "--json").out)["waits"] is False and "--store" not in zsmem("today").err
    PUTS["claude-code"](home, folder / "elsewhere")  # of another folder: nobody need hear of it
    assert "claude-code" not in zsmem("list").err


def test_what_is_for_every_folder_is_not_said_to_be_of_this_one(zsmem: Callable[..., Run], home: Path, folder: Path) -> None:
    _file(home / ".claude/CLAUDE.md")
    _file(home / ".gemini/GEMINI.md")
    (home / "elsewhere").mkdir()
    assert zsmem("list").err == "" and "gemini" not in zsmem("list", "--cwd", str(home / "elsewhere")).err
    PUTS["gemini"](home, folder)
    assert zsmem("list", "--store", "claude-code").err == ""
    _file(home / ".local/share/zerostack/agent/memory/MEMORY.md")
    assert zsmem("list").err == ""


@pytest.mark.draw(3)
@pytest.mark.parametrize("kind", [each for each in PUTS if each not in ("ethos", "opencode", "markdown", "zerostack")])
def test_memory_of_the_folder_goes_before_zerostacks_for_every_folder(
    zsmem: Callable[..., Run], home: Path, folder: Path, kind: str
) -> None:
    everybodys = _file(home / ".local/share/zerostack/agent/memory/MEMORY.md")
    PUTS["zerostack"](home, folder / "elsewhere")
    assert zsmem("list").out == f"{everybodys}\n"
    own = PUTS[kind](home, folder)
    assert zsmem("list").out == f"{own}\n"
    for words in (["list"], ["search", "redis"], ["facts"], ["status"]):
        assert json.loads(zsmem(*words, "--json").out)["store"].startswith(kind.partition(",")[0]), words
        assert "--store" not in zsmem(*words).err, words
    assert "1 file checked" in zsmem("doctor").err
    asked = SimpleNamespace(store=None, root=None, project=None, group=None, user=None, cwd=str(folder))
    [first], more = ui_run._stores(load(), asked)
    assert first.layout.kind == kind.partition(",")[0] and more is not None
    assert "zerostack" in {each.layout.kind for each in more().sessions}
    PUTS["zerostack"](home, folder)
    assert "zsmem: This is the memory of zerostack; " in zsmem("search", "qqqq").err


def test_where_none_has_any_it_is_said_with_what_was_looked_at(zsmem: Callable[..., Run], home: Path, folder: Path) -> None:
    found = zsmem("search", "redis")
    assert found.code == 1 and found.err.startswith("zsmem: There is no memory of this folder yet. Looked at: zerostack (~/.local/")
    assert all(f"{kind} (" in found.err for kind in registry.kinds() if kind != "markdown") and found.err.count("\n") == 1
    assert "There is no memory of this folder yet" in zsmem("doctor").err
    assert zsmem("status", "--line").err == ""
    _file(folder / "CLAUDE.md", "- redis uses port 9999\n- [ ] ship\n")
    found = zsmem("search", "redis")
    assert found.code == 0 and str(folder / "CLAUDE.md") in found.out and "Looked at" not in found.err
    assert zsmem("list").out == f"{folder / 'CLAUDE.md'}\n"
    assert found.err.endswith("There is no memory of this folder yet, only " + shortened(str(folder / "CLAUDE.md")) + ".\n")
    assert zsmem("status", "--line").out == "1 open\n"
    (folder / "CLAUDE.md").unlink()
    written = zsmem("write", "long_term", "- prefers tabs")
    assert written.code == 0 and "zerostack/agent/memory/MEMORY.md" in written.out and written.err == ""
    shutil.rmtree(home / ".local/share/zerostack")
    gone = "zsmem: zerostack's memory is gone: 1 file. `zsmem review back` brings them back.\n"
    assert zsmem("search", "tabs").err == gone and zsmem("status").err.count(gone) == 1
    again = zsmem("write", "long_term", "- anew")
    assert again.code == 4 and "The history has 1 file of it. Nothing was written.\n" in again.err
    assert zsmem("review", "back").code == 0 and zsmem("search", "tabs").code == 0


def test_a_first_write_says_which_memory_it_began_and_who_does_not_read_it(zsmem: Callable[..., Run], home: Path) -> None:
    (home / ".claude").mkdir()
    (home / ".local/share/zerostack").mkdir(parents=True)
    done = zsmem("write", "long_term", TEXT)
    assert done.code == 0 and (home / ".local/share/zerostack/agent/memory/MEMORY.md").exists()
    assert "This began a memory of zerostack in " in done.err
    assert "Claude Code does not read it: what it reads is --store claude-code." in done.err
    assert "This began" not in zsmem("write", "long_term", "- more").err


@pytest.mark.parametrize(
    ("there", "kind"),
    [
        ((".claude",), "claude-code"),
        ((".omp/agent",), "oh-my-pi"),
        ((".config/opencode",), "opencode"),
        (("code/alpha/.memsearch",), "memsearch"),
        ((".claude", ".qwen", "code/alpha/.qwen"), "qwen-code"),
        ((".claude", "code/alpha/.opencode"), "opencode"),
        ((".claude", ".qwen", ".local/share/zerostack"), "zerostack"),
        ((), "zerostack"),
    ],
)
def test_where_none_has_any_it_is_that_of_the_agent_that_is_here(
    zsmem: Callable[..., Run], home: Path, folder: Path, there: tuple[str, ...], kind: str
) -> None:
    for each in there:
        (home / each).mkdir(parents=True, exist_ok=True)
    session = open_here(Config(), cwd=str(folder), needs_group=False)
    assert session.layout.kind == kind and not session.rivals
    if there == (".claude",):
        assert "(Claude Code has none)" in zsmem("status").out
        assert zsmem("import", "claude-code", str(_file(home / "in/ports.md").parent)).code == 0
        assert (home / ".claude/projects" / encoded(str(folder)) / "memory/ports.md").exists()
        assert zsmem("write", "note", TEXT, "--name", "more").code == 0
        assert not (home / ".local/share/zerostack").exists()


def test_of_several_agents_without_memory_one_must_be_named_to_begin_it(
    zsmem: Callable[..., Run], home: Path, folder: Path
) -> None:
    (home / ".claude").mkdir()
    (home / ".qwen").mkdir()
    coming = _file(home / "in/ports.md")
    for words in (["write", "note", TEXT, "--name", "a"], ["import", "markdown", str(coming.parent)], ["write", "MEMORY.md", TEXT]):
        done = zsmem(*words)
        assert done.code == 2 and "Say --store claude-code or --store qwen-code." in done.err and [*home.rglob("*.md")] == [coming]
    assert zsmem("status").code == 0 and zsmem("write", "note", TEXT, "--name", "a", "--store", "qwen-code").code == 0
    assert zsmem("write", "note", TEXT, "--name", "b").code == 0 and len([*(home / ".qwen").rglob("*_[ab].md")]) == 2


def test_memory_of_other_folders_is_at_hand_where_the_folder_has_none(zsmem: Callable[..., Run], home: Path, folder: Path) -> None:
    PUTS["claude-code"](home, folder / "elsewhere")
    assert "There is no memory of this folder yet" in zsmem("search", "redis").err
    found = zsmem("search", "redis", "--all")
    assert found.code == 0 and "redis uses port 9999" in found.out


def test_a_file_that_was_the_only_one_comes_back_by_undo(zsmem: Callable[..., Run], home: Path, folder: Path) -> None:
    file = PUTS["claude-code"](home, folder)
    assert zsmem("file", "rm", "MEMORY.md").code == 0 and not file.exists()
    assert zsmem("undo").code == 0 and file.read_text() == TEXT


def test_undo_takes_back_the_last_step_where_it_was_in_instructions(zsmem: Callable[..., Run], home: Path, folder: Path) -> None:
    PUTS["zerostack"](home, folder)
    instructions = _file(folder / "AGENTS.md", "- [ ] run the tests\n")
    assert zsmem("write", "note:n", "older").code == 0
    (item,) = json.loads(zsmem("scratch", "list", "--json").out)["items"]
    assert zsmem("scratch", "done", item["id"]).code == 0 and instructions.read_text() == "- [x] run the tests\n"
    assert "run the tests" in zsmem("undo", "--dry-run").out
    assert zsmem("undo").code == 0 and instructions.read_text() == "- [ ] run the tests\n"
    assert zsmem("undo", "--redo").code == 0 and instructions.read_text() == "- [x] run the tests\n"


def test_what_was_wiped_comes_back_from_the_store_that_had_it(zsmem: Callable[..., Run], home: Path, folder: Path) -> None:
    PUTS["claude-code"](home, folder)
    shared = _file(home / ".local/share/zerostack/agent/memory/MEMORY.md", TEXT * 20)
    assert zsmem("--store", "zerostack", "history").code == 0
    nothing = zsmem("review", "back")
    assert (
        nothing.code == 1
        and "Nothing to bring back: no text that others deleted is missing." in nothing.err
        and "is meant" not in nothing.err
    )
    shared.unlink()
    assert "Nothing to bring back" in zsmem("--store", "claude-code", "review", "back").err
    listed = zsmem("history")
    assert "zerostack's memory is meant: text in it was wiped." in listed.err and "MEMORY.md" in listed.out
    assert "is meant" not in zsmem("history", "--json").err  # a script's store does not depend on what happened
    (id,) = {line.split()[0] for line in listed.out.splitlines() if " +20 " in line}
    shown = zsmem("history", "show", id)
    assert shown.out == TEXT * 20 and "zerostack's memory is meant: it has this version." in shown.err
    review = zsmem("review")
    assert "Text in zerostack's memory was wiped: `zsmem review --store zerostack` lists it" in review.err and review.code == 1
    back = zsmem("review", "back")
    assert back.code == 0 and "zerostack's memory is meant" in back.err and shared.read_text() == TEXT * 20
    undone = zsmem("undo")
    assert undone.code == 0 and "zerostack's memory is meant: the last step was made there." in undone.err
    assert not shared.exists() and zsmem("undo", "--redo").code == 0 and shared.read_text() == TEXT * 20
    shutil.rmtree(shared.parent)
    back = zsmem("review", "back")
    assert back.code == 0 and "zerostack's memory is meant" in back.err and shared.read_text() == TEXT * 20
    assert "This began" not in back.err


def test_a_group_or_project_says_the_store(zsmem: Callable[..., Run], home: Path, folder: Path) -> None:
    PUTS["ethos"](home, folder)
    claude = PUTS["claude-code"](home, folder)
    assert "personalities/engineer" in zsmem("list", "--group", "engineer").out
    assert zsmem("list", f"--project={encoded(str(folder))}", cwd=home).out == f"{claude}\n"
    assert zsmem("undo", "--store", "ethos").err.startswith("zsmem: Nothing to undo.")  # and what is of no group asks for none
    nobody = zsmem("list", "--group", "nobody")
    assert nobody.code == 3 and "'nobody'" in nobody.err and "claude-code (~/.claude)" in nobody.err


READS = (["status"], ["facts"], ["search", "redis"], ["list"], ["context"], ["doctor"], ["today"], ["read", "list"], ["history"])
WRITES = (["write", "long_term", "x"], ["write", "note:n", "x"], ["scratch", "add", "x"], ["clear", "daily"])


@pytest.mark.draw(3)
@pytest.mark.parametrize("kind", ["claude-code", "zerostack"])
@pytest.mark.parametrize("named", ["", "--store", "--root"])
@pytest.mark.parametrize("option", ["--project", "--group"])
def test_a_project_that_no_store_has_is_refused_with_the_near_one(
    zsmem: Callable[..., Run], home: Path, folder: Path, kind: str, named: str, option: str
) -> None:
    """Every verb, whoever names the store: nothing is read from nowhere, nothing written where nobody finds it."""
    PUTS[kind](home, folder)
    root = home / ".local/share/zerostack/agent/memory"
    where = {"": [], "--store": ["--store", kind], "--root": ["--root", str(root)]}[named]
    if named == "--root" and (kind != "zerostack" or option == "--group"):
        return  # a root is zerostack's, and has projects
    before = sorted(home.rglob("*.md"))
    for words in (*READS, *WRITES):
        done = zsmem(*words, option, "alpah", *where)
        assert done.code == 3 and not done.out and "'alpah'" in done.err and "Nothing was done." in done.err, words
        assert "alpha" in done.err.replace(str(folder), ""), words
    assert sorted(home.rglob("*.md")) == before


def test_a_slug_that_is_not_there_yet_is_said_and_makes_no_store_of_another_agent(
    zsmem: Callable[..., Run], home: Path, folder: Path
) -> None:
    alone = PUTS["claude-code"](home, folder)
    for words in (*READS, *WRITES):
        assert zsmem(*words, "--project", "new-12345678").code == 3, words
    assert sorted(home.rglob("*.md")) == [alone]
    asked = zsmem("scratch", "add", "x", "--project", "new-12345678", "--store", "zerostack")
    assert asked.code == 0 and "new-12345678 is a new project of zerostack's" in asked.err
    assert (
        "zerostack has no project new-12345679 yet. Did you mean new-12345678?" in zsmem("status", "--project", "new-12345679").err
    )
    assert zsmem("status", "--project", "new-12345678").err == "" == zsmem("status", "--line", "--project", "a-12345678").err
    other = zsmem("write", "scratchpad", "x", "--project", "other-12345678")
    assert (
        other.code == 0
        and other.err == f"zsmem: other-12345678 is a new project of zerostack's, in {home}/.local/share/zerostack/agent/memory.\n"
    )


def test_memory_goes_to_no_project_that_nobody_would_find(zsmem: Callable[..., Run], home: Path, folder: Path) -> None:
    note = PUTS["zerostack"](home, folder)
    _file(home / "in/a.md")
    for words in (["file", "move", "note:ports", "--to", "typo"], ["import", "markdown", str(home / "in"), "--into", "typo"]):
        done = zsmem(*words)
        assert done.code == 3 and "There is no project typo. Nothing was " in done.err, words
    assert zsmem("file", "move", "note:ports", "--to", "new-12345678").code == 0 and not note.exists()
    event = json.dumps({"hook_event_name": "SessionStart", "cwd": str(folder)}).encode()
    assert "no project called 'typo'" in zsmem("hook", "claude-code", "--project", "typo", stdin=event).err


def test_the_program_opens_no_project_that_nobody_would_find(home: Path, folder: Path) -> None:
    PUTS["zerostack"](home, folder)
    for store, root in ((None, None), (["zerostack"], None), (None, str(home / ".local/share/zerostack/agent/memory"))):
        asked = SimpleNamespace(store=store, root=root, project="alpah", group=None, user=None, cwd=None)
        with pytest.raises(BadTarget, match="alpah"):
            ui_run._stores(load(), asked)


def test_zerostacks_projects_are_found_as_they_are_listed(zsmem: Callable[..., Run], home: Path, folder: Path) -> None:
    PUTS["zerostack"](home, folder)
    zsmem("projects", "label", project_slug(str(folder)), "Ports")
    root = home / ".local/share/zerostack/agent/memory"
    for where in ([], ["--root", str(root)], ["--store", "zerostack"]):
        assert "redis uses port 9999" in zsmem("read", "note:ports", "--project", "Ports", *where, cwd=home).out


def test_the_settings_say_which_stores_there_are(zsmem: Callable[..., Run], home: Path, folder: Path) -> None:
    PUTS["zerostack"](home, folder)
    claude = PUTS["claude-code"](home, folder)
    _file(home / ".config/zsmem/config.toml", 'stores = ["claude-code", "zerostack"]\n')
    assert zsmem("list").out == f"{claude}\n"
    _file(home / ".config/zsmem/config.toml", f'root = "{home}/elsewhere"\n')
    assert zsmem("list").out == ""


def test_what_goes_out_to_a_kind_is_not_its_own_memory(zsmem: Callable[..., Run], home: Path, folder: Path) -> None:
    PUTS["claude-code"](home, folder)
    into = zsmem("import", "claude-code")
    assert into.code == 0 and (home / ".local/share/zerostack/agent/memory/MEMORY.md").is_file()


def test_traces_show_wherever_a_kind_has_memory(alone: SimpleNamespace, home: Path, folder: Path) -> None:
    on = Machine({}, str(home), str(folder), os.path.exists)
    """What is looked at before the rules of agents are loaded misses none of what those would find."""
    if alone.kind not in ("zerostack", "markdown"):
        assert any(os.path.lexists(path) for each in registry.kinds().values() for path in each.traces(on))


def test_a_start_in_a_folder_that_zerostack_knows_asks_nobody_else(
    home: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    PUTS["zerostack"](home, folder)
    monkeypatch.setitem(__import__("sys").modules, "zsmem_tui.service.stores", None)
    session = open_here(Config(), cwd=str(folder))
    assert session.is_default and others(beside(session, str(folder))) == {}


def test_opencode_reads_the_blocks_of_the_project_too(zsmem: Callable[..., Run], home: Path, folder: Path) -> None:
    for_all = PUTS["opencode"](home, folder)
    own = PUTS["opencode, of the project"](home, folder)
    for named in ([], ["--store", "opencode"]):
        assert zsmem("list", *named).out.splitlines() == [str(own), str(for_all)]
        found = zsmem("search", "redis", *named).out
        assert str(own) in found and str(for_all) in found
        assert zsmem("facts", *named).out.count("redis uses port 9999") == 2
        assert "2 files checked" in zsmem("doctor", *named).err
        assert zsmem("read", "human.md", *named).out == zsmem("read", "project.md", *named).out == TEXT
        assert json.loads(zsmem("status", "--json", *named).out)["files"] == 2
    assert zsmem("list", "--store", f"opencode:{for_all.parent}").out == f"{for_all}\n"
    assert zsmem("edit", "human.md", "--old", "9999", "--new", "1").code == 0 and "port 1" in for_all.read_text()
    memory = agent_memory("opencode", folder=folder)
    assert sorted(memory.list()) == ["human.md", "project.md"] and len(memory.search("redis")) == 2
    assert "port 1" in (memory.read("human.md") or "")


def test_a_group_that_nobody_has_is_refused(home: Path) -> None:
    with pytest.raises(BadTarget):
        open_here(Config(), user="nobody")


def test_what_a_kind_of_store_never_has_is_not_offered(zsmem: Callable[..., Run], home: Path, folder: Path) -> None:
    file = PUTS["claude-code"](home, folder)
    found = zsmem("write", "nope", "x")
    assert found.code == 3 and "Targets are note and the path of a file in the store." in found.err
    assert "Did you mean 'MEMORY.md'?" in zsmem("write", "index", "x").err
    found = zsmem("write", "long_term", "x")
    assert found.code == 3 and "What it has in every prompt is MEMORY.md." in found.err
    assert zsmem("write", "MEMORY.md", "- two").code == 0
    assert zsmem("status").out.splitlines()[1] == f"  index: {file.stat().st_size}B"


@pytest.mark.parametrize("hidden", [".local/share/zerostack/agent/memory", ".claude/projects/PROJECT/memory"])
def test_a_store_that_cannot_be_read_is_said_whichever_is_used(
    zsmem: Callable[..., Run], home: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, hidden: str
) -> None:
    PUTS["claude-code"](home, folder)
    _file(home / ".local/share/zerostack/agent/memory/MEMORY.md", "- one\n")
    place, real = str(home / hidden.replace("PROJECT", encoded(str(folder)))), os.access
    monkeypatch.setattr(os, "access", lambda path, mode: str(path) != place and real(path, mode))  # root may read anything
    agent = "zerostack" if "zerostack" in hidden else "Claude Code"
    for verb in ("status", "list", "doctor", "search x"):
        said = zsmem(*verb.split()).err
        assert place in said and f"ermission denied. What {agent} keeps there is left out." in said, verb
    today = zsmem("today")
    assert place in today.out and "Nobody else" not in today.err


def test_an_export_to_the_only_agent_that_has_memory_takes_it_into_a_named_folder_and_else_says_so(
    zsmem: Callable[..., Run], home: Path, folder: Path
) -> None:
    PUTS["claude-code"](home, folder)
    done = zsmem("export", "claude-code", str(home / "out"))
    assert done.code == 0 and (home / "out/MEMORY.md").read_text() == TEXT and "no memory" not in done.err
    found = zsmem("export", "claude-code")
    assert found.code == 1 and "zerostack has no memory of this folder; --store claude-code has." in found.err
    assert "There is no memory" not in found.err


def test_a_store_that_was_named_and_is_not_there_is_said(zsmem: Callable[..., Run], home: Path) -> None:
    found = zsmem("search", "redis", "--store", f"claude-code:{home}/nope")
    assert found.code == 1 and found.err == f"zsmem: {home}/nope is not there.\n"
    assert zsmem("search", "redis", "--root", f"{home}/nope").err == found.err


def test_the_welcome_says_how_a_folder_of_markdown_is_opened(home: Path) -> None:
    page = welcome(open_here(Config(), cwd=str(home)), "")
    assert "`zsmem --store markdown:DIR`" in page


@pytest.mark.parametrize(
    ("files", "title"),
    [
        (("CLAUDE.md",), "Claude Code"),
        (("AGENTS.md", ".claude/rules/a.md"), "Claude Code"),
        (("AGENTS.md", "GEMINI.md"), "Gemini CLI"),
        (("QWEN.md",), "Qwen Code"),
        (("AGENTS.md",), "zerostack"),
    ],
)
def test_where_there_are_only_instructions_of_a_folder_it_is_the_agent_whose_they_are(
    away_from_home: Path, files: tuple[str, ...], title: str
) -> None:
    folder = away_from_home / "code/shop"
    (folder / "src").mkdir(parents=True)
    for name in files:
        _file(folder / name, "- [ ] one\n")
    for place in (folder, folder / "src"):
        assert open_here(Config(), cwd=str(place), needs_group=False).layout.title == title
    assert "[ ] one" in Run("scratch", "list", cwd=folder).out and not list(away_from_home.glob(".[cgq]*"))
    _file(away_from_home / ".local/share/zerostack/agent/memory/MEMORY.md")
    assert open_here(Config(), cwd=str(folder)).layout.title == "zerostack"
