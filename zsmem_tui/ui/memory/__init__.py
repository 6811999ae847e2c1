"""The main screen: the tree of memory, search, viewer and editor."""
