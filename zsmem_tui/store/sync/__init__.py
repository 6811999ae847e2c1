"""The branch that machines share: its local copy, the remote, and what is remembered of both in the state folder."""
