"""Merge the memories of several machines: texts, file trees, and names in the branch. The order of sides does not matter."""
