"""Which cards lie face up, and a walk through all that leaves a table for cards that do not.

What everybody can see is computed from the order in which cards left and from what the chapter turns when, not
from what the table says is public.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from sabot.statemachine.action import Refused
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.vocabulary.events import DrawMade, Role

from .audit_cards import CardAuditor
from .marked import cards_in_text, cards_within

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sabot.statemachine.state.snapshot import RoundState
    from sabot.statemachine.table import Table
    from sabot.statemachine.vocabulary.effects import Effect
    from sabot.statemachine.vocabulary.events import Event

    from .setups import Way

TURNED_UP = (Phase.SETTLING, Phase.VALIDATING, Phase.DOCUMENTS, Phase.CLEARING)
SIXTH_FACE_UP = ("pa641a", "md4cp")


class AtTable(Protocol):
    """Somebody at a table of this way: a random shift, or what is played again."""

    table: Table
    way: Way


class FaceUp:
    """What everybody at the table can see, found from what was dealt and done."""

    def __init__(self, shift: AtTable) -> None:
        self.shift = shift
        self.cards = CardAuditor(shift.table)
        self.was: set[int] = set()
        self.drawn: set[int] = set()
        self.revealed = 0

    def see(self, event: Event, effects: list[Effect]) -> set[int]:
        """The open cards after an event, those of a round that just ended included."""
        self.cards.see(event, effects)
        if isinstance(event, DrawMade) and event.magic_card is not None:
            self.drawn.add(int(event.magic_card))
        round_ = self.shift.table.state.play.round
        if round_ is not None:
            self.was = set(self._open(round_))
        return self.was | self.drawn

    def _open(self, round_: RoundState) -> Iterator[int]:
        phase = self.shift.table.state.play.phase
        if phase is Phase.SETTLING:
            self.revealed = round_.number
        is_revealed = self.revealed == round_.number and phase in TURNED_UP and not round_.void
        for place, cards in self._places(round_).items():
            known = [(nth, card) for nth, card in cards if card is not None]
            yield from (
                card for nth, card in known if self._is_open(round_, place, nth, revealed=is_revealed)
            )

    def _places(self, round_: RoundState) -> dict[str, list[tuple[int, int | None]]]:
        places: dict[str, list[tuple[int, int | None]]] = {}
        for each in round_.plan:
            if each.position <= len(self.cards.out):
                places.setdefault(each.place, []).append((each.nth, self.cards.out[each.position - 1]))
        return places

    def _is_open(self, round_: RoundState, place: str, nth: int, *, revealed: bool) -> bool:
        if place == "community":
            return nth <= round_.turned
        if place == "dealer" and nth == 6 and self.shift.way.chapter in SIXTH_FACE_UP:
            return True
        if not revealed or place == "discard":
            return False
        return self._is_turned(round_, place)

    def _is_turned(self, round_: RoundState, place: str) -> bool:
        reached = round_.order[: round_.settled + 1]
        if place == "dealer":
            # x.13(d): of a contest that is void the dealer's hand is turned for 679a's Prime and All-Six alone.
            return not self._is_half_void() or (
                self.shift.way.chapter == "pa679a"
                and any({"prime", "all_six"} & self._alive(round_, seat) for seat in round_.bets)
            )
        if not place.startswith("seat"):
            return any(self._turns(round_, seat, place) for seat in reached)
        seat = int(place.partition(":")[0].removeprefix("seat"))
        if place.endswith(":fourth"):
            return seat in reached and self._turns(round_, seat, "pair_bonus")
        return seat in reached and self._competes(round_, seat)

    def _is_half_void(self) -> bool:
        return self.shift.table.rooms.contest.is_void

    def _alive(self, round_: RoundState, seat: int) -> set[str]:
        """The optional wagers of a seat that are settled by its cards."""
        if seat in round_.left and not self._is_half_void():
            return set()
        wagers, keeps = self.shift.table.law.chapter.wagers, self.shift.table.law.house.keeps_after_fold
        return {
            name
            for name in round_.bets[seat]
            if wagers[name].optional and (seat not in round_.folded or keeps(wagers[name]))
        }

    def _turns(self, round_: RoundState, seat: int, place: str) -> bool:
        """11(d)(2), (e)(3), (c)(8): a bonus card is turned with the wager that it decides."""
        alive = self._alive(round_, seat)
        if place in ("pair_bonus", "pair_bonus_card"):
            won = {(line.seat, line.wager) for line in round_.lines if line.result == "win"}
            return "pair_bonus" in alive and (seat, "pair_bonus") in won
        return place in alive

    def _competes(self, round_: RoundState, seat: int) -> bool:
        """A folded hand is never turned, but where a wager of it is still alive; in a void contest for that only."""
        if self._is_half_void():
            return bool(self._alive(round_, seat))
        return seat not in round_.left and (seat not in round_.folded or bool(self._alive(round_, seat)))


def look_everywhere(shift: AtTable, event: Event, effects: list[Effect]) -> Iterator[tuple[str, int]]:
    """The cards in all that leaves the table, with where they were found."""
    table = shift.table
    yield from (("effects", card) for card in cards_within(effects))
    yield from (("effects as text", card) for card in cards_in_text(repr(effects)))
    for role in Role:
        yield from ((f"view of the {role}", card) for card in cards_within(table.rooms.views.view(role)))
    if not isinstance(event, DrawMade):
        yield from (("an event as text", card) for card in cards_in_text(repr(event) + str(event)))
    yield from (("the state as text", card) for card in cards_in_text(repr(table.state)))
    for name in table.rooms.actions.known:
        try:
            table.rooms.actions.verify(name)
        except Refused as refusal:
            yield from ((f"why not {name}", card) for card in cards_in_text(repr(refusal)))
