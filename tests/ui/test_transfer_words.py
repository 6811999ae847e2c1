"""What the screen of import and export says of its rows: why, where, what is lost, what it costs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import AStore
from tests.ui.several import Machine
from zsmem_tui.core.refs import MemRef
from zsmem_tui.service import formats
from zsmem_tui.service.import_detection import MemorySource
from zsmem_tui.service.plan import Fate, Plan, Policy, Row
from zsmem_tui.service.session import Session
from zsmem_tui.service.transferring import Goal
from zsmem_tui.ui.plans import Pulse
from zsmem_tui.ui.transfer.rows import (
    BACK,
    IN,
    OUT,
    bring_in,
    detected,
    item_row,
    item_title,
    losses,
    row_words,
    source_row,
    sources,
    take_to,
)

SESSION = Session("/", "p")


def planned(fate: Fate, reason: str = "", *, ticked: bool = False, text: str = "a fact") -> Row:
    return Row("x.md:3", "/memory/MEMORY.md", fate, reason, text, ticked=ticked, ref=MemRef("MEMORY.md"), group="user:ann")


@pytest.mark.parametrize(
    ("item", "said"),
    [
        (planned(Fate.ADD, ticked=True), "It goes into MEMORY.md."),
        (planned(Fate.LEFT, "it looks like a key"), "It is not taken: it looks like a key. space takes it into MEMORY.md."),
        (planned(Fate.DUPLICATE, "it is there already"), "It is not written again: MEMORY.md has it already."),
        (planned(Fate.SKIPPED, "an index"), "It is not taken: an index."),
        (
            planned(Fate.CONFLICT, "there is another note of that name: merge", ticked=True),
            "It goes into MEMORY.md: there is another note of that name; both are merged. I says what becomes of such.",
        ),
    ],
)
def test_the_fate_of_an_item_is_a_full_sentence(item: Row, said: str) -> None:
    assert row_words(item, IN, "", Policy.MERGE) == [said, "“a fact”", "From x.md:3, of user ann."]


def test_the_plan_of_an_import_names_where_it_goes(tmp_path: Path) -> None:
    for homes, words in (
        (["p"], "1 of 1 item into p ·"),
        (["p", "q"], "2 of 2 items into 2 projects ·"),
        ([], "0 of 0 items into p ·"),
    ):
        refs = [MemRef(f"projects/{home}/notes/n.md", project=home) for home in homes]
        job = bring_in(Session(str(tmp_path), "p"), "claude-code", "")
        job.plan = Plan("Imported", "Imported.", rows=tuple(planned(Fate.ADD, ticked=True)._replace(ref=ref) for ref in refs))
        assert job.head.startswith(words)


def test_an_export_that_costs_no_prompt_says_nothing_of_bytes(tmp_path: Path) -> None:
    for growth, words in (
        (12, "0 of 0 items of p · +12 bytes on every turn · no file would change"),
        (0, "0 of 0 items of p · no file would change"),
    ):
        job = take_to(Session(str(tmp_path), "p"), Goal(formats.of_agent("gemini"), str(tmp_path / "out")))
        job.plan = Plan("Exported", "Exported.", grows={"p": growth})
        assert job.head == words


def test_a_row_to_look_at_has_a_sign() -> None:
    item = planned(Fate.ADD, ticked=True)._replace(looks=True, text="- one\n  - two [bold]\n")
    assert "".join(text for text, _ in item_row(item, IN, SESSION).pieces).endswith("+ ! one")
    assert row_words(item, IN, "", Policy.MERGE)[1] == "“- one - two [bold]”"


def test_of_what_goes_out_the_losses_and_the_cost_are_said_too() -> None:
    item = Row("MEMORY.md:1", "/there/USER.md", Fate.ADD, "", "a fact", ("Headings stay behind.",), (), 1)
    assert row_words(item, OUT, "Ethos", Policy.SKIP) == [
        "It goes into /there/USER.md. Headings stay behind.",
        "“a fact”",
        "Ethos has 1 byte more before it on every turn.",
        "From MEMORY.md:1.",
    ]
    left = item._replace(fate=Fate.LEFT, reason="you left it out", ticked=False)
    assert row_words(left, OUT, "Ethos", Policy.SKIP)[0].startswith("It does not go out: you left it out.")
    gone = item._replace(fate=Fate.TAKEN)
    assert row_words(gone, BACK, "", Policy.SKIP)[0].startswith("It is taken out of /there/USER.md.")
    drawn = item_row(gone, BACK, SESSION)
    assert ("".join(text for text, _ in drawn.pieces), drawn.facts) == ("[x] - a fact", "take out of USER.md")


def test_only_what_an_export_loses_is_told_as_lost(tmp_path: Path) -> None:
    """Of a memory without tasks and logs it is not said what would become of them."""
    job = take_to(Machine(tmp_path).sessions()[1], Goal(formats.of_agent("claude-code"), str(tmp_path / "copy/.claude")))
    job.take(job.make(Pulse()))
    said = " ".join((job.notes, *(words for number in range(len(job.items)) for words in job.words(number))))
    assert job.plan.files and "task" not in said and "log" not in said and "Lost on" not in said
    assert losses("") == "", "whether a line is lost, the plan says, which has looked"


@pytest.mark.parametrize("name", [each.name for each in formats.every() if not each.one_file])
def test_losses_are_a_full_sentence(name: str) -> None:
    format = formats.of_agent(name)
    for said in (losses(format.lost_in(())), losses(format.out_losses)):
        assert "In:" not in said and "Out:" not in said and said[-1:] in ("", ".")


def test_text_of_files_is_data_in_rows_and_sentences() -> None:
    item = Row("a\x1b[31m.md", "", Fate.SKIPPED, "no\x1b[0m", "---\n[bold]x\x1b[2J\n")
    shown = "".join(text for text, _ in item_row(item, OUT, SESSION).pieces) + "".join(row_words(item, OUT, "X", Policy.SKIP))
    assert "\x1b" not in shown and "[bold]x" in shown


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("- Use uv, not pip\n", "add » MEMORY.md"),
        ("- Use uv, not pip\n- Answer briefly\n", "2 facts · add » MEMORY.md"),
        ("---\na: b\n---\n\n# Deploy\n\nBy hand,\nat night.\n", "add » MEMORY.md"),
        ("- a fact of some words\n" * 400, "400 facts · add » MEMORY.md"),
        ("- a fact of some words\n" * 20_000, "at least 10,870 facts · add » MEMORY.md"),
    ],
)
def test_an_item_of_several_facts_says_so(text: str, said: str) -> None:
    row = Row("m.md:1", "/there/MEMORY.md", Fate.ADD, text=text)
    assert item_row(row, OUT, SESSION).facts == said


def test_one_item_is_one_item() -> None:
    source = detected(MemorySource("claude-code", "/there", 1, 1))
    assert source_row(source).facts == "1 of 1 item" and "has 1 item;" in source.about
    alone = sources((), ["Claude Code"], (), ["claude-code"])
    assert ["".join(text for text, _ in source_row(each).pieces) for each in (*alone[False], *alone[True])] == [
        "Import from Claude Code · a backup, or any folder that you name",
        "Import from Markdown · a folder that you name",
        "Import from bundle · one .tar.gz file, made by an export",
        "Import from another agent · 8 more, not found on this machine",
        "Export to   Claude Code · a copy in a folder that you name",
        "Export to   Markdown · this project",
        "Export to   bundle · this whole memory in one .tar.gz file",
        "Export to   another agent · 8 more, not found on this machine",
    ], "somebody with one agent is told what each row is for"
    ways = sources([MemorySource("opencode", "/home/.config/opencode", 1, 1, is_whole=True)], (), ())
    assert [text for text, _ in source_row(ways[False][0]).pieces] == ["Import from ", "opencode", " · every project"]
    assert [text for text, _ in source_row(source).pieces][2] == " · this folder"
    assert ways[False][-1].about.startswith("Not found on this machine: Claude Code, "), (
        "of which there may be memory, such as this one"
    )


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ncreated: '2026-08-03T09:41:00.000Z'\ntitle: clock\n---\n\n# Clock change\n\ntext\n", "x.md · Clock change"),
        ("\n## 09:31 UTC\n\nwords\n", "x.md · 09:31 UTC"),
        ("#12 is open\n", "x.md · #12 is open"),
        ("---\nname: release\n---\n", "x.md · name: release"),
        ("---\nnot closed\n", "x.md · not closed"),
        ("- a fact\n- another\n", "x.md · a fact"),
    ],
)
def test_a_row_is_called_after_its_file_and_what_its_text_says_but_not_after_its_frontmatter(text: str, title: str) -> None:
    assert item_title(Row("daily/x.md", "/there/x.md", Fate.ADD, "", text)) == title


def test_a_row_for_one_line_of_a_file_is_called_after_what_it_says() -> None:
    assert item_title(Row("MEMORY.md:3", "/there/MEMORY.md", Fate.ADD, "", "- a fact\n")) == "a fact"


def test_a_row_made_of_several_files_names_them() -> None:
    several = Row("~/USER.md", "/there/MEMORY.md", Fate.ADD, "", "- a\n- b\n", also=("~/MEMORY.md", "~/USER.md"))
    assert item_title(several) == "USER.md, MEMORY.md · a"
    assert item_title(several._replace(also=("x/1.md", "x/2.md", "x/3.md", "x/4.md"))) == "USER.md, 1.md, 2.md and 2 more · a"
    assert item_title(several._replace(source="USER.md:1", text="- a\n", also=("MEMORY.md",))) == "USER.md:1, MEMORY.md · a"


@pytest.mark.parametrize("is_out", [False, True])
def test_every_file_that_a_plan_changes_has_its_changes_shown(tmp_path: Path, is_out: bool) -> None:
    """Also what follows from the items, such as the lines of an index."""
    machine = Machine(tmp_path)
    own, claude = machine.sessions()
    notes = AStore(tmp_path / "notes").has("zoo.md", "# Zoo\n\nopen late\n").has("tea.md", "Ann likes tea.\n").root
    goal = Goal(formats.of_agent("claude-code"), str(machine.claude.root))
    job = take_to(own, goal) if is_out else bring_in(claude, "markdown", str(notes))
    job.take(job.make(Pulse()))
    shown = {job.sides(number)[1:] for number in range(len(job.items))}
    assert shown >= {(edit.before, edit.after) for edit in job.plan.changes}
    assert "MEMORY.md" in "".join(text for text, _ in job.draw(len(job.items) - 1).pieces) and job.plan.files > 1


def test_no_row_and_no_sentence_of_a_plan_shows_a_credential_whole() -> None:
    key = "ghp_" + "Zk3Qw9Lm2Vt7Xr5Bn8Hj4Pd6Sf1Gc0Ya3Ue"
    text = f"{'word ' * 75}- deploy with {key} until May\n"
    for own in (f"deploy with {key}\n\nmore", text, f"{'x' * 780} {key}"):
        item = planned(Fate.ADD, ticked=True, text=own)
        out = Row("a.md", "/x/b.md", Fate.ADD, "", own)
        words = [*row_words(item, IN, "", Policy.SKIP), *row_words(out, OUT, "Markdown", Policy.SKIP)]
        shown = [*(piece for piece, _ in item_row(out, OUT, SESSION).pieces), *words]
        assert key[:12] not in "".join(shown)


@pytest.mark.parametrize("below", ["", "/.claude"])
def test_a_file_that_an_export_makes_is_of_the_agent_that_it_goes_to(tmp_path: Path, below: str) -> None:
    """Also where the named folder is only a memory, not the agent's own place."""
    job = take_to(Machine(tmp_path).sessions()[0], Goal(formats.of_agent("claude-code"), f"{tmp_path}/away{below}", "project:-x"))
    job.take(job.make(Pulse()))
    made = [job.draw(number).facts for number, item in enumerate(job.items) if not isinstance(item, Row)]
    assert made == ["Claude Code: is new"]
