"""YAML 1.2 for frontmatter: strict parsing into plain values, and writing strings as common writers do."""
