"""The front end for agents: the Model Context Protocol over standard streams, written by hand so that it starts at once."""
