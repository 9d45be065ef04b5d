"""The auditor's second opinion: a settlement of all five chapters written again from their texts.

It imports nothing of the product and copies nothing from it, not even a paytable, so that a
misread paragraph cannot agree with itself. It is slow on purpose (each choice of cards is tried)
and settles valid rounds only. `naive.settle` settles, `rounds.random_round` makes legal rounds
and `rounds.corrupt` makes one thing of a round illegal.
"""
