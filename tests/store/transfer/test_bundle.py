"""Bundles: the same bytes each time, refused when altered, all or nothing when they come in."""

from __future__ import annotations

import errno
import gzip
import hashlib
import io
import json
import os
import random
import subprocess
import tarfile
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.builders import PROJECT, AStore
from zsmem_tui.agents.zerostack.layout import ZEROSTACK
from zsmem_tui.config.model import Config
from zsmem_tui.core.errors import BadContent, BadName, BadTarget, Missing
from zsmem_tui.service import applying, bundles, stores, undoing
from zsmem_tui.service.plan import Fate, Policy
from zsmem_tui.store.transfer import bundle, exports

STORE = {
    "MEMORY.md": "fact\r\n",
    "~/notes/n.md": b"\xff\x00",
    "~/archive/old.md": "old\n",
    "projects/other-00000000/notes/ü 😀.md": "x",
    "MEMORY.bak": "backup",
}


def exported(store: AStore, place: Path, projects: list[str] | None = None) -> Path:
    with open(place, "wb") as stream:
        bundles.export(store.session(), stream, projects)
    return place


def imported(store: AStore, place: Path, **options: object) -> str:
    session = store.session()
    return applying.apply(bundles.plan(session, str(place), **options)).message  # type: ignore[arg-type]


def test_export_wipe_import_gives_the_same_tree_and_export_the_same_bytes(store: AStore, tmp_path: Path) -> None:
    os.chmod(store.at("MEMORY.md"), 0o600)
    first = exported(store, tmp_path / "a.tar.gz")
    fresh = AStore(tmp_path / "fresh")
    assert imported(fresh, first) == "Imported 5 files; 0 were there already."
    assert fresh.tree() == store.tree() and fresh.at("MEMORY.md").stat().st_mode & 0o777 == 0o600
    assert exported(fresh, tmp_path / "b.tar.gz").read_bytes() == first.read_bytes()
    assert imported(fresh, first) == "Imported 0 files; 5 were there already."
    assert undoing.undo(fresh.session()).done and fresh.tree() == {}


NAMES = st.text(st.characters(codec="utf-8", exclude_characters="/\0\\", exclude_categories=["Cs"]), min_size=1, max_size=12)


@settings(max_examples=30, deadline=None)
@given(st.dictionaries(NAMES.filter(lambda name: name not in (".", "..")), st.binary(max_size=200), min_size=1, max_size=6))
def test_any_store_makes_the_round_trip(tmp_path_factory: pytest.TempPathFactory, notes: dict[str, bytes]) -> None:
    home = tmp_path_factory.mktemp("round")
    store = AStore(home / "memory")
    folded: set[str] = set()
    for name, raw in notes.items():
        if name.casefold() not in folded and len(name.encode()) < 200:
            folded.add(name.casefold())
            store.has(f"projects/p/notes/{name}x.md", raw)
    first = exported(store, home / "a.tar.gz")
    fresh = AStore(home / "fresh")
    imported(fresh, first)
    assert fresh.tree() == store.tree()
    assert exported(fresh, home / "b.tar.gz").read_bytes() == first.read_bytes()


def test_a_bundle_altered_by_one_byte_anywhere_is_refused(store: AStore, tmp_path: Path) -> None:
    raw = exported(store, tmp_path / "a.tar.gz", ["other-00000000"]).read_bytes()
    place = tmp_path / "altered.tar.gz"
    fresh = AStore(tmp_path / "fresh")
    altered = (raw[:at] + bytes([raw[at] ^ 0x01]) + raw[at + 1 :] for at in range(len(raw)))
    for each in (*altered, *(raw[:cut] for cut in (0, 1, 20, len(raw) - 1))):
        place.write_bytes(each)
        with pytest.raises(BadContent, match="Nothing was written"):
            bundles.plan(fresh.session(), str(place))
    assert fresh.tree() == {}


@pytest.mark.program("tar")
def test_a_plain_backup_of_a_store_comes_in(store: AStore, tmp_path: Path) -> None:
    place = tmp_path / "backup.tgz"
    os.utime(store.at("MEMORY.md"), (10**9, 10**9))
    subprocess.run(["tar", "czf", place, "-C", store.root.parent, "memory"], check=True)
    fresh = AStore(tmp_path / "fresh")
    imported(fresh, place)
    assert fresh.tree() == store.tree()
    assert fresh.at("MEMORY.md").stat().st_mtime == 10**9


def test_a_project_is_taken_alone_and_under_another_slug(store: AStore, tmp_path: Path) -> None:
    place = exported(store, tmp_path / "a.tar.gz", [PROJECT])
    fresh = AStore(tmp_path / "fresh")
    imported(fresh, place, into="moved-11111111")
    assert set(fresh.tree()) == {"projects/moved-11111111/notes/n.md", "projects/moved-11111111/archive/old.md"}
    with pytest.raises(BadTarget, match="has 2 projects"):
        bundles.plan(fresh.session(), str(exported(store, tmp_path / "b.tar.gz")), into="x")


@pytest.mark.parametrize(
    ("policy", "expected"),
    [(Policy.SKIP, b"mine\n"), (Policy.REPLACE, b"theirs\n"), (Policy.MERGE, b"mine\ntheirs\n"), (Policy.RENAME, b"mine\n")],
)
def test_a_file_that_says_something_else(tmp_path: Path, policy: Policy, expected: bytes) -> None:
    place = exported(AStore(tmp_path / "theirs").has("~/notes/n.md", "theirs\n"), tmp_path / "a.tar.gz")
    mine = AStore(tmp_path / "mine").has("~/notes/n.md", "mine\n")
    imported(mine, place, policy=policy)
    assert mine.raw("~/notes/n.md") == expected
    assert mine.at("~/notes/n-2.md").exists() == (policy is Policy.RENAME)


def tar_of(place: Path, *members: tuple[tarfile.TarInfo, bytes]) -> Path:
    with tarfile.open(place, "w:gz") as archive:
        for info, raw in members:
            info.size = len(raw)
            archive.addfile(info, io.BytesIO(raw))
    return place


def sealed(place: Path, files: dict[str, bytes], folders: dict[str, str] | None = None, *, manifest: bytes | None = None) -> Path:
    """A bundle as the program writes them, with whatever names, and whatever manifest."""
    listed = {name: {"sha256": hashlib.sha256(raw).hexdigest()} for name, raw in files.items()}
    about = manifest if manifest is not None else json.dumps({"format": 1, "folders": folders or {}, "files": listed}).encode()
    tar_of(place, (named(bundle.MANIFEST), about), *((named(name), raw) for name, raw in files.items()))
    raw = place.read_bytes()
    place.write_bytes(raw + bundle._seal(hashlib.sha256(raw).hexdigest()))
    return place


def named(name: str, kind: bytes = tarfile.REGTYPE) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type = kind
    info.linkname = "/etc/passwd" if kind in (tarfile.SYMTYPE, tarfile.LNKTYPE) else ""
    return info


def refused(tmp_path: Path, place: Path, sentence: str) -> None:
    """It is refused so, and nothing of it comes in."""
    fresh = AStore(tmp_path / "fresh")
    with pytest.raises(BadContent, match=sentence):
        bundles.plan(fresh.session(), str(place))
    assert fresh.tree() == {}


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        (["projects/../../x.md"], "leads out of the store"),
        (["/etc/x.md"], "leads out of the store"),
        (["projects/p/notes/a.md", "projects/p/notes/a.md"], "it is there twice"),
        (["projects/p/notes/a.md", "projects/p/notes/A.md"], "another member is called"),
        (["nothing.txt"], "holds no store"),
    ],
)
def test_hostile_names_are_refused(tmp_path: Path, names: list[str], sentence: str) -> None:
    place = tar_of(
        tmp_path / "x.tgz",
        (named("MEMORY.md") if "holds" not in sentence else named("y.txt"), b""),
        *((named(n), b"x") for n in names),
    )
    refused(tmp_path, place, sentence)


PLANTED = (
    ".git/hooks/pre-commit",
    ".git/config",
    ".envrc",
    ".claude/settings.json",
    f"projects/{PROJECT}/.git/hooks/post-checkout",
    f"projects/{PROJECT}/notes/.vscode/tasks.json",
    f"projects/{PROJECT}/notes/.envrc",
    "projects/.git/notes/x.md",
    "projects/.git/SCRATCHPAD.md",
)


def test_no_name_that_programs_run_by_themselves_comes_in_and_no_file_that_can_be_run(tmp_path: Path) -> None:
    def runs(name: str) -> tarfile.TarInfo:
        info = named(name)
        info.mode = 0o6777
        return info

    place = tar_of(tmp_path / "x.tgz", *((runs(name), b"x\n") for name in ("MEMORY.md", *PLANTED, "projects/p/notes/n.md")))
    fresh = AStore(tmp_path / "fresh")
    plan = bundles.plan(fresh.session(), str(place))
    left = {each.source: each.reason for each in plan.rows if not each.ticked}
    assert set(left) == set(PLANTED)
    assert left[".envrc"] == "its name begins with a dot" and left[".git/config"] == "it is in a hidden folder"
    assert imported(fresh, place) == "Imported 2 files; 0 were there already. Left out: 9 files."
    assert set(fresh.tree()) == {"MEMORY.md", "projects/p/notes/n.md"}
    assert [oct(fresh.at(path).stat().st_mode & 0o7777) for path in fresh.tree()] == ["0o664", "0o664"]
    with pytest.raises(BadName):
        bundles.plan(
            fresh.session(), str(exported(AStore(tmp_path / "one").has("~/notes/n.md", "x"), tmp_path / "1.tgz")), into=".x"
        )


def test_what_no_import_takes_is_not_in_a_bundle_and_that_is_said(store: AStore, tmp_path: Path) -> None:
    store.has(".git/config", "x").has(".envrc", "x").has("~/notes/.seen.md", "agents list it\n")
    store.at("~/notes/n.md").chmod(0o755)
    place = exported(store, tmp_path / "a.tar.gz")
    with tarfile.open(place) as archive:
        names = {each.name for each in archive}
    assert f"projects/{PROJECT}/notes/.seen.md" in names and not {".git/config", ".envrc"} & names
    left = bundles.left_out(store.session())
    assert left == [(".envrc", "its name begins with a dot"), (".git/config", "it is in a hidden folder")]
    fresh = AStore(tmp_path / "fresh")
    imported(fresh, place)
    assert fresh.raw("~/notes/.seen.md") == b"agents list it\n" and not fresh.at("~/notes/n.md").stat().st_mode & 0o111


def test_of_a_folder_that_holds_more_than_memory_only_memory_goes_out_and_comes_in(tmp_path: Path) -> None:
    home = tmp_path / "claude"
    memory = "projects/-tmp-p/memory/MEMORY.md"
    planted = ("settings.json", "commands/x.sh", ".credentials.json", "projects/-tmp-p/s.jsonl")
    for name in (memory, *planted):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text("x\n")
    session = stores.open_store(Config(), f"claude-code:{home}")
    assert bundles.paths_out(session) == [memory] and bundles.left_out(session) == []
    other = tmp_path / "other"
    other.mkdir()
    there = stores.open_store(Config(), f"claude-code:{other}")
    plan = bundles.plan(there, str(sealed(tmp_path / "y.tgz", dict.fromkeys((memory, *planted), b"x\n"))))
    applying.apply(plan)
    assert [str(each.relative_to(other)) for each in other.rglob("*") if each.is_file()] == [memory]
    assert {each.reason for each in plan.rows if not each.ticked} == {"it is no memory", "its name begins with a dot"}
    with tarfile.open(tmp_path / "p.tgz", "w:gz") as plain:
        plain.add(home / "settings.json", "settings.json")
    with pytest.raises(BadContent, match=r"p\.tgz holds no store: nothing in it is memory of Claude Code\. Nothing was written\."):
        bundles.plan(there, str(tmp_path / "p.tgz"))


def test_into_a_folder_of_markdown_comes_nothing_that_tools_run_by_its_name(tmp_path: Path) -> None:
    planted = ("Makefile", "conftest.py", "package.json", "a/x.sh", "opencode.json")
    notes = tmp_path / "notes"
    notes.mkdir()
    session = stores.open_store(Config(), f"markdown:{notes}")
    applying.apply(bundles.plan(session, str(sealed(tmp_path / "x.tgz", dict.fromkeys(("a/n.md", *planted), b"x\n")))))
    assert [str(each.relative_to(notes)) for each in notes.rglob("*") if each.is_file()] == ["a/n.md"]
    (notes / "Makefile").write_text("all:\n")
    assert bundles.paths_out(session) == ["a/n.md"]


def test_the_name_of_a_folder_may_be_half_a_character(tmp_path: Path) -> None:
    mine = AStore(tmp_path / "mine")
    session = mine.session()
    session.folder = str(tmp_path / "p")
    place = sealed(tmp_path / "x.tgz", {"projects/p-1/notes/n.md": b"x\n"}, {"p-1": "/x\ud800/p"})
    assert bundles.plan(session, str(place)).notes[0].startswith("What is of /x\ufffd/p goes to ")


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE])
def test_links_and_devices_are_refused(tmp_path: Path, kind: bytes) -> None:
    place = tar_of(tmp_path / "x.tgz", (named("MEMORY.md"), b"x"), (named("projects/p/notes/x.md", kind), b""))
    refused(tmp_path, place, r"projects/p/notes/x\.md is refused: it is (a link|no ordinary file)")


def test_too_many_files_and_too_many_bytes_are_refused_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundle, "MOST_FILES", 10)
    many = tar_of(tmp_path / "many.tgz", *((named(f"projects/p/notes/{number}.md"), b"") for number in range(12)))
    monkeypatch.setattr(bundle, "MOST_BYTES", 1 << 20)
    big = tar_of(tmp_path / "big.tgz", (named("MEMORY.md"), b"\0" * (2 << 20)))
    for place in (many, big):
        refused(tmp_path, place, "unpacks to more than 10 files or 1 MB")


@pytest.mark.parametrize("kind", [tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK])
def test_what_stands_before_a_file_and_is_too_long_for_any_name_is_not_even_read(tmp_path: Path, kind: bytes) -> None:
    digits = b"1" * (64 << 10)  # to look for a word behind them takes Python the square of their number
    place = tar_of(tmp_path / "x.tgz", (named("long", kind), digits), (named("MEMORY.md"), b"x"))
    begun = time.process_time()
    refused(tmp_path, place, "is damaged")
    assert time.process_time() - begun < 4


def test_a_header_that_claims_gigabytes_is_refused(tmp_path: Path) -> None:
    info = named("MEMORY.md", tarfile.XHDTYPE)
    info.size = 8 << 30
    place = tmp_path / "bomb.tgz"
    place.write_bytes(gzip.compress(info.tobuf(tarfile.GNU_FORMAT) + b"\0" * 4096))
    refused(tmp_path, place, "is damaged")


@pytest.mark.parametrize(
    "manifest",
    [b"{" * 100_000, b"[" * 100_000, b'{"a":' * 100_000, b"9" * 100_000, b"[]", b"null", b'"\\ud800"'],
    ids=["braces", "brackets", "objects", "digits", "list", "null", "text"],
)
def test_a_manifest_that_is_none_is_a_sentence(tmp_path: Path, manifest: bytes) -> None:
    place = sealed(tmp_path / "x.tgz", {"MEMORY.md": b"x"}, manifest=manifest)
    refused(tmp_path, place, r"Nothing was written\.$")


def test_a_bundle_of_a_newer_program_is_refused(tmp_path: Path) -> None:
    about = {"format": 99, "files": {}, "folders": {}}
    place = tar_of(tmp_path / "new.tgz", (named(bundle.MANIFEST), json.dumps(about).encode()))
    refused(tmp_path, place, "made by a newer zsmem")


def test_a_linked_project_folder_that_leaves_the_store_gets_nothing(tmp_path: Path) -> None:
    place = exported(AStore(tmp_path / "theirs").has("~/notes/n.md", "theirs\n").has("MEMORY.md", "fact\n"), tmp_path / "a.tar.gz")
    mine = AStore(tmp_path / "mine")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    mine.at("projects").mkdir()
    mine.at(f"projects/{PROJECT}").symlink_to(elsewhere)
    session = mine.session()
    plan = bundles.plan(session, str(place))
    assert [(each.ref.path, each.fate) for each in plan.rows] == [
        ("MEMORY.md", Fate.ADD),
        (f"projects/{PROJECT}/notes/n.md", Fate.SKIPPED),
    ]
    assert "is a link that leaves the store" in plan.rows[1].reason
    assert applying.apply(plan).message == "Imported 1 file; 0 were there already. Left out: 1 file."
    assert list(elsewhere.iterdir()) == [] and mine.raw("MEMORY.md") == b"fact\n"


def test_a_link_inside_the_store_stays_one(tmp_path: Path) -> None:
    place = exported(AStore(tmp_path / "theirs").has("~/notes/n.md", "theirs\n"), tmp_path / "a.tar.gz")
    mine = AStore(tmp_path / "mine").has("~/notes/real.md", "mine\n")
    mine.at("~/notes/n.md").symlink_to("real.md")
    imported(mine, place, policy=Policy.REPLACE)
    assert mine.at("~/notes/n.md").is_symlink() and mine.raw("~/notes/real.md") == b"theirs\n"


def test_times_come_back(store: AStore, tmp_path: Path) -> None:
    when = 1_234_567_890_123_456_789
    os.utime(store.at("MEMORY.md"), ns=(when, when))
    place = exported(store, tmp_path / "a.tar.gz")
    fresh = AStore(tmp_path / "fresh")
    imported(fresh, place)
    assert fresh.at("MEMORY.md").stat().st_mtime_ns == when
    with tarfile.open(place) as archive:
        assert archive.getmember("MEMORY.md").mtime == when // 10**9
    raw = bundle.replaced(str(place), store.raw("MEMORY.md"), b"masked", ZEROSTACK)
    assert raw is not None
    place.write_bytes(raw)
    again = AStore(tmp_path / "again")
    imported(again, place)
    assert again.raw("MEMORY.md") == b"masked" and again.at("MEMORY.md").stat().st_mtime_ns == when


@pytest.mark.parametrize("modified", [-1, 2**80, "yesterday", None, float("inf")])
def test_a_time_that_no_file_can_have_is_left_out(tmp_path: Path, modified: object) -> None:
    about = {"format": 1, "folders": {}, "files": {"MEMORY.md": {"sha256": hashlib.sha256(b"x").hexdigest(), "modified": modified}}}
    made = sealed(tmp_path / "x.tgz", {"MEMORY.md": b"x"}, manifest=json.dumps(about).encode())
    fresh = AStore(tmp_path / "fresh")
    imported(fresh, made)
    assert fresh.raw("MEMORY.md") == b"x"


def test_a_file_that_goes_under_another_name_never_meets_one_that_the_bundle_brings(tmp_path: Path) -> None:
    theirs = AStore(tmp_path / "theirs").has("~/notes/n.md", "theirs\n").has("~/notes/n-2.md", "second\n")
    place = exported(theirs, tmp_path / "a.tar.gz")
    mine = AStore(tmp_path / "mine").has("~/notes/n.md", "mine\n")
    imported(mine, place, policy=Policy.RENAME)
    assert [mine.raw(f"~/notes/n{end}.md") for end in ("", "-2", "-3")] == [b"mine\n", b"second\n", b"theirs\n"]


def test_a_bundle_cut_in_the_middle_is_said_to_be_cut(tmp_path: Path) -> None:
    noise = random.Random(1)
    store = AStore(tmp_path / "memory")
    for number in range(20):
        store.has(f"~/notes/n{number:02}.md", noise.randbytes(4_000))
    place = exported(store, tmp_path / "a.tar.gz")
    raw = place.read_bytes()
    place.write_bytes(raw[: len(raw) // 2])
    refused(tmp_path, place, r"is damaged: it is cut short, in projects/.*/n\d\d\.md\. Nothing was written")
    place.write_bytes(raw[:300])
    refused(tmp_path, place, r"is damaged: it is cut short\. Nothing was written")
    place.write_bytes(b"not an archive")
    refused(tmp_path, place, r"is no \.tar\.gz archive")


def test_a_bundle_that_vanishes_or_is_no_file_is_said(store: AStore, tmp_path: Path) -> None:
    place = exported(store, tmp_path / "a.tar.gz")
    fresh = AStore(tmp_path / "fresh")
    session = fresh.session()
    plan = bundles.plan(session, str(place))
    place.unlink()
    for act in (lambda: applying.apply(plan), lambda: plan.of_row(plan.rows[0])):
        with pytest.raises(Missing, match=r" does not exist\. Nothing was written"):
            act()
    place.mkdir()
    with pytest.raises(Missing, match=r" is a folder\. Nothing was imported"):
        bundles.plan(session, str(place))
    assert fresh.tree() == {}


def test_a_bundle_that_was_deleted_is_not_said_to_be_there_where_its_folder_cannot_be_synced(
    store: AStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(folder: str) -> None:
        raise OSError(errno.EIO, "Input/output error", folder)

    session = store.session()
    bundles.export_to(session, str(tmp_path / "a.tar.gz"))
    monkeypatch.setattr(exports, "sync_folder", fails)
    assert undoing.undo(session).done and not (tmp_path / "a.tar.gz").exists()
