"""Other agents' memories, one module each: bytes to and from remembered items, never a file handle."""
