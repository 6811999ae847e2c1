"""What an agent writes in the instant in which our text stands where its own had just been written."""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
from collections.abc import Callable

import pytest

from tests.builders import AStore, at_the_first_pause
from zsmem_tui import WriteFailed
from zsmem_tui.service import losses
from zsmem_tui.service.session import Session
from zsmem_tui.store.disk import rename_exchange, swap

BASE = "# Facts\n\n- one\n- two\n"

THREE = "- three\n"

STORE = {"MEMORY.md": BASE}

Agent = Callable[[AStore, str], None]


def by_rename(store: AStore, text: str) -> None:
    store.has("MEMORY.tmp", text).at("MEMORY.tmp").rename(store.at("MEMORY.md"))


def in_place(store: AStore, text: str) -> None:
    store.at("MEMORY.md").write_text(text)


def around_our_exchange(
    monkeypatch: pytest.MonkeyPatch, store: AStore, *, instant: Callable[[str], None], is_taken_back: bool = True
) -> None:
    """An agent writes `- three` right before our text comes into place; `instant` is called with ours while it stands there."""
    moments = [0]

    def exchange(one: str, other: str) -> None:
        moments[0] += 1
        if moments[0] == 1:
            by_rename(store, f"{BASE}- three\n")
        if moments[0] == 2 and not is_taken_back:
            raise OSError(errno.EPERM, os.strerror(errno.EPERM))
        rename_exchange.exchange(one, other)
        if moments[0] == 1:
            instant(store.raw("MEMORY.md").decode())

    monkeypatch.setattr(swap, "exchange", exchange)


def no_room_for_a_second_attempt(monkeypatch: pytest.MonkeyPatch) -> None:
    attempts = [0]

    def step(name: str) -> None:
        attempts[0] += name == "temporary file made"
        if attempts[0] > 1:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(swap, "step", step)


@pytest.mark.parametrize("agent", [by_rename, in_place])
def test_the_newest_text_stands_also_if_our_write_fails(store: AStore, monkeypatch: pytest.MonkeyPatch, agent: Agent) -> None:
    around_our_exchange(monkeypatch, store, instant=lambda _: agent(store, f"{BASE}- three\n- four\n"))
    no_room_for_a_second_attempt(monkeypatch)
    with pytest.raises(WriteFailed):
        store.mem().write("long_term", "- mine")
    assert store.raw("MEMORY.md").decode() == f"{BASE}- three\n- four\n"


@pytest.mark.parametrize("agent", [by_rename, in_place])
def test_what_a_text_made_from_ours_lacks_is_said_if_our_write_fails(
    store: AStore, session: Session, monkeypatch: pytest.MonkeyPatch, agent: Agent
) -> None:
    around_our_exchange(monkeypatch, store, instant=lambda ours: agent(store, f"{ours}- four\n"))
    no_room_for_a_second_attempt(monkeypatch)
    with pytest.raises(WriteFailed):
        session.mem().write("long_term", "- mine")
    lines = {*store.raw("MEMORY.md").decode().split("\n"), *(line for each in losses.dropped(session) for line in each.lines)}
    assert lines >= {"- mine", "- three", "- four"}


@pytest.mark.parametrize("is_taken_back", [True, False])
def test_what_was_out_of_sight_for_an_instant_is_missed_when_somebody_writes_late_who_read_ours_then(
    store: AStore, session: Session, monkeypatch: pytest.MonkeyPatch, is_taken_back: bool
) -> None:
    read: list[str] = []
    around_our_exchange(monkeypatch, store, instant=read.append, is_taken_back=is_taken_back)
    assert session.mem().write("long_term", "- mine").confirmed
    assert losses.dropped(session) == []
    by_rename(store, f"{read[0]}- four\n")
    assert [each.lines for each in losses.dropped(session)] == [("- three",)]
    assert losses.mend(session).put_back == (("MEMORY.md", 1),)
    assert sorted(store.raw("MEMORY.md").decode().split("\n")) == sorted(f"{BASE}- mine\n- three\n- four\n".split("\n"))


def test_lines_of_one_who_read_ours_in_the_instant_are_missed_when_another_who_did_writes_late(
    store: AStore, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    def instant(ours: str) -> None:
        read.append(ours)
        by_rename(store, f"{ours}- four\n")

    around_our_exchange(monkeypatch, store, instant=instant)
    assert session.mem().write("long_term", "- mine").confirmed
    by_rename(store, f"{read[0]}- five\n")
    assert [each.lines for each in losses.dropped(session)] == [("- three", "- four")]


@pytest.mark.parametrize("read", ["ours", "theirs"])
def test_a_text_that_is_half_written_in_the_instant_is_merged_once_it_is_whole(
    store: AStore, session: Session, monkeypatch: pytest.MonkeyPatch, read: str
) -> None:
    def begin(ours: str) -> None:
        text = f"{ours if read == 'ours' else BASE + THREE}- four\n"
        handle = store.at("MEMORY.md").open("w")
        handle.write(text[:14])
        handle.flush()

        def end() -> None:
            handle.write(text[14:])
            handle.close()

        at_the_first_pause(monkeypatch, end)

    around_our_exchange(monkeypatch, store, instant=begin)
    assert session.mem().write("long_term", "- mine").confirmed
    assert sorted(store.raw("MEMORY.md").decode().split("\n")) == sorted(f"{BASE}- mine\n- three\n- four\n".split("\n"))
    assert losses.dropped(session) == []


@pytest.mark.parametrize(
    ("fails", "reads"),
    [(each == 3, reads) for each in (2, 3) for reads in itertools.product([None, True, False], repeat=each)],
    ids=str,
)
def test_lines_written_in_any_of_the_instants_are_kept_or_said(
    store: AStore, session: Session, monkeypatch: pytest.MonkeyPatch, reads: tuple[bool | None, ...], fails: bool
) -> None:
    """After each exchange an agent does nothing, or goes on from what it reads there, or from what it wrote itself."""
    texts, moments = [BASE], itertools.count()

    def write(text: str, moment: int) -> None:
        texts.append(f"{text}- at {moment}\n")
        by_rename(store, texts[-1])

    def exchange(one: str, other: str) -> None:
        if (moment := next(moments)) == 0:
            write(BASE, moment)
        rename_exchange.exchange(one, other)
        if moment < len(reads) and (reads_again := reads[moment]) is not None:
            write(store.raw("MEMORY.md").decode() if reads_again else texts[-1], moment + 1)

    monkeypatch.setattr(swap, "exchange", exchange)
    if fails:
        no_room_for_a_second_attempt(monkeypatch)
    with contextlib.suppress(WriteFailed):
        assert session.mem().write("long_term", "- mine").confirmed != fails
    lines = [line for line in store.raw("MEMORY.md").decode().split("\n") if line]
    told = [line for each in losses.dropped(session) for line in each.lines]
    owed = {line for text in texts for line in text.split("\n") if line and line != "- mine"}
    assert {*lines, *told} >= owed | (set() if fails else {"- mine"})
    assert len({*lines}) == len(lines) and (fails or not told)
