"""Settings that another program writes while an agent is connected: nothing of its text is lost, whatever happens to ours."""

from __future__ import annotations

import errno
import itertools
import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.service.connecting.conftest import Home
from zsmem_tui.core.errors import Conflict, MemError, WriteFailed
from zsmem_tui.service.sweeping import sweep
from zsmem_tui.service.undoing import undo
from zsmem_tui.store.disk import displaced, rename_exchange
from zsmem_tui.store.disk import swap as swapping
from zsmem_tui.store.transfer import connections

BEFORE = '{\n  "theirs": 0\n}\n'
AFTER = '{\n  "theirs": 1,\n  "more": [1, 2, 3]\n}\n'
SETTINGS = ".cursor/mcp.json"


@pytest.fixture
def place(home: Home) -> Path:
    return home.has(SETTINGS, BEFORE)


@pytest.fixture
def at_step(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, Callable[[], object]], None]]:
    """Does something once, when a write has come to a step."""
    todo: dict[str, Callable[[], object]] = {}

    def step(name: str) -> None:
        if do := todo.pop(name, None):
            do()

    monkeypatch.setattr(swapping, "step", step)
    yield todo.__setitem__
    assert not todo


def has_both(place: Path) -> None:
    found = json.loads(place.read_text())
    assert (found["theirs"], found["more"]) == (1, [1, 2, 3]) and "zsmem" in found["mcpServers"]


@pytest.mark.parametrize("mode", ["w", "r+"])
def test_a_program_that_has_the_file_open_is_waited_for(home: Home, place: Path, mode: str) -> None:
    stream = place.open(mode)

    def write() -> None:
        with stream:
            stream.write(AFTER)

    writing = threading.Timer(0.4, write)
    writing.start()
    home.connect("cursor", hooks=False)
    writing.join()
    has_both(place)


@pytest.mark.parametrize(("mode", "sentence"), [("w", "is empty: a program may be writing it"), ("r+", "is writing it just now")])
def test_a_program_that_keeps_it_open_too_long_is_left_alone(
    home: Home, place: Path, monkeypatch: pytest.MonkeyPatch, mode: str, sentence: str
) -> None:
    monkeypatch.setattr(connections, "WAIT", 0.05)
    stream = place.open(mode)
    with pytest.raises(Conflict, match=rf"{sentence}.* Nothing was written\."):
        home.connect("cursor", hooks=False)
    stream.write(AFTER)
    stream.close()
    assert place.read_text() == AFTER
    assert undo(home.session).message == "Nothing to undo."


@pytest.mark.parametrize("agent", ["claude-code", "codex", "gemini", "opencode", "zerostack"])
def test_an_empty_file_is_refused_and_stays(home: Home, monkeypatch: pytest.MonkeyPatch, agent: str) -> None:
    monkeypatch.setattr(connections, "WAIT", 0.02)
    empty = Path(home.plan(agent).files[0].place)
    empty.parent.mkdir(parents=True, exist_ok=True)
    empty.write_bytes(b"")
    for remove in (False, True):
        with pytest.raises(Conflict, match=r"is empty.* Nothing was written\."):
            home.connect(agent, remove=remove)
    assert empty.read_bytes() == b""


@pytest.mark.parametrize("step", ["read", "temporary file made", "temporary file synced"])
@pytest.mark.parametrize("renames", [False, True])
def test_what_is_written_before_ours_stands_there_stays(
    home: Home, place: Path, at_step: Callable[[str, Callable[[], object]], None], step: str, renames: bool
) -> None:
    def write() -> None:
        other = place.with_name("other") if renames else place
        other.write_text(AFTER)
        other.replace(place)

    at_step(step, write)
    home.connect("cursor", hooks=False)
    has_both(place)
    undo(home.session)
    assert place.read_text() == AFTER


@pytest.mark.parametrize("step", ["exchanged", "displaced text read", "temporary file removed"])
def test_what_is_written_over_ours_stays_and_ours_comes_back(
    home: Home, place: Path, at_step: Callable[[str, Callable[[], object]], None], step: str
) -> None:
    other = place.with_name("other")
    other.write_text(AFTER)
    at_step(step, lambda: other.replace(place))
    home.connect("cursor", hooks=False)
    has_both(place)


def test_a_file_that_is_too_large_is_refused(home: Home, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "LARGEST", len(BEFORE))
    assert connections.read(str(place)) == BEFORE.encode()
    place.write_text(f"{BEFORE} ")
    with pytest.raises(MemError, match=rf"has more than {len(BEFORE)} bytes\. Nothing was written\."):
        home.connect("cursor", hooks=False)


def test_who_writes_over_ours_again_after_it_came_back_is_noticed_again(
    home: Home, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    times = iter(range(2))

    def write(_: float) -> None:
        for _ in itertools.islice(times, 1):
            place.with_name("other").write_text(AFTER)
            place.with_name("other").replace(place)

    monkeypatch.setattr("time.sleep", write)
    home.connect("cursor", hooks=False)
    has_both(place)
    assert not [*times]


def test_a_file_that_is_opened_in_the_instant_of_the_exchange_is_given_back(
    home: Home, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    streams = [place.open("r+")]
    real = displaced.writer_at
    blind = [True]

    def writer_at(where: str) -> bool | None:
        return False if blind and where == str(place) else real(where)

    def step(name: str) -> None:
        if name == "exchanged" and streams:
            blind.clear()
            stream = streams.pop()
            threading.Timer(0.3, lambda: (stream.write(AFTER), stream.close())).start()  # type: ignore[func-returns-value]

    monkeypatch.setattr(displaced, "writer_at", writer_at)
    monkeypatch.setattr(swapping, "step", step)
    home.connect("cursor", hooks=False)
    has_both(place)


@pytest.mark.parametrize(("replaced", "is_full"), [(False, False), (True, False), (True, True)])
def test_what_comes_late_into_a_displaced_file_is_put_back_or_kept(
    home: Home, place: Path, monkeypatch: pytest.MonkeyPatch, replaced: bool, is_full: bool
) -> None:
    """A writer that nobody could see at the exchange: where the system does not tell of writers, or in the middle of opening."""
    stream = place.open("r+")
    monkeypatch.setattr(displaced, "writer_at", lambda where: False)
    third = '{\n  "third": 3\n}\n'
    late = AFTER.replace("\n}", ',\n  "mcpServers": {\n    "own": {}\n  }\n}')

    def step(name: str) -> None:
        if name == "folder synced" and not stream.closed:
            stream.write(late)
            stream.close()
            if replaced:
                place.write_text(third)

    monkeypatch.setattr(swapping, "step", step)
    if is_full:
        monkeypatch.setattr(connections, "_keep_aside", lambda *_: "")
    done = home.connect("cursor", hooks=False)
    found = json.loads(place.read_text())
    assert "zsmem" in found["mcpServers"]
    if not replaced:
        has_both(place)
        undo(home.session)
        assert place.read_text() == late
    elif is_full:
        assert late.encode() in [each.read_bytes() for each in home.home.rglob("*") if each.is_file()]
    else:
        assert found["third"] == 3 and "is kept in" in done.message
        kept = Path(done.message.partition("is kept in ")[2].split()[0].rstrip("."))
        assert kept.read_text() == late and kept.stat().st_mode & 0o077 == 0


def test_what_another_program_writes_at_once_after_ours_stays_and_ours_comes_back(home: Home, place: Path) -> None:
    done = threading.Event()

    def write() -> None:
        while "zsmem" not in place.read_text():
            time.sleep(0.0005)
        place.write_text(AFTER)
        done.set()

    thread = threading.Thread(target=write)
    thread.start()
    home.connect("cursor", hooks=False)
    thread.join()
    assert done.is_set()
    has_both(place)


def test_attributes_of_a_settings_file_stay(home: Home, place: Path) -> None:
    place.chmod(0o600)
    try:
        os.setxattr(place, "user.note", b"mine")
    except OSError:
        pytest.skip("this file system has no extended attributes")
    home.connect("cursor", hooks=False)
    assert os.getxattr(place, "user.note") == b"mine" and place.stat().st_mode & 0o777 == 0o600
    undo(home.session)
    assert os.getxattr(place, "user.note") == b"mine" and place.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("full", [False, True])
def test_nothing_is_left_beside_settings_or_in_the_state_folder(home: Home, place: Path, full: bool) -> None:
    state = home.home / ".local/state/zsmem"
    if full:
        state.mkdir(parents=True, exist_ok=True)
        (state / "displaced").write_text("")
    home.connect("cursor")
    home.connect("cursor", remove=True)
    assert {each.name for each in place.parent.iterdir()} <= {"mcp.json", "hooks.json"}
    assert not (state / "begun").exists()
    assert not [each for each in (state / "displaced").rglob("*") if each.is_file() and each.stat().st_size]


def test_what_a_program_writes_much_later_into_a_displaced_file_comes_back_with_the_next_start(
    home: Home, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It had found the file by its name before the exchange, and opened it only long after."""
    monkeypatch.setattr(connections, "LATEST", 60)
    before = place.read_text()
    home.connect("cursor", hooks=False)
    [held] = (home.home / ".local/state/zsmem/displaced").rglob("*.file")
    assert held.read_text() == before and held.stat().st_mode & 0o077 == place.stat().st_mode & 0o077
    held.write_text(BEFORE.replace("0", "2"))
    text, opened = displaced.Displaced.text, list[int]()

    def opening(each: displaced.Displaced) -> bytes | None:
        opened.append(os.open(each.file, os.O_WRONLY))
        return text(each)

    with monkeypatch.context() as soon:
        soon.setattr(connections, "WAIT", 0.1)
        soon.setattr(displaced.Displaced, "text", opening)
        home.connect("cursor", hooks=False, remove=True)
        assert opened and held.exists(), "somebody has just opened it"
    for handle in opened:
        os.close(handle)
    held.write_text(AFTER)
    home.connect("cursor", hooks=False)
    home.connect("cursor", hooks=False, remove=True)
    found = json.loads(place.read_text())
    assert (found["theirs"], found["more"]) == (1, [1, 2, 3])
    monkeypatch.setattr(connections, "LATEST", 0)
    home.connect("cursor", hooks=False)
    assert not list((home.home / ".local/state/zsmem/displaced").rglob("*.file"))


def test_a_step_that_goes_on_is_not_swept(home: Home, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def step(name: str) -> None:
        if name == "temporary file synced":
            seen.append((sweep(), len(list(place.parent.iterdir()))))

    monkeypatch.setattr(swapping, "step", step)
    home.connect("cursor", hooks=False)
    assert seen == [([], 2)]


def test_a_full_disk_says_what_is_on_disk(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    home.has(".claude.json", '{"numStartups": 1}')
    home.has(".claude/settings.json", "{}")
    made = []

    def step(name: str) -> None:
        if name == "temporary file made":
            made.append(name)
            if len(made) > 1:
                raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(swapping, "step", step)
    with pytest.raises(MemError) as refused:
        home.connect("claude-code")
    assert "zsmem" in (home.home / ".claude.json").read_text() and "Nothing was written" not in str(refused.value)
    assert "Before that, these were written, and could not be taken back yet: ~/.claude.json." in str(refused.value)
    monkeypatch.setattr(swapping, "step", swapping.no_step)
    assert sweep() == ["Took back what was interrupted: Connected Claude Code."] and sweep() == []
    assert (home.home / ".claude.json").read_text() == '{"numStartups": 1}'


def test_a_write_that_may_not_last_is_taken_back(home: Home, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.fsync
    failed: list[int] = []

    def fsync(handle: int) -> None:
        if os.path.isdir(f"/proc/self/fd/{handle}") and os.readlink(f"/proc/self/fd/{handle}") == str(place.parent) and not failed:
            failed.append(handle)
            raise OSError(errno.EIO, "Input/output error")
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(WriteFailed, match=r"Nothing was written\.$"):
        home.connect("cursor", hooks=False)
    assert place.read_text() == BEFORE and failed


@pytest.mark.parametrize("indent", [None, 2])
def test_a_program_that_read_ours_in_the_instant_before_it_was_given_back_does_not_undo_itself(
    home: Home, monkeypatch: pytest.MonkeyPatch, indent: int | None
) -> None:
    """It writes right before the exchange, reads ours, which lacks that, and writes again what it made from there."""
    place = home.has(SETTINGS, '{"words": ["one"]}')
    read: list[dict[str, object]] = []

    def write(words: dict[str, object]) -> None:
        other = place.with_name("other")
        other.write_text(json.dumps(words, indent=indent))
        other.replace(place)

    real = rename_exchange.exchange

    def exchange(one: str, two: str) -> None:
        if not read:
            read.append({})
            write({"words": ["one", "two"]})
            real(one, two)
            read[0] = json.loads(place.read_text())
            return
        real(one, two)
        if len(read) == 1:
            read.append({})
            assert json.loads(place.read_text()) == {"words": ["one", "two"]}
            write({**read[0], "words": ["one", "three"]})

    monkeypatch.setattr(swapping, "exchange", exchange)
    home.connect("cursor", hooks=False)
    found = json.loads(place.read_text())
    assert sorted(found["words"]) == ["one", "three", "two"] and "zsmem" in found["mcpServers"]
