"""zerostack: another store of the kind that this program works on."""
