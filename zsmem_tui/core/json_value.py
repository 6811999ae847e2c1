"""What a JSON text says: the one place that reads JSON of which nobody knows who wrote it."""

from __future__ import annotations

from typing import Any


def json_value(raw: str | bytes) -> Any:
    """The value of a JSON text. Raises `ValueError` for what is none, also where it is nested more deeply than can be read."""
    import json  # 3 ms that a first start, which has no such text, can do without

    try:
        return json.loads(raw)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
