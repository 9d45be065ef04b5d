"""x.2(b) of the sums and odds that hang on no hand's row: fixed odds, envy bonuses, what is drawn."""

import pytest

from submitting import Changes, sign

ONE_TO_ONE = ("1 to 1",)
ENVY_D_TO_F = {
    "$1": {"Royal flush": ("$1,000",), "Straight flush": ("$300",)},
    "$5": {"Royal flush": ("$5,000",), "Straight flush": ("$1,500",)},
}


def posted(chapter: str, title: str, changes: Changes | None = None) -> dict[str, tuple[str, ...]]:
    """The rows of the one block with this title."""
    (rows,) = [
        block.rows for group in sign(chapter, changes).groups for block in group if block.title == title
    ]
    return dict(rows)


@pytest.mark.parametrize(("chapter", "second"), [("pa641a", "Play"), ("md4cp", "Play"), ("pa682a", "Raise")])
def test_2b_the_odds_of_ante_and_second_wager_are_posted(chapter: str, second: str) -> None:
    assert posted(chapter, f"Ante and {second}") == {"Ante": ONE_TO_ONE, second: ONE_TO_ONE}


@pytest.mark.parametrize("unit", ENVY_D_TO_F)
def test_641a_2b7_five_card_envy_bonuses_are_posted(unit: str) -> None:
    assert posted("pa641a", "Five-Card Envy Bonus", {"progressive_unit": unit}) == ENVY_D_TO_F[unit]


@pytest.mark.parametrize("unit", ENVY_D_TO_F)
def test_md_2b5_envy_bonuses_are_posted(unit: str) -> None:
    assert posted("md4cp", "Envy Bonus", {"progressive_unit": unit}) == ENVY_D_TO_F[unit]


def test_641a_2b7_what_is_drawn_is_posted() -> None:
    assert posted("pa641a", "Magic Card and Lucky Bonus") == {
        "Magic Card": ("20 for 1",),
        "Lucky Bonus": ("5 for 1",),
    }
