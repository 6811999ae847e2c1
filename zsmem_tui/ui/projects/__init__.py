"""The projects screen: projects and their folders."""
