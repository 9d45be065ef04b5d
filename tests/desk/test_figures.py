"""Handle, win and hold of a day, held against what the devices were told to collect, return and pay."""

import csv
import io
import json
from collections import Counter
from collections.abc import Collection
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from calling import sabot
from journal.shifts import CHAPTERS, Shift, play
from sabot.config import load_chapter
from sabot.desk.commands.report import ROUND_HEADS
from sabot.desk.gaming_day import ByWager, Figures, owner_of
from sabot.firmware.journal import store
from sabot.statemachine.state.ledger import HIT, UNITS, WINNERS
from sabot.statemachine.vocabulary.effects import CreditAccount, PayWager, RecordRound, ReturnWager


def records_of(shift: Shift) -> list[dict[str, Any]]:
    with closing(store.open_for_reading(shift.rooms.journal)) as db:
        return [found for each in store.entries(db) if (found := json.loads(each.body).get("record"))]


def naive(shift: Shift, rounds: Collection[int]) -> Counter[str]:
    """These rounds as a clerk at the table would add them up, from the orders to the people alone."""
    sums, round_ = Counter[str](), Counter[str]()
    for effect in shift.kept.seen:
        match effect:
            case PayWager():
                round_ += Counter(paid=effect.paid or 0, back=effect.back or 0)
            case CreditAccount():
                round_["paid"] += effect.cents
            case ReturnWager():
                round_["back"] += effect.cents or 0
            case RecordRound():
                sums += round_ if effect.number in rounds else Counter()
                round_ = Counter()
    return sums


def placed(record: dict[str, Any]) -> int:
    stakes = [*(bets.values() for bets in record["bets"].values()), *record["raises"].values()]
    return sum(cents or 0 for each in stakes for cents in each)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_x_the_figures_of_a_day_are_what_was_placed_handed_back_and_paid(
    tmp_path: Path, chapter: str
) -> None:
    shift = play(tmp_path, chapter)
    # A round that was finished by hand had no orders: its outcomes were declared afterwards.
    records = [record for record in records_of(shift) if not record["by_hand"]]
    stood = {record["number"]: record for record in records if not record["void"]}
    found, clerk = ByWager(load_chapter(chapter)), naive(shift, stood)
    for record in records:
        found.take(record)
    whole = found.whole

    assert (found.rounds, found.void) == (len(records), len(records) - len(stood))
    assert whole.handle_cents == sum(map(placed, stood.values())) > 0
    assert (whole.returned_cents, whole.paid_cents) == (clerk["back"], clerk["paid"])
    assert whole.win_cents == sum(map(placed, stood.values())) - clerk["back"] - clerk["paid"]
    assert whole.undone_cents == sum(placed(record) for record in records if record["void"])
    hits = shift.table.state.books.ledger.moved.get(WINNERS, {}).get(HIT, 0)
    assert whole.from_meters_cents == hits // UNITS
    assert whole.unknown == 0


def test_x_a_payment_without_a_stake_belongs_to_the_wager_that_earned_it() -> None:
    chapter = load_chapter("pa641a")
    named = {
        name: owner_of(chapter, name) for name in ("ante_bonus", "hand_bonus_player:lucky_bonus", "play")
    }

    assert named == {
        "ante_bonus": "ante",
        "hand_bonus_player:lucky_bonus": "hand_bonus_player",
        "play": "play",
    }
    assert chapter.wagers[owner_of(chapter, "envy:seat2")].envy


def test_x_what_is_no_part_of_the_handle_is_named() -> None:
    figures = Figures()
    line = {"wager": "ante", "stake": 500, "result": "returned", "paid": 0, "back": 500}
    figures.undo(line)
    figures.take(line | {"result": "win", "stake": None, "paid": None, "back": None})
    assert (figures.handle_cents, figures.undone_cents, figures.unknown, figures.hold) == (0, 500, 1, None)

    figures.take(line)
    figures.take(line | {"result": "lose", "back": 0})
    assert (figures.stakes, figures.handle_cents, figures.win_cents) == (2, 1000, 500)
    assert figures.as_json()["hold_percent"] == "50.00"


@pytest.fixture(scope="module")
def shift(tmp_path_factory: pytest.TempPathFactory) -> Shift:
    return play(tmp_path_factory.mktemp("figures"), "pa641a")


def ask(shift: Shift, *words: str) -> str:
    answer = sabot("report", *words, "--state", str(shift.rooms.root))
    assert answer.code == 0, answer.err
    return answer.out


def test_x_a_day_says_the_same_as_text_json_and_csv(shift: Shift) -> None:
    text, told = ask(shift, "day"), json.loads(ask(shift, "day", "--json"))
    rows = list(csv.DictReader(io.StringIO(ask(shift, "day", "--csv"))))

    ante = told["money"]["by_wager"]["ante"]
    by_csv = {row["what"]: row["value"] for row in rows if (row["part"], row["name"]) == ("wager", "ante")}
    assert by_csv == {name: str(value) for name, value in ante.items()}
    assert any(line.split()[:2] == ["ante", str(ante["stakes"])] for line in text.splitlines())
    assert told["meters_cents"] == {
        f"{meter}.{level}": cents
        for meter, levels in shift.table.rooms.shares.meters().items()
        for level, cents in levels.items()
    }
    assert sum(told["faults_by_kind"].values()) == told["counts"].get("faults", 0)
    assert sum(int(row["value"]) for row in rows if row["part"] == "ledger") == 0


def test_x_rounds_are_a_line_for_each_wager(shift: Shift) -> None:
    rows = list(csv.DictReader(io.StringIO(ask(shift, "rounds", "--csv"))))
    told = json.loads(ask(shift, "rounds", "--json"))

    assert tuple(rows[0]) == ROUND_HEADS
    assert len(rows) == len(told) > 10
    money = json.loads(ask(shift, "day", "--json"))["money"]["all"]
    decided = [row for row in rows if not row["void"]]
    assert sum(int(row["stake_cents"]) for row in decided) == money["handle_cents"]


def test_x_a_day_without_an_entry_has_no_numbers_of_entries(shift: Shift) -> None:
    text = ask(shift, "day", "--date", "2001-01-01")

    assert "no entry in the journal" in text
    assert "0 to 0" not in text
    assert ask(shift, "rounds", "--date", "2001-01-01").splitlines() == [",".join(ROUND_HEADS)]
