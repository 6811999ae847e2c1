"""What the app does when an action is chosen: which file or tool is meant, and which conversation starts."""
