"""The record of a finished round: everything needed to reconstruct any hand that was turned.

What became public stands in it openly. Of cards that never did it knows how many lay where: their identities
are sealed with the events that brought them, and the plan says which event that was.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sabot.rules.round import Line
from sabot.statemachine.events import OpenCard
from sabot.statemachine.state import Hit, Note, RoundState

if TYPE_CHECKING:
    from sabot.statemachine.table import Table


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """One round as it is kept."""

    number: int
    chapter: str
    deck: str
    lot: str
    proof: str
    method: str
    knowledge: str
    dealer: str
    floor: str
    started_at: float
    ended_at: float
    bets: dict[int, dict[str, int | None]]
    players: dict[int, str]
    raises: dict[int, list[int | None]]
    folded: tuple[int, ...]
    left: tuple[int, ...]
    plan: tuple[str, ...]
    face_up: tuple[int, ...]
    chips: int
    stub: int | None
    public: dict[str, tuple[OpenCard, ...]]
    hidden: dict[str, int]
    hands: dict[str, str]
    magic_card: OpenCard | None
    lucky: int | str | None
    meters_before: dict[str, dict[str, int]]
    meters: dict[str, dict[str, int]]
    declared: dict[str, dict[str, str]]
    irregularity: str
    when: str
    void: str
    by_hand: bool
    lines: tuple[Line, ...]
    hits: tuple[Hit, ...]
    notes: tuple[Note, ...]
    late: tuple[Note, ...]


def _declared(round_: RoundState) -> dict[str, dict[str, str]]:
    """What the dealer said of each hand, where no device saw the cards."""
    dealer = {"dealer": {"hand": round_.declared_dealer}} if round_.declared_dealer else {}
    return dealer | {f"seat{seat}": dict(said) for seat, said in round_.declared.items() if said}


def make_record(table: "Table") -> RoundRecord:
    """The record of the round that ends now."""
    from sabot.statemachine.views import hidden_counts, public_cards  # noqa: PLC0415 (views look at records too)

    round_, state = table.round, table.state
    deck, public = state.decks.get(round_.deck), public_cards(table)
    late = tuple(state.late)
    state.late.clear()
    return RoundRecord(
        number=round_.number,
        chapter=table.chapter.id,
        deck=round_.deck,
        lot=deck.lot if deck else "",
        proof=deck.proof if deck else "",
        method=round_.method,
        knowledge=round_.knowledge,
        dealer=round_.dealer,
        floor=state.floor,
        started_at=round_.started_at,
        ended_at=table.now,
        bets=round_.bets,
        players=round_.players,
        raises=round_.raises,
        folded=tuple(round_.folded),
        left=tuple(round_.left),
        plan=table.laid.words,
        face_up=tuple(round_.face_up),
        chips=round_.chips,
        stub=round_.stub,
        public=public,
        hidden=hidden_counts(table, public),
        hands={place: hand for place, hand in round_.hands.items() if place in public},
        magic_card=round_.magic_card,
        lucky=round_.lucky,
        meters_before=round_.meters_before,
        meters=table.meters(),
        declared=_declared(round_),
        irregularity=round_.irregularity,
        when=round_.when,
        void=round_.void,
        by_hand=round_.by_hand,
        lines=tuple(round_.lines),
        hits=tuple(round_.hits),
        notes=tuple(round_.notes),
        late=late,
    )
