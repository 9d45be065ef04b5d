"""The questions of a reveal: the least that must be said of cards that no device has read (x.11).

A hand is declared once, as a class. Each question is a *need*: certain cards, and the rows that they may
make. A need whose cards were read is no question; of the others the rows that cannot be, by the ranking, by
one deck, by cards read and by words said before, are left out, and where one row remains it follows and is
not asked. So the whole dialogue is one walk over the needs of the round, from the dealer's hand to the last
seat, and the first need that stays open is what the display asks. Nothing is kept of it but the words.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from sabot.rules.chapter import Wager
from sabot.rules.frozen import frozen, mutable
from sabot.rules.paytables import Column
from sabot.rules.rankings import HIGH, LEVEL_SHIFT, PokerRanking
from sabot.rules.settlement.claims import (
    Cards,
    Claim,
    Higher,
    card_claim,
    may_tie,
    named,
    qualifying,
    rank_claim,
    row_claims,
)
from sabot.rules.settlement.declared import BONUS_CARD, MAGIC_CARD, TIES, YES
from sabot.rules.settlement.steps import FOLDED_HOLDER
from sabot.rules.settlement.testimony import Hearing
from sabot.statemachine.contest import (
    DEALER,
    Contest,
    LaidCards,
)
from sabot.statemachine.law import Law
from sabot.statemachine.state.round import Play

NO_ROW, QUALIFIES, TOO_LOW = "none", "qualifies", "too low"
# The keys of questions about no wager beside the dealer's hand: a seat's hand, the higher of two equal ones.
HAND, WINS = "hand", "wins"
WITHOUT_NAME = frozenset({NO_ROW, QUALIFIES, TOO_LOW})
# How the player's hand compares with the dealer's.
SIGNS = {YES: 1, TIES: 0, NO_ROW: -1}
# The seat of words that count for all: the dealer's hand and shared cards.
EVERYBODY = 0
NOTHING_LEFT = "no row is left: take back what was declared"
Claims = Callable[[str], list[Claim]]


class Need(NamedTuple):
    """Something to know of certain cards: whose, what, the rows it may be, and what each row claims."""

    seat: int
    key: str
    rows: tuple[str, ...]
    claims: Claims


@frozen
class Question:
    """An open need: the rows that may be, and why others may not."""

    seat: int
    key: str
    rows: tuple[str, ...]
    left_out: Mapping[str, str]


@mutable
class Inquiry:
    """The knowledge of the round's hands so far, and the next question."""

    room: "RevealQuestions"
    testimony: Hearing
    rows: dict[tuple[int, str], str] = field(default_factory=dict)
    asked: list[tuple[int, str]] = field(default_factory=list)
    open: Question | None = None

    def settle(self, need: Need) -> bool:
        """Meet a need by the one row that can be or by a word that was said; return whether it is met."""
        # Every row against all that was said before, and not only the one
        # that is chosen: what cannot be is not offered.
        why = {row: self.testimony.against(need.claims(row)) for row in need.rows}
        offered = tuple(row for row in need.rows if not why[row])
        # One row that is left follows, also where another word was said once: that word cannot be any more.
        row = offered[0] if len(offered) == 1 else self._said(need)
        if row not in offered:
            left_out = {each: reason for each, reason in why.items() if reason}
            self.open = Question(need.seat, need.key, offered, left_out)
            return False
        # Only what was asked is kept as a word: the rest follows again each time.
        if len(offered) > 1:
            self.asked.append((need.seat, need.key))
        self.rows[need.seat, need.key] = row
        # Whatever follows or was said narrows the next need, so the
        # order of the needs is the order of the questions.
        self.testimony.take(need.claims(row))
        return True

    def _said(self, need: Need) -> str:
        return self.room.play.current.declared.get(need.seat, {}).get(need.key, "")

    def row(self, seat: int, key: str) -> str:
        """Return the row of a need that was met, empty where nothing was to be known."""
        return self.rows.get((seat, key), "")


# ---------------------------------------------------------------- the needs of a round


def _compares(wager: Wager) -> bool:
    """Return whether a wager is settled by which hand is higher (641a's Bad Beat Bonus)."""
    return wager.settles is not None and wager.settles.kind == "losing_hand"


def _contest(inquiry: Inquiry, seat: int) -> Iterator[Need]:
    room = inquiry.room
    contest = room.law.chapter.contest
    if contest.against_dealer:
        # Against a dealer who is too low no hand is compared: every seat is
        # paid alike (641a has no such rule, 679a has).
        if dealer_qualifies(inquiry):
            yield from _compared(inquiry, seat)
        return
    column = room.law.house.column(contest.results["win"].actions[contest.opening].paytable)
    yield from _row(inquiry, seat, (column.name, contest.cards), column)


def _named(ranking: PokerRanking, cards: Cards, row: str) -> list[Claim]:
    return named(ranking, HIGH if row == NO_ROW else row, cards)


def _wager(inquiry: Inquiry, seat: int, wager: Wager) -> Iterator[Need]:
    settles, room = wager.settles, inquiry.room
    assert settles is not None  # only such wagers are live
    if _compares(wager):
        yield from _compared(inquiry, seat)
        return
    column = room.law.house.column(settles.paytable)
    yield from _row(inquiry, seat, (wager.name, settles.cards), column)
    if wager.bonus_card and _makes_row(inquiry, seat, wager, column):
        yield from _bonus_card(inquiry, seat, wager)
    if wager.extras and room.play.current.magic_card is not None:
        yield from _magic_card(inquiry, seat, wager)


def _of_rank(cards: Cards, rank: int, row: str) -> list[Claim]:
    return [rank_claim(cards, rank, is_there=row == YES)]


def _holds_card(cards: Cards, card: int, row: str) -> list[Claim]:
    return [card_claim(card, cards, is_there=row == YES)]


@dataclass(slots=True, eq=False, repr=False)
class RevealQuestions:
    """Ask the least that must be said of unread cards."""

    law: Law
    contest: Contest
    play: Play
    cards: LaidCards
    # The walk as it went last, and what it followed from: a key asks for it up to four times, and most keys
    # only move the cursor.
    _follows: tuple[object, ...] = field(init=False, default=())
    _walked: Inquiry | None = field(init=False, default=None)

    def inquire(self) -> Inquiry:
        """Return the needs of the round as far as they are met, and the first that is not."""
        declared = self.play.current.declared
        if self._walked is None or self._follows != self._basis(declared, *self.contest.involved()):
            words = {seat: said.copy() for seat, said in declared.items()}
            self._walked = self._walk()
            self._follows = self._basis(words, *self.contest.involved_copied())
        return self._walked

    def _basis(self, *said_and_involved: object) -> tuple[object, ...]:
        """Return what a walk follows from."""
        round_ = self.play.current
        cards = self.contest.laid, self.cards.read_cards(), round_.magic_card
        return (*cards, round_.irregularity, *said_and_involved)

    def _walk(self) -> Inquiry:
        """Walk the needs as far as they are met."""
        inquiry = Inquiry(self, Hearing(self.cards.read_cards(), self.contest.laid.placed))
        for need in _needs(inquiry):
            # A need that two wagers share is met once.
            if (need.seat, need.key) not in inquiry.rows and not inquiry.settle(need):
                break
        return inquiry

    def wants_dealer(self) -> bool:
        """Return whether anybody's money depends on the dealer's hand in the contest."""
        seats = self.play.current.bets if self.law.chapter.contest.against_dealer else ()
        return any(
            self.cards.is_contested(seat) or any(_compares(wager) for wager in self.cards.live_wagers(seat))
            for seat in seats
        )

    def ranking(self) -> PokerRanking:
        """Return the ranking of the contest."""
        ranking = self.law.house.contest_ranking
        assert isinstance(ranking, PokerRanking)  # the loader admits nothing else for a contest
        return ranking

    def dealers_hand(self, cards: Cards) -> Need:
        """Return the need for the dealer's class, and for whether a hand without one qualifies."""
        ranking, least = self.ranking(), self.law.chapter.contest.qualifies
        names = tuple(reversed(ranking.order.names))

        def claims(row: str) -> list[Claim]:
            found = named(ranking, HIGH if row in WITHOUT_NAME else row, cards)
            if least and row in WITHOUT_NAME:
                found.append(qualifying(cards, least.lead, qualifies=row == QUALIFIES))
            return found

        rows = (QUALIFIES, *names, TOO_LOW) if least else (*names, NO_ROW)
        return Need(EVERYBODY, DEALER, rows, claims)

    def is_enviable(self, seat: int) -> bool:
        """Return whether a hand may give others a bonus: its player is there, and no fold forbids it."""
        if not self.cards.plays(seat) or self.contest.is_void:
            return False
        answer = self.law.readings.get(FOLDED_HOLDER, "")
        on_table = answer == "cards_on_table" and bool(self.cards.live_wagers(seat))
        return seat not in self.play.current.folded or answer == "always" or on_table

    def receives(self, seat: int, holder: int, wager: Wager) -> bool:
        """Return whether a seat would be paid for another's hand."""
        round_ = self.play.current
        is_there = wager.name in round_.bets[seat] and seat != holder and self.cards.plays(seat)
        is_other = round_.players[seat] != round_.players[holder]
        return is_there and (is_other or self.law.readings.get("envy_two_boxes") == "yes")


def _needs(inquiry: Inquiry) -> Iterator[Need]:
    room = inquiry.room
    dealer = room.cards.positions(DEALER)
    # First, for every seat's "who is higher" hangs on it.
    if room.wants_dealer() and not inquiry.testimony.knows(dealer):
        yield room.dealers_hand(dealer)
    # From the dealer's right, as the seats are settled: a hand is declared when its turn comes.
    for seat in sorted(room.play.current.bets, reverse=True):
        if room.cards.is_contested(seat):
            yield from _contest(inquiry, seat)
        for wager in room.cards.live_wagers(seat):
            yield from _wager(inquiry, seat, wager)
        yield from _envy(inquiry, seat)


def dealer_qualifies(inquiry: Inquiry) -> bool:
    """Return whether the dealer's hand competes, read or declared."""
    room = inquiry.room
    cards = room.cards.positions(DEALER)
    if not inquiry.testimony.knows(cards):
        return inquiry.row(EVERYBODY, DEALER) != TOO_LOW
    return room.law.house.qualifies(room.ranking().score(inquiry.testimony.cards(cards)))


def _compared(inquiry: Inquiry, seat: int) -> Iterator[Need]:
    """Yield the needs for a hand's class, and for the higher hand where the dealer's class is the same."""
    room, read = inquiry.room, inquiry.testimony
    cards, dealer, ranking = room.cards.positions(f"seat{seat}"), room.cards.positions(DEALER), room.ranking()
    if not read.knows(cards):
        yield Need(seat, HAND, (*reversed(ranking.order.names), NO_ROW), partial(_named, ranking, cards))
    # Classes that differ say who wins; two hands that were read say it too.
    if read.knows(cards | dealer) or level(inquiry, seat) != level(inquiry, EVERYBODY):
        return
    margins = _margins(inquiry, cards, dealer, level(inquiry, seat))
    yield Need(seat, WINS, tuple(margins), lambda row: margins[row])


def _margins(inquiry: Inquiry, own: Cards, dealer: Cards, level_: int) -> dict[str, list[Claim]]:
    """Return the ways in which two hands of one class may compare, each with what it claims."""
    read, house, ranking = inquiry.testimony, inquiry.room.law.house, inquiry.room.ranking()
    missing = frozenset((own | dealer) - read.read.keys())
    # With one card unread each card that is left can be tried; with more there are too many to try here.
    if len(missing) > 1:
        # How many hands may tie the dealer's is bounded by one deck (reading R19).
        tied = sum(row == TIES for (_, key), row in inquiry.rows.items() if key == WINS)
        ways = (YES, TIES, NO_ROW) if may_tie(ranking, level_, tied) else (YES, NO_ROW)
        higher = partial(Higher, own, dealer, house.deciding_ranking)
        return {row: [Claim(own | dealer, higher=higher(SIGNS[row]))] for row in ways}
    found: dict[str, set[int]] = {YES: set(), TIES: set(), NO_ROW: set()}
    for card in read.may_be:
        hands = read.cards(own, card), read.cards(dealer, card)
        if all(ranking.score(hand) >> LEVEL_SHIFT == level_ for hand in hands):
            margin = house.compare(*hands)
            found[YES if margin > 0 else NO_ROW if margin else TIES].add(card)
    return {row: [Claim(missing, among=frozenset(cards))] for row, cards in found.items() if cards}


def level(inquiry: Inquiry, seat: int) -> int:
    """Return the level of a hand in the contest's ranking, the dealer's for ``EVERYBODY``."""
    room, ranking = inquiry.room, inquiry.room.ranking()
    place = f"seat{seat}" if seat else DEALER
    cards = room.cards.positions(place)
    if inquiry.testimony.knows(cards):
        return ranking.score(inquiry.testimony.cards(cards)) >> LEVEL_SHIFT
    # Without a name the level is 0, below every hand that has one.
    said = inquiry.row(seat, HAND if seat else DEALER)
    return ranking.level_of(said) or 0


def _row(inquiry: Inquiry, seat: int, what: tuple[str, tuple[str, ...]], column: Column) -> Iterator[Need]:
    """Yield the need for a row of a column, of a seat's cards or once of those that all share."""
    (key, places), room = what, inquiry.room
    cards = room.cards.cards_of(seat, places)
    if inquiry.testimony.knows(cards):
        return
    own = room.cards.cards_of(seat, places[:1])
    claims = partial(row_claims, column, own=own, others=cards - own)
    # What all share is asked once, and is everybody's word.
    yield Need(seat if "own" in places else EVERYBODY, key, (*reversed(column.hits), NO_ROW), claims)


def _makes_row(inquiry: Inquiry, seat: int, wager: Wager, column: Column) -> bool:
    """Return whether a hand makes any row, so that the bonus card decides which table pays it."""
    cards = inquiry.room.cards.positions(f"seat{seat}")
    if not inquiry.testimony.knows(cards):
        return inquiry.row(seat, wager.name) != NO_ROW
    return column.find(column.ranking.score(inquiry.testimony.cards(cards))) is not None


def _bonus_card(inquiry: Inquiry, seat: int, wager: Wager) -> Iterator[Need]:
    """Yield the need for a bonus card's rank, which chooses the table: the seat's own, or the shared one."""
    assert wager.bonus_card is not None  # the caller looked
    is_own = inquiry.room.cards.has_own_bonus_card()
    cards = inquiry.room.cards.bonus_card(seat)
    if not inquiry.testimony.knows(cards):
        claims = partial(_of_rank, cards, wager.bonus_card.rank)
        yield Need(seat if is_own else EVERYBODY, f"{wager.name}:{BONUS_CARD}", (YES, NO_ROW), claims)


def _magic_card(inquiry: Inquiry, seat: int, wager: Wager) -> Iterator[Need]:
    """Yield the need for whether the drawn card is among those of a wager."""
    assert wager.settles is not None  # only such wagers are live
    room = inquiry.room
    cards, magic = room.cards.cards_of(seat, wager.settles.cards), room.play.current.magic_card
    assert magic is not None  # the caller looked
    if not inquiry.testimony.knows(cards):
        whose = seat if "own" in wager.settles.cards else EVERYBODY
        claims = partial(_holds_card, cards, magic)
        yield Need(whose, f"{wager.name}:{MAGIC_CARD}", (YES, NO_ROW), claims)


def _envy(inquiry: Inquiry, seat: int) -> Iterator[Need]:
    """Yield the need for the row that pays others an envy bonus, where somebody could receive one."""
    room = inquiry.room
    cards = room.cards.positions(f"seat{seat}")
    if not room.is_enviable(seat) or inquiry.testimony.knows(cards):
        return
    for wager in room.law.chapter.wagers.values():
        if wager.envy and any(room.receives(other, seat, wager) for other in room.play.current.bets):
            column = room.law.house.envy_column(wager.envy.paytable, room.law.setup.options.progressive_unit)
            yield from _row(inquiry, seat, (column.name, ("own",)), column)
