"""The parts of a prompt, for every agent: the text, its origin, and what is left out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from zsmem_tui.agents import javascript as js
from zsmem_tui.core.context import Block, Composed, LeftOut, Meter, Section, Shown
from zsmem_tui.core.text import raw_lines, trim


class PromptSection(NamedTuple):
    """A part of a prompt from one file (`path`), or from the agent itself (empty path)."""

    title: str
    path: str
    text: str


class LostLine(NamedTuple):
    """A line that the agent does not see, or only in part (`cut`). `line` is 1-based; `reason` is a clause.

    `for_size`: it would be seen if there were less text.
    """

    path: str
    line: int
    reason: str
    cut: bool = False
    for_size: bool = False


class AgentPrompt(NamedTuple):
    """An agent's prompt. `text` is None if there is none.

    `used` of `cap` in `unit` is for the meter; a cap of 0 means none. An agent's own fixed sentences are in `text` as `{NAME}`.
    """

    text: str | None
    sections: tuple[PromptSection, ...] = ()
    lost: tuple[LostLine, ...] = ()
    used: int = 0
    cap: int = 0
    unit: str = ""
    runs: tuple[Shown, ...] = ()
    """The text in order, line by line, with the file and line of each."""
    of: str = ""
    """What `used` counts, such as a file; empty for the whole prompt."""
    rule: str = ""
    """How the agent cuts, or why there is no prompt, as a sentence."""
    meters: tuple[Meter, ...] = ()
    """The fill level, in `unit`, of each file with a cap of its own."""
    other: str = ""
    """How much of a second cap, which is less full, is left, in words."""


def block_of(prompt: AgentPrompt, texts: Mapping[str, str]) -> Block:
    """Convert a prompt to a block, line by line. `texts` has the content of its files, by path.

    A lone surrogate left by a cut becomes U+FFFD, as it would in a file.
    """
    lines = {path: raw_lines(text) for path, text in texts.items()}
    gone: dict[tuple[str, int], LeftOut] = {}
    for path, number, reason, cut, for_size in prompt.lost:
        text = lines[path][number - 1].removesuffix("\r")
        known = gone.get((path, number))
        if trim(text) and (known is None or (known.cut and not cut)):
            gone[path, number] = LeftOut(path, number - 1, text, cut, reason, for_size)
    left_out = tuple(gone[at] for at in sorted(gone, key=lambda at: (list(texts).index(at[0]), at[1])))
    sections = tuple(Section(each.title, "", each.text, each.path, ()) for each in prompt.sections if each.path)
    missing = [path for path in texts if path not in {each.path for each in sections} and any(path == at[0] for at in gone)]
    sections += tuple(Section(path.rpartition("/")[2], "", texts[path], path, ()) for path in missing)
    encodable = (run if run.text.isascii() else run._replace(text=js.encode(run.text).decode()) for run in prompt.runs)
    runs = tuple(encodable) if prompt.text else ()
    composed = Composed(runs, left_out, prompt.used, prompt.cap, prompt.unit, prompt.of, prompt.rule, prompt.meters, prompt.other)
    return Block(sections, (), prompt.cap, "", "", "", composed=composed)
