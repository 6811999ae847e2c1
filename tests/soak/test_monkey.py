from __future__ import annotations

import random

import pytest

from tests.soak import monkey
from tests.soak.monkey_keys import events


@pytest.mark.parametrize(
    ("size", "seed"),
    [
        ("80x24", 4),
        pytest.param("20x6", 3, marks=pytest.mark.slow),
        pytest.param("200x60", 5, marks=pytest.mark.slow),
    ],
)
async def test_random_keys_end_stop_and_lose_nothing(size: str, seed: int) -> None:
    assert await monkey.try_out(events(random.Random(seed), 100), size) is None


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 140))
async def test_many_random_keys_end_stop_and_lose_nothing(seed: int) -> None:
    assert await monkey.try_out(*monkey.a_round(seed, 500)) is None
