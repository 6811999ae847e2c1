"""Several machines, one memory: the groups that they share, one run, and how it is set up. Loaded when it is asked for."""
