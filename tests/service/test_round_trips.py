"""Our memory out into every format and in again: what the format can hold is there, and a second run changes nothing."""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.builders import SAMPLES, AStore
from zsmem_tui.agents.oh_my_pi.lessons import LONGEST_LESSON, normal
from zsmem_tui.config.model import Config
from zsmem_tui.core.memory_block import facts_between
from zsmem_tui.core.refs import Role
from zsmem_tui.service import applying, exporting, formats, importing, stores
from zsmem_tui.service.plan import Fate, Plan
from zsmem_tui.service.session import Session

FORMATS = ("claude-code", "oh-my-pi", "memsearch", "opencode", "ethos", "instructions", "zerostack", "markdown")
GROUPS = {"ethos": "personality:eng"}
WITH_DAYS = ("memsearch", "opencode", "ethos", "zerostack", "markdown")
WHOLE_NOTES = ("claude-code", "memsearch", "opencode", "zerostack", "markdown")
QUICK = settings(max_examples=30, deadline=None)

LINE = st.text("abcdefgh éß日`<>.,0123", min_size=1, max_size=24).map(lambda text: f"w{' '.join(text.split())}")
SNIPPET = st.one_of(LINE, st.sampled_from(["# Head", "### sub", "```\ncode - [ ] x\n```", "- item", "", "| a | b |", "  deeper"]))
NOTE = st.lists(SNIPPET, max_size=5).map(lambda lines: "\n".join(["first words", *lines, "last words", ""]))
STEM = st.sampled_from(["plan", "v-2", "über", "a b", "日本", "Zed", "deploy_notes", "user_x"])
DAY = st.sampled_from(["2026-05-23", "2026-05-24", "2026-02-30"])
ENTRY = st.tuples(st.sampled_from(["09:00", "09:00", "23:59"]), LINE, LINE).map(lambda e: f"\n### {e[0]} — {e[1]}\n{e[2]}\n")
TASK = st.tuples(st.sampled_from(["- [ ] ", "- [x] "]), LINE).map("".join)
STORE = st.fixed_dictionaries(
    {
        "facts": st.lists(LINE, max_size=5, unique_by=str.casefold),
        "tasks": st.lists(TASK, max_size=3, unique=True),
        "notes": st.dictionaries(STEM, NOTE, max_size=3),
        "logs": st.dictionaries(DAY, st.lists(ENTRY, min_size=1, max_size=2, unique=True).map("".join), max_size=2),
    }
)


class Trip:
    """A store of ours, the place it goes to, and a way to write what a plan says without waiting for a disk."""

    def __init__(self, folder: Path, format: str, about: dict[str, object]) -> None:
        self.format = format
        self.store = AStore(folder / "ours")
        notes, logs, facts, tasks = (about[key] for key in ("notes", "logs", "facts", "tasks"))
        assert isinstance(notes, dict) and isinstance(logs, dict) and isinstance(facts, list) and isinstance(tasks, list)
        self.facts: list[str] = facts
        for stem, text in notes.items():
            self.store.has(f"~/notes/{stem}.md", text)
        for day, text in logs.items():
            self.store.has(f"~/daily/{day}.md", text)
        if facts:
            self.store.has("MEMORY.md", "".join(f"- {fact}\n" for fact in facts))
        if tasks:
            self.store.has("~/SCRATCHPAD.md", "".join(f"{task}\n" for task in tasks))
        self.project = folder / "project"
        self.project.mkdir()
        self.session = self.store.session()
        self.session.folder = str(self.project)
        self.path = str(folder / "out") if format in ("zerostack", "markdown") else ""
        self.fresh = AStore(folder / "fresh")

    def plan(self) -> Plan:
        return exporting.plan(self.session, formats.of_agent(self.format), self.path, group=GROUPS.get(self.format, ""))

    def write(self, plan: Plan) -> None:
        for change in plan.changes:
            place = Path(change.place)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(change.after or b"")

    def back(self, also: str = "") -> dict[str, str]:
        """What a store that is empty gets when it is all brought in."""
        session = self.fresh.session()
        session.folder = str(self.project)
        found = importing.plan(session, formats.of_agent(self.format), self.path, also=also)
        return {edit.ref.path: (edit.after or b"").decode() for edit in found.changes}


@contextmanager
def on_the_way(monkeypatch: pytest.MonkeyPatch, format: str, about: dict[str, object]) -> Iterator[Trip]:
    with tempfile.TemporaryDirectory() as folder, monkeypatch.context() as patched:
        (Path(folder) / "home").mkdir()
        patched.setenv("HOME", str(Path(folder) / "home"))
        yield Trip(Path(folder), format, about)


def taken(plan: Plan) -> set[str]:
    return {item.source for item in plan.rows if item.fate is Fate.ADD}


@pytest.mark.parametrize("format", FORMATS)
@given(about=STORE)
@QUICK
def test_what_a_format_can_hold_survives_the_way_out_and_in(
    monkeypatch: pytest.MonkeyPatch, format: str, about: dict[str, object]
) -> None:
    with on_the_way(monkeypatch, format, about) as trip:
        plan = trip.plan()
        trip.write(plan)
        again = trip.plan()
        assert again.changes == () and {item.fate for item in again.rows} <= {Fate.DUPLICATE, Fate.SKIPPED}
        went = taken(plan)
        assert all(item.reason or item.fate is Fate.ADD for item in plan.rows)
        if format == "instructions":
            there = Path(trip.project, "AGENTS.md")
            promoted = [fact.says for fact in facts_between(there.read_text())] if there.exists() else []
            assert promoted == [" ".join(fact.split()) for fact in trip.facts]
            assert not there.exists() or trip.back(also="*").get("MEMORY.md", "").splitlines() == [
                f"- {fact}" for fact in trip.facts
            ]
            return
        if not went:
            return
        came = trip.back().values()
        texts, back = {text.strip() for text in came}, "\n".join(came)
        for fact in trip.facts:
            assert (normal(fact, LONGEST_LESSON) if format == "oh-my-pi" else fact) in back
        for path, raw in trip.store.tree().items():
            text = raw.decode()
            if "/notes/" in path and path in went:
                lines = ["first words"] if format == "oh-my-pi" else [line for line in text.split("\n") if line.strip()]
                if format == "ethos":  # a note whose name Ethos does not take is a section, and its own headings begin others
                    lines = [line for line in lines if not line.startswith("### ")]
                assert all(line in back for line in lines), (path, back)
                assert format not in WHOLE_NOTES or text.strip() in texts
            if "/daily/" in path and format in WITH_DAYS and "02-30" not in path:
                wanted = [line for line in text.split("\n") if line and not line.startswith("###")]
                assert all(line in back for line in wanted), (path, back)
            if path.endswith("SCRATCHPAD.md"):
                still = [line[6:] for line in text.split("\n") if line.startswith("- [ ] ")]
                assert all((normal(line, LONGEST_LESSON) if format == "oh-my-pi" else line) in back for line in still)


def test_facts_with_headings_are_facts_again_after_opencode(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "# Memory\n\n- one\n\n## Ports\n\n- redis on 6380\n  and in tests on 6381\n\n| a | b |\n|---|---|\n"
    with on_the_way(monkeypatch, "opencode", {"notes": {}, "logs": {}, "facts": [], "tasks": []}) as trip:
        trip.store.has("MEMORY.md", text)
        trip.write(trip.plan())
        assert {path: came.split() for path, came in trip.back().items()} == {"MEMORY.md": text.split()}


CODE = "```kotlin\nclass Users {\n    fun all(): List\n}\n\nclass Found\n\n"
OPEN = f"# Users\n\n- one fact here\n\n{CODE}## Next part\n\n- another fact here\n"
TABLE = "- one fact here\n\n| name | port |\n|---|---|\n| api server | 9000 |\n| web server | 8000 |\n"
NESTED = "- the top item\n  - child of it\n    - grandchild of that\n  more of the top\n- next item\n\n  its paragraph\n"
HEADED = "---\nname: x y\ndescription: what it is\n---\n# Head\n\n- a fact below it\n"
NEW = "- the zebra of the agent sleeps at noon"
TEXTS = [OPEN, OPEN.replace("\n", "\r\n"), TABLE, NESTED, HEADED, "- short\n", f"```\n{TABLE}```\n", f"- fact\n\n```\n{NESTED}"]
TEXTS += [path.read_text() for path in sorted(SAMPLES.rglob("*.md"))]
BLOCKS = (OPEN, TABLE, NESTED, HEADED, "```sh\nmake check all\n", "~~~\ncode of it\n~~~\n", "Some prose.\n", "\n")


@pytest.mark.parametrize("place", ["MEMORY.md", "~/notes/deploy.md", "~/daily/2026-05-24.md", "~/SCRATCHPAD.md"])
@pytest.mark.parametrize("format", ["zerostack", "markdown"])
@given(text=st.sampled_from(TEXTS) | st.lists(st.sampled_from(BLOCKS), min_size=1, max_size=4).map("".join), share=st.floats(0, 1))
@settings(max_examples=25, deadline=None)
@example(text=OPEN, share=1)
@example(text=TABLE, share=0.9)
@example(text="- short\n", share=0)
def test_a_round_trip_adds_nothing_and_with_one_more_line_that_line(
    monkeypatch: pytest.MonkeyPatch, format: str, place: str, text: str, share: float
) -> None:
    with on_the_way(monkeypatch, format, {"notes": {}, "logs": {}, "facts": [], "tasks": []}) as trip:
        trip.store.has(place, text)
        out = trip.plan()
        trip.write(out)
        agent = formats.of_agent(format)
        if not out.changes:
            return
        assert not importing.plan(trip.session, agent, trip.path).changes
        for change in out.changes:
            lines = (change.after or b"").decode().split("\n")
            lines.insert(round(share * (len(lines) - 1)), NEW)
            Path(change.place).write_text("\n".join(lines), newline="")
        came = importing.plan(trip.session, agent, trip.path)
        assert all(row.ticked for row in came.rows if row.fate is Fate.ADD)
        [edit] = came.changes
        there = Counter(line.strip() for line in text.split("\n") if line.strip())
        after = Counter(line.strip() for line in (edit.after or b"").decode().split("\n") if line.strip())
        more = {line: count for line, count in (after - there).items() if not line.startswith("#")}
        assert more == {NEW: 1} and not there - after, "a line above the heading of an entry is an entry of its own"


@pytest.mark.parametrize("share", [0.2, 0.5, 1])
@pytest.mark.parametrize("format", ["claude-code", "qwen-code", "memsearch", "ethos", "oh-my-pi", "opencode"])
def test_one_line_more_in_what_went_out_in_another_form_comes_alone(tmp_path: Path, format: str, share: float) -> None:
    """To the file that it went out from if the lines around it are there, else as a text of its own."""
    before = {
        "MEMORY.md": "# Memory\n\n- redis uses port 9999\n- ann likes tabs\n- the third fact is here\n",
        "~/notes/deploy.md": f"# Deploy\n\nfirst words of it\n\n- a first item\n\n{CODE}```\n",
        "~/SCRATCHPAD.md": "- [ ] one thing to do\n- [ ] other thing to do\n",
    }
    log = "### 10:00 — one\nfirst line of it\nsecond line of it\n"
    store = AStore(tmp_path / "ours")
    for path, text in {**before, "~/daily/2026-08-04.md": log}.items():
        store.has(path, text)
    session = store.session()
    session.folder = str(AStore(tmp_path / "project").root)
    agent = formats.of_agent(format)
    out = exporting.plan(session, agent, group=GROUPS.get(format, ""))
    remembered(session, out)
    came = dict[str, list[str]]()
    for place in (Path(each.place) for each in out.changes if format == "ethos" or each.ref.role is not Role.INDEX):
        text = place.read_text()
        lines = text.split("\n")
        first = lines.index("---", 1) + 2 if text.startswith("---") else 1
        lines.insert(first + round(share * (len(lines) - 1 - first)), NEW)
        place.write_text("\n".join(lines))
        for edit in importing.plan(session, agent).changes:
            came.setdefault(edit.ref.path, []).extend(
                line for line in (edit.after or b"").decode().split("\n") if line not in (edit.before or b"").decode().split("\n")
            )
        place.write_text(text)
    task = NEW.replace("- ", "- [ ] ")
    alone = {path: [line for line in more if not line.startswith(("### ", "Tags: "))] for path, more in came.items()}
    assert alone and all({*more} <= {NEW, task} for more in alone.values())
    if format not in ("oh-my-pi", "opencode"):
        there = {store.at(path).relative_to(store.root).as_posix(): [task if "PAD" in path else NEW] for path in before}
        assert {path: more for path, more in came.items() if "daily" not in path} == there


def remembered(session: Session, plan: Plan) -> None:
    assert applying.apply(plan).changed


@pytest.mark.parametrize(
    ("kind", "path"),
    [
        ("claude-code", "projects/{slug}/memory/project_deploy.md"),
        ("qwen-code", "projects/{slug}/memory/project_deploy.md"),
        ("ethos", "personalities/eng/deploy.md"),
        ("markdown", "deploy.md"),
    ],
)
def test_notes_of_an_agent_without_days_come_back_from_the_journal_as_notes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, path: str
) -> None:
    folder, text = AStore(tmp_path / "project").root, "# Deploy\n\nfirst words of it\n"
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    path = path.format(slug=re.sub("[^A-Za-z0-9]", "-", str(folder)))
    opened = []
    for name in ("old", "new"):
        root = AStore(tmp_path / name).has(path, text).root
        opened.append(stores.open_store(Config(), f"{kind}:{root}", group=GROUPS.get(kind, ""), cwd=str(folder)))
    Path(opened[1].root, path).unlink()
    remembered(opened[0], exporting.plan(opened[0], formats.of_agent("opencode")))
    [entry] = (tmp_path / "home/.config/opencode/journal").iterdir()
    came = importing.plan(opened[1], formats.of_agent("opencode"))
    assert [(row.fate, row.ref.role) for row in came.rows] == [(Fate.ADD, Role.NOTE)]
    assert came.rows[0].ref.path.endswith(path.rpartition("/")[2].removeprefix("project_"))
    assert came.edits[0].after and came.edits[0].after.decode().endswith(text)
    entry.write_text(entry.read_text().replace("title:", "session_id: s\ntitle:"))
    told = importing.plan(opened[1], formats.of_agent("opencode")).rows[0]
    assert told.fate is Fate.SKIPPED or told.ref.role is Role.LOG, "what the agent wrote is an entry of its day"


@pytest.mark.parametrize("format", [*FORMATS, "qwen-code"])
def test_what_went_out_is_not_taken_in_again_unless_somebody_wrote_into_it(tmp_path: Path, format: str) -> None:
    store = AStore(tmp_path / "ours").has("MEMORY.md", "# Memory\n\n- redis uses port 9999\n- ann likes tabs\n  and long lines\n")
    store.has("~/notes/deploy.md", "# Deploy\n\nfirst words\n\n- a\n").has("~/SCRATCHPAD.md", "- [ ] one\n- [x] two\n")
    store.has("~/daily/2026-05-24.md", "### 09:00 — done\nsome words\n\n### 10:00 — more\nothers\n")
    session = store.session()
    session.folder = str(AStore(tmp_path / "project").root)
    agent, path = formats.of_agent(format), str(tmp_path / "out") if format in ("zerostack", "markdown") else ""
    out = exporting.plan(session, agent, path, group=GROUPS.get(format, ""))
    remembered(session, out)
    again = importing.plan(session, agent, path)
    assert not again.changes and {row.fate for row in again.rows} <= {Fate.DUPLICATE, Fate.RETURNED, Fate.SKIPPED}
    if (mine := next((row for row in again.rows if row.fate is Fate.RETURNED), None)) is None:
        return
    assert mine.reason == "it went out from here, and stands there unchanged"
    assert importing.plan(session, agent, path, ticks={mine.key: True}).changes, "all the same where it is asked for"
    for place in {Path(each.place) for each in out.changes}:
        if place.name not in ("MEMORY.md", "AGENTS.md"):
            place.write_text(f"{place.read_text()}- of the agent\n")
    came = "".join((each.after or b"").decode() for each in importing.plan(session, agent, path).changes)
    assert "of the agent" in came


@pytest.mark.parametrize("format", ["markdown", "zerostack", "claude-code"])
def test_what_went_out_from_one_project_is_taken_into_another_where_it_does_not_stand(tmp_path: Path, format: str) -> None:
    store = AStore(tmp_path / "ours").has("MEMORY.md", "# Memory\n\n- redis uses port 9999\n- ann likes tabs\n")
    store.has("~/notes/deploy.md", "# Deploy\n\nfirst words of it\n\n- a\n").has("~/SCRATCHPAD.md", "- [ ] one thing\n")
    session = store.session()
    session.folder = str(AStore(tmp_path / "project").root)
    agent, path = formats.of_agent(format), str(tmp_path / "out") if format != "claude-code" else ""
    remembered(session, exporting.plan(session, agent, path))
    store.has("projects/other-00000001/notes/own.md", "# Own\n\nother words\n")
    into = importing.plan(session, agent, path, into="other-00000001")
    assert {edit.ref.project for edit in into.changes} == {"other-00000001"}, "MEMORY.md is read in the other project, too"
    assert "first words of it" in "".join((edit.after or b"").decode() for edit in into.changes)
    other = AStore(store.root, "other-00000001").session()
    other.folder = session.folder
    assert {edit.ref.path: edit.after for edit in importing.plan(other, agent, path, into=other.project).changes} == {
        edit.ref.path: edit.after for edit in into.changes
    }
    assert ("went out from here" if format == "claude-code" else "3 items stand there already.") in into.rest


TOPIC = """---
name: {name}
description: "About {name}: x"
metadata:{blank}
  node_type: memory
  type: {kind}
  originSessionId: 0b8a5d3e-0000-4000-8000-000000000000
  modified: 2026-05-01T10:00:00.000Z
---

{body}
"""


def test_an_agents_memory_goes_back_byte_for_byte_and_keeps_its_metadata_where_the_text_was_changed(tmp_path: Path) -> None:
    memory = AStore(tmp_path / "claude").has(
        "projects/-w/memory/project_a.md", TOPIC.format(blank=" ", name="a", kind="project", body="# A\n\nwords")
    )
    memory.has("projects/-w/memory/user_b.md", TOPIC.format(blank=" ", name="b", kind="user", body="One fact."))
    memory.has("projects/-w/memory/project_c.md", TOPIC.format(blank=" ", name="c", kind="project", body="# C\n\nwords"))
    before = memory.tree()
    store = AStore(tmp_path / "ours")
    session = store.session()
    came = importing.plan(session, formats.of_agent("claude-code"), str(memory.root / "projects/-w/memory"), into=store.project)
    remembered(session, came)
    changed = next(item.ref.path for item in came.rows if item.source.endswith("project_c.md"))
    same = exporting.plan(session, formats.of_agent("claude-code"), str(memory.root), group="project:-w")
    assert not [change for change in same.changes if not change.ref.path.endswith("MEMORY.md")]
    assert {item.fate for item in same.rows} == {Fate.DUPLICATE}
    store.has(changed, "# C\n\nother words\n")
    other = AStore(tmp_path / "other" / "projects/-w/memory")
    applying.apply(exporting.plan(session, formats.of_agent("claude-code"), str(tmp_path / "other"), group="project:-w"))
    after = other.tree()
    assert after["project_a.md"] == before["projects/-w/memory/project_a.md"]
    assert after["user_b.md"] == before["projects/-w/memory/user_b.md"]
    assert after["project_c.md"] == before["projects/-w/memory/project_c.md"].replace(b"words", b"other words")
    assert set(after) == {"project_a.md", "user_b.md", "project_c.md", "MEMORY.md"}
