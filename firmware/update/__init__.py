"""A new release on a board: only a signed one, only at a closed table, given up when it does not work."""
