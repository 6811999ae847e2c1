"""The moves of a fit over generated texts: what is left fits, and every line is still in a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.agents.trees import MappingTree
from tests.core.test_facts import LINES, TEXTS
from zsmem_tui.agents.zerostack.layout import ZerostackLayout
from zsmem_tui.core.context import Moment
from zsmem_tui.core.fit import FitStore, Measure, MoveKind, applied, fit
from zsmem_tui.core.preview import Preview, explain
from zsmem_tui.core.profile import Profile
from zsmem_tui.core.tree import Tree

HOME = "projects/p-1"
MEMORY, PAD = "MEMORY.md", f"{HOME}/SCRATCHPAD.md"
YESTERDAY, TODAY = f"{HOME}/daily/2026-05-24.md", f"{HOME}/daily/2026-05-25.md"


class Texts(dict[str, str]):
    """Files that a layout reads."""

    def text(self, path: str) -> str | None:
        return self.get(path)

    def size(self, path: str) -> int | None:
        return len(self[path].encode()) if path in self else None

    def names(self, folder: str) -> list[str]:
        return [path.rpartition("/")[2] for path in self if path.rpartition("/")[0] == folder]

    def tree(self) -> Tree:
        return MappingTree({path: text.encode() for path, text in self.items()})


def lines(*texts: str) -> Counter[str]:
    every = (line.lstrip("\ufeff").strip() for text in texts for line in text.split("\n"))
    return Counter(line for line in every if line)


def a_store(texts: Mapping[str, str], others: Mapping[str, str]) -> FitStore:
    return FitStore(texts, others, MEMORY, PAD, (YESTERDAY,), "note {}".format, "archive {}".format, "shared {}".format)


def measuring(texts: Mapping[str, str], cap: int, profile: Profile = Profile.DOCUMENTED) -> Measure:
    def measure(changed: Mapping[str, str]) -> Preview:
        moment = Moment("p-1", "2026-05-25", "2026-05-24", profile, cap)
        return explain(ZerostackLayout().block(Texts({**texts, **changed}), moment), {})

    return measure


@settings(max_examples=80, deadline=None)
@given(
    st.tuples(TEXTS, TEXTS, TEXTS, TEXTS),
    LINES,
    st.sampled_from(list(Profile)),
    st.sampled_from((0, 30, 100, 300)),
    st.sets(st.integers(0, 12)),
)
@example(("2026. was a year\n", "2026. was a year\n", "", ""), [], Profile.DOCUMENTED, 0, set())  # a double in a log that goes
@example(
    ("", "- item\n", "", "<https://a.b>\n\n<https://a.b>\n"), [], Profile.DOCUMENTED, 0, set()
)  # a double where none is loaded
def test_every_line_is_still_in_a_file_and_what_can_go_is_enough(
    given_texts: tuple[str, str, str, str], other: list[tuple[str, str]], profile: Profile, cap: int, marked: set[int]
) -> None:
    texts = dict(zip((MEMORY, YESTERDAY, TODAY, PAD), given_texts, strict=True))
    others = {"shared memory": "".join(line + end for line, end in other), "archive MEMORY.md": "older"}

    store = a_store(texts, others)
    found = fit(store, measuring(texts, cap, profile), {MEMORY: marked})
    after = {**others, **texts, **applied(store, found.moves)}
    before = lines(*texts.values(), *others.values())
    assert set(before) <= set(lines(*after.values()))
    doubles = [move for move in found.moves if move.kind is MoveKind.DOUBLE]
    out = ["\n".join(texts[move.path].split("\n")[slice(*lines_)]) for move in doubles for lines_ in move.ranges]
    assert not before - lines(*after.values()) - lines(*out)
    assert set(lines(*out)) <= set(lines(*(row.text for row in found.after.rows if not row.lost)))
    assert bool(found.moves) <= (found.before.needed > cap)
    assert found.after.needed <= found.before.needed or any(move.kind is MoveKind.TOP for move in found.moves)
    assert all(bool(move.frees) is (move.kind is not MoveKind.TOP) for move in found.moves)
    for move in found.moves:
        fewer = [each for each in found.moves if each is not move]
        assert set(lines(*texts.values())) <= set(lines(*{**others, **texts, **applied(store, fewer)}.values()))


def test_of_a_fact_in_two_logs_one_copy_stays_in_the_prompt_when_the_older_log_goes() -> None:
    twice = "- looked into the retry logic\n- the seed takes three minutes\n"
    alone = "".join(f"- of yesterday alone, number {number}\n" for number in range(9))
    texts = {MEMORY: "".join(f"- kept {number}\n" for number in range(30)), YESTERDAY: twice + alone, TODAY: twice, PAD: ""}
    store, needed = a_store(texts, {}), measuring(texts, 0)({}).needed
    for cap in (needed, needed - 1):
        assert bool(fit(store, measuring(texts, cap), {}).moves) is (cap < needed)
    found = fit(store, measuring(texts, 350), {})
    after = applied(store, found.moves)
    assert found.after.needed <= 350 and MoveKind.LOG in {move.kind for move in found.moves}
    assert after.get(TODAY, twice) == twice and twice in after[f"archive {YESTERDAY}"]


def test_of_open_tasks_too_those_that_are_lost_go_first_and_those_that_are_marked_stay() -> None:
    tasks = "## Plans\n\n" + "".join(f"- [ ] task {number} {'x' * 60}\n" for number in range(40))
    texts = {MEMORY: tasks, YESTERDAY: "", TODAY: "- [ ] of today\n", PAD: ""}
    store, measure = a_store(texts, {}), measuring(texts, 2_000)
    assert {move.lost for move in fit(store, measure, {}).moves} == {True}
    found = fit(store, measure, {MEMORY: range(34, 42)})
    assert found.after.needed <= 2_000 and not found.missing
