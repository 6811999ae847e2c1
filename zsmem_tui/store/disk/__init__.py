"""File operations: reading, atomic replacement, locks, state files. They know no rules about memory."""
