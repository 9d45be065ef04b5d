"""The checker of histories: what can have been is let through, everything else is found."""

import random
from collections.abc import Callable

import pytest

from .linear import CONTRIBUTED, GRANTED, NEVER, RESET, TOOK_BACK, Deed, History, check

MEGA, MAJOR, MINOR = RESET


def gave(said: float, heard: float, wagers: int = 1) -> Deed:
    return Deed(CONTRIBUTED, said, heard, wagers)


def back(said: float, heard: float, wagers: int = 1) -> Deed:
    return Deed(TOOK_BACK, said, heard, wagers)


def won(said: float, heard: float, entry: int, cents: int, level: int = 0) -> Deed:
    return Deed(GRANTED, said, heard, 0, level, entry, cents)


def small() -> History:
    """Two wagers of one table, one of another, a grant of all, one more, a grant of it by the other."""
    return History(
        {
            "T1": [gave(0, 1, 2), won(4, 5, 3, MEGA + 30), gave(6, 7)],
            "T2": [gave(2, 3), won(8, 9, 5, MEGA + 10)],
        },
        (MEGA, MAJOR + 32, MINOR + 12),
    )


def test_a_history_that_can_have_been_is_let_through() -> None:
    assert check(small()) == []
    assert check(History()) == []


CHANGES: dict[str, Callable[[History], object]] = {
    "a wager more than there were": lambda h: h.tables["T1"].__setitem__(1, won(4, 5, 3, MEGA + 40)),
    "a wager less than was acknowledged": lambda h: h.tables["T1"].__setitem__(1, won(4, 5, 3, MEGA + 20)),
    "the other order of entries": lambda h: h.tables["T1"].__setitem__(1, won(4, 5, 6, MEGA + 30)),
    "the same entry twice": lambda h: h.tables["T1"].__setitem__(1, won(4, 5, 5, MEGA + 30)),
    "the same amount to both": lambda h: h.tables["T2"].__setitem__(1, won(8, 9, 5, MEGA + 30)),
    "a grant before its wager": lambda h: h.tables["T2"].__setitem__(1, won(5.5, 5.9, 5, MEGA + 10)),
    "a cent too many at the end": lambda h: setattr(h, "end", (MEGA + 1, MAJOR + 32, MINOR + 12)),
    "a level that was forgotten": lambda h: setattr(h, "end", (MEGA, MAJOR + 24, MINOR + 12)),
    "an acknowledged wager that is nowhere": lambda h: h.tables["T2"].insert(1, gave(3.2, 3.5)),
    "a void that gave nothing back": lambda h: h.tables["T1"].append(back(10, 11)),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_history_that_cannot_have_been_is_found(what: str) -> None:
    history = small()
    CHANGES[what](history)

    assert check(history)


def test_what_is_under_way_may_be_counted_or_not() -> None:
    for before in range(3):
        under_way = {"T1": [gave(0, 9)], "T2": [gave(1, 9)], "T3": [won(4, 5, 3, MEGA + 10 * before)]}
        end = (MEGA + 10 * (2 - before), MAJOR + 16, MINOR + 6)
        assert check(History(under_way, end)) == []


def test_what_was_never_answered_may_be_nowhere_or_there() -> None:
    for wagers in (0, 1):
        end = (MEGA + 10 * wagers, MAJOR + 8 * wagers, MINOR + 3 * wagers)
        assert check(History({"T1": [gave(0, NEVER)]}, end)) == []
    assert check(History({"T1": [gave(0, 1)]}))


def test_a_void_takes_no_meter_below_its_reset() -> None:
    """What another table has won meanwhile the house bears."""
    tables = {"T1": [gave(0, 1, 2), back(4, 5, 2)], "T2": [won(2, 3, 2, MEGA + 20)]}
    assert check(History(tables, (MEGA, MAJOR, MINOR))) == []
    assert check(History(tables, (MEGA - 20, MAJOR, MINOR)))


def test_random_histories_pass_and_with_one_amount_changed_they_do_not() -> None:
    """An order is made first, then stretched to overlapping spans: it must be found again."""
    found = 0
    for seed in range(150):
        chance = random.Random(seed)
        history = _made(chance)
        assert check(history) == [], seed
        grants = [
            (t, n)
            for t, deeds in history.tables.items()
            for n, each in enumerate(deeds)
            if each.what == GRANTED
        ]
        if not grants:
            continue
        table, place = chance.choice(grants)
        deed = history.tables[table][place]
        history.tables[table][place] = deed._replace(cents=deed.cents + chance.choice((-1, 1)))
        assert check(history), seed
        found += 1
    assert found > 100


def _made(chance: random.Random) -> History:
    meters, history = list(RESET), History({f"T{number}": [] for number in range(4)})
    until = dict.fromkeys(history.tables, 0.0)
    for moment in range(1, 40):
        table = chance.choice(list(history.tables))
        if until[table] > moment:
            continue
        said, heard = moment - chance.random() * 0.5, moment + chance.random() * 6
        said, until[table] = max(said, until[table]), heard
        if chance.random() < 0.7:
            wagers = chance.randint(1, 7)
            meters = [m + s * wagers for m, s in zip(meters, (10, 8, 3), strict=True)]
            history.tables[table].append(gave(said, heard, wagers))
        else:
            level = chance.randrange(3)
            history.tables[table].append(won(said, heard, moment, meters[level], level))
            meters[level] = RESET[level]
    history.end = tuple(meters)
    return history
