"""Grants are linearizable, seen from the tables alone; the checker finds what is not, and a floor without its key."""

from pathlib import Path
from typing import Any

import pytest

from sabot.floor.core import FloorCore, Verdict
from sabot.floor.money import UNITS
from sabot.floor.state import TableState

from .histories import EACH, RESET, Contributed, Granted, History, check, play
from .keeping import Kept

TABLES = ("T1", "T2", "T3", "T4", "T5")
ROUNDS = 25


@pytest.mark.parametrize("seed", [1, 2])
def test_prog_12_grants_are_the_meter_at_one_moment_of_their_turn(where: str, seed: int) -> None:
    with Kept.linked(where, *TABLES) as kept:
        history, end = play(kept, ROUNDS, seed)

        assert len(history.contributed) == len(TABLES) * ROUNDS
        assert len(history.granted) > 3
        assert check(history, end) == []


def test_prog_6_control_without_the_exactly_once_key_the_checker_finds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A floor that counts a contribution as often as it comes."""
    judge = FloorCore._judge

    def forgetful(desk: FloorCore, table: TableState, message: dict[str, Any], body: bytes) -> Verdict:
        verdict = judge(desk, table, message, body)
        if verdict is Verdict.AGAIN and message["kind"] == "contribution":
            desk.state.books.move("players", "pit.mega", EACH * UNITS, "contribution")
        return verdict

    monkeypatch.setattr(FloorCore, "_judge", forgetful)
    with Kept.linked(str(tmp_path / "floor.db"), *TABLES) as kept:
        history, end = play(kept, ROUNDS, 3)

        assert check(history, end) != []


# ---------------------------------------------------------------- the checker itself


def small() -> History:
    """Two contributions, a grant of both, one more, a grant of it, one more."""
    return History(
        [Contributed(0, 1), Contributed(2, 3), Contributed(6, 7), Contributed(10, 11)],
        [Granted(4, 5, 3, RESET + 2 * EACH), Granted(8, 9, 5, RESET + EACH)],
    )


def test_a_history_that_can_have_been_is_let_through() -> None:
    assert check(small(), RESET + EACH) == []


@pytest.mark.parametrize(
    ("granted", "end"),
    [
        ([Granted(4, 5, 3, RESET + 3 * EACH), Granted(8, 9, 5, RESET + EACH)], RESET),
        ([Granted(4, 5, 3, RESET + EACH), Granted(8, 9, 5, RESET + 2 * EACH)], RESET + EACH),
        ([Granted(4, 5, 5, RESET + EACH), Granted(8, 9, 3, RESET + 2 * EACH)], RESET + EACH),
        ([Granted(4, 5, 3, RESET + 2 * EACH), Granted(8, 9, 5, RESET + EACH)], RESET + 2 * EACH),
        ([Granted(4, 5, 3, RESET + 2 * EACH), Granted(8, 9, 5, RESET + EACH)], RESET),
        ([Granted(4, 5, 3, RESET + 2 * EACH), Granted(8, 9, 3, RESET + EACH)], RESET + EACH),
        ([Granted(4, 5, 3, RESET + 2 * EACH), Granted(8, 9, 5, RESET + 2 * EACH)], RESET),
        ([Granted(4, 5, 3, RESET + 2 * EACH), Granted(8, 9, 5, 0)], RESET * 2 + 2 * EACH),
    ],
)
def test_a_history_that_cannot_have_been_is_found(granted: list[Granted], end: int) -> None:
    assert check(History(small().contributed, granted), end) != []


def test_what_is_under_way_may_be_counted_or_not() -> None:
    contributed = [Contributed(0, 9), Contributed(1, 9)]

    for before in range(3):
        history = History(contributed, [Granted(4, 5, 3, RESET + before * EACH)])
        assert check(history, RESET + (2 - before) * EACH) == []
