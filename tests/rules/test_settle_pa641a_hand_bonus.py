"""641a.11(c)(7) and 641a.12(g): the Five Card Hand Bonus, its shared jackpot, Magic Card and Lucky Bonus."""

from __future__ import annotations

import pytest

from .table_talk import LOST, Json, seat, settle, won

NOTHING = "2d 4h 6s 8c Jd 3c"  # a dealer with a jack high
ROYAL, STRAIGHT_FLUSH = "Ah Kh Qh Jh Th", "9s 8s 7s 6s 5s"


# ---------------------------------------------------------------- 11(c)(7): Five Card Hand Bonus

METER: Json = {"hand_bonus": {"main": 1_000_003}}
DEALER_ROYAL = f"{ROYAL} 2c"


def on_dealer(number: int, cards: str, **more: object) -> Json:
    return seat(number, cards, ante=100, hand_bonus_dealer=100, **{"play": 100, **more})


def test_641a_11c7_the_dealers_hand_is_the_first_five() -> None:
    """G6: a flush with the sixth card is none."""
    told = settle("pa641a", on_dealer(1, "As Ad 9c 7h 2s"), dealer="2h 9h 6h Kh Jd Jh")
    assert told[1, "hand_bonus_dealer"] == LOST


def test_641a_11c7_a_win_though_the_hand_loses() -> None:
    told = settle("pa641a", on_dealer(1, "Qs Td 9c 7h 2s"), dealer="2h 9h 6h Kh Jh Jd")
    assert (told[1, "ante"], told[1, "hand_bonus_dealer"]) == (LOST, won(5_000, "flush"))


def test_641a_12g2_both_hands_are_paid_if_both_were_bet() -> None:
    both = seat(1, "2s 9s 6s Ks Js", ante=100, hand_bonus_player=100, hand_bonus_dealer=100, play=100)
    told = settle("pa641a", both, dealer="3c 3d 3h 7c 7d 2h")
    assert told[1, "hand_bonus_player"] == won(5_000, "flush")
    assert told[1, "hand_bonus_dealer"] == won(10_000, "full_house")


def test_641a_12g2_a_jackpot_on_the_dealers_hand_is_divided_equally() -> None:
    """T7: among all who wagered on it, folders too; the odd cent stays on the meter, the reseed is nothing."""
    told = settle(
        "pa641a",
        on_dealer(1, "As Ad 9c 7d 2s"),
        seat(2, "Qs Qd 8d 4c 2d", ante=100, hand_bonus_dealer=500, fold=True),
        on_dealer(6, "Ks Kd 9s 7c 3s"),
        seat(7, "Js Jd 8s 4d 3d", ante=100, hand_bonus_player=100, play=100),
        dealer=DEALER_ROYAL,
        meters=METER,
    )
    for number in (1, 2, 6):
        assert told[number, "hand_bonus_dealer"] == won(333_334, "royal_flush")
    assert told.meters == {"hand_bonus": {"main": 1}}


def test_641a_12g2_ten_percent_is_divided_too_and_fixed_at_the_first() -> None:
    """T7, T8: what another draws between the shares does not change them."""
    told = settle(
        "pa641a",
        on_dealer(1, "As Ad 9c 7d 2s"),
        seat(3, ROYAL, ante=100, hand_bonus_player=100, fold=True),
        on_dealer(6, "Ks Kd 9d 7c 3s"),
        dealer=f"{STRAIGHT_FLUSH} 2c",
        meters=METER,
    )
    assert told[6, "hand_bonus_dealer"] == told[1, "hand_bonus_dealer"] == won(50_000, "straight_flush")
    assert told[3, "hand_bonus_player"] == won(900_003, "royal_flush")
    assert told.meters == {"hand_bonus": {"main": 0}}


@pytest.mark.parametrize(("reading", "share"), [("alive", 333_334), ("forfeit", 500_001)])
def test_641a_12g2_whether_a_folder_still_shares(reading: str, share: int) -> None:
    """F1."""
    told = settle(
        "pa641a",
        on_dealer(1, "As Ad 9c 7d 2s"),
        seat(2, "Qs Qd 8d 4c 2d", ante=100, hand_bonus_dealer=500, fold=True),
        on_dealer(6, "Ks Kd 9s 7c 3s"),
        dealer=DEALER_ROYAL,
        meters=METER,
        readings={"fold_unlisted": reading},
    )
    assert told[1, "hand_bonus_dealer"][1] == told[6, "hand_bonus_dealer"][1] == share
    assert told.readings == {"fold_unlisted": reading}


def test_641a_12g2_one_who_left_the_table_does_not_share() -> None:
    """F10."""
    told = settle(
        "pa641a",
        on_dealer(1, "As Ad 9c 7d 2s"),
        on_dealer(6, "Ks Kd 9s 7c 3s", abandoned=True),
        dealer=DEALER_ROYAL,
        meters=METER,
    )
    assert told[1, "hand_bonus_dealer"] == won(1_000_003, "royal_flush")


@pytest.mark.parametrize(
    ("reading", "player", "dealer"), [("player", 100_000, 90_000), ("dealer", 90_000, 100_000)]
)
def test_641a_11c7_which_hand_draws_first(reading: str, player: int, dealer: int) -> None:
    """G1."""
    both = seat(1, "9h 8h 7h 6h 5h", ante=100, hand_bonus_player=100, hand_bonus_dealer=100, fold=True)
    told = settle(
        "pa641a",
        both,
        dealer=f"{STRAIGHT_FLUSH} 2c",
        meters={"hand_bonus": {"main": 1_000_000}},
        readings={"hand_bonus_first": reading},
    )
    assert (told[1, "hand_bonus_player"][1], told[1, "hand_bonus_dealer"][1]) == (player, dealer)
    assert told.readings["hand_bonus_first"] == reading
    lines = told.wagers(1)[1:]
    assert lines == [
        f"hand_bonus_{each}" for each in (reading, {"player": "dealer", "dealer": "player"}[reading])
    ]


def test_641a_11c7_the_order_is_not_read_where_only_one_hand_draws() -> None:
    both = seat(1, "9h 8h 7h 6h 5h", ante=100, hand_bonus_player=100, hand_bonus_dealer=100, fold=True)
    told = settle("pa641a", both, dealer=NOTHING, meters=METER)
    assert set(told.readings) == {"fold_unlisted"}


def test_641a_11c7_nor_where_the_dealers_share_was_fixed_at_another_seat() -> None:
    """T7: seat 6 fixed it before seat 1's own hand drew."""
    told = settle(
        "pa641a",
        on_dealer(6, "Ks Kd 9d 7c 3s"),
        seat(1, "9h 8h 7h 6h 5h", ante=100, hand_bonus_player=100, hand_bonus_dealer=100, play=100),
        dealer=f"{STRAIGHT_FLUSH} 2c",
        meters=METER,
    )
    assert told.readings == {}


def test_641a_1_magic_card_in_the_players_hand_and_in_the_dealers_first_five() -> None:
    """G2, G4: rank and suit; the dealer's sixth card does not count."""
    both = seat(1, "3s 4d 7c 8s Jc", ante=100, hand_bonus_player=100, hand_bonus_dealer=300, fold=True)
    dealer = "2s 9s Jd Kd 5c 6h"
    mine = settle("pa641a", both, dealer=dealer, draws={"magic_card": "7c"})
    assert mine[1, "hand_bonus_player:magic_card"] == won(2_000, "magic_card")
    assert not mine.has(1, "hand_bonus_dealer:magic_card")
    his = settle("pa641a", both, dealer=dealer, draws={"magic_card": "9s"})
    assert his[1, "hand_bonus_dealer:magic_card"] == won(6_000, "magic_card")
    for card in ("6h", "7d", "As"):
        nobody = settle("pa641a", both, dealer=dealer, draws={"magic_card": card})
        assert nobody.wagers(1) == ["ante", "hand_bonus_player", "hand_bonus_dealer"]


def test_641a_1_lucky_bonus_by_position_win_or_lose() -> None:
    """G5: beside the row of the hand, and beside a wager that lost."""
    both = seat(4, "2h 9h 6h Kh Jh", ante=100, hand_bonus_player=100, hand_bonus_dealer=300, fold=True)
    dealer = "2s 9s Jd Kd 5c 6d"
    mine = settle("pa641a", both, dealer=dealer, draws={"lucky": 4})
    assert mine.wagers(4) == [
        "ante",
        "hand_bonus_player",
        "hand_bonus_player:lucky_bonus",
        "hand_bonus_dealer",
    ]
    assert mine[4, "hand_bonus_player"] == won(5_000, "flush")
    assert mine[4, "hand_bonus_player:lucky_bonus"] == won(500, "lucky_bonus")
    his = settle("pa641a", both, dealer=dealer, draws={"lucky": "dealer"})
    assert (his[4, "hand_bonus_dealer"], his[4, "hand_bonus_dealer:lucky_bonus"]) == (
        LOST,
        won(1_500, "lucky_bonus"),
    )
    nobody = settle("pa641a", both, dealer=dealer, draws={"lucky": 5})
    assert nobody.wagers(4) == ["ante", "hand_bonus_player", "hand_bonus_dealer"]


def test_641a_12g3_magic_card_and_lucky_bonus_both_if_both_were_drawn() -> None:
    """G2."""
    player = seat(4, "3s 4d 7c 8s Jc", ante=100, hand_bonus_player=100, fold=True)
    told = settle("pa641a", player, draws={"lucky": 4, "magic_card": "4d"})
    assert told.wagers(4)[2:] == ["hand_bonus_player:magic_card", "hand_bonus_player:lucky_bonus"]


def test_641a_12g3_no_draw_no_bonus() -> None:
    player = seat(4, "3s 4d 7c 8s Jc", ante=100, hand_bonus_player=100, fold=True)
    assert settle("pa641a", player).wagers(4) == ["ante", "hand_bonus_player"]


def test_641a_1_no_magic_card_for_one_who_did_not_bet_the_hand_bonus() -> None:
    told = settle(
        "pa641a", seat(4, "3s 4d 7c 8s Jc", ante=100, fold=True), draws={"lucky": 4, "magic_card": "4d"}
    )
    assert told.wagers(4) == ["ante"]
