import json

import pytest

from calling import sabot


def test_a_plan_as_json_is_that_of_the_contract() -> None:
    answer = sabot("deal", "pa682a", "manual_shoe", "--seats", "4,2", "--wager", "all_six", "--json")

    assert answer.code == 0
    plan = json.loads(answer.out)
    assert plan["seats"] == [2, 4]
    assert plan["options"] == {"all_six": True}
    assert plan["cite"] == "682a.8(c)"
    assert plan["order"][:3] == ["all_six@1", "seat2@2", "seat4@3"]


def test_pair_bonus_options_are_repeated_in_the_answer() -> None:
    answer = sabot("deal", "pa679a", "hand", "--seats", "1,5", "--wager", "pair_bonus=5", "--json")

    assert json.loads(answer.out)["options"] == {"pair_bonus": [5], "pair_bonus_card": "own"}


def test_for_people_the_plan_is_a_picture_of_the_table() -> None:
    answer = sabot("deal", "pa641a", "hand", "--seats", "1,3", "--wager", "six_card")

    assert answer.code == 0
    assert "Six Card Bonus     1" in answer.out
    assert "dealer's left" in answer.out
    assert "An automated shuffler must be in use [641a.9(a)(1)]." in answer.out


def test_a_fourth_card_has_a_row_of_its_own() -> None:
    answer = sabot("deal", "pa679a", "hand", "--seats", "2", "--wager", "pair_bonus=2")

    assert "seat 2 fourth" in answer.out


def test_a_face_up_card_moves_the_rest_and_is_repeated() -> None:
    answer = sabot("deal", "pa683a", "manual_shoe", "--seats", "1,2", "--face-up", "2", "--json")

    plan = json.loads(answer.out)
    assert plan["order"][:4] == ["seat1@1", "discard^@2", "seat2@3", "seat1@4"]
    assert plan["face_up"] == [2]


def test_another_reading_changes_the_plan() -> None:
    words = ("deal", "pa683a", "manual_shoe", "--seats", "1,2", "--json")

    interleaved = json.loads(sabot(*words, "--reading", "community=interleaved").out)["order"]

    assert interleaved[:3] == ["seat1@1", "seat2@2", "community@3"]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("pa999z", "hand", "--seats", "1"), "E-CONF-009"),
        (("pa682a", "by_mail", "--seats", "1"), "E-DEAL-001"),
        (("pa682a", "hand", "--seats", "7"), "E-DEAL-002"),
        (("pa682a", "hand", "--seats", "1,1"), "E-DEAL-002"),
        (("pa682a", "hand", "--seats", ""), "E-DEAL-002"),
        (("pa682a", "hand", "--seats", "one"), "E-CLI-003"),
        (("pa682a", "hand", "--seats", "1", "--face-up", "2,3"), "E-DEAL-003"),
        (("pa682a", "hand", "--seats", "1", "--face-up", "53"), "E-DEAL-004"),
        (("pa682a", "hand", "--seats", "1", "--wager", "six_card"), "E-DEAL-004"),
        (("pa641a", "hand", "--seats", "1", "--wager", "all_six"), "E-DEAL-004"),
        (("pa641a", "hand", "--seats", "1", "--bonus-card", "community"), "E-DEAL-004"),
        (("pa679a", "hand", "--seats", "1", "--wager", "pair_bonus=2"), "E-DEAL-004"),
        (("pa679a", "hand", "--seats", "1", "--reading", "community"), "E-CLI-003"),
        (("pa679a", "hand", "--seats", "1", "--reading", "mood=good"), "E-HOUSE-003"),
    ],
)
def test_a_deal_that_cannot_be_is_refused(words: tuple[str, ...], code: str) -> None:
    answer = sabot("deal", *words)

    assert answer.code == 2
    assert answer.out == ""
    assert code in answer.err
    assert len(answer.err.splitlines()) == 1
