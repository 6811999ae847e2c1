"""What of a change is news: what others made of a file, not what was done here."""

from __future__ import annotations

from pathlib import Path

from tests.builders import PROJECT, AStore
from zsmem_tui.service import file_ops, losses


def test_what_was_written_or_deleted_here_is_no_news_and_what_others_do_after_it_is(tmp_path: Path) -> None:
    store = AStore(tmp_path / "memory").has("~/notes/a.md", "a\n").has("~/notes/b.md", "b\n")
    session = store.session()
    gone, kept = (session.ref_at(f"projects/{PROJECT}/notes/{name}.md") for name in "ab")
    file_ops.delete(session, gone)
    session.mem().write("note", "c\n", name="b")
    assert losses.others(session, (gone, kept)) == frozenset()
    store.has("~/notes/a.md", "an agent's\n")
    assert losses.others(session, (gone, kept)) == {gone}
