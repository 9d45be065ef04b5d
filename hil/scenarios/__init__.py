"""Scenarios of the floor, and what plays them on a rig; a scenario touches bytes, lines, lamps and texts."""
