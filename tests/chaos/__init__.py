"""Campaigns against the running program: what is done to it, and what must hold afterwards."""
