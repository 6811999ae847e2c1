"""One module a verb, each with `EXAMPLES`, `arguments()` and `run()`."""
