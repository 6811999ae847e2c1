"""Widgets that another app could use."""
