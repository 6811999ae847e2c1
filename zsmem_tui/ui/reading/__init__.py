"""Markdown as rows of styled text: pure functions from lines to rows, one source line at a time.

Memory is written a fact a line, so lines stay lines: nothing is joined, every row knows its source line, and a file of
any size opens as quickly as its first page can be drawn.
"""
