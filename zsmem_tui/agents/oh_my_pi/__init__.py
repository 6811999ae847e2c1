"""oh-my-pi, local backend: where its memory lies, what goes into the prompt, and how a lesson is learned."""
