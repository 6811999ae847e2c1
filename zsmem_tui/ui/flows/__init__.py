"""Conversations with several steps: ask, call a verb, show the result."""
