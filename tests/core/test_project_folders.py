"""What has become of a folder, of what was seen of it and of what is there."""

from __future__ import annotations

from typing import Any

import pytest

from zsmem_tui.core.project_folders import (
    Child,
    FolderFacts,
    Identity,
    ProjectRecord,
    Repository,
    State,
    is_worth_a_look,
    judge,
    normal,
    other_spellings,
    packed,
)

OF_ONE: dict[str, Any] = {"identity": Identity(1, 9), "made_ns": 5}
REMOTE: dict[str, Any] = {"remote": "host/a", "roots": ("r",)}


def folder(path: str, names: str = "", inode: int = 1, changed: int = 7, **repository: Any) -> FolderFacts:
    own = Repository(**{"common": f"{path}/.git", **repository}) if repository else None
    return FolderFacts(path, Identity(1, inode), packed(Child(f"{name} of it", 20, changed) for name in names), own)


@pytest.mark.parametrize(
    ("was", "now", "wanted"),
    [
        ({"names": "a"}, {"names": "ab"}, State.MOVED),
        ({"names": "a"}, {"names": "a", "inode": 2}, State.GONE),
        ({"names": "a"}, {"names": "a", "changed": 8}, State.MAYBE),
        ({"names": "a", "changed": 0}, {"names": "a", "changed": 0}, State.MAYBE),
        ({}, {}, State.MAYBE),
        (OF_ONE, OF_ONE, State.MOVED),
        (OF_ONE, {**OF_ONE, "within": "sub"}, State.MAYBE),
        (OF_ONE, {**OF_ONE, "identity": Identity(1, 8)}, State.MAYBE),
        (OF_ONE, {**OF_ONE, "made_ns": 6}, State.GONE),
        (OF_ONE, {"made_ns": 6}, State.GONE),
        (OF_ONE, {"made_ns": 0}, State.MAYBE),
        ({**OF_ONE, "names": "a"}, {**OF_ONE, "names": "a", "made_ns": 6}, State.GONE),
        ({**OF_ONE, "names": "a"}, {"names": "a", "made_ns": 6}, State.MOVED),
        ({**OF_ONE, "first_log": "x"}, {**OF_ONE, "made_ns": 0, "first_log": "x"}, State.MOVED),
        ({**OF_ONE, "first_log": "x"}, {**OF_ONE, "made_ns": 0, "first_log": "y"}, State.MAYBE),
        ({"names": "a", **REMOTE}, {"names": "a", "roots": ("other",)}, State.GONE),
        ({"names": "a", "roots": ("r", "s")}, {"names": "a", "roots": ("s",)}, State.MOVED),
        (REMOTE, {**REMOTE, "inode": 2}, State.MOVED),
        (REMOTE, {**REMOTE, "inode": 2, "remote": "host/b"}, State.GONE),
        (REMOTE, {**REMOTE, "inode": 2, "within": "sub"}, State.GONE),
        (REMOTE, {**REMOTE, "inode": 2, "is_linked": True}, State.GONE),
        (REMOTE, {**REMOTE, "inode": 2, "common": "/old/.git"}, State.GONE),
        (REMOTE, {**REMOTE, "inode": 2, "roots": ("r", "s")}, State.GONE),
        (REMOTE, {**REMOTE, "inode": 2, "roots": ()}, State.MAYBE),
        ({"names": "abcdef"}, {"names": "abcxyz", "inode": 2}, State.MAYBE),
        ({"names": "abcdefg"}, {"names": "abcxyz", "inode": 2}, State.GONE),
        ({"names": "ab"}, {"names": "ab", "inode": 2}, State.GONE),
    ],
)
def test_a_folder_is_followed_by_what_a_move_keeps(was: dict[str, Any], now: dict[str, Any], wanted: State) -> None:
    old, new = folder("/old", **was), folder("/new", **now)
    found = judge(["s"], {"s": ProjectRecord("s", ("/old",), old)}, {"/new": new}, str)["s"]
    assert (found.state, found.folder, found.moved_to) == (wanted, "/old", "" if wanted is State.GONE else "/new")
    assert found.why.startswith("/old is") and ("/new" in found.why) == (wanted is not State.GONE)
    assert is_worth_a_look(old, new) or wanted is State.GONE, "nobody would have looked"
    beside = judge(["s", "/new"], {"s": ProjectRecord("s", ("/old",), old)}, {"/new": new}, str)["s"]
    assert beside.state is (State.MOVED if wanted is State.MOVED else State.GONE), "one that has a memory is only taken for sure"


def test_a_folder_that_little_speaks_for_is_not_looked_at() -> None:
    old = folder("/old", "abcdefg", **REMOTE)
    assert not is_worth_a_look(old, folder("/new", "abcxyz", inode=2, remote="host/b"))
    assert not is_worth_a_look(old, folder("/new", "abc", inode=2)) and is_worth_a_look(old, folder("/new", "abcd", inode=2))


def test_of_several_folders_none_is_taken_and_a_copy_that_was_beside_is_no_successor() -> None:
    old = folder("/old", "abc", **REMOTE)
    for names, common in (("abc", {}), ("", REMOTE)):
        there = {path: folder(path, names, inode=2, **common) for path in ("/b", "/a")}
        found = judge(["s"], {"s": ProjectRecord("s", ("/old",), old)}, there, str)["s"]
        assert (found.state, found.moved_to, found.candidates) == (
            State.GONE,
            "",
            ("/a", "/b"),
        ) and "2 folders (/a, /b)" in found.why
    for first_seen, wanted in ((0, State.MOVED), (4, State.GONE), (5, State.GONE), (6, State.MOVED)):
        records = {
            "s": ProjectRecord("s", ("/old",), old, last_seen_ns=5),
            "/a": ProjectRecord("/a", ("/a",), first_seen_ns=first_seen),
        }
        assert judge(["s", "/a"], records, {"/a": folder("/a", inode=2, **REMOTE)}, str)["s"].state is wanted


def test_folders_that_are_there_are_families_and_one_of_several_is_not_chosen() -> None:
    shared: dict[str, Any] = {"common": "/x/.git"}
    there = {
        "/a": folder("/a", **shared),
        "/b": folder("/b", **shared, **REMOTE),
        "/c": folder("/c", **REMOTE),
        "/d": folder("/d", remote="host/a"),
        "/e": folder("/e", remote="host/a"),
        "/f": folder("/f", roots=("r",)),
        "/g": folder("/g", roots=("r",)),
        "/x": folder("/x", common="/z/.git"),
        "/y": folder("/y", common="/z/.git/"),
    }
    records = {path[1:]: ProjectRecord(path[1:], (path,)) for path in there}
    many = {"m": ProjectRecord("m", ("/d", "/e")), "n": ProjectRecord("n", ("/q", "/r")), "o": ProjectRecord("o")}
    found = judge([*records, *many, "p"], records | many, there, lambda path: path[1:])
    assert {slug: each.family for slug, each in found.items() if each.family} == {**dict.fromkeys("abc", "a"), "x": "x", "y": "x"}
    assert {slug: found[slug].state for slug in "amnop"} == {
        "a": State.HERE, "m": State.UNKNOWN, "n": State.GONE, "o": State.UNKNOWN, "p": State.UNKNOWN
    }  # fmt: skip
    assert found["m"].candidates == ("/d", "/e") and found["n"].candidates == ("/q", "/r")


@pytest.mark.parametrize(
    ("path", "wanted", "others"),
    [
        ("C:\\x\\y\\", "/mnt/c/x/y", []),
        ("D:/x", "/mnt/d/x", []),
        ("1:/x", "1:/x", []),
        ("é:/x", "é:/x", []),
        ("/mnt/C/x/", "/mnt/c/x", ["C:\\x\\", "c:\\x\\"]),
        ("/mnt/c", "/mnt/c", ["C:\\", "c:\\"]),
        ("/mnt/Disk/x", "/mnt/Disk/x", []),
        ("/mnt/é/x", "/mnt/é/x", []),
        ("/mnt/1/x", "/mnt/1/x", []),
        ("/private/var/x", "/var/x", ["/var/x"]),
        ("/private/var", "/var", []),
        ("/private/variable", "/private/variable", []),
        ("/tmp/x", "/tmp/x", ["/private/tmp/x"]),
        ("/etcetera", "/etcetera", []),
        ("/a/", "/a", []),
        ("/", "/", []),
    ],
)
def test_a_folder_has_one_name_on_either_side_of_the_machine(path: str, wanted: str, others: list[str]) -> None:
    assert normal(path) == wanted and other_spellings(path) == others
