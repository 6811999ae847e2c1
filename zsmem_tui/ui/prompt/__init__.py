"""The prompt screen: what the agent sees, and what is cut."""
