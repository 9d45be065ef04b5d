"""Two hands of one name: by the score as poker is played, or by the highest card that the other lacks (R3)."""

import pytest

from sabot.config import load_chapter
from sabot.rules.round import Options
from sabot.rules.settlement import Settlement
from tests.dealt import parse_all


@pytest.mark.parametrize(("reading", "is_higher"), [("poker", False), ("highest_card", True)])
def test_641a_6c_a_pair_of_threes_with_an_ace_against_a_pair_of_nines(reading: str, is_higher: bool) -> None:
    house = Settlement(load_chapter("pa641a"), Options(readings={"tiebreak": reading})).house
    threes, nines = parse_all("3s 3h Ad 7c"), parse_all("9s 9h Kd 6s")

    assert (house.compare(threes, nines) > 0) is is_higher
    assert (house.compare(nines, threes) < 0) is is_higher


@pytest.mark.parametrize("reading", ["poker", "highest_card"])
def test_641a_6b_hands_of_different_names_compare_by_their_names(reading: str) -> None:
    house = Settlement(load_chapter("pa641a"), Options(readings={"tiebreak": reading})).house

    assert house.compare(parse_all("2s 2h 2d 3c"), parse_all("As Ah Kd Kc")) > 0
