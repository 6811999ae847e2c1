"""A plain folder of Markdown files."""
