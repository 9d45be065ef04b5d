"""The people of the rig look at cards: their answers are those of the rules, and of nobody's wish."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

import pytest

from sabot.hil.table.dealer_eyes import Eyes, HandLooked
from sabot.hil.table.game import LAST_ROWS, read_game
from sabot.rules.cards import NAMES, PACK_SIZE, parse
from sabot.statemachine.contest import DEALER
from sabot.statemachine.labels import place_words, question_words, row_words
from sabot.statemachine.reveal_questions import HAND, NO_ROW, QUALIFIES, TOO_LOW, WINS
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.setup import Knowledge
from tests.statemachine.eyes import Eyes as TrueEyes
from tests.statemachine.shift import Shift
from tests.statemachine.tables import CHAPTERS, law

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sabot.rules.settlement.round_settlement import RoundSettlement

# Whole reveals of a table, question by question; and hands of every class, which nobody has to be asked about.
ROUNDS, DEALS, SEAT = 3, 150, 2


def declaring(chapter: str, seed: int) -> Shift:
    """A table without a reader, all its wagers made, its cards turned."""
    shift = Shift(chapter, seed=seed, knowledge=Knowledge.NONE)
    shift.open_table()
    for seat in (1, 3, 6):
        shift.bet(seat, ante=1000)
        for wager in law(chapter).wagers.values():
            if wager.optional and wager.device != "account":
                shift.bet(seat, **{wager.name: 100 if wager.device else 500})
            elif wager.optional:
                shift.account(seat, **{wager.name: 100})
    shift.lock()
    shift.deal()
    while shift.phase is not Phase.DECLARING:
        shift.answer_all()
        shift.ok()
    return shift


def people(shift: Shift) -> Eyes:
    """Somebody who sees the cards that lie there."""
    eyes = Eyes(read_game(shift.chapter.id), random.Random(1))
    for place in shift.table.rooms.contest.laid.positions:
        eyes.plan(place_words(place), [NAMES[card] for card in shift.truth(place)])
    return eyes


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_x_11c_people_who_look_answer_each_question_as_the_cards_are(chapter: str) -> None:
    asked = 0
    for seed in range(ROUNDS):
        shift = declaring(chapter, seed)
        eyes, true = people(shift), TrueEyes(shift)
        while shift.phase is Phase.DECLARING:
            question = true.question()
            words = question_words(question.key, question.seat, shift.chapter)
            rows = [row_words(question.key, row) for row in question.rows]
            wanted = true.sees()
            assert eyes.answer(words, rows) == row_words(question.key, wanted), (words, rows, eyes.lying)
            shift.declare(wanted)
            asked += 1
    assert asked > ROUNDS


@cache
def dealt(chapter: str) -> Shift:
    """A table that reads nothing: every wager at one seat, all cards dealt."""
    shift = Shift(chapter, knowledge=Knowledge.NONE)
    shift.open_table()
    wagers = shift.chapter.wagers
    shift.bet(SEAT, ante=1000)
    for name in (name for name, each in wagers.items() if name != "ante" and not each.after_deal):
        place = shift.account if wagers[name].device == "account" else shift.bet
        place(SEAT, **{name: 100 if wagers[name].device == "progressive" else 500})
    shift.lock()
    shift.deal()
    return shift


def deal_again(shift: Shift, chance: random.Random) -> None:
    """Other cards lie there: high hands often, for cards of few suits and ranks lie together."""
    pack = list(range(PACK_SIZE))
    chance.shuffle(pack)
    top, suits = chance.randrange(4, 13), chance.sample(range(4), chance.choice((1, 1, 2, 4)))
    near = [card for card in pack if top - chance.choice((1, 4, 5)) <= card >> 2 <= top and card & 3 in suits]
    places = shift.table.rooms.contest.laid.positions
    wanted = dict(zip([*places[f"seat{SEAT}"], *places.get("community", ())], near, strict=False))
    rest = [card for card in pack if card not in wanted.values()]
    shift.pack = [wanted[nth] if nth in wanted else rest.pop() for nth in range(1, PACK_SIZE + 1)]


def questions(shift: Shift, settling: RoundSettlement) -> Iterator[tuple[int, str, tuple[str, ...], str]]:
    """Each question that such a table may ask: whose, what, its rows, and the row that is so."""
    chapter, house, rules = shift.chapter, shift.table.law.house, TrueEyes(shift)
    (seat,) = settling.seats
    if chapter.contest.against_dealer:
        names, least = (
            tuple(reversed(chapter.rankings[chapter.contest.ranking].order)),
            chapter.contest.qualifies,
        )
        rows = (QUALIFIES, *names, TOO_LOW) if least else (*names, NO_ROW)
        yield 0, DEALER, rows, rules._dealer(settling)
        yield SEAT, HAND, (*names, NO_ROW), rules._hand(settling.score(seat))
        margin = settling.margin(seat)
        yield SEAT, WINS, ("yes", "ties", NO_ROW), "yes" if margin > 0 else NO_ROW if margin else "ties"
    else:
        main = house.column(chapter.contest.results["win"].actions["ante"].paytable)
        yield SEAT, main.name, (*reversed(main.hits), NO_ROW), rules._row(settling, seat, main.name)
    for wager in (each for each in chapter.wagers.values() if each.settles and each.name in seat.stakes):
        assert wager.settles is not None
        column = house.column(wager.settles.paytable)
        if wager.settles.kind != "losing_hand":
            whose = SEAT if "own" in wager.settles.cards else 0
            yield whose, wager.name, (*reversed(column.hits), NO_ROW), rules._row(settling, seat, wager.name)
        if wager.bonus_card:
            key = f"{wager.name}:bonus_card"
            yield SEAT, key, ("yes", NO_ROW), rules._row(settling, seat, key)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_x_11c_people_who_look_take_the_row_that_the_chapter_gives_these_cards(chapter: str) -> None:
    shift, chance, said = dealt(chapter), random.Random(13), Counter[tuple[str, str]]()
    for _ in range(DEALS):
        deal_again(shift, chance)
        eyes, settling = people(shift), TrueEyes(shift)._settling()
        for seat, key, rows, so in questions(shift, settling):
            asked = question_words(key, seat, shift.chapter)
            answer = eyes.answer(asked, [row_words(key, row) for row in rows])
            assert answer == row_words(key, so), eyes.looked[-1]
            said[key, so] += 1
    classes = {row for key, row in said if key in (HAND, "main")}
    assert len(classes) >= 6, classes


def test_cards_that_nobody_dealt_come_off_the_pack_of_the_others() -> None:
    eyes = Eyes(read_game("pa679a"), random.Random(3))
    eyes.plan("SEAT 1", ["Ah", "Kh", "Qh"])
    eyes.put("SEAT 1", 2, "10h")
    assert eyes.at("SEAT 1") == ["Ah", "Th", "Qh"]
    places = [eyes.at(place) for place in ("SEAT 1", "SEAT 2", "DEALER", "SEAT 2 FOURTH", "PAIR BONUS CARD")]
    cards = [card for place in places for card in place]
    assert len(cards) == len({parse(card) for card in cards}) == 11
    assert eyes.at("SEAT 2") == places[1]
    eyes.clear()
    assert eyes.lying == {}


def test_a_row_that_nobody_knows_is_no_answer() -> None:
    eyes = Eyes(read_game("pa679a"), random.Random(3))
    with pytest.raises(ValueError, match="nobody knows what 'SEVEN ODD CARDS' is"):
        eyes.answer("S1 PAIR BONUS", ["SEVEN ODD CARDS", "NONE OF THESE"])
    assert not eyes.looked
    assert eyes.answer("S1 PAIR BONUS", ["MINI ROYAL", "NONE OF THESE"]) in {"NONE OF THESE"} & LAST_ROWS
    assert isinstance(eyes.looked[0], HandLooked)
