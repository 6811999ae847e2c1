"""Gemini CLI: where its memory is, what it loads, and how to connect it. Based on public documents."""
