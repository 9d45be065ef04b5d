"""The tools that stand alone."""
