"""Blocks of the past are those that were there: taken down after each write, and built again from the history."""

from __future__ import annotations

import os
import random
from collections import Counter
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.builders import NOW
from zsmem_tui.config.locate import moved_home
from zsmem_tui.config.model import Config
from zsmem_tui.core.errors import BadName, HistoryError
from zsmem_tui.core.fact_prompt import effect
from zsmem_tui.core.past import Point
from zsmem_tui.core.profile import Profile
from zsmem_tui.core.version import Origin
from zsmem_tui.service import history, past, previewing
from zsmem_tui.service.past import Walk
from zsmem_tui.service.previewing import Subject
from zsmem_tui.service.session import Session
from zsmem_tui.service.stores import open_store
from zsmem_tui.store import writing
from zsmem_tui.store.history.retention import apply_retention


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now

    def goes_on(self, **time: float) -> None:
        self.now += timedelta(**time)


class Kind(NamedTuple):
    """A kind of store, the group whose prompt is looked at, and the files that have to do with it or do not."""

    name: str
    group: str
    paths: tuple[str, ...]
    home: str = ""


KINDS = (
    Kind(
        "zerostack",
        "demo-1a2b3c4d",
        (
            "MEMORY.md",
            *(f"projects/demo-1a2b3c4d/{name}.md" for name in ("SCRATCHPAD", "notes/n")),
            *(f"projects/demo-1a2b3c4d/daily/2026-05-{day}.md" for day in (24, 25, 26, 27, 28)),
        ),
    ),
    Kind("claude-code", "project:-home-ann-x", ("projects/-home-ann-x/memory/MEMORY.md", "projects/-home-ann-x/memory/topic.md")),
    Kind(
        "ethos",
        "personality:engineer",
        ("personalities/engineer/MEMORY.md", "personalities/engineer/USER.md", "users/ann/USER.md", "users/bob/USER.md"),
    ),
    Kind("oh-my-pi", "folder:--x--", ("--x--/learned.md", "--x--/memory_summary.md", "--y--/learned.md")),
    Kind("memsearch", "", ("2026-05-24.md", "2026-05-25.md", "2026-05-26.md", "notes/n.md"), ".memsearch/memory"),
    Kind("opencode", "", ("persona.md", "human.md", "other.md"), ".config/opencode/memory"),
    Kind("qwen-code", "project:-home-ann-x", ("projects/-home-ann-x/memory/MEMORY.md", "memories/MEMORY.md")),
)
LINES = (
    "- the tests want redis on port 6380",
    "- [ ] open item",
    "## Session",
    "# A heading",
    "",
    "plain words, " * 60,
    "été 😀 and more",
    "- fact number",
    "\ufeff",
    "</memory>",
)


class Story:
    """A store whose blocks are taken down after every write."""

    def __init__(self, place: Path, kind: Kind, dice: random.Random) -> None:
        self.clock, self.kind, self.dice = Clock(), kind, dice
        root = place / kind.home if kind.home else place / "store"
        root.mkdir(parents=True)
        config = Config()._replace(inject_cap=dice.choice((400, 4_000, 32_768)))
        self.session = open_store(config, f"{kind.name}:{root}", group=kind.group, cwd=str(place), user="ann", clock=self.clock)
        self.session.project = kind.group or self.session.project
        self.about = Subject(self.session.project, "", dice.choice(tuple(Profile)))
        self.blocks: list[tuple[int, str | None]] = []

    def text(self, path: str) -> bytes:
        rows = [f"{self.dice.choice(LINES)} {self.dice.randrange(99)}" for _ in range(self.dice.randrange(1, 60))]
        raw = ("\n".join(rows) + "\n").encode()
        return raw + b"\xff\n" if self.dice.random() < 0.03 else raw

    def write(self) -> None:
        """By us, or by others who are seen at once or only found later; or the file goes."""
        path, raw = self.dice.choice(self.kind.paths), b""
        place = Path(self.session.root, path)
        known = place.read_bytes() if place.exists() else None
        is_gone = known is not None and self.dice.random() < 0.15
        raw = self.text(path)
        if known is not None and self.dice.random() < 0.6:
            raw = known + raw[: self.dice.randrange(200)].rsplit(b"\n", 1)[0] + b"\n"
        if self.dice.random() < 0.4:
            recorder = self.session.recorder("Wrote it", Origin.YOU)
            recorder.guard = None  # what an agent alone may write is written here, too
            if is_gone:
                writing.remove(self.session.root, path, expected=known, recorder=recorder)
            else:
                writing.save(self.session.root, path, raw, known, recorder=recorder)
        elif is_gone:
            place.unlink()
        else:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(raw)
        when = self.session.now_ns()
        if place.exists():
            os.utime(place, ns=(when, when))
        if self.dice.random() < 0.5:
            self.session.history.observe([path])
        else:
            history.look_at_all(self.session)

    def take_down(self) -> None:
        seen = previewing.preview(self.session, self.about)
        self.blocks.append((self.session.now_ns(), seen.text))

    def goes_on(self) -> None:
        self.clock.goes_on(seconds=self.dice.choice((1, 60, 3_600, 30_000, 100_000)))


def the_same_again(place: Path, kind: Kind, seed: int, writes: int) -> None:
    story = Story(place, kind, random.Random(seed))
    history.look_at_all(story.session)
    story.write()
    story.take_down()
    for _ in range(writes):
        story.goes_on()
        story.write()
        story.take_down()
    story.goes_on()
    timeline = story.session.past.timeline()
    for when, text in story.blocks:
        again = previewing.preview(story.session, story.about._replace(at=timeline.at(when)))
        assert again.text == text, (kind.name, seed, when)
    _changes_are_those(story)


def _changes_are_those(story: Story) -> None:
    """Between two changes the block is the same, and each is one; where it tells the time, but for that."""
    if story.kind.name == "opencode":
        return
    timeline = story.session.past.timeline()
    changes = list(Walk(story.session, story.about).every())[::-1]
    whens = [change.point.when for change in changes]
    assert whens == sorted(whens)

    def text(point: Point) -> str | None:
        return previewing.preview(story.session, story.about._replace(at=point)).text

    for change in changes:
        assert text(change.before) != text(change.point)
    for (one, before), (other, after) in zip(story.blocks, story.blocks[1:], strict=False):
        if not any(one < when <= other for when in whens):
            assert before == after
        assert text(timeline.at(one)) == before


@pytest.mark.draw(3)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_blocks_of_the_past_are_those_that_were_there(tmp_path: Path, kind: Kind) -> None:
    for seed in range(2):
        the_same_again(tmp_path / str(seed), kind, seed, 6)


def test_lines_that_came_and_fell_are_told_whatever_both_ends_share() -> None:
    dice = random.Random(5)
    for _ in range(3_000):
        one, other = ("\n".join(dice.choice("ab") * dice.randrange(3) for _ in range(dice.randrange(6))) for _ in range(2))
        old, new = past._differing_lines(one.split("\n"), other.split("\n"))
        expected = [Counter(line for line in each.split("\n") if line) for each in (one, other)]
        assert new - old == expected[1] - expected[0], (one, other)
        assert old - new == expected[0] - expected[1], (one, other)


@pytest.mark.slow
def test_a_thousand_histories(tmp_path: Path) -> None:
    for seed in range(1_000):
        the_same_again(tmp_path / str(seed), KINDS[seed % len(KINDS)], 1_000 + seed, 8)


def test_a_file_of_another_store_in_the_prompt_is_as_it_was_also_when_nobody_watched_that_store(tmp_path: Path) -> None:
    clock = Clock()
    with moved_home(str(tmp_path)):
        own, other = (tmp_path / place for place in ("code/x/.opencode/memory", ".config/opencode/memory"))
        for root, name in ((own, "project.md"), (other, "human.md")):
            root.mkdir(parents=True)
            _dated(root / name, "- first\n", clock)
        mine, shared = (
            open_store(Config(), f"opencode:{each}", cwd=str(tmp_path / "code/x"), clock=clock) for each in (own, other)
        )
        for session in (mine, shared):
            history.look_at_all(session)
        for turn in range(3):
            seen = previewing.preview(mine).text or ""
            assert block(mine, past.now(mine)) == seen and seen.count("- more") == turn
            told = [past.told(change) for change in Walk(mine, previewing.subject(mine)).every()]
            assert len(told) == turn and all("human.md" in each for each in told)
            clock.goes_on(hours=1)
            _dated(other / "human.md", "- first\n" + "- more\n" * (turn + 1), clock)


def _dated(place: Path, text: str, clock: Clock) -> None:
    place.write_text(text)
    os.utime(place, ns=(int(clock.now.timestamp()) * 10**9,) * 2)


def _written(session: Session, clock: Clock, text: str, path: str = "MEMORY.md") -> None:
    clock.goes_on(hours=1)
    place = Path(session.root, path)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text)
    os.utime(place, ns=(session.now_ns(), session.now_ns()))
    session.history.observe([path])


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def session(tmp_path: Path, clock: Clock) -> Session:
    (tmp_path / "memory").mkdir()
    return Session(str(tmp_path / "memory"), "demo-1a2b3c4d", config=Config()._replace(inject_cap=400), clock=clock)


def block(session: Session, at: Point | None) -> str:
    return previewing.preview(session, previewing.subject(session)._replace(at=at)).text or ""


def said(session: Session, at: Point) -> list[str]:
    return [each.kind.value for each in previewing.findings(session, previewing.subject(session)._replace(at=at))]


@pytest.mark.parametrize(
    "words",
    [
        *("2026-05-25T15:30", "2026-05-25 15:30:00", "15:30", "today 15:30", "2026-05-25T15:30:00.5", "now"),
        *("45m", "45 min ago", "45 minutes ago", "1 hour ago", "1h", "60 Minutes", "2700 seconds ago"),
    ],
)
def test_a_moment_is_what_people_call_it(session: Session, clock: Clock, words: str) -> None:
    _written(session, clock, "- one\n")
    _written(session, clock, "- one\n- two\n")
    clock.now = datetime(2026, 5, 25, 16, 15)
    found = block(session, past.point_of(session, words))
    assert "one" in found and ("two" in found) == (words == "now"), words


def test_an_id_is_the_moment_after_its_version_whatever_its_letters(session: Session, clock: Clock) -> None:
    for number in range(4):
        _written(session, clock, "- line\n" * (number + 1))
    versions = session.past.timeline().versions
    for number, version in enumerate(versions):
        for id in (version.id, version.id.upper()):
            assert block(session, past.point_of(session, id)).count("- line") == number + 1
        point = session.past.timeline().before(number)
        assert block(session, point).count("- line") == number


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("2031-01-01", "is to come"),
        *((words, "is before everything") for words in ("3d", "3 days ago", "2 weeks ago")),
        ("3 months ago", "is no moment"),
        ("0001-01-01", "is before everything|is no moment"),
        ("9999999w", "is no moment"),
        ("99:99", "is no moment"),
        ("2026-13-45", "is no moment"),
        ("ffffffffffff", "No versions begin"),
        ("", "is no moment"),
        ("\x1b[31m", "is no moment"),
        ("when it worked", "is no moment"),
    ],
)
def test_a_moment_that_is_none_is_refused_with_the_nearest(session: Session, clock: Clock, words: str, sentence: str) -> None:
    _written(session, clock, "- one\n")
    with pytest.raises(BadName) as error:
        past.point_of(session, words)
    assert any(each in error.value.message for each in sentence.split("|")) and "Nothing was shown." in error.value.message
    assert error.value.hint


def test_a_store_with_no_history_has_no_other_moment(session: Session) -> None:
    for words in ("2h", "now", "abc1"):
        with pytest.raises(BadName):
            past.point_of(session, words)


def test_a_file_that_was_there_before_zsmem_looked_is_as_of_its_first_version(session: Session, clock: Clock) -> None:
    log = "projects/demo-1a2b3c4d/daily/2026-05-25.md"
    _written(session, clock, "- one\n")
    between = session.now_ns()
    clock.goes_on(hours=1)
    Path(session.root, log).parent.mkdir(parents=True)
    Path(session.root, log).write_text("logged\n")
    history.look_at_all(session)
    point = session.past.timeline().at(between)
    assert "logged" in block(session, point)
    assert said(session, point) == ["before-first-look", "whole-at"]
    later = session.past.timeline().at(session.now_ns())
    assert "logged" in block(session, later) and said(session, later) == []


def test_a_file_that_came_later_was_not_there(session: Session, clock: Clock) -> None:
    history.look_at_all(session)
    _written(session, clock, "- one\n")
    before = session.now_ns()
    _written(session, clock, "logged\n", "projects/demo-1a2b3c4d/daily/2026-05-25.md")
    point = session.past.timeline().at(before)
    assert "logged" not in block(session, point) and said(session, point) == []


def test_versions_that_were_dropped_are_said_with_the_moments_that_are_whole(session: Session, clock: Clock) -> None:
    for number in range(5):
        _written(session, clock, f"- {number}\n")
    clock.goes_on(hours=1)
    for path in ("beside.md", "MEMORY.md"):
        Path(session.root, path).write_text("- 5\n")
        os.utime(Path(session.root, path), ns=(session.now_ns(), session.now_ns()))
    session.history.observe(["beside.md", "MEMORY.md"])
    times = session.past.timeline().times
    clock.goes_on(days=40)
    _written(session, clock, "- last\n")
    assert apply_retention(session.history, session.now_ns(), 30, 0) == 5
    timeline = session.past.timeline()
    for when in times[:5]:
        point = timeline.at(when + 1)
        assert said(session, point)[0] == "dropped", when
    assert block(session, timeline.at(times[5])).count("- 5") == 1 and said(session, timeline.at(times[5])) == []
    whole = timeline.whole_around(["MEMORY.md"], timeline.at(times[2]))
    assert whole == [times[5]]
    known = [(each.path, each.dropped) for each in session.past.timeline().versions]
    assert known == [("MEMORY.md", times[0]), ("beside.md", 0), ("MEMORY.md", 0)]
    session.history.log.replace([])  # made anew from the commits, it is known as before
    os.truncate(session.history.log.place, 0)
    again = Session(session.root, session.project, clock=clock).past.timeline()
    assert [(each.path, each.dropped) for each in again.versions] == known


def test_a_text_that_is_missing_in_the_history_is_said_and_nothing_stands_for_it(session: Session, clock: Clock) -> None:
    for number in range(4):
        _written(session, clock, f"- {number}\n")
    versions = session.past.timeline().versions
    lost = versions[1].after
    Path(session.history.home, "git", "objects", lost[:2], lost[2:]).unlink()
    again = Session(session.root, session.project, config=session.config, clock=clock)
    timeline = again.past.timeline()
    assert "- 2" in block(again, timeline.after(2))
    for ask in (lambda: block(again, timeline.after(1)), lambda: list(Walk(again, previewing.subject(again)).every())):
        with pytest.raises(HistoryError, match=r"MEMORY.md of 2026-05-25 16:07:09: .* Nothing was shown"):
            ask()


def test_a_text_that_was_too_large_to_keep_is_said_and_nothing_stands_for_it(
    session: Session, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zsmem_tui.store.history.journal.LARGEST_TEXT", 100)
    for text in ("- small\n", "- large\n" * 50, "- again\n"):
        _written(session, clock, text)
    timeline = session.past.timeline()
    told = [previewing.findings(session, previewing.subject(session)._replace(at=timeline.after(at))) for at in range(3)]
    assert [[(each.kind.value, each.place, each.count) for each in found] for found in told] == [
        [],
        [("too-large-then", "MEMORY.md", 400)],
        [],
    ]


def test_a_dropped_version_in_the_middle_has_whole_moments_on_both_sides(session: Session, clock: Clock) -> None:
    for day in range(3):
        clock.now = NOW + timedelta(days=day)
        for number in range(2):
            _written(session, clock, f"- {day} {number}\n")
    times = session.past.timeline().times
    clock.goes_on(days=40)
    _written(session, clock, "- last\n")
    apply_retention(session.history, session.now_ns(), 30, 0)
    timeline = session.past.timeline()
    point = timeline.at(times[2])
    assert said(session, point) == ["dropped", "whole-at"]
    before, after = timeline.whole_around(["MEMORY.md"], point)
    assert times[1] <= before < times[2] and after == times[3]
    assert said(session, timeline.at(before)) == [] == said(session, timeline.at(after))


def test_a_clock_that_was_set_and_files_with_old_dates_keep_the_order(session: Session, clock: Clock) -> None:
    history.look_at_all(session)
    _written(session, clock, "- one\n")
    first = session.now_ns()
    clock.goes_on(hours=1)
    place = Path(session.root, "MEMORY.md")
    place.write_text("- restored\n")
    os.utime(place, (1_000_000_000, 1_000_000_000))
    session.history.observe(["MEMORY.md"])
    _written(session, clock, "- three\n")
    times = session.past.timeline().times
    assert times == sorted(times) and times[0] == first
    assert block(session, past.point_of(session, "now")).count("- three") == 1


def test_what_others_wrote_over_the_cap_is_told_with_what_it_pushed_out(session: Session, clock: Clock) -> None:
    log = "projects/demo-1a2b3c4d/daily/2026-05-25.md"
    history.look_at_all(session)
    _written(session, clock, "- one\n")
    _written(session, clock, "".join(f"- logged {number}\n" for number in range(9)), log)
    _written(session, clock, "- one\n" + "".join(f"- many more words of a fact {number}\n" for number in range(9)))
    change = next(Walk(session, previewing.subject(session)).every())
    assert change.pushed and change.sections == ("Daily log 2026-05-25 (today)",)
    assert past.told(change).startswith("another program added 9 lines to MEMORY.md: ")
    assert "pushed over the cap" in past.told(change)
    lost = past.pushed_out(session, previewing.subject(session), "- logged 8")
    assert lost is not None and lost.point == change.point
    for line in ("- never there", "logged 8", "8"):
        assert past.pushed_out(session, previewing.subject(session), line) is None
    assert change.wanted > change.fits


@pytest.mark.parametrize("cap", [98, 100, 105, 1_000])
def test_a_change_has_the_lines_that_an_action_had_foretold(session: Session, clock: Clock, cap: int) -> None:
    """Of headings, the agent's marks and a line that is cut, neither counts any."""
    session.config = session.config._replace(inject_cap=cap)
    history.look_at_all(session)
    was = "- one of some words\n- two of some words\n- three of some words\n"
    _written(session, clock, was)
    before = previewing.preview(session)
    _written(session, clock, f"- none\n{was}")
    foretold = effect(before, previewing.preview(session))
    change = next(Walk(session, previewing.subject(session)).every())
    assert (change.came, change.fell) == (foretold.gained, foretold.dropped) and foretold.gained == ("- none",)


def test_lines_that_only_moved_are_told_so(session: Session, clock: Clock) -> None:
    history.look_at_all(session)
    for text in ("- one\n- two\n- three\n", "- three\n- one\n- two\n"):
        _written(session, clock, text)
    told = [past.told(change) for change in Walk(session, previewing.subject(session)).every()]
    assert told[0] == "another program moved lines in MEMORY.md: 0 in, 0 out"


def test_a_day_that_begins_is_a_change_of_its_own(session: Session, clock: Clock) -> None:
    history.look_at_all(session)
    _written(session, clock, "logged\n", "projects/demo-1a2b3c4d/daily/2026-05-25.md")
    clock.goes_on(days=5)
    told = [past.told(change) for change in Walk(session, previewing.subject(session)).every()]
    assert [each.partition(":")[0] for each in told] == ["a new day", "a new day", "another program wrote 2026-05-25.md"]


@pytest.mark.parametrize("seconds", [60, 0], ids=["in_time", "opened_too_late"])
def test_changes_are_found_some_at_a_time_and_the_history_is_free_meanwhile(
    session: Session, clock: Clock, monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    monkeypatch.setattr(past, "_TURN_SECONDS", seconds)
    history.look_at_all(session)
    for number in range(30):
        _written(session, clock, f"- {number}\n")
    walk, found = Walk(session, previewing.subject(session)), 0
    for _ in range(200):
        found += len(some := walk.more(7))
        assert len(some) <= 7
        session.history.observe(["MEMORY.md"])
    assert found >= 30 and walk.is_done
