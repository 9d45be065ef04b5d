"""How a table is wired: what hangs on each pin of the header, and where each cable goes."""
