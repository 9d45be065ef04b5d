"""Which readings of a chapter can move the odds of a wager: those that its own parts name.

A chapter has a dozen readings and most concern dealing or voids. Trying each on each wager would find the
same rows and take several times as long.
"""

from collections.abc import Iterator

from sabot.rules.chapter import Chapter, Wager
from sabot.rules.odds.trial import OWN
from sabot.rules.paytables import Paytable

TIEBREAK = "tiebreak"


def contest_readings(chapter: Chapter) -> set[str]:
    """The readings that decide who wins the contest and what he is paid."""
    names = {TIEBREAK}
    for result in chapter.contest.results.values():
        names |= {action.keep_stake_reading for action in result.actions.values()}
        if result.bonus:
            names |= {result.bonus.reading, result.bonus.tie_reading, result.bonus.for_reading}
    return names


def posted_readings(chapter: Chapter, wager: Wager) -> set[str]:
    """The readings that decide what a posted wager pays."""
    names = {wager.settles.keep_stake_reading} if wager.settles else set()
    if loses_by_fold(wager) and wager.on_fold:
        names |= {wager.on_fold.reading}
    for paytable in _paytables(chapter, wager):
        names |= set(_table_readings(chapter, paytable))
    if wager.envy:
        under = chapter.envy[wager.envy.paytable].reads_as
        names |= {under.reading} if under else set()
    return names


def loses_by_fold(wager: Wager) -> bool:
    """Whether, by some reading, a fold takes a wager that might have won.

    A wager on the player's own cards is not among them: no hand that would win it is folded.
    """
    fold, settles = wager.on_fold, wager.settles
    return bool(fold and fold.reading and settles and OWN not in settles.cards)


def _paytables(chapter: Chapter, wager: Wager) -> Iterator[Paytable]:
    if wager.settles:
        yield chapter.paytables[wager.settles.paytable]
    if wager.bonus_card:
        yield chapter.paytables[wager.bonus_card.paytable]
    if wager.envy:
        yield from chapter.envy[wager.envy.paytable].by_unit.values()


def _table_readings(chapter: Chapter, paytable: Paytable) -> Iterator[str]:
    for sheet in paytable.sheets:
        ace_low = chapter.rankings[sheet.ranking].ace_low
        if isinstance(ace_low, str):
            yield ace_low
        if sheet.ranks_as:
            yield sheet.ranks_as.reading
        yield from (row.lead_under.reading for row in sheet.rows if row.lead_under)
