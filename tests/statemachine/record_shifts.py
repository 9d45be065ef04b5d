"""Recorded shifts: one file of events for each chapter, and beside it the effects that each event had.

    python -m tests.statemachine.record_shifts --write     records them anew
    python -m tests.statemachine.record_shifts             says whether the files are what would be recorded

The files are samples for ``sabot replay`` and a record of what the table did when they were made: a change
of the table that changes an effect shows here first, and is looked at before the shifts are recorded anew.
Each shift has another way of dealing, another level of knowledge, and irregularities of its own.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from sabot.statemachine.state.setup import Knowledge, Setup, Shuffler
from sabot.statemachine.state.snapshot import setup_json
from sabot.statemachine.vocabulary.codec import effect_json, event_json
from sabot.statemachine.vocabulary.events import (
    DeviceFaulted,
    DeviceJammed,
    DeviceRetested,
    DrawMade,
    Key,
    LinkLost,
    LinkRestored,
    Resumed,
    ShufflerStopped,
)

from .shift import Shift
from .tables import table_setup

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sabot.statemachine.vocabulary.effects import Effect
    from sabot.statemachine.vocabulary.events import Event

FOLDER = Path(__file__).parents[1] / "data" / "shifts"


# ---------------------------------------------------------------- the stories


def four_card_poker(shift: Shift) -> None:
    """Two decks and a reading shoe: a hit, a card face up, a chip too few, an exposed dealer's card."""
    shift.open_table()
    shift.bet(2, ante=1000, prog4=100, aces_up=500)
    shift.bet(5, ante=2500, prog4=100, six_card=500)
    shift.bet(6, ante=1000, prog4=100)
    shift.account(5, hand_bonus_player=300)
    shift.lock()
    shift.send(DrawMade, source="game system", magic_card=50, lucky=5)
    shift.bet(3, ante=1000)
    shift.hand_back()
    shift.deal(seat2="As Ah Ad Ac 2h")
    shift.reveal({2: 3, 5: 1, 6: "fold"})
    shift.settle_all()
    shift.next_round()

    _bet_and_lock(shift)
    shift.draw()
    shift.menu("CARD FACE UP")
    shift.deal()
    shift.reveal({2: {"play": 2000}, 5: "fold"})
    shift.settle_all()
    shift.next_round()

    shift.bet(1, ante=1000, prog4=100)
    shift.bet(4, ante=1000, prog4=100)
    shift.lock(chips=1)
    shift.floor("CHIP MISMATCH", "4 prog4 down")
    shift.deal()
    shift.menu("IRREGULARITY", "dealer_exposed")
    shift.next_round()
    shift.floor("CLOSE TABLE")


def maryland(shift: Shift) -> None:
    """Dealt by hand, nothing is read: hands are declared, the shuffler stops, a deck comes to its end."""
    shift.open_table()
    shift.play({1: {"ante": 2000, "progressive": 100}, 7: {"ante": 1000, "aces_up": 500}}, {1: 2, 7: 1})
    shift.send(ShufflerStopped, deck="A", cause="jam at the exit")
    shift.send(DeviceRetested, device="shuffler", fault="shuffler_jam", good=True)
    shift.floor("RELEASE")
    shift.floor("RESHUFFLE")
    shift.get_ready()
    shift.play({3: {"ante": 1000}, 4: {"ante": 1000}}, {3: "fold"}, otherwise=3)
    shift.wait(4 * 3600 - 500)
    shift.wait(600)
    shift.register()
    shift.floor("CHANGE DECK", "A")
    shift.verify_cards()
    shift.wash()
    shift.get_ready()
    shift.floor("CLOSE TABLE")


def three_card_prime(shift: Shift) -> None:
    """An automated shoe that reads its stacks: it jams, and its link is lost."""
    shift.open_table()
    shift.play({1: {"ante": 1000, "prime": 500}, 4: {"ante": 500, "pair_bonus": 500}}, {1: "fold"})
    _bet_and_lock(shift)
    shift.draw()
    shift.send(DeviceJammed, device="shoe", cause="stack stuck in the chute")
    shift.send(DeviceRetested, device="shoe", fault="device", good=True)
    shift.technician("RELEASE")
    shift.next_round()
    shift.send(LinkLost, device="shoe", reason="silent for 2 s")
    shift.send(LinkRestored, device="shoe")
    shift.floor("RELEASE")
    shift.play({2: {"ante": 1000, "all_six": 500}})
    shift.floor("CLOSE TABLE")


def four_card_prime(shift: Shift) -> None:
    """A shoe that only counts, a shuffler that does not: a stub of a wrong count, an exposed card."""
    shift.open_table()
    for seat in range(1, 5):
        shift.play({seat: {"ante": 1000, "prime": 500}, 6: {"ante": 500}})
    _bet_and_lock(shift)
    shift.deal_cards()
    shift.count_stub(30)
    shift.press(Key.BACK)
    shift.count_stub()
    shift.reveal()
    shift.settle_all()
    shift.next_round()
    shift.bet(2, ante=1000, aces_bonus=500)
    shift.lock()
    shift.deal()
    shift.menu("IRREGULARITY", "dealer_exposed")
    shift.reveal()
    shift.settle_all()
    shift.next_round()
    shift.floor("CLOSE TABLE")


def cajun_stud(shift: Shift) -> None:
    """A shoe that reshuffles after each round: three streets, a device's fault, restarts in a round."""
    shift.open_table()
    shift.play({2: {"ante": 1000, "pocket": 500}, 5: {"ante": 1000, "board": 500, "lo_ball": 500}}, {2: 3})
    _bet_and_lock(shift)
    shift.deal()
    shift.answer(2, 1)
    shift.send(Resumed, down_s=42.0)
    shift.floor("CONFIRM ROUND")
    shift.reveal(otherwise=2)
    shift.settle_all()
    shift.next_round()
    shift.send(DeviceFaulted, device="pad", fault="contradiction", detail="seat 3 says chip and no chip")
    shift.send(DeviceRetested, device="pad", fault="contradiction", good=True)
    shift.floor("RELEASE")
    shift.bet(3, ante=1000)
    shift.bet(6, ante=None, all_six=500)
    shift.lock()
    shift.deal()
    shift.answer(3, 2)
    shift.send(Resumed, down_s=3.0)
    shift.floor("TAKE OVER", "kept")
    shift.next_round()
    shift.floor("CLOSE TABLE")


def _bet_and_lock(shift: Shift) -> None:
    shift.bet(2, ante=1000)
    shift.bet(5, ante=1000)
    shift.lock()


STORIES: dict[str, tuple[Callable[[Shift], None], Setup]] = {
    "pa641a": (four_card_poker, table_setup("pa641a", decks=2)),
    "md4cp": (maryland, table_setup("md4cp", method="hand")),
    "pa679a": (three_card_prime, table_setup("pa679a", method="auto_shoe")),
    "pa682a": (
        four_card_prime,
        table_setup("pa682a", method="auto_shoe", knowledge=Knowledge.COUNT_ONLY, shuffler=Shuffler.PLAIN),
    ),
    "pa683a": (cajun_stud, table_setup("pa683a", method="auto_shoe_reshuffle")),
}


# ---------------------------------------------------------------- the files


class RecordedShift(Shift):
    """A shift that keeps the effects of each event apart."""

    def __init__(self, setup: Setup) -> None:
        self.answers: list[list[Effect]] = []
        super().__init__(setup=setup)

    def handle(self, event: Event) -> list[Effect]:
        effects = super().handle(event)
        self.answers.append(list(effects))
        return effects


def record(chapter: str) -> RecordedShift:
    """A whole shift of a chapter."""
    story, setup = STORIES[chapter]
    shift = RecordedShift(setup)
    story(shift)
    return shift


def files(chapter: str) -> Iterator[tuple[Path, str]]:
    """The files of a shift and what should stand in them."""
    shift = record(chapter)
    events = [
        {"table": setup_json(shift.setup)},
        *(event_json(each, with_secrets=True) for each in shift.events),
    ]
    yield FOLDER / f"{chapter}.jsonl", _lines(events)
    yield (
        FOLDER / f"{chapter}.effects.jsonl",
        _lines([[effect_json(e) for e in each] for each in shift.answers]),
    )


def _lines(values: list[object]) -> str:
    return "".join(json.dumps(value) + "\n" for value in values)


def main(argv: list[str]) -> int:
    """Write the files, or say which of them is another one."""
    stale = 0
    for path, text in (each for chapter in STORIES for each in files(chapter)):
        if argv == ["--write"]:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        elif path.read_text(encoding="utf-8") != text:
            stale = 1
            print(f"{path.name} is not what would be recorded now")
    return stale


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
