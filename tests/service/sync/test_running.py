"""One run of a sync, over a folder as the remote."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from dulwich.repo import Repo
from urllib3.util import connection

from tests.service.sync.machines import GIT, Machine, git, in_branch, put_in_branch
from zsmem_tui.config.model import Config
from zsmem_tui.core.errors import BadTarget, MemError, RemoteFailed, RuleBroken, Unreadable
from zsmem_tui.core.sync.branch_files import group_folder
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.version import AuthorKind
from zsmem_tui.service import reviewing, undoing
from zsmem_tui.service.plan import Handling
from zsmem_tui.service.session import Session
from zsmem_tui.service.sync import forgetting, reading, setting_up
from zsmem_tui.service.sync.standing import Standing, standing
from zsmem_tui.store import writing
from zsmem_tui.store.disk import files
from zsmem_tui.store.scan import scan
from zsmem_tui.store.sync import branch, remembered, without_git
from zsmem_tui.store.sync.place import Place, make_repository
from zsmem_tui.store.sync.remote import opened

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.fixture
def remote(tmp_path: Path) -> Path:
    return tmp_path / "remote.git"


@pytest.fixture
def a(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, remote: Path) -> Machine:
    return Machine(tmp_path, "laptop", monkeypatch).has("MEMORY.md", "# Memory\n\n- one\n- two\n- three\n").set_up(remote)


@pytest.fixture
def b(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, remote: Path) -> Machine:
    return Machine(tmp_path, "desktop", monkeypatch).set_up(remote)


def session_of(machine: Machine) -> Session:
    return Session.open(machine.wake().config)


def test_how_it_stands_is_said_in_a_few_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, remote: Path) -> None:
    machine = Machine(tmp_path, "laptop", monkeypatch).has("MEMORY.md", "one\n")
    assert standing(0) == Standing()
    machine.set_up(remote)
    assert standing(0) == Standing(True, "never synced")
    machine.sync()
    now, minute = remembered.load().last, 60 * 10**9
    said = {
        "just now": (-1, 0, 0.9),
        "1 min ago": (1,),
        "59 min ago": (59,),
        "1 h ago": (60, 119),
        "23 h ago": (1439,),
        "1 d ago": (1440,),
    }
    for words, minutes in said.items():
        assert {standing(now + int(each * minute)).words for each in minutes} == {f"synced {words}"}
    place, setup = Path(remembered.home(), "setup.json"), remembered.load()
    pair = {"path": "MEMORY.md", "line": 0, "first": [], "second": []}
    told: list[tuple[dict[str, object], str]] = [
        ({}, "not synced"),
        ({"problem": ""}, "2 lines both changed"),
        ({"both": [pair]}, "1 line both changed"),
    ]
    setup.problem, setup.both = "No way there.", [pair, pair]
    for changes, words in told:
        vars(setup).update(changes)
        remembered.save(setup)
        assert standing(now) == Standing(True, words)
    place.write_text("{")
    assert standing(now) == Standing(False, "sync: its setup is damaged")


def test_what_both_wrote_is_on_both(a: Machine, b: Machine, remote: Path) -> None:
    a.has("projects/x-1a2b3c4d/notes/tea.md", "# Tea\n\ngreen\n")
    assert a.sync().changed == 2
    assert [each.machine for each in b.sync().pulled] == ["laptop"], "a project without its folder waits"
    assert b.tree() == {"MEMORY.md": b"# Memory\n\n- one\n- two\n- three\n"}
    a.has("MEMORY.md", "# Memory\n\n- zero\n- one\n- two\n- three\n").sync()
    b.has("MEMORY.md", "# Memory\n\n- one\n- two\n- three\n- four\n")
    done = b.sync()
    assert [each.path for each in (*done.pulled, *done.pushed)] == [printable_path(str(b.memory / "MEMORY.md"))] * 2
    a.sync()
    assert a.read("MEMORY.md") == b.read("MEMORY.md") == "# Memory\n\n- zero\n- one\n- two\n- three\n- four\n"
    assert a.sync().changed == b.sync().changed == 0
    assert done.waiting[0]["machines"] == ["laptop"]


@pytest.mark.parametrize(("count", "kept", "is_away"), [(19, 0, False), (20, 0, True), (30, 1, False)])
def test_a_store_of_which_all_is_gone_at_once_is_away(a: Machine, remote: Path, count: int, kept: int, is_away: bool) -> None:
    """What lies beside the memory is still there; of a few files it is believed that they were deleted."""
    a.has("stays.bin", "x")
    for number in range(1, count):
        a.has(f"projects/x-1a2b3c4d/notes/n{number}.md", f"note {number}\n")
    a.sync()
    for place in sorted(a.memory.rglob("*.md"))[kept:]:
        place.unlink()
    done = a.sync()
    there = git("--git-dir", remote, "ls-tree", "-r", "--name-only", "zsmem").split()
    assert len([name for name in there if name.endswith(".md")]) == (count if is_away else kept)
    assert any("Nothing is left here of zerostack/global. It was deleted nowhere else" in each for each in done.left) == is_away


def test_what_cannot_travel_is_said_and_stays(a: Machine, remote: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zsmem_tui.service.sync.groups.MOST_BYTES", 100)
    notes = "projects/x-1a2b3c4d/notes"
    a.has(f"{notes}/large.md", "x" * 101).has(f"{notes}/fits.md", "x" * 100).has(f"{notes}/odd\x85name.md", "x\n")
    said = sorted(each.rpartition("/")[2] for each in a.sync().left)
    assert said == [
        "large.md does not travel: it is too large.",
        "odd\x85name.md does not travel: its name has signs that are no letters.",
    ]
    there = git("--git-dir", remote, "ls-tree", "-r", "--name-only", "zsmem").split()
    assert sorted(name.rpartition("/")[2] for name in there) == ["MEMORY.md", "fits.md", "zsmem.json"] and len(a.tree()) == 4


def test_a_step_that_a_dead_process_left_goes_as_a_whole(a: Machine, b: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    a.sync()
    session = session_of(a)
    pid = os.fork()
    if not pid:
        monkeypatch.setattr(writing, "remove", lambda *words, **named: os._exit(9))
        batch = session.batch("Moved")
        batch.update("projects/x-1a2b3c4d/notes/tea.md", lambda _: b"# Tea\n")
        batch.remove("MEMORY.md")
        batch.apply()
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == 9 << 8 and "MEMORY.md" in a.tree()
    assert sorted(Path(each.path).name for each in a.sync().pushed) == ["MEMORY.md", "tea.md"]
    assert a.tree() == {"projects/x-1a2b3c4d/notes/tea.md": b"# Tea\n"}


def test_what_came_in_waits_for_review_with_its_writer_and_goes_back_in_one_step(a: Machine, b: Machine) -> None:
    a.sync()
    b.sync()
    session = session_of(b)
    session.history.catch_up(scan(session.root, session.layout))
    a.has("MEMORY.md", "# Memory\n\n- one\n- two\n- three\n- planted\n").sync()
    before = b.tree()
    b.sync()
    assert "planted" in b.read("MEMORY.md")
    session = session_of(b)
    session.history.catch_up(scan(session.root, session.layout))
    found = {each.ref.path: each for each in reviewing.pending(session)}
    version = found["MEMORY.md"].versions[0]
    assert (version.author.kind, str(version.author)) == (AuthorKind.SYNCED, "another program on laptop")
    said = "1 line of another program on laptop (“- planted”)"
    would = undoing.undo(session, dry_run=True).message
    assert would == f"Undid: Synced with laptop. {said} would be gone here; the next sync removes them there, too. Redo keeps them."
    done = undoing.undo(session)
    assert (
        done.message == f"Undid: Synced with laptop. {said} is gone here; the next sync removes them there, too. Redo keeps them."
    )
    assert b.tree() == before
    assert f"{said} would be removed there, too: undo took back what had come." in b.sync(dry_run=True).left
    assert f"{said} is removed there, too: undo took back what had come." in b.sync().left
    a.sync()
    assert a.tree() == before, "what was taken back here is taken back everywhere"


GROUP = "claude-code/" + group_folder("api", "host.org/me/api\n.")


def test_deletions_renames_and_what_stays(a: Machine, b: Machine) -> None:
    for name in ("gone", "kept", "moved"):
        a.has(f"{name}.md", "".join(f"{name} {number}\n" for number in range(6)), root=a.notes)
    a.sync()
    b.sync()
    (a.notes / "gone.md").unlink()
    (a.notes / "kept.md").unlink()
    (a.notes / "moved.md").rename(a.notes / "new.md")
    b.has("kept.md", "kept 0\nchanged\n", root=b.notes).has("moved.md", b.read("moved.md", root=b.notes) + "more\n", root=b.notes)
    a.sync()
    assert any("kept.md was deleted" in each for each in b.sync().left)
    a.sync()
    assert sorted(os.listdir(a.notes)) == sorted(os.listdir(b.notes)) == ["kept.md", "new.md"]
    assert a.read("new.md", root=a.notes).endswith("more\n") and "changed" in a.read("kept.md", root=a.notes)


def test_what_somebody_writes_while_a_sync_would_delete_it_stays(a: Machine, b: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    a.has("x.md", "x\n", root=a.notes).has("y.md", "y\n", root=a.notes).sync()
    b.sync()
    (a.notes / "x.md").unlink()
    a.sync()
    read = reading.read

    def with_late_words(*words: Any, **named: Any) -> reading.Here:
        found = read(*words, **named)
        b.has("x.md", "x\nlate\n", root=b.notes)
        return found

    with monkeypatch.context() as now:
        now.setattr(reading, "read", with_late_words)
        b.sync()
    b.sync()
    a.sync()
    assert a.read("x.md", root=a.notes) == b.read("x.md", root=b.notes) == "x\nlate\n"


def test_a_memory_in_a_project_s_folder_is_that_of_the_project(a: Machine, b: Machine, remote: Path) -> None:
    own, other = (each.clone / ".memsearch/memory" for each in (a, b))
    other.mkdir(parents=True)
    a.has("2026-05-24.md", "## Session 09:00\n\n- tea\n", root=own).sync()
    b.sync()
    assert b.read("2026-05-24.md", root=other) == a.read("2026-05-24.md", root=own)
    assert [path for path in in_branch(remote) if path.startswith("memsearch/api-") and path.endswith("/2026-05-24.md")]
    a.project("code/alone")
    a.has("2026-05-25.md", "## Session 10:00\n\n- mug\n", root=a.home / "code/alone/.memsearch/memory").sync()
    [waiting] = b.sync().waiting
    b.project("elsewhere")
    setting_up.join(b.config, str(waiting["group"]), str(b.home / "elsewhere"))
    b.sync()
    assert b.read("2026-05-25.md", root=b.home / "elsewhere/.memsearch/memory") == "## Session 10:00\n\n- mug\n"


def test_a_folder_of_markdown_is_joined_to_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, remote: Path, b: Machine
) -> None:
    c = Machine(tmp_path, "laptop", monkeypatch, Config(stores=(f"markdown:{tmp_path}/laptop/papers",)))
    one, other = c.home / "papers", b.home / "docs"
    c.has("x.md", "x\n", root=one).set_up(remote).sync()
    [waiting] = b.sync().waiting
    other.mkdir()
    setting_up.join(b.config, str(waiting["group"]), str(other))
    assert not b.sync().waiting and b.read("x.md", root=other) == "x\n"
    b.has("x.md", "x\ny\n", root=other).sync()
    c.sync()
    assert c.read("x.md", root=one) == "x\ny\n"


def test_groups_whose_folders_differ_are_one_by_their_remote(a: Machine, b: Machine) -> None:
    one, other = a.notes, b.project("work/service", "https://user@host.org/you/service")
    one = a.project("code/service", "ssh://git@host.org/you/service.git")
    alone = a.project("code/alone")
    for folder in (one, alone):
        a.has("MEMORY.md", "# Memory\n\n- [Redis](redis.md) - port\n", root=folder)
    a.sync()
    done = b.sync()
    assert b.read("MEMORY.md", root=other) == a.read("MEMORY.md", root=one)
    assert [each["name"] for each in done.waiting] == ["alone"]
    with pytest.raises(BadTarget, match="no folder"):
        setting_up.join(b.config, str(done.waiting[0]["group"]), "nowhere")
    goal = b.project("elsewhere")
    with pytest.raises(BadTarget, match=r"^none is no group that waits for a folder. Nothing was joined.$") as refused:
        setting_up.join(b.config, "none", str(b.home / "elsewhere"))
    assert refused.value.hint == f"Groups that wait: {done.waiting[0]['group']}."
    setting_up.join(b.config, str(done.waiting[0]["group"]), str(b.home / "elsewhere"), dry_run=True)
    assert b.sync().waiting
    setting_up.join(b.config, str(done.waiting[0]["group"]), str(b.home / "elsewhere"))
    assert not b.sync().waiting
    assert b.read("MEMORY.md", root=goal) == a.read("MEMORY.md", root=alone)
    b.has("redis.md", "---\nname: redis\n---\nport 1\n", root=goal).sync()
    a.sync()
    assert a.read("redis.md", root=alone) == b.read("redis.md", root=goal)


def test_a_folder_that_joins_a_group_brings_its_own_memory_along(a: Machine, b: Machine) -> None:
    alone, goal = a.project("code/alone"), b.project("elsewhere")
    a.has("a.md", "of a\n", root=alone).sync()
    [waiting] = b.has("b.md", "of b\n", root=goal).sync().waiting
    setting_up.join(b.config, str(waiting["group"]), str(b.home / "elsewhere"))
    b.sync()
    a.sync()
    for machine, root in ((a, alone), (b, goal)):
        assert [machine.read(f"{name}.md", root=root) for name in "ab"] == ["of a\n", "of b\n"]


def test_only_memory_of_the_kinds_that_were_chosen_comes(
    a: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, remote: Path
) -> None:
    a.has("x.md", "x\n", root=a.notes).sync()
    other = Machine(tmp_path, "desktop", monkeypatch).set_up(remote, stores=["zerostack"])
    other.sync()
    assert other.read("MEMORY.md") == a.read("MEMORY.md") and not other.notes.exists()


def test_where_there_is_nothing_nothing_is_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, remote: Path) -> None:
    Machine(tmp_path, "laptop", monkeypatch).set_up(remote).sync()
    assert git("--git-dir", remote, "for-each-ref") == ""


def test_a_group_without_a_folder_here_can_be_read(a: Machine, b: Machine) -> None:
    a.has("MEMORY.md", "# Memory\n\n- alone\n", root=a.project("code/alone")).sync()
    b.wake()
    with pytest.raises(BadTarget, match="Nothing was synced yet"):
        setting_up.texts_of("x")
    group = b.sync().waiting[0]["group"]
    assert setting_up.texts_of(group) == {f"{group}/MEMORY.md": b"# Memory\n\n- alone\n"}
    with pytest.raises(BadTarget, match="is no group of the branch"):
        setting_up.texts_of("nowhere")


def test_a_group_takes_its_place_once_its_folder_appears_and_its_folder_may_move(a: Machine, b: Machine) -> None:
    a.has("MEMORY.md", "# Memory\n\n- x\n", root=a.project("code/web", "git@host.org:me/web.git"))
    a.sync()
    assert len(b.sync().waiting) == 1
    goal = b.project("deep/inside/web", "git@host.org:me/web.git")
    assert not b.sync().waiting and b.read("MEMORY.md", root=goal) == "# Memory\n\n- x\n"
    moved = b.project("moved", "git@host.org:me/web.git")
    goal.parent.rename(b.home / "away")
    (b.home / "deep/inside/web").rename(b.home / "gone")
    (b.home / "away/memory").rename(moved)
    (b.home / "away").rename(b.home / ".trash")
    b.has("more.md", "more\n", root=moved).sync()
    a.sync()
    assert any("more" in text for text in in_branch(a.home.parent / "remote.git").values())
    assert a.sync().changed == b.sync().changed == 0


def test_credentials_stop_are_masked_or_go(a: Machine, b: Machine, remote: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    a.has("MEMORY.md", f"# Memory\n\n- token {TOKEN}\n")
    clock = time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: clock() + 10**9)  # the files are not of this moment
    for dry_run in (True, False):
        assert not remembered.load().problem
        with pytest.raises(RuleBroken, match=r"MEMORY\.md:3.* Nothing was sent\.") as refused:
            a.sync(dry_run=dry_run)
    assert remembered.load().problem == refused.value.message and not git("--git-dir", remote, "branch", "--list")
    a.sync(Handling.MASK)
    assert TOKEN not in "".join(in_branch(remote).values()) and TOKEN in a.read("MEMORY.md")
    a.has("other.md", "another file alone\n", root=a.notes).sync()
    a.has("MEMORY.md", f"# Memory\n\n- token {TOKEN}\n- more\n").sync()
    b.sync()
    b.has("MEMORY.md", b.read("MEMORY.md") + "- of desktop\n").sync()
    a.sync()
    assert TOKEN not in "".join(in_branch(remote).values()) and TOKEN not in b.read("MEMORY.md")
    assert TOKEN in a.read("MEMORY.md") and "of desktop" in a.read("MEMORY.md")
    a.has("x.md", f"ghp_{'Z9y8X7w6V5' * 4}\n", root=a.notes)
    a.sync(Handling.ALLOW)
    assert a.sync().changed == 0 and "Z9y8X7w6V5" in str(in_branch(remote)), "others than that which is masked"


HOSTILE = {
    ".envrc": "100644",
    "a\\b.md": "100644",
    "\u202ex.md": "100644",
    "link.md": "120000",
    "notes": "160000",
    ".zsmem-x.md": "100644",
    "run.sh": "100755",
    "/zerostack/x.md": "100644",
    "/markdown/x-1a2b3c4d/a.md": "100644",
    "/nobody/global/a.md": "100644",
}
"""Places in the group, or with a slash in the branch, by their modes."""


def test_what_a_hostile_branch_has_is_not_taken(a: Machine, b: Machine, remote: Path) -> None:
    a.has("first.md", "first\n", root=a.notes).sync()
    b.sync()
    head = git("--git-dir", remote, "rev-parse", "zsmem").strip().encode()
    entries = {
        path[1:] if path[0] == "/" else f"{GROUP}/{path}": (mode, head if mode == "160000" else b"/etc/passwd")
        for path, mode in HOSTILE.items()
    }
    put_in_branch(remote, {**entries, f"{GROUP}/fine.md": ("100644", b"fine\n")})
    before = set(b.home.rglob("*")) | set(b.home.parent.glob("*"))
    b.sync()
    assert b.read("fine.md", root=b.notes) == "fine\n"
    new = {
        each for each in {*b.home.rglob("*"), *b.home.parent.glob("*")} - before if not each.is_relative_to(b.home / ".local/state")
    }
    assert {each.name for each in new} <= {"memory", "fine.md"}
    b.has("MEMORY.md", "# Memory\n\n- of desktop\n").sync()
    there = git("--git-dir", remote, "-c", "core.quotePath=false", "ls-tree", "-r", "-z", "--name-only", "zsmem").split("\0")
    assert entries.keys() <= set(there), "they stay there"
    try:
        put_in_branch(remote, {f"{GROUP}/../../x.md": ("100644", b"x\n")})
    except subprocess.CalledProcessError:
        return  # git itself refuses the name
    with pytest.raises(RemoteFailed, match="Nothing was synced"):
        b.sync()


def test_an_offer_tells_a_repository_that_is_made_from_a_branch_that_is(a: Machine, tmp_path: Path) -> None:
    a.has("first.md", "first\n", root=a.notes).sync()
    a.wake()
    size = len("first\n") + len(a.read("MEMORY.md"))
    for name, ends in (
        ("none.git", "That repository is not there yet: it is made."),
        ("r.git", "That branch is not there yet."),
        ("remote.git", "What is in that branch comes here."),
    ):
        if name == "r.git":
            make_repository(str(tmp_path / name))
        offer = setting_up.offer(a.config, str(tmp_path / name), machine="laptop")
        would = f"2 files of 2 groups, {size} bytes, would go to {tmp_path / name}, branch zsmem, from the machine laptop."
        assert offer.setup.stores == ["zerostack", "claude-code", "ethos", "opencode", "memsearch", "oh-my-pi", "markdown"]
        assert offer.said == f"{would} {ends}" and offer.is_new == (name == "none.git")


def test_what_is_told_of_a_remote_lets_nobody_in() -> None:
    place = Place("https://ann@h/x?token=s3cret", "zsmem", "/nowhere")
    assert place.shown == "https://h/x"
    said = "HTTPSConnectionPool(host='h'): Max retries exceeded with url: /x?token=s3cret/info/refs (https://ann@h/x?token=s3cret)"
    assert "s3cret" not in place.told(said) and "Max retries exceeded with url: /x" in place.told(said)
    folder = Place("/srv/a?b#c", "zsmem", "/nowhere")
    assert folder.shown == "/srv/a?b#c" and folder.told("/srv/a?b#c: No such file") == "/srv/a?b#c: No such file"


def test_a_link_in_the_place_of_a_text_deletes_no_text(a: Machine, b: Machine, remote: Path) -> None:
    names = ("first.md", "second.md")
    for name in names:
        a.has(name, "first\n", root=a.notes)
    a.sync()
    b.sync()
    links = zip(names, (("120000", b"/etc/passwd"), ("160000", b"1" * 40)), strict=True)
    put_in_branch(remote, {**{f"{GROUP}/{name}": link for name, link in links}, f"{GROUP}/a\nzsmem: b.md": ("100644", b"x\n")})
    for name in names:
        a.has(name, "first\nof laptop\n", root=a.notes)
    done = b.sync()
    assert [b.read(name, root=b.notes) for name in names] == ["first\n"] * 2
    assert sorted(os.path.basename(each.path) for each in done.pushed) == [*names] and not done.pulled
    assert sum(f"{name} of the branch was not taken" in each for each in done.left for name in names) == 2
    assert not any("\n" in each for each in done.left)
    a.sync()
    b.sync()
    assert [each.read(name, root=each.notes) for each in (a, b) for name in names] == ["first\nof laptop\n"] * 4


def test_what_a_hostile_branch_is_full_of_is_not_taken(
    a: Machine, b: Machine, remote: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (branch, without_git):
        monkeypatch.setattr(module, "MOST_BYTES", 1 << 20)
    a.has("first.md", "first\n", root=a.notes).sync()
    b.sync()
    big = b"x" * ((1 << 20) + 1)
    put_in_branch(remote, {f"{GROUP}/big.md": ("100644", big), f"{GROUP}/fine.md": ("100644", b"fine\n")})
    done = b.sync()
    assert any("big.md of the branch was not taken: it is too large" in each for each in done.left)
    assert sorted(os.listdir(b.notes)) == ["fine.md", "first.md"]
    b.has("more.md", "more\n", root=b.notes).sync()
    assert f"{GROUP}/big.md" in git("--git-dir", remote, "ls-tree", "-r", "--name-only", "zsmem"), "it stays there"
    with monkeypatch.context() as patch:
        patch.setattr("shutil.which", lambda name: None)
        with pytest.raises(RemoteFailed, match="a file of more than 1 MiB"):
            a.sync()


def test_what_a_hostile_commit_says_is_one_short_line(a: Machine, b: Machine, remote: Path) -> None:
    a.has("first.md", "first\n", root=a.notes).sync()
    b.sync()
    says = f"x\n\nMachine: 1 \x1b[31m[b]evil[/b]\u202e{'y' * 500}\nWrote: \x1b]0;x\x07me | {GROUP}/new.md"
    put_in_branch(remote, {f"{GROUP}/new.md": ("100644", b"new\n")}, says=says)
    came = b.sync().pulled[0]
    assert came.writers == "]0;x me" and came.machine.startswith("[31m[b]evil[/b] yyy") and len(came.machine) == 60


def test_a_branch_that_is_not_understood_or_somebody_elses_changes_nothing(a: Machine, remote: Path) -> None:
    a.sync()
    before = a.tree()
    for about in (
        b"no json",
        b'{"format": 1}',
        b'{"format": 99, "groups": {}}',
        b'{"format": 1, "groups": {"a/b": {"keys": 3}}}',
        b'{"format": 1, "groups": {"a/b": null}}',
        b'{"format": 1, "groups": {"a/b": ["keys"]}}',
        b"[" * 100_000,
    ):
        put_in_branch(remote, {"zsmem.json": ("100644", about), "zerostack/global/MEMORY.md": ("100644", b"planted\n")})
        with pytest.raises(BadTarget, match="Nothing was synced"):
            a.sync()
        assert a.tree() == before, about
    put_in_branch(remote, {"src/a/main.py": ("100644", b"x\n")}, keep=False)
    with pytest.raises(BadTarget, match="not one of zsmem's"):
        a.sync()


def test_a_branch_that_was_written_anew_loses_nothing(a: Machine, b: Machine, remote: Path) -> None:
    a.sync()
    b.sync()
    first = git("--git-dir", remote, "rev-parse", "zsmem").strip()
    a.has("MEMORY.md", "# Memory\n\n- one\n- two\n- three\n- later\n").sync()
    git("--git-dir", remote, "update-ref", "refs/heads/zsmem", first)
    b.has("MEMORY.md", "# Memory\n\n- of b\n- one\n- two\n- three\n").sync()
    a.sync()
    b.sync()
    assert a.tree() == b.tree() and {"later", "of b", "one"} <= set(a.read("MEMORY.md").replace("- ", "").split("\n"))
    put_in_branch(remote, {"zsmem.json": ("100644", b'{"format": 1, "groups": {}}')}, keep=False)
    a.sync()
    b.sync()
    assert a.tree() == b.tree() and "later" in a.read("MEMORY.md")


def test_a_store_that_is_away_deletes_nothing(a: Machine, b: Machine) -> None:
    a.sync()
    b.sync()
    b.memory.rename(b.home / "away")
    b.sync()
    a.sync()
    assert a.tree()
    (b.home / "away").rename(b.memory)
    assert b.sync().changed == 0 and b.tree() == a.tree()


def test_what_cannot_be_read_or_written_stops_nothing_else(a: Machine, b: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    a.has("x.md", "x\n", root=a.notes).sync()
    b.sync()
    (b.notes / "y.md").mkdir()
    a.has("y.md", "y\n", root=a.notes).has("MEMORY.md", "# Memory\n\n- new\n").sync()
    assert any("y.md" in each for each in b.sync().left)
    assert b.read("MEMORY.md") == "# Memory\n\n- new\n"
    b.sync()
    a.sync()
    assert a.read("y.md", root=a.notes) == "y\n", "it was never there, so it was not deleted there"
    (b.notes / "y.md").rmdir()
    b.sync()
    assert b.read("y.md", root=b.notes) == "y\n"
    read, may = files.read, os.access

    def unreadable(place: str) -> object:
        if place.endswith("x.md"):
            raise Unreadable(place, f"{place} cannot be read")
        return read(place)

    b.has("x.md", "x\nof b\n", root=b.notes)
    with monkeypatch.context() as now:
        now.setattr(files, "read", unreadable)
        assert any("x.md" in each for each in b.sync().left)
    a.has("MEMORY.md", "# Memory\n\n- newer\n").sync()
    assert a.read("x.md", root=a.notes) == "x\n"
    a.has("x.md", "of a\nx\n", root=a.notes).sync()
    with monkeypatch.context() as now:
        now.setattr(os, "access", lambda place, mode: not str(place).endswith("x.md") and may(place, mode))
        assert [each for each in b.sync().left if "x.md" in each] and b.read("x.md", root=b.notes) == "x\nof b\n"
    assert b.read("MEMORY.md") == a.read("MEMORY.md")
    b.sync()
    assert b.read("x.md", root=b.notes) == "of a\nx\nof b\n"


def test_the_remote_is_gone_refuses_or_is_no_repository(a: Machine, remote: Path, tmp_path: Path) -> None:
    a.sync()
    a.has("MEMORY.md", "# Memory\n\n- new\n")
    git("--git-dir", remote, "config", "receive.maxInputSize", "1")
    with pytest.raises(RemoteFailed, match="Nothing was sent"):
        a.sync()
    git("--git-dir", remote, "config", "--unset", "receive.maxInputSize")
    remote.rename(tmp_path / "away.git")
    with pytest.raises(RemoteFailed):
        a.sync()
    (tmp_path / "away.git").rename(remote)
    assert a.sync().changed == 1
    assert in_branch(remote)["zerostack/global/MEMORY.md"] == "# Memory\n\n- new\n"


def test_nothing_in_a_folder_that_is_the_remote_is_run_here(a: Machine, b: Machine, remote: Path, tmp_path: Path) -> None:
    a.sync()
    b.sync()
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\n")
    trap.chmod(0o755)
    (remote / "hooks").mkdir(exist_ok=True)
    for name in ("pre-receive", "update", "post-receive", "post-update", "reference-transaction", "proc-receive", "pre-auto-gc"):
        (remote / "hooks" / name).symlink_to(trap)
    (remote / "objects/info/alternates").write_text(f"{branch.home()}/objects\n")
    commands = (
        "uploadpack.packObjectsHook",
        "core.alternateRefsCommand",
        "core.fsmonitor",
        "core.sshCommand",
        "gc.recentObjectsHook",
    )
    for name, value in (*((name, str(trap)) for name in commands), ("gc.auto", "1"), ("gc.autoDetach", "false")):
        git("--git-dir", remote, "config", name, value)
    a.has("MEMORY.md", "# Memory\n\n- new\n").sync()
    b.sync()
    b.has("x.md", "x\n", root=b.notes).sync()
    a.sync()
    assert a.read("x.md", root=a.notes) == "x\n"
    assert not (tmp_path / "sprung").exists()


def test_set_up_refuses_what_cannot_be(a: Machine, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full/x").write_text("x")
    for each in ("ext::sh -c id", str(a.memory), str(a.memory / "x"), str(a.home)):
        with pytest.raises(BadTarget, match="Nothing was set up"):
            a.set_up(each)
    with pytest.raises(MemError, match="Nothing was"):
        a.set_up(tmp_path / "full")
    for name in ("", "-x", "a b", "a..b", "x.lock", "x.lock/y"):
        with pytest.raises(BadTarget):
            a.set_up(tmp_path / "other.git", branch_name=name)


@pytest.mark.parametrize(
    ("said", "reason", "hint"),
    [
        ("Host key verification failed.\nfatal: Could not read from remote repository.", "Host key verification failed", "ssh key"),
        ("me@host: Permission denied (publickey).\nfatal: Could not read from remote repository.", "Permission denied", "password"),
    ],
)
def test_why_ssh_let_nobody_in_is_said(
    a: Machine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, said: str, reason: str, hint: str
) -> None:
    ssh = tmp_path / "ssh"
    ssh.write_text(f"#!/bin/sh\nprintf '%s\\n' '{said}' >&2\nexit 255\n")
    ssh.chmod(0o755)
    monkeypatch.setenv("GIT_SSH_COMMAND", str(ssh))
    with pytest.raises(RemoteFailed, match=reason) as caught:
        a.set_up("host:x.git")
    assert hint in caught.value.hint and ".." not in caught.value.message


class Refusing(BaseHTTPRequestHandler):
    """A server that lets nobody in, or sends what is nothing of git's."""

    def do_GET(self) -> None:
        asks, kind = ("nobody" in self.path), "application/x-git-upload-pack-advertisement"
        self.send_response(401 if asks else 200)
        self.send_header("WWW-Authenticate", "Basic") if asks else self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(b"" if asks else b"zzzz\xff")

    def log_message(self, format: str, *words: object) -> None:
        """Nothing of it."""


def test_without_a_git_program_a_server_that_refuses_is_said_to(a: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Refusing) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setattr("shutil.which", lambda name: None)
        begun: list[socket.socket] = []
        connect = connection.create_connection

        def noted(*to: Any, **how: Any) -> socket.socket:
            begun.append(connect(*to, **how))
            return begun[-1]

        monkeypatch.setattr(connection, "create_connection", noted)
        for name in ("nobody", "nonsense"):
            with pytest.raises(RemoteFailed, match="Nothing was synced") as caught:
                a.set_up(f"http://127.0.0.1:{server.server_port}/{name}")
            assert begun and {each.fileno() for each in begun} == {-1}, caught.value
        server.shutdown()


def test_a_git_that_takes_its_time_is_waited_for(a: Machine, b: Machine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    a.sync()
    b.wake()
    slow = tmp_path / "bin/git"
    slow.parent.mkdir()
    slow.write_text(f'#!/bin/sh\ncase "$*" in *cat-file*) sleep 0.2;; esac\nexec {shutil.which("git")} "$@"\n')
    slow.chmod(0o755)
    monkeypatch.setitem(GIT, "PATH", f"{slow.parent}:{os.environ['PATH']}")
    assert len(b.sync().pulled) == 1
    end = time.monotonic() + 10
    slowly = opened(Place("x", "zsmem", branch.home()), lambda: time.monotonic() > end)
    assert slowly.sizes(["0" * 40] * 10_000) == {}, "more than a pipe holds"


def test_off_and_on_again(a: Machine, b: Machine) -> None:
    a.sync()
    for forget in (False, True):
        assert setting_up.off(forget_remote=forget, dry_run=True).startswith("Sync would be off")
    assert setting_up.status().is_on and os.path.exists(branch.home())
    assert setting_up.off().endswith("keeps what it has, and so does this machine.")
    with pytest.raises(BadTarget, match="not set up"):
        a.sync()
    assert "what was remembered of the remote is gone" in setting_up.off(forget_remote=True)
    assert "what was remembered of the remote is gone" in setting_up.off(forget_remote=True), "as it was"
    with pytest.raises(BadTarget, match="Sync is not set up"):
        setting_up.off()
    assert not setting_up.status().is_on and not os.path.exists(branch.home())
    assert "Nothing" in a.set_up(a.home.parent / "remote.git").sync().said


def test_a_setup_that_is_not_as_it_was_written_is_said(a: Machine) -> None:
    a.sync()
    place = a.home / ".local/state/zsmem/sync/setup.json"
    whole = place.read_text()
    for name in json.loads(whole):
        others: list[object] = [None, 3, "x", [], [[]], [{}], ["x"], {}, {"x": 1}, {"x": ["y"]}, {"x": {"y": 1}}]
        for other in others:
            place.write_text(json.dumps({**json.loads(whole), name: other}))
            try:
                a.sync()
                setting_up.status()
            except MemError as error:
                assert "Nothing was s" in error.message
            place.write_text(whole)
    assert a.sync().changed == 0


def test_a_dry_run_changes_nothing(a: Machine, b: Machine, remote: Path) -> None:
    done = a.sync(dry_run=True)
    assert done.said == "1 file would go out."
    assert len(done.pushed) == 1 and not git("--git-dir", remote, "branch", "--list")
    a.sync()
    before = (b.home / ".local/state/zsmem/sync/setup.json").read_bytes()
    assert len(b.sync(dry_run=True).pulled) == 1 and not b.memory.exists()
    assert (b.home / ".local/state/zsmem/sync/setup.json").read_bytes() == before


def test_without_a_git_program_it_is_the_same(a: Machine, b: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    a.sync()
    monkeypatch.setattr("shutil.which", lambda name: None)
    b.sync()
    b.has("MEMORY.md", "# Memory\n\n- one\n- two\n- three\n- four\n").sync()
    monkeypatch.undo()
    a.sync()
    assert "four" in a.read("MEMORY.md")


def test_lines_that_both_changed_are_told_until_somebody_decides(a: Machine, b: Machine) -> None:
    a.sync()
    b.sync()
    a.has("MEMORY.md", "# Memory\n\n- one\n- 2\n- three\n").sync()
    b.has("MEMORY.md", "# Memory\n\n- one\n- II\n- three\n")
    assert [each["line"] for each in b.sync().both] == [4]
    a.sync()
    assert a.read("MEMORY.md") == b.read("MEMORY.md") and {"- 2", "- II"} <= set(a.read("MEMORY.md").split("\n"))
    b.has("MEMORY.md", "# Memory\n\n- one\n- II\n- three\n")
    assert not b.sync().both


def test_machines_of_one_name_are_told_apart(a: Machine, b: Machine) -> None:
    a.sync()
    setting_up.confirm(setting_up.offer(b.wake().config, str(a.home.parent / "remote.git"), machine="laptop"))
    assert [each.machine for each in b.sync().pulled] == ["laptop"]


def test_a_machine_names_only_who_wrote_there(a: Machine, b: Machine, remote: Path) -> None:
    a.sync()
    b.sync()
    session_of(b).history.catch_up(scan(session_of(b).root, session_of(b).layout))
    a.has("MEMORY.md", "# Memory\n\n- of a\n").sync()
    b.sync()
    b.has("MEMORY.md", "# Memory\n\n- of a\n- of b\n").sync()
    b.set_up(remote.with_name("other.git")).sync()
    told = git("--git-dir", remote.with_name("other.git"), "log", "--format=%B", "zsmem")
    assert "Wrote: another program | zerostack/global/MEMORY.md" in told, (
        "of the lines that came in, the machine they came from tells"
    )


def test_a_clock_that_runs_backwards_hides_no_change(a: Machine, b: Machine) -> None:
    a.sync()
    a.sync()
    place = a.memory / "MEMORY.md"
    place.write_text(place.read_text().replace("one", "uno"))
    os.utime(place, ns=(1, 1))
    assert a.sync().changed == 1
    os.utime(place, ns=(2**62, 2**62))
    assert a.sync().changed == 0


@pytest.mark.parametrize(("program", "stays"), [("git", False), ("", True)])
@pytest.mark.parametrize("raw", [b"x", b"", None])
def test_the_local_copy_is_damaged(
    a: Machine, b: Machine, monkeypatch: pytest.MonkeyPatch, raw: bytes | None, program: str, stays: bool
) -> None:
    """It is made anew, even if the damaged one cannot be removed."""
    remove, clock = os.rmdir, time.time_ns

    def refused(path: Any, **named: Any) -> None:
        if stays and ".damaged-" in os.fsdecode(path):
            raise PermissionError(13, "Permission denied", path)
        remove(path, **named)

    monkeypatch.setattr(os, "rmdir", refused)
    monkeypatch.setattr(time, "time_ns", lambda: clock() + 10**9)  # the files are so old that they are not read again
    if not program:
        monkeypatch.setattr(shutil, "which", lambda name: None)
    a.sync()
    with pytest.raises(RuleBroken):
        a.has("x.md", "x\n", root=a.notes).has("y.md", TOKEN, root=a.notes).sync()
    b.has("more.md", "more\n", root=b.notes).sync()
    (a.notes / "y.md").unlink()
    a.wake()
    for each in Path(branch.home(), "objects").rglob("*"):
        if each.is_file() and raw is None:
            each.unlink()
        elif each.is_file():
            each.chmod(0o644)
            each.write_bytes(raw or b"")
    a.has("MEMORY.md", "# Memory\n\n- one\n- two\n- three\n- four\n").sync()
    b.sync()
    assert b.read("MEMORY.md").endswith("four\n") and b.read("x.md", root=b.notes) == "x\n"
    assert a.read("more.md", root=a.notes) == "more\n"
    assert remembered.load().base


def test_a_remote_that_got_a_credential_masked_is_not_said_to_hold_it(a: Machine, remote: Path) -> None:
    """Neither of a run that stopped, nor of one that masked it; what went out as it is, is told, also once newer texts lack it."""
    secret = "ghp_R4nd0mT0k3nValu3sAr3N0tForAnyb0dyEl5e"
    a.sync()
    a.has("MEMORY.md", f"# Memory\n\n- one\n- token: {secret}\n")
    with pytest.raises(RuleBroken):
        a.sync()
    assert not forgetting.remote_holding(secret.encode())
    a.sync(Handling.MASK)
    assert "ghp_…" in str(in_branch(remote)) and secret not in str(in_branch(remote))
    assert not forgetting.remote_holding(secret.encode())
    a.has("MEMORY.md", "# Memory\n\n- the word is sesame-open\n").sync()
    a.has("MEMORY.md", "# Memory\n\n- one\n").sync()
    assert forgetting.remote_holding(b"sesame-open").endswith("remote.git")


def test_what_is_forgotten_at_the_remote_does_not_come_back(a: Machine, b: Machine, remote: Path) -> None:
    a.wake()
    assert forgetting.forget(b"sesame-open").endswith("remote.git has no branch zsmem: nothing to forget there.")
    a.sync()
    a.has("MEMORY.md", "# Memory\n\n- the word is sesame-open\n- two\n").has("x.md", "sesame-open\n", root=a.notes).sync()
    b.sync()
    b.has("MEMORY.md", "# Memory\n\n- the word is sesame-open, says b\n- two\n- of b\n")
    a.wake()
    assert "nothing" not in forgetting.remote_holding(b"sesame-open")
    assert forgetting.remote_holding(b"sesame-open").endswith("remote.git")
    assert "Would" in forgetting.forget(b"sesame-open", dry_run=True)
    made = git("--git-dir", remote, "log", "--format=%at %ct", "zsmem")
    a.has("MEMORY.md", a.read("MEMORY.md").replace("sesame-open", "[forgotten]")).has("x.md", "[forgotten]\n", root=a.notes)
    setup = remembered.load()
    setup.both = [{"path": "MEMORY.md", "line": 1, "first": [word], "second": ["b"]} for word in ("sesame-open", "a")]
    remembered.save(setup)
    assert "does not hold it any more" in forgetting.forget(b"sesame-open")
    assert [each["first"] for each in remembered.load().both] == [["a"]]
    assert forgetting.remote_holding(b"- two").endswith("remote.git")
    assert git("--git-dir", remote, "log", "--format=%at %ct", "zsmem") == made, "each commit is of its own time"
    a.sync()
    b.sync()
    a.sync()
    assert a.tree() == b.tree() and "of b" in a.read("MEMORY.md")
    every = [*a.tree().values(), *b.tree().values(), *(text.encode() for text in in_branch(remote).values())]
    assert not any(b"sesame" in raw for raw in every)
    assert "sesame" not in git("--git-dir", remote, "log", "-p", "zsmem")
    for machine in (a, b):
        machine.wake()
        with Repo(branch.home()) as repo:
            assert not any(b"sesame" in repo.object_store[id].as_raw_string() for id in repo.object_store)
        assert not forgetting.remote_holding(b"sesame-open")
        assert forgetting.forget(b"sesame-open").endswith("remote.git does not hold it.")
