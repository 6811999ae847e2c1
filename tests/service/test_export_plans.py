"""What an export to each agent says beforehand, what it never touches, and how it is taken out again."""

from __future__ import annotations

import errno
import fcntl
import itertools
import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.builders import AStore
from zsmem_tui.agents.claude_code.files import encoded
from zsmem_tui.cli.reporting import line_of
from zsmem_tui.config.model import Config
from zsmem_tui.core.errors import BadTarget, Conflict, MemError, WriteFailed
from zsmem_tui.core.frontmatter import split_frontmatter
from zsmem_tui.core.project_folders import ProjectRecord
from zsmem_tui.service import (
    applying,
    export_targets,
    exporting,
    formats,
    import_reading,
    importing,
    stores,
    taking_out,
    transferring,
    undoing,
    which_store,
)
from zsmem_tui.service.formats import title_of
from zsmem_tui.service.plan import Applied, Fate, Plan, Row
from zsmem_tui.service.previewing import preview
from zsmem_tui.service.session import Session
from zsmem_tui.store import project_register
from zsmem_tui.store.disk import files
from zsmem_tui.store.transfer import records

FORMATS = tuple(name for name in formats.names() if name != formats.BUNDLE)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AStore:
    """A home folder with nothing in it."""
    for name in ("CLAUDE_CONFIG_DIR", "ETHOS_STATE_DIR", "MEMSEARCH_DIR", "OMP_PROFILE", "PI_PROFILE", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return AStore(tmp_path / "home")


STORE = {
    "MEMORY.md": "- one\n- two\n",
    "~/notes/plan.md": "# Plan\n\nsteps\n",
    "~/SCRATCHPAD.md": "- [ ] open\n- [x] done\n",
    "~/daily/2026-05-24.md": "\n### 10:00 — head\nwords\n",
}


@pytest.fixture
def session(store: AStore, home: AStore, tmp_path: Path) -> Session:
    (tmp_path / "project").mkdir()
    session = store.session()
    session.folder = str(tmp_path / "project")
    return session


def planned(session: Session, format: str, path: str = "", group: str = "", user: str = "") -> Plan:
    return exporting.plan(session, formats.of_agent(format), path, group=group, user=user)


def exported(session: Session, format: str, path: str = "", group: str = "", user: str = "") -> Applied:
    return applying.apply(planned(session, format, path, group, user))


def removed(session: Session, format: str, path: str = "", group: str = "") -> Applied:
    return applying.apply(taking_out.plan(session, formats.of_agent(format), path, group=group))


def asked_for(format: str, tmp_path: Path) -> dict[str, str]:
    if format in ("zerostack", "markdown"):
        return {"path": str(tmp_path / "out")}
    if format == "gemini":
        listed = {"projects": {str(tmp_path / "project"): "p"}}
        AStore(tmp_path / "home").has(".gemini/projects.json", json.dumps(listed))
    return {"ethos": {"group": "personality:eng"}, "gemini": {"group": "project:p"}}.get(format, {})


def row(plan: Plan | Applied, source: str) -> Row:
    rows = plan.rows if isinstance(plan, Plan) else plan.plan.rows
    return next(item for item in rows if item.source.endswith(source))


def everything(tmp_path: Path) -> dict[str, bytes]:
    """Every file outside our store and our state, without backups."""
    found = {**AStore(tmp_path / "home").tree(), **AStore(tmp_path / "project").tree(), **AStore(tmp_path / "out").tree()}
    return {
        path: raw
        for path, raw in found.items()
        if not path.endswith((".bak", ".gitignore", "projects.json")) and ".local/" not in path
    }


@pytest.mark.draw(3)
@pytest.mark.parametrize("format", FORMATS)
def test_a_plan_is_what_is_done_and_repeating_it_removing_it_and_undoing_either_leave_no_trace(
    session: Session, tmp_path: Path, format: str
) -> None:
    asked = asked_for(format, tmp_path)
    before = everything(tmp_path)
    plan = planned(session, format, **asked)
    assert everything(tmp_path) == before and (not plan.losses or plan.losses.endswith(".")) and len(plan.rows) >= 4
    shown = {change.place: change.after for change in plan.changes}
    of_rows = [(row.place, edit.place) for row in plan.rows if (edit := plan.of_row(row)) is not None]
    assert of_rows and all(place == edited for place, edited in of_rows)
    done = applying.apply(plan)
    assert {place: Path(place).read_bytes() for place in shown} == shown and {
        change.place for change in done.plan.changes
    } == shown.keys()
    after = everything(tmp_path)
    again = exported(session, format, **asked)
    assert again.changed == 0 and everything(tmp_path) == after and again.message.endswith("Nothing was written.")
    gone = removed(session, format, **asked)
    assert gone.changed == len(shown) and everything(tmp_path) == before
    assert {(row.fate, row.ticked, bool(row.reason)) for row in gone.plan.rows} == {(Fate.TAKEN, True, False)}
    again = removed(session, format, **asked)
    assert again.changed == 0 and all(row.fate is Fate.SKIPPED and row.reason for row in again.plan.rows)
    other = plan.changes[0].session
    assert undoing.undo(session).done and everything(tmp_path) == after
    there = taking_out.plan(session, formats.of_agent(format), **asked)
    assert sorted((row.source, row.fate) for row in there.rows) == sorted((row.source, row.fate) for row in gone.plan.rows)
    undone = undoing.undo(other).message
    assert undone.startswith(f"Undid: Exported to {title_of(format)}") and everything(tmp_path) == before
    assert undone.endswith(f" {'is' if len(shown) == 1 else 'are'} deleted")
    assert undoing.undo(other, redo=True).done and everything(tmp_path) == after


@pytest.mark.parametrize("format", FORMATS)
def test_an_export_takes_what_its_format_says(session: Session, tmp_path: Path, format: str) -> None:
    rows = planned(session, format, **asked_for(format, tmp_path)).rows
    words = {"MEMORY.md": "facts", "plan.md": "note", "24.md": "days", "SCRATCHPAD.md": "open tasks"}
    taken = {word for name, word in words.items() if any(each.ticked and name in each.source for each in rows)}
    assert taken == {word for word in words.values() if word in formats.called(format).takes}


@pytest.mark.parametrize(("format", "parent"), [("gemini", "tmp"), ("claude-code", "projects"), ("qwen-code", "projects")])
def test_a_folder_in_one_that_is_named_like_an_agents_folder_of_projects_is_a_folder(
    session: Session, home: AStore, tmp_path: Path, format: str, parent: str
) -> None:
    place = tmp_path / "out" / parent / "new"
    places = {each.place.rpartition("/")[0] for each in planned(session, format, str(place)).rows if each.ticked}
    assert places == {str(place)}
    AStore(place).has("memory/MEMORY.md", "# Memory Index\n")
    places = {each.place.rpartition("/")[0] for each in planned(session, format, str(place)).rows if each.ticked}
    assert places == {str(place / "memory")}, "a copy of an agent's folder"


@pytest.mark.parametrize("format", ["claude-code", "gemini", "qwen-code", "markdown", "memsearch", "zerostack"])
def test_a_note_whose_text_stands_there_under_another_name_is_there_already(
    session: Session, home: AStore, tmp_path: Path, format: str
) -> None:
    where = asked_for(format, tmp_path)
    place = Path(row(exported(session, format, **where), "notes/plan.md").place)
    place.rename(place.with_name("theirs.md"))
    before = everything(tmp_path)
    done = exported(session, format, **where)
    assert (row(done, "notes/plan.md").fate, row(done, "notes/plan.md").place) == (
        Fate.DUPLICATE,
        str(place.with_name("theirs.md")),
    )
    assert everything(tmp_path) == before


@pytest.mark.parametrize("is_known", [False, True])
@pytest.mark.parametrize("name", ["theirs", "project_plan"])
@pytest.mark.parametrize("format", ["claude-code", "ethos", "gemini", "qwen-code", "markdown", "memsearch", "zerostack"])
def test_a_note_whose_text_stands_there_below_another_frontmatter_is_there_already(
    store: AStore, session: Session, home: AStore, tmp_path: Path, format: str, name: str, is_known: bool
) -> None:
    """Also one that an import found here, whose frontmatter alone would go."""
    where = asked_for(format, tmp_path)
    store.has("~/notes/plan.md", "---\nname: p\ntype: feedback\n---\n\n# Plan\n\nfirst words\n\nlast words\n")
    place = Path(row(exported(session, format, **where), "notes/plan.md").place)
    body = split_frontmatter(split_frontmatter(place.read_bytes())[1])[1]
    undoing.undo(session)
    theirs = place.with_name(f"{name}.md")
    theirs.parent.mkdir(parents=True, exist_ok=True)
    theirs.write_bytes(b"---\nname: theirs\ntype: project\n---\n\n" + body)
    theirs.with_name("project_other.md").write_bytes(b"other words\n")
    if is_known:
        applying.apply(importing.plan(session, formats.of_agent(format), where.get("path", ""), into=session.project))
    out = planned(session, format, **where)
    mine = [each for each in out.rows if each.source.endswith("notes/plan.md")]
    assert [(each.fate, each.place) for each in mine] == [(Fate.DUPLICATE, str(theirs))]
    assert str(theirs) not in {each.place for each in out.changes}


def test_a_fact_that_another_file_there_has_already_is_not_written_again(store: AStore, session: Session, home: AStore) -> None:
    memory = f".claude/projects/{encoded(session.folder)}/memory"
    home.has(f"{memory}/MEMORY.md", "- one\n")
    for count, text in enumerate(("- one\n- two\n", "- one\n- two\n- three\n")):
        store.has("MEMORY.md", text)
        done = exported(session, "claude-code")
        assert row(done, "MEMORY.md:1").fate is Fate.DUPLICATE and row(done, "MEMORY.md:1").place.endswith("/MEMORY.md")
        wanted = "".join(f"- {each}\n" for each in ("two", "three")[: count + 1])
        assert home.raw(f"{memory}/user_zerostack_facts.md").decode().endswith(f"\n\n{wanted}")


@pytest.mark.parametrize(("format", "is_renamed"), [("claude-code", True), ("markdown", False), ("memsearch", False)])
def test_a_link_to_a_note_that_has_another_name_there_is_said(
    store: AStore, session: Session, home: AStore, tmp_path: Path, format: str, is_renamed: bool
) -> None:
    text = "See [[plan]], [b](b.md#x), [web](https://x.y/plan.md), [[nowhere]].\n\n```\n[[a]]\n```\n"
    store.has("~/notes/a.md", text).has("~/notes/b.md", "b\n")
    losses = row(planned(session, format, **asked_for(format, tmp_path)), "notes/a.md").losses
    assert losses == (("It links to what has another name there: plan, b.",) if is_renamed else ())


def something_is_there(tmp_path: Path, home: AStore, end: str) -> AStore:
    """A file in the memory of each agent, with `end` as its end; returns the project's folder."""
    project, slug = AStore(tmp_path / "project"), encoded(str(tmp_path / "project"))
    project.has(".memsearch/memory/2026-05-24.md", f"## Session 08:00\n\n### 08:00\n- there{end}").has(
        "AGENTS.md", f"# Mine\n\n- rule{end}"
    )
    project.has(".opencode/memory/scratchpad.md", f"---\ndescription: x\nlimit: 5000\n---\n- [ ] mine{end}")
    home.has(f".claude/projects/{slug}/memory/MEMORY.md", f"# Memory Index\n\n- mine{end}")
    home.has(f".qwen/projects/{slug}/memory/MEMORY.md", f"- mine{end}").has(".gemini/tmp/p/memory/MEMORY.md", f"- mine{end}")
    home.has(".ethos/personalities/eng/MEMORY.md", f"A paragraph.{end}").has(".ethos/personalities/eng/USER.md", f"- mine{end}")
    home.has(f".omp/agent/memories/--{str(tmp_path / 'project').strip('/').replace('/', '-')}--/learned.md", f"- mine{end}")
    AStore(tmp_path / "out").has("MEMORY.md", f"- mine{end}")
    return project


@pytest.mark.draw(3)
@pytest.mark.parametrize("end", ["\n", "\n\n", ""])
@pytest.mark.parametrize("format", [each for each in FORMATS if each != "markdown"])
def test_what_is_taken_out_of_files_that_were_there_leaves_them_as_they_were(
    session: Session, home: AStore, tmp_path: Path, format: str, end: str
) -> None:
    """Also the blank line that was put before it; but a last line that had no end keeps the one that it was given."""
    project = something_is_there(tmp_path, home, end)
    before = everything(tmp_path)
    done = exported(session, format, **asked_for(format, tmp_path))
    assert done.changed and set(before) & {
        str(Path(place).relative_to(root))
        for place in [change.place for change in done.plan.changes]
        for root in (home.root, project.root, tmp_path / "out")
        if place.startswith(str(root))
    }
    removed(session, format, **asked_for(format, tmp_path))
    after = everything(tmp_path)
    assert after.keys() == before.keys()
    changed = {path: (before[path], raw) for path, raw in after.items() if raw != before[path]}
    assert not changed or (end != "\n" and all(was.strip() == now.strip() for was, now in changed.values())), changed


@pytest.mark.draw(3)
@pytest.mark.parametrize("format", [each for each in FORMATS if each != "markdown"])
def test_what_is_in_a_file_keeps_its_line_ends_and_its_bytes(session: Session, home: AStore, tmp_path: Path, format: str) -> None:
    something_is_there(tmp_path, home, "\n- last")
    for path, raw in everything(tmp_path).items():
        next(each for each in tmp_path.glob(f"*/{path}")).write_bytes(raw.replace(b"\n", b"\r\n"))
    before = everything(tmp_path)
    exported(session, format, **asked_for(format, tmp_path))
    changed = {path: raw for path, raw in everything(tmp_path).items() if path in before and raw != before[path]}
    assert changed and all(raw.count(b"\r\n") == raw.count(b"\n") for raw in changed.values()), changed
    removed(session, format, **asked_for(format, tmp_path))
    assert {path: raw.strip() for path, raw in everything(tmp_path).items()} == before
    for path, raw in before.items():
        next(each for each in tmp_path.glob(f"*/{path}")).write_bytes(raw + b"\xff")
    exported(session, format, **asked_for(format, tmp_path))
    assert all(before[path] + b"\xff" in raw for path, raw in everything(tmp_path).items() if path in before)


@pytest.mark.draw(3)
@pytest.mark.parametrize("format", FORMATS)
def test_a_named_folder_is_where_all_of_an_export_goes(session: Session, home: AStore, tmp_path: Path, format: str) -> None:
    folder = session.folder
    home.has(f".claude/projects/{encoded(folder)}/memory/MEMORY.md", "# Memory Index\n\n- fact\n- [Topic](topic.md) — about\n")
    home.has(f".claude/projects/{encoded(folder)}/memory/topic.md", "words\n")
    both = (session, stores.open_store(session.config, "claude-code", cwd=folder))
    every = ("out", "out/memory", "project/.opencode", "project/.opencode/memory", "home/.config/opencode")
    for source, named in itertools.product(both, every):
        path = str(tmp_path / named)
        plan = planned(source, format, path, group="engineer" if format == "ethos" else "")
        assert plan.changes or all(row.reason for row in plan.rows)
        assert [each.place for each in (*plan.changes, *plan.beside) if not each.place.startswith(f"{path}/")] == [], named
        if format == "opencode" and named == "out":
            assert {os.path.relpath(each.place, path).partition("/")[0] for each in plan.changes} == {"memory", "journal"}
        elif format == "opencode" and named != "out/memory":
            assert any("which is outside of ~/" in row.reason or f"outside of {path}" in row.reason for row in plan.rows)


@pytest.mark.parametrize("there", [(), ("a", "b")])
def test_a_personality_that_nobody_named_is_asked_for_and_nothing_is_written(
    session: Session, home: AStore, tmp_path: Path, there: tuple[str, ...]
) -> None:
    for name in there:
        home.has(f".ethos/personalities/{name}/MEMORY.md", "x\n")
    before = everything(tmp_path)
    done = exported(session, "ethos")
    assert {item.fate for item in done.plan.rows} == {Fate.SKIPPED} and len(done.plan.rows) == 4 and not done.changed
    words = "Ethos has more than one personality (a, b)" if there else "Ethos has no personality yet"
    assert all("name one with --group" in item.reason for item in done.plan.rows) and everything(tmp_path) == before
    assert words in done.message


def test_the_only_personality_is_meant_and_a_user_is_another_place_for_facts(session: Session, home: AStore) -> None:
    home.has(".ethos/personalities/eng/MEMORY.md", "### other\n\ntheirs\n")
    done = exported(session, "ethos", user="4be1c09a77d2")
    assert home.raw(".ethos/users/4be1c09a77d2/USER.md") == b"- one\n- two\n" and done.changed == 4
    assert home.raw(".ethos/personalities/eng/MEMORY.md").startswith(b"### other\n\ntheirs\n\n### open-tasks\n\n- [ ] open")


def test_a_heading_in_code_is_no_section_to_write_into(session: Session, home: AStore) -> None:
    text = "A form:\n\n```\n### open-tasks\n\n### other\n```\n"
    home.has(".ethos/personalities/eng/MEMORY.md", text)
    exported(session, "ethos", user="4be1c09a77d2")
    assert home.raw(".ethos/personalities/eng/MEMORY.md").decode().startswith(f"{text}\n### open-tasks\n\n- [ ] open")


@pytest.mark.parametrize("there", ["", "mine\n\n```\nand code to the end\n"])
def test_code_that_nothing_ends_swallows_no_section_and_is_not_exported_twice(session: Session, home: AStore, there: str) -> None:
    home.has(".ethos/personalities/eng/MEMORY.md", there)
    store = AStore(Path(session.root), session.project)
    store.has("~/notes/Other one.md", "mind\n~~~~\nthe gap\n")
    exported(session, "ethos")
    raw = home.raw(".ethos/personalities/eng/MEMORY.md")
    assert b"### other-one\n\nmind\n~~~~\nthe gap\n~~~~\n\n### open-tasks\n\n- [ ] open" in raw and raw.startswith(there.encode())
    assert not exported(session, "ethos").changed and home.raw(".ethos/personalities/eng/MEMORY.md") == raw


def test_facts_of_one_project_are_none_about_the_person_and_each_row_says_why(home: AStore, tmp_path: Path) -> None:
    folder = str(tmp_path / "home" / "code")
    slug = encoded(folder)
    home.has(f".claude/projects/{slug}/memory/MEMORY.md", "- The broker is mosquitto 2.1\n- two\n").has(
        f".claude/projects/{slug}/memory/user_tea.md", "---\nname: tea\ntype: user\n---\n\nAnn likes green tea.\n"
    )
    home.has(".ethos/personalities/eng/MEMORY.md", "mine\n\n### other\n\ntheirs\n").has(".ethos/users/u1/USER.md", "- tea\n")
    source = stores.open_store(Config(), f"claude-code:{tmp_path / 'home' / '.claude'}", group=f"project:{slug}")
    done = exported(source, "ethos", user="u1")
    text = home.raw(".ethos/personalities/eng/MEMORY.md")
    assert text == b"mine\n\n- The broker is mosquitto 2.1\n- two\n\n### other\n\ntheirs\n"
    assert (
        home.raw(".ethos/users/u1/USER.md") == b"- tea\n- Ann likes green tea.\n"
        and not home.at(".ethos/personalities/eng/USER.md").exists()
    )
    why = {row.source.rpartition("/")[2]: " ".join(row.losses) for row in done.plan.rows}
    assert why["MEMORY.md:1"].startswith("It is of one project here, so it goes to MEMORY.md")
    assert why["user_tea.md:6"].startswith("It is about the person, so it goes to USER.md")
    assert not exported(source, "ethos", user="u1").changed
    removed(source, "ethos")
    assert home.raw(".ethos/personalities/eng/MEMORY.md").split() == b"mine ### other theirs".split()


@pytest.mark.parametrize("format", ["claude-code", "qwen-code", "oh-my-pi"])
def test_memory_named_after_folders_goes_where_the_agent_looks_or_nowhere(
    store: AStore, home: AStore, tmp_path: Path, format: str
) -> None:
    """Of a project whose folder the register knows, to that folder's; else a folder has to be named, and no other name is taken."""
    lantern = home.at("code/lantern")
    lantern.mkdir(parents=True)
    session = store.session()
    home.has(".claude/projects/-other/memory/MEMORY.md", "- x\n").has(".qwen/projects/-other/memory/MEMORY.md", "- x\n")
    home.has(".omp/agent/memories/--other--/learned.md", "- x\n")
    before = everything(tmp_path)
    for name, reason in (
        ("", "the folder of this memory is not known: name it with --group"),
        ("G", f"'G' is neither a folder nor a project of {title_of(format)}: name the project's folder"),
        (str(home.at("gone")), "there is no folder ~/gone"),
    ):
        done = exported(session, format, group=name)
        assert not done.changed and all(item.reason == reason for item in done.plan.rows) and everything(tmp_path) == before
    whose = export_targets.whose(session, format, "")
    assert whose is not None and whose.by_folder and len(whose.groups) == 1
    named = {change.place for change in planned(session, format, group="~/code/lantern").changes}
    home_of = agent_home(format, lantern)
    assert named and all(place.startswith(f"{home.at(home_of)}/") for place in named)
    record = ProjectRecord(session.project, folders=(str(lantern),))
    project_register.change(session.root, lambda now: now._replace(records={session.project: record}))
    assert {change.place for change in planned(session, format).changes} == named
    assert export_targets.whose(session, format, "") is None


def agent_home(format: str, folder: Path) -> str:
    """Where an agent keeps a folder's memory, below the home folder."""
    if format == "oh-my-pi":
        return f".omp/agent/memories/--{str(folder)[1:].replace('/', '-')}--"
    return f"{'.claude' if format == 'claude-code' else '.qwen'}/projects/{encoded(str(folder))}/memory"


@pytest.mark.parametrize("format", ["claude-code", "qwen-code", "oh-my-pi"])
def test_memory_of_a_subfolder_goes_where_the_agent_looks_for_it(
    session: Session, home: AStore, tmp_path: Path, format: str
) -> None:
    """Some go by the repository."""
    top = tmp_path / "project"
    (top / ".git").mkdir()
    (top / ".git/HEAD").write_text("ref: refs/heads/main\n")
    session.folder = str(top / "sub")
    Path(session.folder).mkdir()
    meant = agent_home(format, Path(session.folder) if format == "oh-my-pi" else top)
    places = {change.place for change in planned(session, format).changes}
    assert places and all(place.startswith(f"{home.at(meant)}/") for place in places)


def test_facts_that_the_person_had_ethos_forget_are_left(session: Session, home: AStore) -> None:
    home.has(".ethos/personalities/eng/memory-tombstones.jsonl", '{"fact": "ONE", "when": 1}\n{"torn\n')
    plan = planned(session, "ethos", group="eng")
    assert row(plan, "MEMORY.md:1").reason == "the person had Ethos forget it" and row(plan, "MEMORY.md:2").fate is Fate.ADD


def test_oh_my_pi_keeps_a_hundred_lessons_none_falls_off_and_a_secret_is_warned_of(
    store: AStore, session: Session, home: AStore
) -> None:
    group = f"--{session.folder[1:].replace('/', '-')}--"
    lessons = "".join(f"- lesson {number}\n" for number in range(98))
    home.has(f".omp/agent/memories/{group}/learned.md", f"# Lessons\r\n\n{lessons}")
    store.has("MEMORY.md", "- one `q`\n- token_ab12cd34ef56gh78ij90\n- three\n")
    done = exported(session, "oh-my-pi")
    text = home.raw(f".omp/agent/memories/{group}/learned.md").decode()
    assert text.endswith(lessons) and text.startswith("# Lessons\r\n\n") and text.count("\n- ") == 100
    assert row(done, "MEMORY.md:1").losses == ("Its backticks stay behind.",)
    assert "[REDACTED]" in row(done, "MEMORY.md:2").warnings[0]
    late = row(done, "MEMORY.md:3")
    assert late.fate is Fate.SKIPPED and late.reason == "oh-my-pi keeps 100 lessons, and there are as many"


@pytest.mark.parametrize(
    ("text", "lesson", "is_whole"),
    [
        ("\n- first\n- then\n", "first", False),
        ("# Head\n", "Head", True),
        ("# Head\n\n## Sub\nwords\n", "Sub: words", False),
        ("# Head\n\nwords\n", "Head: words", True),
    ],
)
def test_of_a_note_oh_my_pi_gets_the_first_line_that_is_no_heading_after_its_heading(
    store: AStore, session: Session, home: AStore, text: str, lesson: str, is_whole: bool
) -> None:
    store.has("~/notes/a.md", text)
    made = row(exported(session, "oh-my-pi"), "projects/demo-1a2b3c4d/notes/a.md")
    group = f"--{session.folder[1:].replace('/', '-')}--"
    assert f"- {lesson}\n" in home.raw(f".omp/agent/memories/{group}/learned.md").decode()
    assert made.losses == (() if is_whole else ("Only its first words go along.",))


def test_of_notes_with_frontmatter_oh_my_pi_gets_the_first_words_below_and_what_another_brings_is_told(
    store: AStore, session: Session, home: AStore
) -> None:
    head = "---\nname: x\ntype: project\n---\n"
    store.has("~/notes/a.md", f"{head}\nUse tabs.\n").has("~/notes/b.md", f"{head}Use tabs.\n\nmore\n")
    store.has("~/notes/c.md", f"{head}***\n<!-- x -->\n**Why:** so\n").has("~/notes/d.md", head)
    made = planned(session, "oh-my-pi")
    (change,) = made.changes
    text = (change.after or b"").decode()
    assert "- Use tabs.\n" in text and "- **Why:** so\n" in text and "- ---" not in text
    notes = "projects/demo-1a2b3c4d/notes"
    second = row(made, f"{notes}/b.md")
    assert second.fate is Fate.DUPLICATE and second.reason == f"{notes}/a.md brings it there"
    assert row(made, f"{notes}/d.md").fate is Fate.SKIPPED
    without = exporting.plan(session, formats.of_agent("oh-my-pi"), without=[row(made, f"{notes}/a.md").key])
    assert row(without, f"{notes}/b.md").fate is Fate.ADD
    exported(session, "oh-my-pi")
    assert {row(planned(session, "oh-my-pi"), f"{notes}/{name}.md").reason for name in "ab"} == {"it is there already"}


def test_what_stands_there_with_its_frontmatter_is_there_already_as_an_import_says(
    store: AStore, session: Session, home: AStore
) -> None:
    topic = "---\nname: a\ndescription: b\ntype: project\n---\n\n# A\n\none\n\ntwo\n"
    home.has(f".claude/projects/{encoded(session.folder)}/memory/project_a.md", topic)
    store.has("~/notes/project_a.md", topic)
    theirs = stores.open_store(session.config, "claude-code", cwd=session.folder, clock=session.clock)
    out = exporting.plan(theirs, formats.of_agent("zerostack"), str(store.root), group=session.project)
    into = importing.plan(session, formats.of_agent("claude-code"))
    assert [(each.fate, each.reason) for each in (*out.rows, *into.rows)] == 2 * [(Fate.DUPLICATE, "it is there already")]
    assert not out.changes and out.rest == "Every line goes along."


def test_a_lesson_that_loses_a_sign_is_told_apart_from_one_in_other_markup(store: AStore, session: Session, home: AStore) -> None:
    store.has("MEMORY.md", "- keep a >= 5\n- run `x`\n")
    made = planned(session, "oh-my-pi")
    assert row(made, "MEMORY.md:1").losses == ("It loses < and >, which may change what it says.",)
    assert [(each.number, each.is_kept, each.loses_signs) for each in made.left_lines if each.source == "MEMORY.md"] == [
        (1, False, True),
        (2, True, False),
    ]
    assert "1 line goes along without < and >, which may change what is said" in made.rest and not made.is_whole


def test_a_block_of_opencode_is_in_every_prompt_and_a_journal_entry_is_not(session: Session, home: AStore) -> None:
    plan = planned(session, "opencode")
    assert row(plan, "MEMORY.md").cost > 0 and row(plan, "plan.md").cost == 0
    off = "opencode does not read its journal as it stands: agent-memory.json does not turn it on."
    assert row(plan, "plan.md").warnings == (off,) and plan.rest.endswith(f". {off}")
    home.has(".config/opencode/journal/20260101-000000-000.md/in-the-way", "")
    home.has(".config/opencode/agent-memory.json", '{"journal": {"enabled": true}}')
    unread = "Of its journal not all can be read here: what goes there may be there already."
    assert planned(session, "opencode").rest.endswith(f". {unread}") and off not in planned(session, "opencode").rest
    before = stores.open_store(session.config, "opencode", cwd=session.folder)
    assert preview(before).size == 0 and plan.grows
    applying.apply(plan)
    assert preview(stores.open_store(session.config, "opencode", cwd=session.folder)).size == sum(plan.grows.values())
    ignored = Path(session.folder, ".opencode/memory/.gitignore")
    assert ignored.read_text() == "*\n" and any(each.startswith(f"{ignored} is written, too") for each in plan.notes)


@pytest.mark.parametrize("way", ["export", "transfer"])
def test_a_plan_that_is_made_again_reads_only_the_files_that_it_writes(
    session: Session, home: AStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    there = AStore(tmp_path / "there").has("notes/Other.md", "# Plan\n\nsteps\n").has("notes/own.md", "words\n")
    goal = formats.of_agent("markdown")

    def made(**options: Any) -> Plan:
        if way == "export":
            return exporting.plan(session, goal, str(there.root), **options)
        source = home.has(".memsearch/memory/plan.md", "# Plan\n\nsteps\n").has(".memsearch/memory/more.md", "more\n")
        to = transferring.Goal(goal, str(there.root))
        return transferring.plan(session, formats.of_agent("memsearch"), str(source.at(".memsearch")), to, **options)

    first = made()
    read, asked = files.read, list[str]()

    def seen(place: str, *more: Any) -> Any:
        asked.append(place)
        return read(place, *more)

    monkeypatch.setattr(files, "read", seen)
    rows = [each for each in first.rows if each.ticked]
    again = made(again=first, without={rows[0].key})
    assert [each.key for each in again.rows if each.ticked] == [each.key for each in rows[1:]]
    assert not {str(there.at("notes/own.md"))}.intersection(asked)
    Path(rows[-1].place).parent.mkdir(exist_ok=True)
    Path(rows[-1].place).write_text("of somebody\n")
    changed = {each.key: each for each in made(again=again).rows}[rows[-1].key]
    assert changed.fate is Fate.CONFLICT or "of somebody" in str(made(again=again).of_row(changed)), "what came meanwhile is seen"
    assert (there.raw("notes/own.md"), Path(rows[-1].place).read_text()) == (b"words\n", "of somebody\n")


@pytest.mark.parametrize(("format", "link"), [("markdown", "notes"), ("markdown", "notes/plan.md"), ("memsearch", "notes")])
def test_only_what_a_link_leads_out_of_the_target_stays_behind(session: Session, tmp_path: Path, format: str, link: str) -> None:
    away = AStore(tmp_path / "away").has("plan.md", "of somebody, with a word\n")
    there = AStore(tmp_path / "out" / (".memsearch/memory" if format == "memsearch" else ""))
    there.at(link).parent.mkdir(parents=True, exist_ok=True)
    there.at(link).symlink_to(away.at("plan.md") if link.endswith(".md") else away.root)
    done = exported(session, format, str(there.root))
    kept, reason = row(done.plan, "plan.md"), f"{there.at('notes/plan.md')} is a link that leaves the store, to {away.root}"
    assert kept.fate is Fate.SKIPPED and kept.reason.startswith(reason)
    assert done.changed and "Left out: " in done.plan.rest and away.tree() == {"plan.md": b"of somebody, with a word\n"}


def test_a_fact_of_two_files_that_stands_in_the_target_is_left_out_of_neither(home: AStore, tmp_path: Path) -> None:
    own = f"projects/{encoded(str(tmp_path))}/memory"
    home.has(f".claude/{own}/user_facts.md", "---\ntype: user\n---\nuse uv\n").has(f".claude/{own}/MEMORY.md", "use uv")
    home.has(f".qwen/{own}/user_other.md", "---\ntype: user\n---\n\nuse uv\n")
    plan = planned(stores.open_store(Config(), "claude-code", cwd=str(tmp_path)), "qwen-code")
    [fact] = plan.rows
    assert (fact.fate, fact.also) == (Fate.DUPLICATE, (f"{own}/MEMORY.md",))
    assert [each for each in plan.left_lines if each.text == "use uv"] == []


def test_where_an_export_goes_without_a_folder_is_every_place_that_it_may_write_to(session: Session, home: AStore) -> None:
    for name in (each.name for each in formats.every() if each.finds_its_place):
        places = export_targets.usual_places(session, name)
        made = [each.place for each in planned(session, name).changes]  # none where the agent has not worked in the folder yet
        assert all(any(each.startswith(f"{place}/") for place in places) for each in made), name
    assert export_targets.usual_places(session, "opencode") == [
        str(home.at(".config/opencode")),
        f"{session.folder}/.opencode/memory",
    ]
    reads = home.at(".local/share/zerostack/agent/memory")
    assert export_targets.usual_places(session, "zerostack") == [str(reads)]
    assert import_reading.usual_places(session, "gemini") == [], "nothing is offered to be read that is not there"
    home.has(".gemini/GEMINI.md", "- tabs\n")
    assert import_reading.usual_places(session, "gemini") == [str(home.at(".gemini"))]
    there = stores.open_store(Config(), "zerostack", cwd=session.folder)
    assert there.root == str(reads) and export_targets.usual_places(there, "zerostack") == []
    assert export_targets.is_here(there, "zerostack") and not export_targets.is_here(session, "zerostack")


def test_a_folder_that_cannot_be_listed_is_not_taken_for_empty(
    session: Session, home: AStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    exported(session, "opencode")
    journal, listdir, before = str(home.at(".config/opencode/journal")), os.listdir, home.tree()

    def fails(place: Any) -> list[str]:
        if place == journal:
            raise OSError(errno.EIO, "Input/output error")
        return listdir(place)

    monkeypatch.setattr(os, "listdir", fails)
    with pytest.raises(WriteFailed) as refused:
        exported(session, "opencode")
    assert str(refused.value) == f"{journal} cannot be listed: Input/output error. Nothing was exported."
    assert home.tree() == before


@pytest.mark.parametrize(("head", "reason"), [("limit: 60", "its limit is 60"), ("read_only: true", "marked read_only")])
def test_the_rules_of_a_block_that_is_there_hold(store: AStore, session: Session, head: str, reason: str) -> None:
    theirs = f"---\nlabel: scratchpad\n{head}\nmine: kept\n---\n- [ ] theirs\n"
    place = Path(session.folder, ".opencode/memory/scratchpad.md")
    place.parent.mkdir(parents=True)
    place.write_text(theirs)
    store.has("~/SCRATCHPAD.md", "- [ ] a task that is rather long, so that both do not fit\n")
    done = exported(session, "opencode")
    item = row(done, "SCRATCHPAD.md")
    assert item.fate is Fate.SKIPPED and reason in item.reason and place.read_text() == theirs
    bare = theirs.replace(f"{head}\n", "")
    place.write_text(bare)
    exported(session, "opencode")
    assert place.read_text() == f"{bare}- [ ] a task that is rather long, so that both do not fit\n", "what it has beside stays"


def test_a_topic_is_listed_where_its_line_is_loaded_and_what_that_pushes_out_is_said(session: Session, home: AStore) -> None:
    place = ".claude/projects/-w/memory/MEMORY.md"
    home.has(place, "".join(f"- line {number}\n" for number in range(220)))
    done = exported(session, "claude-code", group="project:-w")
    listed = home.raw(place).split(b"- line 0\n")[0].splitlines()
    assert any(line.startswith(b"- [Plan](project_plan.md)") for line in listed)
    out = "Out goes: “- line {}” of MEMORY.md: past line 200. = (Fit), or `zsmem fit`, makes room."
    said = [each for item in done.plan.rows for each in item.warnings if "Out goes" in each]
    assert said == [out.format(199 - at) for at in range(len(listed))]


def test_a_topic_whose_line_does_not_fit_into_the_index_is_written_and_said(session: Session, home: AStore) -> None:
    place = ".claude/projects/-w/memory/MEMORY.md"
    home.has(place, full := "".join(f"- [line](line{number}.md)\n" for number in range(200)))
    done = exported(session, "claude-code", group="project:-w")
    assert home.raw(place).decode() == full and home.at(".claude/projects/-w/memory/project_plan.md").exists()
    assert "Claude Code loads 200 lines" in row(done, "plan.md").warnings[0]


def test_a_note_that_is_a_topic_already_keeps_its_name_and_is_listed_by_its_title_and_found_again(
    store: AStore, session: Session, home: AStore
) -> None:
    """One that has been there by another name stays there."""
    memory = f".claude/projects/{encoded(session.folder)}/memory"
    head = "---\nname: Log tool fixes as they happen\ndescription: When tools are mended\ntype: feedback\n---\n\n"
    body = "# Why\n\nwords\n\n- a\n"
    store.has("~/notes/feedback_log-2026-03-31.md", f"{head}first words\n\n- a\n").has("~/notes/tea.md", f"{head}tea\n\n- b\n")
    store.has("~/notes/feedback_plain.md", body)
    exported(session, "claude-code")
    there = home.tree()
    assert there[f"{memory}/feedback_log-2026-03-31.md"] == store.raw("~/notes/feedback_log-2026-03-31.md")
    assert f"{memory}/feedback_tea.md" in there and f"{memory}/project_feedback_plain.md" in there, "it would come back as a fact"
    line = b"- [Log tool fixes as they happen](feedback_log-2026-03-31.md) \xe2\x80\x94 When tools are mended\n"
    assert line in there[f"{memory}/MEMORY.md"]
    back = importing.plan(session, formats.of_agent("claude-code"))
    assert not back.changes and not planned(session, "claude-code").changes
    store.has("~/notes/feedback_plain.md", head + body)
    [change] = planned(session, "claude-code").changes
    assert change.ref.path.endswith("/project_feedback_plain.md") and change.after == (head + body).encode()


def test_notes_whose_names_become_one_there_get_numbers(store: AStore, session: Session, home: AStore) -> None:
    store.has("~/notes/Plan.md", "another\n").has("~/notes/p.l.md", "third\n")
    done = exported(session, "claude-code", group="project:-w")
    assert {item.fate for item in done.plan.rows if "/notes/" in item.source} == {Fate.ADD}
    assert len({item.place for item in done.plan.rows if "/notes/" in item.source}) == 3


def test_what_was_exported_is_renewed_while_it_is_ours_and_left_when_somebody_changed_it(
    store: AStore, session: Session, home: AStore
) -> None:
    place = ".claude/projects/-w/memory/project_plan.md"
    exported(session, "claude-code", group="project:-w")
    store.has("~/notes/plan.md", "# Plan\n\nother steps\n")
    done = exported(session, "claude-code", group="project:-w")
    assert b"other steps" in home.raw(place) and row(done, "plan.md").reason == "it takes the place of what was exported before"
    line = line_of(row(done, "plan.md")._replace(losses=("They are one.",)), "there")
    assert line.endswith(": it takes the place of what was exported before. They are one.")
    home.has(place, home.raw(place).replace(b"other", b"their") + b"theirs\n")
    store.has("~/notes/plan.md", "# Plan\n\nthird\n")
    done = exported(session, "claude-code", group="project:-w")
    assert row(done, "plan.md").fate is Fate.CONFLICT and home.raw(place).endswith(b"theirs\n")
    assert row(done, "plan.md").made.encode() == home.raw(place), "what is in the way"
    done = removed(session, "claude-code", group="project:-w")
    assert home.raw(place).endswith(b"theirs\n") and done.warning and "1 item stayed: somebody changed" in done.message
    assert home.raw(".claude/projects/-w/memory/MEMORY.md") == b"# Memory Index\n\n- [Plan](project_plan.md) \xe2\x80\x94 steps\n"
    home.at(place).unlink()
    assert row(removed(session, "claude-code", group="project:-w"), "plan.md").reason == "the file is gone already"


@pytest.mark.parametrize("kept", ["user_zerostack_facts.md", "project_open_tasks.md", "project_plan.md"])
def test_a_line_of_an_index_and_its_heading_stay_with_the_note_that_it_lists(
    session: Session, home: AStore, tmp_path: Path, kept: str
) -> None:
    folder = ".claude/projects/-w/memory"
    exported(session, "claude-code", group="project:-w")
    whole = home.raw(f"{folder}/MEMORY.md").splitlines(keepends=True)
    mine = home.raw(f"{folder}/{kept}")
    home.has(f"{folder}/{kept}", mine + b"theirs\n")
    done = removed(session, "claude-code", group="project:-w")
    line = next(each for each in whole if kept.encode() in each)
    assert everything(tmp_path) == {f"{folder}/MEMORY.md": b"".join([*whole[:2], line]), f"{folder}/{kept}": mine + b"theirs\n"}
    stays = [(each.place.rpartition("/")[2], each.reason) for each in done.plan.rows if not each.ticked]
    assert set(stays) <= {(kept, "it does not stand there as it was written"), ("MEMORY.md", taking_out.LISTED)}
    assert "1 item stayed:" in done.message and {each.fate for each in done.plan.rows} == {Fate.TAKEN, Fate.SKIPPED}
    home.has(f"{folder}/{kept}", mine)
    assert removed(session, "claude-code", group="project:-w").changed == 2 and everything(tmp_path) == {}


def test_a_heading_of_an_index_stays_with_what_others_wrote_below(session: Session, home: AStore, tmp_path: Path) -> None:
    index = ".claude/projects/-w/memory/MEMORY.md"
    exported(session, "claude-code", group="project:-w")
    home.has(index, home.raw(index) + b"- theirs\n")
    removed(session, "claude-code", group="project:-w")
    assert everything(tmp_path) == {index: b"# Memory Index\n\n- theirs\n"}


LOCKS = [
    ("ethos", ".ethos/personalities/eng/memory.lock", {"group": "eng"}, "MEMORY.md:1"),
    ("oh-my-pi", ".omp/agent/memories/--x--/learned.lock", {"group": "folder:--x--"}, "MEMORY.md:1"),
    ("memsearch", ".memsearch/.maintenance-a-b.lock", {"path": ".memsearch"}, "plan.md"),
]


@pytest.mark.parametrize(("format", "lock", "asked", "source"), LOCKS)
def test_a_lock_that_the_agent_holds_is_respected(
    session: Session, home: AStore, tmp_path: Path, format: str, lock: str, asked: dict[str, str], source: str
) -> None:
    home.has(lock, "")
    if "path" in asked:
        asked = {"path": str(home.root / asked["path"])}
    before = everything(tmp_path)
    with home.at(lock).open() as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        done = exported(session, format, **asked)
        assert row(done, source).fate is Fate.SKIPPED and "at work on this memory" in row(done, source).reason
        assert everything(tmp_path) == before and not done.changed
    assert exported(session, format, **asked).changed
    with home.at(lock).open() as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        done = applying.apply(taking_out.plan(session, formats.of_agent(format), **asked))
        assert not done.changed and all("at work on this memory" in each.reason for each in done.plan.rows if source in each.place)


@pytest.mark.parametrize("format", FORMATS)
def test_a_file_that_changes_between_plan_and_apply_stops_it_and_nothing_of_it_stays(
    session: Session, tmp_path: Path, format: str
) -> None:
    plan = planned(session, format, **asked_for(format, tmp_path))
    last = max(plan.changes, key=lambda change: change.place)
    Path(last.place).parent.mkdir(parents=True, exist_ok=True)
    Path(last.place).write_text("theirs\n")
    with pytest.raises(Conflict, match=r"Somebody changed .* since the plan was made"):
        applying.apply(plan)
    assert Path(last.place).read_text() == "theirs\n" and len(everything(tmp_path)) == 1
    assert not any(records.written(change.session.root) for change in plan.changes)
    assert undoing.undo(session).message == "Nothing to undo."


@pytest.mark.parametrize("format", FORMATS)
def test_a_folder_in_the_place_of_a_file_is_said_and_the_rest_goes(session: Session, tmp_path: Path, format: str) -> None:
    asked = asked_for(format, tmp_path)
    target = planned(session, format, **asked).changes[0]
    os.makedirs(target.place)
    done = exported(session, format, **asked)
    there = [item for item in done.plan.rows if item.place == target.place]
    assert all(item.fate is not Fate.ADD and item.reason for item in there) and os.path.isdir(target.place)


def test_any_agent_to_any_agent_in_one_go(session: Session, home: AStore, tmp_path: Path) -> None:
    group = f"--{session.folder[1:].replace('/', '-')}--"
    home.has(f".omp/agent/memories/{group}/learned.md", "- a lesson\n")
    ours = AStore(Path(session.root)).tree()
    goal = transferring.goal_of("ethos")
    goal = transferring.Goal(goal.format, group="personality:eng")
    before = everything(tmp_path)
    dry = applying.apply(transferring.plan(session, formats.of_agent("oh-my-pi"), "", goal), dry_run=True)
    assert dry.plan.changes and everything(tmp_path) == before
    done = applying.apply(transferring.plan(session, formats.of_agent("oh-my-pi"), "", goal))
    assert home.raw(".ethos/personalities/eng/omp-learned.md") == b"- a lesson\n" and done.changed == 1
    assert applying.apply(transferring.plan(session, formats.of_agent("oh-my-pi"), "", goal)).changed == 0
    assert AStore(Path(session.root)).tree() == ours
    assert undoing.undo(session).done and everything(tmp_path) == before
    with pytest.raises(BadTarget, match="no format 'nope'"):
        transferring.goal_of("nope")


def test_a_file_that_is_write_protected_is_said_and_nothing_is_written(
    session: Session, home: AStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.has(".ethos/personalities/eng/USER.md", "- theirs\n")
    before, real = everything(tmp_path), os.access
    monkeypatch.setattr(
        os, "access", lambda path, mode: real(path, mode) and not (str(path).endswith("USER.md") and mode == os.W_OK)
    )
    with pytest.raises(MemError, match=r"write-protected\. Nothing was exported"):
        exported(session, "ethos")
    assert everything(tmp_path) == before


def test_the_samples_of_other_agents_go_back_to_where_they_came_from_without_a_change(session: Session, home: AStore) -> None:
    lantern = ".claude/projects/-home-ann-code-lantern/memory"
    sample = Path(__file__).parents[1] / "samples/claude-code/home" / lantern
    for place in sample.rglob("*.md"):
        home.has(f"{lantern}/{place.relative_to(sample)}", place.read_bytes())
    home.has(f"{lantern}/project_x.md", "---\nname: x\n---\n\n# X\n\nwords\n")
    before = {path: raw for path, raw in home.tree().items() if ".local/" not in path}
    plan = importing.plan(session, formats.of_agent("claude-code"), str(home.root / lantern), into=session.project)
    applying.apply(plan)
    back = exported(session, "claude-code", str(home.root / lantern))
    now = {path: raw for path, raw in home.tree().items() if ".local/" not in path and not path.endswith(".bak")}
    assert {path: now[path] for path in before if not path.endswith("/MEMORY.md")} == {
        path: raw for path, raw in before.items() if not path.endswith("/MEMORY.md")
    }
    assert row(back, "project_x.md").fate is Fate.DUPLICATE


def test_what_is_ours_stays_so_when_renewing_it_fails(store: AStore, session: Session, home: AStore) -> None:
    exported(session, "claude-code", group="project:-w")
    root = str(home.root / ".claude")
    before = sorted(records.written(root))
    store.has("~/notes/plan.md", "# Plan\n\nother steps\n").has("MEMORY.md", "- three\n")
    plan = planned(session, "claude-code", group="project:-w")
    home.has(".claude/projects/-w/memory/user_zerostack_facts.md", "theirs\n")
    with pytest.raises(Conflict):
        applying.apply(plan)
    assert sorted(records.written(root)) == before
    assert row(exported(session, "claude-code", group="project:-w"), "plan.md").fate is Fate.ADD


def test_logs_go_to_claude_code_and_notes_into_blocks_when_they_are_asked_for(session: Session, home: AStore) -> None:
    store = AStore(Path(session.root))
    store.has("~/daily/2026-05-24.md", "\n### 10:00 — head\nwords\n").has("~/notes/ü x.md", "a note\n").has("~/notes/b.md", "b\n")
    format = formats.of_agent("claude-code")
    memory = str(home.root / "claude/memory")
    stays = next(item for item in exporting.plan(session, format, memory).rows if "daily" in item.source)
    assert (stays.fate, stays.reason) == (Fate.SKIPPED, "Claude Code has no daily logs: `zsmem export --also` takes it as a note")
    applying.apply(exporting.plan(session, format, memory, also="*/daily/*"))
    assert "### 10:00 — head\nwords" in home.raw("claude/memory/project_log_2026-05-24.md").decode()
    assert "The log of 2026-05-24" in home.raw("claude/memory/MEMORY.md").decode()
    opencode = formats.of_agent("opencode")
    done = applying.apply(exporting.plan(session, opencode, in_prompt="*/notes/*"))
    blocks = AStore(Path(session.folder) / ".opencode/memory").tree()
    assert {"x-n.md", "b-n.md"} <= set(blocks)
    assert b"description: \xc3\xbc x" in blocks["x-n.md"] and blocks["x-n.md"].endswith(b"---\na note\n")
    assert all(item.cost > 0 for item in done.plan.rows if "/notes/" in item.source)
    assert applying.apply(exporting.plan(session, opencode, in_prompt="*/notes/*")).changed == 0


def test_what_is_left_out_is_a_row_and_nothing_else_and_the_rest_is_planned_as_if_it_were_not_there(
    session: Session, home: AStore
) -> None:
    whole = planned(session, "claude-code")
    left = row(whole, "plan.md")
    plan = exporting.plan(session, formats.of_agent("claude-code"), without={left.key}, again=whole)
    assert not row(plan, "plan.md").ticked and row(plan, "plan.md").fate is Fate.LEFT and row(plan, "MEMORY.md").ticked
    applying.apply(plan)
    assert not any("plan" in path for path in home.tree()) and not any(b"plan.md" in raw for raw in home.tree().values())
    again = planned(session, "claude-code")
    assert row(again, "MEMORY.md").fate is Fate.DUPLICATE and row(again, "plan.md").key == left.key
    removal = taking_out.plan(session, formats.of_agent("claude-code"))
    kept = taking_out.plan(session, formats.of_agent("claude-code"), without={each.key for each in removal.rows})
    assert removal.changes and not kept.changes and not any(each.ticked for each in kept.rows)


def test_whose_memory_is_asked_for_only_where_there_are_several(session: Session, home: AStore) -> None:
    assert export_targets.whose(session, "claude-code", "") is None
    assert export_targets.whose(session, "ethos", "") == export_targets.Whose("personality", (), ())
    home.has(".ethos/personalities/eng/MEMORY.md", "x\n")
    assert export_targets.whose(session, "ethos", "") is None
    home.has(".ethos/personalities/ops/MEMORY.md", "x\n").has(".ethos/users/u1/USER.md", "x\n")
    assert export_targets.whose(session, "ethos", "") == export_targets.Whose(
        "personality", ("personality:eng", "personality:ops"), ("u1",)
    )


def test_a_row_names_the_line_of_the_file_that_its_fact_stands_in(home: AStore, tmp_path: Path) -> None:
    folder = str(tmp_path / "home" / "code")
    slug = encoded(folder)
    home.has(
        f".claude/projects/{slug}/memory/MEMORY.md",
        "\ufeff# Index\r\n\r\n- [A](a.md) — hook\r\n\r\n- one\r\n- [B](b.md)\r\n- two\r\n",
    )
    home.has(f".claude/projects/{slug}/memory/a.md", "---\nname: a\n---\n\nA.\n").has(
        f".claude/projects/{slug}/memory/b.md", "B.\n"
    )
    source = stores.open_store(Config(), f"claude-code:{tmp_path / 'home' / '.claude'}", group=f"project:{slug}")
    source.folder = folder
    plan = planned(source, "oh-my-pi", str(tmp_path / "out"))
    rows = {each.text.strip(): each.source.rpartition(":")[2] for each in plan.rows if each.ticked and "MEMORY.md" in each.source}
    assert rows == {"- one": "5", "- two": "7"}


def test_what_is_read_as_one_with_a_project_goes_along(home: AStore, tmp_path: Path) -> None:
    folder = tmp_path / "home" / "code"
    home.has("code/.opencode/memory/project.md", "- of the project\n").has(".config/opencode/memory/human.md", "- for all\n")
    source = which_store.open_here(Config(), cwd=str(folder))
    done = exported(source, "markdown", str(tmp_path / "out"))
    there = "".join(path.read_text() for path in (tmp_path / "out").rglob("*.md"))
    assert "- of the project\n" in there and "- for all\n" in there
    assert done.plan.rest == "Every line goes along."


@pytest.mark.parametrize("group", ["personality:engineer", "a b", "project:-home-code"])
def test_no_folder_that_zerostack_never_reads_is_made(session: Session, tmp_path: Path, group: str) -> None:
    done = exported(session, "zerostack", str(tmp_path / "out"), group=group)
    assert not done.changed and not (tmp_path / "out").exists()
    assert f"zerostack takes no group called {group!r}" in done.message
