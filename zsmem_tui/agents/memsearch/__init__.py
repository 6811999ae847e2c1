"""memsearch: where its journals lie, what its plugins put into a prompt, and what it scans."""
