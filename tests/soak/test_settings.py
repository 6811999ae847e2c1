from __future__ import annotations

from pathlib import Path

import pytest

from tests.soak.settings import WRITERS, rounds_of


@pytest.mark.parametrize("kind", ["in place", "rename", "r+"])
def test_no_byte_of_a_program_that_writes_the_same_settings_is_gone(tmp_path: Path, kind: str) -> None:
    found = rounds_of(tmp_path, kind, 4, 7)
    assert (found["rounds"], found["bytes gone"], found["files left"], found["not as said"]) == (4, 0, 0, 0), found


@pytest.mark.slow
@pytest.mark.parametrize("kind", WRITERS)
def test_nor_in_a_hundred_rounds_beside_any(tmp_path: Path, kind: str) -> None:
    found = rounds_of(tmp_path, kind, 100, 11)
    assert (found["bytes gone"], found["files left"], found["not as said"]) == (0, 0, 0), found
