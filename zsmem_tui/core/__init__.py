"""The memory's rules: values in, values out. Nothing here opens a file, asks the clock or reads the environment."""
