"""Numeric limits, each with its unit and reason: of the memory (specification, sections 1 to 12) and of the program.

Limits of one agent are in its package.
"""

from __future__ import annotations

from typing import Final

EXTENSION: Final = ".md"
"""Only files with exactly this extension are memory; `x.MD` and `x.md.bak` are not."""

BACKUP_SUFFIX: Final = ".bak"
"""The extension zerostack 1.7 gives the one old version that it keeps."""

MAX_INJECT_BYTES: Final = 32_768
"""Bytes. Cap of the context block, of `memory_read` and of rendered search results."""

MAX_WRITE_BYTES: Final = 65_536
"""Bytes. Longer content of one write is cut, so that one tool call cannot flood the store."""

RENDER_RESERVE_BYTES: Final = 256
"""Bytes of the render budget reserved for the summary line."""

CONTEXT_LINES: Final = 3
"""Lines shown before and after a matching line."""

MAX_WINDOWS: Final = 5
"""The most windows of matching lines shown for one file."""

PREVIEW_LINES: Final = 3
"""Lines of a file shown when only its name matched."""

SLUG_BASE_CHARS: Final = 40
"""The most characters of a folder's name used in its project slug."""

NOTE_STEM_MAX_BYTES: Final = 251
"""Bytes. The agent's temporary name (stem plus `.tmp`) must fit into the 255 bytes that file systems allow."""

BLOCK_END: Final = "</memory>"
"""The end of the memory block in a prompt: a text that contains it would end the block early."""

MAX_EDIT_BYTES: Final = 4 * 1024 * 1024
"""Bytes. Larger files are opened in the person's own editor: typing in them would not be smooth here."""

MAX_COPY_BYTES: Final = 1024 * 1024
"""Bytes. Longer texts are not sent to the terminal's clipboard: most terminals drop them, or stand still over them."""

AT_REST_BYTES: Final = 4 * 1024 * 1024
"""Bytes of files new to the doctor that it reads unasked: at most six seconds of one core and 200 MB of memory."""

POLL_SECONDS: Final = 0.5
"""Seconds between two polls of the store in use."""

AWAY_SECONDS: Final = 3.0
"""Seconds between two polls while the terminal has no keyboard focus: changes are still recorded, but nobody waits for them."""

OTHERS_EVERY: Final = 2.0
"""Seconds between two polls of a store that is open beside it."""

GIVE_BACK_EVERY: Final = 10.0
"""Seconds between two checks whether texts held for search can be released."""

LATEST_NS: Final = 2**62
"""Nanoseconds since 1970; later times are invalid."""

WINDOW_MARK: Final = "…"
TRUNCATED_MARK: Final = "\n…[memory truncated]"
FILENAME_MATCH: Final = "(filename match)"
EMPTY: Final = "(empty)"
