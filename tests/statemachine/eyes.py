"""What a dealer sees who looks at the cards, where no device does.

A table without a reader asks; these eyes know the pack and answer each question of the declaration with the
row that the cards really make, so that a declared round and a read one can be held side by side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sabot.rules.round import Round, Seat
from sabot.rules.settlement.round_settlement import RoundSettlement
from sabot.statemachine.reveal_questions import NO_ROW, QUALIFIES, TOO_LOW, Question

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sabot.rules.paytables import Column

    from .shift import Shift

YES, TIES, NO = "yes", "ties", NO_ROW


class Eyes:
    """The dealer's, on one round."""

    def __init__(self, shift: Shift) -> None:
        self.shift = shift
        self.table = shift.table
        self.house = shift.table.law.house
        assert self.table.state.play.round is not None
        self.state = self.table.state.play.round

    def question(self) -> Question:
        """What the display asks now, and the rows it offers."""
        return self.table.rooms.declaring.open_question()

    def sees(self) -> str:
        """The right answer."""
        question, settling = self.question(), self._settling()
        key = question.key
        if key == "dealer":
            return self._dealer(settling)
        # What all share is asked once, and any seat with such a wager has the answer.
        seats = [each for each in settling.seats if not question.seat or each.number == question.seat]
        seat = next(each for each in seats if question.seat or key.partition(":")[0] in each.stakes)
        if key == "wins":
            margin = settling.margin(seat)
            return YES if margin > 0 else NO if margin else TIES
        if key == "hand":
            return self._hand(settling.score(seat))
        return self._row(settling, seat, key)

    def _dealer(self, settling: RoundSettlement) -> str:
        contest = self.table.law.settlement.contest
        if not contest.dealer_qualifies(settling):
            return TOO_LOW
        hand = self._hand(settling.dealer_score())
        return QUALIFIES if hand == NO and self.house.chapter.contest.qualifies else hand

    def _hand(self, score: int) -> str:
        name = self.house.contest_ranking.name(score)
        return name if name in self.house.chapter.rankings[self.house.chapter.contest.ranking].order else NO

    def _row(self, settling: RoundSettlement, seat: Seat, key: str) -> str:
        name, _, what = key.partition(":")
        chapter = self.house.chapter
        if what:
            wager = chapter.wagers[name]
            seen = settling.has_bonus_card if what == "bonus_card" else settling.has_magic_card
            return YES if seen(seat, wager) else NO
        if key in chapter.envy:
            unit = next(iter(chapter.envy[key].by_unit))
            look = self.house.envy_look(key, unit)
            return _found(look.column, settling.look_at(seat, look))
        if key in chapter.wagers:
            look = self.house.look(chapter.wagers[key])
            return _found(look.column, settling.look_at(seat, look))
        return _found(self.house.column(key), settling.score(seat))

    def _settling(self) -> RoundSettlement:
        return RoundSettlement(self.house, self.true_round())

    def true_round(self, meters: Mapping[str, Mapping[str, int]] | None = None) -> Round:
        """The round with the cards that really lie there."""
        state, shift, hands = self.state, self.shift, self.house.chapter.hands
        places = {place: shift.truth(place) for place in hands.places if place != "player"}
        if hands.dealer_first:
            places["dealer_first"] = places["dealer"][: hands.dealer_first]
        return Round(
            chapter=self.house.chapter.id,
            options=self.house.options,
            seats=tuple(self._seat(number) for number in state.bets),
            places={place: cards for place, cards in places.items() if cards},
            meters=meters or {},
            magic_card=state.magic_card,
            lucky=state.lucky,
            irregularity=state.irregularity,
            when=state.when,
        )

    def _seat(self, number: int) -> Seat:
        fourth = self.shift.truth(f"seat{number}:fourth")
        return Seat(
            number=number,
            player=self.state.players[number],
            stakes=self.table.rooms.contest.stakes(number),
            cards=self.shift.truth(f"seat{number}"),
            fourth=fourth[0] if fourth else None,
            raises=len(self.state.raises.get(number, ())),
            folded=number in self.state.folded,
            abandoned=number in self.state.left,
        )


def _found(column: Column, score: int) -> str:
    hit = column.find(score)
    return hit.row if hit else NO
