"""Facts across files: what is known of each (`rows`, `provenance`), and the verbs on them (`acts`)."""
