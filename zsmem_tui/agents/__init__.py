"""The agents, one package each: layouts, prompts, formats, settings. Works on bytes, never on file handles."""
