"""The history: every version of every file, its author, undo, and what has been reviewed."""
