"""How much of a fact is in the prompt, and which lines the prompt gains or loses when files change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from zsmem_tui.core.facts import Fact, facts
from zsmem_tui.core.preview import InBlock, Preview, Prompt, prompt_of_line
from zsmem_tui.core.text import beyond, counted, raw_lines, trim


def prompt_of(fact: Fact, seen: InBlock | None) -> Prompt:
    """How much of a fact is in the block, judged by its non-blank lines: it is cut, too, if the agent never loads some of them.

    `seen` None means that its file is not in the prompt.
    """
    if seen is None:
        return Prompt.NEVER
    if fact.stop - fact.line == 1:
        return prompt_of_line(fact.line, seen)
    solid = [fact.line + at for at, line in enumerate(raw_lines(fact.text)) if trim(line)]
    whole, lost = (sum(number in lines for number in solid) for lines in (seen.whole, seen.lost))
    begun = sum(number in seen.begun for number in solid)
    if not whole + lost + begun:
        return Prompt.NEVER
    if whole == len(solid):
        return Prompt.WHOLE
    return Prompt.LOST if not whole + begun else Prompt.CUT


def lost_facts(text: str, seen: InBlock) -> int:
    """Count the facts of a text that are cut or left out of the block, though the agent reads their lines."""
    return sum(lacks_room(fact, seen) for fact in facts(text))


def lacks_room(fact: Fact, seen: InBlock) -> bool:
    """Whether lines of a fact that the agent reads are cut or left out of the block."""
    return any(line in seen.lost or line in seen.begun for line in range(fact.line, fact.stop))


class Effect(NamedTuple):
    """What an action does to a prompt: previews before and after, and the lines that are whole in only one of them."""

    before: Preview
    after: Preview
    gained: tuple[str, ...]
    dropped: tuple[str, ...]
    beside: int = 0
    """Bytes by which the instructions beside the block grow."""
    had: Sequence[str] = ()
    has: Sequence[str] = ()
    """The texts of these instructions, before and after."""

    @property
    def grown(self) -> int:
        """Bytes by which the prompt grows; negative if it shrinks."""
        return self.after.size - self.before.size + self.beside

    @property
    def words(self) -> str:
        """A short summary of what the prompt gains and loses."""
        grown = f", {self.grown:+d} byte{'s' * (abs(self.grown) != 1)}" if self.grown else ""
        if not self.gained and not self.dropped:
            if grown:
                return f"no line comes or goes{grown}"
            old, new = ([self.before.text or "", *self.had], [self.after.text or "", *self.has])
            if old == new:
                return "the prompt stays as it is"
            had, has = (Counter(raw_lines("\n".join(each))) for each in (old, new))
            return "the prompt has its lines in another order" if had == has else "another part of a cut line is in the prompt"
        return f"{counted(len(self.gained), 'line')} in, {counted(len(self.dropped), 'line')} out{grown}"


def effect(before: Preview, after: Preview, had: Sequence[str] = (), has: Sequence[str] = ()) -> Effect:
    """Compare two blocks: which lines the prompt gains and loses; moved lines count as neither.

    `had` and `has` are the texts of the instructions beside the block, before and after.
    """
    old, new = ([*_whole_lines(seen), *filter(trim, raw_lines("\n".join(told)))] for seen, told in ((before, had), (after, has)))
    beside = len("".join(has).encode("utf-8", "replace")) - len("".join(had).encode("utf-8", "replace"))
    return Effect(before, after, tuple(beyond(new, Counter(old))), tuple(beyond(old, Counter(new))), beside, had, has)


def _whole_lines(preview: Preview) -> Iterable[str]:
    """The memory lines that are whole in a block."""
    return (row.text for row in preview.rows if row.path and not row.lost and trim(row.text))
