"""Projects and their folders."""
