"""The instruction files of a folder."""
