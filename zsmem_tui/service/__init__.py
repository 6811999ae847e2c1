"""What a person or a script can ask for. Every front end calls these."""
