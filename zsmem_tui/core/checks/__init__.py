"""Checks of memory texts: pure functions from texts to what is wrong in them, one module a family of rules."""
