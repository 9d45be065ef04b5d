"""The paytables, typed in from the texts and from nowhere else.

Odds are kept as their text, because a wager of unknown value is settled by that text: "9 to 1"
leaves the stake with the player, "9 for 1" does not, "10% of meter" names the level it draws on,
"$100000" is an amount whatever the stake.
"""

from __future__ import annotations

Odds = dict[str, str]
Tables = dict[str, Odds]


def columns(rows: str, **letters: str) -> Tables:
    """A column of "to 1" numbers for each paytable letter, in the order of the rows."""
    return {
        letter: column(rows, [f"{number} to 1" for number in numbers.split()])
        for letter, numbers in letters.items()
    }


def texts(rows: str, **letters: str) -> Tables:
    """The same for columns whose cells are not all of one kind."""
    return {letter: column(rows, cells.split(", ")) for letter, cells in letters.items()}


def column(rows: str, cells: list[str]) -> Odds:
    return dict(zip(rows.split(), cells, strict=True))


FOUR_ROWS = "four_aces four_of_a_kind straight_flush three_of_a_kind"
FIVE_ROWS = "royal_flush straight_flush four_of_a_kind full_house flush straight three_of_a_kind"

# 641a.12(b), MD 12.B
ANTE_BONUS: Odds = {
    "four_of_a_kind": "25 to 1",
    "straight_flush": "20 to 1",
    "three_of_a_kind": "2 to 1",
}

# 641a.12(c), MD 12.C
ACES_UP = columns(
    "four_of_a_kind straight_flush three_of_a_kind flush straight two_pair pair_of_aces",
    A="50 30 9 6 4 2 1",
    B="50 30 7 6 5 2 1",
    C="50 40 8 5 4 3 1",
    D="50 40 8 6 4 2 1",
    E="50 30 8 6 4 2 1",
    F="50 40 7 5 4 3 1",
)

# 641a.12(d)(1)
PROG4 = texts(
    FOUR_ROWS,
    A="100% of meter, 300 for 1, 100 for 1, 9 for 1",
    B="100% of meter, 300 for 1, 100 for 1, 15 for 1",
)
# 641a.12(d)(3): dollars "for 1"
PROG4_SEED = {"A": {"main": 5_000}, "B": {"main": 1_000}}

# 641a.12(d)(5): dollars by the cents of the receiver's own wager
ENVY4: dict[str, dict[int, dict[str, int]]] = {
    "A": {
        100: {"four_aces": 100, "four_of_a_kind": 10, "straight_flush": 5},
        500: {"four_aces": 500, "four_of_a_kind": 50, "straight_flush": 25},
    },
    "B": {
        100: {"four_aces": 100, "four_of_a_kind": 25},
        500: {"four_aces": 500, "four_of_a_kind": 125},
    },
}

# 641a.12(e)(1)
PROG5 = texts(
    FIVE_ROWS,
    A="100% of meter, 10% of meter, 300 for 1, 50 for 1, 40 for 1, 30 for 1, 9 for 1",
    B="100% of mega, 100% of major, 300 for 1, 50 for 1, 40 for 1, 30 for 1, 9 for 1",
    C="100% of mega, 100% of major, 100% of minor, 50 for 1, 40 for 1, 30 for 1, 10 for 1",
    D="100% of mega, 100% of major, 100% of minor, 50 for 1, 40 for 1, 30 for 1, 9 for 1",
)
# 641a.12(e)(3): dollars "for 1"
PROG5_SEED = {
    "A": {"main": 10_000},
    "B": {"mega": 10_000, "major": 1_000},
    "C": {"mega": 10_000, "major": 1_000, "minor": 250},
    "D": {"mega": 10_000, "major": 1_000, "minor": 250},
}
# 641a.12(e)(5)
ENVY5: dict[int, dict[str, int]] = {
    100: {"royal_flush": 1_000, "straight_flush": 300},
    500: {"royal_flush": 5_000, "straight_flush": 1_500},
}

# 641a.12(f)
BAD_BEAT_641A = columns(
    "four_of_a_kind straight_flush three_of_a_kind flush straight two_pair",
    A="25000 10000 100 25 15 4",
    B="10000 5000 100 25 15 4",
)

# 641a.12(g)(1) and (3)
HAND_BONUS: Odds = {
    "royal_flush": "100% of meter",
    "straight_flush": "10% of meter",
    "four_of_a_kind": "500 for 1",
    "full_house": "100 for 1",
    "flush": "50 for 1",
}
MAGIC_CARD, LUCKY_BONUS = "20 for 1", "5 for 1"

# 641a.12(h), 679a.12(g), 682a.12(f), 683a.12(e)
SIX_CARD = columns(
    "royal_flush straight_flush four_of_a_kind full_house flush straight three_of_a_kind",
    A="1000 200 50 25 20 10 5",
    B="1000 200 50 25 15 10 5",
    C="1000 200 100 20 15 9 8",
    D="1000 200 100 20 15 10 7",
) | columns(
    "six_card_royal_diamonds six_card_royal_other "
    "royal_flush straight_flush four_of_a_kind full_house flush straight three_of_a_kind",
    E="200000 20000 1000 200 50 20 15 10 5",
)

# MD 12.D(1)
MD_PROGRESSIVE = texts(
    FOUR_ROWS,
    A="100% of meter, 300 for 1, 100 for 1, 9 for 1",
    B="100% of meter, 300 for 1, 100 for 1, 15 for 1",
) | texts(
    FIVE_ROWS,
    C="100% of meter, 10% of meter, 300 for 1, 50 for 1, 40 for 1, 30 for 1, 9 for 1",
    D="100% of major, 100% of minor, 300 for 1, 50 for 1, 40 for 1, 30 for 1, 9 for 1",
    E="100% of mega, 100% of major, 100% of minor, 50 for 1, 40 for 1, 30 for 1, 10 for 1",
    F="100% of mega, 100% of major, 100% of minor, 50 for 1, 40 for 1, 30 for 1, 9 for 1",
)
# MD 12.D(3)(b): the least that the operator's own reset may be, in dollars
MD_LEAST_RESET = {
    "A": {"main": 5_000},
    "B": {"main": 1_000},
    "C": {"main": 10_000},
    "D": {"major": 1_000, "minor": 250},
    "E": {"mega": 10_000, "major": 1_000, "minor": 250},
    "F": {"mega": 10_000, "major": 1_000, "minor": 250},
}

# MD 12.F and 12.G, C as it is printed (M1)
MD_ENVY: dict[str, dict[int, dict[str, int]]] = {
    "A": {
        100: {"four_aces": 100, "four_of_a_kind": 10, "straight_flush": 5},
        500: {"four_aces": 500, "four_of_a_kind": 50, "straight_flush": 25},
    },
    "B": {
        100: {"four_aces": 100, "four_of_a_kind": 25},
        500: {"four_aces": 500, "four_of_a_kind": 125},
    },
    "C": {
        100: {"four_aces": 1_000, "four_of_a_kind": 300},
        500: {"four_aces": 5_000, "four_of_a_kind": 1_500},
    },
    "D": {
        100: {"royal_flush": 1_000, "straight_flush": 300},
        500: {"royal_flush": 5_000, "straight_flush": 1_500},
    },
    "E": {
        100: {"royal_flush": 1_000, "straight_flush": 300},
        500: {"royal_flush": 5_000, "straight_flush": 1_500},
    },
    "F": {
        100: {"royal_flush": 1_000, "straight_flush": 300},
        500: {"royal_flush": 5_000, "straight_flush": 1_500},
    },
}

# MD 12.H
_MD_SIX_CARD_ODDS: Odds = {
    "royal_flush": "1000 to 1",
    "straight_flush": "200 to 1",
    "four_of_a_kind": "50 to 1",
    "full_house": "20 to 1",
    "flush": "15 to 1",
    "straight": "10 to 1",
    "three_of_a_kind": "5 to 1",
}
MD_SIX_CARD: Tables = {
    "A": {"super_royal_diamonds": "$1000000", "super_royal_other": "$100000"} | _MD_SIX_CARD_ODDS,
    "B": {"super_royal_diamonds": "$100000", "super_royal_other": "$100000"} | _MD_SIX_CARD_ODDS,
}

# 679a.12(b): "Flush or lower" is whatever is not named above it
PLAY_679A: Odds = {
    "mini_royal": "10 to 1",
    "straight_flush": "6 to 1",
    "three_of_a_kind": "5 to 1",
    "straight": "2 to 1",
}
# 679a.12(c)
BAD_BEAT_679A = columns(
    "straight_flush three_of_a_kind straight",
    A="12 10 4",
    C="6 5 2",
) | columns(
    "straight_flush three_of_a_kind straight flush",
    B="12 10 4 1",
    D="6 5 2 1",
)
# 679a.12(d)
PRIME_679A: Odds = {"same_color_player_dealer": "4 to 1", "same_color_player": "3 to 1"}
# 679a.12(e)
PAIR_BONUS: Odds = {
    "mini_royal": "50 to 1",
    "straight_flush": "40 to 1",
    "three_of_a_kind": "30 to 1",
    "straight": "6 to 1",
    "flush": "3 to 1",
    "pair": "1 to 1",
}
# 679a.12(f)
PAIR_BONUS_TWO = columns(
    "mini_royal straight_flush three_of_a_kind straight flush pair",
    A="100 80 60 12 6 1",
    B="75 60 45 10 5 2",
    C="75 50 40 8 4 2",
    D="75 50 40 8 4 1",
)

# 682a.12(b), the multiple of the ante that "for 1" names
WIN_BONUS = {"four_of_a_kind": 25, "straight_flush": 20, "three_of_a_kind": 2}
# 682a.12(c)
BAD_BEAT_682A = columns(
    "four_of_a_kind straight_flush three_of_a_kind",
    A="25 20 2",
    B="50 40 5",
    C="100 50 5",
    D="100 50 10",
)
# 682a.12(d)
PRIME_682A = columns("five_same_color four_same_color", A="6 1", B="5 1")
# 682a.12(e)
ACES_BONUS = columns(
    "four_aces four_of_a_kind royal_flush straight_flush three_aces three_of_a_kind "
    "flush straight two_pair two_aces",
    A="500 100 50 30 20 10 5 4 2 1",
    B="500 100 40 30 15 10 5 4 2 1",
    C="500 100 50 40 25 10 5 3 2 1",
    D="500 100 50 30 20 10 5 3 2 1",
    E="500 100 50 20 15 10 5 3 2 1",
    F="50 50 30 30 7 7 6 5 2 1",
    G="50 50 30 30 9 9 6 4 2 1",
    H="50 50 40 40 8 8 5 4 3 1",
)

# 683a.12(a)
_MAIN_683A = columns(
    "royal_flush straight_flush four_of_a_kind full_house flush straight three_of_a_kind "
    "pair_jacks_or_better",
    A="500 100 40 10 6 4 3 1",
    B="500 100 40 11 7 4 3 1",
    C="500 100 40 11 7 5 3 1",
)
_TWO_PAIR_683A = {"A": "2 to 1", "B": "3 to 2", "C": "3 to 2"}
MAIN_683A: Tables = {
    letter: odds | {"two_pair": _TWO_PAIR_683A[letter], "pair_6s_to_10s": "push"}
    for letter, odds in _MAIN_683A.items()
}
# 683a.12(b)
POCKET = columns(
    "pair_of_aces ace_face_suited ace_face_unsuited pair_2s_to_kings",
    A="30 20 10 5",
    B="25 20 10 5",
    C="30 20 10 4",
)
# 683a.12(c)
BOARD = columns(
    "mini_royal straight_flush three_of_a_kind straight flush pair",
    A="40 40 30 6 4 1",
    B="40 40 30 5 4 1",
    C="50 40 30 5 4 1",
    D="50 40 30 6 3 1",
)
# 683a.12(d)
_LO_BALL = columns("high_7 high_8 high_9 high_10 high_jack", A="100 50 15 5 1", B="100 50 10 5 1")
LO_BALL: Tables = {
    "A": _LO_BALL["A"] | {"high_queen": "loss"},
    "B": _LO_BALL["B"] | {"high_queen": "push"},
}
