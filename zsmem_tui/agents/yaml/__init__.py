"""YAML 1.2 as frontmatter uses it: read strictly into plain values, and strings written as common writers do."""
