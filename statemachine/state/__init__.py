"""The state of a table: its parts, each with what may be done to it, and a snapshot of all.

Nothing here knows a room. ``Law`` and the rooms see the parts that they name.
"""
