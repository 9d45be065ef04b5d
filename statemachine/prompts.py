"""The dealer's two lines: the next step, or who is wanted and why.

Each phase has one function from the state to two lines and the paragraph behind them. The first line says
where the table stands, the second what to do; no line is ever longer than a display.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from sabot.rules.payouts import dollars
from sabot.rules.plan import DISCARD
from sabot.statemachine import (
    answering,
    byhand,
    chips,
    cures,
    dealing,
    declaring,
    idle,
    large,
    late,
    linked,
    opening,
    outoforder,
    reading,
    settling,
    stub,
    turned,
)
from sabot.statemachine.action import Refused
from sabot.statemachine.decks import is_due
from sabot.statemachine.events import Exit, Role
from sabot.statemachine.labels import (
    HELD_LINES,
    WIDTH,
    first_that_fits,
    place_words,
    question_words,
    row_words,
    sum_words,
    wager_words,
)
from sabot.statemachine.phases import Phase
from sabot.statemachine.settlewords import settling_lines
from sabot.statemachine.setup import Shuffler
from sabot.statemachine.shuffling import shuffles_by_device
from sabot.statemachine.state import Deck, GoesBack

if TYPE_CHECKING:
    from sabot.rules.chapter import Wager
    from sabot.rules.plan import Placement
    from sabot.statemachine.table import Table

Lines = tuple[str, str, str]
Prompt = Callable[["Table"], Lines]

# The line that a list stood on may not be taken any more.
GONE = "NOT ANY MORE, < >"
TO_RACK = "CARDS TO RACK"
SIGN_ON, REGISTER, CHANGE = "OK=DEALER SIGN ON", "FLOOR: REGISTER DECK", "FLOOR: CHANGE DECK"


def menu_lines(table: "Table") -> Lines:
    """An open list: where one is in it, and what OK would take."""
    menu = table.state.menu
    assert menu is not None  # asked only when one is open
    name = menu.action or menu.actions[menu.cursor]
    action = table.action(name)
    cite = table.cite(action.section)
    if menu.action:
        return action.title, GONE if menu.gone else action.words(table, menu.values[menu.cursor]), cite
    title = "FLOOR" if menu.role is Role.FLOOR else "MENU"
    return f"{title} {menu.cursor + 1}/{len(menu.actions)}", GONE if menu.gone else action.title, cite


def held_lines(table: "Table") -> Lines:
    """Why the table waits, who is wanted, and what for: the next step of the cure."""
    held = table.holding()[0]
    why, todo = HELD_LINES[held.kind], cures.steps(table, held)
    call = cures.call_words(todo)
    if held.kind == "card_out_of_turn":
        call = f"{cures.CALLED[held.role]}: {_whither(table, todo[0].short)}"
    elif held.kind == reading.MISSED:
        many, whose = reading.lines_of_missed(table)
        why, call = many or why, whose or call
    return f"HELD: {why}", call, held.cite


def _whither(table: "Table", next_card: str) -> str:
    """Where a card goes that left the shoe unexposed when none was due (x.13(b))."""
    if dealing.is_before_deal(table) or reading.is_due(table):
        return next_card
    is_dealt = table.state.round is not None and table.state.phase is not Phase.DEALING
    return "TO THE STUB" if is_dealt else "TO ITS DECK"


def _fixed(first: str, second: str, section: str) -> Prompt:
    return lambda table: (first, second, table.cite(section))


# ---------------------------------------------------------------- between rounds


def _closed(table: "Table") -> Lines:
    state = table.state
    second = "OK=RECEIVE CARDS" if len(state.lots) >= state.deck_count else REGISTER
    return "CLOSED", second if state.dealer else SIGN_ON, table.cite("4(a)")


def _inspecting(table: "Table") -> Lines:
    name = opening.deck_at_hand(table)
    return f"INSPECT DECK {name}" if name else "INSPECT CARDS", "THEN OK", table.cite("4(a)")


def _spread(table: "Table") -> Lines:
    name = opening.deck_at_hand(table)
    return f"SPREAD {name}{' ' * bool(name)}IN COLUMNS", "PLAYER LOOKED? OK", table.cite("4(b)")


def _washing(table: "Table") -> Lines:
    name = opening.deck_at_hand(table)
    return f"WASH {name}{' ' * bool(name)}AND STACK", "FACE DOWN, THEN OK", table.cite("4(c)")


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
    return (*_shuffle_words(table, name), table.cite("5(a)"))


def _shuffle_words(table: "Table", name: str) -> tuple[str, str]:
    if shuffles_by_device(table) and table.state.blocked == name:
        return "CARDS IN THE MACHINE", "TAKE THEM OUT"
    if shuffles_by_device(table) and table.state.put_in == name:
        return f"PUT DECK {name} IN", "TO BE SHUFFLED"
    if shuffles_by_device(table):
        return f"SHUFFLING DECK {name}", "WAIT"
    return f"SHUFFLE DECK {name}", "THEN OK"


def _due(table: "Table", name: str) -> Lines:
    second = CHANGE if cures.fitting_lots(table, name) else REGISTER
    return f"DECK {name} IS DUE", second, table.chapter.deck.rules["change"].cite


def _bets_open(table: "Table") -> Lines:
    state = table.state
    deck = state.decks.get(state.in_play)
    if deck is not None and is_due(table, deck):
        return _due(table, deck.name)
    return _not_yet(table, deck) or _open(table)


def _not_yet(table: "Table", deck: Deck | None) -> Lines | None:
    """What is missing before a round, None where nothing is."""
    state = table.state
    if not state.dealer:
        return "NO DEALER", SIGN_ON, "our policy"
    if not state.checklist:
        return "DEVICES NOT CHECKED", "FLOOR: CHECK DEVICES", "our policy"
    if deck is None or not deck.ready:
        return f"DECK {state.in_play} NOT READY", "FLOOR: RESHUFFLE", table.cite("5(a)")
    if _lacks_device(table):
        return "DEVICE OUT OF ORDER", "FLOOR: CHOOSE METHOD", table.chapter.out_of_order.cite
    if idle.is_idle(table):
        return "NO PLAY: EMPTY SHOE", "AND RACK, SPREAD, OK", table.cite("5(f)")
    return None


def _open(table: "Table") -> Lines:
    """Until somebody has a wager the display says where the deck goes; a machine has it inside."""
    state, shut = table.state, linked.shut_words(table) if table.links else ""
    first = f"BETS, {shut}" if shut else "BETS OPEN"
    if state.bets or table.setup.one_machine or state.shuffler == Shuffler.RESHUFFLER:
        return first, f"{len(state.bets)} SEATS  LOCK=END", table.cite("7(c)")
    where = "HAND" if state.method == "hand" else "SHOE"
    return first, f"DECK {state.in_play} INTO {where}", table.cite("8(a)")


def _lacks_device(table: "Table") -> bool:
    try:
        outoforder.verify_devices(table)
    except Refused:
        return True
    return False


# ---------------------------------------------------------------- the deal


def hand_back_lines(table: "Table", back: GoesBack) -> Lines:
    """What did not stand at the lock, came after it or was taken then: whose, which wager, how much."""
    what = wager_words(back.wager, table.chapter)
    whole = what if back.cents is None else f"{what} {dollars(back.cents)}"
    words = first_that_fits(
        *(f"LATE: {each}" for each in (whole, what) if back.way == late.LATE), whole, what
    )
    first = f"PUT BACK SEAT {back.seat}" if back.way == late.TAKEN else f"RETURN SEAT {back.seat}"
    return first, words, table.cite("7(c)" if back.way else "7(d)")


def _counting(table: "Table") -> Lines:
    """What is counted, and nothing of what is expected."""
    return f"COUNT CHIPS: {_counted(table)}", "+ - THEN OK", table.cite("8(b)")


def _counted(table: "Table") -> str:
    """The count that is being entered; it starts empty."""
    number = table.state.pending.number
    return "-" if number is None else str(number)


def _mismatch(table: "Table") -> Lines:
    """The dealer may count again, so only the floor sees both numbers."""
    counted = table.round.chips
    is_floor = Role.FLOOR.value in table.state.unlocked
    first = f"CHIPS {counted}, WAGERS {chips.accepted(table)}" if is_floor else f"{counted} CHIPS: NOT EQUAL"
    return first, "FLOOR: CHIP MISMATCH", table.cite("8(b)")


def _dealing(table: "Table") -> Lines:
    round_ = table.round
    if dealing.waits_for_deck(table):
        return _deck_first(table)
    if round_.to_do:
        return TO_DO[round_.to_do](table)
    if dealing.lies_in_exit(table):
        return _exit(table)
    is_reported = dealing.is_reported(table)
    first, second = _reported(table) if is_reported else _by_hand(dealing.left_to_deal(table))
    return first, second, table.chapter.plans[round_.method].cite


def _deck_first(table: "Table") -> Lines:
    """A shuffle or a cut that was ordered comes before the first card."""
    if dealing.wants_shuffle(table):
        return _reshuffling(table)
    return *_cut_words(table), table.cite("5(e)")


def _reshuffling(table: "Table") -> Lines:
    """The shuffle that the floor directed, or what comes before it where the shuffler is out of order."""
    name = table.round.deck
    if dealing.SHUFFLER in table.state.uncovered():
        return f"SHUFFLE DECK {name}", "FLOOR: COVER OR SIGN", table.chapter.out_of_order.cite
    if dealing.lacks_shuffler(table):
        cite = table.chapter.plans[table.round.method].needs_shuffler
        return f"SHUFFLE DECK {name}", "FLOOR: CHOOSE METHOD", cite
    return *_shuffle_words(table, name), table.cite("5(a)")


def _to_rack(table: "Table") -> Lines:
    return "FACE-UP CARD TO RACK", "UNUSED, THEN OK", table.chapter.irregularities["one_face_up"].cite


def _cutting(table: "Table") -> Lines:
    return *_cut_words(table), table.cite("5(d)")


def _cut_words(table: "Table") -> tuple[str, str]:
    """Return how deep the cover card goes, and where it and all above it go (x.5(d))."""
    return f"CUT: COVER CARD {table.chapter.deck.cut_least_from_top}+", "ABOVE TO BOTTOM, OK"


def _reported(table: "Table") -> tuple[str, str]:
    """One card, or one stack, and where it goes."""
    round_ = table.round
    if dealing.is_automated(table):
        stack = dealing.stack_left(table)
        if round_.ordered and round_.delayed == dealing.BY_EXIT:
            is_last = round_.drawn and round_.exit != dealing.TAKEN
            return _lying(table) if is_last else ("EMPTY THE EXIT", f"THEN {len(stack)} CARDS")
        if round_.ordered and round_.delayed:
            return f"SHOE {round_.delayed}", f"WAIT, THEN {len(stack)} CARD{'S' * (len(stack) > 1)}"
        return _stack_lines(stack)
    card = table.laid.order[round_.drawn]
    return f"CARD {card.nth} TO", place_words(card.place) + (" FACE UP" if card.face_up else "")


def _lying(table: "Table", ok: str = "") -> tuple[str, str]:
    """The stack that lies in the exit, and where it goes; divided, the lines say how."""
    first, second = _stack_lines(dealing.last_stack(table))
    second = f"{second}{', ' * bool(ok)}{ok}"
    if first.endswith("CARDS TO"):
        return "TAKE THE STACK", second
    return first, second if len(second) <= WIDTH else f"DIVIDE IT, THEN {ok}"


def _exit(table: "Table") -> Lines:
    """A stack lies in the exit; where nobody sees it taken the dealer says so."""
    ok = "OK" if table.round.exit == Exit.UNSENSED else ""
    return (*_lying(table, ok), table.chapter.plans[table.round.method].cite)


def _stack_lines(stack: "list[Placement]") -> tuple[str, str]:
    """A stack, and how the dealer divides it where it is for several places: the most cards first."""
    placed = [each for each in stack if each.place != DISCARD]
    count, rack = len(stack), len(stack) - len(placed)
    up = _up(count, rack, placed)
    places = [place for place, _ in Counter(each.place for each in placed).most_common()] or ["rack"]
    if len(places) == 1 and rack in (0, count):
        return f"{count} CARDS TO", place_words(places[0]) + up
    rest = [*map(place_words, places[1:]), *([f"{rack} TO RACK"] if rack else [])]
    return f"{count} CARDS TO {place_words(places[0])}{up}", ", ".join(rest)


def _up(count: int, rack: int, placed: "list[Placement]") -> str:
    """Whether a card of a stack is turned face up, and which."""
    if not any(each.face_up for each in placed):
        return ""
    if rack or len({each.place for each in placed}) > 1:
        return " UP"
    return " FACE UP" if count == 1 else ", BOTTOM UP"


def _by_hand(left: "list[Placement]") -> tuple[str, str]:
    """One way around the table; the dealer says when it is done."""
    lap = [each for each in left if each.lap == left[0].lap]
    places = list(dict.fromkeys(each.place for each in lap))
    if len(places) > 1:
        return f"DEAL {len(lap)} CARDS AROUND", "THEN OK"
    what = "FACE UP" if lap[0].face_up else f"{len(lap)} CARDS" if len(lap) > 1 else "1 CARD"
    return f"DEAL {place_words(places[0])}", f"{what}, THEN OK"


def _stub(table: "Table") -> Lines:
    if dealing.lies_in_exit(table):
        return _exit(table)
    if stub.is_count_due(table):
        return _count_stub(table)
    is_in_shoe = table.round.method != "hand" and not _is_in_hand(table)
    is_waived = bool(stub.waiver(table))
    return "STUB TO RACK", _STUB_LINES[is_in_shoe, is_waived], table.cite("8(e)")


# Where the stub is taken from, and whether the shuffler's count of the deck waives this one.
_STUB_LINES = {
    (True, True): "FROM SHOE (52)  OK",
    (True, False): "FROM SHOE UNSEEN  OK",
    (False, True): "52 BY SHUFFLER  OK",
    (False, False): "NOT EXPOSED  OK",
}


def _is_in_hand(table: "Table") -> bool:
    """Whether the stub was taken out of an automated shoe to deal the rest of it by hand (x.10(c))."""
    last = table.laid.order[-1]
    return table.round.method.startswith("auto_shoe") and not last.stack


def _count_stub(table: "Table") -> Lines:
    return f"COUNT STUB: {_counted(table)}", "< > 10  + - 1   OK", table.stub_cite


def _stub_wrong(table: "Table") -> Lines:
    """That it is wrong, and not what would be right: the dealer may count again."""
    return f"STUB {table.round.stub}: WRONG", "OK=MISDEALT FOLD=NO", table.cite("8(h)")


# ---------------------------------------------------------------- decisions, settlement


def _deciding(table: "Table") -> Lines:
    """What is entered for the seat that is asked; chips and key side by side where they differ."""
    pending, seat, cite = table.state.pending, table.round.asking, table.cite("11(b)")
    wager, number = table.chapter.wagers[answering.second_wager(table)], answering.amount(table)
    unknown = f"{pending.choice}X" if pending.choice else "PRESENT"
    shown = unknown if number is None else sum_words("", number)
    if answering.differs(table) and not pending.counts:
        felt, keyed = sum_words("FELT", pending.felt or 0), sum_words("KEYED", pending.number or 0)
        return (
            first_that_fits(f"S{seat} {felt} <", f"{felt} <", felt),
            first_that_fits(f"{keyed} >", keyed),
            cite,
        )
    if pending.fold:
        answer = "FOLD? CHIPS GO BACK" if answering.has_chips(table) else "FOLD?"
    elif pending.counts:
        answer = first_that_fits(f"{shown} {pending.counts.upper()}, OK", shown)
    else:
        answer = shown if pending.choice or answering.has_chips(table) else _choices(wager)
    return f"SEAT {seat}: {wager.title.upper()}", answer, cite


def _choices(wager: "Wager") -> str:
    """What a player may answer."""
    times = wager.times
    assert times is not None  # a second wager has multiples
    most = f"-{times.most}X" if times.most > times.least else ""
    return f"{times.least}X{most} OR FOLD"


def _turning(table: "Table") -> Lines:
    """The next card to turn, and what folds forfeited, which is collected before it (x.11(c))."""
    if table.round.sealed:
        return "WAIT FOR THE DRAW", "GAME SYSTEM OPENS IT", table.cite("12(g)(3)")
    community, second = table.chapter.hands.places.get("community", 0), _forfeits(table)
    if table.round.turned < community:
        return f"TURN COMMUNITY {table.round.turned + 1}", second, table.cite("11(b)")
    # The contest is void, and no wager that stands is settled by the dealer's hand.
    if not turned.dealer_turned(table):
        return "DEALER NOT TURNED", "OPTIONAL WAGERS, OK", table.cite("13(d)")
    return "REVEAL DEALER", second, table.cite("11(c)")


def _forfeits(table: "Table") -> str:
    """Whether folded cards go to the rack first, or forfeited wagers alone: an option keeps its cards."""
    round_ = table.round
    folds = [] if table.contest_is_void else [each for each in round_.folded if each not in round_.collected]
    if all(map(table.has_cards_left, folds)):
        return "FORFEITS TAKEN? OK" if folds else "THEN OK"
    return "FOLDS IN RACK? OK"


def _declaring(table: "Table") -> Lines:
    """The question, and the row under the cursor; it opens on a line that is no answer."""
    question = declaring.open_question(table)
    row = declaring.chosen_row(table, question)
    second = (
        row_words(question.key, row) if row else "CHOOSE < >, THEN OK" if question.rows else "TAKE BACK: BACK"
    )
    return question_words(question.key, question.seat, table.chapter), second, table.cite("11(c)")


def _validating(table: "Table") -> Lines:
    line = settling.due(table).awaited[0]
    if not large.is_on_device(table, line):
        return large.payment_words(line), "FLOOR: VALIDATE HIT", line.cite
    if linked.does_wait(table):
        return linked.waiting_lines(table, line)
    wager = table.chapter.wagers[line.wager]
    light = " LIGHT ON?" if wager.device == chips.PROGRESSIVE else ""
    return f"HIT SEAT {line.seat}{light}", "FLOOR: VALIDATE HIT", line.cite


def _clearing(table: "Table") -> Lines:
    """What people settled by hand the floor enters before the cards go; a void says where they go."""
    round_ = table.round
    if round_.void and round_.deck not in table.state.decks:
        return "DECK OFF THE TABLE", "ALL CARDS, THEN OK", round_.void
    if round_.void:
        is_machine = round_.irregularity == "shoe_jam"
        return TO_RACK, "OUT OF SHOE TOO, OK" if is_machine else "THEN RESHUFFLE, OK", round_.void
    if byhand.unpriced(table) is not None:
        return _how_much(table)
    still = len(byhand.open_stakes(table))
    if still:
        return f"{still} STAKE{'S' * (still > 1)} BY HAND", "FLOOR: SETTLED HOW?", table.cite("-")
    if byhand.hits_by_hand(table):
        return "HIT PAID? CALL FLOOR", "CARDS TO RACK, OK", table.cite("11(d)")
    return TO_RACK, "IN ORDER, THEN OK", table.cite("11(d)")


def _how_much(table: "Table") -> Lines:
    """The sum that the floor enters, in cents, for a stake that was paid by hand."""
    line, number = byhand.unpriced(table), table.state.pending.number
    assert line is not None  # the caller looked
    words = f"S{line.seat} {wager_words(line.wager, table.chapter)}"
    if not byhand.takes_digits(table):
        second = "FLOOR: HOW MUCH?"
    else:
        second = "DIGITS IN CENTS, OK" if number is None else f"{dollars(number)}, OK"
    return first_that_fits(f"{words} PAID", words), second, table.cite("-")


# What the dealer puts away before the next card.
TO_DO: Mapping[str, Prompt] = {
    dealing.TO_TRAY: _fixed("CHIPS TO TRAY", "THEN OK", "8(b)"),
    dealing.TO_RACK: _to_rack,
}


def _returning(table: "Table") -> Lines:
    """All stakes go back, and what was paid before comes back, one by one."""
    cite, paid = table.round.void or table.cite("13"), table.round.take_back
    if not paid:
        return "VOID: RETURN ALL", "WAGERS, THEN OK", cite
    at = table.state.pending.choice % len(paid)
    each = paid[at]
    words = f"S{each.seat} {wager_words(each.wager, table.chapter)}"
    if each.cents is not None:
        in_short = f"S{each.seat} {dollars(each.cents)}"
        words = first_that_fits(f"{words} {dollars(each.cents)}", in_short, words)
    return f"TAKE BACK {at + 1}/{len(paid)} < >", words, cite


PROMPTS: Mapping[Phase, Prompt] = {
    Phase.CLOSED: _closed,
    Phase.INSPECTING: _inspecting,
    Phase.VERIFYING: _verifying,
    Phase.SPREAD: _spread,
    Phase.WASHING: _washing,
    Phase.SHUFFLING: _shuffling,
    Phase.CUTTING: _cutting,
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
    Phase.RETURNING: _returning,
    Phase.LAST_COUNT: _count_stub,
    Phase.LAST_WRONG: _stub_wrong,
}
