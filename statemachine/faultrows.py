"""The kinds of fault, as rows: whose rule it is, which policy switches it, who releases it, and how.

Each row says what is wrong and what is to be done in words for reports; ``prompts`` has the dealer's short
form. ``LAW`` is the chapter's own rule, ``POLICY`` is ours beyond the text and may be switched off by a site.
"""

from typing import NamedTuple

from sabot.statemachine.events import Role

LAW, POLICY = "law", "our policy"


class FaultRow(NamedTuple):
    """A kind of fault: whose rule, which policy switches it, who releases it, whether it is retested."""

    kind: str
    basis: str
    policy: str
    section: str
    role: Role
    needs_retest: bool
    words: str
    cure: str


T, F = Role.TECHNICIAN, Role.FLOOR
FAULTS = (
    FaultRow("shuffler_jam", LAW, "", "13(e)", F, True, "shuffler stopped", "clear it, retest, reshuffle"),
    FaultRow("deck_removed", LAW, "", "5(b)", F, False, "deck removed", "bring another deck"),
    FaultRow("out_of_order", LAW, "", "13(g)", F, False, "device out of order", "cover or sign it"),
    FaultRow("unreadable_card", POLICY, "unreadable_card", "13(a)", F, False, "card not read", "look at it"),
    FaultRow("composition", POLICY, "composition", "5(b)", F, True, "impossible card", "test or void"),
    FaultRow(
        "deck_color", POLICY, "deck_color", "3(b)(1)", F, True, "card of the other deck", "test or void"
    ),
    FaultRow("short_stack", POLICY, "short_stack", "13(f)", F, True, "wrong stack", "count it, retest"),
    FaultRow("sort_mode", POLICY, "sort_mode", "5(a)", F, True, "device not in play mode", "shuffle again"),
    FaultRow("not_emptied", POLICY, "not_emptied", "5(b)", T, True, "cards left in the device", "empty it"),
    FaultRow("lost_link", POLICY, "lost_link", "-", F, True, "device not heard", "plug it in"),
    FaultRow("contradiction", POLICY, "contradiction", "-", F, True, "sensors contradict", "look, retest"),
    FaultRow(
        "card_out_of_turn", POLICY, "contradiction", "13(b)", F, False, "card out of turn", "put it back"
    ),
    FaultRow("exposed_other", POLICY, "", "13(d)", F, False, "card exposed", "decide"),
    FaultRow("hit_paid", POLICY, "", "13(c)", F, False, "meter hit of a void round paid", "take it back"),
    FaultRow("paid_first", POLICY, "", "13(c)", F, False, "payments before the void", "void or go on"),
    FaultRow("paid_other", POLICY, "", "11(c)", F, False, "settled seat concerned", "put it right"),
    FaultRow("device", POLICY, "", "-", T, True, "device fault", "see the console"),
    FaultRow("service", POLICY, "", "-", F, True, "service mode", "end it, look, release"),
    FaultRow("restarted", POLICY, "", "-", F, False, "restarted in a round", "confirm or take over"),
)
FAULT_ROWS = {row.kind: row for row in FAULTS}
# What the table itself finds or is told by its people; a device has no word for it.
OURS = frozenset(
    {
        "deck_removed",
        "out_of_order",
        "exposed_other",
        "hit_paid",
        "paid_first",
        "paid_other",
        "restarted",
        "service",
    }
)
