"""The actions of tool screens and of dialogs with keys of their own."""

from __future__ import annotations

from typing import Final

from zsmem_tui.ui.keys.action import DIFF, LIST, MARKED, TEXT, Action, Room, Scope, choose, verb, which, widen

_LOAD: Final = "Move into the prompt; of several places it asks for one: where its file is loaded, MEMORY.md, instructions."
_UNLOAD: Final = "Move out of the prompt, into a note; what was loaded into instructions, back into memory."
_FORMERLY: Final = "As +."
_HOW: Final = "Every version in which it changed; w: of its file."

_CONFLICT: Final = Room(
    "conflict",
    "A conflict",
    (
        Scope("conflict", "A conflict"),
        Scope("sides", "A conflict: both sides", TEXT),
    ),
    (
        Action("conflict.theirs", "t", "decide('theirs')", "Theirs", "Take their lines, and go on.", palette=False),
        Action("conflict.mine", "m", "decide('mine')", "Mine", "Take your own lines, and go on.", palette=False),
        Action("conflict.both", "b", "decide('both')", "Both", "Take both, theirs first, and go on.", palette=False),
        Action("conflict.edit", "e", "edit", "Edit", "Write other lines; ctrl+s takes them.", palette=False),
        Action("conflict.undecide", "backspace", "undecide", "Undecide", "Leave it open again.", palette=False),
        Action("conflict.next", "n", "next_conflict(1)", "Next", "The next conflict.", palette=False),
        Action("conflict.previous", "N", "next_conflict(-1)", "Previous", "The conflict before.", palette=False),
        Action("conflict.save", "enter,ctrl+s", "finish", "Save", "Save the result, once all is decided.", palette=False),
    ),
)
"""The actions of the conflict dialog."""

_SINCE: Final = "What has changed since, up to now, which B takes back; again: what the version changed."

_HISTORY: Final = Room(
    "history",
    "History",
    (
        Scope("versions", "History: versions", LIST),
        Scope("version", "History: one version", (*MARKED, "diff")),
    ),
    (
        choose("versions", "Changes", "Show what it changed"),
        Action("versions.against", "vertical_line", "screen.cycle('against')", "Compare", _SINCE, bar=True),
        verb("versions.put_back", "b", "Revert", "Put back all that stood there before this version.", bar=True),
        verb("versions.restore", "B", "Restore", "Make the file what it was in this version, also a deleted one.", bar=True),
        Action(
            "versions.wider",
            "w",
            "screen.cycle('scope')",
            "Wider",
            "Of the file of a fact, of all files, deleted ones, too.",
            bar=True,
        ),
        verb("versions.filter", "slash", "Filter", "Show only versions with these words in lines, file, author or step.", bar=True),
        Action("versions.whose", "f", "screen.cycle('whose')", "Show", "By everybody, you, or others.", bar=True),
        Action("versions.then", "t", "screen.show_then", "What it saw then", "The prompt just before this was written."),
        verb("version.put_back", "b", "Revert", "Put back what stood there before: the line, or what is marked.", bar=True),
        Action("version.against", "vertical_line", "screen.cycle('against')", "Compare", _SINCE, bar=True),
        verb("version.edit", "e", "Edit", "Edit the file at this change; esc comes back.", bar=True),
        verb("version.restore", "B", "Restore", "Make the file what it was in this version.", bar=True),
    ),
)

_REVIEW: Final = Room(
    "review",
    "Review",
    (
        Scope("today", "Review", MARKED, "Review's list (5)"),
        Scope("change", "Review: the changes", (*MARKED, "diff")),
    ),
    (
        Action("today.seen", "x", "seen", "Seen", "Mark as seen: the row, or what is marked.", bar=True),
        Action("today.put_back", "b", "put_back", "Revert", "Take out what others added, put back what they took.", bar=True),
        choose("today", "Changes", "The changes of the file, or the screen that has more"),
        Action("today.seen_all", "X", "seen('all')", "All seen", "Mark all that is listed as seen."),
        Action("today.put_back_all", "B", "put_back('whole')", "Revert all", "Make the whole file what it was before."),
        Action("today.then", "t", "then", "What it saw then", "The prompt just before the last write."),
        Action("today.raise", "plus", "raise", "Load", "Into the prompt, to where it is loaded.", bar=True),
        Action("today.move", "m", "carry", "Move", "Move the line to another file, project or heading.", bar=True),
        Action("today.history", "H", "history", "History", _HOW),
        Action("today.edit", "e", "edit", "Edit", "Edit the file at the line; esc comes back.", bar=True),
        Action("today.wider", "w", "wider", "Wider", "All memories, or this folder.", bar=True, bare=True),
        Action("today.filter", "slash", "filter", "Filter", "List only rows with these words.", bar=True),
        Action("change.accept", "x", "seen", "Seen", "Mark the line as seen, or what is marked.", bar=True),
        Action(
            "change.put_back",
            "b",
            "put_back",
            "Revert",
            "Take out what others added, put back what they took: the line, or what is marked.",
            bar=True,
        ),
        verb("change.open", "enter", "Open", "Read the file at the line; esc comes back.", bar=True, palette=False),
        Action("change.raise", "plus", "raise", "Load", "Into the prompt, to where it is loaded."),
        Action("change.edit", "e", "edit", "Edit", "Edit the file at the line; esc comes back.", bar=True),
        Action("change.wider", "w", "wider", "Wider", "All memories, or this folder."),
        verb("change.filter", "slash", "Filter", "List only rows with these words."),
        Action("change.accept_all", "X", "seen('whole')", "File seen", "Mark the whole file as seen."),
        Action("change.put_back_all", "B", "put_back('whole')", "Revert all", "Make the whole file what it was before."),
        Action("change.move", "m", "carry", "Move", "Move the line, or what is marked, to another file, project or heading."),
        Action("change.then", "t", "then", "What it saw then", "The prompt just before the line was written."),
        Action("change.history", "H", "history", "History", _HOW),
    ),
)

_PROMPT: Final = Room(
    "prompt",
    "Prompt",
    (
        Scope("prompt", "Prompt"),
        Scope("uses", "Prompt: sections", ("prompt", *LIST)),
        Scope("block", "Prompt: the text", ("prompt", *DIFF)),
        Scope("costs", "What costs what", LIST),
    ),
    (
        choose("uses", "Open", "The section in the block; a lost line in its file", keys="enter"),
        Action("uses.block", "l,right", "screen.to_block", "To the block", "Go to the block.", palette=False),
        verb("block.jump", "enter,l,right", "Open", "Read the file at the line; esc comes back.", bar=True),
        verb("prompt.top", "plus", "Load", _LOAD, bar=True),
        verb("prompt.edit", "e", "Edit", "Give the fact other words; a long one or one of several lines in the editor.", bar=True),
        verb("prompt.delete", "d", "Delete", "Delete the fact with the lines below it.", bar=True),
        verb("prompt.fit", "equals_sign", "Fit", "What to move so that nothing that is to stay is lost.", bar=True),
        verb("prompt.filter", "f", "Only lost", "Show all, lost lines, or one section.", bar=True),
        verb("prompt.moment", "t", "As it was", "The prompt as it was: yesterday 14:00, 3d, a date, an id.", bar=True, bare=True),
        Action(
            "prompt.later",
            "right_curly_bracket",
            "screen.step_change(1)",
            "Later",
            "To the change after; behind the last, to now.",
            bar=True,
            bare=True,
        ),
        verb("prompt.find", "slash", "Find", "Find words in the block and in what is lost.", bar=True),
        Action(
            "prompt.earlier",
            "left_curly_bracket",
            "screen.step_change(-1)",
            "Earlier",
            "To the change before; then, to how it began.",
            bar=True,
            bare=True,
        ),
        Action(
            "prompt.profiles",
            "vertical_line",
            "screen.compare",
            "Compare",
            "What a change did to the prompt; now: how the next prompt differs.",
            bar=True,
            bare=True,
        ),
        Action(
            "prompt.profile",
            "E",
            "screen.next_agent",
            "Next agent",
            "As the next agent of this folder gets it; after the last, another profile.",
            bar=True,
            bare=True,
        ),
        Action("prompt.project", "C", "screen.choose_project", "Project", "Of another project or group.", bar=True, bare=True),
        verb("prompt.move", "m", "Move", "Move the fact to another file, project or heading."),
        verb("prompt.copy", "c", "Copy", "Copy the fact to another file, project or heading."),
        Action("prompt.promote", "", "screen.top", "Load", _FORMERLY, palette=False),
        verb("prompt.demote", "minus", "Unload", _UNLOAD),
        verb("prompt.wanted", "", "Keep", "Mark the fact to stay in the prompt, or not any more: Fit moves others."),
        verb("prompt.copy_text", "y", "Copy text", "Copy the text of the fact to the clipboard."),
        verb("prompt.history", "H", "History", _HOW),
        Action(
            "prompt.until", "i", "screen.show_fall", "When it fell out", "The moment at which the lost line fell out of the prompt."
        ),
        Action("prompt.now", "", "screen.show_moment", "Now", "The prompt as it is."),
        Action("prompt.before", "", "screen.turn_day(-1)", "Day before", "The prompt of the day before."),
        Action("prompt.after", "", "screen.turn_day(1)", "Day after", "The prompt of the day after."),
        Action("prompt.today", "", "screen.turn_day(0)", "Today's prompt", "The prompt of today."),
        Action(
            "prompt.words",
            "",
            "screen.in_full",
            "In full",
            "All warnings and every lost line with the reason, in full.",
            silent="L",
        ),
        verb("prompt.copy_block", "", "Copy block", "Copy the whole block to the clipboard."),
        choose("costs", "Its prompt"),
    ),
)

_TRIAGE: Final = Room(
    "triage",
    "Triage",
    (Scope("todos", "Triage", MARKED),),
    (
        verb("todos.tick", "x", "Done", "Done, or open again.", bar=True),
        verb("todos.edit", "e", "Edit", "Give the item other words.", bar=True),
        verb("todos.add", "a", "Add", "Add an item, or as many as lines are pasted.", bar=True, bare=True),
        verb("todos.delete", "d", "Delete", "Delete the item with the lines below it.", bar=True),
        verb("todos.move", "m", "Move", "Move to another project or heading.", bar=True),
        verb("todos.promote", "plus", "Load", "Make it a fact of MEMORY.md or of instructions.", bar=True),
        verb("todos.run", "Q", "One by one", "One item after another, one key for each.", bar=True),
        widen("todos"),
        verb("todos.filter", "slash", "Filter", "Show only items with these words.", bar=True),
        verb("todos.note", "minus", "Unload", "Turn it into a note."),
        verb("todos.log", "X", "Log", "Log it as done in today's log, and take it off the list."),
        verb("todos.archive", "Z", "Archive done", "Move done items out of the prompt, to the archive."),
        Action("todos.sink", "J", "screen.shift(1)", "Move down", "One place down in its list."),
        Action("todos.rise", "K", "screen.shift(-1)", "Move up", "One place up in its list."),
        Action("todos.in", "greater_than_sign", "screen.indent(1)", "Indent", "One step further in."),
        Action("todos.out", "less_than_sign", "screen.indent(-1)", "Outdent", "One step further out."),
        verb("todos.open", "enter", "Open", "Read the scratchpad at this item.", palette=False),
        Action("todos.state", "f", "screen.cycle('state')", "Show", "Open items, done ones, or all."),
        Action("todos.by", "", "screen.cycle('group')", "Group", "By project, heading, age, or not at all."),
        Action("todos.sort", "", "screen.cycle('order')", "Sort", "By line, age or size."),
    ),
)

_FACTS: Final = Room(
    "facts",
    "Facts",
    (Scope("facts", "Facts", MARKED),),
    (
        verb("facts.top", "plus", "Load", _LOAD, bar=True),
        verb("facts.edit", "e", "Edit", "Give the fact other words; a long one or one of several lines in the editor.", bar=True),
        verb("facts.delete", "d", "Delete", "Delete the fact with the lines below it.", bar=True),
        verb("facts.filter", "slash", "Filter", "Show only facts with these words.", bar=True),
        verb("facts.move", "m", "Move", "Move to another file, project, heading or agent.", bar=True),
        Action("facts.promote", "", "screen.top", "Load", _FORMERLY, palette=False),
        verb("facts.add", "a", "Add", "Add a fact below this one; the first, to MEMORY.md or its like.", bar=True, bare=True),
        widen("facts"),
        verb("facts.demote", "minus", "Unload", _UNLOAD, bar=True),
        verb("facts.open", "enter", "Open", "Read the file at this fact.", bar=True, palette=False),
        which("facts", "All, lost, not loaded, new, mine, theirs, twice, or old ones."),
        verb("facts.fit", "equals_sign", "Fit", "What to move so that nothing that is to stay is lost.", bar=True),
        verb("facts.copy", "c", "Copy", "Copy to another file, project, heading or agent."),
        Action("facts.sink", "J", "screen.shift(1)", "Move down", "One place down below its heading."),
        Action("facts.rise", "K", "screen.shift(-1)", "Move up", "One place up below its heading."),
        verb("facts.wanted", "", "Keep", "Mark it to stay in the prompt, or not any more: Fit moves others."),
        verb("facts.copy_text", "y", "Copy text", "Copy the text of the fact to the clipboard."),
        Action("facts.until", "i", "screen.show_fall", "When it fell out", "The moment at which it fell out of the prompt."),
        verb("facts.history", "H", "History", _HOW),
        verb("facts.run", "Q", "One by one", "One fact after another, one key for each."),
        Action("facts.by", "", "screen.cycle('group')", "Group", "By place, prompt, author, age, size, or not at all."),
        Action("facts.sort", "", "screen.cycle('order')", "Sort", "By place, age, author, size or prompt."),
    ),
)

_DOCTOR: Final = Room(
    "doctor",
    "Doctor",
    (
        Scope("findings", "Doctor: findings", MARKED),
        Scope("finding", "Doctor: the text", TEXT),
    ),
    (
        verb("findings.open", "enter", "Open", "Read the file at this finding; esc comes back.", bar=True, palette=False),
        verb("findings.fix", "A", "Fix", "Show what the sentence beside A would change, and do it.", bar=True),
        verb("findings.ignore", "x", "Ignore", "Show the finding no more, as long as its text is the same; or again.", bar=True),
        widen("findings"),
        verb("findings.edit", "e", "Edit", "Edit the file at this finding; esc comes back.", bar=True),
        verb("findings.filter", "slash", "Filter", "Show only findings with these words.", bar=True),
        verb("findings.forget", "P", "Forget", "Take what was masked out of the history, too, for good.", bar=True, bare=True),
        which("findings", "Those to decide, the ignored ones, or all."),
        Action("findings.by", "", "screen.cycle('group')", "Group", "By rule, file or project."),
        verb("findings.copy_text", "y", "Copy text", "Copy the finding to the clipboard, with its place."),
        verb("findings.history", "H", "History", "All versions of the file."),
        verb("finding.open", "enter", "Open", "Read the file there.", bar=True, palette=False),
        verb("finding.fix", "A", "Fix", "Do the fix of this finding.", bar=True, palette=False),
        verb("finding.edit", "e", "Edit", "Edit the file there.", bar=True, palette=False),
    ),
)

_PROJECTS: Final = Room(
    "projects",
    "Projects",
    (
        Scope("projects", "Projects", MARKED, "the list of Projects"),
        Scope("project", "Projects: one of them", TEXT),
    ),
    (
        Action("projects.why", "l,right", "choose", "Why", "Go to the right side: why, and what would move.", palette=False),
        verb("projects.open", "enter", "Open", "Read what it remembers.", bar=True, palette=False),
        verb(
            "projects.follow", "A", "Follow", "Do what the right side shows: its memory goes to where the folder is now.", bar=True
        ),
        verb("projects.move", "m", "Move", "Move its memory to another folder or project.", bar=True),
        verb("projects.merge", "M", "Merge", "Merge it, or all that are marked, into another project.", bar=True),
        verb("projects.label", "r", "Name", "Give it a name of your own; an empty one takes that away.", bar=True),
        verb("projects.archive", "d", "Archive", "Put it away as a bundle; u brings it back.", bar=True),
        verb("projects.filter", "slash", "Filter", "Show only projects with these words.", bar=True),
        verb("projects.about", "", "About", "Its folder, its repository, and what became of them: as a page."),
        verb("projects.copy", "y", "Copy name", "Copy the name that it has in the store to the clipboard."),
        Action("projects.which", "f", "screen.cycle('which')", "Show", "All, or those of one state, or of one repository."),
        Action("projects.sort", "", "screen.cycle('order')", "Sort", "By state, name, last write, size, or items."),
        verb("projects.scan", "S", "Scan", "Look for the folders of all; while that goes on, stop."),
    ),
)

_TRANSFER: Final = Room(
    "transfer",
    "Import and export",
    (Scope("transfer", "Import and export", LIST),),
    (
        choose("transfer", "Choose"),
        verb("transfer.filter", "slash", "Filter", "Show only rows with these words, of all kinds of memory.", bar=True),
        verb(
            "transfer.to",
            "c",
            "To an agent",
            "Take another agent's memory to a third at once, without this one in between.",
            bar=True,
        ),
        Action("transfer.sync", "S", "app.sync", "Sync", "Bring this machine and your others together.", bar=True),
        verb("transfer.remove", "d", "Take out", "Take out of an agent's memory what was exported there.", bar=True),
    ),
)

_CONNECT: Final = Room(
    "connect",
    "Connect",
    (Scope("connect", "Connect", LIST),),
    (
        choose("connect", "Connect", "Show what connecting it would write"),
        verb("connect.remove", "d", "Take out", "Show what taking zsmem out would change.", bar=True),
        verb("connect.check", "S", "Try it", "Start what is configured, and say what works.", bar=True),
        Action("connect.hooks", "", "screen.parts", "Server or hooks", "Server and hooks, only the server, or only hooks."),
    ),
)

_PLAN: Final = Room(
    "plan",
    "A plan",
    (
        Scope("plan", "A plan", LIST, "the list of the plan"),
        Scope("planned", "A plan: the changes of a file", DIFF),
    ),
    (
        verb("plan.apply", "A", "Apply", "Do it: one step, which u undoes.", bar=True, palette=False),
        verb("plan.tick", "space", "Leave out", "Leave this row out, or take it again.", bar=True, palette=False),
        choose("plan", "Changes", "Its changes"),
        verb("plan.all", "asterisk", "All shown", "Take all rows that are shown, or none.", bar=True, palette=False),
        verb("plan.rename", "r", "Other name", "Give the file another name there.", bar=True, palette=False),
        verb("plan.retarget", "m", "To another file", "Take this into another file.", bar=True, palette=False),
        verb("plan.retarget_all", "M", "All", "Take all rows shown into another file; notes stay notes.", bar=True, palette=False),
        verb("plan.reword", "e", "Edit", "Take this with other words.", bar=True, palette=False),
        verb("plan.regroup", "C", "Project", "The project that everything goes into.", bar=True, palette=False),
        verb(
            "plan.policy",
            "I",
            "On conflict",
            "Skip, rename, replace or merge what has a name that is taken.",
            bar=True,
            palette=False,
        ),
        verb("plan.fate", "f", "Show", "All rows, or those of one fate: * is about them.", bar=True, palette=False),
        verb("plan.filter", "slash", "Filter", "Show only rows with these words.", bar=True, palette=False),
        verb("plan.full", "L", "In full", "All that is said of the row, as a page.", bar=True, palette=False),
        verb("planned.apply", "A", "Apply", "Do it: one step, which u undoes.", bar=True, palette=False),
        verb("planned.full", "L", "In full", "All that is said of the row, as a page.", bar=True, palette=False),
    ),
)

ROOMS: Final = (
    _CONFLICT,
    _HISTORY,
    _REVIEW,
    _PROMPT,
    _TRIAGE,
    _FACTS,
    _DOCTOR,
    _PROJECTS,
    _TRANSFER,
    _CONNECT,
    _PLAN,
)
"""All of them, in the order of the help."""
