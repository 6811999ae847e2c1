"""Turn a command's result sentence into the sentence of a dry run."""

from __future__ import annotations

import re
from typing import Final

_DOES: Final = {
    "Added": "add",
    "Archived": "archive",
    "Brought": "bring",
    "Called": "call",
    "Copied": "copy",
    "Deleted": "delete",
    "Demoted": "demote",
    "Edited": "edit",
    "Done": "tick",
    "Emptied": "empty",
    "Followed": "follow",
    "Indented": "indent",
    "Listed": "list",
    "Logged": "log",
    "Made": "make",
    "Marked": "mark",
    "Mended": "mend",
    "Merged": "merge",
    "Moved": "move",
    "Nothing written": "write nothing",
    "Outdented": "outdent",
    "Passed": "pass",
    "Promoted": "promote",
    "Redid": "redo",
    "Renamed": "rename",
    "Reopened": "reopen",
    "Restored": "restore",
    "Ticked": "tick",
    "Took": "take",
    "Turned": "turn",
    "Undid": "undo",
    "Unlisted": "unlist",
    "Wrote": "write",
}
"""Maps the first words of result sentences to verbs for "Would …"."""

_DONE: Final = re.compile(rf"({'|'.join(_DOES)})\b")


def would(sentence: str) -> str:
    """Rewrite "Moved …" to "Would move …"; sentences with other beginnings are returned unchanged."""
    found = _DONE.match(sentence)
    return f"Would {_DOES[found[1]]}{sentence[found.end() :]}" if found else sentence
