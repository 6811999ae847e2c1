"""What lies over the screen until it is answered or closed."""
