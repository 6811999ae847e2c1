"""The limits of the memory, each with its unit and its reason (specification, sections 1 to 12)."""

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

WINDOW_MARK: Final = "…"
TRUNCATED_MARK: Final = "\n…[memory truncated]"
FILENAME_MATCH: Final = "(filename match)"
EMPTY: Final = "(empty)"
