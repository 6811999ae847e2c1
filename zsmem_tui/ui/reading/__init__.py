"""Rendering Markdown as rows of styled text, one source line at a time; pure functions.

Memory has one fact per line, so lines are kept: every row knows its source line, and a file of any size opens as fast as its first
page can be drawn.
"""
