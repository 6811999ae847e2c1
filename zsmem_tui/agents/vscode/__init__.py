"""Visual Studio Code: what connects it. It has no memory layout here."""
