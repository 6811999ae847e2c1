"""Prompt: what the agent sees, and what is cut."""
