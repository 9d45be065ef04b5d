"""The record of a finished round: everything needed to reconstruct any hand that was turned.

What became public stands in it openly. Of cards that never did it knows how many lay where: their identities
are sealed with the events that brought them, and the plan says which event that was.
"""

from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from sabot.rules.round import Line
from sabot.statemachine import views
from sabot.statemachine.asking import EVERYBODY, HAND
from sabot.statemachine.events import OpenCard
from sabot.statemachine.lying import DEALER, read_cards
from sabot.statemachine.state import Hit, Note, RoundState
from sabot.statemachine.turned import READ, known_by

if TYPE_CHECKING:
    from sabot.statemachine.table import Table

# What the record has of a round as it stands there, and what it has as a tuple.
AS_IT_IS = (
    *("number", "deck", "method", "knowledge", "dealer", "started_at", "bets", "players", "raises"),
    *("chips", "stub", "magic_card", "lucky", "meters_before", "irregularity", "when", "void", "by_hand"),
)
AS_TUPLES = ("folded", "left", "face_up", "lines", "hits", "notes")
_AS_IT_IS, _AS_TUPLES = attrgetter(*AS_IT_IS), attrgetter(*AS_TUPLES)


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
    known: dict[str, str]
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
    """The dealer's words of each hand, and of cards that all share, where no device saw them."""
    words = {f"seat{seat}": dict(said) for seat, said in round_.declared.items() if said}
    shared = words.pop(f"seat{EVERYBODY}", {})
    dealer = {HAND: shared.pop(DEALER)} if DEALER in shared else {}
    return {place: said for place, said in {"dealer": dealer, **words, "shared": shared}.items() if said}


def make_record(table: "Table") -> RoundRecord:
    """The record of the round that ends now."""
    round_, state = table.round, table.state
    deck, late = state.decks.get(round_.deck), tuple(state.late)
    state.late.clear()
    read, turned = read_cards(table), views.turned_places(table)
    public, known = views.cards_shown(table, turned, read), known_by(table, read)
    kept: dict[str, Any] = dict(zip(AS_IT_IS, _AS_IT_IS(round_), strict=True))
    kept |= zip(AS_TUPLES, map(tuple, _AS_TUPLES(round_)), strict=True)
    return RoundRecord(
        chapter=table.chapter.id,
        lot=deck.lot if deck else "",
        proof=deck.proof if deck else "",
        floor=state.floor,
        ended_at=table.now,
        plan=table.laid.words,
        public=public,
        hidden=views.hidden_counts(table, public),
        hands={at: name for at, name in round_.hands.items() if at in turned and known[at] == READ},
        known=known,
        meters=table.meters(),
        declared=_declared(round_),
        late=late,
        **kept,
    )
