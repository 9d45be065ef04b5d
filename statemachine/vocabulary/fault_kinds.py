"""The kinds of fault, as rows: whose rule it is, which policy switches it, who releases it, and how.

Each row says what is wrong in words for reports; ``labels`` has the dealer's short form, ``cures`` says what
is to be done. ``LAW`` is the chapter's own rule, ``POLICY`` is ours beyond the text and may be switched off
by a site.
"""

from typing import NamedTuple

from sabot.rules.chapter import OUR_POLICY
from sabot.statemachine.vocabulary.events import Role

LAW, POLICY = "law", OUR_POLICY


# The columns. ``policy`` is empty where no site may switch the row off. ``section`` is a number of
# 641a; ``-`` is our own. ``needs_retest`` is false where no device could test anything: a person has to
# look, and the floor's word says that somebody did.
class FaultRow(NamedTuple):
    """A kind of fault: whose rule, which policy switches it, who releases it, whether it is retested."""

    kind: str
    basis: str
    policy: str
    section: str
    role: Role
    needs_retest: bool
    words: str


T, F = Role.TECHNICIAN, Role.FLOOR
FAULTS = (
    FaultRow("shuffler_jam", LAW, "", "13(e)", F, True, "shuffler stopped"),
    FaultRow("deck_removed", LAW, "", "5(b)", F, False, "deck removed"),
    # Its release waits for the cover or the sign instead (x.13(g)): ``FaultLatch.verify_release``.
    FaultRow("out_of_order", LAW, "", "13(g)", F, False, "device out of order"),
    FaultRow("unreadable_card", POLICY, "unreadable_card", "13(a)", F, False, "card not read"),
    # One policy for both: a report that never came is a card that nobody read.
    FaultRow("missed_card", POLICY, "unreadable_card", "13(b)", F, False, "card perhaps missed"),
    FaultRow("composition", POLICY, "composition", "5(b)", F, True, "impossible card"),
    FaultRow("deck_color", POLICY, "deck_color", "3(b)(1)", F, True, "card of the other deck"),
    FaultRow("short_stack", POLICY, "short_stack", "13(f)", F, True, "wrong stack"),
    FaultRow("sort_mode", POLICY, "sort_mode", "5(a)", F, True, "device not in play mode"),
    FaultRow("not_emptied", POLICY, "not_emptied", "5(b)", T, True, "cards left in the device"),
    FaultRow("lost_link", POLICY, "lost_link", "-", F, True, "device not heard"),
    FaultRow("contradiction", POLICY, "contradiction", "-", F, True, "sensors contradict"),
    FaultRow("card_out_of_turn", POLICY, "contradiction", "13(b)", F, False, "card out of turn"),
    FaultRow("exit_sensor", POLICY, "contradiction", "-", F, False, "exit told as occupied"),
    FaultRow("exposed_other", POLICY, "", "13(d)", F, False, "card exposed"),
    FaultRow("hit_paid", POLICY, "", "13(c)", F, False, "meter hit of a void round paid"),
    FaultRow("paid_first", POLICY, "", "13(c)", F, False, "payments before the void"),
    FaultRow("void_late", LAW, "", "13(c)", F, False, "a round that is over was void"),
    FaultRow("paid_other", POLICY, "", "11(c)", F, False, "settled seat concerned"),
    FaultRow("device", POLICY, "", "-", T, True, "device fault"),
    # The end of the service is its retest.
    FaultRow("service", POLICY, "", "-", F, True, "service mode"),
    FaultRow("restarted", POLICY, "", "-", F, False, "restarted in a round"),
    FaultRow("slip", POLICY, "", "-", F, False, "program stumbled"),
)
FAULT_ROWS = {row.kind: row for row in FAULTS}
# What the table itself finds or is told by its people; a device has no word for it.
OURS = frozenset(
    {
        "deck_removed",
        "missed_card",
        "out_of_order",
        "exposed_other",
        "hit_paid",
        "paid_first",
        "void_late",
        "paid_other",
        "restarted",
        "service",
        "slip",
    }
)


def kind_of(fault: str) -> str:
    """Return the kind as which a device's fault is latched: its own word if that is a kind for devices."""
    # A device that sends one of our own words has a fault of a
    # device: those rows are released in ways of their own.
    return fault if fault in FAULT_ROWS and fault not in OURS else "device"
