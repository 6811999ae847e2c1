"""What is there and not found: words near a term, aliases, and what misses teach."""
