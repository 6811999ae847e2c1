"""The history screen, and undo."""
