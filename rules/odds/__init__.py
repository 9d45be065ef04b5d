"""Odds: what the house holds of every wager, counted and not simulated wherever counting is feasible.

``sheet`` puts a chapter's rows together. Under it: ``posted`` (a wager against a posted paytable), ``duel``
and ``upcard`` (the contest against the dealer's hand, played as well as it can be), ``losing`` (a wager on
the hand that loses), ``streets`` (a contest in several raises), ``stated`` (what the Board says).
``classes``, ``masks`` and ``showdown`` count hands. Scores come from the ranking that settlement uses and
payments from settlement itself, through ``trial``: the odds are those of the program and not of a copy of
it.
"""
