"""The page that says what agents read of their memory: its numbers and the agents' rules are those that the program goes by."""

from __future__ import annotations

from zsmem_tui.agents.claude_code import prompt as claude_code
from zsmem_tui.agents.ethos import prompt as ethos
from zsmem_tui.agents.gemini import layout as gemini
from zsmem_tui.agents.memsearch import prompt as memsearch
from zsmem_tui.agents.oh_my_pi import prompt as oh_my_pi
from zsmem_tui.agents.opencode import prompt as opencode
from zsmem_tui.agents.qwen_code import layout as qwen_code
from zsmem_tui.agents.zerostack.layout import LONG_TERM_INJECT_LIMIT
from zsmem_tui.core.limits import (
    CONTEXT_LINES,
    MAX_INJECT_BYTES,
    MAX_WINDOWS,
    MAX_WRITE_BYTES,
    PREVIEW_LINES,
    RENDER_RESERVE_BYTES,
    TRUNCATED_MARK,
)


def memory_page() -> str:
    """The page."""
    shortened = oh_my_pi.prompt("x" * oh_my_pi.LIMIT * 5, "").rule
    agents = {
        "Claude Code": claude_code.RULE,
        "Gemini CLI": gemini.RULE,
        "opencode": opencode.RULE,
        "Qwen Code": qwen_code.RULE,
        "memsearch": memsearch.RULE,
        "oh-my-pi": shortened,
        "Ethos": ethos.rule(ethos.CAP),
        "Markdown": "A folder of files that no agent reads by itself: nothing of it is in a prompt.",
    }
    return f"""\
# What agents read

What of a memory gets into the prompt, what is cut off, and in what order a search answers. `4` shows it for each agent,
line by line; `zsmem context` prints it. [The exact behaviour](specification.md) has the last word.

## Into the prompt

{chr(10).join(f"- **{name}**{rule.removeprefix(name) if rule.startswith(name) else f': {rule}'}" for name, rule in agents.items())}
- **zerostack**: below.

## Into the prompt: zerostack

One block at the start of each session, of these parts, each left out where it is empty or not UTF-8:

- `MEMORY.md`, whole; above {LONG_TERM_INJECT_LIMIT:,} bytes not at all, and nobody is told;
- `SCRATCHPAD.md`: only lines that begin with `- [ ]` or `* [ ]`;
- two daily logs, whole;
- notes never: the agent has to search or read them.

It is cut at {MAX_INJECT_BYTES:,} bytes, never inside a character; `{TRUNCATED_MARK.strip()}` says so, and is not counted,
nor is what is around the block. Which part that hits depends on the version, `--profile` or the setting `profile`:

| | `documented` | `zerostack-1.7` |
|---|---|---|
| order | memory, scratchpad, yesterday, today | scratchpad, newest log, memory, log before |
| logs | those of yesterday and today | the two newest, whatever their days |
| cut | the end: today's log goes first | the first part that does not fit is shortened; those behind it leave their name |

## Search

What zerostack's agent finds, and `s` and `zsmem search` with it:

- Words are looked for as they stand, anywhere in a line, large and small letters alike; no wildcards, no stems, accents
  count. A word that comes twice counts once.
- It looks into `MEMORY.md` and files beside it, the notes and the daily logs of one project; never into the scratchpad, nor into
  other projects.
- First `MEMORY.md`, then files with more of the words, then words in the text before words in the name alone, then more lines, then
  the later day, then the path.
- Of each file it shows the lines with {CONTEXT_LINES} before and after, in {MAX_WINDOWS} places at most; of one that only its name
  matched, {PREVIEW_LINES} lines.
- An answer has {MAX_INJECT_BYTES:,} bytes less {RENDER_RESERVE_BYTES}; the first file is always in it, and one that does
  not fit ends it.

## Writes

An agent adds to a file or replaces it, at most {MAX_WRITE_BYTES:,} bytes at a time; what is more is cut, and it is told. It
does so without looking whether somebody else wrote meanwhile. What is written here looks, merges, reads back, and keeps what was
there in the history.

## In and out

[Formats](formats.md) says what each agent's files become here, and what does not survive the way.
"""
