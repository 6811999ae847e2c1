"""The doctor screen: what is wrong, and fixes."""
