"""Moving, merging, following, archiving and naming projects: nothing is lost, and one undo brings everything back."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.builders import PROJECT, AStore
from tests.service.projects.stores import SLUGS, a_store, everything
from zsmem_tui.config import locate
from zsmem_tui.core.errors import BadName, BadTarget, Missing, WriteFailed
from zsmem_tui.core.names import project_slug
from zsmem_tui.core.refs import Role
from zsmem_tui.service import applying, history, reviewing, undoing
from zsmem_tui.service.plan import Applied
from zsmem_tui.service.projects import moving
from zsmem_tui.service.projects.known import former_slugs, group_called, known_projects
from zsmem_tui.service.projects.naming import name_projects
from zsmem_tui.service.session import Session
from zsmem_tui.service.tasks import by_ids, task_list
from zsmem_tui.store import drafts, interrupted, step_record, writing
from zsmem_tui.store.disk import state, swap
from zsmem_tui.store.disk.folders import inside
from zsmem_tui.store.drafts import Draft
from zsmem_tui.store.transfer import bundle

OTHER = "other-00000000"


def moved(session: Session, slug: str, to: str) -> Applied:
    return applying.apply(moving.move(session, slug, to))


def merged(session: Session, slugs: list[str], into: str) -> Applied:
    return applying.apply(moving.merge(session, slugs, into))


def tidied(session: Session, dice: random.Random) -> None:
    """Do one of the verbs."""
    a, b, c = SLUGS
    match dice.choice(["move", "merge", "two", "archive", "new"]):
        case "move":
            moved(session, a, b)
        case "merge":
            merged(session, [a], b)
        case "two":
            merged(session, [a, c], b)
        case "archive":
            applying.apply(moving.archive(session, a))
        case _:
            moved(session, a, "somewhere-new-0123abcd")


def undone_everywhere(place: Path, seeds: range) -> list[str]:
    wrong = []
    for seed in seeds:
        session = a_store(place / str(seed), seed)
        first = everything(session.root)
        tidied(session, random.Random(seed))
        after = everything(session.root)
        if SLUGS[0] in os.listdir(f"{session.root}/projects"):
            wrong.append(f"{seed}: it is still there")
        undoing.undo(session)
        if everything(session.root) != first:
            wrong.append(f"{seed}: undo does not bring back what was there")
        undoing.undo(session, redo=True)
        if everything(session.root) != after:
            wrong.append(f"{seed}: redo does not do the same")
    return wrong


def test_undo_brings_back_every_byte_and_every_folder(tmp_path: Path) -> None:
    assert undone_everywhere(tmp_path, range(6)) == []


@pytest.mark.slow
def test_undo_brings_back_every_byte_and_every_folder_of_200_stores(tmp_path: Path) -> None:
    assert undone_everywhere(tmp_path, range(200)) == []


def test_a_project_is_moved_byte_for_byte_with_the_times_of_its_files(tmp_path: Path) -> None:
    store = AStore(tmp_path).has("~/notes/n.md", b"\xff\r\nx").has("~/daily/2026-05-01.md", "d").has("~/odd/x.bin", b"\0")
    os.utime(store.at("~/notes/n.md"), ns=(10**18, 10**18))
    os.chmod(store.at("~/odd/x.bin"), 0o600)
    first = store.tree()
    store.at(f"projects/{OTHER}/notes").mkdir(parents=True)
    done = moved(store.session(), PROJECT, OTHER)
    assert store.tree() == {path.replace(PROJECT, OTHER): raw for path, raw in first.items()}
    assert store.at(f"projects/{OTHER}/notes/n.md").stat().st_mtime_ns == 10**18
    assert store.at(f"projects/{OTHER}/odd/x.bin").stat().st_mode & 0o777 == 0o600
    assert (done.changed, done.stays, done.undo_problem) == (3, (), "") and f"to {OTHER}: 3 files" in done.message
    for redo in (False, True):
        undoing.undo(store.session(), redo=redo)
        assert store.at(f"projects/{OTHER}/notes").is_dir(), "which was there before"
        assert store.at(f"projects/{OTHER if redo else PROJECT}/odd/x.bin").stat().st_mode & 0o777 == 0o600
    assert store.at(f"projects/{OTHER}/notes/n.md").stat().st_mtime_ns == 10**18


def test_a_merge_says_beforehand_what_it_does(tmp_path: Path) -> None:
    store = AStore(tmp_path).has("~/SCRATCHPAD.md", "- [ ] a\n").has("~/notes/same.md", "s").has("~/notes/two.md", "mine")
    for path, text in (("SCRATCHPAD.md", "- [ ] b\n"), ("notes/same.md", "s"), ("notes/two.md", "theirs")):
        store.has(f"projects/{OTHER}/{path}", text)
    session, first = store.session(), store.tree()
    session.dry_run = True
    planned = merged(session, [PROJECT], OTHER)
    assert store.tree() == first
    assert {each.source.rpartition("/")[2]: each.fate.value for each in planned.plan.rows} == {
        "SCRATCHPAD.md": "merged",
        "same.md": "once",
        "two.md": "beside",
    }
    session.dry_run = False
    assert merged(session, [PROJECT], OTHER).plan.rows == planned.plan.rows
    home = f"projects/{OTHER}"
    assert store.tree() == {
        f"{home}/SCRATCHPAD.md": b"- [ ] b\n- [ ] a\n",
        f"{home}/notes/same.md": b"s",
        f"{home}/notes/two.md": b"theirs",
        f"{home}/notes/two-2.md": b"mine",
    }


def test_two_projects_with_notes_of_one_name_merge_as_the_plan_says(tmp_path: Path) -> None:
    store = AStore(tmp_path).has("~/notes/n.md", "mine\n").has(f"projects/{OTHER}/notes/n.md", "theirs\n")
    plan = moving.merge(store.session(), [PROJECT, OTHER], "third-00000000")
    shown = {row.ref.path: row.source for row in plan.rows}
    texts = store.tree()
    applying.apply(plan)
    assert store.tree() == {path: texts[source] for path, source in shown.items()} and len(shown) == 2


def test_history_drafts_ids_and_what_was_not_reviewed_follow_and_go_back(tmp_path: Path) -> None:
    store = AStore(tmp_path).has("~/SCRATCHPAD.md", "- [ ] a\n").has("~/notes/n.md", "old\n")
    store.has(f"projects/{OTHER}/SCRATCHPAD.md", "- [ ] b\n")
    session = store.looked_at()
    store.has("~/notes/n.md", "newer\n").has("~/SCRATCHPAD.md", "- [ ] a\n- [ ] from an agent\n")
    history.look_at_all(session)
    [task, _] = task_list(session, [PROJECT]).tasks
    pad, note = f"projects/{PROJECT}/SCRATCHPAD.md", f"projects/{PROJECT}/notes/n.md"
    drafts.put(session.root, Draft(note, b"draft", b"newer\n"))
    first = everything(session.root)
    moved(session, PROJECT, OTHER)
    there = note.replace(PROJECT, OTHER)
    texts = [history.text(session, version) for version in history.of_file(session, session.ref_at(there))]
    assert texts == [b"newer\n", b"newer\n", b"old\n"]
    assert drafts.listing(session.root) == [there]
    assert [each.item.text for each in by_ids(task_list(session, [OTHER]), [task.id], former_slugs(session))] == ["a"]
    waiting = {each.ref.path: each for each in reviewing.pending(session)}
    assert waiting.keys() == {there, pad.replace(PROJECT, OTHER)}
    assert waiting[there].reviewed == b"old\n"
    assert waiting[pad.replace(PROJECT, OTHER)].reviewed == b"- [ ] b\n- [ ] a\n"
    olds = [history.text(session, version) for version in history.of_file(session, session.ref_at(pad.replace(PROJECT, OTHER)))]
    assert b"- [ ] a\n" in olds and b"- [ ] b\n" in olds
    undoing.undo(session)
    assert everything(session.root) == first and drafts.listing(session.root) == [note]
    assert {each.ref.path for each in reviewing.pending(session)} == {note, pad}


@pytest.mark.parametrize("is_gone", [False, True])
def test_what_an_agent_writes_into_the_old_place_meanwhile_goes_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_gone: bool
) -> None:
    store = AStore(tmp_path).has("~/SCRATCHPAD.md", "- [ ] a\n").has("~/notes/n.md", "n\n")
    acts = iter(
        [
            ("~/SCRATCHPAD.md", "- [ ] a\n- [ ] appended\n"),
            ("~/notes/late.md", "a new one\n"),
            ("~/SCRATCHPAD.md", "- [ ] a\n- [ ] written anew\n"),
        ]
    )
    real = writing.remove

    def remove(root: str, path: str, **options: object) -> object:
        if (act := next(acts, None)) is not None:
            store.has(*act)
            if is_gone and "anew" in act[1]:  # what was moved already is deleted
                store.at(f"projects/{OTHER}/SCRATCHPAD.md").unlink()
        return real(root, path, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(writing, "remove", remove)
    done = moved(store.session(), PROJECT, OTHER)
    home = f"projects/{OTHER}"
    assert store.tree() == {
        f"{home}/SCRATCHPAD.md": b"- [ ] a\n- [ ] written anew\n",
        f"{home}/notes/n.md": b"n\n",
        f"{home}/notes/late.md": b"a new one\n",
    }
    assert done.stays == () and not store.at("~/").exists()


def test_what_never_stops_coming_stays_and_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = AStore(tmp_path).has("~/notes/n.md", "n\n")
    real, number = writing.remove, iter(range(100))

    def remove(root: str, path: str, **options: object) -> object:
        done = real(root, path, **options)  # type: ignore[arg-type]
        store.has("~/notes/n.md", f"n\n{next(number)}\n")
        return done

    monkeypatch.setattr(writing, "remove", remove)
    done = moved(store.session(), PROJECT, OTHER)
    assert done.warning and done.stays == (f"projects/{PROJECT}/notes/n.md",) and "still there" in done.message
    assert b"n\n" in store.raw("~/notes/n.md")


def test_a_project_that_is_archived_is_a_bundle_and_comes_back(tmp_path: Path, away_from_home: Path) -> None:
    slug = project_slug(str(away_from_home))
    store = AStore(tmp_path, slug).has("~/SCRATCHPAD.md", "- [ ] a\n")
    store.at("~/empty").mkdir()
    session = store.session()
    name_projects(session)
    first = everything(session.root)
    done = applying.apply(moving.archive(session, slug))
    assert not store.at("~/").exists()
    place = done.plan.rows[0].place
    found = bundle.look(place, session.layout)
    held = [(member.path, raw) for member, raw in bundle.texts(place, found)]
    assert held == [(f"projects/{slug}/SCRATCHPAD.md", b"- [ ] a\n")] and found.folders == {slug: str(away_from_home)}
    undoing.undo(session)
    assert everything(session.root) == first
    interrupted.recover()
    assert everything(session.root) == first


def test_several_projects_are_archived_as_one_step(tmp_path: Path) -> None:
    session = a_store(tmp_path / "store", 4)
    before = everything(session.root)
    done = applying.apply(moving.archive(session, SLUGS[0], SLUGS[1], SLUGS[0]))
    assert done.message.startswith("Archived 2 projects: ")
    assert [path for path in everything(session.root) if path.startswith((f"projects/{SLUGS[0]}", f"projects/{SLUGS[1]}"))] == []
    assert bundle.look(done.plan.rows[0].place, session.layout)
    undoing.undo(session)
    assert everything(session.root) == before


def test_every_folder_that_has_moved_is_followed_in_one_step(tmp_path: Path, away_from_home: Path) -> None:
    store = AStore(tmp_path / "store")
    for name in ("one", "two", "stays"):
        (away_from_home / name).mkdir()
        (away_from_home / name / "file").write_text(name)
        store.has(f"projects/{project_slug(str(away_from_home / name))}/SCRATCHPAD.md", f"- [ ] {name}\n")
    session = store.session()
    name_projects(session)
    for name in ("one", "two"):
        (away_from_home / name).rename(away_from_home / f"new-{name}")
    name_projects(session)
    first = everything(session.root)
    done = applying.apply(moving.follow(session))
    assert (
        len(done.plan.read) == 2
        and store.raw(f"projects/{project_slug(f'{away_from_home}/new-two')}/SCRATCHPAD.md") == b"- [ ] two\n"
    )
    assert [each.verdict.state.value for each in known_projects(session).projects] == ["here"] * 3
    assert applying.apply(moving.follow(session)).changed == 0
    undoing.undo(session)
    assert everything(session.root) == first


def test_a_name_is_given_taken_back_and_given_again(tmp_path: Path) -> None:
    session = AStore(tmp_path).has("~/SCRATCHPAD.md", "- [ ] a\n").session()
    assert moving.label(session, PROJECT, " My\n lantern ").message == f"Named {PROJECT} “My lantern”."
    assert known_projects(session).projects[0].label == "My lantern"
    undoing.undo(session)
    assert known_projects(session).projects[0].label == PROJECT
    undoing.undo(session, redo=True)
    assert known_projects(session).projects[0].label == "My lantern"
    moved(session, PROJECT, OTHER)
    assert known_projects(session).projects[0].label == "My lantern"
    with pytest.raises(BadName):
        moving.label(session, OTHER, "x" * 101)


def test_no_name_means_no_project_even_where_there_is_just_one(store: AStore) -> None:
    session = store.has("~/notes/a.md", "x").session()
    assert group_called(session, store.project) == store.project and group_called(session, "") == ""
    with pytest.raises(Missing):
        moving.archive(session, "")
    with pytest.raises(Missing):
        moving.move(session, "", OTHER)
    with pytest.raises(BadName):
        moving.move(session, store.project, "")


def test_what_cannot_be_is_refused_and_nothing_is_done(tmp_path: Path) -> None:
    store = AStore(tmp_path).has("~/notes/n.md", "n").has(f"projects/{OTHER}/notes/n.md", "m")
    session, first = store.session(), store.tree()
    for slugs, into, error in (
        ([PROJECT], PROJECT, BadTarget),
        ([PROJECT, OTHER], OTHER, BadTarget),
        (["none-00000000"], OTHER, Missing),
        ([PROJECT], "no slug", BadName),
    ):
        with pytest.raises(error, match="Nothing was done"):
            merged(session, slugs, into)
    store.at("~/notes/link.md").symlink_to(store.at("~/notes/n.md"))
    with pytest.raises(WriteFailed, match="is a link, or no ordinary file"):
        moved(session, PROJECT, OTHER)
    store.at("~/notes/link.md").unlink()
    assert store.tree() == first
    assert inside(str(tmp_path / "nowhere")).files == ()
    assert step_record.moved("none", session.root) is None and session.ref_at(f"projects/{PROJECT}/notes/n.md").role is Role.NOTE


def test_a_forgotten_text_is_in_no_archived_project_either(tmp_path: Path) -> None:
    session = AStore(tmp_path).has("~/notes/n.md", "the key is s3cret-key\n").session()
    place = applying.apply(moving.archive(session, PROJECT)).plan.rows[0].place
    history.forget(session, "s3cret-key")
    held = [raw for _, raw in bundle.texts(place, bundle.look(place, session.layout))]
    assert held == [b"the key is [forgotten]\n"]


def test_what_an_agent_wrote_into_the_old_place_of_a_killed_move_stays_and_is_said(tmp_path: Path) -> None:
    store = AStore(tmp_path).has("~/SCRATCHPAD.md", "- [ ] a\n").has("~/notes/n.md", "n\n")
    child = os.fork()
    if not child:
        swap.step = lambda name: os._exit(9) if name == "taken away" else None
        moved(store.session(), PROJECT, OTHER)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    store.has("~/notes/n.md", "n\nof an agent\n")
    assert interrupted.recover() == [
        f"Finished what was interrupted: Moved {PROJECT} to {OTHER}. "
        f"Written meanwhile, and so still there: projects/{PROJECT}/notes/n.md."
    ]
    home = f"projects/{OTHER}"
    assert store.tree() == {
        f"{home}/SCRATCHPAD.md": b"- [ ] a\n",
        f"{home}/notes/n.md": b"n\n",
        f"projects/{PROJECT}/notes/n.md": b"n\nof an agent\n",
    }


@pytest.mark.parametrize(
    "verb", [lambda session, slug: applying.apply(moving.archive(session, slug)), lambda session, slug: moved(session, slug, OTHER)]
)
def test_passing_over_a_step_leaves_its_folders_alone(tmp_path: Path, verb: Callable[[Session, str], object]) -> None:
    session = AStore(tmp_path).has("~/notes/n.md", "n\n").session()
    verb(session, PROJECT)
    before = everything(session.root)
    undoing.skip(session)
    assert everything(session.root) == before


def test_what_version_0_2_kept_of_a_step_still_counts(tmp_path: Path) -> None:
    store = AStore(tmp_path).has("~/notes/n.md", "n\n")
    store.at("~/empty").mkdir()
    session = store.session()
    first = everything(session.root)
    moved(session, PROJECT, OTHER)
    [place] = Path(locate.state_folder(), "made-steps").iterdir()
    former = Path(state.folder("moves", session.root), place.name)
    former.parent.mkdir(parents=True)
    former.write_text(json.dumps({**json.loads(place.read_text()), "homes": [], "is_done": True, "pid": 1}))
    place.unlink()
    undoing.undo(session)
    assert everything(session.root) == first


def test_what_is_merged_into_another_file_comes_back_with_its_own_bits(tmp_path: Path) -> None:
    store = AStore(tmp_path).has("~/SCRATCHPAD.md", "- [ ] a\n").has(f"projects/{OTHER}/SCRATCHPAD.md", "- [ ] b\n")
    os.chmod(store.at("~/SCRATCHPAD.md"), 0o600)
    moved(store.session(), PROJECT, OTHER)
    assert not store.at("~/SCRATCHPAD.md").exists()
    undoing.undo(store.session())
    bits = [store.at(each).stat().st_mode & 0o777 for each in ("~/SCRATCHPAD.md", f"projects/{OTHER}/SCRATCHPAD.md")]
    assert bits[0] == 0o600 != bits[1]
