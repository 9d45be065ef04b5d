"""Views of the table by role, and what of its cards is public.

A card is public when the rules turn it: the dealer's face-up card when it is dealt, community cards one by
one, the dealer's hand at the reveal, a player's hand when its seat is settled, bonus cards when a wager on
them is (``turned`` says which). Folded hands and the stub never are. No view shows anything else of a card
than how many there are.
"""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from sabot.rules.cards import NAMES
from sabot.rules.plan import DISCARD
from sabot.statemachine import cures, turned
from sabot.statemachine.events import Role
from sabot.statemachine.lying import read_cards
from sabot.statemachine.phases import Phase
from sabot.statemachine.stub import waiver

if TYPE_CHECKING:
    from sabot.statemachine.table import Table

REVEALED = (Phase.SETTLING, Phase.VALIDATING, Phase.DOCUMENTS, Phase.CLEARING)


def public_cards(table: "Table") -> dict[str, tuple[int, ...]]:
    """The identities that everybody at the table can see, by place."""
    if table.state.round is None:
        return {}
    return cards_shown(table, turned_places(table), read_cards(table))


def turned_places(table: "Table") -> frozenset[str]:
    """The places whose cards lie face up since the reveal; none before it."""
    if not _is_revealed(table):
        return frozenset()
    places = (table.laid.positions.keys() | table.round.hands.keys()) - {DISCARD}
    return frozenset([place for place in places if turned.is_turned(table, place)])


def cards_shown(
    table: "Table", open_places: AbstractSet[str], read: Mapping[int, int]
) -> dict[str, tuple[int, ...]]:
    """The identities at places that are turned, and of cards that are dealt or turned one by one.

    A card that came twice out of one deck was read wrong: people look, and what was read is not shown.
    """
    shown = {}
    for place, positions in table.laid.positions.items():
        places = positions if place in open_places else _one_by_one(table, place, positions)
        cards = tuple([card for card in map(read.get, places) if card is not None])
        if cards:
            shown[place] = cards
    return shown


def _one_by_one(table: "Table", place: str, positions: list[int]) -> list[int]:
    """The positions of cards that are dealt face up or turned one by one, in the order dealt."""
    if place == "community":
        return positions[: table.round.turned]
    if place != "dealer":
        return []
    up = {each.position for each in table.round.plan if each.place == place and each.face_up}
    return [position for position in positions if position in up]


def _is_revealed(table: "Table") -> bool:
    round_ = table.round
    is_by_table = bool(round_.settled) if round_.by_hand else bool(round_.lines)
    return table.phases.state in REVEALED and not round_.void and is_by_table


def public_hands(table: "Table", known: str) -> dict[str, str]:
    """The hands that were turned, by place: those that a device read, or those that were declared."""
    how, open_places = turned.known_by(table, read_cards(table)), turned_places(table)
    return {
        place: name
        for place, name in table.round.hands.items()
        if place in open_places and how[place] == known
    }


def hidden_counts(table: "Table", public: Mapping[str, tuple[int, ...]]) -> dict[str, int]:
    """How many cards lie where nobody may see them, beside those that are public."""
    return {
        place: hidden
        for place, count in _dealt(table).items()
        if (hidden := count - len(public.get(place, ())))
    }


def _dealt(table: "Table") -> dict[str, int]:
    """How many cards lie at each place so far."""
    drawn, laid = table.round.drawn, table.laid
    if drawn >= len(laid.order):
        return {place: len(positions) for place, positions in laid.positions.items()}
    return {
        place: len([at for at in positions if at <= drawn]) for place, positions in laid.positions.items()
    }


def view(table: "Table", role: Role) -> dict[str, object]:
    """What a role may see of the table, as plain values."""
    seen = _felt(table)
    if role is not Role.DEALER:
        seen |= _house(table)
    if role in (Role.TECHNICIAN, Role.AUDITOR):
        seen |= {"policies": {name: getattr(table.policies, name) for name in table.policies.__slots__}}
    return seen


def _felt(table: "Table") -> dict[str, object]:
    state, holding = table.state, table.holding()
    felt: dict[str, object] = {
        "chapter": table.chapter.id,
        "phase": state.phase.value,
        "round": state.round.number if state.round else None,
        "dealer": state.dealer,
        "deck": state.in_play,
        "meters": table.meters(),
        "called": dict(state.calls),
        "held": [
            {
                "kind": held.kind,
                "device": held.device,
                "why": held.why,
                "cite": held.cite,
                "releases": held.role.value,
                "how": cures.in_short(held.kind),
                "steps": [step.text for step in cures.steps(table, held)],
                "retested": held.retested,
                "holds_now": held in holding,
            }
            for held in state.holds
        ],
        "bets": {
            seat: dict(bets) for seat, bets in (state.round.bets if state.round else state.bets).items()
        },
    }
    if state.round is not None:
        felt["public"] = {
            place: [NAMES[card] for card in cards] for place, cards in public_cards(table).items()
        }
        felt["counts"] = _dealt(table)
        felt["hands"] = public_hands(table, turned.READ)
        felt["declared"] = public_hands(table, turned.DECLARED)
        felt["raises"] = {seat: list(cents) for seat, cents in state.round.raises.items()}
        felt["folded"] = list(state.round.folded)
        felt["asking"] = state.round.asking
        felt["stub_waiver"] = waiver(table)
    return felt


def _house(table: "Table") -> dict[str, object]:
    state = table.state
    return {
        "method": state.method,
        "knowledge": state.knowledge,
        "shuffler": state.shuffler,
        "decks": {
            name: {
                "lot": deck.lot,
                "color": deck.color,
                "rounds": deck.rounds,
                "proof": deck.proof,
                "ready": deck.ready,
                "since_count": deck.since_count,
                "unproven_rounds": [played.number for played in deck.unproven],
            }
            for name, deck in state.decks.items()
        },
        "unlocked": dict(state.unlocked),
        "out_of_order": list(state.out_of_order),
        "late": [note.words for note in state.late],
    }
