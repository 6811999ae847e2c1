"""Aliases, the log of searches, and what searches that missed teach, over a real store."""

from __future__ import annotations

import json
import os
import stat
import threading
import time
from pathlib import Path

import pytest

from tests.builders import AStore
from zsmem_tui.cli.main import main
from zsmem_tui.config import locate
from zsmem_tui.core.errors import BadContent, BadTarget, StoreError
from zsmem_tui.core.recall.aliases import MOST, with_aliases
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.search import SearchResults
from zsmem_tui.service import applying, doctor_fixes, history, recall
from zsmem_tui.service.doctor import Doctor
from zsmem_tui.service.searching import Query, Sought, note_read, note_search, search
from zsmem_tui.service.session import Session
from zsmem_tui.store import search_log
from zsmem_tui.store.history import retention

NOTE = "~/notes/redis.md"
NOTHING = SearchResults([], [])
DAY = 86_400
TEXT = "# Redis\n\nKeeps berths.\n"


STORE = {"MEMORY.md": "- a fact\n", NOTE: TEXT}


def note_of(store: AStore) -> str:
    return str(store.at(NOTE).relative_to(store.root))


def searched(session: Session, *steps: tuple[str, ...], client: str = "claude-code", ago: float = 0) -> None:
    """Searches with their hits, and readings, a second apart, as the log has them."""
    now = session.now_ns() / 1e9 - len(steps) - ago
    for at, (op, what, *hits) in enumerate(steps):
        if op == "search":
            search_log.note_search(session.root, client, what, hits, now + at)
        else:
            search_log.note_read(session.root, client, what, now + at)


def missed(store: AStore, *ago: float) -> Session:
    """So many seconds ago, and just now."""
    session = store.session()
    for each in (*ago, 0):
        steps = ("search", "in-memory store"), ("search", "berths", note_of(store)), ("read", note_of(store))
        searched(session, *steps, ago=each)
    return session


def test_an_alias_is_written_below_the_heading_and_undo_takes_it_back(store: AStore) -> None:
    session = store.session()
    done = applying.apply(recall.add_aliases(session, session.ref_at(note_of(store)), ["cache", "port-6379"]))
    assert store.at(NOTE).read_text() == "# Redis\naliases: cache, port-6379\n\nKeeps berths.\n"
    assert done.message.startswith("Added cache, port-6379 to what ")
    assert recall.aliases(session, session.ref_at(note_of(store))) == ("cache", "port-6379")
    assert main(["--root", str(store.root), "--project", session.project, "undo"]) == 0
    assert store.at(NOTE).read_text() == TEXT


def test_an_alias_that_the_text_has_is_said(store: AStore) -> None:
    session = store.session()
    ref = session.ref_at(note_of(store))
    done = applying.apply(recall.add_aliases(session, ref, ["berths", "cache"]))
    assert done.message.startswith("Added cache to what ") and done.message.endswith(
        " is found by; berths stands in its text already."
    )
    more = applying.apply(recall.add_aliases(session, ref, ["cache", "queue"]))
    assert more.message.startswith("Added queue to what ")
    again = applying.apply(recall.add_aliases(session, ref, ["berths"]))
    assert not again.changed and "is found so already: berths stands in its text already. Nothing was written." in again.message


def test_only_notes_that_are_there_take_aliases(store: AStore) -> None:
    session = store.session()
    assert recall.why_no_aliases(MemRef("x.txt")).startswith("x.txt is no note: only notes have aliases. ")
    with pytest.raises(BadTarget, match="is no note: only notes have aliases"):
        recall.add_aliases(session, session.ref_at("MEMORY.md"), ["cache"])
    with pytest.raises(BadTarget, match="There is no"):
        recall.add_aliases(session, session.ref_at(note_of(store).replace("redis", "gone")), ["cache"])
    with pytest.raises(BadContent, match="a comma"):
        recall.add_aliases(session, session.ref_at(note_of(store)), ["a, b"])
    assert store.at(NOTE).read_text() == TEXT


def test_an_agent_that_writes_meanwhile_keeps_its_line(store: AStore) -> None:
    session = store.session()
    plan = recall.add_aliases(session, session.ref_at(note_of(store)), ["cache"])
    store.at(NOTE).write_text(f"{TEXT}- a line of the agent\n")
    applying.apply(plan)
    assert store.at(NOTE).read_text() == "# Redis\naliases: cache\n\nKeeps berths.\n- a line of the agent\n"


def test_a_note_that_is_no_text_any_more_is_left_as_it_is(store: AStore) -> None:
    session = store.session()
    plan = recall.add_aliases(session, session.ref_at(note_of(store)), ["cache"])
    store.at(NOTE).write_bytes(b"\xff\n")
    with pytest.raises(StoreError, match=r"is not valid UTF-8. Nothing was written\."):
        applying.apply(plan)
    assert store.at(NOTE).read_bytes() == b"\xff\n"


def test_a_miss_that_was_made_up_for_becomes_an_alias(store: AStore) -> None:
    session = missed(store)
    (row,) = recall.misses(session).rows
    assert (row.alias, row.ref.path, row.clients, row.times, row.instead) == (
        "in-memory store",
        note_of(store),
        ("claude-code",),
        1,
        "berths",
    )
    done = applying.apply(recall.mend([(session, row) for row in recall.misses(session).offered]))
    assert done.message == "Wrote 1 alias into 1 note."
    assert "aliases: in-memory store\n" in store.at(NOTE).read_text()
    assert recall.misses(session).rows == ()


def test_the_finding_about_a_miss_is_of_the_line_below_which_the_alias_goes(store: AStore) -> None:
    store.at(NOTE).write_text(f"Of the port.\n\n{TEXT}")
    [fault] = [each for each in Doctor(missed(store, DAY)).examine().faults if each.rule.name == "missed"]
    assert fault.fix is not None
    assert (fault.line, [(edit.before, edit.after) for edit in fault.fix.edits]) == (
        3,
        [(("# Redis",), ("# Redis", "aliases: in-memory store"))],
    )


def test_the_share_of_misses_is_said_with_what_it_means(store: AStore) -> None:
    session = missed(store)
    assert recall.misses(session).says == (
        "1 of 2 searches in 30 days missed (50%). What was found later in other words is listed: "
        "--apply writes the words of the first search as aliases."
    )
    for number in range(20):
        searched(session, ("search", "berths", note_of(store)), ("read", note_of(store)), client=str(number))
    assert recall.misses(session).says.startswith("1 of 22 searches in 30 days missed (5%). ")
    for number in range(9):
        searched(session, ("search", "nothing has it"), client=f"x{number}")
    store.at(NOTE).unlink()  # and nothing can be written where it was found
    says = recall.misses(session).says
    assert says.startswith("10 of 31 searches in 30 days missed (32%). Nothing that other words found later: give notes the words")


def test_a_note_that_is_gone_and_a_word_that_is_everywhere_are_not_offered(store: AStore) -> None:
    session = missed(store)
    for number in range(3):
        store.has(f"~/notes/n{number}.md", "an in-memory store\n")
    (row,) = recall.misses(session).rows
    assert row.problem == "Each word of it stands in more than a fifth of all notes."
    store.at(NOTE).write_bytes(b"# Redis \xff\n")
    (row,) = recall.misses(session).rows
    assert row.problem == "It cannot be read as text."
    store.at(NOTE).unlink()
    (row,) = recall.misses(session).rows
    assert row.problem == "It is gone by now."
    assert recall.misses(session).offered == ()


def test_a_note_that_has_all_the_aliases_it_can_is_not_offered_one_more(store: AStore) -> None:
    session = missed(store, DAY)
    once = ("search", "valkey"), ("search", "berths", note_of(store)), ("read", note_of(store))
    searched(session, *once, ago=-1)
    doctor = Doctor(session)
    assert [each.path for each in doctor.examine().faults if each.rule.name == "missed"] == [note_of(store)]
    store.at(NOTE).write_text(f"# Redis\naliases: {', '.join(f'name{number}' for number in range(MOST))}\n")
    for each in (doctor, Doctor(session)):
        assert [fault for fault in each.examine().faults if fault.rule.name == "missed"] == []
    assert {row.problem for row in recall.misses(session).rows} == {"It has as many aliases as a note can have."}


def test_a_credential_that_was_searched_for_is_neither_shown_nor_written(store: AStore) -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    session = store.session()
    searched(session, ("search", secret), ("search", "berths", note_of(store)), ("read", note_of(store)))
    (row,) = recall.misses(session).rows
    assert secret not in row.alias
    assert row.problem == "It looks like a credential."
    for place in Path(locate.state_folder()).rglob("*"):
        assert not place.is_file() or secret[4:].encode() not in place.read_bytes(), place
    long = f"{'words ' * 31}{secret}"  # the end of what is noted stands in the middle of it
    note_search(session, "codex", long, NOTHING)
    assert secret[4:10] not in str(search_log.read(session.root).events[-1])


@pytest.mark.slow
def test_many_misses_in_a_memory_of_many_notes_are_listed_at_once(store: AStore) -> None:
    session = store.session()
    for number in range(300):
        store.has(f"~/notes/n{number}.md", f"# N{number}\n")
    for number in range(150):
        path = note_of(store).replace("redis", f"n{number}")
        searched(session, ("search", f"zork{number} blah{number}"), ("search", "N", path), ("read", path), client=str(number))
    begun = time.process_time()
    assert len(recall.misses(session).rows) == 150
    assert time.process_time() - begun < 4


def test_searches_are_noted_for_the_person_alone_and_only_where_the_settings_let_them(store: AStore) -> None:
    session = store.session()
    found = search(Query("berths", (Sought(session),)))
    unnoted = store.session(search_log=False)
    note_search(unnoted, "codex", "berths", found)
    note_read(unnoted, "codex", session.ref_at(note_of(store)))
    assert search_log.read(session.root).events == ()
    note_search(session, "codex", "berths", found)
    note_read(session, "codex", session.ref_at(note_of(store)))
    first, second = search_log.read(session.root).events
    assert (first["client"], first["query"], first["hits"]) == ("codex", "berths", [note_of(store)])
    assert second["path"] == note_of(store)
    (place,) = Path(os.environ["HOME"]).rglob("log.jsonl")
    assert stat.S_IMODE(place.stat().st_mode) == 0o600


def test_a_log_stays_within_its_bounds_and_keeps_the_newest(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_log, "MOST_LINES", 40)
    session = store.session()
    for number in range(100):
        note_search(session, "codex", f"words {number}", NOTHING)
    events = search_log.read(session.root).events
    assert 30 <= len(events) <= 40
    assert [event["query"] for event in events] == [f"words {number}" for number in range(100 - len(events), 100)]


def test_damaged_lines_and_those_of_a_newer_version_are_passed_over_and_said(store: AStore) -> None:
    session = missed(store)
    (place,) = Path(os.environ["HOME"]).rglob("log.jsonl")
    newer = json.dumps({"v": 2, "t": 1, "client": "x", "op": "search", "query": "q", "hits": []})
    place.write_bytes(b"\xff\x00{\n" + place.read_bytes() + newer.encode() + b"\n[1]\n")
    found = recall.misses(session)
    assert len(found.rows) == 1
    assert "3 of 6 lines are damaged or of a newer zsmem" in found.problem


@pytest.mark.parametrize("seconds", ["NaN", "Infinity", "-1", "1e300", f"1{'0' * 400}"])
def test_a_line_of_a_time_that_is_none_is_damaged(store: AStore, seconds: str) -> None:
    session = missed(store)
    (place,) = Path(os.environ["HOME"]).rglob("log.jsonl")
    for rest in ('"op": "search", "query": "zork", "hits": []', f'"op": "read", "path": "{note_of(store)}"'):
        with place.open("a") as log:
            log.write(f'{{"v": 1, "t": {seconds}, "client": "codex", {rest}}}\n')
    found = recall.misses(session)
    assert [row.alias for row in found.rows] == ["in-memory store"]
    assert "2 of 5 lines are damaged" in found.problem


def test_a_log_that_is_none_is_put_aside_for_the_person(store: AStore) -> None:
    session = missed(store)
    (place,) = Path(os.environ["HOME"]).rglob("log.jsonl")
    place.write_bytes(b"no log\n")
    note_search(session, "codex", "redis", NOTHING)
    assert place.with_name("log.jsonl.damaged").read_bytes() == b"no log\n"
    found = search_log.read(session.root)
    assert len(found.events) == 1 and "log.jsonl.damaged could not be read" in found.problem
    history.forget(session, "no log")
    assert place.with_name("log.jsonl.damaged").read_bytes() == b"[forgotten]\n"


def test_two_that_write_the_log_lose_no_search(store: AStore) -> None:
    session = store.session()

    def search(name: str) -> None:
        for number in range(50):
            note_search(session, name, f"words {number}", NOTHING)

    threads = [threading.Thread(target=search, args=(name,)) for name in ("codex", "cursor")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(search_log.read(session.root).events) == 100


@pytest.mark.parametrize("secret", ["hunter2-secret", 'pass "hunter\\2"'], ids=["plain", "escaped in JSON"])
def test_what_is_forgotten_is_forgotten_in_the_log_too(session: Session, secret: str) -> None:
    note_search(session, "codex", secret, NOTHING)
    history.forget(session, secret)
    (event,) = search_log.read(session.root).events
    assert event["query"] == "[forgotten]"


def test_what_is_left_of_a_search_of_which_a_word_was_forgotten_is_no_alias(store: AStore) -> None:
    session = missed(store)
    assert recall.misses(session).rows
    history.forget(session, "memory")
    assert search_log.read(session.root).events[0]["query"] == "in-[forgotten] store"
    assert recall.misses(session).rows == ()


def test_a_log_that_cannot_be_written_keeps_nobody_from_searching(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(store.at("MEMORY.md")))
    note_search(store.session(), "codex", "redis", NOTHING)
    assert recall.misses(store.session()).rows == ()


def test_forgetting_waits_for_who_writes_the_log_and_keeps_what_that_notes(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    session = store.session()
    note_search(session, "codex", "hunter2-secret", NOTHING)
    true = retention._without

    def noted_meanwhile(secret: bytes, raw: bytes, place: str) -> bytes:
        monkeypatch.setattr(retention, "_without", true)
        note_search(session, "cursor", "redis", NOTHING)
        return true(secret, raw, place)

    monkeypatch.setattr(retention, "_without", noted_meanwhile)
    history.forget(session, "hunter2-secret")
    assert [event["query"] for event in search_log.read(session.root).events] == ["[forgotten]", "redis"]


def test_a_search_that_was_mistyped_is_no_alias(store: AStore) -> None:
    store.has("~/notes/queue.md", "# Queue\n\nThe memcached of all berths.\n")
    session = store.session()
    searched(session, ("search", "memcachd"), ("search", "berths", note_of(store)), ("read", note_of(store)))
    (row,) = recall.misses(session).rows
    assert row.problem == "It looks like memcached misspelled, which a search names by itself."
    assert recall.mend([(session, row) for row in recall.misses(session).offered]).edits == ()


def test_the_doctor_finds_what_was_missed_and_its_fix_writes_the_alias(store: AStore) -> None:
    session = missed(store, DAY)
    (found,) = [each for each in Doctor(session).examine().faults if each.rule.name == "missed"]
    assert (found.path, found.line, found.message) == (
        note_of(store),
        1,
        "Claude-code looked for it as in-memory store, which it does not say.",
    )
    applying.apply(doctor_fixes.plan(session, [found]))
    assert store.at(NOTE).read_text() == "# Redis\naliases: in-memory store\n\nKeeps berths.\n"
    assert [each for each in Doctor(session).examine().faults if each.rule.name == "missed"] == []


def test_what_was_missed_on_one_occasion_is_no_finding(store: AStore) -> None:
    session = missed(store, 60)
    (row,) = recall.misses(session).offered
    assert (row.times, row.occasions) == (2, 1)
    assert [each for each in Doctor(session).examine().faults if each.rule.name == "missed"] == []


@pytest.mark.parametrize("text", ["", "no heading\n", "# Only\n", "# Redis\naliases: a\n\nText\n", "---\nname: x\n---\nText"])
def test_the_fix_of_any_note_writes_what_an_alias_would(store: AStore, text: str) -> None:
    session = missed(store, DAY)
    store.at(NOTE).write_text(text)
    found = [each for each in Doctor(session).examine().faults if each.rule.name == "missed"]
    applying.apply(doctor_fixes.plan(session, found))
    assert store.at(NOTE).read_text().rstrip("\n") == with_aliases(text, ["in-memory store"]).rstrip("\n")


def test_words_near_one_that_is_nowhere_come_with_an_answer_that_asks_for_them(store: AStore) -> None:
    mem = store.mem()
    assert mem.search("bertsh").near == ()
    (near,) = mem.search("bertsh", near=True).near
    assert (near.term, near.words[0].word, near.words[0].files) == ("bertsh", "berths", 1)
    assert mem.search("berths", near=True).near == ()
    both = mem.search("berths bertsh", near=True)
    assert [each.term for each in both.near] == ["bertsh"]
    assert both.render(32_768) == mem.search("berths bertsh").render(32_768)
    store.at(NOTE).write_text("# Harbour\n")
    assert mem.search("bertsh", near=True).near == []


def test_where_no_file_has_all_words_others_are_near_each(store: AStore, tmp_path: Path) -> None:
    store.has("~/notes/k.md", "kubernetes, k8s\n").has("~/notes/b.md", "berth\n")
    near = store.mem().search("kubernetes berth", near=True).near
    assert [(each.term, each.words[0].word) for each in near] == [("kubernetes", "k8s"), ("berth", "berths")]
    assert AStore(tmp_path / "none").mem().search("kuberentes", near=True).near == [], "in no text is anything near"
