"""Import from and export to other stores and agents, bundles, and agents' settings."""
