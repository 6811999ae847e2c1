"""What an agent's hooks look like, as far as `zsmem hook` needs to know. Loaded at each start of an agent: nothing heavy here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

SERVER: Final = "zsmem"
"""What our server is called in every agent's settings."""


def plain(text: str) -> str:
    """The answer of an agent that takes the text as it is."""
    return text


def below(*keys: str) -> Callable[[str], str]:
    """The answer of an agent that takes the text as a member of an object in JSON, below these keys."""

    def answer(text: str) -> str:
        import json  # only for a hook that answers

        said: object = text
        for key in reversed(keys):
            said = {key: said}
        return json.dumps(said, ensure_ascii=False)

    return answer


class HookShape(NamedTuple):
    """One agent's hooks.

    At the events in `start` memory goes in, at `summary_event` the text in the field `summary` comes out (empty: the agent has
    none). One answer has at most `limit` characters, or bytes with `in_bytes`; 0: as many as there are. `parts` is how many answers
    take the largest block. `session` are the fields that may name the session, the first that is there counts; `folder` tells the
    folder worked in. `twin` is the agent whose hooks this one runs too, or that runs these.
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
        """Whether memory goes in at an event. Agents that run each other's hooks write its first letter differently."""
        return event.casefold() in [each.casefold() for each in self.start]

    def session_of(self, told: Mapping[str, Any]) -> str:
        """What names the session; empty when nothing does."""
        return next((found for key in self.session if (found := text_of(told.get(key)))), "")


def text_of(value: object) -> str:
    """A field that should be a text; empty for anything else."""
    return value if isinstance(value, str) else ""


def is_hook_of(command: object, agent: str) -> bool:
    """Whether a command that stands in an agent's settings is our hook for it and no more, wherever the program lies."""
    import shlex  # only for who reads settings

    try:
        program, *rest = shlex.split(command) if isinstance(command, str) else [""]
    except ValueError:
        return False
    is_part = len(rest) == 4 and rest[2] == "--part"
    return program.rpartition("/")[2] == SERVER and rest[:2] == ["hook", agent] and (len(rest) == 2 or is_part)


def runs_hook_of(command: object, agent: str) -> bool:
    """Whether our hook for an agent is somewhere in a command: also in one that a person has made around it."""
    if not isinstance(command, str):
        return False
    words = command.replace("'", "").replace('"', "").split()
    return any(
        word.rpartition("/")[2] == SERVER and words[number + 1 : number + 3] == ["hook", agent] for number, word in enumerate(words)
    )
