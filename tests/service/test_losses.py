"""What of a change is news: what others made of a file, not what was done here."""

from __future__ import annotations

from pathlib import Path

from tests.builders import PROJECT, AStore
from zsmem_tui.service import applying, copying, file_ops, history, losses, past


def test_what_was_written_or_deleted_here_is_no_news_and_what_others_do_after_it_is(tmp_path: Path) -> None:
    store = AStore(tmp_path / "memory").has("~/notes/a.md", "a\n").has("~/notes/b.md", "b\n")
    session = store.session()
    gone, kept = (session.ref_at(f"projects/{PROJECT}/notes/{name}.md") for name in "ab")
    file_ops.delete(session, gone)
    session.mem().write("note", "c\n", name="b")
    assert losses.others(session, (gone, kept)) == frozenset()
    store.has("~/notes/a.md", "an agent's\n")
    assert losses.others(session, (gone, kept)) == {gone}


def test_what_a_step_of_many_files_deleted_and_made_is_no_news(tmp_path: Path) -> None:
    store = AStore(tmp_path / "memory")
    names = [f"n{number:02}.md" for number in range(30)]
    for name in names:
        store.has(f"~/notes/{name}", f"{name}\n")
    session = store.session()
    own, other = ([session.ref_at(f"projects/{group}/notes/{name}") for name in names] for group in (PROJECT, "other-11112222"))
    history.look_at_all(session)
    plan = copying.plan([(session, own)], session, move=True, group="other-11112222")
    assert applying.apply(plan).changed
    assert losses.others(session, (*own, *other)) == frozenset()
    store.has("projects/other-11112222/notes/n07.md", "an agent's\n")
    assert losses.others(session, (*own, *other)) == {other[7]}
    step, point = session.history.step(), past.now(session)
    assert step is not None
    about = past.Change(point, point, step.versions, (), (), 0, (), 0, 0)
    assert past.did(about) == "you moved 30 files"
    more = (*step.versions, step.versions[0]._replace(before="a", after="b"))
    assert past.did(about._replace(versions=more)) == "you moved 30 files and changed 1 file"
