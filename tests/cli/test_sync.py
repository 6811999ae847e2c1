"""`zsmem sync` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

from tests.command_line import Run
from zsmem_tui.agents.claude_code.files import encoded


def test_of_many_files_some_are_listed_the_others_counted_and_the_sentence_comes_last(away_from_home: Path) -> None:
    folder = away_from_home / "code/alpha"
    own = away_from_home / ".claude/projects" / encoded(str(folder)) / "memory"
    for place in (folder, own):
        place.mkdir(parents=True)
    for number in range(25):
        (own / f"note_{number}.md").write_text(f"- fact {number}\n")
    assert Run("sync", "setup", str(away_from_home / "r.git"), "--yes", cwd=folder).code == 0
    assert len(json.loads(Run("sync", "--json", "--dry-run", cwd=folder).out)["pushed"]) == 25
    *rows, rest, last = Run("sync", cwd=folder).out.splitlines()
    assert len(rows) == 20 and all(row.startswith("> ") for row in rows)
    assert (rest, last) == ("> … and 5 files more; --json lists all", "25 files went out.")
