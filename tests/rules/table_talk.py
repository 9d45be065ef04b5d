"""The words of the floor, so that a test reads as the dealer would say it.

`settle("pa641a", seat(3, "As Ad 9c 7h 2s", ante=1000, play=3000), dealer=LOW)` settles a round as the command
would; `told[3, "ante"]` is what became of a wager. Paytables stand in the tests as the law prints them, with a
hand for each row: `printed` makes one case of each cell, and `meaning` says what the cell means without asking
the program.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

import sabot.config
from sabot.rules.rankings import PokerRanking, Ranking
from sabot.rules.round import Options, outcome_json
from sabot.rules.round_json import read_round
from sabot.rules.settlement import House, Settlement
from sabot.rules.settlement.house import choosable
from tests.dealt import parse_all

if TYPE_CHECKING:
    from sabot.rules.chapter import Chapter

Json = dict[str, Any]
Levels = dict[str, int]
Result = tuple[str, int | None, int | None, str | None]
Test = Callable[..., None]

ALL = ("pa641a", "md4cp", "pa679a", "pa682a", "pa683a")
LISTS = ("dealer", "community")
FOLD: Json = {"fold": True}
# What a player did after the deal, and the other fields of a seat that are not wagers.
DECISIONS = ("play", "raises", "fold")
SEAT_FIELDS = ("player", "fourth", "abandoned", "decision")


def law(chapter_id: str) -> Chapter:
    """The chapter, asked for anew: a test holds what the loader says now."""
    return sabot.config.load_chapter(chapter_id)


# ---------------------------------------------------------------- rounds


def seat(number: int, cards: str = "", **said: Any) -> Json:
    """A betting position: wagers by name, and what the player did (`play=`, `raises=`, `fold=True`)."""
    decision = {name: said.pop(name) for name in DECISIONS if name in said}
    fields = {name: said.pop(name) for name in SEAT_FIELDS if name in said}
    made: Json = {"seat": number, "wagers": said, **fields}
    made |= {"cards": cards.split()} if cards else {}
    return made | ({"decision": decision} if decision else {})


def round_of(chapter_id: str, *seats: Json, letters: str = "", **given: Any) -> Json:
    """A round as JSON; paytable A everywhere but for the letters given (`aces_up=B prog4=B`)."""
    options: Json = {"paytables": all_a(chapter_id) | dict(each.split("=") for each in letters.split())}
    for name in ("progressive_unit", "meter_reset", "payout_limit", "pair_bonus_card", "readings"):
        if name in given:
            options[name] = given.pop(name)
    if given.get("pair_card"):
        given["pair_bonus_card"] = given.pop("pair_card")
    layout = {name: _place(name, what) for name, what in given.items()}
    return {"chapter": chapter_id, "options": options, "seats": list(seats), **layout}


def all_a(chapter_id: str) -> dict[str, str]:
    """Paytable A for each paytable that leaves a choice (envy follows its progressive)."""
    chapter = law(chapter_id)
    return dict.fromkeys((name for name in choosable(chapter) if name not in chapter.envy), "A")


def _place(name: str, what: Any) -> Any:
    several = name in LISTS or (name == "all_six" and len(what) > 3)
    return what.split() if isinstance(what, str) and several else what


def settle(chapter_id: str, *seats: Json, **given: Any) -> Told:
    """Settle a round and tell what became of it."""
    return settle_json(round_of(chapter_id, *seats, **given))


def settle_json(record: Json) -> Told:
    """Settle a round given as JSON, all the way from its fields to those of the outcome."""
    round_, settlement = read_round(record, law(record["chapter"]), Settlement, {})
    return Told(outcome_json(settlement.settle(round_)))


class Told:
    """An outcome that can be asked."""

    def __init__(self, outcome: Json) -> None:
        self.outcome = outcome
        self.lines: list[Json] = outcome["lines"]
        self.void: str | None = outcome["void"]
        self.meters: dict[str, dict[str, int]] = outcome["meters"]
        self.hands: dict[str, str] = outcome["hands"]
        self.readings: dict[str, str] = outcome["readings"]

    def line(self, number: int, wager: str) -> Json:
        """The only line of a wager at a seat."""
        found = [line for line in self.lines if (line["seat"], line["wager"]) == (number, wager)]
        assert len(found) == 1, (number, wager, self.lines)
        return found[0]

    def __getitem__(self, asked: tuple[int, str]) -> Result:
        """(result, paid, stake back, row)."""
        line = self.line(*asked)
        return line["result"], line["paid"], line["back"], line["row"]

    def has(self, number: int, wager: str) -> bool:
        """Whether there is such a line at all."""
        return any((line["seat"], line["wager"]) == (number, wager) for line in self.lines)

    def cite(self, number: int, wager: str) -> str:
        """The paragraph of a line."""
        cite: str = self.line(number, wager)["cite"]
        return cite

    def wagers(self, number: int) -> list[str]:
        """The lines of a seat in the order settled."""
        return [line["wager"] for line in self.lines if line["seat"] == number]


def won(paid: int, row: str = "win", back: int = 0) -> Result:
    """What `told[seat, wager]` is for a winner."""
    return "win", paid, back, row


LOST = ("lose", 0, 0, None)
FORFEIT = ("forfeit", 0, 0, None)


def returned(stake: int) -> Result:
    """What `told[seat, wager]` is for a stake that goes back."""
    return "returned", 0, stake, None


# ---------------------------------------------------------------- rankings


def ranking(chapter_id: str, name: str, **readings: str) -> Ranking:
    """A ranking of the chapter under these readings."""
    chapter = law(chapter_id)
    house = House(chapter, Options(readings=readings))
    return house._ranking(chapter.rankings[name], house.readings)


def poker(chapter_id: str, name: str, **readings: str) -> PokerRanking:
    """A ranking that makes poker hands."""
    made = ranking(chapter_id, name, **readings)
    assert isinstance(made, PokerRanking)
    return made


def score(rank: Ranking, cards: str) -> int:
    return rank.score(parse_all(cards))


def hand(rank: Ranking, cards: str) -> str:
    """The name of a hand."""
    return rank.name(score(rank, cards))


# ---------------------------------------------------------------- printed paytables


class Case(NamedTuple):
    """One cell of a printed paytable, with a hand that makes its row."""

    text: str
    row: str
    cards: tuple[str, ...]
    letter: str
    cell: str

    def first(self, size: int) -> str:
        """The player's own cards, dealt first."""
        return " ".join(self.cards[:size])

    def rest(self, size: int) -> str:
        """The cards shared with others."""
        return " ".join(self.cards[size:])

    def is_paid(self, told: Told, wager: str, cite: str, stake: int, meters: Levels | None = None) -> None:
        """The wager at seat 1 was settled as the cell says, with this paragraph and in these words."""
        assert told[1, wager] == meaning(self.cell, stake, self.row, meters)
        assert told.cite(1, wager) == cite
        if self.cell not in ("push", "loss"):
            assert told.line(1, wager)["says"] == f"{self.text} pays {self.cell}"

    def is_bonus(self, told: Told, line: str, cite: str, paid: int) -> None:
        """A payment at seat 1 that has no stake of its own."""
        assert told[1, line] == won(paid, self.row)
        assert (told.cite(1, line), told.line(1, line)["stake"]) == (cite, 0)
        assert told.line(1, line)["says"] == f"{self.text} pays {self.cell}"

    def times(self, base: int) -> int:
        """What the odds of the cell make of a stake."""
        paid = meaning(self.cell, base, self.row)[1]
        assert paid is not None
        return paid


def meaning(cell: str, stake: int, row: str, meters: Levels | None = None) -> Result:
    """(result, paid, back, row) of a printed cell."""
    if cell in ("push", "loss"):
        return ("push", 0, stake, row) if cell == "push" else ("lose", 0, 0, row)
    if cell.startswith("$"):
        return won(dollars(cell), row, back=stake)
    if "%" in cell:
        assert meters is not None
        percent, level = cell.split("% of ")
        return won(meters["main" if level == "meter" else level] * int(percent) // 100, row)
    number, word, per = cell.replace(",", "").split()
    return won(stake * int(number) // int(per), row, back=stake if word == "to" else 0)


def dollars(text: str) -> int:
    """Cents of `$1,000` and of `$1,000 for 1`."""
    return int(text.split(maxsplit=1)[0].replace("$", "").replace(",", "")) * 100


def cases(table: str) -> list[Case]:
    """The cells of a printed table: text | row | cards | one cell a letter; the first line names the letters."""
    head, *rows = [line for line in table.strip().splitlines() if line.strip()]
    letters = [each.strip() for each in head.split("|")[3:]]
    made: list[Case] = []
    for line in rows:
        text, row, cards, *cells = [each.strip() for each in line.split("|")]
        assert len(cells) == len(letters), line
        made += [
            Case(text, row, tuple(cards.split()), letter, cell)
            for letter, cell in zip(letters, cells, strict=True)
        ]
    return made


def printed(table: str, *, with_absent: bool = False) -> Callable[[Test], Test]:
    """A case for each cell; `-` means that the letter has no such row, and comes only when asked for."""
    chosen = [case for case in cases(table) if (case.cell == "-") is with_absent]
    ids = [f"{case.letter}-{case.row}" for case in chosen]
    return pytest.mark.parametrize("case", chosen, ids=ids)
