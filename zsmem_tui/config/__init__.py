"""Settings: what the environment and one settings file say."""
