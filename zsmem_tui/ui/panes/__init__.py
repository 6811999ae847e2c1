"""The panes of the main screen: each puts values on the screen and remembers cursor and scroll."""
