"""The form of an agent's hooks, for `zsmem hook`. Loaded at each start of an agent, so it imports nothing heavy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

SERVER: Final = "zsmem"
"""The name of our server in every agent's settings."""


def plain(text: str) -> str:
    """The answer for an agent that takes plain text."""
    return text


def below(*keys: str) -> Callable[[str], str]:
    """An answer function for an agent that takes the text in a JSON object, under these nested keys."""

    def answer(text: str) -> str:
        import json  # deferred: only for a hook that answers

        said: object = text
        for key in reversed(keys):
            said = {key: said}
        return json.dumps(said, ensure_ascii=False)

    return answer


class HookShape(NamedTuple):
    """One agent's hooks.

    At `start` events memory is given to the agent; at `summary_event`, the field `summary` is stored (empty: none). An answer has
    at most `limit` characters (bytes with `in_bytes`; 0: no limit), and `parts` answers hold the largest block. `session` are the
    fields that may identify the session, first match wins; `folder` extracts the working folder. `twin` is an agent that runs the
    same hooks.
    """

    agent: str
    start: tuple[str, ...] = ()
    answer: Callable[[str], str] = plain
    limit: int = 0
    in_bytes: bool = False
    parts: int = 1
    summary_event: str = ""
    summary: str = ""
    session: tuple[str, ...] = ("session_id",)
    folder: Callable[[Mapping[str, Any]], str] = lambda told: text_of(told.get("cwd"))
    twin: str = ""

    def is_start(self, event: str) -> bool:
        """Whether memory is given at an event; ignores case, since agents that run each other's hooks spell it differently."""
        return event.casefold() in [each.casefold() for each in self.start]

    def session_of(self, told: Mapping[str, Any]) -> str:
        """The id of the session; empty if there is none."""
        return next((found for key in self.session if (found := text_of(told.get(key)))), "")


def text_of(value: object) -> str:
    """The value if it is text; else empty."""
    return value if isinstance(value, str) else ""


def is_hook_of(command: object, agent: str) -> bool:
    """Whether a command in an agent's settings is exactly our hook for it, with any path of the program."""
    import shlex  # deferred: only for reading settings

    try:
        program, *rest = shlex.split(command) if isinstance(command, str) else [""]
    except ValueError:
        return False
    is_part = len(rest) == 4 and rest[2] == "--part"
    return program.rpartition("/")[2] == SERVER and rest[:2] == ["hook", agent] and (len(rest) == 2 or is_part)


def runs_hook_of(command: object, agent: str) -> bool:
    """Whether a command runs our hook for an agent, possibly within a wrapper by the user."""
    if not isinstance(command, str):
        return False
    words = command.replace("'", "").replace('"', "").split()
    return any(
        word.rpartition("/")[2] == SERVER and words[number + 1 : number + 3] == ["hook", agent] for number, word in enumerate(words)
    )
