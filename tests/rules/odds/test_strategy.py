"""The contest against the dealer: every choice is the best, every payment the settlement's."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sabot.config import load_chapter
from sabot.rules.odds.duel import Duel
from sabot.rules.odds.strategy import ANTE, Strategy, best_place
from sabot.rules.odds.suit_masks import masks_of_cards
from sabot.rules.odds.trial import Trial
from tests.dealt import parse_all

from .tiny import dealer_hands, poker_margin, tiny_duel, tiny_trial

BAD_BEAT = {"A": 4.515549, "B": 3.896351, "C": 4.653913, "D": 4.034715}


@pytest.mark.parametrize("letter", "ABCD")
def test_679a_12c_what_the_house_holds_of_an_ante(letter: str) -> None:
    played = Strategy(
        Duel(load_chapter("pa679a")), Trial(load_chapter("pa679a"), {"bad_beat": letter}, {})
    ).played
    assert float(played.hold * 100) == pytest.approx(BAD_BEAT[letter], abs=1e-6)
    assert played.wagered == 2 - played.folds


def test_679a_12c_a_kept_play_wager_costs_more() -> None:
    """P2."""
    trial = Trial(load_chapter("pa679a"), {"bad_beat": "D"}, {"bad_beat_play": "kept"})
    played = Strategy(Duel(load_chapter("pa679a")), trial).played
    assert float(played.hold * 100) == pytest.approx(4.4118, abs=1e-6)


def test_679a_6c_tie_breaks_are_worth_nothing_between_hands_of_one_size() -> None:
    """R3: whatever a player gains by it as one side he loses as the other."""
    holds = [
        Strategy(
            Duel(load_chapter("pa679a"), literal=literal), Trial(load_chapter("pa679a"), {}, readings)
        ).played
        for literal, readings in ((False, {}), (True, {"tiebreak": "highest_card"}))
    ]
    assert holds[0].hold == holds[1].hold


@pytest.mark.parametrize("cards", ["As Kd Jc", "9s 8s 7s", "Jc 8d 2h"])
def test_679a_11c_a_play_is_worth_what_settling_every_hand_of_the_dealer_gives(cards: str) -> None:
    chapter = load_chapter("pa679a")
    trial = Trial(chapter, {"bad_beat": "B"}, {})
    strategy = Strategy(Duel(chapter), trial)
    own = parse_all(cards)
    stakes = {"ante": ANTE, "play": ANTE}
    settled = sum(trial.net(stakes, own, {"dealer": hand}) for hand in dealer_hands(own))
    ((fold, play),) = strategy.values(strategy.duel.meeting(masks_of_cards(own), 1))
    assert (fold, play) == (-ANTE * 18_424, settled)


@pytest.mark.parametrize("own", [(48, 49), (12, 16)])
def test_a_choice_for_each_rank_of_the_card_shown(own: tuple[int, ...]) -> None:
    trial = tiny_trial()
    strategy = Strategy(tiny_duel(), trial)
    assert strategy.multiples == (0, 1, 3)
    values = strategy.values(strategy.duel.meeting(masks_of_cards(own), 1))
    nets = {
        hand: [trial.net({"ante": ANTE, "play": ANTE * times}, own, {"dealer": hand}) for times in (1, 3)]
        for hand in dealer_hands(own)
    }
    for rank in range(13):
        seen = [net for hand, net in nets.items() for card in hand if card >> 2 == rank]
        assert values[rank] == (-ANTE * len(seen), sum(n[0] for n in seen), sum(n[1] for n in seen))


def test_a_tie_counts_apart_where_the_chapter_pays_it_otherwise() -> None:
    """As 682a's Win Bonus (P3): here the Ante Bonus is not paid on a tie."""
    trial = tiny_trial(ties=True, ante_bonus_losing="no")
    own = (48, 49)
    strategy = Strategy(tiny_duel(ties=True, shown=False), trial)
    ((_, *plays),) = strategy.values(strategy.duel.meeting(masks_of_cards(own), 1))
    assert any(poker_margin(own, hand) == 0 for hand in dealer_hands(own))
    for place, times in enumerate((1, 3)):
        stakes = {"ante": ANTE, "play": ANTE * times}
        assert plays[place] == sum(trial.net(stakes, own, {"dealer": hand}) for hand in dealer_hands(own))


def test_the_whole_game_is_the_sum_of_its_best_choices() -> None:
    strategy = Strategy(tiny_duel(), tiny_trial())
    best = total = wagered = 0
    for meeting in strategy.duel.meetings:
        for values in strategy.values(meeting):
            best += meeting.weight * max(values)
            total -= meeting.weight * values[0]
            wagered -= meeting.weight * values[0] * (1 + strategy.multiples[best_place(values)])
    assert strategy.played.hold == Fraction(-best, total)
    assert strategy.played.wagered == Fraction(wagered, total)
    assert 0 < strategy.played.folds < 1


def test_of_equal_choices_the_one_with_more_wagered_is_taken() -> None:
    assert [best_place([-4, 2, 2]), best_place([-4, -4, -5]), best_place([3, 2, 1])] == [2, 1, 0]
