"""Gemini CLI: what connects it. It has no memory layout here."""
