"""The actions that work on every screen."""

from __future__ import annotations

from typing import Final

from zsmem_tui.ui.keys.action import Action, Room, Scope


def _app(name: str, keys: str, act: str, label: str, help: str, *, palette: bool = True, silent: str = "") -> Action:
    return Action(f"app.{name}", "app", keys, act, label, help, palette=palette, silent=silent)


EVERYWHERE: Final = Room(
    "",
    "",
    (Scope("app", "Everywhere"),),
    (
        _app("tree", "1", "focus_pane('tree')", "Memory", "Go to the tree of memory."),
        _app("viewer", "2", "focus_pane('viewer')", "Viewer", "Go to the text."),
        _app("search", "s,3", "focus_pane('search')", "Search", "Go to the search line."),
        _app("prompt", "4", "prompt", "Prompt", "What the agent sees, byte for byte, and what is lost.", silent="f2"),
        _app("review", "5", "review", "Review", "See what others wrote since you last looked.", silent="f3"),
        _app("triage", "6", "triage", "Triage", "The scratchpad items of this project, and of all."),
        _app("facts", "7", "facts", "Facts", "Every fact of this file, of this project, or of all."),
        _app("doctor", "8", "doctor", "Doctor", "What is wrong, doubled, out of date, leaked or planted.", silent="f6"),
        _app("transfer", "9", "transfer", "Import and export", "Bring other memories in, take this one out.", silent="f4"),
        _app("projects", "0", "projects", "Projects", "Which folder each memory belongs to; move, merge, archive."),
        _app("next", "tab", "next_pane(1)", "Next pane", "Go to the next pane; shift+tab to the one before.", palette=False),
        _app("previous", "", "next_pane(-1)", "Previous pane", "Go to the pane before.", palette=False, silent="shift+tab"),
        _app("back", "escape", "step_back", "Back", "One step back. Never quits.", palette=False),
        _app("maximize", "z", "maximize_pane", "Maximise", "Give the whole screen to this pane, and take it back."),
        _app("undo", "u", "undo", "Undo", "Undo the last step made here, also one of yesterday."),
        _app("redo", "U", "redo", "Redo", "Do again what was undone."),
        _app("quick", "ctrl+o", "quick_open", "Open file", "A file by a part of its name, a heading or its project."),
        _app("palette", "ctrl+p", "palette", "Palette", "Find any action by its name.", palette=False),
        _app("keys", "question_mark", "show_keys", "All keys", "Show every key."),
        _app("help", "f1", "show_help", "Help", "Explain the pane that has the focus; tab for more pages."),
        _app("messages", "", "show_messages", "Messages", "What the status line said, the latest first.", silent="semicolon"),
        _app("quit", "ctrl+q", "quit", "Quit", "Leave."),
        _app("suspend", "", "suspend_process", "Suspend", "Stop and go to the shell; `fg` comes back.", silent="ctrl+z"),
        _app("reload", "", "reload", "Reload", "Read the store again now.", silent="f5"),
        _app("tour", "", "tour", "Tour", "Eight steps, each with one key to press; again goes on without it.", silent="f7"),
        _app("theme", "", "switch_theme", "Light / dark", "Switch between the light and the dark theme.", silent="f9"),
        _app("costs", "", "costs", "What costs what", "Bytes and tokens of every prompt, and what is paid for twice."),
        _app("sync", "", "sync", "Sync", "Bring this machine and your others together; at first, set it up."),
        _app("sync_both", "", "sync_both", "Lines that two machines changed", "Decide them one by one."),
        _app("connect", "", "connect", "Connect an agent", "Put our server and hooks into an agent's settings."),
        _app("unwipe", "", "bring_back", "Bring back", "Bring back a text that somebody wiped.", silent="W"),
        _app("demo", "", "demo", "Sample", "Look around in a sample: what `zsmem --demo` opens.", silent="D"),
        _app("narrower", "", "split(-1)", "Smaller", "Move the edge between the panes back."),
        _app("wider", "", "split(1)", "Larger", "Move the edge between the panes on."),
        _app("even", "", "split(0)", "Edge back", "Divide the panes as at first."),
    ),
)
