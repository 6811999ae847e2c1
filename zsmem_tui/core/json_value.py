"""Parse JSON from untrusted sources; all such JSON is read here."""

from __future__ import annotations

from functools import cache
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints, is_typeddict


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


def nested(found: Any, *keys: str) -> Any:
    """The value at these keys of a parsed document, each within the one before; None if there is none."""
    for key in keys:
        found = found.get(key) if isinstance(found, dict) else None
    return found


def typed(value: Any, kind: Any) -> Any:
    """A parsed JSON value as one of a type: named tuples from lists, dataclasses from objects, optional values.

    Missing fields of a dataclass get their defaults. Raises `TypeError`, `ValueError` or `KeyError` if it is no such value.
    """
    origin, of = get_origin(kind) or kind, get_args(kind)
    if origin is UnionType:
        return None if value is None else typed(value, next(each for each in of if each is not NoneType))
    if origin in (list, tuple) and isinstance(value, list):
        return origin(typed(each, of[0]) for each in value)
    if origin is dict and isinstance(value, dict):
        return {key: typed(each, of[1]) for key, each in value.items()}
    if is_typeddict(origin) and isinstance(value, dict):
        return {name: typed(value[name], own) for name, own in _fields(origin).items()}
    if hasattr(origin, "__dataclass_fields__") and isinstance(value, dict):
        return origin(**{name: typed(value[name], own) for name, own in _fields(origin).items() if name in value})
    if hasattr(origin, "_fields") and isinstance(value, list):
        return origin(*(typed(each, own) for each, own in zip(value, _fields(origin).values(), strict=True)))
    if origin is not Any and type(value) is not origin:
        raise TypeError(f"no {origin}")
    return value


@cache
def _fields(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)
