"""The steps of the one write path, whose door is `store.writing`."""
