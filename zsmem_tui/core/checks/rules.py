"""What each rule of the doctor is about, in a sentence: for the page of help, and for programs that show findings."""

from __future__ import annotations

from typing import Final, NamedTuple

from zsmem_tui.core.checks.fault import Check, Level


class About(NamedTuple):
    """A rule in words: how bad a finding of it is as a rule, what it reports, and what the fix does (empty: a person has to)."""

    level: Level
    reports: str
    mends: str = ""


RULES: Final[dict[Check, About]] = {
    Check.DUPLICATE: About(
        Level.WARNING,
        "A fact that stands twice, apart from list mark, emphasis and case.",
        "Deletes the later one; of a project's and one for all, the project's.",
    ),
    Check.NEAR_DUPLICATE: About(
        Level.WARNING, "A fact that stands twice in other words, with the same numbers.", "Keeps the longer one."
    ),
    Check.CONTRADICTION: About(Level.WARNING, "Two facts about the same thing that cannot both hold."),
    Check.DEAD_PATH: About(
        Level.WARNING,
        "A path that is not in the project's folder.",
        "Writes the path of the one file of that name, else strikes it out.",
    ),
    Check.DEAD_LINK: About(
        Level.WARNING, "A link to a file that is not in the memory.", "Links to the nearest name, else takes the link away."
    ),
    Check.STALE: About(
        Level.WARNING, "An end that was announced for a day before today.", "Deletes the line, or marks the item done."
    ),
    Check.HIDDEN_ITEM: About(
        Level.WARNING, "An open item that the agent does not see for its check box.", "Rewrites the mark to `- [ ]`."
    ),
    Check.OVER_BUDGET: About(
        Level.WARNING,
        "More than the agent takes: a file, a prompt, a line of over 1,000 characters; an error where a whole file is left out.",
        "Splits a long line; moves what does not fit into a prompt into notes and the archive, of opencode into further blocks,"
        " facts of Claude Code's index into a topic; keeps oh-my-pi from dropping lessons.",
    ),
    Check.BROKEN: About(
        Level.ERROR,
        "What agents cannot read: bytes that are not UTF-8, an open conflict or fence, a name that they refuse, a left-over file.",
        "Closes a fence, puts a tag in ticks, moves a log to its day, deletes what is left over.",
    ),
    Check.PAID_TWICE: About(
        Level.WARNING, "A fact that AGENTS.md, CLAUDE.md or ARCHITECTURE.md has too.", "Deletes it from memory."
    ),
    Check.SECRET: About(Level.ERROR, "A key or password.", "Masks it: the first four characters stay."),
    Check.POISON: About(
        Level.ERROR,
        "Text that gives orders to the agent, or hides from who reads.",
        "Puts it in a fence that says that it is quoted, or takes out what nobody sees.",
    ),
    Check.INDEX: About(
        Level.WARNING,
        "An index and its files that do not fit: a file twice or not at all, another case. Claude Code.",
        "Takes the line out, mends it, or adds one.",
    ),
    Check.HEAD: About(
        Level.WARNING,
        "A file whose head gives it another file's name, or does not say what it is about. Claude Code.",
        "Writes the name of the file into it, or its first words.",
    ),
    Check.UNSEEN: About(
        Level.WARNING, "Lines that the agent takes out of the prompt, or rewrites, whatever their size. Ethos, oh-my-pi."
    ),
}
"""Every rule, in the order of `Check`."""
