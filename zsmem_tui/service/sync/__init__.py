"""Sync between several machines: the shared groups, one run, and its setup. Loaded on demand."""
