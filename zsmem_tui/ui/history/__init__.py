"""History: versions of a file, undo."""
