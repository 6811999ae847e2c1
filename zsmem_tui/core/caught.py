"""The net under what must never end with a fault of ours: a request of a server's client, a hook of an agent."""

from __future__ import annotations

from types import TracebackType


class Caught:
    """Keeps what its block raises, whatever it is; it is never dropped: whoever uses this tells of it."""

    def __init__(self) -> None:
        self.error: Exception | None = None

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> bool:
        if isinstance(error, Exception):
            self.error = error
        return self.error is not None
