"""A command line that is still being typed, as words: what a shell would make of it, also in the middle of a quote."""

from __future__ import annotations

from typing import Final

_BLANKS: Final = " \t\n"


def typed_words(line: str) -> list[str]:
    """The words of `line` with quotes and backslashes taken off; the last one is being typed, and empty behind a blank.

    Variables and globs stay as they stand: what they would become is the shell's to know.
    """
    found, word, quote = list[str](), "", ""
    is_begun = False
    letters = iter(line)
    for letter in letters:
        if quote == "'" or (quote and letter != "\\"):
            if letter == quote:
                quote = ""
            else:
                word += letter
        elif letter == "\\":
            after = next(letters, "")
            word += after if not quote or after in ('"', "\\", "$", "`", "") else f"\\{after}"
            is_begun = True
        elif letter in ("'", '"'):
            quote, is_begun = letter, True
        elif letter in _BLANKS:
            if is_begun:
                found.append(word)
            word, is_begun = "", False
        else:
            word += letter
            is_begun = True
    return [*found, word]
