"""Views of the table by role, and what of its cards is public.

A card is public when the rules turn it: the dealer's face-up card when it is dealt, community cards one by
one, the dealer's hand at the reveal, a player's hand when its seat is settled, bonus cards then too. Folded
hands and the stub never are. No view shows anything else of a card than how many there are.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from sabot.rules.cards import NAMES
from sabot.statemachine.dealing import cards_at
from sabot.statemachine.events import Role
from sabot.statemachine.faultrows import FAULT_ROWS
from sabot.statemachine.phases import Phase
from sabot.statemachine.stub import waiver

if TYPE_CHECKING:
    from sabot.statemachine.table import Table

REVEALED = (Phase.SETTLING, Phase.VALIDATING, Phase.DOCUMENTS, Phase.CLEARING)


def public_cards(table: "Table") -> dict[str, tuple[int, ...]]:
    """The identities that everybody at the table can see, by place."""
    if table.state.round is None:
        return {}
    is_revealed = _is_revealed(table)
    shown = {place: _public_at(table, place, is_revealed=is_revealed) for place in table.laid.positions}
    return {place: cards for place, cards in shown.items() if cards}


def _public_at(table: "Table", place: str, *, is_revealed: bool) -> tuple[int, ...]:
    round_ = table.round
    cards = cards_at(table, place)
    if place == "community":
        cards = cards[: round_.turned]
    elif place == "dealer" and not is_revealed:
        up = {each.nth for each in round_.plan if each.place == place and each.face_up}
        cards = [card for nth, card in enumerate(cards, 1) if nth in up]
    elif place != "dealer" and not (is_revealed and _is_turned(table, place)):
        cards = []
    return tuple(card.card for card in cards if card is not None)


def _is_revealed(table: "Table") -> bool:
    return table.phases.state in REVEALED and not table.round.void and bool(table.round.lines)


def _is_turned(table: "Table", place: str) -> bool:
    """A hand is turned when its seat is settled, shared bonus cards with the first seat."""
    round_ = table.round
    if place == "discard":
        return False
    seat = _seat_of(place)
    return not seat or (seat in round_.order[: round_.settled + 1] and table.has_cards_left(seat))


@lru_cache(maxsize=64)
def _seat_of(place: str) -> int:
    """The seat whose cards lie at a place, 0 where they are nobody's alone."""
    return int(place.partition(":")[0].removeprefix("seat")) if place.startswith("seat") else 0


def public_hands(table: "Table") -> dict[str, str]:
    """What the hands make that were turned or declared, by place."""
    hands = table.round.hands if _is_revealed(table) else {}
    return {place: name for place, name in hands.items() if place == "dealer" or _is_turned(table, place)}


def hidden_counts(table: "Table", public: Mapping[str, tuple[int, ...]]) -> dict[str, int]:
    """How many cards lie where nobody may see them, beside those that are public."""
    counts = {place: count - len(public.get(place, ())) for place, count in _dealt(table).items()}
    return {place: count for place, count in counts.items() if count}


def _dealt(table: "Table") -> dict[str, int]:
    """How many cards lie at each place so far."""
    drawn = table.round.drawn
    return {
        place: sum(position <= drawn for position in positions)
        for place, positions in table.laid.positions.items()
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
        "held": [
            {
                "kind": held.kind,
                "device": held.device,
                "why": held.why,
                "cite": held.cite,
                "releases": held.role.value,
                "how": FAULT_ROWS[held.kind].cure,
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
        felt["hands"] = public_hands(table)
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
