"""All keys: actions, scopes, bindings, and names."""
