"""The proof of the program that runs here: the signed list of its files, and a digest of all that runs."""
