"""Gemini CLI: where it keeps its memory, what it loads of that, and what connects it. From public documents."""
