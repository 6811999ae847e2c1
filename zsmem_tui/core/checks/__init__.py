"""What the doctor looks for: pure functions from texts to faults, one module for each family of rules."""
