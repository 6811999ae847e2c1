"""Find what a search missed: similar words of the memory, aliases of notes, and suggestions from past misses."""
