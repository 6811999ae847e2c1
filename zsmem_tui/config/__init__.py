"""Settings, from the environment and the settings file."""
