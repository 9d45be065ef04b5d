"""Irregularities: what the law says when cards go wrong (x.13), one row a kind.

A row says in which phases a kind can occur and whether the dealer's menu has it; what it does to the round is
the chapter's: it goes on, it is void, or its contest alone is void and the optional wagers are settled.
"""

from typing import TYPE_CHECKING, NamedTuple

from sabot.rules.chapter import Fate
from sabot.statemachine.action import Action, phases
from sabot.statemachine.events import Role
from sabot.statemachine.phases import Phase
from sabot.statemachine.undo import remember
from sabot.statemachine.voiding import void

if TYPE_CHECKING:
    from sabot.statemachine.table import Table

P = Phase


DEAL_TO_REVEAL = phases(P.DEALING, P.STUB, P.STUB_WRONG, P.DECIDING, P.TURNING)


AFTER_CARDS = DEAL_TO_REVEAL | phases(P.DECLARING, P.SETTLING, P.VALIDATING, P.DOCUMENTS)


class IrregularityRow(NamedTuple):
    """Where an irregularity may be met, by which methods, and its title in the menu (empty: not there)."""

    kind: str
    phases: frozenset[Phase]
    methods: str
    title: str


IRREGULARITIES = (
    IrregularityRow("one_face_up", phases(P.DEALING, P.STUB), "", ""),
    IrregularityRow("several_face_up", phases(P.DEALING, P.STUB), "", ""),
    IrregularityRow("drawn_in_error", phases(P.DEALING), "", ""),
    IrregularityRow("wrong_count", AFTER_CARDS, "", "WRONG NUMBER"),
    IrregularityRow("dealer_exposed", DEAL_TO_REVEAL, "", "DEALER CARD SEEN"),
    IrregularityRow("community_exposed", DEAL_TO_REVEAL, "", "COMMUNITY CARD SEEN"),
    IrregularityRow("shoe_jam", phases(P.DEALING), "auto_shoe", ""),
    IrregularityRow("stub_misdealt", phases(P.STUB_WRONG), "", ""),
    IrregularityRow("stub_short", phases(P.STUB_WRONG), "", ""),
    IrregularityRow("exposed_other", DEAL_TO_REVEAL, "", "OTHER CARD SEEN"),
)


IRREGULARITY_ROWS = {row.kind: row for row in IRREGULARITIES}


def irregular(table: "Table", kind: str) -> None:
    """Meet an irregularity: note it, and do to the round what the chapter says."""
    found = table.chapter.irregularities[kind]
    round_ = table.round
    round_.note(table.now, kind.replace("_", " "), found.cite, table.state.dealer)
    if found.fate is Fate.GOES_ON:
        return
    when = "before_raise" if _before_last_decision(table) else "after_raise"
    if found.only_when and when != found.only_when:
        round_.note(table.now, "after the raises: the round goes on", found.cite)
        return
    if round_.settled and kind == "wrong_count" and table.readings["void_after_payment"] == "held":
        table.hold("paid_first", "table", "wrong number of cards after a payment", found.cite)
        return
    round_.irregularity, round_.when = kind, when
    if found.fate is Fate.VOID or not _optional_alive(table):
        void(table, kind.replace("_", " "), found.cite, remove=found.then == "deck_removed")
    elif table.state.phase in (Phase.DECIDING, Phase.STUB_WRONG):
        table.clear_pending()
        round_.asking = 0
        if table.state.phase is Phase.DECIDING:
            table.phases.reveal()


def _before_last_decision(table: "Table") -> bool:
    return table.state.phase in (Phase.DEALING, Phase.STUB, Phase.STUB_WRONG, Phase.DECIDING)


def _optional_alive(table: "Table") -> bool:
    """Whether an optional wager still competes; in a void contest a player who left is like any other."""
    base, round_ = table.chapter.contest.wagers, table.round
    return any(
        wager not in base
        and (seat not in round_.folded or table.house.keeps_after_fold(table.chapter.wagers[wager]))
        for seat, bets in round_.bets.items()
        for wager in bets
    )


def declare_irregular(table: "Table", kind: str) -> None:
    """The dealer declares an irregularity from the menu."""
    remember(table, kind.replace("_", " "))
    if kind == "exposed_other":
        table.round.note(table.now, "card exposed, no rule for it", table.cite("13(d)"), table.state.dealer)
        if table.readings.get("exposed_other") == "held":
            table.hold("exposed_other", "table", "a card was exposed for which there is no rule")
        return
    irregular(table, kind)


def irregularities_now(table: "Table") -> list[str]:
    """The irregularities that may be declared now."""
    known = set(table.chapter.irregularities) | {"exposed_other"}
    return [
        row.kind
        for row in IRREGULARITIES
        if row.title and row.kind in known and table.state.phase in row.phases
    ]


ACTIONS = (
    Action(
        "irregular",
        "IRREGULARITY",
        Role.DEALER,
        AFTER_CARDS,
        "13",
        declare_irregular,
        values=irregularities_now,
        say=lambda _, kind: IRREGULARITY_ROWS[kind].title,
        while_held=True,
    ),
)
