"""The readings of a chapter that can move the odds of a wager: those that its own parts name.

A chapter has a dozen readings and most concern dealing or voids. Trying each on each wager would find the
same rows and take several times as long.
"""

from collections.abc import Iterator

from sabot.rules.chapter import Chapter, Wager
from sabot.rules.odds.trial import OWN
from sabot.rules.paytables import Paytable

TIEBREAK = "tiebreak"


def contest_readings(chapter: Chapter) -> set[str]:
    """Return the readings that decide who wins the contest and what he is paid."""
    names = {TIEBREAK}
    for result in chapter.contest.results.values():
        names |= {action.keep_stake_reading for action in result.actions.values()}
        if result.bonus:
            names |= {result.bonus.reading, result.bonus.tie_reading, result.bonus.for_reading}
    return names


def posted_readings(chapter: Chapter, wager: Wager) -> set[str]:
    """Return the readings that decide what a posted wager pays."""
    settles = wager.settles
    assert settles is not None  # what is posted is settled by a paytable
    tables = [chapter.paytables[settles.paytable]]
    names = {settles.keep_stake_reading, fold_reading(wager)}
    if wager.bonus_card:
        tables.append(chapter.paytables[wager.bonus_card.paytable])
    if wager.envy:
        envy = chapter.envy[wager.envy.paytable]
        tables += envy.by_unit.values()
        names |= {envy.reads_as.reading} if envy.reads_as else set()
    return names.union(*(_table_readings(chapter, each) for each in tables))


def fold_reading(wager: Wager) -> str:
    """Return the reading by which a fold may take a wager that might have won, if there is one.

    It takes none on the player's own cards: no hand that would win such a wager is folded.
    """
    fold, settles = wager.on_fold, wager.settles
    # No hand that wins by its own cards is folded; the dealer's hand may win for a player who has folded.
    is_on_others = settles is not None and OWN not in settles.cards
    return fold.reading if fold and is_on_others else ""


def _table_readings(chapter: Chapter, paytable: Paytable) -> Iterator[str]:
    for sheet in paytable.sheets:
        ace_low = chapter.rankings[sheet.ranking].ace_low
        if isinstance(ace_low, str):
            yield ace_low
        if sheet.ranks_as:
            yield sheet.ranks_as.reading
        yield from (row.lead_under.reading for row in sheet.rows if row.lead_under)
