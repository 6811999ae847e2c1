"""The parts of the write path, whose entry point is `store.writing`."""
