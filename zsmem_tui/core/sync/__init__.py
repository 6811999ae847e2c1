"""Memory of several machines put together: texts, trees of them, and the names in the branch. Whichever side comes first."""
