from __future__ import annotations

from pathlib import Path

import pytest

from tests.soak.between import VERBS, round_of


@pytest.mark.parametrize("verb", VERBS)
def test_what_an_agent_writes_between_a_plan_and_its_writes_is_never_lost(tmp_path: Path, verb: str) -> None:
    assert round_of(str(tmp_path), 7, verb) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(300))
def test_nor_in_three_hundred_rounds_of_any_kind(tmp_path: Path, seed: int) -> None:
    assert round_of(str(tmp_path), seed) == []
