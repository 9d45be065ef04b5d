"""The numbers of Sabot Link in words, and what they are at the table."""

from collections.abc import Mapping

KINDS = {1: "shuffler", 2: "packet shoe", 3: "shuffler and packet shoe", 4: "electronic wagering system"}
CARD_MACHINES, WAGERING_SYSTEMS = frozenset({1, 2, 3}), frozenset({4})
MODES = {1: "play", 2: "sort", 3: "verify", 4: "service"}
COLORS = ("unknown", "red", "blue", "green", "black", "brown", "purple", "yellow")
STOP_CAUSES = {
    1: "jam",
    2: "a door was opened",
    3: "wrong count",
    4: "a card could not be read",
    5: "a card lay face up",
    6: "a card of another color",
    7: "stopped by hand",
    8: "the device was restarted",
    9: "a fault of the device",
}
PLACES = {1: "intake", 2: "reader", 3: "compartments", 4: "exit", 5: "eject"}
# On the way out: a jam there is none of the cycle's, which goes on inside.
OUTLETS = (4, 5)
JAM_CAUSES = {
    1: "two cards at once",
    2: "a bent card",
    3: "a motor stalled",
    4: "a foreign object",
    5: "cause unknown",
}
SERVICE_DOOR = 3
VERDICTS = {
    0: "accepted",
    1: "busy",
    2: "held",
    3: "not in play mode",
    4: "a door is open",
    5: "not enough cards",
    6: "a fault is latched",
    7: "it has no such capability",
    8: "the order makes no sense to it",
    9: "its exit is occupied",
    10: "cards lie inside",
    # Of a wagering system alone: what it was told does not agree with what it has.
    11: "it has it otherwise",
}
JAM_FAULT = 1
FAULT_WORDS = {
    1: "jam",
    2: "a door is open",
    3: "not enough cards",
    4: "a sensor",
    5: "a motor",
    6: "the reader",
    7: "cards left inside",
    8: "its self-test",
    9: "a card of another color",
    10: "a card face up",
    11: "a card not read",
    12: "its store of events is full",
}
# What lifts each of them, for whoever stands before the device after a test that was not good.
LIFTS = {
    1: "take the cards out of where they jam",
    2: "close it",
    3: "lay in the cards that are missing",
    4: "take away what covers it, else have the device serviced",
    5: "take away what blocks it, else have the device serviced",
    6: "clean it, else have the device serviced",
    7: "take all cards out of the device",
    8: "switch the device off and on, else have it serviced",
    9: "take the card of another color out",
    10: "take out the card that lies face up",
    11: "replace the card, or clean the reader",
    12: "leave the link up until all of it was told",
}
SHUT_IT = "the service door is open (close it)"
# The kinds of the table's faults that a device's own fault is; all others are ``device``.
FAULT_KINDS = {3: "short_stack", 7: "not_emptied", 9: "deck_color", 11: "unreadable_card"}
CAPABILITIES = {
    1: "shuffles",
    2: "dispenses",
    4: "counts",
    8: "reads the intake",
    16: "reads stacks",
    32: "sees faces",
    64: "sees colors",
    128: "ejects the stub",
    256: "senses its exit",
    512: "holds two decks",
}
COUNTS, READS_INTAKE, EJECTS, SENSES_EXIT, HOLDS_TWO = 4, 8, 128, 256, 512

_RANKS, _SUITS = "23456789TJQKA", "cdhs"


def capabilities(bits: int) -> tuple[str, ...]:
    """Return the capabilities of a device."""
    return tuple(words for bit, words in CAPABILITIES.items() if bits & bit)


def is_device_fault(fault: int) -> bool:
    """Return whether a fault of the device's own is one that always holds the table."""
    return fault > 0 and fault not in FAULT_KINDS


def remaining(fault: int, names: Mapping[int, str], lifts: Mapping[int, str]) -> str:
    """Return the fault that a test found again, with what lifts it; 0 is one that was not told."""
    if not fault:
        return "it tested itself and is not good, and has told no fault (have it serviced)"
    lift = lifts.get(fault, "its manual says what lifts it")
    return f"{names.get(fault, f'its fault {fault}')} ({lift}, then test again)"


def deck_name(code: int) -> str:
    """Return the table's name of a deck, empty where the device was told none."""
    return chr(code) if code else ""


def card_of(rank: int, suit: int) -> int | None:
    """Return a card as the table counts them, None where it was not read."""
    return (rank - 2) * 4 + suit if rank and suit <= len(_SUITS) - 1 else None


def card_name(card: int) -> str:
    """Return a card's name, for a technician who may see it."""
    return _RANKS[card >> 2] + _SUITS[card & 3] if card >> 2 < len(_RANKS) else "??"
