"""A player's answer while it is entered: the dealer's key beside the chips that the pad feels (x.11(b)).

Either alone is an answer. Where both are there and differ the dealer says which counts, and the record keeps
both: a pad may be wrong, and so may a finger. A pad that feels presence only leaves the keyed multiple as it
is. Chips of an answer that was never confirmed are no wager; they go back when the player folds or leaves,
or when the round ends for the contest.
"""

from typing import TYPE_CHECKING

from sabot.statemachine.action import Refused
from sabot.statemachine.chips import give_back
from sabot.statemachine.events import Key
from sabot.statemachine.phases import Phase

if TYPE_CHECKING:
    from sabot.rules.chapter import Times
    from sabot.statemachine.table import Table

MULTIPLES = {Key.ONE: 1, Key.TWO: 2, Key.THREE: 3}
FELT, KEYED = "felt", "keyed"
_WHICH = {Key.LEFT: FELT, Key.RIGHT: KEYED}


def second_wager(table: "Table") -> str:
    """The wager that is asked for now."""
    return table.chapter.contest.wagers[1 + table.round.street]


def times_of(table: "Table") -> "Times":
    """The multiples of the Ante that the wager that is asked for may have."""
    times = table.chapter.wagers[second_wager(table)].times
    assert times is not None  # a second wager has multiples
    return times


def ante_of(table: "Table") -> int | None:
    """The Ante of the seat that is asked, None where its value is not known."""
    return table.round.bets[table.round.asking]["ante"]


# ---------------------------------------------------------------- what is entered


def has_chips(table: "Table") -> bool:
    """Whether the pad feels chips on the spot of the seat that is asked."""
    return table.state.phase is Phase.DECIDING and table.state.pending.felt != 0


def is_keyed(table: "Table") -> bool:
    """Whether the dealer has keyed an answer that is not confirmed."""
    pending = table.state.pending
    return pending.fold or bool(pending.choice)


def amount(table: "Table") -> int | None:
    """The wager as it stands: what is felt, what is keyed, or whichever of both counts."""
    pending = table.state.pending
    if not pending.choice or (pending.felt and pending.number is None):
        return pending.felt
    is_felt = pending.counts == FELT and differs(table)
    return pending.felt if is_felt else pending.number


def differs(table: "Table") -> bool:
    """Whether the chips and the key say different amounts."""
    pending = table.state.pending
    return bool(pending.choice) and bool(pending.felt) and pending.number not in (None, pending.felt)


# ---------------------------------------------------------------- entering it


def feel(table: "Table", cents: int | None) -> None:
    """The pad feels so much on the spot."""
    pending = table.state.pending
    pending.felt, pending.counts = cents, ""


def _key(table: "Table", number: int | None, choice: int, *, fold: bool = False) -> None:
    pending = table.state.pending
    pending.number, pending.choice, pending.fold, pending.counts = number, choice, fold, ""


def enter_multiple(table: "Table", key: Key) -> None:
    """A short cut to a whole multiple of the Ante."""
    wager, times, multiple = table.chapter.wagers[second_wager(table)], times_of(table), MULTIPLES[key]
    if not times.least <= multiple <= times.most:
        raise Refused(f"{wager.title} is {times.least} to {times.most} times the Ante ({wager.cite})")
    ante = ante_of(table)
    _key(table, None if ante is None else ante * multiple, multiple)


def enter_step(table: "Table", way: int) -> None:
    """One smallest chip more or less than what stands, within the multiples."""
    ante, times, stands = ante_of(table), times_of(table), amount(table)
    if ante is None:
        raise Refused("the Ante's value is not known")
    step = ante if times.whole else table.setup.smallest_chip_cents
    number = stands + way * step if stands else ante * times.least
    _key(table, min(max(number, ante * times.least), ante * times.most), 1)


def enter_fold(table: "Table") -> None:
    """The player folds."""
    _key(table, None, 0, fold=True)


def clear_key(table: "Table") -> None:
    """What was keyed is taken away; the chips still lie there."""
    _key(table, None, 0)


def choose_which(table: "Table", key: Key) -> None:
    """The dealer says whether the chips or the key is right."""
    if not differs(table):
        raise Refused(f"{key} means nothing now")
    table.state.pending.counts = _WHICH[key]


# ---------------------------------------------------------------- confirming it


def verify(table: "Table") -> None:
    """Raise unless something is entered, chips and key agree, and the amount is within the multiples."""
    pending, ante = table.state.pending, ante_of(table)
    if pending.fold:
        return
    if not pending.choice and pending.felt == 0:
        raise Refused("enter the wager or FOLD first")
    if differs(table) and not pending.counts:
        why = f"felt {pending.felt}, keyed {pending.number}: which counts?"
        raise Refused(f"{why} ({table.cite('11(b)')})")
    wager, times, number = table.chapter.wagers[second_wager(table)], times_of(table), amount(table)
    if number is None or ante is None:
        return
    in_range = ante * times.least <= number <= ante * times.most
    if not in_range or (times.whole and number % ante):
        raise Refused(f"{wager.title} must be {times.least} to {times.most} times {ante} ({wager.cite})")


def note_entry(table: "Table") -> None:
    """Where two amounts differ both stay in the record; where there is none, the multiple that was keyed."""
    pending, round_ = table.state.pending, table.round
    words = ""
    if differs(table):
        words = f"felt {pending.felt}, keyed {pending.number}; {pending.counts} counts"
    elif pending.choice and amount(table) is None:
        words = f"keyed {pending.choice} times an ante of unknown value"
    if words:
        spot = f"seat {round_.asking} {second_wager(table)}"
        round_.note(table.now, f"{spot}: {words}", table.cite("11(b)"), round_.dealer)


def return_chips(table: "Table", why: str) -> None:
    """Chips of an answer that was never confirmed go back to the player."""
    if not has_chips(table):
        return
    seat, wager, cents = table.round.asking, second_wager(table), table.state.pending.felt
    cite = table.cite("11(b)")
    give_back(table, seat, wager, cents, cite)
    value = "chips" if cents is None else str(cents)
    table.round.note(table.now, f"seat {seat} {wager} felt {value} goes back: {why}", cite)
    feel(table, 0)


def take_over_chips(table: "Table") -> None:
    """People go on by hand: chips that lie there are the wager, whether it was confirmed or not."""
    if not has_chips(table):
        return
    round_, felt = table.round, table.state.pending.felt
    value = "chips" if felt is None else str(felt)
    words = f"seat {round_.asking} {second_wager(table)} felt {value}: taken over as made"
    round_.note(table.now, words, table.cite("11(b)"))
    round_.raises.setdefault(round_.asking, []).append(felt)
