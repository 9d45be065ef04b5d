"""Sabot accounts put under test: the checks of Sabot Link, and those of its own page."""
