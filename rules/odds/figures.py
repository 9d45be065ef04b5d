"""The figures of one row of a par sheet, and the row."""

from fractions import Fraction

from sabot.rules.frozen import frozen
from sabot.rules.odds.estimate import Estimate, SuitWorth
from sabot.rules.odds.posted_paytable import Posted
from sabot.rules.odds.progressive import DrawnOdds, MeterOdds
from sabot.rules.odds.stated_holds import Stated
from sabot.rules.odds.strategy import Played

PERCENT = 100


@frozen
class HoldFigures:
    """The house's hold on a stake, and the parts that the figure came from."""

    hold: Fraction
    wagered: Fraction = Fraction(1)
    posted: Posted | None = None
    meter: MeterOdds | None = None
    envy: Fraction | None = None
    drawn: tuple[DrawnOdds, ...] = ()
    played: Played | None = None
    suit: SuitWorth | None = None
    error: float | None = None

    @property
    def hold_pct(self) -> Fraction:
        """The house's share of the stake, in percent."""
        return self.hold * PERCENT

    @property
    def hold_per_total_pct(self) -> Fraction:
        """The house's share of all that is wagered, second wagers included, in percent."""
        return self.hold_pct / self.wagered

    def stated_pct(self, stated: Stated) -> Fraction:
        """Return the figure that a statement is about."""
        return self.hold_per_total_pct if stated.of_total_wagered else self.hold_pct


@frozen
class SheetRow:
    """A wager under one letter and one reading."""

    wager: str
    paytable: str
    reading: str
    figures: HoldFigures
    stated: Stated | None = None

    @property
    def agrees(self) -> bool | None:
        """Return whether the figure lies within what is stated, where anything is."""
        return self.stated.agrees(self.figures.stated_pct(self.stated)) if self.stated else None


def of_posted(
    posted: Posted, meter: MeterOdds | None, envy: Fraction | None, drawn: tuple[DrawnOdds, ...]
) -> HoldFigures:
    """Return the figures of a wager against a posted paytable."""
    return HoldFigures(posted.hold, posted=posted, meter=meter, envy=envy, drawn=drawn)


def of_contest(played: Played, suit: SuitWorth | None = None) -> HoldFigures:
    """Return the figures of a contest, less what heeding the suit of the dealer's card is worth."""
    if suit is None:
        return HoldFigures(played.hold, played.wagered, played=played)
    hold = played.hold - Fraction(suit.gain.mean)
    wagered = played.wagered + Fraction(suit.more_wagered)
    return HoldFigures(hold, wagered, played=played, suit=suit, error=suit.gain.error)


def less_folded(posted: Posted, folded: Estimate) -> HoldFigures:
    """Return the figures of a wager that loses by a fold what it would have returned."""
    returned = 1 - posted.hold
    hold = posted.hold + returned * Fraction(folded.mean)
    return HoldFigures(hold, posted=posted, error=float(returned) * folded.error)
