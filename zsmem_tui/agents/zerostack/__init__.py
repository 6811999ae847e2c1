"""zerostack, whose store is the default one."""
