"""Facts across files: `rows` reads them, `provenance` adds what the history knows, and `acts` has the verbs.

Each verb makes a `Plan`, which is applied as one step, or only asked what it would do to the prompt.
"""
