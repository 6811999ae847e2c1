"""memsearch: where its journals are, its plugins' prompts, and what it indexes."""
