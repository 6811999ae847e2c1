"""The full-screen program in a browser: who may come in, and the server behind that."""
