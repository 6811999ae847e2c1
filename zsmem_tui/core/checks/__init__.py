"""The doctor's rules: pure functions from texts to findings, one module for each family of rules."""
