"""Every version of every file, who wrote it, what can be undone and what has been reviewed."""
