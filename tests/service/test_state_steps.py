"""What is seen, ignored or wanted writes no file, and is a step all the same: undo is about what was done last."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.builders import AStore
from zsmem_tui.config import locate
from zsmem_tui.core.errors import HistoryError
from zsmem_tui.service import applying, checkups, editing, file_ops, history, review_lines, reviewing, undoing, wanted
from zsmem_tui.service.checkups import Rounds
from zsmem_tui.service.facts.rows import FactReader, FactRow, Scope
from zsmem_tui.service.projects import moving
from zsmem_tui.service.projects.known import known_projects
from zsmem_tui.service.review_lines import Pick
from zsmem_tui.service.session import Session
from zsmem_tui.store import drafts

FACTS = "".join(f"- fact {number}\n" for number in range(6))
AGENT = FACTS + "- alpha\n- bravo\n- charlie\n"


@pytest.fixture
def store(tmp_path: Path) -> AStore:
    """The person wrote, then an agent did; the doctor finds two things."""
    made = AStore(tmp_path / "memory").has("MEMORY.md", FACTS).has("~/SCRATCHPAD.md", "- [ ] a\n+ [ ] b\n+ [ ] c\n")
    session = made.looked_at()
    note = session.mem().source_ref("note", "mine")
    editing.save(session, note, b"my note\n", None)
    made.has("MEMORY.md", AGENT)
    history.look_at_all(session)
    return made


def waiting(store: AStore) -> list[bytes | None]:
    return [line.key.added for each in reviewing.pending(store.session()) for line in review_lines.lines(each)]


def pick(session: Session, *numbers: int) -> Pick:
    [change] = reviewing.pending(session)
    return Pick(change, frozenset(numbers) or None)


def rows_of(session: Session) -> list[FactRow]:
    return list(FactReader(session).read(Scope.FILE, session.ref_at("MEMORY.md")).rows[:2])


def ignored(store: AStore) -> object:
    return Rounds(store.session()).look(()).ignored


def see(store: AStore) -> str:
    session = store.session()
    return review_lines.accept(session, [pick(session, 1)]).message


def see_all(store: AStore) -> str:
    session = store.session()
    return review_lines.accept(session, [pick(session)]).message


def ignore(store: AStore) -> str:
    session = store.session()
    return checkups.ignore(session, Rounds(session).look(()).faults).message


def want(store: AStore) -> str:
    session = store.session()
    return wanted.mark(session, rows_of(session), wanted=True).message


def wants(store: AStore) -> list[bool]:
    session = store.session()
    return wanted.is_wanted(session, rows_of(session))


@pytest.mark.parametrize(("act", "state"), [(see, waiting), (see_all, waiting), (ignore, ignored), (want, wants)])
def test_undo_takes_back_what_was_done_last_though_it_wrote_no_file(
    store: AStore, act: Callable[[AStore], str], state: Callable[[AStore], object]
) -> None:
    files, before = store.tree(), state(store)
    said = act(store)
    after = state(store)
    assert after != before
    done = undoing.undo(store.session())
    assert done.done and done.changed == 1 and done.message.removeprefix("Undid: ") in said
    assert state(store) == before and store.tree() == files
    assert undoing.undo(store.session(), redo=True).done and state(store) == after and store.tree() == files
    undoing.undo(store.session())
    assert undoing.undo(store.session()).done and store.tree().keys() < files.keys()  # now the note that was written before


def test_steps_of_both_sorts_are_undone_in_turn_and_what_others_wrote_between_waits(store: AStore) -> None:
    session = store.session()
    before = waiting(store)
    review_lines.accept(session, [pick(session, 0)])
    review_lines.accept(session, [pick(session, 0)])
    editing.save(session, session.ref_at("MEMORY.md"), AGENT.replace("fact 2", "FACT 2").encode(), AGENT.encode())
    store.has("MEMORY.md", AGENT.replace("fact 2", "FACT 2") + "- delta\n")
    history.look_at_all(session)
    assert waiting(store) == [b"- charlie\n", b"- delta\n"]
    for left in ([b"- charlie\n", b"- delta\n"], [b"- bravo\n", b"- charlie\n", b"- delta\n"], [*before, b"- delta\n"]):
        assert undoing.undo(store.session()).done and waiting(store) == left
    assert store.raw("MEMORY.md") == (AGENT + "- delta\n").encode()


def test_what_changed_no_state_is_no_step(store: AStore) -> None:
    ignore(store)
    session = store.session()
    assert not checkups.ignore(session, Rounds(session).look(()).faults).changed
    assert undoing.undo(store.session()).done and not ignored(store)


def test_a_text_that_is_forgotten_is_taken_back_in_its_masked_form(store: AStore) -> None:
    store.has("MEMORY.md", AGENT + "- the word is sesame-9931\n")
    store.looked_at()
    before = waiting(store)
    see_all(store)
    history.forget(store.session(), "sesame-9931", in_files=True)
    store.looked_at()
    while not undoing.undo(store.session()).message.endswith("as seen"):
        pass
    assert waiting(store) == [line and line.replace(b"sesame-9931", b"[forgotten]") for line in before]


def test_where_what_had_been_seen_before_is_kept_no_more_that_is_said(store: AStore) -> None:
    see(store)
    see(store)
    after = waiting(store)
    history.forget(store.session(), "bravo-not-there", in_files=False)  # whatever nothing leads to goes with it
    with pytest.raises(
        HistoryError, match=r"What you had seen of MEMORY\.md before is kept no more\. Nothing was done\."
    ) as caught:
        undoing.undo(store.session())
    assert "zsmem undo --skip" in caught.value.hint and waiting(store) == after


def test_the_history_of_all_files_lists_these_steps_too(store: AStore) -> None:
    see(store)
    ignore(store)
    undoing.undo(store.session())
    labels = [version.label for version in history.timeline(store.session(), 3)]
    assert labels == ["Undid: Ignored 2 findings", "Ignored 2 findings", "Marked 1 line of MEMORY.md as seen"]
    ids = [version.id for version in history.timeline(store.session(), 100)]
    assert len(set(ids)) == len(ids) and all(ids)
    assert len(history.timeline(store.session(), 100)) == len(history.latest(store.session(), 100)) + 3


def test_a_name_of_a_project_that_is_forgotten_is_in_no_step_any_more(store: AStore) -> None:
    moving.label(store.session(), store.project, "sésame-9931")
    history.forget(store.session(), "sésame-9931", in_files=True)
    assert undoing.undo(store.session()).done and undoing.undo(store.session(), redo=True).done
    kept = [place for place in Path(locate.state_folder()).rglob("*") if place.is_file()]
    words = ("sésame-9931".encode(), json.dumps("sésame-9931")[1:-1].encode(), b"u00e9same-9931")
    assert not [place for place in kept if any(word in place.read_bytes() for word in words)]


def test_undo_does_not_say_that_something_waits_again_when_it_cannot(store: AStore) -> None:
    store.has("~/daily/2026-05-01.md", "- made\n")
    session = store.looked_at()
    [own] = [each for each in reviewing.pending(session) if each.ref.path.endswith("01.md")]
    review_lines.accept(session, [Pick(own)])
    editing.save(session, own.ref, b"- made\n- mine\n", b"- made\n")
    undoing.skip(store.session())
    after = waiting(store)
    with pytest.raises(HistoryError, match=r"01\.md cannot be told apart from .* Nothing was done\.") as caught:
        undoing.undo(store.session())
    assert "zsmem undo --skip" in caught.value.hint and waiting(store) == after


def want_own(store: AStore) -> str:
    session = store.session()
    rows = FactReader(session).read(Scope.FILE, session.ref_at(f"projects/{store.project}/notes/n.md")).rows
    return wanted.mark(session, rows, wanted=True).message


def wants_own(store: AStore) -> list[str]:
    place = Path(locate.state_folder()).rglob("wanted.json")
    return [each.read_text() for each in place]


def name(store: AStore) -> str:
    return moving.label(store.session(), store.project, "Mine").message


def names(store: AStore) -> list[str]:
    return [each.label for each in known_projects(store.session()).projects if each.label]


@pytest.mark.parametrize(("act", "state"), [(want_own, wants_own), (name, names)])
def test_a_step_about_a_project_that_went_elsewhere_is_not_said_to_be_undone(
    store: AStore, act: Callable[[AStore], str], state: Callable[[AStore], object]
) -> None:
    store.has("~/notes/n.md", "- a fact\n")
    act(store)
    applying.apply(moving.move(store.session(), store.project, "elsewhere-0123abcd"))
    after = state(store)
    undoing.skip(store.session())
    assert state(store) == after and not store.at("~/notes").exists()
    with pytest.raises(HistoryError, match=r"not as this step left it any more\. Nothing was undone of: ") as caught:
        undoing.undo(store.session())
    assert "zsmem undo --skip" in caught.value.hint and state(store) == after


def test_what_is_wanted_and_unsaved_of_a_note_goes_where_the_note_goes_and_comes_back_with_it(store: AStore) -> None:
    store.has("~/notes/n.md", "- a fact\n")
    want_own(store)
    home = f"projects/{store.project}/notes"
    drafts.put(str(store.root), drafts.Draft(f"{home}/n.md", b"- a fact, and more\n", b"- a fact\n"))

    def wanted_in(name: str) -> list[bool]:
        session = store.session()
        ref = session.ref_at(f"projects/{store.project}/notes/{name}")
        return wanted.is_wanted(session, FactReader(session).read(Scope.FILE, ref).rows)

    session = store.session()
    file_ops.rename(session, session.ref_at(f"projects/{store.project}/notes/n.md"), "m")
    assert wanted_in("m.md") == [True] and drafts.listing(str(store.root)) == [f"{home}/m.md"]
    assert undoing.undo(store.session()).done and wanted_in("n.md") == [True]
    assert drafts.listing(str(store.root)) == [f"{home}/n.md"]
    assert undoing.undo(store.session(), redo=True).done and wanted_in("m.md") == [True]
    file_ops.rename(store.session(), session.ref_at(f"projects/{store.project}/notes/m.md"), "M")
    assert wanted_in("M.md") == [True] and drafts.listing(str(store.root)) == [f"{home}/M.md"]
