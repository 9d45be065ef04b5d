"""The live round as ``rules`` settles it, by its cards or by declaration."""

from collections.abc import Mapping
from dataclasses import dataclass

from sabot.rules.round import Round, Seat
from sabot.rules.settlement import Declared
from sabot.statemachine import linked
from sabot.statemachine.contest import Contest
from sabot.statemachine.law import Law
from sabot.statemachine.linked import LinkedMeters
from sabot.statemachine.lying import LaidCards
from sabot.statemachine.parts import TableClock
from sabot.statemachine.round import Play
from sabot.statemachine.shares import Shares


@dataclass(slots=True, eq=False, repr=False)
class Settlements:
    """Settle the live round by its cards or by declaration."""

    law: Law
    contest: Contest
    clock: TableClock
    play: Play
    cards: LaidCards
    linked_meters: LinkedMeters
    shares: Shares

    def knows_cards(self) -> bool:
        """Return whether every card that settlement needs is known and none came twice.

        Then people look at them.
        """
        return self.cards.knows_all()

    def rules_round(self) -> Round:
        """The round as ``rules`` settles it, with the hands that were read and the meters as they were."""
        round_, read = self.play.current, self.cards.read_cards()
        return Round(
            chapter=self.law.chapter.id,
            options=self.law.setup.options,
            seats=tuple(self._rules_seat(seat, read) for seat in round_.bets),
            places=self._shared(read),
            meters=round_.meters_before | linked.unknown(self.law.setup),
            magic_card=round_.magic_card,
            lucky=round_.lucky,
            irregularity=round_.irregularity,
            when=round_.when,
        )

    def _rules_seat(self, seat: int, read: Mapping[int, int]) -> Seat:
        round_, fourth = self.play.current, self._cards(f"seat{seat}:fourth", read)
        return Seat(
            number=seat,
            player=round_.players[seat],
            stakes=self.contest.stakes(seat),
            cards=self._cards(f"seat{seat}", read),
            fourth=fourth[0] if fourth else None,
            raises=len(round_.raises.get(seat, ())),
            folded=seat in round_.folded,
            abandoned=seat in round_.left,
        )

    def _cards(self, place: str, read: Mapping[int, int]) -> tuple[int, ...] | None:
        """The cards of a place where each of them was read, in the order dealt."""
        positions = self.cards.in_order(place)
        cards = tuple([read[each] for each in positions if each in read])
        return cards if cards and len(cards) == len(positions) else None

    def _shared(self, read: Mapping[int, int]) -> dict[str, tuple[int, ...]]:
        hands = self.law.chapter.hands
        names = [place for place in hands.places if place != "player"]
        names += ["dealer_first"] if hands.dealer_first else []
        return {place: cards for place in names if (cards := self._cards(place, read)) is not None}

    def settle_known(self) -> None:
        """Settle the round by its cards."""
        self.take_outcome(None)

    def take_outcome(
        self, declared: Declared | None, meters: dict[str, dict[str, int]] | None = None
    ) -> None:
        """Keep what ``rules`` says became of the round.

        ``meters`` as they were, where some were paid since.
        """
        round_ = self.play.current
        round_.meters_before = self.shares.meters() if meters is None else meters
        outcome = self.law.settlement.settle(self.rules_round(), declared)
        round_.decide(list(outcome.lines), list(outcome.settle_order), dict(outcome.hands))
        round_.meters_after = outcome.meters
        self.linked_meters.take_outcome()
        for name, value in outcome.readings.items():
            round_.note(self.clock.now, f"reading {name}={value}")
