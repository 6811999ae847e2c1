from __future__ import annotations

from pathlib import Path

from tests.soak.race import round_of


def test_every_line_of_a_race_is_in_the_file_or_in_its_history(tmp_path: Path) -> None:
    _, _, lost, gone = round_of(str(tmp_path), 60)
    assert (lost, gone) == (0, 0)
