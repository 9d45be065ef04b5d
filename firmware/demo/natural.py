"""What comes next at a table where nothing goes wrong, phase by phase.

Whatever the script leaves open, the crew does from this table: so a script holds only what is worth showing,
and a shift goes on by itself however its cards fall.
"""

from collections.abc import Callable, Mapping

from sabot.firmware.demo.crew import Crew
from sabot.statemachine import events as ev
from sabot.statemachine.declaring import open_question
from sabot.statemachine.events import Key, Role
from sabot.statemachine.phases import Phase
from sabot.statemachine.shuffling import shuffles_by_device

P = Phase
LOTS = (("L-7731", "red"), ("L-7732", "blue"))
MULTIPLES = {"1": Key.ONE, "2": Key.TWO, "3": Key.THREE}
# A script that never reaches its phase is wrong; the longest way between two lines has far fewer steps.
PATIENCE = 500


def go_on(crew: Crew) -> None:
    """The next step."""
    assert crew.phase in NATURAL, f"the script must say what happens while {crew.phase.value}"
    NATURAL[crew.phase](crew)


def until(crew: Crew, *phases: Phase) -> None:
    """Go on until the table is in one of these phases."""
    for _ in range(PATIENCE):
        if crew.phase in phases:
            return
        go_on(crew)
    raise AssertionError(f"never {phases}, still {crew.phase.value}")


def _ok(crew: Crew) -> None:
    crew.key(Key.OK)


def _open(crew: Crew) -> None:
    crew.send(ev.DealerSignedOn(at=crew.at(), person="Dana"))
    for lot, color in LOTS[: crew.table.setup.decks]:
        crew.send(ev.LotRegistered(at=crew.at(), lot=lot, color=color))
    crew.key(Key.OK)


def _verify_cards(crew: Crew) -> None:
    if not crew.table.state.checklist:
        crew.with_key_switch(Role.FLOOR, "check_devices")
    crew.with_key_switch(Role.FLOOR, "verify_cards")


def _shuffle(crew: Crew) -> None:
    if shuffles_by_device(crew.table):
        crew.finish_shuffle()
    else:
        crew.key(Key.OK)


def _lock(crew: Crew) -> None:
    crew.pack.shuffle(crew.hands)
    crew.hands = {}
    crew.key(Key.LOCK)


def _count_chips(crew: Crew) -> None:
    wagers = crew.table.chapter.wagers
    chips = sum(wagers[name].device == "progressive" for bets in crew.felt.bets.values() for name in bets)
    for _ in range(chips):
        crew.key(Key.PLUS)
    crew.key(Key.OK)


def _stub(crew: Crew) -> None:
    """Meanwhile the shuffler, where it has the other deck, is ready with it."""
    if crew.shuffling and crew.shuffling != crew.table.round.deck:
        crew.finish_shuffle()
    crew.key(Key.OK)


def _answer(crew: Crew) -> None:
    round_ = crew.table.round
    planned = crew.answers.get(round_.asking)
    answer = planned.pop(0) if planned else "1"
    if answer == "fold":
        crew.key(Key.FOLD)
    elif answer in MULTIPLES:
        crew.key(MULTIPLES[answer])
    else:
        wager = crew.table.chapter.contest.wagers[1 + round_.street]
        cents = int(answer.removeprefix("$")) * 100
        crew.send(ev.WagerSensed(at=crew.at(), source="pad", seat=round_.asking, wager=wager, cents=cents))
    crew.key(Key.OK)


def _declare(crew: Crew) -> None:
    """The dealer says the row that the script has, else the last one: nothing of note."""
    key, rows = open_question(crew.table)
    asked = key if key == "dealer" else f"{crew.table.round.asking}.{key}"
    row = crew.declared.pop(asked, rows[-1])
    if row == rows[-1]:
        crew.key(Key.FOLD)
    for _ in range(rows.index(row) % (len(rows) - 1)):
        crew.key(Key.RIGHT)
    crew.key(Key.OK)


def _by_floor(name: str) -> Callable[[Crew], None]:
    return lambda crew: crew.with_key_switch(Role.FLOOR, name)


NATURAL: Mapping[Phase, Callable[[Crew], None]] = {
    P.CLOSED: _open,
    P.INSPECTING: _ok,
    P.VERIFYING: _verify_cards,
    P.SPREAD: _ok,
    P.WASHING: _ok,
    P.SHUFFLING: _shuffle,
    P.CUTTING: _ok,
    P.IDLE: _ok,
    P.BETS_OPEN: _lock,
    P.COUNTING_CHIPS: _count_chips,
    P.DEALING: Crew.deal_once,
    P.STUB: _stub,
    P.DECIDING: _answer,
    P.TURNING: _ok,
    P.DECLARING: _declare,
    P.SETTLING: _ok,
    P.VALIDATING: _by_floor("validate_hit"),
    P.DOCUMENTS: _by_floor("documents"),
    P.CLEARING: _ok,
    P.RETURNING: _ok,
}
