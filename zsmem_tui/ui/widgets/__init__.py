"""Widgets that know nothing of zsmem's screens."""
