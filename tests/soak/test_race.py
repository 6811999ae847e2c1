from __future__ import annotations

from pathlib import Path

import pytest

from tests.soak.race import round_of


@pytest.mark.parametrize(("mode", "hold"), [("rename", 0.0), ("rename", 0.02), ("w", 0.01), ("a", 0.01), ("r+", 0.01)])
def test_every_line_of_a_race_is_in_the_file_or_said_and_in_its_history(tmp_path: Path, mode: str, hold: float) -> None:
    found = round_of(str(tmp_path), 12, mode, hold, writers=1)
    assert (found.unsaid, found.nowhere) == (0, 0), found
    assert mode != "rename" or found.twice == 0, found
