"""Projects: the folder each memory belongs to, what became of it, and the verbs to reorganize them."""
