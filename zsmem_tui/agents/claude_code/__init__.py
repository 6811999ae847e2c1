"""Claude Code: where its memory is, what it loads, import and export, and how to connect it."""
