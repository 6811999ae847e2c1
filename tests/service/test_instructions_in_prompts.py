"""Facts of instruction files: what of them is in every prompt, the same wherever it is said; and promoting to what is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import NOW, AStore
from zsmem_tui.agents.claude_code.files import encoded
from zsmem_tui.config.model import Config
from zsmem_tui.core.errors import BadTarget
from zsmem_tui.core.notice import sentences
from zsmem_tui.core.preview import Prompt
from zsmem_tui.service import applying, instructions, previewing, promoting, stores, undoing
from zsmem_tui.service.browsing import open_file
from zsmem_tui.service.facts import acts
from zsmem_tui.service.facts.rows import FactReader, FactRow, Scope
from zsmem_tui.service.previewing import prompt_lines
from zsmem_tui.service.session import Session
from zsmem_tui.ui.facts.screen import weighed
from zsmem_tui.ui.facts.verbs import applied


@pytest.fixture
def folder(tmp_path: Path) -> AStore:
    return AStore(tmp_path / "shop")


@pytest.fixture
def claude(folder: AStore, away_from_home: Path) -> AStore:
    own = AStore(away_from_home / ".claude").has("CLAUDE.md", "# Me\n\n- tabs\n<!-- - no -->\n").has("rules/all.md", "- all\n")
    own.has("rules/some.md", "---\npaths: src/**\n---\n\n- some\n")
    index = "- the shop listens on port 9999\n" + "".join(f"- x {number}\n" for number in range(250)) + "- far down\n"
    return own.has(f"projects/{encoded(str(folder.root))}/memory/MEMORY.md", index)


@pytest.fixture
def session(claude: AStore, folder: AStore) -> Session:
    return stores.open_store(Config(), "claude-code", cwd=str(folder.root), clock=lambda: NOW)


def facts(session: Session, scope: Scope = Scope.ALL) -> dict[str, FactRow]:
    return {row.fact.says: row for row in FactReader(session).read(scope).rows}


def test_what_instructions_take_counts_those_of_everybody_too(session: Session, folder: AStore) -> None:
    folder.has("CLAUDE.md", "- the shop listens on port 9999\n- all\n")
    size = previewing.preview(session).size
    said = sentences(previewing.findings(session))
    own = len("# Me\n\n- tabs\n\n- all\n") + len("- the shop listens on port 9999\n- all\n")
    assert f"Claude Code's instruction files: {own:,} bytes, with memory {own + size:,} bytes in every prompt." in said


def test_of_the_files_of_a_folder_only_those_that_are_there_are_named(folder: AStore, tmp_path: Path) -> None:
    folder.has("AGENTS.md", "- a\n")
    memory = AStore(tmp_path / "memory").has("MEMORY.md", "- a fact\n").session()
    memory.folder = str(folder.root)
    size = previewing.preview(memory).size
    said = sentences(previewing.findings(memory))
    assert f"AGENTS.md: 4 bytes, with memory {4 + size:,} bytes in every prompt." in said, said


@pytest.mark.parametrize("scope", [Scope.ALL, Scope.PROJECT])
def test_facts_of_claude_md_are_in_every_prompt_and_the_reader_says_the_same(session: Session, scope: Scope) -> None:
    found = facts(session, scope)
    assert {says: row.prompt for says, row in found.items() if says[0] != "x"} == {
        "tabs": Prompt.WHOLE,
        "<!-- - no -->": Prompt.NEVER,
        "all": Prompt.WHOLE,
        "some": Prompt.NEVER,
        "the shop listens on port 9999": Prompt.WHOLE,
        "far down": Prompt.LOST,
    }
    for row in found.values():
        marks = prompt_lines(session, open_file(session, row.ref))
        assert (marks[row.fact.line] if marks else Prompt.NEVER) is row.prompt


def test_facts_of_a_folders_instructions_are_in_prompts_too(folder: AStore) -> None:
    folder.has("AGENTS.md", "- of all\n").has(".claude/rules/x.md", "- a rule\n")
    folder.has("CLAUDE.md", "- of claude\n").has(".claude/rules/y.md", "---\npaths: [a]\n---\n- for a\n")
    folder.has("QWEN.md", "- of qwen\n").has("GEMINI.md", "- of gemini\n")
    told = instructions.open_folder(Config(), str(folder.root), clock=lambda: NOW)
    assert {says: row.prompt for says, row in facts(told).items()} == {
        "of all": Prompt.WHOLE,
        "of claude": Prompt.WHOLE,
        "of qwen": Prompt.WHOLE,
        "of gemini": Prompt.WHOLE,
        "a rule": Prompt.WHOLE,
        "for a": Prompt.NEVER,
    }


def test_the_files_beside_memory_are_those_that_the_agent_loads(session: Session, folder: AStore) -> None:
    folder.has("AGENTS.md", "- read alone\n")
    assert [Path(path).name for path, _ in previewing.context_files(session)] == ["AGENTS.md"]
    folder.has("CLAUDE.md", "- the shop listens on port 9999\n\n@docs/more.md\n").has("docs/more.md", "- more\n")
    assert [Path(path).name for path, _ in previewing.context_files(session)] == ["CLAUDE.md", "more.md"]
    assert "twice" in [each.kind.value for each in previewing.findings(session)]


def test_of_a_file_beside_memory_the_lines_are_there_that_are_loaded(session: Session, folder: AStore) -> None:
    folder.has("CLAUDE.md", "- one\n<!-- a note\nto myself -->\n- two\n")
    loaded = dict(previewing.loaded_orders(session, str(folder.root)))
    assert loaded[str(folder.root / "CLAUDE.md")] == "- one\n\n\n- two\n"
    assert loaded["CLAUDE.md"] == "# Me\n\n- tabs\n\n" and loaded["rules/all.md"] == "- all\n" and "rules/some.md" not in loaded


@pytest.mark.parametrize("reads_all", [False, True])
def test_what_a_key_takes_out_of_instructions_is_what_the_prompt_loses(
    session: Session, folder: AStore, away_from_home: Path, reads_all: bool
) -> None:
    if reads_all:  # zerostack loads the file as it is
        AStore(away_from_home / ".local/share/zerostack/agent/memory").has("MEMORY.md", "- a\n")
    folder.has("CLAUDE.md", "- one\n<!-- a note\nto myself -->\n\n- two\n")
    told = instructions.open_folder(Config(), str(folder.root), clock=lambda: NOW)
    for row in facts(told).values():
        plan = acts.delete(told, [row])
        is_comment = row.fact.says.startswith("<!--")
        assert row.prompt is (Prompt.NEVER if is_comment and not reads_all else Prompt.WHOLE)
        effect, size = acts.effect(told, plan), sum(map(len, dict(previewing.context_files(session)).values()))
        applying.apply(plan)
        lost = len("<!-- a note\nto myself -->") - 1 if reads_all and is_comment else 0  # that Claude Code has blank
        assert effect.grown == sum(map(len, dict(previewing.context_files(session)).values())) - size - lost
        undoing.undo(told)


@pytest.mark.parametrize(
    ("kind", "settings", "told"),
    [
        ("gemini", "", "GEMINI.md"),
        ("gemini", '{"context": {"fileName": ["ALL.md"]}}', "ALL.md"),
        ("qwen-code", "", "QWEN.md"),
        ("qwen-code", '{"contextFileName": "ALL.md"}', "ALL.md"),
    ],
)
def test_what_other_agents_are_told_of_all_projects_is_in_every_prompt(
    kind: str, settings: str, told: str, away_from_home: Path, folder: AStore
) -> None:
    place = away_from_home / {"gemini": ".gemini", "qwen-code": ".qwen"}[kind]
    own = AStore(place).has("ALL.md", "- all\n").has("settings.json", settings)
    own.has("GEMINI.md" if kind == "gemini" else "QWEN.md", "- tabs\n")
    own.has("projects.json", f'{{"projects": {{"{folder.root}": "shop"}}}}')
    session = stores.open_store(Config(), kind, cwd=str(folder.root), clock=lambda: NOW)
    assert [path for path, _ in previewing.loaded_orders(session, str(folder.root))] == [told]
    row = facts(session)["tabs"]
    assert row.prompt is (Prompt.NEVER if told == "ALL.md" else Prompt.WHOLE)
    marks = prompt_lines(session, open_file(session, row.ref))
    assert (marks[0] if marks else Prompt.NEVER) is row.prompt


def test_claude_code_is_offered_what_it_reads_and_nothing_else(session: Session, folder: AStore) -> None:
    place = str(folder.root)
    assert instructions.goals(session, place) == ["CLAUDE.md", ".claude/rules/memory.md"]
    folder.has("AGENTS.md", "- a\n")
    assert instructions.goals(session, place)[0] == "AGENTS.md"
    folder.has("CLAUDE.md", "- a\n")
    assert "AGENTS.md" not in instructions.goals(session, place)
    told = instructions.open_folder(Config(), place, clock=lambda: NOW)
    row = facts(session)["the shop listens on port 9999"]
    for name in ("AGENTS.md", "ARCHITECTURE.md"):
        with pytest.raises(BadTarget, match=r"Claude Code does not get facts from .*: they are loaded into CLAUDE.md or"):
            promoting.plan_promote(session, [row], told, name)


@pytest.mark.parametrize("to", ["", ".claude/rules/memory.md"])
def test_a_fact_goes_to_what_claude_code_reads_and_back(session: Session, claude: AStore, folder: AStore, to: str) -> None:
    told = instructions.open_folder(Config(), str(folder.root), clock=lambda: NOW)
    before = (claude.tree(), folder.tree())
    plan = promoting.plan_promote(session, [facts(session)["the shop listens on port 9999"]], told, to)
    goal = to or "CLAUDE.md"
    assert plan.notes[0] == f"{goal} is in every prompt of Claude Code in {folder.root}." and "They go between" in plan.notes[1]
    applying.apply(plan)
    assert folder.raw(goal).decode() == (
        "<!-- zerostack-memory:begin -->\n- the shop listens on port 9999\n<!-- zerostack-memory:end -->\n"
    )
    assert facts(told)["the shop listens on port 9999"].prompt is Prompt.WHOLE
    noted = acts.new_note(session, session.project, "reference_back")
    listed = promoting.plan_demote(told, promoting.promoted(told, told.ref_at(goal)), session, noted)
    assert [each.ref.name or each.ref.path.rpartition("/")[2] for each in listed.changes][:2] == ["reference_back", "MEMORY.md"]
    assert b"type: reference\n" in (listed.changes[0].after or b"") and b"(reference_back.md)" in (listed.changes[1].after or b"")
    back = promoting.plan_demote(told, promoting.promoted(told, told.ref_at(goal)), session)
    assert f"1 fact leaves {goal}" in back.notes[0] and "there it is lost" in back.notes[1]
    applying.apply(back)
    assert b"- the shop listens on port 9999\n" in claude.raw(f"projects/{encoded(str(folder.root))}/memory/MEMORY.md")
    undoing.undo(session)
    undoing.undo(session)
    assert (claude.tree(), folder.tree()) == before


def test_what_leaves_a_prompt_is_said(session: Session, folder: AStore, tmp_path: Path) -> None:
    folder.has("AGENTS.md", "- a\n")
    told = instructions.open_folder(Config(), str(folder.root), clock=lambda: NOW)
    row = facts(session)["the shop listens on port 9999"]
    said = promoting.plan_promote(session, [row], told, "CLAUDE.md").notes
    assert "Once there is a CLAUDE.md, Claude Code does not read AGENTS.md." in said
    other = instructions.open_folder(Config(), str(tmp_path / "other"), clock=lambda: NOW)
    assert "1 fact leaves the prompt of its own project." in promoting.plan_promote(session, [row], other).notes
    memory = AStore(tmp_path / "memory").has("MEMORY.md", "- a fact\n").session()
    said = promoting.plan_promote(memory, list(FactReader(memory).read(Scope.ALL).rows), told).notes
    assert said[:2] == (
        f"AGENTS.md is in every prompt of zerostack in {folder.root}.",
        "1 fact leaves the prompts of all other folders.",
    )


def test_what_is_an_instruction_is_in_every_prompt_already(session: Session, folder: AStore) -> None:
    told = instructions.open_folder(Config(), str(folder.root), clock=lambda: NOW)
    with pytest.raises(BadTarget, match="in every prompt already"):
        promoting.plan_promote(session, [facts(session)["tabs"]], told)
    away = "It stands in instructions where the agent does not load it."
    with pytest.raises(BadTarget, match=away):
        promoting.plan_promote(session, [facts(session)["<!-- - no -->"]], told)
    for says, words in {
        "tabs": [],
        "all": [],
        "<!-- - no -->": [("+ load", f"{away[0].lower()}{away[1:-1]}: m moves it.")],
        "some": [("+ load", f"{away[0].lower()}{away[1:-1]}: m moves it.")],
    }.items():
        seen = weighed(session, [facts(session)[says]], session.project)
        assert [(each.name, each.problem) for each in seen if each.id == "facts.top" and each.name] == words, says
        assert all(each.problem for each in seen if each.id == "facts.top"), "no key says that it asks where, which it does not"
    with pytest.raises(BadTarget, match=f"“<!-- - no -->” {away[3:-1]}: m moves it. Nothing was moved."):
        acts.refuse_unloaded(session, [facts(session)["<!-- - no -->"]])
    first = weighed(session, [facts(session)["the shop listens on port 9999"]], session.project)
    assert [each.name for each in first if not (each.effect or each.problem)] == ["+ load into instructions"]


def test_a_line_that_imports_a_file_counts_with_what_it_brings_into_the_prompt(folder: AStore, tmp_path: Path) -> None:
    AStore(tmp_path).has("out.md", "- outside\n")
    folder.has("CLAUDE.md", "- a\n\n@docs/rules.md\n\n@../out.md\n").has("docs/rules.md", "- one\n@more.md\n")
    folder.has("docs/more.md", "- two\n").has("docs/other.md", "- of nobody\n")
    folder.at("docs/link.md").symlink_to(tmp_path / "out.md")
    told = instructions.open_folder(Config(), str(folder.root), clock=lambda: NOW)
    assert set(facts(told)) == {"a", "@docs/rules.md", "@../out.md"}, "what is imported is no file of this store"
    found = acts.effect(told, acts.delete(told, [facts(told)["@docs/rules.md"]]))
    assert found.dropped == ("@docs/rules.md", "- one", "@more.md", "- two") and not found.gained
    assert found.grown == -len("@docs/rules.md\n\n") - len("- one\n@more.md\n") - len("- two\n")
    linked = acts.reword(told, facts(told)["@docs/rules.md"], "@docs/link.md")
    assert "- outside" not in acts.effect(told, linked).gained, "a link out of the folder is not followed"


def test_what_an_act_does_to_instructions_counts_as_done_to_the_prompt(session: Session) -> None:
    found = acts.effect(session, acts.delete(session, [facts(session)["tabs"]]))
    assert (found.gained, found.dropped, found.grown) == ((), ("- tabs",), -len("- tabs\n"))
    assert acts.effect(session, acts.delete(session, [facts(session)["some"]])).dropped == ()
    done = applied(session, lambda: acts.delete(session, [facts(session)["tabs"]]), session.project, lifts=False)
    assert done.message.endswith(" The prompt: 0 lines in, 1 line out, -7 bytes."), "as was said before the key"
