"""Sync: this machine and the person's others brought together."""
