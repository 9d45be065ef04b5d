"""What the table tells people: the dealer's two lines, the lamp of one seat, the spots that are open.

All of it follows from the state. The table compares what it would tell now with what it told last and emits
only the difference, so a prompt can never be forgotten on some path and never says more than the state
holds.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from sabot.rules.payouts import dollars
from sabot.statemachine import chips, dealing, deciding, declaring, settling
from sabot.statemachine.decks import due_decks
from sabot.statemachine.events import Role
from sabot.statemachine.faults import FAULT_ROWS
from sabot.statemachine.phases import Phase
from sabot.statemachine.shuffling import shuffles_by_device

if TYPE_CHECKING:
    from sabot.statemachine.table import Table

WIDTH = 20
Lines = tuple[str, str, str]
Spot = tuple[int, str]
Prompt = Callable[["Table"], Lines]


def fit(text: str) -> str:
    """Plain characters that a display has, at most twenty of them."""
    plain = text.encode("ascii", "replace").decode("ascii")
    return plain[:WIDTH]


def prompt(table: "Table") -> Lines:
    """The dealer's two lines and the paragraph behind them."""
    if table.state.menu is not None:
        first, second, cite = _menu(table)
    elif table.held is not None and table.state.phase not in _SHOWN_WHILE_HELD:
        first, second, cite = _held(table)
    else:
        first, second, cite = _PROMPTS[table.state.phase](table)
    return fit(first), fit(second), cite


def _menu(table: "Table") -> Lines:
    menu = table.state.menu
    assert menu is not None  # asked only when one is open
    title = "FLOOR" if menu.role is Role.FLOOR else "MENU"
    if menu.action:
        action = table.action(menu.action)
        return action.title, menu.values[menu.cursor], table.cite(action.section)
    action = table.action(menu.actions[menu.cursor])
    return f"{title} {menu.cursor + 1}/{len(menu.actions)}", action.title, table.cite(action.section)


def _held(table: "Table") -> Lines:
    held = table.held
    assert held is not None  # the caller looked
    row = FAULT_ROWS[held.kind]
    return f"HELD: {row.words}", f"{held.role} {row.cure}".upper(), held.cite


def _fixed(first: str, second: str, section: str) -> Prompt:
    return lambda table: (first, second, table.cite(section))


def _shuffling(table: "Table") -> Lines:
    cite = table.cite("5(a)")
    due = due_decks(table)
    if due:
        return "CHANGE DECK " + due[0], "FLOOR", table.chapter.deck.rules["change"].cite
    name = table.state.in_shuffler
    if shuffles_by_device(table):
        return f"SHUFFLING DECK {name}", "WAIT", cite
    return f"SHUFFLE DECK {name}", "THEN OK", cite


def _bets_open(table: "Table") -> Lines:
    due = due_decks(table)
    if due:
        return "CHANGE DECK " + due[0], "FLOOR: CHANGE DECK", table.chapter.deck.rules["change"].cite
    seats = len(table.state.bets)
    return "BETS OPEN", f"{seats} SEATS  LOCK=END", table.cite("7(c)")


def _counting(table: "Table") -> Lines:
    counted = table.state.pending.number or 0
    return f"CHIPS: {counted}", f"ACCEPTED: {chips.accepted(table)}  OK", table.cite("8(b)")


def _dealing(table: "Table") -> Lines:
    round_ = table.round
    left = sorted((each for each in round_.plan if each.position > round_.drawn), key=lambda e: e.position)
    cite = table.chapter.plans[round_.method].cite
    if not left:
        return "DEALT", "", cite
    first = left[0]
    place = first.place.replace("seat", "seat ").replace("_", " ").upper()
    up = " FACE UP" if first.face_up else ""
    stack = sum(each.stack == first.stack for each in left)
    what = f"{stack} CARDS TO" if round_.method.startswith("auto_shoe") else f"CARD {first.nth} TO"
    return f"{what}", f"{place}{up}", cite


def _stub(table: "Table") -> Lines:
    if dealing.is_count_due(table):
        return f"COUNT STUB: {table.state.pending.number}", "+ - THEN OK", table.stub_cite
    return "STUB TO RACK", "NOT EXPOSED  OK", table.cite("8(e)")


def _stub_wrong(table: "Table") -> Lines:
    return (
        f"STUB {table.round.stub} NOT {dealing.expected_stub(table)}",
        "OK=MISDEALT FOLD=NO",
        table.cite("8(h)"),
    )


def _deciding(table: "Table") -> Lines:
    pending = table.state.pending
    wager = table.chapter.wagers[deciding.second_wager(table)]
    answer = "FOLD?" if pending.fold else "?"
    if pending.choice:
        answer = "PRESENT" if pending.number is None else dollars(pending.number)
    return f"SEAT {table.round.asking}: {wager.title.upper()}", answer, table.cite("11(b)")


def _turning(table: "Table") -> Lines:
    community = table.chapter.hands.places.get("community", 0)
    if community and table.round.turned < community:
        return f"TURN COMMUNITY {table.round.turned + 1}", "THEN OK", table.cite("11(c)")
    return "REVEAL DEALER", "THEN OK", table.cite("11(c)")


def _declaring(table: "Table") -> Lines:
    key, rows = declaring.open_question(table)
    who = "DEALER" if key == "dealer" else f"S{table.round.asking} {key.replace('_', ' ').upper()}"
    row = rows[table.state.pending.choice % len(rows)]
    return who, row.replace("_", " ").upper(), table.cite("11(c)")


def _settling(table: "Table") -> Lines:
    seat = settling.current_seat(table)
    lines = [line for line in settling.seat_lines(table, seat) if not settling.is_collected(table, line)]
    pays = sum(line.paid or 0 for line in lines)
    keeps = sum((line.stake or 0) - (line.back or 0) for line in lines)
    rest = f"TAKE {dollars(keeps)}" if keeps else "RETURN WAGERS" if lines else "NOTHING LEFT"
    words = f"PAY {dollars(pays)}" if pays else rest
    return f"SEAT {seat}", words, next((line.cite for line in lines), table.cite("11(c)"))


def _validating(table: "Table") -> Lines:
    line = settling.unvalidated(table, settling.current_seat(table))[0]
    return f"HIT SEAT {line.seat}", "FLOOR VALIDATES", line.cite


_PROMPTS: dict[Phase, Prompt] = {
    Phase.CLOSED: _fixed("CLOSED", "OK=RECEIVE CARDS", "4(a)"),
    Phase.INSPECTING: _fixed("INSPECT CARDS", "THEN OK", "4(a)"),
    Phase.VERIFYING: _fixed("FLOOR VERIFIES CARDS", "FLOOR KEY", "4(a)"),
    Phase.SPREAD: _fixed("CARDS SPREAD FACE UP", "PLAYER LOOKED? OK", "4(b)"),
    Phase.WASHING: _fixed("WASH AND STACK", "THEN OK", "4(c)"),
    Phase.SHUFFLING: _shuffling,
    Phase.CUTTING: _fixed("CUT: COVER CARD 10+", "THEN OK", "5(d)"),
    Phase.IDLE: _fixed("NOBODY PLAYING", "PLAYER LOOKED? OK", "5(f)"),
    Phase.BETS_OPEN: _bets_open,
    Phase.COUNTING_CHIPS: _counting,
    Phase.CHIP_MISMATCH: _fixed("CHIPS DIFFER", "FLOOR RESOLVES", "8(b)"),
    Phase.DEALING: _dealing,
    Phase.STUB: _stub,
    Phase.STUB_WRONG: _stub_wrong,
    Phase.DECIDING: _deciding,
    Phase.TURNING: _turning,
    Phase.DECLARING: _declaring,
    Phase.SETTLING: _settling,
    Phase.VALIDATING: _validating,
    Phase.DOCUMENTS: _fixed("DOCUMENTS DUE", "FLOOR RELEASES", "11(c)(5)(iv)"),
    Phase.CLEARING: _fixed("CARDS TO RACK", "IN ORDER, THEN OK", "11(d)"),
    Phase.RETURNING: _fixed("VOID: RETURN ALL", "WAGERS, THEN OK", "13"),
}


# A void round is brought to its end whatever holds the table.
_SHOWN_WHILE_HELD = frozenset({Phase.RETURNING, Phase.CLEARING})


def lit_seat(table: "Table") -> int:
    """The seat whose lamp is lit: the one that is dealt to, asked or settled (0: none)."""
    state = table.state
    if state.round is None or table.held is not None:
        return 0
    if state.phase is Phase.DEALING:
        next_ = min(
            (each for each in state.round.plan if each.position > state.round.drawn),
            key=lambda each: each.position,
            default=None,
        )
        place = next_.place.partition(":")[0] if next_ else ""
        return int(place.removeprefix("seat")) if place.startswith("seat") else 0
    if state.phase in (Phase.DECIDING, Phase.DECLARING):
        return state.round.asking
    if state.phase in (Phase.SETTLING, Phase.VALIDATING):
        return settling.current_seat(table)
    return 0


def open_spots(table: "Table") -> frozenset[Spot]:
    """The spots whose wagers count: before the lock all offered, then one second wager at a time."""
    state, chapter = table.state, table.chapter
    if table.held is not None:
        return frozenset()
    if state.phase is Phase.BETS_OPEN and not due_decks(table):
        names = [
            name
            for name, wager in chapter.wagers.items()
            if not wager.after_deal
            and wager.device != chips.ACCOUNT
            and (not wager.optional or name in table.setup.offers)
        ]
        return frozenset((seat, name) for seat in range(1, table.setup.seat_count + 1) for name in names)
    if state.phase is Phase.DECIDING and table.round.asking:
        return frozenset({(table.round.asking, deciding.second_wager(table))})
    return frozenset()
