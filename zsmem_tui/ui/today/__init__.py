"""The today list, in the viewer's place: what waits for the person."""
