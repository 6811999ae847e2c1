"""What becomes of the files of two machines."""

from __future__ import annotations

import pytest

from tests.core.sync.test_histories import Blobs
from zsmem_tui.core.sync.branch_files import name_problem

NOTE = b"one\ntwo\nthree\nfour\n"


def outcome(base: dict[str, bytes], here: dict[str, bytes], there: dict[str, bytes]) -> dict[str, bytes]:
    blobs = Blobs()
    sides = ({path: blobs.keep(raw) for path, raw in each.items()} for each in (base, here, there))
    found = blobs.both_ways(*sides)
    return {path: blobs.texts[id] for path, id in found.files.items()}


CHANGED = NOTE + b"five\n"
NFC, NFD = "k/g/caf\u00e9.md", "k/g/cafe\u0301.md"


@pytest.mark.parametrize(
    ("base", "here", "there", "made"),
    [
        ({"k/g/a.md": NOTE}, {}, {"k/g/a.md": NOTE}, {}),
        ({"k/g/a.md": NOTE}, {}, {"k/g/a.md": CHANGED}, {"k/g/a.md": CHANGED}),
        ({"k/g/a.md": NOTE}, {"k/g/b.md": NOTE}, {"k/g/a.md": CHANGED}, {"k/g/b.md": CHANGED}),
        ({"k/g/a.md": NOTE}, {"k/g/b.md": b"zero\n" + NOTE}, {"k/g/a.md": CHANGED}, {"k/g/b.md": b"zero\n" + CHANGED}),
        ({"k/g/a.md": NOTE}, {"k/g/A.md": NOTE}, {"k/g/a.md": CHANGED}, {"k/g/A.md": CHANGED}),
        ({"k/g/a.md": NOTE}, {"k/g/b.md": NOTE}, {"k/g/c.md": NOTE}, {"k/g/b.md": NOTE, "k/g/c.md": NOTE}),
        ({"k/g/a.md": NOTE}, {"k/g/b.md": CHANGED}, {"k/g/b.md": b"0\n" + NOTE}, {"k/g/b.md": b"0\n" + CHANGED}),
        ({"k/g/a.md": NOTE}, {"k/g/b.md": NOTE[4:]}, {"k/g/b.md": CHANGED}, {"k/g/b.md": CHANGED[4:]}),
        ({NFD: NOTE}, {NFC: NOTE}, {NFD: CHANGED}, {NFC: CHANGED}),
        ({NFD: NOTE, NFC: b"x"}, {NFD: CHANGED, NFC: b"x"}, {NFD: NOTE, NFC: b"y"}, {NFD: CHANGED, NFC: b"y"}),
        ({"k/g/a.md": NOTE}, {"k/h/a.md": NOTE}, {"k/g/a.md": CHANGED}, {"k/h/a.md": NOTE, "k/g/a.md": CHANGED}),
    ],
)
def test_deleted_and_renamed(
    base: dict[str, bytes], here: dict[str, bytes], there: dict[str, bytes], made: dict[str, bytes]
) -> None:
    assert outcome(base, here, there) == made


@pytest.mark.parametrize(
    ("here", "there", "names"),
    [
        ({"k/g/a.md": b"x\n"}, {"k/g/a.md": b"y\n"}, {"k/g/a.md", "k/g/a-2.md"}),
        ({"k/g/a.md": b"x\n", "k/g/a-2.md": b"z\n"}, {"k/g/a.md": b"y\n"}, {"k/g/a.md", "k/g/a-2.md", "k/g/a-3.md"}),
        ({"k/g/a.md": b"\xff"}, {"k/g/a.md": b"\xfe"}, {"k/g/a.md", "k/g/a-2.md"}),
        ({"k/g/a.md": b"x\n"}, {"k/g/A.md": b"y\n"}, {"k/g/A.md", "k/g/a-2.md"}),
        ({NFC: b"x\n"}, {NFD: b"y\n"}, {NFD, "k/g/caf\u00e9-2.md"}),
        ({"k/g/a.md": b"x\n"}, {"k/g/a.md/b.md": b"y\n"}, {"k/g/a-2.md", "k/g/a.md/b.md"}),
        ({"k/g/a.md": b"x\n", "k/g/A.md": b"y\n"}, {}, {"k/g/a.md", "k/g/A.md"}),
    ],
)
def test_two_texts_under_one_name_are_both_kept(here: dict[str, bytes], there: dict[str, bytes], names: set[str]) -> None:
    made = outcome({}, here, there)
    assert made.keys() == names
    assert sorted(made.values()) == sorted([*here.values(), *there.values()])


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("claude-code/app/notes/ü b.md", ""),
        ("/".join("a" * 25), "its path is too long"),
        ("é" * 127 + "e", ""),
        ("é" * 128, "its name is too long"),
        *((path, "its name leads out of the store") for path in ("", "a//b", "/a", "a/", "a/./b", "../a", "a/..", "a\\b")),
        *((path, "its name begins with a dot") for path in (".a", "a/.b/c", "a/...b")),
        *((path, "its name means something else to a system") for path in ("a.", "a /b", "b/GIT~1", "a/b.zsmem-1")),
        *((path, "its name has signs that are no letters") for path in ("a\n", "a\x9f/b", "a/\u202eb", "\udc80")),
    ],
)
def test_a_name_of_the_branch_that_is_not_taken_is_told_why(name: str, why: str) -> None:
    assert name_problem(name) == why
