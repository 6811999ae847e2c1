"""Everything that a user or a script can do; all front ends call these modules."""
