"""Gemini CLI: no memory of its own is read, but it knows folders that somebody works in."""
