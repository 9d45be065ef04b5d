"""Sabot, the controller under a live card table."""

__version__ = "0.1.0"
