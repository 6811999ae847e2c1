"""Doctor: what is wrong, and its fixes."""
