"""Ethos: where it keeps its memory, what goes into its prompt, and what its writes do."""
