"""Other agents' memories, one room each: bytes to and from remembered items, never a file handle."""
