"""Which program runs here: the signed list of its files, and a digest of everything that runs."""
