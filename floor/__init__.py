"""The controller of linked meters: one progressive over many tables, with its ledger in a database."""
