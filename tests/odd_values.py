"""Documents of which one value is another than any program of ours writes there."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from functools import reduce
from operator import getitem
from typing import Any

_ODD: list[Any] = [None, -1, 1.5, math.inf, True, "", "\0", "x", [], ["x"], {}, {"x": 1}, 2**80]


def with_odd_values(raw: bytes) -> Iterator[bytes]:
    """A JSON document with each of its values in turn replaced by odd ones, itself first."""
    for place in _places(json.loads(raw)):
        for odd in _ODD:
            about = json.loads(raw)
            if place:
                reduce(getitem, place[:-1], about)[place[-1]] = odd
            yield json.dumps(about if place else odd).encode()


def _places(found: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield above
    pairs = found.items() if isinstance(found, dict) else enumerate(found) if isinstance(found, list) else ()
    for key, each in pairs:
        yield from _places(each, (*above, key))
