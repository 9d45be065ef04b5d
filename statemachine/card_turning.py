"""Turning cards: which the rules turn, and when; community cards one by one, then all that is shared (x.11).

Nothing is turned for nobody: not a hand without a wager that its cards settle, not 679a's fourth or community
card below a pair (679a.11(d)(2)), not the All-Six and Six Card cards before such a wager is settled, and in a
contest that is void (x.13(d)) not the dealer's hand where no wager is settled by it.

What folds forfeited is collected before a card is turned. In Cajun Stud the players are asked again after
each community card; where the contest is void nobody is asked any more.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from sabot.statemachine.accounts import GameAccounts
from sabot.statemachine.action import Action, phases
from sabot.statemachine.contest import Contest, LaidCards, SettlingProgress
from sabot.statemachine.deciding import Deciding
from sabot.statemachine.declaring import Declaring
from sabot.statemachine.law import Law
from sabot.statemachine.outbox import Outbox
from sabot.statemachine.outcome import Settlements
from sabot.statemachine.settling import Settling
from sabot.statemachine.state.phases import Phase, Phases
from sabot.statemachine.state.round import Play
from sabot.statemachine.vocabulary.effects import CollectWager
from sabot.statemachine.vocabulary.events import Key, Role

READ, DECLARED = "read", "declared"


@lru_cache(maxsize=64)
def _whose(place: str) -> tuple[int, str]:
    """Return the seat of a place (0: of all), and which of its cards lie there (empty: its hand)."""
    seat, _, part = place.removeprefix("seat").partition(":")
    return (int(seat), part) if seat.isdigit() else (0, "")


@lru_cache(maxsize=64)
def _hand_of(seat: int) -> str:
    """Return the place of a seat's hand."""
    return f"seat{seat}"


@dataclass(slots=True, eq=False, repr=False)
class Turned:
    """Tell which cards the rules turn, and when."""

    law: Law
    contest: Contest
    play: Play
    cards: LaidCards
    settling: Settling

    def among(self, places: Iterable[str]) -> list[str]:
        """Return those of these places whose cards lie face up since the reveal."""
        round_ = self.play.current
        # Seat by seat: a hand is shown when its turn to be settled comes (x.11(c)).
        reached = round_.order[: round_.settled + 1]
        return self._face_up(places, reached, self.settling.current_seat())

    def in_the_end(self, places: Iterable[str]) -> list[str]:
        """Return those of these places whose cards lie face up once every seat is settled."""
        return self._face_up(places, self.play.current.order, 0)

    def _face_up(self, places: Iterable[str], reached: list[int], turn: int) -> list[str]:
        """Return the places face up once these seats were reached; ``turn``: whose it is (0: nobody's)."""
        hands = {*map(_hand_of, self.cards.with_cards_left(reached))}
        return [place for place in places if place in hands or self._is_turned_beside(place, reached, turn)]

    def _is_turned_beside(self, place: str, reached: list[int], turn: int) -> bool:
        """Return whether cards that are no player's hand lie face up, where these seats were reached."""
        seat, part = _whose(place)
        if seat:
            return bool(part) and seat in reached and self._opens(seat, part)
        if place == "dealer":
            return self.dealer_turned()
        return any(self._opens(each, place) and self._has_come(each, place, turn) for each in reached)

    def dealer_turned(self) -> bool:
        """Return whether the dealer's hand is turned: in a void contest only if a wager is settled by it."""
        return not self.contest.is_void or any(
            wager.settles is not None and "dealer" in wager.settles.cards
            for seat in self.play.current.bets
            for wager in self.cards.live_wagers(seat)
        )

    def _opens(self, seat: int, place: str) -> bool:
        """Return whether a wager of a seat is settled by the card at a place."""
        return self.cards.plays(seat) and any(
            self.contest.is_alive(seat, name) for name in self._settled_by(seat, place)
        )

    def _has_come(self, seat: int, place: str, turn: int) -> bool:
        """Return whether a card's turn has come within its seat: not while a hit before it waits."""
        if seat != turn:
            return True
        now = self.settling.due().now
        later = {line.wager for line in self.settling.lines_left()[len(now) :]}
        # A card whose first wager waits behind a hit would show what
        # the floor has not looked at yet (641a.11(c)(8)).
        return any(name not in later for name in self._settled_by(seat, place))

    def _settled_by(self, seat: int, place: str) -> list[str]:
        """Return the wagers of a seat that are settled by the card at a place."""
        stakes = self.contest.stakes(seat)
        names = [name for name in self.law.settled_by.get(place, ()) if name in stakes]
        if place in ("fourth", "pair_bonus_card"):
            names += [name for name in stakes if self._won_with_bonus_card(seat, name)]
        return names

    def _won_with_bonus_card(self, seat: int, name: str) -> bool:
        """Return whether a wager has won whose table is chosen by a card beside the hand."""
        wager = self.law.chapter.wagers[name]
        if wager.settles is None or wager.bonus_card is None:
            return False
        lines = self.play.current.lines
        return any((line.seat, line.wager, line.result) == (seat, name, "win") for line in lines)

    def known_by(self, read: Mapping[int, int]) -> dict[str, str]:
        """Return whether each hand was read or declared, by the cards that were."""
        if self.cards.knows_all():
            return dict.fromkeys(self.play.current.hands, READ)
        return {place: self._known_by(place, read) for place in self.play.current.hands}

    def _known_by(self, place: str, read: Mapping[int, int]) -> str:
        """Return whether one hand was read or declared."""
        # Community cards are part of each hand but the dealer's.
        own = self.cards.positions(place)
        shared = () if place == "dealer" else self.law.chapter.contest.cards
        cards = own.union(*(self.cards.positions(each) for each in shared if each != "own"))
        return READ if read.keys() >= cards else DECLARED


P = Phase


@dataclass(slots=True, eq=False, repr=False)
class CardTurning:
    """Turn community cards, then all that is shared."""

    law: Law
    phases: Phases
    out: Outbox
    contest: Contest
    play: Play
    accounts: GameAccounts
    deciding: Deciding
    declaring: Declaring
    progress: SettlingProgress
    settlements: Settlements

    def turn(self, _value: str) -> None:
        """Turn the next community card, or reveal the dealer's cards, and go on."""
        round_ = self.play.current
        if not self.contest.is_void:
            self._collect_forfeits()
        # A card is turned: what was answered before it stands, but for the floor.
        round_.close_answers()
        community = self.law.chapter.hands.places.get("community", 0)
        if community and round_.turned < community:
            round_.turned += 1
            # 683a turns its last community card after the last answer: no street begins with it.
            round_.street = min(round_.street + 1, self.deciding.streets() - 1)
            if self._asks_again():
                self.phases.ask()
                self.deciding.ask_next()
                return
            if round_.turned < community:
                return
        self._reveal_all()

    def _asks_again(self) -> bool:
        """Return whether players are asked after this community card; never in a void contest (x.13(d))."""
        if self.contest.is_void or self.play.current.turned >= self.deciding.streets():
            return False
        return any(not self.deciding.answered(seat) for seat in self.contest.players_to_ask())

    def _collect_forfeits(self) -> None:
        """Collect what folds forfeited, each once."""
        round_ = self.play.current
        for seat in round_.folded:
            # Of 683a's streets each collects its own folds.
            if seat in round_.collected:
                continue
            round_.collected.append(seat)
            for name, cents, cite in self.progress.forfeited(seat):
                self.out.emit(CollectWager(seat=seat, wager=name, cents=cents, cite=cite))

    def _reveal_all(self) -> None:
        """Make everything shared public; hands are turned as their seats are settled."""
        # What was read is not asked.
        if self.settlements.knows_cards():
            self.settlements.settle_known()
            self.phases.settle()
        else:
            self.phases.declare()
            self.declaring.begin_declaring()


ACTIONS = (
    Action(
        "turn",
        "TURN CARDS",
        Role.DEALER,
        phases(P.TURNING),
        "11(c)",
        CardTurning.turn,
        lambda room, value: room.accounts.verify_drawn(value),
        key=Key.OK,
    ),
)
