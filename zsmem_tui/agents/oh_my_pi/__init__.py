"""oh-my-pi, local backend: where its memory is, its prompt, and how a lesson is stored."""
