"""Linked meters: which of them are open, and what a table's wagers contribute to them.

641a.2(c) lets a progressive run on several tables. The floor owns such a meter, so the table has no account
for it: at LOCK it tells what contributes, and a void takes that back. Hits are claimed in ``linked_hits``.

Whatever is told is an effect of the event that it follows from, so the journal has it, and whoever carries
effects to the floor can do so long after, once each. While the floor is not heard the spots stay shut, and a
round under way goes on.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from sabot.rules.chapter import Chapter
from sabot.statemachine.action import Refused
from sabot.statemachine.late_chips import Looked
from sabot.statemachine.law import Law
from sabot.statemachine.outbox import Outbox
from sabot.statemachine.state.books import Contributed, MeterLink, MoneyBooks
from sabot.statemachine.state.parts import OpenWagers
from sabot.statemachine.state.setup import Setup
from sabot.statemachine.vocabulary.effects import (
    ContributeToLink,
    ReverseFromLink,
    SilenceMeter,
)
from sabot.statemachine.vocabulary.events import (
    MeterLinkChanged,
)

Bets = Mapping[int, Mapping[str, int | None]]
Spot = tuple[int, str]
READING = "T11"
NOT_HEARD = "the floor was not heard yet"
# What has room on a line of the dealer's display, by the words of the table's end of the link.
SHORT = {
    "the link stands still": "LINK STOPPED",
    "its amount is old": "AMOUNT OLD",
    "the floor has no such link": "NO SUCH LINK",
}
DOWN = "LINK DOWN"


def unknown(setup: Setup) -> dict[str, dict[str, int]]:
    """Return linked meters at zero for settlement: it says who is paid a share, the floor how much."""
    if not setup.links:
        return {}
    chapter, letters = setup.chapter, setup.options.paytables
    return {
        name: dict.fromkeys(_levels(chapter, name, letters.get(chapter.meters[name].paytable, "only")), 0)
        for name in setup.links
    }


def _levels(chapter: Chapter, meter: str, letter: str) -> list[str]:
    return list(chapter.meters[meter].levels[letter])


@dataclass(slots=True, eq=False, repr=False)
class LinkedMeters:
    """Shut and open the spots of linked meters, and tell the floor what wagers contribute."""

    law: Law
    out: Outbox
    looked: Looked
    layout: OpenWagers
    books: MoneyBooks

    def cite(self) -> str:
        """Return the reading by which linked meters are kept."""
        return self.law.chapter.readings[READING].cite

    # ---------------------------------------------------------------- before the lock

    def why_shut(self, wager: str) -> str:
        """Return why a wager on a linked meter does not count now, empty where it does or is not linked."""
        link = self.law.links.get(wager)
        if link is None:
            return ""
        known = self.books.linked.links.get(link)
        # Shut until it is heard: what nobody takes in cannot contribute.
        return NOT_HEARD if known is None else known.why

    def still_open(self, spots: frozenset[Spot]) -> frozenset[Spot]:
        """Return spots without those of links that are shut (PROG-7)."""
        shut = {wager for wager in self.law.links if self.why_shut(wager)}
        return frozenset(spot for spot in spots if spot[1] not in shut) if shut else spots

    def without_shut(self, placed: Bets) -> tuple[dict[int, dict[str, int | None]], dict[Spot, str]]:
        """Return bets without wagers on links that are shut, and why each of those fell."""
        # Copies also where nothing is linked: the caller strikes out of them what else does not stand.
        if not self.law.links:
            return {seat: dict(bets) for seat, bets in placed.items()}, {}
        why = {(seat, wager): self.why_shut(wager) for seat, bets in placed.items() for wager in bets}
        fallen = {spot: words for spot, words in why.items() if words}
        left = {
            seat: {w: cents for w, cents in bets.items() if (seat, w) not in fallen}
            for seat, bets in placed.items()
        }
        return left, fallen

    def has_shut(self, bets: Mapping[str, int | None]) -> bool:
        """Return whether any wager of a seat is on a link that is shut."""
        return any(self.why_shut(wager) for wager in self.law.links.keys() & bets.keys())

    def shut_words(self) -> str:
        """Return why a link is shut in words for the display, empty where all are open."""
        why = next(filter(None, (self.why_shut(wager) for wager in self.law.links)), "")
        return SHORT.get(why, DOWN) if why else ""

    # ---------------------------------------------------------------- what contributes

    def contribute(self, placed: Bets) -> None:
        """Tell each link what a round's accepted wagers contribute, at LOCK and never before (x.7(c))."""
        unit = self.law.setup.options.progressive_unit
        found = [
            Contributed(
                seat,
                wager,
                unit if cents is None else cents,
                # The terms under which the wager was accepted; the
                # floor may change them while the round goes on.
                self.books.linked.links[self.law.links[wager]].config,
            )
            for seat, bets in sorted(placed.items())
            for wager, cents in sorted(bets.items())
            if wager in self.law.links
        ]
        self._tell(found)

    def begin_round(self, placed: Bets) -> None:
        """Contribute for a round that is locked; what the one before gave is final."""
        if not self.law.links:
            return
        linked = self.books.linked
        # Contributions of a round that is over are final (x.7(c), 13).
        linked.placed, linked.taken_back = [], []
        self.contribute(placed)

    def _tell(self, given: list[Contributed]) -> None:
        linked, number = self.books.linked, self.books.rounds
        linked.placed += given
        for link in sorted(set(self.law.links.values())):
            # One message a configuration, for the floor reckons by one.
            for config in sorted({each.config for each in given if self.law.links[each.wager] == link}):
                spots = [
                    (each.seat, each.wager, each.cents)
                    for each in given
                    if (self.law.links[each.wager], each.config) == (link, config)
                ]
                self.out.emit(
                    ContributeToLink(
                        link=link, number=number, config=config, spots=tuple(spots), cite=self.cite()
                    )
                )

    def take_back(self, cause: str, spots: set[Spot] | None = None) -> None:
        """Tell that wagers contribute nothing after all: those of a void round, or the few that are named."""
        linked = self.books.linked
        gone = [each for each in linked.placed if spots is None or (each.seat, each.wager) in spots]
        linked.placed = [each for each in linked.placed if each not in gone]
        # For UNDO VOID, which gives exactly these again.
        linked.taken_back = gone
        for link in sorted({self.law.links[each.wager] for each in gone}):
            of_link = tuple((each.seat, each.wager) for each in gone if self.law.links[each.wager] == link)
            self.out.emit(
                ReverseFromLink(link=link, number=self.books.rounds, cause=cause, spots=of_link, cite=cause)
            )

    def give_again(self) -> None:
        """Contribute again what a void took back, for it was a mistake."""
        linked = self.books.linked
        given, linked.taken_back = linked.taken_back, []
        self._tell(given)

    # ---------------------------------------------------------------- how the links are

    def forget(self) -> None:
        """Shut all links until the floor is heard: after a start nobody knows how they are."""
        for name in sorted(set(self.law.links.values())):
            known = self.books.linked.links.get(name)
            # The configuration stays: a round under way contributed by it.
            self._change(name, MeterLink(known.config if known else 0, NOT_HEARD))

    def on_changed(self, event: MeterLinkChanged) -> None:
        """Take the state of a link: open, shut, or under another configuration."""
        if event.link not in self.law.links.values():
            raise Refused(f"no meter of this table is linked to {event.link}")
        self._change(event.link, MeterLink(event.config, event.why))

    def _change(self, name: str, now: MeterLink) -> None:
        before, self.books.linked.links[name] = self.books.linked.links.get(name), now
        # Whether a wager would stand has changed, with nobody touching its chips.
        for seat in self.layout.bets:
            self.looked.changed(seat)
        if before is None or before.why != now.why:
            for meter, link in sorted(self.law.setup.links.items()):
                if link == name:
                    self.out.emit(
                        SilenceMeter(meter=meter, why=now.why and SHORT.get(now.why, DOWN), cite=self.cite())
                    )
