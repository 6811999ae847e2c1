"""What each agent's memory becomes here: plans derived by hand from the samples, and from folders with every edge there is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.builders import PROJECT, SAMPLES, AStore
from tests.builders import plan_import as planned
from zsmem_tui.agents.claude_code.files import encoded
from zsmem_tui.config.model import Config
from zsmem_tui.core.errors import BadContent, BadTarget, Missing
from zsmem_tui.core.import_item import ImportItem
from zsmem_tui.core.layout import main_file
from zsmem_tui.core.names import project_slug
from zsmem_tui.core.project_folders import ProjectRecord
from zsmem_tui.service import applying, formats, import_detection, importing, stores, undoing
from zsmem_tui.service.import_reading import Choice
from zsmem_tui.service.plan import Fate, Plan, Row
from zsmem_tui.service.session import Session
from zsmem_tui.store import project_register
from zsmem_tui.store.transfer import sources

LANTERN = "/home/ann/code/lantern"
HOME = f"projects/{PROJECT}"
OMP = "--home-ann-code-lantern--"


@pytest.fixture
def session(store: AStore) -> Session:
    found = store.session()
    found.folder = LANTERN
    return found


def rows(plan: Plan) -> list[tuple[str, str, bool]]:
    return [(item.source, item.ref.path.removeprefix(f"{HOME}/"), item.ticked) for item in plan.rows]


def one(plan: Plan, source: str) -> Row:
    return next(item for item in plan.rows if item.source.startswith(source))


def text(plan: Plan, path: str) -> str:
    return next((edit.after or b"").decode() for edit in plan.changes if edit.ref.path == path)


def read(plan: Plan, item: Row) -> ImportItem:
    """What was read of a memory that a row is about."""
    found: ImportItem = plan.read.items[plan.rows.index(item)]
    return found


def test_oh_my_pi_lessons_memory_and_summary_are_notes_and_session_summaries_wait_to_be_asked_for(session: Session) -> None:
    found = planned(session, "oh-my-pi", SAMPLES / "oh-my-pi/home/.omp")
    slug = project_slug(LANTERN)
    summaries = f"{OMP}/rollout_summaries/0198c2f1-aaaa-7bbb-8ccc-00000000000"
    assert rows(found) == [
        (f"{OMP}/learned.md", f"projects/{slug}/notes/omp-learned.md", True),
        (f"{OMP}/MEMORY.md", f"projects/{slug}/notes/omp-memory.md", True),
        (f"{OMP}/memory_summary.md", f"projects/{slug}/notes/omp-summary.md", True),
        (f"{summaries}1-clock_change_bug.md", f"projects/{slug}/daily/2026-08-03.md", False),
        (f"{summaries}2.md", f"projects/{slug}/daily/2026-08-04.md", False),
        (f"{OMP}/skills/release-checklist/SKILL.md", f"projects/{slug}/notes/omp-skill-release-checklist.md", False),
    ]
    assert text(found, f"projects/{slug}/notes/omp-learned.md") == (
        "- Run make check before pushing; CI fails on unformatted files. (context: first week on the repo)\n"
        "- The dongle needs udev rule 70-lantern.rules.\n- Alias glow goes away in version 3.\n"
    )
    also = planned(session, "oh-my-pi", SAMPLES / "oh-my-pi/home/.omp", also="*/rollout_summaries/*")
    log = text(also, f"projects/{slug}/daily/2026-08-03.md")
    assert "— clock_change_bug\nFixed the one-hour drift" in log and "thread_id" not in log
    assert read(also, one(also, f"{summaries}1")).head.startswith("thread_id: 0198c2f1")


def test_oh_my_pi_memories_of_folders_that_nobody_knows_are_named_one_by_one(session: Session, tmp_path: Path) -> None:
    omp = AStore(tmp_path / "agent").has(f"memories/{OMP}/learned.md", "- a\n").has("memories/--other--/learned.md", "- b\n")
    omp.has(f"memories/{OMP}/raw_memories.md", "never").has("agent.db", b"\0").has("memories/mnemopi/x.db", b"\0")
    found = planned(session, "oh-my-pi", omp.root)
    assert rows(found) == [
        (f"{OMP}/learned.md", f"projects/{project_slug(LANTERN)}/notes/omp-learned.md", True),
        ("--other--/learned.md", "notes/omp-learned.md", False),
    ]
    assert found.rows[1].fate is Fate.SKIPPED and "which folder" in found.rows[1].reason
    alone = planned(session, "oh-my-pi", omp.root / "memories/--other--")
    assert rows(alone) == [("--other--/learned.md", "notes/omp-learned.md", True)]


def test_notes_come_as_facts_when_that_is_asked_for_and_what_belongs_together_stays_a_note(
    session: Session, tmp_path: Path
) -> None:
    omp = AStore(tmp_path / OMP).has("learned.md", "- one\n- two _(context: c)_\n\n```\ncode\n```\n").has("MEMORY.md", "- three\n")
    found = planned(session, "oh-my-pi", omp.root, choice=Choice(as_facts="*/learned.md"))
    assert rows(found) == [
        (f"{OMP}/learned.md:1", "MEMORY.md", True),
        (f"{OMP}/learned.md:2", "MEMORY.md", True),
        (f"{OMP}/learned.md", "notes/omp-learned.md", True),
        (f"{OMP}/MEMORY.md", "notes/omp-memory.md", True),
    ]
    assert text(found, "MEMORY.md") == "- one\n- two (context: c)\n"
    assert text(found, f"{HOME}/notes/omp-learned.md") == "```\ncode\n```\n"


def test_memsearch_days_come_entry_by_entry_and_user_facts_one_by_one(session: Session) -> None:
    found = planned(session, "memsearch", SAMPLES / "memsearch/project")
    assert [(path, ticked) for _, path, ticked in rows(found)] == [
        *([("daily/2026-08-03.md", True)] * 3),
        *([("daily/2026-08-04.md", True)] * 2),
        ("notes/memsearch-project.md", True),
        ("SCRATCHPAD.md", False),
        *([("MEMORY.md", True)] * 2),
    ]
    assert text(found, f"{HOME}/daily/2026-08-04.md") == (
        "\n### 08:15 — memsearch\n- User asked how to run only the hardware tests.\n"
        "- The marker `-m bench` selects them; they need the USB dongle.\n"
        "\n### 08:32 — memsearch\n- User decided to drop Python 3.9 support.\n"
    )
    assert text(found, "MEMORY.md") == (
        "- Prefers short commit subjects in the imperative.\n- Runs the tests before asking for a review.\n"
    )
    assert read(found, found.rows[0]).head.startswith("<!-- session:3f1c9a52")
    for inner in (".memsearch", ".memsearch/memory"):
        again = planned(session, "memsearch", SAMPLES / "memsearch/project" / inner)
        assert rows(again)[:5] == rows(found)[:5]
    library = planned(session, "memsearch", SAMPLES / "memsearch/standalone")
    assert rows(library)[-1] == ("MEMORY.md", "notes/memsearch-memory.md", True)
    assert text(library, f"{HOME}/daily/2026-08-01.md").startswith("\n## Stand-up\n- Bo finished")
    done = applying.apply(found).message
    assert done.startswith("Imported 2 facts, 1 note and 2 days from memsearch. 1 item is left out: PROJECT.md"), "a day is one"
    assert found.rest in done


def test_memsearch_stubs_noise_and_hidden_files_stay_and_headings_in_code_are_text(session: Session, tmp_path: Path) -> None:
    journal = AStore(tmp_path / "p").has(
        ".memsearch/memory/2026-02-30.md",
        "# 2026-02-30\r\n\r\n## Session 09:00\r\n\r\n## Session 10:00\r\n\r\n### 10:00\r\n<!-- session:a b turn:1 -->\r\n"
        "````\r\n```\r\n### 11:00\r\n````\r\n\r\n### 12:00\r\n- Memory summary unavailable: no key\r\n",
    )
    journal.has(".memsearch/memory/sub/2026-5-9.md", "note\n").has(".memsearch/memory/.hidden.md", "no\n")
    journal.has(".memsearch/memory/2026-01-01.md", "## Session 09:00\n\n## Session 09:01\n").has(".memsearch/a.lock", "1")
    journal.has(
        ".memsearch/memory/2026-03-01.md", "## Session 07:30\n\n- bare\n\n## Session\nuntimed\n\n## Memory Compact\n\nAll.\n"
    )
    journal.has(".memsearch/memory/2026-03-02.md", "## Stand-up\n\n### 09:00\n- said\n")
    journal.has(".memsearch/skill-candidates/x/SKILL.md", "no\n").has("README.md", "no\n").has(".memsearch/memory/UP.MD", "up\n")
    found = planned(session, "memsearch", journal.root)
    assert rows(found) == [
        ("memory/2026-01-01.md", "daily/2026-01-01.md", False),
        ("memory/2026-02-30.md:7", "daily/2026-02-30.md", True),
        *[(f"memory/2026-03-01.md:{line}", "daily/2026-03-01.md", True) for line in (1, 5, 8)],
        *[(f"memory/2026-03-02.md:{line}", "daily/2026-03-02.md", True) for line in (1, 3)],
        ("memory/UP.MD", "notes/UP.md", True),
        ("memory/sub/2026-5-9.md", "notes/2026-5-9.md", True),
    ]
    assert text(found, f"{HOME}/daily/2026-02-30.md") == "\n### 10:00 — memsearch\n````\n```\n### 11:00\n````\n"
    bare = "\n### 07:30 — memsearch\n- bare\n\nuntimed\n\n## Memory Compact\n\nAll.\n"
    assert text(found, f"{HOME}/daily/2026-03-01.md") == bare, (
        "the time of a session is its entry's, other sections stay as they are"
    )
    assert text(found, f"{HOME}/daily/2026-03-02.md") == "\n## Stand-up\n\n### 09:00 — memsearch\n- said\n"


def test_memsearch_entries_that_came_before_are_no_news_when_the_day_has_grown(
    store: AStore, session: Session, tmp_path: Path
) -> None:
    day = AStore(tmp_path / "p").has(".memsearch/memory/2026-08-03.md", "### 09:00\n- one\n")
    applying.apply(planned(session, "memsearch", day.root))
    store.at("~/daily/2026-08-03.md").write_text("")
    day.has(".memsearch/memory/2026-08-03.md", "### 08:00\n- zero\n\n### 09:00\n- one\n")
    found = planned(session, "memsearch", day.root)
    assert [item.fate for item in found.rows] == [Fate.ADD, Fate.IMPORTED]


def test_what_the_settings_of_memsearch_leave_out_is_told_and_not_taken(
    session: Session, tmp_path: Path, away_from_home: Path
) -> None:
    AStore(away_from_home).has(".memsearch/config.toml", '[indexing]\nexclude = ["drafts/"]\nignore_files = [".x"]\n')
    work = AStore(tmp_path / "p").has(".memsearch.toml", '[indexing]\nignore_files = [".memsearchignore"]\n')
    work.has(".memsearch/memory/a.md", "a\n").has(".memsearch/memory/drafts/b.md", "b\n").has(".memsearch/memory/s/c.md", "c\n")
    work.has(".memsearch/memory/s/.memsearchignore", "c.md\n").has(".memsearch/memory/.gitignore", "*\n")
    found = planned(session, "memsearch", work.root)
    assert {(item.source, item.reason) for item in found.rows if not item.ticked} == {
        ("memory/drafts/b.md", "memsearch's settings leave it out"),
        ("memory/s/c.md", "memsearch's settings leave it out"),
    }
    assert [item.source for item in found.rows if item.ticked] == ["memory/a.md"]
    work.has(".memsearch.toml", "broken = [")
    assert [item.source for item in planned(session, "memsearch", work.root).rows if not item.ticked] == ["memory/drafts/b.md"]


def test_ethos_users_give_facts_and_every_scope_says_whose_it_is(session: Session) -> None:
    found = planned(session, "ethos", SAMPLES / "ethos/home/.ethos")
    user = "users/4be1c09a77d2/USER.md"
    assert rows(found) == [
        ("personalities/engineer/MEMORY.md", "notes/ethos-engineer.md", True),
        ("personalities/engineer/SOUL.md", "notes/personalities-engineer-SOUL-md.md", False),
        ("teams/lamps/memory/decisions.md", "notes/ethos-decisions.md", True),
        ("teams/lamps/memory/onboarding.md", "notes/ethos-onboarding.md", True),
        (f"{user}:1", "MEMORY.md", True),
        (f"{user}:3", "MEMORY.md", True),
        (f"{user}:4", "MEMORY.md", True),
    ]
    assert {item.group for item in found.rows} == {"personality:engineer", "team:lamps", "user:4be1c09a77d2"}
    assert text(found, "MEMORY.md") == "- Name is Ann, lives in Lisbon.\n- Prefers tables over prose\n- Works mornings only\n"
    only = planned(session, "ethos", SAMPLES / "ethos/home/.ethos", choice=Choice(group="engineer", user="4be1c09a77d2"))
    assert {item.group for item in only.rows} == {"personality:engineer", "user:4be1c09a77d2"}
    with pytest.raises(BadTarget, match=r"There is no group writer in it") as refused:
        planned(session, "ethos", SAMPLES / "ethos/home/.ethos", choice=Choice(group="writer"))
    assert "personality:engineer" in refused.value.hint
    for inner in ("personalities", "personalities/engineer"):
        assert rows(planned(session, "ethos", SAMPLES / "ethos/home/.ethos" / inner)) == rows(found)[:2]


def test_ethos_sections_become_notes_and_what_is_no_memory_stays(session: Session, tmp_path: Path) -> None:
    ethos = AStore(tmp_path / ".ethos").has(
        "personalities/a/MEMORY.md",
        "Before.\n\n### back-off\nAt most 30 s.\n\n```\n### no heading\n```\n\n### 日本\nx\n\n### Back off!\nAgain.\n",
    )
    ethos.has("personalities/a/SOUL.md", "I am").has("personalities/a/skills/s.md", "no").has("personalities/a/topic.md", "t\n")
    ethos.has("personalities/a/memory-archive.md", "old\n").has("personalities/b.c/MEMORY.md", "bad id\n")
    ethos.has("personalities/c/MEMORY.md", b"\x00\x01\xff\xfe" * 64).has("personalities/d/MEMORY.md", "\n").has("MEMORY.md", "l\n")
    ethos.has("users/u1/USER.md", "One\ntwo\n\n- a\n  more\n").has("users/u1/x.md", "no").has("secrets/s.md", "no")
    found = planned(session, "ethos", ethos.root)
    assert [(item.source, item.ref.path.removeprefix(f"{HOME}/"), item.ticked, item.reason) for item in found.rows] == [
        ("personalities/a/MEMORY.md", "notes/ethos-a.md", True, ""),
        ("personalities/a/MEMORY.md:3", "notes/back-off.md", True, ""),
        ("personalities/a/MEMORY.md:10", "notes/日本.md", True, ""),
        ("personalities/a/SOUL.md", "notes/personalities-a-SOUL-md.md", False, "it says who the personality is, and is no memory"),
        ("personalities/a/memory-archive.md", "notes/ethos-archive.md", False, "facts that Ethos has retired"),
        ("personalities/a/topic.md", "notes/ethos-topic.md", True, ""),
        ("personalities/b.c/MEMORY.md", "notes/personalities-b-c-MEMORY-md.md", False, "Ethos does not take a name in its path"),
        ("personalities/c/MEMORY.md", "notes/personalities-c-MEMORY-md.md", False, "Ethos has encrypted it"),
        ("personalities/d/MEMORY.md", "notes/personalities-d-MEMORY-md.md", False, "it is empty"),
        ("users/u1/USER.md", "notes/ethos-user.md", True, ""),
        ("MEMORY.md", "notes/ethos-memory.md", False, "from before there were personalities: Ethos does not put it into a prompt"),
    ]
    assert text(found, f"{HOME}/notes/back-off.md") == "At most 30 s.\n\n```\n### no heading\n```\n\nAgain.\n"


def test_what_an_import_loses_is_what_its_own_files_have(session: Session, tmp_path: Path) -> None:
    ethos = AStore(tmp_path / ".ethos").has("personalities/a/MEMORY.md", "- one\n").has("personalities/a/memory-meta.json", "{}")
    plain = planned(session, "ethos", ethos.root)
    assert plain.losses == "" and plain.rows[-1].source == "personalities/a/memory-meta.json"
    assert "a record that Ethos keeps of its facts" in plain.rest
    assert "wikilinks" in planned(session, "ethos", ethos.has("personalities/a/MEMORY.md", "- see [[two]]\n").root).losses
    notes = AStore(tmp_path / "topics").has("a.md", "# A\n\none\n\ntwo\n")
    assert planned(session, "claude-code", notes.root).losses == ""
    notes.has("a.md", "---\nname: a\n---\n# A\n\none\n\nsee [b](b.md)\n")
    assert planned(session, "claude-code", notes.root).losses == "the frontmatter of notes and links between notes."
    notes.has("b.md", "# B\n\none\n\ntwo\n")
    assert planned(session, "claude-code", notes.root).losses.endswith("links between notes and the order of notes.")


def test_opencode_blocks_and_journal(session: Session) -> None:
    found = planned(session, "opencode", SAMPLES / "opencode-agent-memory/home/.config/opencode")
    assert rows(found) == [
        ("global/human.md:9", "MEMORY.md", True),
        ("global/human.md:10", "MEMORY.md", True),
        ("global/human.md:11", "MEMORY.md", True),
        ("global/persona.md", "notes/opencode-persona.md", True),
        ("journal/20260803-094512-118.md", "daily/2026-08-03.md", True),
        ("journal/20260804-171000-004.md", "daily/2026-08-04.md", True),
    ]
    assert text(found, "MEMORY.md") == "- Name: Ann\n- Works from Lisbon, mornings only\n- Likes tables over prose\n"
    assert "— Schedule lookup was quadratic\nSorting once" in text(found, f"{HOME}/daily/2026-08-03.md")
    assert text(found, f"{HOME}/daily/2026-08-03.md").endswith("\nTags: perf, scheduler\n")
    for inner in ("", ".opencode", ".opencode/memory"):
        blocks = planned(session, "opencode", SAMPLES / "opencode-agent-memory/project" / inner)
        assert rows(blocks) == [
            ("project/project.md", "notes/project.md", True),
            ("project/release-steps.md", "notes/release-steps.md", True),
        ]
    assert "read_only: true" in read(blocks, blocks.rows[1]).head and text(blocks, f"{HOME}/notes/release-steps.md").startswith(
        "1. Bump"
    )


def test_opencode_files_that_the_agent_passes_over_are_told(session: Session, tmp_path: Path) -> None:
    blocks = AStore(tmp_path / "p").has(".opencode/memory/a.md", "---\nlimit: -3\n---\nx\n")
    blocks.has(".opencode/memory/todo.md", "- [ ] one\n- [x] two\n").has(".opencode/memory/.hidden.md", "seen\n")
    blocks.has(".opencode/memory/x.embedding", "[]").has(".opencode/memory/.b.md.tmp", "no").has(".opencode/memory/s/c.md", "no")
    bomb = "a: &a [1,1,1,1,1,1,1,1,1]\n" + "".join(
        f"{n}: &{n} [{','.join([f'*{m}'] * 9)}]\n" for m, n in zip("abcdefgh", "bcdefghi", strict=True)
    )
    blocks.has(".opencode/memory/bomb.md", f"---\n{bomb}---\nharmless\n")
    blocks.has(".opencode/memory/long.md", b"---\nx: '" + b"y" * 2_000_000 + b"'\n---\nbody\n")
    blocks.at(".opencode/memory/link.md").symlink_to("todo.md")
    found = planned(session, "opencode", blocks.root)
    told = {item.source: (item.fate.value, item.ref.path.removeprefix(f"{HOME}/"), item.reason) for item in found.rows}
    assert told["project/a.md"][0] == "skipped" and "passes over this file: limit" in told["project/a.md"][2]
    assert told["project/todo.md"] == ("add", "SCRATCHPAD.md", "")
    assert told["project/bomb.md"] == ("add", "notes/bomb.md", "")
    assert told["project/long.md"][2] == "its frontmatter has more than 256 KiB"
    assert told["project/link.md"][::2] == ("skipped", "a link: the agent passes over it")
    assert set(told) == {f"project/{name}.md" for name in ("a", "todo", ".hidden", "bomb", "long", "link")}


def test_the_journal_of_other_projects_is_shown_and_not_taken(session: Session, tmp_path: Path) -> None:
    own = AStore(tmp_path / "opencode")
    own.has("journal/a.md", "---\ntitle: t\nproject: /srv/other\ncreated: '2026-08-03T23:30:00+02:00'\n---\nbody\n")
    own.has("journal/20260101-101112-345.md", "---\ntitle: t\n---\nbody\n").has("journal/b.md", "no frontmatter\n")
    found = planned(session, "opencode", own.root)
    assert [(item.source, item.ref.path, item.ticked) for item in found.rows] == [
        ("journal/20260101-101112-345.md", f"{HOME}/daily/2026-01-01.md", False),
        ("journal/a.md", f"projects/{project_slug('/srv/other')}/daily/2026-08-03.md", False),
        ("journal/b.md", f"{HOME}/notes/b.md", False),
    ]
    assert "another project, /srv/other" in found.rows[1].reason and "no frontmatter" in found.rows[2].reason


AGENTS = """\
# App

- Answer in English.

## Decisions *now*

- One fact
  over two lines
- Two `facts`

> - no item

```
- no item
```

* [ ] three
<!-- zerostack-memory:begin -->
- promoted
<!-- zerostack-memory:end -->
"""


def test_items_of_agents_md_come_only_from_the_section_that_is_picked(session: Session, tmp_path: Path) -> None:
    file = AStore(tmp_path / "p").has("AGENTS.md", AGENTS).at("AGENTS.md")
    unpicked = planned(session, "instructions", tmp_path / "p")
    assert [item.group for item in unpicked.rows] == [
        "App",
        *["Decisions *now*"] * 3,
        "promoted memory",
    ] and not unpicked.changes
    found = planned(session, "instructions", file, choice=Choice(section="decisions *NOW*"))
    assert rows(found) == [
        ("AGENTS.md#Decisions *now*:7", "notes/AGENTS-Decisions-*now*-7.md", True),
        ("AGENTS.md#Decisions *now*:9", "MEMORY.md", True),
        ("AGENTS.md#Decisions *now*:17", "MEMORY.md", True),
        ("AGENTS.md#Decisions *now*:19", "MEMORY.md", False),
    ]
    assert text(found, "MEMORY.md") == "- Two `facts`\n- [ ] three\n" and file.read_text() == AGENTS
    beside = AStore(tmp_path).has("AGENTS.md", "- shared\n")  # the folder that holds the store has such a file of its own
    assert rows(planned(session, "instructions", beside.root)) == [("AGENTS.md#:1", "MEMORY.md", False)]
    with pytest.raises(BadTarget, match="no section 'Nope'") as refused:
        planned(session, "instructions", file, choice=Choice(section="Nope"))
    assert "App, Decisions *now*" in refused.value.hint
    with pytest.raises(BadTarget, match="no sections to pick"):
        planned(session, "markdown", tmp_path / "p", choice=Choice(section="x"))


def claude(root: Path) -> AStore:
    """Two projects of which a transcript tells the folder, one of which none does, sub-agents, and much that is no memory."""
    own = AStore(root)
    own.has("projects/-srv-a-b/s.jsonl", '{"cwd": "/srv/a.b"}\n').has(
        "projects/-srv-a-b/memory/user_x.md", "---\ntype: user\n---\nA.\n"
    )
    own.has("projects/-srv-c/s.jsonl", '{"cwd": "/srv/c"}\n').has("projects/-srv-c/memory/logs/2026-01-01.md", "log\n")
    own.has("projects/-srv-lost/memory/project_y.md", "y\n").has("projects/-srv-c/s/tool.md", "never").has("todos/x.md", "never")
    own.has("agent-memory/tester/project_z.md", "z\n").has("plugins/p/README.md", "never").has("CLAUDE.md", "orders\n")
    own.has("projects/-srv-c/memory/.x.md", "hidden").has("projects/-srv-empty/memory/MEMORY.md", "")
    return own


def test_the_whole_of_claude_code_goes_project_by_project(session: Session, tmp_path: Path) -> None:
    own = claude(tmp_path / ".claude")
    found = planned(session, "claude-code", own.root)
    assert [(item.group, item.ref.path, item.ticked) for item in found.rows] == [
        ("agent:tester", f"{HOME}/notes/tester-project_z.md", True),
        ("project:-srv-a-b", "MEMORY.md", True),
        ("project:-srv-c", f"projects/{project_slug('/srv/c')}/notes/logs-2026-01-01.md", True),
        ("project:-srv-lost", f"{HOME}/notes/project_y.md", False),
        ("", f"{HOME}/notes/CLAUDE.md", False),
    ]
    assert found.rows[3].fate is Fate.SKIPPED and "no transcript" in found.rows[3].reason
    only = planned(session, "claude-code", own.root, choice=Choice(group="-srv-c"))
    assert [item.source for item in only.rows] == [".claude/projects/-srv-c/memory/logs/2026-01-01.md"]
    assert rows(planned(session, "claude-code", own.root / "projects/-srv-lost")) == [("project_y.md", "notes/project_y.md", True)]
    assert rows(planned(session, "claude-code", own.root / "agent-memory"))[0][2]


def test_a_long_folder_of_claude_code_is_found_by_its_beginning(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Versions of Claude Code end the names of long folders differently; a transcript tells whose it is."""
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "c"))
    session.folder = "/srv/" + "deep/" * 45 + "end"
    own = AStore(tmp_path / f"c/projects/{encoded(session.folder)[:200]}-other").has("memory/x.md", "long\n")
    assert rows(planned(session, "claude-code")) == [("x.md", "notes/x.md", True)]
    own.has("s.jsonl", '{"cwd": "/srv/' + "deep/" * 44 + 'sibling"}\n')
    with pytest.raises(Missing, match=r"No claude-code memory"):
        planned(session, "claude-code")


def test_detect_finds_every_agent_by_the_environment(
    session: Session, tmp_path: Path, away_from_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = tmp_path / "work"
    session.folder = str(work)
    claude(tmp_path / "moved")
    AStore(tmp_path / "state").has("personalities/a/MEMORY.md", "x\n")
    AStore(tmp_path / "shared").has("memory/2026-01-01.md", "### 09:00\n- x\n")
    AStore(away_from_home).has(".omp/profiles/p1/agent/memories/--x--/learned.md", "- x\n").has(
        ".config/opencode/memory/hu.md", "- x\n"
    )
    AStore(work).has(".opencode/memory/b.md", "x\n").has("AGENTS.md", "- x\n")
    for name, value in (("CLAUDE_CONFIG_DIR", "moved"), ("ETHOS_STATE_DIR", "state"), ("MEMSEARCH_DIR", "shared")):
        monkeypatch.setenv(name, str(tmp_path / value))
    monkeypatch.setenv("OMP_PROFILE", "p1")
    there = import_detection.detect(session)
    found = {(each.format, os.path.relpath(each.path, tmp_path)): (each.items, each.new) for each in there}
    assert [each.format for each in there if not each.is_whole] == ["opencode", "instructions"], "what is of this folder alone"
    omp = os.path.relpath(away_from_home, tmp_path)
    assert found == {
        ("claude-code", "moved"): (5, 3),
        ("memsearch", "shared"): (1, 1),
        ("oh-my-pi", f"{omp}/.omp/profiles/p1/agent/memories"): (1, 0),
        ("opencode", f"{omp}/.config/opencode"): (1, 1),
        ("opencode", "work/.opencode/memory"): (1, 1),
        ("ethos", "state"): (1, 1),
        ("instructions", "work/AGENTS.md"): (1, 0),
    }
    assert len(planned(session, "opencode").rows) == 2


def test_zerostacks_memory_of_this_folder_is_found_by_another_agent(
    tmp_path: Path, away_from_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = tmp_path / "work"
    work.mkdir()
    here = f"projects/{project_slug(str(work))}/notes/n.md"
    zerostack = AStore(away_from_home / ".local/share/zerostack/agent/memory").has("MEMORY.md", "- shared\n")
    zerostack.has(here, "# n\n\nof here\n").has("projects/other-00000000/notes/o.md", "# o\n\nof elsewhere\n")
    session = stores.open_store(Config(), f"claude-code:{away_from_home}/.claude", cwd=str(work))
    found = {each.is_whole: each for each in import_detection.detect(session) if each.format == "zerostack"}
    assert (found[False].items, found[False].new, found[True].new) == (1, 1, 2)
    AStore(Path(session.root)).has(f"projects/{str(work).replace('/', '-')}/memory/MEMORY.md", "- shared\n")
    for each in import_detection.detect(session):
        rows = importing.plan(session, formats.of_agent(each.format), each.path).rows
        assert (each.items, each.new) == (len(rows), sum(row.ticked for row in rows)), "as the plan counts them"
    assert any(each.new < each.items for each in import_detection.detect(session))
    for path in ("", str(zerostack.root)):
        rows = importing.plan(session, formats.of_agent("zerostack"), path).rows
        assert [row.ref.project for row in rows if row.source == here and row.ticked] == [session.project]
    (away_from_home / ".local/share/zerostack").rename(away_from_home / "own")
    monkeypatch.setenv("ZS_DATA_DIR", "~/own")
    assert "zerostack" in {each.format for each in import_detection.detect(session)}, "as zerostack itself reads it"


def test_lines_of_new_topics_that_a_full_index_has_no_room_for_are_told(tmp_path: Path, away_from_home: Path) -> None:
    session = stores.open_store(Config(), f"claude-code:{away_from_home}/.claude", cwd=str(tmp_path))
    index = main_file(session.layout, session.project).path
    AStore(away_from_home / ".claude").has(index, "".join(f"- fact {number}\n" for number in range(199)))
    notes = AStore(tmp_path / "notes").has("a.md", "# a\n\nof a\n").has("b.md", "# b\n\nof b\n")
    for name, lost in (("c.md", "2 new lines, the first of them 201,"), ("d.md", "3 new lines, the first of them 201,")):
        plan = planned(session, "markdown", notes.has(name, f"# {name}\n\nof it\n").root)
        said = f"Claude Code does not load {lost} of MEMORY.md: past line 200. = (Fit), or `zsmem fit`, makes room."
        assert plan.notes == (said,)


def test_lines_of_new_topics_go_where_a_full_index_is_loaded_and_what_that_pushes_out_is_told(
    tmp_path: Path, away_from_home: Path
) -> None:
    session = stores.open_store(Config(), f"claude-code:{away_from_home}/.claude", cwd=str(tmp_path))
    path = main_file(session.layout, session.project).path
    store = AStore(away_from_home / ".claude").has(path, "".join(f"- fact {number}\n" for number in range(1, 221)))
    notes = AStore(tmp_path / "notes").has("a.md", "# a\n\nof a\n").has("b.md", "# b\n\nof b\n")
    plan = planned(session, "markdown", notes.root)
    out = "Out goes: “- fact 199” and 1 more line of MEMORY.md: past line 200. = (Fit), or `zsmem fit`, makes room."
    assert plan.notes == (out,)
    applying.apply(plan)
    assert [line[:4] for line in store.raw(path).decode().splitlines()[:3]] == ["- [a", "- [b", "- fa"]


def test_bad_files_are_rows_and_stop_nothing(session: Session, tmp_path: Path) -> None:
    own = AStore(tmp_path / "memory-folder").has("good.md", "good\n").has("torn.md", b"half \xe2\x82")
    own.has("long.md", b"---\nname: '" + b"x" * 50_000_000)
    os.mkfifo(own.at("pipe.md"))
    own.at("away.md").symlink_to(tmp_path / "elsewhere.md")
    own.at("outside").symlink_to("/")
    os.makedirs(os.fsencode(own.root) + b"/\xff")
    Path(os.fsdecode(os.fsencode(own.root) + b"/\xff/\xfe.md")).write_text("odd name\n")
    found = {item.source: item for item in planned(session, "claude-code", own.root).rows}
    assert found["good.md"].ticked and found["\udcff/\udcfe.md"].ticked
    assert "characters were replaced" in found["torn.md"].reason and not found["torn.md"].ticked
    assert found["long.md"].reason == "its frontmatter has more than 256 KiB"
    assert "leaves the folder" in found["away.md"].reason and "leaves the folder" in found["outside"].reason
    assert found["pipe.md"].fate is Fate.SKIPPED


def test_too_many_files_are_refused_before_any_is_read(session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "MOST_FILES", 10)
    own = AStore(tmp_path / "many")
    for number in range(12):
        own.has(f"{number}.md", "x")
    monkeypatch.setattr("zsmem_tui.store.disk.files.read", lambda path: pytest.fail(path))
    with pytest.raises(BadContent, match=r"more than 10 files to bring in\. Nothing was imported\.") as refused:
        planned(session, "markdown", own.root)
    assert "Name a folder in it" in refused.value.hint


def test_a_plan_made_again_reads_nothing(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    first = planned(session, "ethos", SAMPLES / "ethos/home/.ethos")
    monkeypatch.setattr(sources, "read", lambda *_, **__: pytest.fail("it was read twice"))
    again = planned(session, "ethos", ticks={first.rows[0].key: False}, again=first)
    assert [item.ticked for item in again.rows] == [False, False, True, True, True, True, True]


def test_everything_comes_in_one_step_a_second_time_nothing_does_and_one_undo_takes_it_back(
    store: AStore, session: Session
) -> None:
    for name, place in (
        ("oh-my-pi", "oh-my-pi/home/.omp"),
        ("memsearch", "memsearch/project"),
        ("opencode", "opencode-agent-memory/home/.config/opencode"),
        ("ethos", "ethos/home/.ethos"),
        ("claude-code", "claude-code/home/.claude"),
    ):
        before = store.tree()
        applying.apply(planned(session, name, SAMPLES / place))
        assert store.tree() != before
        assert not planned(session, name, SAMPLES / place).changes, name
        assert undoing.undo(session).done and store.tree() == before


def test_next_steps_of_memsearch_become_tasks_when_they_are_asked_for(session: Session, tmp_path: Path) -> None:
    steps = "# Project\n\n## Next Steps\n\n- ship it\n  - with notes\n* [x] done\n\n```\n- no step\n```\n\n"
    AStore(tmp_path / "p/.memsearch").has("PROJECT.md", f"{steps}## Cold Items\n\n- ice\n")
    plain = planned(session, "memsearch", tmp_path / "p")
    assert rows(plain) == [
        ("PROJECT.md", "notes/memsearch-project.md", True),
        ("PROJECT.md#Next Steps:5", "SCRATCHPAD.md", False),
        ("PROJECT.md#Next Steps:7", "SCRATCHPAD.md", False),
    ]
    asked = planned(session, "memsearch", tmp_path / "p", also="*Next Steps*")
    assert text(asked, f"{HOME}/SCRATCHPAD.md") == "- [ ] ship it\n  - with notes\n* [x] done\n"


def test_the_banks_of_oh_my_pi_are_listed_and_asked_for(session: Session, tmp_path: Path) -> None:
    agent = AStore(tmp_path / "agent").has("memories/--x--/learned.md", "- a lesson\n")
    agent.has("sharpshooter/app-1x2y/architecture.md", "Layers.\n").has("sharpshooter/app-1x2y/queue/style.md", "never\n")
    agent.has("sharpshooter/app-1x2y/state.json", "{}").has("sharpshooter/app-1x2y/style.md", " \n")
    found = planned(session, "oh-my-pi", agent.root)
    bank = [item for item in found.rows if item.group == "bank:app-1x2y"]
    assert [(item.source.rpartition("/")[2], item.ticked, bool(read(found, item).skip)) for item in bank] == [
        ("architecture.md", False, False),
        ("style.md", False, True),
    ]
    one = planned(session, "oh-my-pi", agent.root / "sharpshooter/app-1x2y", also="*")
    assert text(one, f"{HOME}/notes/omp-app-1x2y-architecture.md") == "Layers.\n"


def test_a_copy_of_claude_codes_folder_is_known_whatever_it_is_called(session: Session, tmp_path: Path) -> None:
    copy = (
        AStore(tmp_path / "backup")
        .has("projects/-srv-app/memory/project_a.md", "a\n")
        .has("projects/-w/memory/project_b.md", "b\n")
    )
    session.folder = "/srv/app"
    found = planned(session, "claude-code", copy.root)
    assert [(item.ref.name, bool(read(found, item).skip)) for item in found.rows] == [("project_a", False), ("project_b", True)]
    assert "no transcript tells which folder it is of" in found.rows[1].reason
    moved = {"w-1": ProjectRecord("w-1", ("/w",))}  # as Follow leaves it, which moves no transcript
    project_register.change(session.root, lambda known: known._replace(records=moved))
    found = planned(session, "claude-code", copy.root)
    assert read(found, found.rows[1]).folder == "/w"
