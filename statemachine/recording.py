"""Making the record of a round that ends: what became public stands in it openly, the rest as counts."""

from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from sabot.statemachine.asking import EVERYBODY, HAND
from sabot.statemachine.contest import Contest
from sabot.statemachine.law import Law
from sabot.statemachine.lying import DEALER, LaidCards
from sabot.statemachine.parts import OpenWagers, TableClock
from sabot.statemachine.people import TableCrew
from sabot.statemachine.record import LastRecord, RoundRecord
from sabot.statemachine.round import Play, RoundState
from sabot.statemachine.shares import Shares
from sabot.statemachine.stock import Stock
from sabot.statemachine.turned import READ, Turned
from sabot.statemachine.views import Views

# What the record has of a round as it stands there, and what it has as a tuple.
AS_IT_IS = (
    *("number", "deck", "method", "knowledge", "dealer", "started_at", "bets", "players", "raises"),
    *("chips", "stub", "magic_card", "lucky", "meters_before", "irregularity", "when", "void", "by_hand"),
)
AS_TUPLES = ("folded", "left", "face_up", "lines", "hits", "notes")
_AS_IT_IS, _AS_TUPLES = attrgetter(*AS_IT_IS), attrgetter(*AS_TUPLES)


def _declared(round_: RoundState) -> dict[str, dict[str, str]]:
    """The dealer's words of each hand, and of cards that all share, where no device saw them."""
    words = {f"seat{seat}": dict(said) for seat, said in round_.declared.items() if said}
    shared = words.pop(f"seat{EVERYBODY}", {})
    dealer = {HAND: shared.pop(DEALER)} if DEALER in shared else {}
    return {place: said for place, said in {"dealer": dealer, **words, "shared": shared}.items() if said}


@dataclass(slots=True, eq=False, repr=False)
class RoundRecorder:
    """Make the record of a finished round."""

    law: Law
    contest: Contest
    recorded: LastRecord
    clock: TableClock
    crew: TableCrew
    stock: Stock
    layout: OpenWagers
    play: Play
    cards: LaidCards
    shares: Shares
    turned: Turned
    views: Views

    def keep_record(self) -> None:
        """Keep the record of the round that ends now: it is the last one."""
        self.recorded.last = self.make_record()

    def make_record(self) -> RoundRecord:
        """The record of the round that ends now."""
        round_ = self.play.current
        deck, late = self.stock.decks.get(round_.deck), self.layout.late_notes()
        read, turned = self.cards.read_cards(), self.views.turned_places()
        public, known = self.views.cards_shown(turned, read), self.turned.known_by(read)
        kept: dict[str, Any] = dict(zip(AS_IT_IS, _AS_IT_IS(round_), strict=True))
        kept |= zip(AS_TUPLES, map(tuple, _AS_TUPLES(round_)), strict=True)
        return RoundRecord(
            chapter=self.law.chapter.id,
            lot=deck.lot if deck else "",
            proof=deck.proof if deck else "",
            floor=self.crew.floor,
            ended_at=self.clock.now,
            plan=self.contest.laid.words,
            public=public,
            hidden=self.views.hidden_counts(public),
            hands={at: name for at, name in round_.hands.items() if at in turned and known[at] == READ},
            known=known,
            meters=self.shares.meters(),
            declared=_declared(round_),
            late=late,
            **kept,
        )
