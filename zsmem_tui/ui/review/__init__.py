"""Review: what others wrote since the person looked."""
