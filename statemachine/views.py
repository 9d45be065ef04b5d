"""Views of the table by role, and what of its cards is public.

A card is public when the rules turn it: the dealer's face-up card when it is dealt, community cards one by
one, the dealer's hand at the reveal, a player's hand when its seat is settled, bonus cards when a wager on
them is (``turned`` says which). Folded hands and the stub never are. No view shows anything else of a card
than how many there are.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import asdict, dataclass

from sabot.rules.cards import NAMES
from sabot.statemachine import card_turning, cures
from sabot.statemachine.card_turning import Turned
from sabot.statemachine.contest import Contest, LaidCards
from sabot.statemachine.cures import Cures
from sabot.statemachine.faults import FaultLatch
from sabot.statemachine.hits import Shares
from sabot.statemachine.law import Law
from sabot.statemachine.state.parts import Devices, OpenWagers, TableCrew, Trouble
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.round import Play
from sabot.statemachine.state.stock import Stock
from sabot.statemachine.stub import Stub
from sabot.statemachine.vocabulary.events import Role

REVEALED = (Phase.SETTLING, Phase.VALIDATING, Phase.DOCUMENTS, Phase.CLEARING)


def _of(positions: Sequence[int], read: Mapping[int, int]) -> tuple[int, ...]:
    """Return the cards at these positions that were read."""
    return tuple([read[each] for each in positions if each in read])


@dataclass(slots=True, eq=False, repr=False)
class Views:
    """Show each role what it may see."""

    law: Law
    contest: Contest
    crew: TableCrew
    stock: Stock
    devices: Devices
    layout: OpenWagers
    trouble: Trouble
    play: Play
    cards: LaidCards
    cures: Cures
    faults: FaultLatch
    shares: Shares
    stub: Stub
    turned: Turned

    def public_cards(self) -> dict[str, tuple[int, ...]]:
        """Return the cards that everybody at the table can see, by place."""
        if self.play.round is None:
            return {}
        return self.cards_shown(self.turned_places(), self.cards.read_cards())

    def turned_places(self) -> frozenset[str]:
        """Return the places whose cards lie face up since the reveal; none before it."""
        if not self._is_revealed():
            return frozenset()
        return frozenset(self.turned.among(self._places()))

    def turned_in_the_end(self) -> frozenset[str]:
        """Return the places whose cards will lie face up once every seat is settled as it stands now."""
        return frozenset(self.turned.in_the_end(self._places()))

    def _places(self) -> AbstractSet[str]:
        """Return every place that has cards or a hand."""
        places, hands = self.contest.laid.places, self.play.current.hands
        return places if hands.keys() <= places else places.union(hands)

    def cards_shown(
        self, open_places: AbstractSet[str], read: Mapping[int, int]
    ) -> dict[str, tuple[int, ...]]:
        """Return the cards at places that are turned, and those dealt face up or turned one by one.

        A card that came twice out of one deck was read wrong: people look, and what was read is not shown.
        """
        laid, shown = self.contest.laid, {}
        cards_at = laid.cards_at
        for place, positions in laid.positions.items():
            if place not in open_places:
                cards = _of(self._one_by_one(place, positions), read)
            else:
                try:
                    cards = cards_at[place](read)
                except KeyError:  # nobody read one of them
                    cards = _of(positions, read)
            if cards:
                shown[place] = cards
        return shown

    def _one_by_one(self, place: str, positions: list[int]) -> list[int]:
        """Return the positions of cards that are dealt face up or turned one by one, in the order dealt."""
        if place == "community":
            return positions[: self.play.current.turned]
        if place != "dealer":
            return []
        up = {each.position for each in self.play.current.plan if each.place == place and each.face_up}
        return [position for position in positions if position in up]

    def is_settled(self) -> bool:
        """Return whether every seat was settled by the table, and shown."""
        round_ = self.play.current
        return self._is_revealed() and round_.settled == len(round_.order) and not round_.by_hand

    def _is_revealed(self) -> bool:
        round_ = self.play.current
        # Of a round that people finish only what the table itself had shown is public: it saw no more.
        is_by_table = bool(round_.settled) if round_.by_hand else bool(round_.lines)
        # A round that turned out void shows no hand any more.
        return self.play.phase in REVEALED and not round_.void and is_by_table

    def public_hands(self, known: str) -> dict[str, str]:
        """Return the hands that were turned, by place: those read by a device, or those declared."""
        how, open_places = self.turned.known_by(self.cards.read_cards()), self.turned_places()
        return {
            place: name
            for place, name in self.play.current.hands.items()
            if place in open_places and how[place] == known
        }

    def hidden_counts(self, public: Mapping[str, tuple[int, ...]]) -> dict[str, int]:
        """Return how many cards lie where nobody may see them, beside those that are public."""
        counts = self.dealt()
        # Mostly all were turned, and to compare two dictionaries is quicker than to look at each place.
        if counts == dict(zip(public, map(len, public.values()), strict=True)):
            return {}
        return {
            place: hidden for place, count in counts.items() if (hidden := count - len(public.get(place, ())))
        }

    def dealt(self) -> Mapping[str, int]:
        """Return how many cards lie at each place so far, in a round."""
        drawn, laid = self.play.current.drawn, self.contest.laid
        if drawn >= len(laid.order):
            return laid.counts
        return {
            place: len([at for at in positions if at <= drawn]) for place, positions in laid.positions.items()
        }

    def view(self, role: Role) -> dict[str, object]:
        """Return the view of a role as plain values."""
        seen = self._felt()
        # The dealer sees what everybody at the table sees, and no more.
        if role is not Role.DEALER:
            seen |= self._house()
        if role in (Role.TECHNICIAN, Role.AUDITOR):
            seen |= {"policies": asdict(self.law.policies)}
        return seen

    def _felt(self) -> dict[str, object]:
        holding = self.faults.holding()
        felt: dict[str, object] = {
            "chapter": self.law.chapter.id,
            "phase": self.play.phase.value,
            "round": self.play.round.number if self.play.round else None,
            "dealer": self.crew.dealer,
            "deck": self.stock.in_play,
            "meters": {meter: dict(levels) for meter, levels in self.shares.meters().items()},
            "called": dict(self.crew.calls),
            "held": [
                {
                    "kind": held.kind,
                    "device": held.device,
                    "why": held.why,
                    "cite": held.cite,
                    "releases": held.role.value,
                    "how": cures.in_short(held.kind),
                    "steps": [step.text for step in self.cures.steps(held)],
                    "retested": held.retested,
                    "holds_now": held in holding,
                }
                for held in self.trouble.holds
            ],
            # Of a round the wagers that were accepted: what is done to chips after the lock is told as late.
            "bets": {
                seat: dict(bets)
                for seat, bets in (self.play.round.bets if self.play.round else self.layout.bets).items()
            },
        }
        if self.play.round is not None:
            # By name, and only those that the rules have turned: this view goes to consoles and pages.
            felt["public"] = {
                place: [NAMES[card] for card in cards] for place, cards in self.public_cards().items()
            }
            felt["counts"] = dict(self.dealt())
            felt["hands"] = self.public_hands(card_turning.READ)
            felt["declared"] = self.public_hands(card_turning.DECLARED)
            felt["raises"] = {seat: list(cents) for seat, cents in self.play.round.raises.items()}
            felt["folded"] = list(self.play.round.folded)
            felt["asking"] = self.play.round.asking
            felt["stub_waiver"] = self.stub.waiver()
        return felt

    def _house(self) -> dict[str, object]:
        return {
            "method": self.devices.method,
            "knowledge": self.devices.knowledge,
            "shuffler": self.devices.shuffler,
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
                for name, deck in self.stock.decks.items()
            },
            "unlocked": dict(self.crew.unlocked),
            "out_of_order": list(self.devices.out_of_order),
            "late": [note.words for note in self.layout.late],
        }
