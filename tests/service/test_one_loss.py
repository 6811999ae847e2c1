"""One number for one loss: facts, with lines beside it, the same wherever it is told; and a file that is left out whole."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.builders import NOW, AStore
from tests.command_line import zsmem
from zsmem_tui.config.model import Config
from zsmem_tui.core.checks.checkup import NOT_LOOKED, Checkup
from zsmem_tui.core.errors import Unreadable
from zsmem_tui.core.notice import NoticeKind, sentences
from zsmem_tui.core.preview import Loss, Prompt
from zsmem_tui.service import fit, previewing, status, stores
from zsmem_tui.service.browsing import open_file
from zsmem_tui.service.facts.rows import FactReader, Scope
from zsmem_tui.service.previewing import loss_of, prompt_lines
from zsmem_tui.service.session import Session
from zsmem_tui.service.watching import prompt_use
from zsmem_tui.store.disk.tree import DiskTree
from zsmem_tui.ui import wording as common
from zsmem_tui.ui.facts import rows as facts
from zsmem_tui.ui.prompt import costs
from zsmem_tui.ui.prompt import wording as prompt
from zsmem_tui.ui.widgets import budget, strip

ITEMS = "".join(f"- fact {number}\n  goes on\n  and on\n" for number in range(40))


def told(session: Session) -> Loss:
    """What is lost of the prompt, once every place says the same."""
    seen = previewing.preview(session)
    loss = seen.loss()
    rows = FactReader(session).read(Scope.PROJECT).rows
    assert loss.facts == sum(row.prompt in (Prompt.CUT, Prompt.LOST) for row in rows)
    assert loss.lines == len(seen.lost)
    opened = [open_file(session, session.ref_at(each.path)) for each in seen.uses]
    of_files = [loss_of(file, prompt_lines(session, file)) for file in opened]
    assert Loss(*map(sum, zip(*of_files, strict=True))) == loss
    assert f" {loss.facts} lost" in facts.legend(rows)
    assert previewing.cost(session, previewing.subject(session)).lost == loss
    cost = previewing.cost(session, previewing.subject(session))
    assert loss.brief in "".join(text for text, _ in costs.cost_row(cost, "x", 1).pieces)
    assert str(loss) in budget.sentence(seen) and str(loss) in status.line(status.status(session), seen)
    assert str(loss) in prompt.in_full(seen, [])
    assert prompt_use(session).cut
    return loss


@pytest.mark.parametrize("cap", [200, 333, 1000])
def test_every_place_tells_the_same_loss(tmp_path: Path, cap: int) -> None:
    store = AStore(tmp_path / "memory").has("MEMORY.md", f"# Title\n\n{ITEMS}").has("~/SCRATCHPAD.md", "- [ ] a\n- [x] b\n")
    loss = told(store.session(inject_cap=cap))
    assert 0 < loss.facts < loss.lines
    found = json.loads(zsmem(store, "status", "--json").out)["prompt"]
    assert (found["lost_facts"], found["lost_lines"]) == (0, 0)


def test_where_all_fits_nothing_is_lost_and_no_prompt_costs_nothing(tmp_path: Path) -> None:
    session = AStore(tmp_path / "memory").has("MEMORY.md", ITEMS).session()
    file = open_file(session, session.ref_at("MEMORY.md"))
    assert loss_of(file, prompt_lines(session, file)) == previewing.preview(session).loss() == Loss(0, 0)
    none = previewing.preview(AStore(tmp_path / "empty").session())
    assert (none.text, none.size, none.tokens) == (None, 0, 0)


def test_what_falls_next_is_told_from_nine_tenths_of_the_cap_on(tmp_path: Path) -> None:
    store = AStore(tmp_path / "memory").has("MEMORY.md", ITEMS)
    needed = previewing.preview(store.session()).needed
    store.has("MEMORY.md", ITEMS + "x" * (-needed % 9 + 9 - 1) + "\n")
    needed = previewing.preview(store.session()).needed
    assert [prompt_use(store.session(inject_cap=cap)).cut for cap in (needed, needed - 1)] == [False, True]
    assert not needed % 9
    for cap, left in ((needed // 9 * 10, []), (needed // 9 * 10 - 1, [needed // 9 - 1])):
        found = previewing.findings(store.session(inject_cap=cap))
        assert [each.count for each in found if each.kind is NoticeKind.HEADROOM] == left


def test_a_log_of_a_day_that_is_still_to_come_is_told(tmp_path: Path) -> None:
    store = AStore(tmp_path / "memory")
    for name in ("2026-05-24.md", "2026-05-25.md", "2026-05-26.md", "later.md", "2026-05-27.txt"):
        store.has(f"~/daily/{name}", "- tea\n")
    found = previewing.findings(store.session())
    assert [each.place for each in found if each.kind is NoticeKind.FUTURE_LOG] == ["2026-05-26.md"]


def test_claude_codes_index_tells_it_too(tmp_path: Path) -> None:
    store = AStore(tmp_path / ".claude").has("projects/-x/memory/MEMORY.md", "".join(f"- f {number}\n\n" for number in range(150)))
    session = stores.open_store(Config(), f"claude-code:{store.root}", group="-x", clock=lambda: NOW)
    assert told(session) == Loss(50, 50)
    line = status.line(status.status(session), previewing.preview(session))
    assert line.startswith("150 % of the room for MEMORY.md, 50 facts lost"), line


def test_words_of_a_loss() -> None:
    assert [str(Loss(*each)) for each in ((0, 0), (0, 1), (1, 1), (2, 5))] == [
        "no line lost",
        "1 line lost",
        "1 fact lost",
        "2 facts lost (5 lines)",
    ]


def test_a_memory_that_is_left_out_for_its_size_is_an_alarm_everywhere(tmp_path: Path) -> None:
    text = "".join(f"- fact {number} {'x' * 100}\n" for number in range(1300))
    store = AStore(tmp_path / "memory").has("MEMORY.md", text)
    session = store.session()
    assert len(text) > 128 * 1024
    assert told(session) == Loss(1300, 1300)
    assert strip.share(prompt_use(session)).endswith("!") and common.prompt(prompt_use(session)).endswith("! MEMORY.md lost")
    rows = FactReader(session).read(Scope.PROJECT).rows
    assert {row.reason for row in rows} == {"the agent loads nothing of a MEMORY.md above 131,072 bytes"}
    assert "no room" not in facts.detail(rows[0], 0, session, is_wanted=False)
    said = zsmem(store, "status")
    assert "131,072" in said.err.replace("131072", "131,072") and said.code == 0
    line = zsmem(store, "status", "--line").out
    assert "! MEMORY.md lost" in line and "1,300 facts lost" in line
    assert json.loads(zsmem(store, "status", "--json").out)["prompt"]["left_out"] == ["MEMORY.md"]
    assert "1,300 facts lost:" in zsmem(store, "context", "--explain").out


def test_files_that_are_not_utf8_are_left_out_and_lost_as_well(tmp_path: Path) -> None:
    store = AStore(tmp_path / "memory").has("MEMORY.md", b"# Facts\n\n- one\n- caf\xe9\n")
    store.has("~/SCRATCHPAD.md", b"- [ ] \xe9\n- [x] done\n").has("~/daily/2026-05-25.md", "- kept\n")
    session = store.session()
    assert previewing.preview(session).loss() == Loss(3, 4)
    assert strip.share(prompt_use(session)).endswith("!") and common.prompt(prompt_use(session)).endswith("! MEMORY.md lost")
    [row] = [row for row in previewing.preview(session).lost if row.path.endswith("SCRATCHPAD.md")]
    assert row.reason == "the agent loads nothing of a SCRATCHPAD.md that is not valid UTF-8"
    assert not fit.propose(session).fit.moves


def test_a_file_that_cannot_be_read_is_told_with_its_size_wherever_a_loss_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = AStore(tmp_path / "memory").has("MEMORY.md", b"\xff" * 1_234).has("~/SCRATCHPAD.md", "- [ ] a\n")

    def refuse(_: DiskTree, path: str) -> bytes:
        raise Unreadable(path, "Permission denied")

    monkeypatch.setattr(DiskTree, "read", refuse)
    session = store.session()
    seen = previewing.preview(session)
    assert budget.sentence(seen) == "MEMORY.md cannot be read (1,234 bytes); 36B of 32.0K loaded"
    assert prompt.use_row(seen.uses[-1], seen).facts == "cannot be read, 1.2K in all"
    assert "no line is lost" not in prompt.nothing(seen, "lost", has_search=True).lower()
    assert "scratchpad" in prompt.meter(seen, session.ref_at("MEMORY.md")).lower(), "the first to fall is in the prompt"
    assert "(cannot be read, 1234 bytes in all)" in zsmem(store, "context", "--explain").out
    assert "! MEMORY.md lost" in zsmem(store, "status", "--line").out
    assert "MEMORY.md cannot be read" in zsmem(store, "fit").out


def test_a_warning_counts_facts_with_their_lines_beside_them(tmp_path: Path) -> None:
    store = AStore(tmp_path / "memory").has("MEMORY.md", "".join(f"- fact {at} of them\n  and more of it\n" for at in range(1_500)))
    session = store.session()
    seen = previewing.preview(session)
    loss, [said] = seen.loss(), [each for each in sentences(previewing.findings(session)) if "not whole in the prompt" in each]
    assert loss.facts * 2 - 1 <= loss.lines and said.startswith(f"{loss.facts:,} facts ({loss.lines:,} lines) are not whole")


def test_a_list_of_facts_or_of_what_is_lost_shows_four_characters_of_a_credential(tmp_path: Path) -> None:
    key = "gh" + "p_Zk3Qw9Lm2Vt7Xr5Bn8Hj4Pd6Sf1Gc0Ya3Ue"
    store = AStore(tmp_path / "memory").has("MEMORY.md", "- of no use\n" * 3_000 + f"- deploy with {key}\n")
    session = store.session()
    row = FactReader(session).read(Scope.PROJECT).rows[-1]
    shown = facts.fact_row(row, is_wanted=False, group="none", now_ns=0, width=80, session=session, checkup=NOT_LOOKED)
    found = Checkup(lines={"MEMORY.md": frozenset([3_000])})
    marked = facts.fact_row(row, is_wanted=True, group="none", now_ns=0, width=80, session=session, checkup=found)
    assert marked.facts == f"! doctor · keep {shown.facts}", "no dot before the columns"
    for drawn in (shown, prompt.lost_row(previewing.preview(session).lost[-1])):
        text = "".join(words for words, _ in drawn.pieces)
        assert key not in text and "deploy with ghp_…" in text
    page = prompt.in_full(previewing.preview(session), [])
    assert key not in page and "deploy with ghp_…" in page
