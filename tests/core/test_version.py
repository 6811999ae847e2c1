"""Who wrote a version, as the history keeps it and as a screen prints it."""

from __future__ import annotations

import pytest

from zsmem_tui.core.version import (
    CAME_LATE,
    FIRST_LOOK,
    LEFT_OVER,
    WHILE_AWAY,
    WHILE_RUNNING,
    WHILE_WRITING,
    Author,
    AuthorKind,
    Origin,
    author_of,
    line_counts,
)


@pytest.mark.parametrize(
    ("origin", "who", "kind", "words"),
    [
        (Origin.YOU, "", AuthorKind.YOU, "you"),
        (Origin.IMPORTED, "", AuthorKind.IMPORTED, "import"),
        (Origin.UNDO, "", AuthorKind.UNDO, "you, undo"),
        (Origin.OTHER, FIRST_LOOK, AuthorKind.BEFORE, "before zsmem"),
        *((Origin.OTHER, each, AuthorKind.UNNAMED, "another program") for each in ("", WHILE_AWAY, WHILE_RUNNING, WHILE_WRITING)),
        (Origin.OTHER, "agent zerostack", AuthorKind.AGENT, "zerostack"),
        *((Origin.OTHER, each, AuthorKind.UNNAMED, each) for each in (LEFT_OVER, CAME_LATE)),
    ],
)
def test_what_is_kept_names_the_author(origin: Origin, who: str, kind: AuthorKind, words: str) -> None:
    author = author_of(origin, who)
    assert (author.kind, str(author)) == (kind, words)


@pytest.mark.parametrize("kind", AuthorKind)
def test_an_author_is_kept_and_read_back(kind: AuthorKind) -> None:
    origin = Origin(kind.value) if kind.value in [*Origin] else Origin.OTHER
    author = Author(kind, "zerostack" if kind in (AuthorKind.AGENT, AuthorKind.UNNAMED) else "")
    assert author_of(origin, author.evidence) == author


def test_all_lines_count_blank_ones_too() -> None:
    assert line_counts(None, b"a\n\n\nb\n") == (4, 0) and line_counts(b"a\n\nb", b"") == (0, 3)
    assert line_counts(b"", b"\n\n") == (2, 0) and line_counts(b"", b"") == (0, 0)
    assert line_counts(b"- one\n\n- two\n", b"- one\n- two\n- three\n") == (1, 1)


def test_a_line_that_was_moved_counts_as_nothing() -> None:
    assert line_counts(b"# A\n\n- one\n- two\n", b"# A\n\n- two\n- one\n") == (0, 0)


def test_what_others_wrote_is_not_ours() -> None:
    assert [each for each in Origin if not each.is_ours] == [Origin.OTHER, Origin.SYNCED]
