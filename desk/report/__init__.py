"""A gaming day out of a journal: what happened, and its figures."""
