"""Odds: what the house holds of every wager, counted and not simulated wherever counting is feasible.

``par_sheet`` puts a chapter's rows together and ``engine`` finds who reckons each: ``posted_paytable`` (a
wager against a posted paytable, with ``progressive`` for what its meter adds), ``losing_hand`` (a wager on
the hand that loses), ``strategy`` (the contest against the dealer's hand, played as well as it can be) with
``estimate`` for what is left to chance, ``streets`` (a contest in several raises). Beside the figures
stands what the Board says, ``stated_holds``. Hands are counted by ``hand_classes``, ``showdown`` and
``duel``.

Scores come from the ranking that settlement uses and payments from settlement itself, through ``trial``:
the odds are those of the program and not of a copy of it.
"""
