"""Editing agents' settings files as text, so that only our own entry changes."""
