"""Review by lines: exactly what is meant is accepted or put back, whatever happens underneath, and undo restores what waited."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.builders import PROJECT, AStore
from zsmem_tui.core import line_changes
from zsmem_tui.core.errors import BadName, Conflict
from zsmem_tui.core.merge import is_within
from zsmem_tui.core.version import WHILE_AWAY, WHILE_RUNNING
from zsmem_tui.service import applying, editing, history, losses, review_facts, review_lines, reviewing, undoing
from zsmem_tui.service.facts import acts, raising
from zsmem_tui.service.facts.acts import Target
from zsmem_tui.service.facts.rows import FactReader, Scope
from zsmem_tui.service.review_lines import Pick
from zsmem_tui.service.session import Session

LOG = f"projects/{PROJECT}/daily/2026-05-25.md"
FACTS = "".join(f"fact {number}\n" for number in range(8))
AGENT = FACTS.replace("fact 1\n", "fact 1 of the agent\n").replace("fact 5\n", "") + "one more\nand another\n"


@pytest.fixture
def store(tmp_path: Path) -> AStore:
    made = AStore(tmp_path / "memory").has("MEMORY.md", FACTS)
    made.looked_at()
    made.has("MEMORY.md", AGENT).has(LOG, "a log\nof the agent\n")
    made.looked_at()
    return made


def change(session: Session, path: str = "MEMORY.md") -> reviewing.PendingReview:
    return next(each for each in reviewing.pending(session) if each.ref.path == path)


def pick(session: Session, *numbers: int, path: str = "MEMORY.md") -> Pick:
    return Pick(change(session, path), frozenset(numbers))


def waiting(store: AStore) -> list[tuple[str, bytes | None, bytes | None]]:
    return [(each.ref.path, each.reviewed, each.now) for each in reviewing.pending(store.session())]


def test_a_line_that_is_accepted_waits_no_more_and_every_other_does(store: AStore) -> None:
    session = store.session()
    assert [line.key.added for line in review_lines.lines(change(session))] == [
        b"fact 1 of the agent\n",
        None,
        b"one more\n",
        b"and another\n",
    ]
    done = review_lines.accept(session, [pick(session, 2)])
    assert done.message == "Marked 1 line of MEMORY.md as seen." and done.changed == 1
    found = change(store.session())
    assert found.reviewed == FACTS.encode() + b"one more\n" and found.now == store.raw("MEMORY.md") == AGENT.encode()
    assert [str(version.author) for version in found.versions] == ["another program"]


def test_blank_lines_count_alike_everywhere(store: AStore) -> None:
    store.has("MEMORY.md", f"{AGENT}\n- last\n")
    history.look_at_all(session := store.session())
    found = change(session)
    lines = review_lines.lines(found)
    assert review_lines.stops(lines) == [0, 1, 2, 3, 5, 5]
    newest = history.of_file(session, found.ref)[0]
    assert (newest.added, newest.removed, found.added) == (2, 0, 5)


def test_a_blank_line_goes_with_the_next_one_of_its_hunk_else_with_the_one_before(tmp_path: Path) -> None:
    store = AStore(tmp_path / "blank").has("MEMORY.md", "a\n\nb\nc\nd\n")
    history.look_at_all(store.session())
    store.has("MEMORY.md", "a\nb\nc\none\n\nd\n\ntwo\n\n")
    session = store.looked_at()
    lines = review_lines.lines(change(session))
    assert [line.key.added or line.key.removed for line in lines] == [b"\n", b"one\n", b"\n", b"\n", b"two\n", b"\n"]
    assert review_lines.stops(lines) == [1, 1, 1, 4, 4, 4]
    done = review_lines.revert(session, [pick(session, 3, 4, 5)])
    assert done.message == "Reverted 1 line of MEMORY.md."
    store.has("MEMORY.md", "a\n\nb\nc\n\nd\n\n")
    session = store.looked_at()
    lines = review_lines.lines(change(session))
    assert review_lines.stops(lines) == [0, 1], "where no line has words, each is judged by itself"
    assert review_lines.accept(session, [pick(session, 0, 1)]).message == "Marked 2 lines of MEMORY.md as seen."


def test_the_last_lines_accepted_end_the_review_of_a_file(store: AStore) -> None:
    for _ in range(4):
        session = store.session()
        review_lines.accept(session, [pick(session, 0)])
    assert [path for path, _, _ in waiting(store)] == [LOG]


def test_lines_are_put_back_and_nothing_else_moves(store: AStore) -> None:
    session = store.session()
    done = review_lines.revert(session, [pick(session, 0, 2)])
    assert done.message == "Reverted 2 lines of MEMORY.md." and done.changed == 1
    assert store.raw("MEMORY.md") == FACTS.replace("fact 5\n", "").encode() + b"and another\n"
    assert change(store.session()).reviewed == FACTS.encode()


def test_of_a_pair_that_is_unlike_each_half_is_a_line_of_its_own(store: AStore) -> None:
    store.has("MEMORY.md", FACTS.replace("fact 3\n", "we deploy with kamal\n"))
    session = store.looked_at()
    found = [(line.key.removed, line.key.added) for line in review_lines.lines(change(session))]
    assert found == [(b"fact 3\n", None), (None, b"we deploy with kamal\n")]
    review_lines.revert(session, [pick(session, 0)])
    assert store.raw("MEMORY.md") == FACTS.replace("fact 3\n", "fact 3\nwe deploy with kamal\n").encode()
    assert [(line.key.removed, line.key.added) for line in review_lines.lines(change(store.session()))] == found[1:]
    undoing.undo(store.session())
    review_lines.revert(session, [pick(store.session(), 0, 1)])
    assert store.raw("MEMORY.md") == FACTS.encode()


def test_marked_lines_of_several_files_are_one_step(store: AStore) -> None:
    before = waiting(store)
    session = store.session()
    review_lines.revert(session, [pick(session, 3), pick(session, 0, 1, path=LOG)])
    assert not store.at(LOG).exists() and not store.raw("MEMORY.md").endswith(b"another\n")
    after = waiting(store)
    assert undoing.undo(store.session()).done and waiting(store) == before
    assert undoing.undo(store.session(), redo=True).done and waiting(store) == after


def test_what_is_accepted_in_several_stores_is_one_step(store: AStore, tmp_path: Path) -> None:
    other = AStore(tmp_path / "other").has("MEMORY.md", FACTS)
    other.looked_at()
    theirs = other.has("MEMORY.md", AGENT).looked_at()
    before, session = (waiting(store), waiting(other)), store.session()
    review_lines.accept(session, [pick(session, 0)], {theirs: [pick(theirs, 1)]})
    after = waiting(store), waiting(other)
    assert after[0] != before[0] and after[1] != before[1]
    assert undoing.undo(store.session()).done and (waiting(store), waiting(other)) == before
    assert undoing.undo(store.session(), redo=True).done and (waiting(store), waiting(other)) == after


def test_undo_leaves_what_was_accepted_since_accepted(store: AStore) -> None:
    session = store.session()
    review_lines.revert(session, [pick(session, 3)])
    review_lines.accept(session, [pick(session, 0)])
    undoing.skip(session)
    assert undoing.undo(store.session()).done
    found = change(store.session())
    assert found.now == AGENT.encode()
    assert found.reviewed == FACTS.replace("fact 1\n", "fact 1 of the agent\n").encode()


@pytest.mark.draw(2)
@pytest.mark.parametrize("seed", range(4))
def test_what_waits_is_what_is_left_whatever_is_done_in_whatever_order(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    words = ["- one port", "- two ports", "- one port more", "", "# Head", "plain"]
    old = "".join(f"{chance.choice(words)}\n" for _ in range(8))
    new = "".join(f"{chance.choice(words)}\n" for _ in range(9))
    store = AStore(tmp_path / "memory").has("MEMORY.md", old)
    store.looked_at()
    store.has("MEMORY.md", new)
    session = store.looked_at()
    seen, now = old.encode(), new.encode()
    while seen != now:
        count = len(line_changes.line_changes(seen, now))
        number = chance.randrange(count)
        if chance.random() < 0.5:
            review_lines.accept(session, [pick(session, number)])
            seen = line_changes.accepted(seen, now, [number])
        else:
            review_lines.revert(session, [pick(session, number)])
            now = line_changes.put_back(seen, now, [number])
        assert store.raw("MEMORY.md") == now
        assert waiting(store) == ([("MEMORY.md", seen, now)] if seen != now else [])


def test_what_was_reviewed_elsewhere_meanwhile_is_refused(store: AStore) -> None:
    session = store.session()
    old = pick(session, 0)
    review_lines.accept(store.session(), [pick(store.session(), 1)])
    with pytest.raises(Conflict, match="Nothing was marked"):
        review_lines.accept(session, [old])
    assert len(review_lines.lines(change(store.session()))) == 3


def test_what_the_agent_writes_meanwhile_stays_and_is_not_accepted(store: AStore) -> None:
    session = store.session()
    mine = pick(session, 2)
    store.has("MEMORY.md", AGENT + "later\n")
    review_lines.accept(session, [mine])
    review_lines.revert(session, [pick(session, 2)])
    assert store.raw("MEMORY.md") == AGENT.replace("and another\n", "").encode() + b"later\n"
    history.look_at_all(session)
    assert b"later\n" in {line.key.added for line in review_lines.lines(change(session))}


def test_where_the_agent_changed_the_same_line_nothing_is_put_back(store: AStore) -> None:
    session = store.session()
    both = [pick(session, 0, 1, path=LOG), pick(session, 0)]
    store.has("MEMORY.md", AGENT.replace("fact 1 of the agent", "fact 1 of another"))
    done = review_lines.revert(session, both)
    assert done.conflicted and not done.changed
    assert store.at(LOG).exists() and b"fact 1 of another\n" in store.raw("MEMORY.md")


def test_every_line_says_who_brought_it(store: AStore) -> None:
    store.has("MEMORY.md", AGENT + "seen at once\n")
    session = store.session()
    session.history.observe(["MEMORY.md"])
    found = review_lines.with_versions(session, change(session))
    assert [str(line.version.author) if line.version else "" for line in found] == [
        *["another program"] * 5,
    ], "by one name, however it was noticed"
    assert [line.version.who for line in found[-2:] if line.version] == [WHILE_AWAY, WHILE_RUNNING]
    assert review_lines.authors(found) == "another program"


def test_a_line_that_went_while_the_agent_rewrote_its_file_is_as_old_as_before(store: AStore) -> None:
    session = store.session()
    before = {line.key: line.version for line in review_lines.with_versions(session, change(session))}
    for text in ("", AGENT + "newest\n"):
        store.has("MEMORY.md", text)
        history.look_at_all(session)
    *same, newest = review_lines.with_versions(session, change(session))
    came = [line for line in same if line.key.added is not None]
    assert [line.version for line in came] == [before[line.key] for line in came] and newest.version not in before.values()


def test_who_brought_a_line_is_still_known_after_some_were_put_back_and_others_accepted(store: AStore) -> None:
    session = store.session()
    before = review_lines.with_versions(session, change(session))[0].version
    review_lines.revert(session, [pick(session, 3)])
    review_lines.accept(session, [pick(session, 0, 1)])
    found = change(session)
    assert found.versions == (before,)
    assert [line.version for line in review_lines.with_versions(session, found)] == [before]


def test_a_line_is_as_old_as_the_write_that_brought_it_also_where_others_changed_what_the_person_wrote_since(store: AStore) -> None:
    session, mine = store.session(), "mine\n" + AGENT
    before = review_lines.with_versions(session, change(session))[0].version
    editing.save(session, session.ref_at("MEMORY.md"), mine.encode(), AGENT.encode())
    session.history.drain()
    assert [line.version for line in review_lines.with_versions(session, change(session))] == [before] * 4
    store.has("MEMORY.md", mine.replace("mine", "no more mine"))
    first, *rest = review_lines.with_versions(session, change(store.looked_at()))
    assert [line.version for line in rest] == [before] * len(rest) and first.version not in (None, before)


def test_ids_last_while_others_are_dealt_with_and_mean_nothing_once_theirs_changed(store: AStore) -> None:
    session = store.session()
    found = next(each for each in review_lines.listed(session) if each.change.ref.path == "MEMORY.md")
    ids = [id for id, _ in found.lines]
    assert len({found.id, *found.hunks, *ids}) == 1 + len(found.hunks) + 4
    review_lines.accept(session, review_lines.by_ids(review_lines.listed(session), [ids[0], ids[2]]))
    review_lines.revert(session, review_lines.by_ids(review_lines.listed(session), [ids[3][:7]]))
    assert [line.key.removed for line in review_lines.lines(change(session))] == [b"fact 5\n"]
    for gone in (ids[0], found.hunks[-1], found.id):
        with pytest.raises(BadName, match="Nothing was done"):
            review_lines.by_ids(review_lines.listed(session), [gone])


def test_a_file_a_hunk_and_a_line_of_it_are_meant_once(store: AStore) -> None:
    session = store.session()
    found = review_lines.listed(session)
    facts = next(each for each in found if each.change.ref.path == "MEMORY.md")
    [meant] = review_lines.by_ids(found, [facts.hunks[0], facts.lines[0][0], facts.lines[3][0]])
    assert sorted(meant.numbers or ()) == [0, 3]
    [meant] = review_lines.by_ids(found, [facts.hunks[0], facts.id])
    assert meant.numbers is None and meant.is_whole


def test_a_partly_accepted_file_is_kept_when_the_history_is_packed(store: AStore) -> None:
    session = store.session()
    review_lines.accept(session, [pick(session, 0), pick(session, 1, path=LOG)])
    with session.history.opened() as repo:
        repo.pack_all()
    assert [seen for _, seen, _ in waiting(store)] == [
        FACTS.replace("fact 1\n", "fact 1 of the agent\n").encode(),
        b"of the agent\n",
    ]


def an_agent_replaces(store: AStore) -> None:
    store.has("MEMORY.tmp", AGENT).at("MEMORY.tmp").rename(store.at("MEMORY.md"))


def test_what_an_agent_dropped_is_missed_until_all_of_its_file_was_seen(store: AStore) -> None:
    store.mem().write("long_term", "- mine")
    an_agent_replaces(store)
    session = store.looked_at()
    review_lines.accept(session, [pick(session, 0)])
    assert [each.path for each in losses.dropped(session)] == ["MEMORY.md"]
    review_lines.accept(session, [Pick(change(session))])
    assert losses.dropped(session) == []


def test_what_was_put_back_and_is_written_over_again_and_again_is_said(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda _: an_agent_replaces(store))
    session = store.session()
    done = review_lines.revert(session, [pick(session, 0)])
    assert done.warning and "keeps writing over it: look again whether it lasts." in done.message
    assert is_within(AGENT.encode(), store.raw("MEMORY.md"))


@pytest.mark.parametrize(
    ("seen", "agent", "mine", "waits"),
    [
        ("one port\n", "one port of the agent\n", "one port of mine\n", []),
        ("one port\n", "another thing\n", "mine\n", []),
        ("one port\n", "another thing\n", "", [("one port\n", None)]),
        ("one\n", "one\nred apple\ngreen pear\n", "one\nred apple pie\ngreen pear\n", [(None, "green pear\n")]),
        ("one\ntwo\n", "one\nred apple\n", "one\nred apple pie\nmine\n", []),
        ("red apple\ngreen pear\n", "red apple tree\n", "red apple pie\n", [("green pear\n", None)]),
        ("one\ntwo\n", "one\ntheirs\ntwo\n", "one\ntwo\ntheirs\n", [(None, "theirs\n")]),
        (None, "red apple\ngreen pear\n", "red apple pie\ngreen pear\n", [(None, "green pear\n")]),
        (None, "red apple\n", "red apple\nmine\n", [(None, "red apple\n")]),
        ("one\ntwo\nthree\n", "theirs\n", "theirs\none\nmine\ntwo\nthree\n", [(None, "theirs\n")]),
        ("one\ntwo\n", "theirs\nmore\n", "theirs\nmine\none\ntwo\nmine too\n", [(None, "theirs\n")]),
    ],
)
def test_only_what_others_wrote_and_still_stands_waits(
    tmp_path: Path, seen: str | None, agent: str, mine: str, waits: list[tuple[str | None, str | None]]
) -> None:
    store = AStore(tmp_path / "memory").has("MEMORY.md", "facts\n")
    if seen is not None:
        store.has(LOG, seen)
    store.looked_at()
    store.has(LOG, agent)
    session = store.looked_at()
    editing.save(session, session.ref_at(LOG), mine.encode(), agent.encode())
    found = [(each.key.removed, each.key.added) for one in reviewing.pending(store.session()) for each in review_lines.lines(one)]
    assert found == [tuple(None if each is None else each.encode() for each in pair) for pair in waits]
    assert undoing.undo(store.session()).done
    before = next(each for each in reviewing.pending(store.session()) if each.ref.path == LOG)
    assert (before.reviewed, before.now) == (None if seen is None else seen.encode(), agent.encode())


def test_each_of_two_equal_lines_is_of_the_version_that_brought_it(store: AStore) -> None:
    store.has("MEMORY.md", AGENT + "- same\n- x\n- same\n")
    store.looked_at()
    store.has("MEMORY.md", AGENT + "- same\n- x\n- same\n- y\n- same\n")
    session = store.looked_at()
    found = [line for line in review_lines.with_versions(session, change(session)) if line.key.added and b"-" in line.key.added]
    newest, older = change(session).versions[:2]
    assert [(line.key.added, line.version) for line in found[-2:]] == [(b"- y\n", newest), (b"- same\n", older)]
    assert [line.key.added for line in found if line.version == newest] == [b"- same\n", b"- y\n"]
    assert sum(line.version == older for line in found) == 3 and all(line.version is not None for line in found)


@pytest.mark.draw(3)
@pytest.mark.parametrize("more", ["", "- zulu\n", "\n## More\n\n- zulu\n"])
@pytest.mark.parametrize("seen", ["- a\n- b\n\n", "- a\n- b", "# M\n\n- a\n\n## H\n\n- b\n\n"])
@pytest.mark.parametrize("is_first", [True, False])
def test_a_line_that_is_judged_by_moving_it_is_seen_and_no_other(tmp_path: Path, seen: str, more: str, is_first: bool) -> None:
    """Whatever blank lines go with it, nothing of the step itself waits; undo makes it wait again."""
    store = AStore(tmp_path / "memory").has("MEMORY.md", seen)
    store.looked_at()
    came = f"- moved\n{more}" if is_first else f"{more}- moved\n"
    store.has("MEMORY.md", f"{seen if seen.endswith(chr(10)) else seen + chr(10)}{came}")
    session = store.looked_at()
    [change] = reviewing.pending(session)
    own = frozenset(line.number for line in review_lines.lines(change) if line.key.added == b"- moved\n")
    facts = [row for row in FactReader(session).read(Scope.FILE, change.ref).rows if row.fact.says == "moved"]
    assert applying.apply(review_lines.judging(raising.to_top(session, facts), [Pick(change, own)])).changed
    left = [line.key for each in reviewing.pending(session) for line in review_lines.lines(each)]
    assert not [key for key in left if key.removed is not None]
    assert [key.added for key in left if key.added != b"\n"] == [f"{line}\n".encode() for line in more.splitlines() if line]
    assert undoing.undo(store.session()).done
    [again] = reviewing.pending(store.session())
    assert (again.reviewed, again.now) == (change.reviewed, change.now)


@pytest.mark.parametrize(("moved", "left"), [(["one"], {"- two"}), (["one", "two"], {"- one", "- two"})])
def test_a_line_that_the_person_moves_by_hand_is_seen_and_of_several_each_waits_where_it_goes(
    tmp_path: Path, moved: list[str], left: set[str]
) -> None:
    store = AStore(tmp_path / "memory").has("MEMORY.md", "- known\n").has("~/notes/n.md", "# N\n\n- old\n")
    store.looked_at()
    store.has("~/notes/n.md", "# N\n\n- old\n- one\n- two\n")
    session = store.looked_at()

    def waits() -> set[str]:
        found = (line.key.added for each in reviewing.pending(store.session()) for line in review_lines.lines(each))
        return {line.decode().strip() for line in found if line}

    rows = [row for row in FactReader(session).read(Scope.PROJECT).rows if row.fact.says in moved]
    every = [Pick(each) for each in reviewing.pending(session)]
    [own] = review_facts.picks_of(rows, every)
    assert [(line.key.added or b"").decode() for line in review_lines.picked(own)] == [f"- {each}\n" for each in moved]
    assert review_facts.picks_of([], every) == []
    plan = acts.move(session, rows, Target(session.ref_at("MEMORY.md")))
    assert applying.apply(review_facts.by_hand(plan, rows)).changed
    assert waits() == left
    assert undoing.undo(store.session()).done and waits() == {"- one", "- two"}
    assert undoing.undo(store.session(), redo=True).done and waits() == left


def test_a_new_file_that_is_reverted_is_said_to_be_deleted(store: AStore) -> None:
    store.has("~/notes/new.md", "- new\n").looked_at()
    session = store.session()
    new = [Pick(change(session, path)) for path in (LOG, f"projects/{PROJECT}/notes/new.md")]
    assert review_lines.revert(session, new[:1]).message == f"Deleted the new file {LOG}."
    both = [new[1], pick(session, 2)]
    assert review_lines.accept(session, new).message == "Marked 2 files as seen." and undoing.undo(session).done
    assert review_lines.revert(session, both).message == "Reverted 2 lines of 2 files and deleted 1 new file."
