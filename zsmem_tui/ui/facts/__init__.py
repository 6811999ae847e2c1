"""The facts screen: single facts, and which of them the agent sees."""
