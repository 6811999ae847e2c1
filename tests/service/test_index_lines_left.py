"""A line of an index that an export leaves behind, where the topic it is about goes along: whether anything of it is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import AStore
from zsmem_tui.agents.claude_code.files import encoded
from zsmem_tui.config.model import Config
from zsmem_tui.service import exporting, formats, stores

TOPIC = "# Deploy\n\nRedis listens on port 6380, and `make ship` deploys.\n"


@pytest.mark.parametrize("format", ["memsearch", "opencode", "zerostack"])
@pytest.mark.parametrize(
    ("line", "topic", "is_lost"),
    [
        ("- [Deploy](project_deploy.md) — Redis listens on port 6380", TOPIC, False),
        ("- [Deploy](project_deploy.md)", TOPIC, False),
        ("* [project deploy](./project_deploy.md): make ship", TOPIC.replace("# Deploy\n\n", ""), False),
        ("- [Deploy](project_deploy.md) — how the shop is shipped", TOPIC, True),
        ("- [Shipping](project_deploy.md) — Redis listens on port 6380", TOPIC, True),
        ("- [Deploy](project_deploy.md) — Redis listens on port 6380, see [port](port.md)", TOPIC, True),
        ("- [Deploy](project_deploy.md) — shipped by hand", f"---\ndescription: shipped by hand\n---\n\n{TOPIC}", True),
    ],
)
def test_a_line_is_lost_where_its_topic_does_not_say_the_same(
    away_from_home: Path, tmp_path: Path, format: str, line: str, topic: str, is_lost: bool
) -> None:
    folder = tmp_path / "shop"
    folder.mkdir()
    memory = f".claude/projects/{encoded(str(folder))}/memory"
    AStore(away_from_home).has(f"{memory}/MEMORY.md", f"{line}\n- never push on Fridays\n").has(
        f"{memory}/project_deploy.md", topic
    )
    session = stores.open_store(Config(), "claude-code", cwd=str(folder))
    plan = exporting.plan(session, formats.of_agent(format), str(tmp_path / "out") if format == "zerostack" else "")
    (found,) = (each for each in plan.left_lines if each.source.endswith("MEMORY.md") and each.number == 1)
    assert found.is_changed is not is_lost
    if not is_lost:
        assert plan.is_whole


@pytest.mark.parametrize("format", ["markdown", "memsearch", "opencode", "zerostack"])
def test_what_goes_along_in_other_words_is_not_said_to_be_left_out(away_from_home: Path, tmp_path: Path, format: str) -> None:
    folder = tmp_path / "shop"
    folder.mkdir()
    body = "Use tabs in Go.\n\n**Why:** gofmt.\n**How to apply:** always.\n"
    AStore(away_from_home / f".claude/projects/{encoded(str(folder))}/memory").has(
        "MEMORY.md", "- [Gone](missing.md) — dead\n- [Alone](away.md)\n"
    ).has("feedback_style.md", f"---\ntype: feedback\n---\n\n{body}")
    session = stores.open_store(Config(), "claude-code", cwd=str(folder))
    plan = exporting.plan(session, formats.of_agent(format), str(tmp_path / "out"))
    written = b"".join(each.after or b"" for each in plan.changes)
    for fact in ("Use tabs in Go; why: gofmt; apply: always.", "Gone — dead", "Alone"):
        assert f"- {fact}\n".encode() in written
    left = {each.text.strip() for each in plan.left_lines if not each.is_changed}
    assert left <= {"type: feedback", "---"}
