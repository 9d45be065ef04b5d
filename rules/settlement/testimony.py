"""The words about hands, held against the cards, the ranking, the deck and what was said before.

A word of a dealer is a ``Claim`` on certain cards: the shapes that they hold, and those that they do not. A
testimony is the claims so far beside the cards that a device has read; asked about one more claim it says why
that cannot be, or nothing. Cards are named by the positions in which they left the deck, so that a board, a
hand, and the hand with the board are sets that overlap as they do on the felt. Where one card alone was not
read, each that it may be is tried, so that no two words need different ones. Where more were not, what is
proven by shapes comes first, and a search for cards that make all of it (``card_search``) is for the rest.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from collections.abc import Set as AbstractSet

from sabot.rules.card_search import Felt, Margin, SaidWord, cells_of, may_all_be
from sabot.rules.cards import PACK_SIZE, Card
from sabot.rules.disjoint_hands import Options, may_all_lie, options_of
from sabot.rules.hand_parts import CardsPart, can_divide, can_share, fit_together
from sabot.rules.hand_shapes import MIXED, can_hold, holds, implies, least_of_ranks, leaves, rank_of
from sabot.rules.settlement.claims import Cards, Claim

# Up to so many unread cards all that was said of them is searched together, card by card: the third view of
# ``card_search`` goes as far.
FEW_UNREAD = 3
READ, DECK, SAID = "the cards that were read", "one deck", "what was declared"


class Hearing:
    """The cards that were read, by position, and everything that was said so far.

    Of a felt on which one card alone was not read, ``may_be`` is what is left of it after every word.
    """

    def __init__(self, read: Mapping[int, Card], dealt: AbstractSet[int] = frozenset()) -> None:
        self.read = read
        self.said: list[Claim] = []
        self._parts: dict[Cards, CardsPart] = {}
        # Those of them that name ranks: one deck has four cards of each.
        self._named: list[Claim] = []
        # Those hands that few sets of cards make.
        self._scarce: dict[Cards, Options] = {}
        self.pool = frozenset(range(PACK_SIZE)) - set(read.values())
        self.may_be = self.pool
        # One open card in the whole deal: what each word leaves of it can be kept exactly.
        self._is_last = len(dealt - read.keys()) == 1

    def take(self, claims: Iterable[Claim]) -> None:
        """Take claims as true from now on."""
        for claim in claims:
            self.said.append(claim)
            self._parts[claim.cards] = part = self._part(claim)
            options = self._options(claim.cards, part)
            # In place of the options of before: each word about a hand narrows them.
            if options is not None:
                self._scarce[claim.cards] = options
            if self._is_last:
                self.may_be = frozenset(card for card in self.may_be if self._makes(card, claim))
            if any(least_of_ranks(shape) for shape in claim.has):
                self._named.append(claim)

    def knows(self, cards: AbstractSet[int]) -> bool:
        """Return whether a device has read all of these cards."""
        return self.read.keys() >= cards

    def cards(self, where: AbstractSet[int], unread: Card | None = None) -> list[Card]:
        """Return the cards at these positions, with ``unread`` (if any) wherever a card was not read."""
        found = (self.read.get(each, unread) for each in sorted(where))
        return [card for card in found if card is not None]

    def against(self, claims: Iterable[Claim]) -> str:
        """Return what speaks against these claims, empty where they can be true."""
        if self._is_last:
            return self._of_the_last(list(claims))
        claims = list(claims)
        # The cheap proofs first, the search only for what they leave open.
        why = next((why for claim in claims if (why := self._against(claim))), "")
        return why or self._jointly(claims) or self._crowded(claims)

    def _crowded(self, claims: list[Claim]) -> str:
        """Return ``DECK`` if one deck lacks cards for all hands that few sets of cards make, else nothing."""
        scarce = {
            claim.cards: options
            for claim in claims
            if (options := self._options(claim.cards, self._part(claim))) is not None
        }
        if not scarce:
            return ""
        hands: list[tuple[AbstractSet[int], Options]] = []
        for cards, options in sorted((self._scarce | scarce).items(), key=lambda each: len(each[1])):
            unread = cards - self.read.keys()
            # Hands with common cards are the search's: dealt apart, a shared card would be taken twice.
            if all(unread.isdisjoint(other) for other, _ in hands):
                hands.append((unread, options))
        return "" if may_all_lie(options for _, options in hands) else DECK

    def _options(self, cards: Cards, part: CardsPart) -> Options | None:
        """Return the sets of unread cards that make what is said of a hand, where they are few."""
        read = tuple(sorted(self.read[each] for each in cards & self.read.keys())) if self.read else ()
        unread = len(cards) - len(read)
        return options_of(part.has, part.lacks, read, unread, self.pool) if unread else None

    def _jointly(self, claims: list[Claim]) -> str:
        """Return why no cards make all that is said of these hands and of those sharing cards with them."""
        for where in self._together(frozenset[int]().union(*(claim.cards for claim in claims))):
            within = [*(other for other in self.said if other.cards <= where), *claims]
            if not may_all_be(self._felt(within)):
                # Whether the words or the cards are against it: the dealer may take back only the words.
                return SAID if may_all_be(self._felt(claims)) else READ
        return ""

    def _together(self, here: Cards) -> list[Cards]:
        """Return the positions to search: all hands linked by shared cards, by twos if many are unread."""
        near, size = here, 0
        # Until nothing is added: hands that share cards with a hand beside this one count too.
        while size < len(near):
            size = len(near)
            near = near.union(*(other.cards for other in self.said if other.cards & near))
        if len(near - self.read.keys()) <= FEW_UNREAD:
            return [near]
        beside = {other.cards for other in self.said if other.cards & here and not other.cards <= here}
        return sorted((here | each for each in beside), key=sorted) or [here]

    def _felt(self, claims: list[Claim]) -> Felt:
        """Return the cards that some claims are about, cut into cells."""
        # Each hand and each word once, in their order: the same question must be the same key of the cache.
        cells = cells_of(list(dict.fromkeys(hand for claim in claims for hand in _hands(claim))))
        return Felt(
            tuple(tuple(sorted(self.read[each] for each in cell & self.read.keys())) for cell in cells),
            tuple(len(cell - self.read.keys()) for cell in cells),
            tuple(dict.fromkeys(_word(claim, cells) for claim in claims)),
            self.pool,
        )

    def _of_the_last(self, claims: list[Claim]) -> str:
        """Return what speaks against claims where one card is unread: some card has to make them all true."""
        if any(self._makes_all(card, claims) for card in self.may_be):
            return ""
        return SAID if any(self._makes_all(card, claims) for card in self.pool - self.may_be) else READ

    def _makes_all(self, card: Card, claims: Iterable[Claim]) -> bool:
        return all(self._makes(card, claim) for claim in claims)

    def _makes(self, card: Card, claim: Claim) -> bool:
        """Return whether a claim is true if the one card that was not read is this."""
        if claim.among is not None and card not in claim.among:
            return False
        cards = self.cards(claim.cards, card)
        lacks = not any(holds(shape, cards) for shape in claim.lacks)
        return lacks and all(holds(shape, cards) for shape in claim.has)

    def _against(self, claim: Claim) -> str:
        # By rising cost: the cards that were read, the other words, then what the deck has left.
        have = [self.read[each] for each in claim.cards if each in self.read]
        if any(holds(shape, have) for shape in claim.lacks):
            return READ
        if any(_clash(claim, other) for other in self.said) or not self._can_divide(claim):
            return SAID
        more = len(claim.cards) - len(have)
        mixed, suited = self._left(claim)
        if all(can_hold(shape, have, more, mixed if shape.tone == MIXED else suited) for shape in claim.has):
            return ""
        # With the whole pool it could be: so what stands against it is what other hands are said to hold.
        return DECK if all(can_hold(shape, have, more, self.pool) for shape in claim.has) else READ

    def _part(self, claim: Claim) -> CardsPart:
        """Return all that is said of a claim's cards, the claim included."""
        part = self._parts.get(claim.cards, CardsPart(len(claim.cards), frozenset(), frozenset()))
        return CardsPart(part.size, part.has | claim.has, part.lacks | claim.lacks)

    def _can_divide(self, claim: Claim) -> bool:
        """Return whether two hands can be what was said of each of them and of both together."""
        parts = self._parts | {claim.cards: self._part(claim)}
        return all(
            can_divide(whole, one, parts[cards - few])
            for cards, whole in parts.items()
            for few, one in parts.items()
            if few < cards and cards - few in parts and claim.cards in (cards, few, cards - few)
        )

    def _left(self, claim: Claim) -> tuple[Collection[Card], Collection[Card]]:
        """Return the pool less what other hands are said to hold: for shapes of any suits, for those of one.

        A named hand takes cards of a rank, and nobody knows of which suits: for a shape of one suit a rank is
        there until all its cards are gone.
        """
        others = [other for other in self._named if other.cards.isdisjoint(claim.cards)]
        # Hands without a common card take different cards, so theirs add up; claims about cards that overlap
        # may speak of the same ones, so of a group the greatest counts.
        taken: Counter[int] = Counter()
        for group in _apart(others):
            taken.update(self._taken(group))
        if not taken:
            return self.pool, self.pool
        there = Counter(map(rank_of, self.pool))
        suited = [card for card in self.pool if there[rank_of(card)] > taken[rank_of(card)]]
        mixed = []
        for card in sorted(self.pool):
            if taken[rank_of(card)] > 0:
                taken[rank_of(card)] -= 1
            else:
                mixed.append(card)
        return mixed, suited

    def _taken(self, group: list[Claim]) -> dict[int, int]:
        """Return the least number of unread cards of each rank that some claims take."""
        cards = frozenset[int]().union(*(claim.cards for claim in group))
        here = Counter(rank_of(self.read[each]) for each in cards if each in self.read)
        least: Counter[int] = Counter()
        for shape in (shape for claim in group for shape in claim.has):
            least |= Counter(least_of_ranks(shape))
        return least - here


def _hands(claim: Claim) -> list[Cards]:
    """Return the hands that a claim is about."""
    return [claim.cards, *((claim.higher.own, claim.higher.other) if claim.higher else ())]


def _word(claim: Claim, cells: list[Cards]) -> SaidWord:
    """Return a claim as a statement about cells."""

    def of(cards: Cards) -> tuple[int, ...]:
        return tuple(nth for nth, cell in enumerate(cells) if cell <= cards)

    word = SaidWord(of(claim.cards), claim.has, claim.lacks, claim.among)
    said = claim.higher
    if said is None:
        return word
    own, other = of(said.own), of(said.other)
    return word._replace(margin=Margin(own, other, said.ranking, said.sign, said.plays_all))


def _apart(claims: list[Claim]) -> list[list[Claim]]:
    """Return claims in groups that have no card in common."""
    groups: list[tuple[set[int], list[Claim]]] = []
    for claim in claims:
        # A claim that touches several groups makes them one.
        near = [group for group in groups if not group[0].isdisjoint(claim.cards)]
        groups = [group for group in groups if group not in near]
        cards = set(claim.cards).union(*(each[0] for each in near))
        groups.append((cards, [claim, *(each for group in near for each in group[1])]))
    return [group for _, group in groups]


def _clash(one: Claim, other: Claim) -> bool:
    """Return whether two claims cannot both be true, one hand within the other or both sharing some cards."""
    few, many = sorted((one, other), key=lambda claim: len(claim.cards))
    # Hands that overlap share a board: each shape of the one must go with each of the other.
    if not few.cards <= many.cards:
        shared = len(few.cards & many.cards)
        own = len(few.cards) - shared, len(many.cards) - shared
        return bool(shared) and not all(can_share(a, b, own, shared) for a in few.has for b in many.has)
    # One within the other: what the few hold the many hold too, and must not be said to lack.
    if any(implies(shape, no) for shape in few.has for no in many.lacks):
        return True
    # And what the many hold leaves something among the few, with so many cards gone: they must not lack that.
    gone = len(many.cards) - len(few.cards)
    if few.lacks and any(leaves(shape, gone, few.lacks) for shape in many.has):
        return True
    lacks = many.lacks
    return any(not fit_together(a, b, len(many.cards), lacks) for a in few.has for b in many.has)
