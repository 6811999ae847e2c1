"""What an agent writes through the server or a hook is somebody else's change, and carries its name."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.builders import AStore
from zsmem_tui import flush_compaction_summary
from zsmem_tui.cli.commands.history import as_json
from zsmem_tui.core.version import AGENT_NAME_CHARS, UNNAMED_AGENT, Author, AuthorKind, agent_author
from zsmem_tui.service import history, reviewing, undoing
from zsmem_tui.service.facts.provenance import Provenance
from zsmem_tui.service.facts.rows import FactReader, Scope
from zsmem_tui.service.session import Session
from zsmem_tui.ui import wording as format

FACTS = "".join(f"- fact {number}\n" for number in range(8))


@pytest.fixture
def store(tmp_path: Path) -> AStore:
    made = AStore(tmp_path / "memory").has("MEMORY.md", FACTS)
    made.looked_at()
    return made


def of_agent(store: AStore, name: str = "codex") -> Session:
    session = store.session()
    session.writer = agent_author(name)
    return session


def test_history_review_and_facts_say_who(store: AStore) -> None:
    of_agent(store).mem().write("long_term", "- from the agent\n")
    flush_compaction_summary(of_agent(store).mem(), "what was done")
    session = store.session()
    newest = history.latest(session, 2)
    assert [(str(each.author), each.origin.value) for each in newest] == [("codex", "other")] * 2
    assert [(as_json(each)["origin"], as_json(each)["who"]) for each in newest] == [("other", "codex")] * 2
    change = next(each for each in reviewing.pending(session) if each.ref.path == "MEMORY.md")
    assert (change.added, [str(each.author) for each in change.versions]) == (1, ["codex"])
    rows = FactReader(session).read(Scope.PROJECT).rows
    marked = {row.fact.says: (row.author, row.is_new) for row in Provenance(session).fill(rows)}
    assert marked["from the agent"] == ("codex", True)


def test_undo_takes_back_the_persons_last_step_and_leaves_the_agents_alone(store: AStore) -> None:
    person = store.session()
    person.mem().write("long_term", "- mine\n")
    of_agent(store).mem().write("long_term", "- from the agent\n")
    assert [each.author for each in history.latest(person, 2)] == [agent_author("codex"), Author(AuthorKind.YOU)]
    undoing.undo(person)
    assert store.raw("MEMORY.md").decode() == FACTS + "- from the agent\n"
    assert person.history.step() is None, "the agent's write is no step of the person's"


def test_an_agents_overwrite_is_a_wipe_and_can_be_restored(store: AStore) -> None:
    of_agent(store).mem().write("long_term", "- all else gone\n", "overwrite")
    session = store.session()
    session.history.drain()
    (wipe,) = reviewing.wipes(session)
    assert (wipe.ref.path, wipe.agents) == ("MEMORY.md", ("codex",))
    assert format.banner([wipe], session, "", "").startswith("! MEMORY.md lost 8 lines to codex · W brings them back")
    assert str(history.latest(session, 1)[0].author) == "codex"
    reviewing.restore_wiped(session, [wipe])
    assert FACTS in store.raw("MEMORY.md").decode()


@pytest.mark.parametrize("typed", [False, True])
@pytest.mark.parametrize("name", ["n", "a-note-about-the-mail-worker-and-its-retries", "n" * 200])
@pytest.mark.parametrize("gone", [None, ""])
def test_the_warning_of_a_wipe_takes_one_row_of_a_small_terminal(store: AStore, name: str, gone: str | None, typed: bool) -> None:
    """With both keys, whatever the names; what the second one leads to is told where there is room."""
    session = store.session()
    session.names = {session.project: "a project with a rather long name of its own"}
    wipe = reviewing.Wipe(session.ref_at(f"projects/{session.project}/notes/{name}.md"), "0", 1234, ("Claude Code",), gone)
    for wipes, went in (([wipe], ""), ([wipe] * 12, ""), ([wipe], "/home/ann/" + name)):
        said = format.banner(wipes, session, "", went, typed)
        assert len(said) <= format.ROW_CELLS and said.startswith("! ")
        assert said.endswith("follow") if went else format.pressed("W", typed) in said
        assert went or ("5 shows" in said) == (gone is None)


def test_a_batch_of_an_agents_is_its_own_too(store: AStore) -> None:
    with of_agent(store).batch("Several files") as batch:
        batch.update("MEMORY.md", lambda _: b"- one\n")
    assert str(history.latest(store.session(), 1)[0].author) == "codex"


def test_what_an_agent_wrote_before_the_person_first_looked_waits_for_review_too(tmp_path: Path) -> None:
    store = AStore(tmp_path / "fresh").has("MEMORY.md", FACTS).has("~/notes/n.md", "there before\n")
    for text in ("- one\n", "- two\n"):
        of_agent(store).mem().write("long_term", text)
    of_agent(store).mem().write("daily", "new\n")
    of_agent(store).mem().write("scratchpad", "- [ ] x\n")
    store.session().mem().write("scratchpad", "- [ ] mine, below what I did not see\n")
    store.session().mem().write("daily", "gone again\n")
    undoing.undo(store.session())
    store.looked_at()
    waiting = {each.ref.path: (each.reviewed, each.added) for each in reviewing.pending(store.session())}
    log, pad = (f"projects/{store.project}/{name}" for name in ("daily/2026-05-25.md", "SCRATCHPAD.md"))
    assert waiting == {"MEMORY.md": (FACTS.encode(), 2), log: (None, 1), pad: (b"- [ ] mine, below what I did not see\n", 1)}


def test_a_review_names_all_whose_lines_wait_also_who_made_the_file(tmp_path: Path) -> None:
    store = AStore(tmp_path / "fresh")
    of_agent(store, "codex").mem().write("long_term", "- of codex\n")
    store.looked_at().mem().write("long_term", "- mine\n")
    of_agent(store, "gemini").mem().write("long_term", "- of gemini\n")
    (waiting,) = reviewing.pending(store.session())
    assert [str(each.author) for each in waiting.versions] == ["gemini", "codex"]


def test_what_changed_in_a_known_file_before_the_person_first_looked_was_not_there_before_zsmem(tmp_path: Path) -> None:
    store = AStore(tmp_path / "fresh").has("~/notes/n.md", "there before\n")
    store.session().mem().write("long_term", "- mine\n")
    store.session().mem().write("scratchpad", "- [ ] mine\n")
    store.has("MEMORY.md", "- mine\n- theirs\n")
    store.at("~/SCRATCHPAD.md").unlink()
    store.looked_at()
    waiting = {each.ref.path: (each.added, each.removed) for each in reviewing.pending(store.session())}
    assert waiting == {"MEMORY.md": (1, 0), f"projects/{store.project}/SCRATCHPAD.md": (0, 1)}
    kinds = {each.path: each.author.kind for each in reversed(history.latest(store.session(), 9))}
    assert kinds == dict.fromkeys(waiting, AuthorKind.UNNAMED) | {f"projects/{store.project}/notes/n.md": AuthorKind.BEFORE}


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("claude-code", "claude-code"),
        ("", UNNAMED_AGENT),
        (" \n\t ", UNNAMED_AGENT),
        ("a\nWho: you\nOrigin: you", "a Who: you Origin: you"),
        ("\x1b[31mred\x1b[0m", "[31mred [0m"),
        ("x" * 500, "x" * AGENT_NAME_CHARS),
        ("日本 agent\u202e", "日本 agent"),
        ("half\ud800", "half"),
        ("You", "You (agent)"),
        ("you,\tundo", "you, undo (agent)"),
        ("before zsmem", "before zsmem (agent)"),
    ],
)
def test_an_agents_name_is_one_line_that_can_be_shown(said: str, kept: str) -> None:
    assert agent_author(said) == Author(AuthorKind.AGENT, kept)


def test_the_history_stays_a_repository_whatever_an_agent_calls_itself(store: AStore) -> None:
    of_agent(store, "Kim <kim@example.org>\n> \0").mem().write("long_term", "- new\n")
    session = store.session()
    assert str(history.latest(session, 1)[0].author) == "Kim <kim@example.org> >"
    home = Path(session.history.home, "git")
    checked = subprocess.run(["git", "-C", str(home), "fsck", "--strict"], capture_output=True, text=True, check=False)
    assert (checked.returncode, "error" in checked.stderr) == (0, False), checked.stderr
    assert json.dumps(as_json(history.latest(session, 1)[0]))
