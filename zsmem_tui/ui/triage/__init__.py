"""Triage: scratchpad items, one key for each decision."""
