"""Dialogs over the current screen."""
