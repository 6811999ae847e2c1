"""What of a fact is in the prompt, and what the prompt gains or loses when files change: both answered by the one block."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from zsmem_tui.core.facts import Fact
from zsmem_tui.core.preview import InBlock, Preview, Prompt, prompt_of_line
from zsmem_tui.core.text import raw_lines, trim


def prompt_of(fact: Fact, seen: InBlock | None) -> Prompt:
    """What of a fact is in a block, by the lines of it that agents look for; `seen` None: its file is not injected."""
    if seen is None:
        return Prompt.NEVER
    if fact.stop - fact.line == 1:
        return prompt_of_line(fact.line, seen)
    solid = [fact.line + at for at, line in enumerate(raw_lines(fact.text)) if trim(line)]
    whole, lost = (sum(number in lines for number in solid) for lines in (seen.whole, seen.lost))
    begun = sum(number in seen.begun for number in solid)
    if not whole + lost + begun:
        return Prompt.NEVER
    if not lost + begun:
        return Prompt.WHOLE
    return Prompt.LOST if not whole + begun else Prompt.CUT


class Effect(NamedTuple):
    """What an act does to a prompt: `before` and `after` it, and the lines that are whole in only one of them."""

    before: Preview
    after: Preview
    gained: tuple[str, ...]
    dropped: tuple[str, ...]

    @property
    def grown(self) -> int:
        """Bytes that the block grows by; less than 0 when it shrinks."""
        return self.after.size - self.before.size


def effect(before: Preview, after: Preview) -> Effect:
    """What the prompt gains and loses between two blocks; a line that only moved is neither."""
    old, new = list(_whole(before)), list(_whole(after))
    return Effect(before, after, _more(new, old), _more(old, new))


def _whole(preview: Preview) -> Iterable[str]:
    """The memory lines that stand in a block whole."""
    return (row.text for row in preview.rows if row.path and not row.lost and trim(row.text))


def _more(these: list[str], others: list[str]) -> tuple[str, ...]:
    left = Counter(others)
    out = []
    for line in these:
        if left[line] > 0:
            left[line] -= 1
        else:
            out.append(line)
    return tuple(out)
