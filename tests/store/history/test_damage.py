"""A history that is damaged in every way a file can be: the answer is a `HistoryError` or the truth, never another error."""

from __future__ import annotations

import contextlib
import os
import random
import re
import shutil
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from zsmem_tui.core.errors import HistoryError
from zsmem_tui.store.history import packing, repository
from zsmem_tui.store.history.repository import Repository

# dulwich leaves files of damaged packs open
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

ID = re.compile(rb"[0-9a-f]{40}")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with packs, deltas and loose objects."""
    home = tmp_path_factory.mktemp("whole") / "git"
    dice = random.Random(3)
    repo = Repository(str(home), "tests")
    lines, folder = [f"line {dice.random()}\n" for _ in range(60)], ""
    for number in range(8):
        lines[dice.randrange(60)] = f"changed {dice.random()}\n"
        texts = {"MEMORY.md": repo.put("".join(lines).encode()), f"projects/p/notes/{number}.md": repo.put(b"note %d\n" % number)}
        folder = repo.with_changes(folder, texts)
        repo.commit(folder, f"step {number}\n", number * 10**9, "you")
        if number == 4:
            repo.set_reviewed(folder)
            repo.pack_all()
    repo.close()
    whole = [*(home / "objects/pack").glob("*.pack")]
    assert len(whole) == 1 and len(whole[0].read_bytes()) < 4_000, "one of five texts as it is, the others by what changed"
    return home


@pytest.fixture
def home(whole: Path, tmp_path: Path) -> Path:
    """A copy of it to damage."""
    return Path(shutil.copytree(whole, tmp_path / "git"))


def ids_in(home: Path) -> list[bytes]:
    loose = [place.parent.name + place.name for place in (home / "objects").glob("??/*")]
    return [each.encode() for each in loose if len(each) == 40]


def overwrite(place: Path, raw: bytes) -> None:
    place.chmod(0o644)
    place.write_bytes(raw)


def flip(raw: bytes, dice: random.Random) -> bytes:
    made = bytearray(raw)
    for _ in range(dice.choice((1, 3, 20)) if raw else 0):
        made[dice.randrange(len(made))] ^= 1 << dice.randrange(8)
    return bytes(made)


def blot(raw: bytes, dice: random.Random) -> bytes:
    start, size = dice.randrange(len(raw) + 1), dice.choice((1, 4, 20, 200))
    return raw[:start] + bytes(len(raw[start : start + size])) + raw[start + size :]


DAMAGES: dict[str, Callable[[bytes, random.Random], bytes]] = {
    "bits flipped": flip,
    "zeros in it": blot,
    "cut short": lambda raw, dice: raw[: dice.randrange(len(raw) + 1)],
    "empty": lambda raw, dice: b"",
    "one byte": lambda raw, dice: dice.randbytes(1),
    "rubbish": lambda raw, dice: dice.randbytes(dice.choice((8, 20, 100, 2_000))),
    "twice": lambda raw, dice: raw + raw,
    "bytes put in": lambda raw, dice: (at := dice.randrange(len(raw) + 1)) * b"" + raw[:at] + b"\xff\x7f\xff\xff" + raw[at:],
}


def mislead(home: Path, dice: random.Random) -> None:
    """An object or a name that is sound in itself and points to what it should not."""
    known = ids_in(home)
    names = [home / "refs/heads/main", home / "refs/zsmem/reviewed", *(home / "objects").glob("??/*")]
    place = dice.choice([each for each in names if each.is_file()])
    raw = place.read_bytes()
    if place.parent.parent.name == "refs":
        made = dice.choice(known) + b"\n"
    else:
        try:
            inner, other = zlib.decompress(raw), dice.choice(known)
        except zlib.error:
            return  # it is damaged already
        own = (place.parent.name + place.name).encode()
        made = ID.sub(lambda found: dice.choice((other, own)), inner)
        for each in known:
            made = made.replace(bytes.fromhex(each.decode()), bytes.fromhex(dice.choice((other, own)).decode()))
        made = zlib.compress(made)
    overwrite(place, made)


def damage(home: Path, dice: random.Random) -> str:
    kind = dice.choice([*DAMAGES, "misled", "misled", "gone", "a folder"])
    if kind == "misled":
        mislead(home, dice)
        return kind
    files = sorted(place for place in home.rglob("*") if place.is_file())
    place = dice.choice(files)
    if kind in DAMAGES:
        raw = place.read_bytes()
        overwrite(place, DAMAGES[kind](raw, dice))
    else:
        place.unlink()
        if kind == "a folder":
            place.mkdir()
    return f"{place.relative_to(home)} {kind}"


def use(home: Path) -> None:
    """Everything that is ever asked of a repository; it may say that it is damaged."""
    try:
        repo = Repository(str(home), "tests")
    except HistoryError:
        return

    def read_all() -> None:
        for record in repo.since(""):
            for _, id in record.changes.values():
                repo.text(id or repo.put(b""))

    def write() -> None:
        folder = repo.with_changes(repo.folder_of(repo.head), {"MEMORY.md": repo.put(b"new\n")})
        repo.commit(folder, "new\n", 10**9, "you")
        repo.set_reviewed(folder)

    asked: list[Callable[[], object]] = [
        read_all,
        lambda: repo.every(repo.reviewed),
        lambda: repo.every(repo.folder_of(repo.head)),
        lambda: repo.differences(repo.reviewed, repo.folder_of(repo.head)),
        lambda: repo.find(repo.folder_of(repo.head), "projects/p/notes/3.md"),
        lambda: repo.message(repo.head) and repo.has(repo.head),
        lambda: repo.text(repo.head),
        lambda: repo.holds(b"nowhere"),
        write,
        lambda: repo.put_many([b"a", b"b"]),
        repo.repack_if_needed,
        repo.pack_all,
        lambda: repo.rewrite([({"MEMORY.md": repo.put(b"x")}, "x\n", 1, "you")], lambda id: id, repo.reviewed),
        repo.close,
    ]
    for each in asked:
        with contextlib.suppress(HistoryError):
            each()


@pytest.mark.draw(2)
@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_damaged_the_answer_is_an_error_of_ours(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setattr(repository, "LOOSE_LIMIT", 1)
    dice = random.Random(seed)
    for number in range(12):
        home = tmp_path / str(number)
        shutil.copytree(whole, home)
        done = [damage(home, dice) for _ in range(dice.choice((1, 1, 2, 4)))]
        try:
            use(home)
        except Exception as error:
            error.add_note(f"seed {seed}, {number}: {done}")
            raise


def test_a_mistake_of_ours_is_not_taken_for_damage(tmp_path: Path) -> None:
    with pytest.raises(TypeError), packing.history_errors(str(tmp_path)):
        len(3)  # type: ignore[arg-type]
    with pytest.raises(IndexError), packing.history_errors(str(tmp_path)):
        print("abc"[3])
    with pytest.raises(AttributeError), packing.history_errors(str(tmp_path)):
        print(os.nothing)  # type: ignore[attr-defined]


def test_what_dulwich_makes_of_one_byte_is_damage(home: Path) -> None:
    repo = Repository(str(home), "tests")
    head = repo.head
    place = home / "objects" / head[:2] / head[2:]
    overwrite(place, b"\x78")
    with pytest.raises(HistoryError, match="it is damaged"):
        repo.folder_of(head)
    repo.close()


@pytest.mark.parametrize("name", ["refs/heads/main", "refs/zsmem/reviewed"])
def test_a_name_for_an_object_of_another_kind_is_damage(home: Path, name: str) -> None:
    repo = Repository(str(home), "tests")
    (home / name).write_text(repo.put(b"a text\n") + "\n")
    with pytest.raises(HistoryError, match="it is damaged"):
        repo.every(repo.reviewed) if "reviewed" in name else repo.since("")
    repo.close()


def test_a_folder_that_holds_itself_is_damage(home: Path) -> None:
    repo = Repository(str(home), "tests")
    own = repo.with_changes("", {"a/b.md": repo.put(b"b\n")})
    place = home / "objects" / own[:2] / own[2:]
    entry = b"40000 a\0" + bytes.fromhex(own)
    overwrite(place, zlib.compress(b"tree %d\0" % len(entry) + entry))
    repo.close()
    again = Repository(str(home), "tests")
    with pytest.raises(HistoryError, match="it is damaged"):
        again.every(own)
    again.close()


def test_an_index_that_counts_beyond_its_end_is_damage(home: Path) -> None:
    for place in home.rglob("*.idx"):
        raw = place.read_bytes()
        overwrite(place, raw[:8] + b"\xff\xff\xff\xff" * 256 + raw[8 + 1_024 :])
    repo = Repository(str(home), "tests")
    with pytest.raises(HistoryError, match="it is damaged"):
        repo.text("0" * 40)
    with contextlib.suppress(HistoryError):
        repo.close()


def test_a_folder_without_its_names_is_no_repository(home: Path) -> None:
    shutil.rmtree(home / "refs")
    with pytest.raises(HistoryError, match="it is damaged"):
        Repository(str(home), "tests")


def test_commits_in_a_circle_are_damage(home: Path) -> None:
    repo = Repository(str(home), "tests")
    head = repo.head
    repo.close()
    place = home / "objects" / head[:2] / head[2:]
    inner = re.sub(rb"parent [0-9a-f]{40}", b"parent " + head.encode(), zlib.decompress(place.read_bytes()))
    overwrite(place, zlib.compress(inner))
    again = Repository(str(home), "tests")
    with pytest.raises(HistoryError, match="it is damaged"):
        again.since("")
    again.close()


@pytest.mark.filterwarnings("error::ResourceWarning", "error::pytest.PytestUnraisableExceptionWarning")
def test_a_pack_that_is_still_read_keeps_no_other_file_open(tmp_path: Path) -> None:
    repo = Repository(str(tmp_path / "git"), "tests")
    texts = [ids for number in range(3) for ids in repo.put_many([b"%d %d\n" % (number, each) for each in range(4)])]
    assert all(repo.text(id) for id in texts)
    packs = repo._store.packs
    assert len(packs) == 3
    files = [each for pack in packs for each in (pack.data._file, pack.index._file)]  # type: ignore[attr-defined]
    read = [memoryview(pack.data._buffer()) for pack in packs[:2]]
    repo.close()
    assert [each.closed for each in files] == [True] * 6
    assert [bytes(each[:4]) for each in read] == [b"PACK"] * 2
    repo.close()
