"""The list of versions answers questions from the lines that matter as it would from all of them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from zsmem_tui.core.version import Origin, Version
from zsmem_tui.store.history.undo_log import redoable, step_of, undoable
from zsmem_tui.store.history.version_log import ANOTHER_STORE, LogReading, Row, VersionLog

WORDS = ("", "you", "other", "import", 'quo"ted', ',"you",', "back\\slash", "\u202e", "\udcff", "new\nline", "b1", "undoes b1")

ODD = 'notes/q"x\\y\udcff\u202e.md'


def some_rows(dice: random.Random, count: int) -> list[Row]:
    rows = []
    for number in range(count):
        origin = dice.choice([*Origin, Origin.OTHER, Origin.OTHER])
        batch = dice.choice(["", "b1", "b2", f"b{number}"])
        path = dice.choice(["", "MEMORY.md", "notes/you.md", ODD])
        relation = dice.choice(["", "", "", f"undoes {dice.choice(['b1', 'b2'])}", "redoes b1", "puts back"])
        if number == count // 3:
            relation = ANOTHER_STORE
        texts = (dice.choice(WORDS), batch, dice.choice(WORDS), relation)
        rows.append(Row(f"c{number}", Version(f"{number:04x}", path, number, origin, *texts, "", "x", 1, 0)))
    return rows


@pytest.mark.parametrize("seed", range(30))
def test_every_question_has_the_answer_that_all_rows_give(tmp_path: Path, seed: int) -> None:
    rows = some_rows(random.Random(seed), 40)
    log = VersionLog(str(tmp_path / "versions"))
    log.append(rows)
    newest = rows[::-1]
    assert list(log.rows()) == newest and log.last_commit() == "c39"
    assert undoable(log.steps()) == undoable(newest) and redoable(log.steps()) == redoable(newest)
    for batch in ("b1", "b2", "b7", ""):
        for redo in (False, True):
            assert step_of(log.of_step(batch), batch, redo=redo) == step_of(newest, batch, redo=redo)
    reading = log.reading()
    for batch in ("b1", "b2", "b7", "b", "") * 3:
        assert reading.of_step(batch) == [row.version for row in newest if batch and row.version.batch == batch]
    for path in ("MEMORY.md", "notes/you.md", "notes", ODD) * 3:  # the first few are searched for, the others looked up
        assert reading.of(path) == log.reading().of(path) == [row.version for row in newest if row.version.path == path]
    for id in ("0", "00", "0012", "9", 'x"'):
        assert log.named(id) == [row.version for row in newest if row.version.id.startswith(id)]


def test_a_step_that_was_taken_back_is_neither_undone_nor_redone_and_ends_no_redo() -> None:
    def row(batch: str, origin: Origin, label: str, relation: str = "", path: str = "a.md") -> Row:
        return Row("c", Version("1", path, 1, origin, "", batch, label, relation, "x", "y", 1, 0))

    undone = [row("b1", Origin.YOU, "Moved"), row("b2", Origin.UNDO, "Undid: Moved", "undoes b1", path="")]
    for batch, origin, label, relation in (("b3", Origin.UNDO, "Redid: Moved", "redoes b1"), ("b3", Origin.YOU, "Added", "")):
        half = [row(batch, origin, label, relation), row("b4", Origin.UNDO, f"Took back: {label}", f"undoes {batch}")]
        whole = [*half, row("b4", Origin.UNDO, f"Took back: {label}", f"undoes {batch}", path="")]
        assert redoable([*undone, *whole][::-1]) == "b1" and undoable([*undone, *whole][::-1]) == ""
        assert origin is Origin.UNDO or undoable([*undone, *half][::-1]) == "b3"  # a part of it stays


def test_one_question_after_another_reads_the_lines_once(tmp_path: Path) -> None:
    class Lines(list[bytes]):
        times = 0

        def __iter__(self) -> Iterator[bytes]:
            self.times += 1
            return super().__iter__()

        def __reversed__(self) -> Iterator[bytes]:
            self.times += 1
            return super().__reversed__()

    log = VersionLog(str(tmp_path / "versions"))
    log.append(some_rows(random.Random(1), 100))
    lines = Lines((tmp_path / "versions").read_bytes().split(b"\n")[:-1])
    reading = LogReading(lines)
    for number in range(100):
        reading.of(f"notes/{number}.md")
        reading.of_step(f"b{number}")
    assert lines.times <= 10


@pytest.mark.parametrize("path", ["a.md", "long" * 3_000 + ".md"])
def test_the_last_line_is_found_however_long_it_is_and_one_that_was_cut_short_is_none(tmp_path: Path, path: str) -> None:
    log = VersionLog(str(tmp_path / "versions"))
    assert log.last_commit() == ""
    for number in range(2):
        log.append([Row(f"c{number}", Version("1", path, 1, Origin.YOU, "", "", "", "", "", "x", 1, 0))])
        assert log.last_commit() == f"c{number}"
    place = tmp_path / "versions"
    place.write_bytes(place.read_bytes()[:-5])
    assert log.last_commit() == ""


@pytest.mark.parametrize("damage", [b"", b"nonsense", b"[1],[2]", b'["c","1"]', b"\xff\xfe", b'{"a":1}', b"[", b"null", b"7"])
def test_a_damaged_line_hides_no_other(tmp_path: Path, damage: bytes) -> None:
    rows = some_rows(random.Random(1), 9)
    place = tmp_path / "versions"
    log = VersionLog(str(place))
    log.append(rows)
    lines = place.read_bytes().split(b"\n")
    place.write_bytes(b"\n".join([*lines[:4], damage, *lines[4:]]))
    assert list(log.rows()) == rows[::-1]
