"""The sync branch: its local copy, the remote, and remembered state."""
