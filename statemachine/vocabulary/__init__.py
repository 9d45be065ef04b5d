"""The words that table, program and drivers have in common: what happened, what is to be done, what is wrong.

A driver needs ``events`` and ``effects`` of it. This room knows nothing of the table that hears the one and
orders the other.
"""
