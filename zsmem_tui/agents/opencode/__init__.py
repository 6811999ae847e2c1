"""opencode-agent-memory: where blocks and journal are, its prompt, and how it writes."""
