"""What comes from other stores and agents, and what leaves for them."""
