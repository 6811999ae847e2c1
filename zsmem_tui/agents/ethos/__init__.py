"""Ethos: where its memory is, its prompt, and how it writes."""
