"""From a memory of an agent into one of the same agent: its files come under their names, byte for byte."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.builders import NOW, SAMPLES, AStore
from zsmem_tui.config.model import Config
from zsmem_tui.core.layout import find_ref
from zsmem_tui.service import applying, exporting, formats, importing, stores, undoing
from zsmem_tui.service.plan import Fate, Plan, Policy
from zsmem_tui.service.session import Session

LANTERN = "-home-ann-code-lantern"


MINE = b"---\nname: user-role\ndescription: mine\n---\n\nAn other one.\n"
LINES = (
    "- as [the scope](project_v3_scope.md) says\n"
    "- [Run make check first](feedback_make_check.md) — CI fails on unformatted files\n"
    "- [Version 3 scope](project_v3_scope.md) — cloud relay is dropped\n"
    "- [Board tracker](reference_tracker.md) — where hardware bugs live\n"
)
ROLE = "- [Ann, firmware engineer](user_role{}.md) — works on firmware, new to the web panel\n"


class Case(NamedTuple):
    """Where a sample is, the root of the store it goes to, and how many of its files are memory."""

    kind: str
    sample: str
    root: str
    files: int


CASES = (
    Case("claude-code", f"claude-code/home/.claude/projects/{LANTERN}/memory", "home/.claude", 5),
    Case("qwen-code", f"qwen-code/home/.qwen/projects/{LANTERN}/memory", "home/.qwen", 5),
    Case("gemini", "gemini/home/.gemini/tmp/lantern/memory", "home/.gemini", 2),
    Case("memsearch", "memsearch/project/.memsearch/memory", "shop/.memsearch/memory", 2),
    Case("memsearch", "memsearch/standalone/memory", "shop/.memsearch/memory", 1),
    Case("oh-my-pi", f"oh-my-pi/home/.omp/agent/memories/-{LANTERN}--", "home/.omp/agent/memories", 1),
    Case("opencode", "opencode-agent-memory/project/.opencode/memory", "shop/.opencode/memory", 2),
    Case("opencode", "opencode-agent-memory/home/.config/opencode/memory", "home/.config/opencode/memory", 2),
    Case("ethos", "ethos/home/.ethos", "home/.ethos", 4),
    Case("zerostack", "zerostack/home/.local/share/zerostack/agent/memory", "home/memory", 5),
    Case("markdown", "markdown", "shop/notes", 4),
)


class Copy:
    """A source of one kind, and an empty store of that kind."""

    def __init__(self, case: Case, place: Path) -> None:
        self.case, self.folder = case, place / "shop"
        self.source = AStore(place / "from" / case.sample)
        if case.kind == "markdown":
            self.source.has("MEMORY.md", "# Facts\r\n\r\n- one\r\n").has(
                "a b/Deep_note.md", b"\xef\xbb\xbf---\ntitle: x\n---\ntext"
            )
            self.source.has("daily/2026-08-03.md", "### 10:00\n\nday\n").has("old.markdown", "# Old\n")
        else:
            drafts = shutil.ignore_patterns("skills")
            shutil.copytree(SAMPLES / case.sample, self.source.root, dirs_exist_ok=True, ignore=drafts)
        self.folder.mkdir()
        self.store = AStore(place / case.root)
        if case.kind == "gemini":
            self.store.has("projects.json", json.dumps({"projects": {str(self.folder): "shop"}}))
        self.group = "personality:engineer" if case.kind == "ethos" else ""
        first = self.session()
        self.home = "" if self.group or case.kind == "zerostack" else first.layout.home_of(first.project)

    def session(self) -> Session:
        return stores.open_store(
            Config(), f"{self.case.kind}:{self.store.root}", group=self.group, cwd=str(self.folder), clock=lambda: NOW
        )

    def plan(self, **options: object) -> Plan:
        format = formats.of_agent(self.case.kind)
        return importing.plan(self.session(), format, str(self.source.root), **options)  # type: ignore[arg-type]

    def memory(self) -> Iterator[tuple[str, bytes]]:
        """Each file of the source that is memory there, by its path in the store."""
        layout = self.session().layout
        for name, raw in self.source.tree().items():
            ref = find_ref(layout, path := f"{self.home}/{name}".lstrip("/"))
            if ref is not None and ref.role not in ("derived", "instructions"):
                yield path, raw


@pytest.fixture
def topics(tmp_path: Path, away_from_home: Path, monkeypatch: pytest.MonkeyPatch) -> Copy:
    """Of Claude Code, into a project that has a topic of the same name, one that is the same, and its own lines."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    made = Copy(CASES[0], tmp_path)
    made.store.has(f"{made.home}/MEMORY.md", "# Memory Index\n\n- [Role](user_role.md) — mine\n- own line\n")
    made.store.has(f"{made.home}/user_role.md", MINE)
    made.source.has("MEMORY.md", f"# Memory Index\n\n{ROLE.format('')}{LINES}")
    made.store.has(f"{made.home}/feedback_make_check.md", made.source.raw("feedback_make_check.md"))
    return made


@pytest.fixture(params=CASES, ids=lambda case: f"{case.kind}:{case.root}")
def copy(request: pytest.FixtureRequest, tmp_path: Path, away_from_home: Path, monkeypatch: pytest.MonkeyPatch) -> Copy:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return Copy(request.param, tmp_path)


def test_files_come_as_they_are_and_again_only_what_is_new(copy: Copy) -> None:
    before, wanted = copy.store.tree(), dict(copy.memory())
    plan = copy.plan()
    assert (not plan.losses or copy.case.kind == "zerostack") and len(wanted) == copy.case.files
    applying.apply(plan)
    assert {path: raw for path, raw in copy.store.tree().items() if path not in before} == wanted
    again = copy.plan()
    assert not again.changes and {row.fate for row in again.rows if row.fate is not Fate.SKIPPED} == {Fate.DUPLICATE}
    assert undoing.undo(copy.session()).done and copy.store.tree() == before
    undoing.undo(copy.session(), redo=True)
    assert not exporting.plan(copy.session(), formats.of_agent(copy.case.kind), str(copy.source.root)).changes, "all stands there"
    name, path = next(
        (name, f"{copy.home}/{name}".lstrip("/")) for name in copy.source.tree() if f"{copy.home}/{name}".lstrip("/") in wanted
    )
    copy.source.has(name, copy.source.raw(name).rstrip(b"\n") + b"\n- a line that is new\n")
    (change,) = copy.plan().changes
    after = (change.after or b"").rstrip(b"\n") + b"\n"  # a blank line at the end stays
    assert (change.ref.path, after) == (path, copy.source.raw(name))


@pytest.mark.parametrize(
    ("policy", "index", "role"),
    [
        (Policy.SKIP, "", MINE),
        (Policy.RENAME, ROLE.format("-2"), MINE),
        (Policy.REPLACE, "", None),
        (Policy.MERGE, "", MINE + b"Ann has ten years of firmware work and is new to the web panel.\n"),
    ],
)
def test_an_index_gets_each_line_once_and_a_topic_of_another_text_goes_by_the_policy(
    topics: Copy, policy: Policy, index: str, role: bytes | None
) -> None:
    plan = topics.plan(policy=policy)
    assert plan.done.startswith("Imported 1 fact and "), "lines about topics and headings are none"
    applying.apply(plan)
    now = {name: topics.store.raw(f"{topics.home}/{name}") for name in topics.source.tree()}
    assert now["MEMORY.md"].decode() == f"# Memory Index\n\n{index}- [Role](user_role.md) — mine\n- own line\n{LINES}"
    wanted = {name: topics.source.raw(name) for name in now if name != "MEMORY.md"}
    assert now == wanted | {"MEMORY.md": now["MEMORY.md"], "user_role.md": role or wanted["user_role.md"]}
    if policy is Policy.RENAME:
        assert topics.store.raw(f"{topics.home}/user_role-2.md") == wanted["user_role.md"]
    assert not topics.plan(policy=policy).changes


def test_a_line_comes_below_the_one_that_it_follows_and_a_heading_below_its_section(topics: Copy) -> None:
    index = "# Memory Index\n\n## Rules\n\n- one\n- two\n\n## More\n\n- three\n- [Waited](t.md)\n```\nopen\n"
    topics.source.has("t.md", "# T\n")
    topics.source.has("MEMORY.md", index)
    topics.store.has(f"{topics.home}/MEMORY.md", "# Memory Index\n\n## Rules\n\n- one\n- mine\n\n## Own\n\n- [T](t.md)\n")
    applying.apply(topics.plan(only="[Mt]*.md*"))
    assert topics.store.raw(f"{topics.home}/MEMORY.md").decode() == (
        "# Memory Index\n\n## Rules\n\n- one\n- two\n- mine\n\n## More\n\n- three\n\n## Own\n\n- [T](t.md)\n```\nopen\n"
    )


def test_a_day_gets_the_sessions_that_it_lacks_and_what_one_has_grown_by(tmp_path: Path) -> None:
    made = Copy(CASES[3], tmp_path)
    first, later, mine = (
        f"## Session {at}\n\n### {at}\n- {says}\n\n" for at, says in (("09:00", "one"), ("16:00", "two"), ("20:00", "mine"))
    )
    made.source.has("2026-08-03.md", f"# 2026-08-03\n\n{first.rstrip()}\n- more\n\n{later}")
    made.store.has("2026-08-03.md", f"# 2026-08-03\n\n{first}{mine}")
    made.source.has("2026-08-04.md", f"# Day\n\nabove all\nabove\n{first.rstrip()}\n- more")
    made.store.has("2026-08-04.md", f"# Day\n\nabove all\n{first}{mine}")
    applying.apply(made.plan())
    assert made.store.raw("2026-08-03.md").decode() == f"# 2026-08-03\n\n{first.rstrip()}\n- more\n\n{later}{mine}"
    assert made.store.raw("2026-08-04.md").decode() == f"# Day\n\nabove all\nabove\n{first.rstrip()}\n- more\n\n{mine}"
    assert not made.plan().changes


def test_what_stands_between_and_below_tasks_comes_too_and_no_byte_order_mark_into_a_text(tmp_path: Path) -> None:
    made, mark = Copy(CASES[10], tmp_path), "\ufeff"
    made.source.has("SCRATCHPAD.md", "# Tasks\n- [x] mine\n  - [ ] below\n\n## Later\nsome words\n- [ ] other\n")
    made.store.has("SCRATCHPAD.md", "# Tasks\r\n- [ ] mine\r\n- [ ] old\r\n")
    made.source.has("n.md", f"{mark}# Heading\n\ntheirs\n").has("same.md", f"{mark}# Same\n")
    made.store.has("n.md", "# Heading\n\nown\n").has("same.md", "# Same\n")
    applying.apply(made.plan(policy=Policy.MERGE))
    assert made.store.raw("n.md").decode() == "# Heading\n\nown\ntheirs\n" and made.store.raw("same.md") == b"# Same\n"
    tasks = made.store.raw("SCRATCHPAD.md").decode()
    assert [
        *map(tasks.count, ("mine", "\r\n  - [ ] below\r\n", "\r\n\r\n## Later\r\nsome words\r\n- [ ] other\r\n", "old", "# Tasks"))
    ] == [1] * 5
    assert not made.plan(policy=Policy.MERGE).changes


def test_a_note_that_has_every_line_of_one_here_takes_its_place_with_its_frontmatter(tmp_path: Path) -> None:
    made = Copy(CASES[9], tmp_path)
    made.source.has("projects/a-1/notes/n.md", "---\na: 1\nb: 2\n---\ntext\n")
    made.store.has("projects/a-1/notes/n.md", "---\na: 1\n---\ntext\n")
    applying.apply(made.plan(only="*n.md"))
    assert made.store.raw("projects/a-1/notes/n.md") == made.source.raw("projects/a-1/notes/n.md")


def test_a_place_outside_the_store_is_said_in_the_plan_and_a_text_that_no_agent_reads_is_brought_back(
    topics: Copy, tmp_path: Path
) -> None:
    topics.source.has("out/t.md", "# T\n")
    topics.store.at(f"{topics.home}/out").symlink_to(tmp_path)
    long = f"{'n' * 251}.md"
    topics.source.has(long, "theirs\n")
    topics.store.has(f"{topics.home}/{long}", "own\n")
    plan = topics.plan(policy=Policy.RENAME)
    assert "is taken and no other name is free" in plan.rest
    assert "t.md (the target is reached by a link that leaves the store)" in plan.rest and applying.apply(plan).changed
    blocks = Copy(CASES[6], tmp_path / "blocks")
    blocks.store.has("project.md", "---\nbad: [\n---\n")
    before = blocks.store.tree()
    applying.apply(blocks.plan(policy=Policy.REPLACE))
    assert blocks.store.tree() != before and undoing.undo(blocks.session()).done and blocks.store.tree() == before


@pytest.mark.parametrize("names", [("-x-a",), ("-x-a", "-x-b")])
def test_a_whole_memory_comes_into_the_homes_that_it_had_where_no_folder_is_known(
    topics: Copy, tmp_path: Path, names: tuple[str, ...]
) -> None:
    whole = AStore(tmp_path / "old/.claude").has("agent-memory/rev/n.md", "N\n").has("agent-memory/rev/MEMORY.md", "- [N](n.md)\n")
    for name in names:
        whole.has(f"projects/{name}/memory/t.md", "# T\n").has(f"projects/{name}/memory/MEMORY.md", "- [T](t.md)\n- a fact\n")
    before, format = topics.store.tree(), formats.of_agent("claude-code")
    plan = importing.plan(topics.session(), format, str(whole.root))
    assert (
        plan.done.startswith(f"Imported {len(names)} fact") and f"and {1 + len(names)} notes from" in plan.done and not plan.losses
    )
    applying.apply(plan)
    assert topics.store.tree() == before | whole.tree()
    into = importing.plan(topics.session(), format, str(whole.root), only="*/-x-a/*", into=topics.session().project)
    assert {edit.ref.path for edit in into.changes} == {f"{topics.home}/t.md", f"{topics.home}/MEMORY.md"}


@pytest.mark.parametrize(("kind", "group"), [("claude-code", "project:-w"), ("qwen-code", "project:-w"), ("gemini", "project:w")])
def test_an_index_below_a_folder_that_has_one_is_a_note_of_that_folder(tmp_path: Path, kind: str, group: str) -> None:
    below = {"claude-code": "projects/-v", "qwen-code": "projects/-v", "gemini": "tmp/v"}[kind]
    source = AStore(tmp_path / "from").has("MEMORY.md", "- one\n").has(f"{below}/memory/MEMORY.md", "- two\n")
    session = stores.open_store(Config(), f"{kind}:{tmp_path / 'to'}", group=group, cwd="/w", clock=lambda: NOW)
    plan = importing.plan(session, formats.of_agent(kind), str(source.root))
    assert [(each.fate, each.text.strip()) for each in plan.rows] == [(Fate.ADD, "- two"), (Fate.ADD, "- one")]
