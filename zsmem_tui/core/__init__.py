"""The rules of the memory as pure functions: nothing here opens a file, reads the clock or the environment."""
