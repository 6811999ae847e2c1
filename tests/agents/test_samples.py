"""Each agent's sample store: every file is what the agent's rules say, and nothing else is memory."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from zsmem_tui.agents.claude_code import files as claude_code
from zsmem_tui.agents.ethos import files as ethos
from zsmem_tui.agents.gemini import agent as gemini
from zsmem_tui.agents.memsearch import files as memsearch
from zsmem_tui.agents.oh_my_pi import files as oh_my_pi
from zsmem_tui.agents.opencode import files as opencode
from zsmem_tui.agents.places import Place
from zsmem_tui.agents.qwen_code import agent as qwen_code

SAMPLES = Path(__file__).parents[1] / "samples"
LANTERN = "--home-ann-code-lantern--"
OF_LANTERN = "projects/-home-ann-code-lantern/memory"

EXPECTED: list[tuple[str, Callable[[str], Place | None], dict[str, str]]] = [
    (
        "ethos/home/.ethos",
        ethos.place,
        {
            "personalities/engineer/MEMORY.md": "facts",
            "users/4be1c09a77d2/USER.md": "facts",
            "teams/lamps/memory/decisions.md": "note",
            "teams/lamps/memory/onboarding.md": "note",
        },
    ),
    (
        "opencode-agent-memory/home/.config/opencode/memory",
        lambda path: opencode.place(path, "global"),
        {"persona.md": "facts", "human.md": "facts"},
    ),
    ("memsearch/project/.memsearch/memory", memsearch.place, {"2026-08-03.md": "log", "2026-08-04.md": "log"}),
    (
        "oh-my-pi/home/.omp/agent/memories",
        oh_my_pi.place,
        {
            f"{LANTERN}/learned.md": "facts",
            f"{LANTERN}/MEMORY.md": "derived",
            f"{LANTERN}/memory_summary.md": "derived",
            f"{LANTERN}/raw_memories.md": "derived",
            f"{LANTERN}/skills/release-checklist/SKILL.md": "derived",
            f"{LANTERN}/rollout_summaries/0198c2f1-aaaa-7bbb-8ccc-000000000001-clock_change_bug.md": "derived",
            f"{LANTERN}/rollout_summaries/0198c2f1-aaaa-7bbb-8ccc-000000000002.md": "derived",
        },
    ),
    (
        "qwen-code/home/.qwen",
        qwen_code.PRIVATE.place,
        {
            "QWEN.md": "instructions",
            "memories/MEMORY.md": "index",
            "memories/user_units.md": "note",
            f"{OF_LANTERN}/MEMORY.md": "index",
            f"{OF_LANTERN}/user_role.md": "note",
            f"{OF_LANTERN}/feedback_flash_first.md": "note",
            f"{OF_LANTERN}/project_dimmer_curve.md": "note",
            f"{OF_LANTERN}/pinned/reference_bench_supply.md": "note",
        },
    ),
    (
        "qwen-code/project/.qwen/team-memory",
        qwen_code.TEAM.place,
        {"MEMORY.md": "index", "project_release_day.md": "note"},
    ),
    (
        "gemini/home/.gemini",
        gemini.FILES.place,
        {
            "GEMINI.md": "instructions",
            "tmp/lantern/memory/MEMORY.md": "index",
            "tmp/lantern/memory/panel_build.md": "note",
            "tmp/kiosk/memory/MEMORY.md": "index",
        },
    ),
    (
        "claude-code/home/.claude",
        claude_code.CLAUDE.place,
        {
            "CLAUDE.md": "instructions",
            "rules/style.md": "instructions",
            f"{OF_LANTERN}/MEMORY.md": "index",
            f"{OF_LANTERN}/reference_tracker.md": "note",
            f"{OF_LANTERN}/project_v3_scope.md": "note",
            f"{OF_LANTERN}/user_role.md": "note",
            f"{OF_LANTERN}/feedback_make_check.md": "note",
        },
    ),
]


@pytest.mark.parametrize(("folder", "place", "expected"), EXPECTED, ids=[each[0] for each in EXPECTED])
def test_every_file_of_a_sample_has_its_role(folder: str, place: Callable[[str], Place | None], expected: dict[str, str]) -> None:
    home = SAMPLES / folder
    paths = [str(path.relative_to(home)) for path in sorted(home.rglob("*")) if path.is_file()]
    found = {path: each.role for path in paths if (each := place(path)) is not None}
    assert found == expected
