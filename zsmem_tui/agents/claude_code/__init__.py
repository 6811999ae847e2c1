"""Claude Code: where it keeps its memory, what it loads, and its files to and from remembered items."""
