"""Projects: which folder each memory belongs to, what has become of it, and the verbs that mend it."""
