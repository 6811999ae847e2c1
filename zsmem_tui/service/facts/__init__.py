"""Facts across files. `rows` reads them with what of each is in the prompt, `provenance` fills in what the history knows.

`acts` has the verbs: each makes an `Act`, which is applied as one step, or only asked what it would do to the prompt.
"""
