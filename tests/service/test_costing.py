"""What the memory of all agents costs, and what of it is paid for more than once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.six_agents import SixAgents
from zsmem_tui.config.model import Config
from zsmem_tui.core.refs import MemRef
from zsmem_tui.service import costing, instructions, previewing
from zsmem_tui.service.folders import StoreGroups
from zsmem_tui.service.prompts import PromptOf

SAID = "Always run make check before a commit."


@pytest.fixture
def six(tmp_path: Path) -> SixAgents:
    return SixAgents(tmp_path)


def add(path: Path, text: str) -> None:
    with path.open("a") as file:
        file.write(text)


def test_every_agent_is_in_the_costs_with_each_group_that_has_a_prompt(six: SixAgents) -> None:
    stores = six.stores()
    found = costing.costs(stores, costing.paying(stores, str(six.folder)))
    assert {stores[each.store].session.layout.kind for each, _ in found} == set(six.roots)
    groups = {each.about.project for each, _ in found}
    assert "personality:engineer" in groups and not [each for each in groups if each.startswith(("user:", "team:"))]
    sizes = [cost.size for _, cost in costing.dearest_first(found)]
    assert sizes == sorted(sizes, reverse=True) and all(sizes)
    for prompt, cost in found:
        assert cost.size == previewing.preview(stores[prompt.store].session, prompt.about).size


def test_what_is_everybodys_is_counted_once_for_an_agent(six: SixAgents) -> None:
    root = six.roots["zerostack"]
    for name in ("one-00000000", "two-00000000"):
        (root / "projects" / name).mkdir()
        (root / "projects" / name / "SCRATCHPAD.md").write_text("- [ ] an item\n")
    stores = six.stores()[:1]
    found = costing.costs(stores, costing.paying(stores, str(six.folder)))
    assert len(found) == 3
    shared = {use.size for _, cost in found for use in cost.sections if use.path == "MEMORY.md"}
    assert len(shared) == 1
    total = costing.total(stores, found)
    assert total.size == sum(cost.size for _, cost in found) - 2 * shared.pop()
    assert 0 < total.tokens < sum(cost.tokens for _, cost in found)
    ordered = costing.dearest_first(found)
    counts = costing.in_several(stores, ordered)
    paths = {place: dict(found)[place[0]].sections[place[1]].path for place in counts}
    assert set(paths.values()) == {"MEMORY.md"} and list(counts.values()) == [3, 0, 0]
    assert next(iter(counts))[0] == ordered[0][0]


def test_a_folder_that_is_no_project_yet_pays_for_what_is_everybodys(six: SixAgents) -> None:
    session = six.session("zerostack")
    (six.roots["zerostack"] / "projects" / session.project).rename(six.roots["zerostack"] / "projects/else-00000000")
    stores = six.stores()[:1]
    found = costing.costs(stores, costing.paying(stores, str(six.folder)))
    assert [each.about.project for each, _ in found] == [session.project, "else-00000000"]


def test_text_in_two_prompts_and_in_instruction_files_is_told_with_all_places(six: SixAgents, tmp_path: Path) -> None:
    """Not with the instructions of another folder, which no prompt of this one holds."""
    far = tmp_path / "far"
    far.mkdir()
    add(far / "CLAUDE.md", f"- {SAID}\n")
    home = Path(six.session("claude-code").root)
    index = next(home.glob("projects/*/memory/MEMORY.md"))
    add(six.roots["zerostack"] / "MEMORY.md", f"- {SAID}\n")
    add(index, f"* {SAID}\n")
    add(six.folder / "AGENTS.md", f"{SAID}\n")
    add(home / "CLAUDE.md", f"- {SAID}\n")
    (six.folder / "CLAUDE.md").symlink_to("AGENTS.md")
    stores = [*six.stores(), StoreGroups(instructions.open_folder(Config(), str(far)), (), {"": str(far)})]
    orders = {1: [MemRef("CLAUDE.md")], len(stores) - 1: [MemRef("CLAUDE.md")]}
    found = costing.twice(stores, str(six.folder), Config(), orders)
    own = next(each for each in found if SAID in each.quoted)
    assert [place.name for place in own.places] == [
        "zerostack MEMORY.md",
        "Claude Code MEMORY.md",
        "AGENTS.md",
        "Claude Code CLAUDE.md",
    ]
    assert (own.lines, own.size) == (1, 3 * (len(SAID) + 1) + 4)
    assert own.places[0].prompt == PromptOf(0, previewing.subject(stores[0].session)) and own.places[2].prompt is None
    for place, line in zip(own.places, own.at, strict=True):
        assert SAID in Path(place.path).read_text().splitlines()[line]


def test_a_line_with_its_number_in_a_block_is_the_line_of_the_file(six: SixAgents) -> None:
    add(six.roots["opencode"] / "project.md", f"- {SAID}\n")
    add(six.folder / "AGENTS.md", f"{SAID}\n")
    found = costing.twice(six.stores(), str(six.folder), Config())
    assert [place.name for each in found if SAID in each.quoted for place in each.places] == ["opencode project.md", "AGENTS.md"]
