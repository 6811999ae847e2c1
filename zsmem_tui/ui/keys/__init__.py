"""Every key: what it does, where, how it is written and shown."""
