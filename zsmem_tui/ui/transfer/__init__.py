"""The screen for import and export."""
