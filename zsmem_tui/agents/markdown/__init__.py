"""A plain folder of Markdown files, to and from remembered items."""
