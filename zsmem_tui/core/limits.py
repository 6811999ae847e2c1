"""Limits, each with its unit and its reason: of the memory (specification, sections 1 to 12), and of the program.

Those of one agent stand in its package.
"""

from __future__ import annotations

from typing import Final

EXTENSION: Final = ".md"
"""Files are memory only with exactly this ending; `x.MD` and `x.md.bak` are not."""

BACKUP_SUFFIX: Final = ".bak"
"""What zerostack 1.7 puts in place of the extension when it keeps one old version."""

MAX_INJECT_BYTES: Final = 32_768
"""Bytes. Cap of the context block, of `memory_read` and of rendered search results."""

MAX_WRITE_BYTES: Final = 65_536
"""Bytes. Content of one write above this is cut, so that one tool call cannot flood the store."""

RENDER_RESERVE_BYTES: Final = 256
"""Bytes of the render budget that are kept free for the summary line."""

CONTEXT_LINES: Final = 3
"""Lines shown before and after a matching line."""

MAX_WINDOWS: Final = 5
"""Windows of matching lines shown for one file."""

PREVIEW_LINES: Final = 3
"""Lines of a file shown when only its name matched."""

SLUG_BASE_CHARS: Final = 40
"""Characters kept of a folder's name in its project slug."""

NOTE_STEM_MAX_BYTES: Final = 251
"""Bytes. The agent's temporary name (stem and `.tmp`) must fit into the 255 bytes that file systems allow."""

BLOCK_END: Final = "</memory>"
"""How the block of memory ends in a prompt: a text that holds it ends the block early."""

MAX_EDIT_BYTES: Final = 4 * 1024 * 1024
"""Bytes. A larger file is left to the person's own editor: typing in it would not be smooth."""

AT_REST_BYTES: Final = 4 * 1024 * 1024
"""What the doctor looks into unasked, of files that it never saw: six seconds of a core and 200 MB of memory, at most."""

POLL_SECONDS: Final = 0.5
"""Seconds between two looks at the store in use."""

AWAY_SECONDS: Final = 3.0
"""The same while the terminal has lost the keyboard: what agents write meanwhile is to be recorded, but nobody waits for it."""

OTHERS_EVERY: Final = 2.0
"""Seconds between two looks at a store that is open beside it."""

GIVE_BACK_EVERY: Final = 10.0
"""Seconds between two looks at whether texts held for search are still wanted."""

WINDOW_MARK: Final = "…"
TRUNCATED_MARK: Final = "\n…[memory truncated]"
FILENAME_MATCH: Final = "(filename match)"
EMPTY: Final = "(empty)"
