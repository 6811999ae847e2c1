"""The store: the only package that opens a memory file."""
