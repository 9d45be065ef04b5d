"""The dealer's two lines: the next step, or who is wanted and why.

Each phase has one function from the state to two lines and the paragraph behind them. The first line says
where the table stands, the second what to do; no line is ever longer than a display.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from sabot.rules.payouts import dollars
from sabot.statemachine import byhand, chips, dealing, deciding, declaring, outoforder, settling, stub
from sabot.statemachine.action import Refused
from sabot.statemachine.decks import is_due
from sabot.statemachine.events import Role
from sabot.statemachine.labels import HELD_LINES, place_words, question_words, row_words
from sabot.statemachine.phases import Phase
from sabot.statemachine.settlewords import settling_lines
from sabot.statemachine.shuffling import shuffles_by_device
from sabot.statemachine.state import Hold

if TYPE_CHECKING:
    from sabot.rules.chapter import Wager
    from sabot.rules.plan import Placement
    from sabot.statemachine.table import Table

Lines = tuple[str, str, str]
Prompt = Callable[["Table"], Lines]

_CALLED = {Role.FLOOR: "FLOOR", Role.TECHNICIAN: "TECH"}


def menu_lines(table: "Table") -> Lines:
    """An open list: where one is in it, and what OK would take."""
    menu = table.state.menu
    assert menu is not None  # asked only when one is open
    name = menu.action or menu.actions[menu.cursor]
    action = table.action(name)
    cite = table.cite(action.section)
    if menu.action:
        return action.title, action.words(table, menu.values[menu.cursor]), cite
    title = "FLOOR" if menu.role is Role.FLOOR else "MENU"
    return f"{title} {menu.cursor + 1}/{len(menu.actions)}", action.title, cite


def held_lines(table: "Table") -> Lines:
    """Why the table waits, who is wanted, and what for."""
    held = table.holding()[0]
    why, cure = HELD_LINES[held.kind]
    if _is_put_right(table, held):
        cure = "RELEASE"
    return f"HELD: {why}", f"{_CALLED[held.role]}: {cure}", held.cite


def _is_put_right(table: "Table", held: Hold) -> bool:
    """Whether what the fault asked for is done, and only the word of its role is missing."""
    if held.kind == "restarted":
        return held.retested or table.state.round is None
    if held.kind == "out_of_order":
        return held.device not in table.state.uncovered()
    return held.retested


def _fixed(first: str, second: str, section: str) -> Prompt:
    return lambda table: (first, second, table.cite(section))


# ---------------------------------------------------------------- between rounds


def _closed(table: "Table") -> Lines:
    state = table.state
    second = "OK=RECEIVE CARDS" if len(state.lots) >= state.deck_count else "REGISTER DECKS"
    return "CLOSED", second if state.dealer else "DEALER: SIGN ON", table.cite("4(a)")


def _verifying(table: "Table") -> Lines:
    second = "FLOOR: VERIFY CARDS" if table.state.checklist else "FLOOR: CHECK DEVICES"
    return "CARDS INSPECTED", second, table.cite("4(a)")


def _idle(table: "Table") -> Lines:
    way = "UP" if table.state.spread_up else "DOWN"
    return f"SPREAD FACE {way}", "PLAYER LOOKED? OK", table.cite("5(f)")


def _shuffling(table: "Table") -> Lines:
    name = table.state.in_shuffler
    deck = table.state.decks.get(name)
    if deck is not None and is_due(table, deck):
        return _due(table, name)
    if shuffles_by_device(table):
        return f"SHUFFLING DECK {name}", "WAIT", table.cite("5(a)")
    return f"SHUFFLE DECK {name}", "THEN OK", table.cite("5(a)")


def _due(table: "Table", name: str) -> Lines:
    return f"DECK {name} IS DUE", "FLOOR: CHANGE DECK", table.chapter.deck.rules["change"].cite


def _bets_open(table: "Table") -> Lines:
    state = table.state
    deck = state.decks.get(state.in_play)
    if deck is not None and is_due(table, deck):
        return _due(table, deck.name)
    if not state.dealer:
        return "NO DEALER", "DEALER: SIGN ON", "our policy"
    if not state.checklist:
        return "DEVICES NOT CHECKED", "FLOOR: CHECK DEVICES", "our policy"
    if deck is None or not deck.ready:
        return f"DECK {state.in_play} NOT READY", "FLOOR: RESHUFFLE", table.cite("5(a)")
    if _lacks_device(table):
        return "DEVICE OUT OF ORDER", "FLOOR: CHOOSE METHOD", table.chapter.out_of_order.cite
    return "BETS OPEN", f"{len(state.bets)} SEATS  LOCK=END", table.cite("7(c)")


def _lacks_device(table: "Table") -> bool:
    try:
        outoforder.verify_devices(table)
    except Refused:
        return True
    return False


# ---------------------------------------------------------------- the deal


def _counting(table: "Table") -> Lines:
    counted = table.state.pending.number or 0
    return f"CHIPS: {counted}", f"ACCEPTED: {chips.accepted(table)}  OK", table.cite("8(b)")


def _mismatch(table: "Table") -> Lines:
    first = f"CHIPS {table.round.chips}, WAGERS {chips.accepted(table)}"
    return first, "FLOOR: CHIP MISMATCH", table.cite("8(b)")


def _dealing(table: "Table") -> Lines:
    if dealing.wants_cut(table):
        return "CUT: COVER CARD 10+", "THEN OK", table.cite("5(e)")
    left, cite = dealing.left_to_deal(table), table.chapter.plans[table.round.method].cite
    first, second = _reported(table, left) if dealing.is_reported(table) else _by_hand(left)
    return first, second, cite


def _reported(table: "Table", left: "list[Placement]") -> tuple[str, str]:
    """One card, or one stack, and where it goes."""
    count, round_ = dealing.next_stack(table), table.round
    if round_.ordered and round_.delayed:
        return f"SHOE {round_.delayed}", f"WAIT, THEN {count} CARD{'S' * (count > 1)}"
    first = f"{count} CARDS TO" if count else f"CARD {left[0].nth} TO"
    return first, place_words(left[0].place) + (" FACE UP" if left[0].face_up else "")


def _by_hand(left: "list[Placement]") -> tuple[str, str]:
    """One way around the table; the dealer says when it is done."""
    lap = [each for each in left if each.lap == left[0].lap]
    places = list(dict.fromkeys(each.place for each in lap))
    if len(places) > 1:
        return f"DEAL {len(lap)} CARDS AROUND", "THEN OK"
    what = "FACE UP" if lap[0].face_up else f"{len(lap)} CARDS" if len(lap) > 1 else "1 CARD"
    return f"DEAL {place_words(places[0])}", f"{what}, THEN OK"


def _stub(table: "Table") -> Lines:
    if stub.is_count_due(table):
        return f"COUNT STUB: {table.state.pending.number}", "+ - THEN OK", table.stub_cite
    second = "52 BY SHUFFLER  OK" if stub.waiver(table) else "NOT EXPOSED  OK"
    return "STUB TO RACK", second, table.cite("8(e)")


def _stub_wrong(table: "Table") -> Lines:
    first = f"STUB {table.round.stub} NOT {dealing.expected_stub(table)}"
    return first, "OK=MISDEALT FOLD=NO", table.cite("8(h)")


# ---------------------------------------------------------------- decisions, settlement


def _deciding(table: "Table") -> Lines:
    pending = table.state.pending
    wager = table.chapter.wagers[deciding.second_wager(table)]
    answer = "FOLD?" if pending.fold else _choices(wager)
    if pending.choice:
        answer = "PRESENT" if pending.number is None else dollars(pending.number)
    return f"SEAT {table.round.asking}: {wager.title.upper()}", answer, table.cite("11(b)")


def _choices(wager: "Wager") -> str:
    """What a player may answer."""
    times = wager.times
    assert times is not None  # a second wager has multiples
    most = f"-{times.most}X" if times.most > times.least else ""
    return f"{times.least}X{most} OR FOLD"


def _turning(table: "Table") -> Lines:
    community = table.chapter.hands.places.get("community", 0)
    if table.round.turned < community:
        return f"TURN COMMUNITY {table.round.turned + 1}", "THEN OK", table.cite("11(b)")
    return "REVEAL DEALER", "THEN OK", table.cite("11(c)")


def _declaring(table: "Table") -> Lines:
    key, rows = declaring.open_question(table)
    row = rows[table.state.pending.choice % len(rows)]
    return question_words(key, table.round.asking, table.chapter), row_words(row, rows), table.cite("11(c)")


def _validating(table: "Table") -> Lines:
    line = settling.unvalidated(table, settling.current_seat(table))[0]
    wager = table.chapter.wagers[line.wager]
    light = " LIGHT ON?" if wager.device == chips.PROGRESSIVE else ""
    return f"HIT SEAT {line.seat}{light}", "FLOOR: VALIDATE HIT", line.cite


def _clearing(table: "Table") -> Lines:
    """A hit that people paid by hand is told to the floor before the cards go."""
    if byhand.hits_by_hand(table):
        return "HIT PAID? CALL FLOOR", "CARDS TO RACK, OK", table.cite("11(d)")
    return "CARDS TO RACK", "IN ORDER, THEN OK", table.cite("11(d)")


PROMPTS: Mapping[Phase, Prompt] = {
    Phase.CLOSED: _closed,
    Phase.INSPECTING: _fixed("INSPECT CARDS", "THEN OK", "4(a)"),
    Phase.VERIFYING: _verifying,
    Phase.SPREAD: _fixed("SPREAD IN COLUMNS", "PLAYER LOOKED? OK", "4(b)"),
    Phase.WASHING: _fixed("WASH AND STACK", "FACE DOWN, THEN OK", "4(c)"),
    Phase.SHUFFLING: _shuffling,
    Phase.CUTTING: _fixed("CUT: COVER CARD 10+", "THEN OK", "5(d)"),
    Phase.IDLE: _idle,
    Phase.BETS_OPEN: _bets_open,
    Phase.COUNTING_CHIPS: _counting,
    Phase.CHIP_MISMATCH: _mismatch,
    Phase.DEALING: _dealing,
    Phase.STUB: _stub,
    Phase.STUB_WRONG: _stub_wrong,
    Phase.DECIDING: _deciding,
    Phase.TURNING: _turning,
    Phase.DECLARING: _declaring,
    Phase.SETTLING: settling_lines,
    Phase.VALIDATING: _validating,
    Phase.DOCUMENTS: _fixed("HIT HANDS STAY", "FLOOR: DOCUMENTS", "11(c)(5)(iv)"),
    Phase.CLEARING: _clearing,
    Phase.RETURNING: _fixed("VOID: RETURN ALL", "WAGERS, THEN OK", "13"),
}
