"""opencode-agent-memory: where blocks and journal lie, what goes into the prompt, and what writes do."""
