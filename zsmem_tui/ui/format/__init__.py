"""Values as words and rows: pure functions, one file for each screen and one for what they share."""
