"""A table's end of the link: what it says and hears, what it keeps, and the process that carries it."""
