"""Gemini CLI: what connects it, and the folders that it knows somebody works in. It has no memory layout here."""
