"""The wiring of a table: what hangs on each pin of the header, and where each cable goes."""
