"""The full-screen front end, drawn with Textual."""
