"""Facts: single facts of a project, and which of them the agent sees."""
