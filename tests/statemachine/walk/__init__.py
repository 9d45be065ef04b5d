"""Random walks through the table, and the exhaustive one: what must hold whatever happens."""
