"""What a dry run says: the sentence of the verb, as what would be done."""

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
"""How sentences about what was done begin, and what they say of what would be."""

_DONE: Final = re.compile(rf"({'|'.join(_DOES)})\b")


def would(sentence: str) -> str:
    """What a verb says once it is done, said of what it would do; what begins in another way stays as it is."""
    found = _DONE.match(sentence)
    return f"Would {_DOES[found[1]]}{sentence[found.end() :]}" if found else sentence
