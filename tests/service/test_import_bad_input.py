"""Memories that are broken, hostile or changing while they are brought in: rows and sentences, never a traceback, nothing lost."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from tests.builders import AStore
from tests.builders import plan_import as planned
from zsmem_tui.core.errors import BadTarget, MemError
from zsmem_tui.service import applying, undoing
from zsmem_tui.service.import_reading import Choice
from zsmem_tui.service.plan import Fate
from zsmem_tui.service.session import Session

PLACES = {
    "claude-code": ("c/memory", ""),
    "oh-my-pi": ("o/--x--/rollout_summaries", "o/--x--"),
    "memsearch": ("m/.memsearch/memory", "m"),
    "opencode": ("p/.opencode/memory", "p"),
    "ethos": ("e/personalities/eng", "e"),
    "markdown": ("notes", ""),
    "zerostack": ("z/projects/p/notes", "z"),
}
"""For each format, where files of a memory lie, and what a person names (empty: just that)."""


@pytest.fixture
def session(tmp_path: Path) -> Session:
    made = AStore(tmp_path / "store").session()
    made.folder = str(tmp_path / "work")
    return made


@pytest.mark.parametrize("format", PLACES)
def test_what_is_no_ordinary_file_or_text_is_a_row_in_every_format(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format: str
) -> None:
    below, named = PLACES[format]
    own = AStore(tmp_path / below)
    own.has("good.md", "thread_id: good\nupdated_at: 1700000000\n\ngood\n" if format == "oh-my-pi" else "good\n")
    own.has("torn.md", b"half \xe2\x82").has("nul.md", b"a\0b\n").has("cr.md", "one\rtwo\u2028three\x1bfour\n")
    Path(os.fsdecode(os.fsencode(own.root) + b"/odd\xff.md")).write_text("odd name\n")
    os.mkfifo(own.at("pipe.md"))
    own.at("away.md").symlink_to(tmp_path / "elsewhere.md")
    own.at("dead.md").symlink_to("nothing.md")
    own.at("loop.md").symlink_to("loop.md")
    own.at("folder.md").mkdir()
    with socket.socket(socket.AF_UNIX) as server, monkeypatch.context() as patched:
        patched.chdir(own.root)  # the path of a socket is short
        server.bind("sock.md")
    plan = planned(session, format, tmp_path / (named or below), also="*good*")
    fates = {item.source.rpartition("/")[2]: item for item in plan.rows}
    assert fates["good.md"].ticked and not fates["torn.md"].ticked
    for bad in ("pipe.md", "away.md", "dead.md", "loop.md", "sock.md"):
        assert fates[bad].fate is Fate.SKIPPED and fates[bad].reason, bad
    assert applying.apply(plan).changed
    assert undoing.undo(session).done


@pytest.mark.parametrize("format", [*PLACES, "instructions"])
def test_a_path_that_is_no_folder_is_a_sentence(session: Session, tmp_path: Path, format: str) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "loop").symlink_to("loop")
    for path in (tmp_path / "pipe.md", tmp_path / "loop", "/dev/null", "x" * 5_000, "a\0b"):
        with pytest.raises(MemError, match="Nothing was"):
            found = planned(session, format, path)
            assert not any(item.ticked for item in found.rows)
            raise BadTarget("Nothing was to be taken")


NUMBER = "9" * 9_000
BOMB = "a: &a [1]\n" + "".join(f"b{n}: &b{n} [*a,*a,*a,*a,*a,*a,*a,*a,*a]\n" for n in range(9))


@pytest.mark.draw(3)
@pytest.mark.parametrize("head", [BOMB, f"limit: {NUMBER}", f"limit: 0x{NUMBER}", "a: " + "[" * 100_000, "a:\n " * 2_000])
@pytest.mark.parametrize("format", ["claude-code", "opencode"])
def test_frontmatter_that_explodes_is_no_more_than_text(session: Session, tmp_path: Path, format: str, head: str) -> None:
    below, named = PLACES[format]
    AStore(tmp_path / below).has("x.md", f"---\n{head}\n---\nbody\n")
    assert len(planned(session, format, tmp_path / (named or below)).rows) == 1


@pytest.mark.parametrize("settings", [f"x = {NUMBER}", "x = " + "[" * 100_000, "x = \udcff", "[indexing]\nexclude = 1"])
def test_settings_of_memsearch_that_cannot_be_read_say_nothing(session: Session, tmp_path: Path, settings: str) -> None:
    own = AStore(tmp_path / "p").has(".memsearch/memory/plan.md", "words\n")
    own.has(".memsearch.toml", settings.encode("utf-8", "surrogateescape"))
    assert [item.ticked for item in planned(session, "memsearch", own.root).rows] == [True]


def test_carriage_returns_in_instructions_end_no_line(session: Session, tmp_path: Path) -> None:
    own = AStore(tmp_path / "p").has("AGENTS.md", "## Facts\n\r\r\r\n- one\r\r- two\n")
    assert [item.text for item in planned(session, "instructions", own.root).rows] == ["one\r\r- two"]


def test_lines_that_are_hard_to_read_as_markdown_are_not_read_as_such(session: Session, tmp_path: Path) -> None:
    ticks = "".join("`" * number + "a" for number in range(1, 1_500))
    own = AStore(tmp_path / "p").has("AGENTS.md", f"## Facts\n\n- one\n\n{ticks}\n{'[' * 100_000}\n")
    plan = planned(session, "instructions", own.root, choice=Choice(section="Facts"))
    assert [item.text for item in plan.rows if item.ticked] == ["one"]


def test_what_the_agent_writes_while_an_import_is_applied_stays(session: Session, tmp_path: Path) -> None:
    source = (
        AStore(tmp_path / "notes")
        .has("MEMORY.md", "- theirs\n")
        .has("2026-05-23.md", "\n### 09:00 — t\nwords\n")
        .has("n.md", "n\n")
    )
    store = AStore(Path(session.root)).has("MEMORY.md", "- mine\n")
    plan = planned(session, "markdown", source.root)
    store.has("MEMORY.md", "- mine\n- the agent's\n").has("~/daily/2026-05-23.md", "\n### 08:00 — a\nits words\n")
    assert applying.apply(plan).changed == 3
    assert store.raw("MEMORY.md") == b"- mine\n- the agent's\n- theirs\n"
    day = store.raw("~/daily/2026-05-23.md").decode()
    assert "its words" in day and day.endswith("### 09:00 — t\nwords\n")
    assert undoing.undo(session).done and store.raw("MEMORY.md") == b"- mine\n- the agent's\n"
