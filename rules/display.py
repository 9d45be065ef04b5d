"""The dealer's display: so many plain characters a line, and so many lines.

The table words its prompts to fit it, what a table file names (table, device, link) fits on a line of
it, and its driver and the text of a replay draw it.
"""

WIDTH, LINES = 20, 2
