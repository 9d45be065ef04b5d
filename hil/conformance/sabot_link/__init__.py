"""Sabot Link: the kit's host and its checks, from the page."""
