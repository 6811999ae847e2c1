"""Settings files of agents: edited as text, so that nothing but our own entry in them changes."""
