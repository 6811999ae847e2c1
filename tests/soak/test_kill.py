from __future__ import annotations

from pathlib import Path

from tests.soak.kill import rounds_of


def test_what_was_said_to_be_saved_is_somewhere_after_kills(tmp_path: Path) -> None:
    assert rounds_of(str(tmp_path), 4) == []
