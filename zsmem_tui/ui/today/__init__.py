"""Today: what waits for the person, beside the tree."""
