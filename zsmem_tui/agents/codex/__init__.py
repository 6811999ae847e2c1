"""Codex: how to connect it. It has no memory layout here."""
