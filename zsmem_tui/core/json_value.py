"""Parse JSON from untrusted sources; all such JSON is read here."""

from __future__ import annotations

from typing import Any


def json_value(raw: str | bytes) -> Any:
    """Parse a JSON text. Raises `ValueError` if it is invalid or nested too deeply."""
    import json  # deferred: 3 ms that a first start, which reads no JSON, does not need

    try:
        return json.loads(raw)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def json_object(raw: str | bytes) -> dict[str, Any] | None:
    """Parse a JSON object; None if it is invalid or no object."""
    try:
        found = json_value(raw)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
