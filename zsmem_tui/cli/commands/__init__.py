"""One module per verb, each with `EXAMPLES`, `arguments()` and `run()`."""
