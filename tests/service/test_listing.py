"""A file and the index that lists it: one step, one undo."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.builders import NOW, AStore
from zsmem_tui.cli.main import main
from zsmem_tui.config.model import Config
from zsmem_tui.core.errors import BadName, BadTarget, OutsideStore, WriteFailed
from zsmem_tui.core.notice import Notice, NoticeKind, sentences
from zsmem_tui.core.refs import MemRef
from zsmem_tui.service import applying, file_ops, previewing, stores, undoing
from zsmem_tui.service.facts import acts
from zsmem_tui.service.facts.rows import FactReader, Scope
from zsmem_tui.service.session import Session
from zsmem_tui.store import writing
from zsmem_tui.store.disk.tree import DiskTree
from zsmem_tui.ui.facts.screen import weighed

HOME = "projects/-w/memory"


@pytest.fixture
def store(tmp_path: Path) -> AStore:
    made = AStore(tmp_path / "claude").has(f"{HOME}/MEMORY.md", "# Memory Index\n\n- [Ann](user_role.md) - my words\n")
    return made.has(f"{HOME}/user_role.md", "---\nname: user-role\n---\n\nAnn.\n").has(f"{HOME}/project_x.md", "# X\n\nUnlisted.\n")


@pytest.fixture
def session(store: AStore) -> Session:
    return stores.open_store(Config(), f"claude-code:{store.root}", group="project:-w", clock=lambda: NOW)


def index(store: AStore, home: str = HOME) -> str:
    return store.raw(f"{home}/MEMORY.md").decode()


def topic(session: Session, name: str = "user_role.md") -> MemRef:
    return session.ref_at(f"{HOME}/{name}")


def wrong(session: Session) -> list[Notice]:
    return session.layout.lists.findings(DiskTree(session.root), session.project)


def test_a_new_topic_brings_its_line_and_one_undo_takes_both(store: AStore, session: Session) -> None:
    before = store.tree()
    done = file_ops.new_note(session, "Red tape", content="# Red tape\n\nForms in triplicate.\n")
    assert done.ref.path == f"{HOME}/project_red_tape.md" and done.changed == 2 and done.message.endswith("MEMORY.md follows.")
    assert index(store).endswith("- [Red tape](project_red_tape.md) — Forms in triplicate.\n")
    undoing.undo(session)
    assert store.tree() == before
    undoing.undo(session, redo=True)
    assert "project_red_tape.md" in index(store)


def test_facts_that_become_a_topic_have_its_frontmatter_and_its_line(store: AStore, session: Session) -> None:
    store.has(f"{HOME}/MEMORY.md", index(store) + "- Redis listens on port 6380.\n" + "- more\n" * 200)
    before = store.tree()
    [fact] = [row for row in FactReader(session).read(Scope.ALL).rows if "6380" in row.fact.says]
    plan = acts.move(session, [fact], acts.new_note(session, session.project, "reference_ports"))
    assert plan.notes == ()
    with pytest.raises(BadTarget, match="the line about the note is 39 bytes longer than what leaves it"):
        acts.unload(session, [fact], acts.new_note(session, session.project, "reference_ports"))
    [listed] = [row for row in FactReader(session).read(Scope.ALL).rows if "my words" in row.fact.says]
    with pytest.raises(BadTarget, match=r"is about a note, which has its text already: d takes it out. The note is .*_role"):
        acts.unload(session, [listed], acts.new_note(session, session.project, "reference_ports"))
    assert applying.apply(plan).message.endswith(" Its line in MEMORY.md is longer than what leaves it, by 39 bytes.")
    head = (
        'name: "reference-ports"\ndescription: "Redis listens on port 6380."\nmetadata:\n  node_type: memory\n  type: reference\n'
    )
    made = store.raw(f"{HOME}/reference_ports.md").decode()
    assert made == f"---\n{head}---\n\n# reference_ports\n\n- Redis listens on port 6380.\n"
    told = "- [reference_ports](reference_ports.md) — Redis listens on port…\n"
    assert index(store) == "# Memory Index\n\n- [Ann](user_role.md) - my words\n" + told + "- more\n" * 200
    undoing.undo(session)
    assert store.tree() == before
    store.has(f"{HOME}/MEMORY.md", "- Redis of the staging cluster listens on port 6380, and that of production on 6381.\n")
    [fact] = [row for row in FactReader(session).read(Scope.ALL).rows if "6380" in row.fact.says]
    done = applying.apply(acts.move(session, [fact], acts.new_note(session, session.project, "reference_ports")))
    assert index(store) == "- [reference_ports](reference_ports.md) — Redis of the staging…\n", "it does not repeat the fact"
    assert done.message.endswith("reference_ports.md.")


def test_before_the_key_it_is_said_that_a_note_goes_with_its_only_fact(store: AStore, session: Session) -> None:
    store.has(f"{HOME}/user_role.md", "---\nname: role\ndescription: Ann.\n---\n\n- Ann likes tea\n")
    [fact] = [row for row in FactReader(session).read(Scope.ALL).rows if row.fact.says == "Ann likes tea"]
    told = {each.name: each.problem for each in weighed(session, [fact], session.project) if each.effect}
    assert told["+ load"].startswith("user_role.md goes.") and "goes" not in told["d delete"]
    applying.apply(acts.promote(session, [fact]))
    assert not store.at(f"{HOME}/user_role.md").exists()


FULL = "# Ops\n\n- The scores, pool entries and caches of the pipeline\n" + "".join(f"- fact {n}\n" for n in range(4, 334))


def test_an_unloaded_fact_leaves_its_loaded_place_to_the_line_of_its_note(store: AStore, session: Session) -> None:
    store.has(f"{HOME}/MEMORY.md", FULL)
    before = store.tree()
    [fact] = [row for row in FactReader(session).read(Scope.ALL).rows if "scores" in row.fact.says]
    plan = acts.move(session, [fact], acts.new_note(session, session.project, "ops"))
    found = acts.effect(session, plan)
    line = "- [project_ops](project_ops.md) — The scores, pool entries…"
    assert (found.gained, found.dropped) == ((line,), ("- The scores, pool entries and caches of the pipeline",))
    assert plan.notes == ()
    applying.apply(plan)
    assert index(store) == FULL.replace("- The scores, pool entries and caches of the pipeline", line)
    undoing.undo(session)
    assert store.tree() == before


def test_a_fact_that_is_not_loaded_gets_a_line_that_is_and_what_that_pushes_out_is_named(store: AStore, session: Session) -> None:
    store.has(f"{HOME}/MEMORY.md", FULL)
    [fact] = [row for row in FactReader(session).read(Scope.ALL).rows if row.fact.says == "fact 300"]
    plan = acts.move(session, [fact], acts.new_note(session, session.project, "ops"))
    assert plan.notes == ("Out goes: “- fact 200” of MEMORY.md: past line 200. = (Fit), or `zsmem fit`, makes room.",)
    applying.apply(plan)
    assert index(store).splitlines()[2] == "- [project_ops](project_ops.md) — fact 300"
    done = file_ops.new_note(session, "Red tape", content="# Red tape\n\nForms in triplicate.\n")
    assert "Out goes: “- fact 199” of MEMORY.md: past line 200." in done.message
    assert index(store).splitlines()[3].startswith("- [Red tape](project_red_tape.md)")


def test_the_line_of_an_unloaded_fact_has_words_to_find_it_by(store: AStore, session: Session) -> None:
    store.has(f"{HOME}/MEMORY.md", "- Scores, research_pool entries, PDFs, TF-IDF cache, telemetry\n")
    [fact] = [row for row in FactReader(session).read(Scope.ALL).rows if "telemetry" in row.fact.says]
    applying.apply(acts.move(session, [fact], acts.new_note(session, session.project, "api-server")))
    assert index(store) == "- [project_api_server](project_api_server.md) — Scores, research_pool entries, PDFs…\n"


def test_a_renamed_topic_keeps_the_words_of_its_line_and_links_in_other_topics_follow(store: AStore, session: Session) -> None:
    old = topic(session).path.rpartition("/")[2].removesuffix(".md")
    store.has(f"{HOME}/project_a.md", f"See [her]({old}.md#x), [[{old}]], [b](b.md) and `{old}.md`.\n")
    before = store.tree()
    done = file_ops.rename(session, topic(session), "user_work")
    assert index(store) == "# Memory Index\n\n- [Ann](user_work.md) - my words\n"
    assert store.raw(f"{HOME}/project_a.md") == f"See [her](user_work.md#x), [[{old}]], [b](b.md) and `{old}.md`.\n".encode()
    assert "MEMORY.md and project_a.md follow. Its frontmatter keeps the name " in done.message
    undoing.undo(session)
    assert store.tree() == before


@pytest.mark.parametrize(
    ("old", "text", "called"),
    [
        ("feedback_make_check.md", "Short.\n", "feedback_checks.md"),
        ("feedback_make_check.md", "---\ntype: feedback\n---\n\nShort.\n", "feedback_checks.md"),
        ("make_check.md", "---\nmetadata:\n  type: reference\n---\n\nShort.\n", "reference_checks.md"),
        ("make_check.md", "Short.\n", "project_checks.md"),
        ("user_x.md", "---\ntype: mood\n---\n\nShort.\n", "user_checks.md"),
    ],
)
def test_a_topic_keeps_its_type_under_another_name(store: AStore, session: Session, old: str, text: str, called: str) -> None:
    store.has(f"{HOME}/{old}", text)
    before = store.tree()
    assert file_ops.duplicate(session, topic(session, old), "checks").ref.path == f"{HOME}/{called}"
    undoing.undo(session)
    assert file_ops.rename(session, topic(session, old), "checks").ref.path == f"{HOME}/{called}"
    undoing.undo(session)
    assert store.tree() == before
    assert file_ops.rename(session, topic(session, old), "reference_y").ref.path == f"{HOME}/reference_y.md"


LONG = "a23456789_" * 5 + "a234567890"
"""As long as a name of a topic is written."""


@pytest.mark.parametrize(
    ("there", "asked", "meant"),
    [
        (["project_weekly_rhythm_2026-03-24"], "weekly_rhythm_2026-03-24", "project_weekly_rhythm_2026-03-24"),
        (["project_weekly_rhythm_2026-03-24"], "project-weekly-rhythm_2026-03-24", "project_weekly_rhythm_2026-03-24"),
        (["feedback_make-check"], "Make check", "feedback_make-check"),
        (["Make-Check"], "project_make_check", "Make-Check"),
        (["feedback_make-check"], "user_make_check", "user_make_check"),
        (["foo_make_check"], "make_check", "project_make_check"),
        (["feedback_make_check", "user_make_check"], "make_check", "project_make_check"),  # either may be meant
        (["feedback_make_check", "project_make_check"], "make_check", "project_make_check"),
        (["feedback_make_check", "make_check"], "make_check", "make_check"),
        (["feedback_memory"], "memory", "feedback_memory"),  # MEMORY.md is no topic
        ([f"feedback_{LONG}_one"], f"feedback_{LONG}_two", f"feedback_{LONG}"),
    ],
)
def test_a_topic_is_meant_by_a_name_that_differs_only_as_names_of_topics_are_written(
    store: AStore, session: Session, there: list[str], asked: str, meant: str
) -> None:
    for name in there:
        store.has(f"{HOME}/{name}.md", "Short.\n")
    done = session.mem().write("note", "more\n", name=asked)
    assert Path(done.path).stem == meant == session.mem().source_ref("note", asked).name
    assert acts.new_note(session, session.project, asked).ref.name == meant
    assert len(store.tree()) == 3 + len(there) + (meant not in there)


def test_no_second_topic_is_made_of_a_name_that_is_only_written_otherwise(store: AStore, session: Session) -> None:
    store.has(f"{HOME}/project_make-check.md", "Short.\n")
    taken = r"project_make-check\.md is there already"
    with pytest.raises(BadName, match=taken):
        file_ops.new_note(session, "make check")
    with pytest.raises(BadName, match=taken):
        file_ops.duplicate(session, topic(session), "project_make_check")
    with pytest.raises(BadName, match=taken):
        file_ops.rename(session, topic(session, "project_x.md"), "Make check")
    assert file_ops.rename(session, topic(session, "project_make-check.md"), "make check").ref.name == "project_make_check"
    assert file_ops.new_note(session, "feedback_make-check").message.startswith("Made note feedback_make_check.")
    assert file_ops.new_note(session, "Some thing-2026-01-01").message.startswith("Made note project_some_thing_2026_01_01.")


def test_a_deleted_topic_takes_its_line_along_and_comes_back_with_one(store: AStore, session: Session) -> None:
    before = store.tree()
    file_ops.delete(session, topic(session))
    assert index(store) == "# Memory Index\n\n"
    file_ops.restore(session)
    assert index(store).endswith("- [Role](user_role.md) — Ann.\n")
    undoing.undo(session)
    undoing.undo(session)
    assert store.tree() == before


def test_a_topic_moved_to_another_project_moves_its_line(store: AStore, session: Session) -> None:
    file_ops.move(session, topic(session), "project:-v")
    assert index(store) == "# Memory Index\n\n"
    assert index(store, "projects/-v/memory") == "# Memory Index\n\n- [Ann](user_role.md) — my words\n"


def test_what_would_follow_is_told_before_and_can_be_left_alone(store: AStore, session: Session) -> None:
    before = store.tree()
    (found,) = file_ops.companions(session, topic(session), None)
    assert found.ref.path == f"{HOME}/MEMORY.md" and found.after == b"# Memory Index\n\n" and store.tree() == before
    done = file_ops.delete(session, topic(session), alone=True)
    assert done.also == () and index(store).endswith("my words\n")
    assert [each.kind for each in wrong(session)] == [NoticeKind.DEAD_LINK, NoticeKind.UNLISTED]


def test_a_dead_line_and_an_unlisted_topic_are_put_right(store: AStore, session: Session) -> None:
    file_ops.delete(session, topic(session), alone=True)
    assert file_ops.remove_listing(session, topic(session)).changed == 1
    assert file_ops.add_listing(session, topic(session, "project_x.md")).message.endswith("project_x.md.")
    assert index(store) == "# Memory Index\n\n- [X](project_x.md) — Unlisted.\n" and wrong(session) == []
    assert file_ops.add_listing(session, topic(session, "project_x.md")).changed == 0
    undoing.undo(session)
    assert [each.kind for each in wrong(session)] == [NoticeKind.UNLISTED]


def test_when_the_file_cannot_be_taken_away_its_line_stays(
    store: AStore, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = store.tree()

    def fail(*args: object, **named: object) -> None:
        raise WriteFailed("x", "No. It was not deleted.")

    monkeypatch.setattr(writing, "remove", fail)
    with pytest.raises(WriteFailed):
        file_ops.delete(session, topic(session))
    assert store.tree() == before


def test_a_dry_run_changes_neither(store: AStore, session: Session) -> None:
    before = store.tree()
    session.dry_run = True
    assert file_ops.delete(session, topic(session)).also and store.tree() == before


def test_what_is_wrong_with_the_index_is_among_what_the_prompt_tells(session: Session) -> None:
    said = " ".join(sentences(previewing.findings(session)))
    assert "No line of " in said and "project_x.md" in said


def test_context_counts_what_is_wrong_alike_and_names_all_of_it_where_it_explains(
    store: AStore, capsys: pytest.CaptureFixture[str]
) -> None:
    named = ("--store", f"claude-code:{store.root}", "--group", "project:-w")
    store.has(f"{HOME}/MEMORY.md", index(store) + "".join(f"- [Gone](gone_{at}.md) — {at}\n" for at in range(37)))
    said = {}
    for words in ((), ("--explain",), ("--json",)):
        assert main(["context", *words, *named]) == 0
        said[words] = capsys.readouterr()
    assert said[()].err.count("gone_") == 1
    assert "So it is with 36 more lines: zsmem doctor lists them." in said[()].err
    assert said["--explain",].err.count("gone_") == 37 == len(re.findall("leads to gone_", said["--json",].out))


def test_the_verbs_are_there_headless(store: AStore, capsys: pytest.CaptureFixture[str]) -> None:
    named = ("--store", f"claude-code:{store.root}", "--group", "project:-w")
    assert main(["file", "list", "project_x.md", *named]) == 0 and "project_x.md" in index(store)
    assert main(["file", "rm", "project_x.md", "--alone", *named]) == 0 and "project_x.md" in index(store)
    assert main(["file", "unlist", "project_x.md", *named]) == 0 and "project_x.md" not in index(store)
    assert main(["file", "unlist", "project_x.md", *named]) == 1
    capsys.readouterr()
    assert main(["file", "rm", "user_role.md", "--json", *named]) == 0
    assert json.loads(capsys.readouterr().out)["also"] == [str(store.at(f"{HOME}/MEMORY.md"))]


def test_a_link_out_of_the_memory_is_not_listed_with_words_of_the_file_that_it_leads_to(session: Session, tmp_path: Path) -> None:
    (tmp_path / "outside.md").write_text("# Outside\n\nWords of others.\n")
    ref = topic(session, "project_out.md")
    Path(session.path(ref)).symlink_to(tmp_path / "outside.md")
    with pytest.raises(OutsideStore, match="is a link that leaves the store"):
        file_ops.add_listing(session, ref)


def test_a_note_that_a_fact_goes_to_is_proposed_by_the_name_that_its_file_gets(store: AStore, session: Session) -> None:
    store.has(f"{HOME}/MEMORY.md", "# User preferences\n\n- Tabs.\n")
    [fact] = [row for row in FactReader(session).read(Scope.ALL).rows if row.fact.says == "Tabs."]
    name = acts.proposed_note(session, session.project, fact)
    assert name == "project_user_preferences" and acts.new_note(session, session.project, name).ref.name == name
