"""The model of a chapter: everything that a Rules Submission or an amendment may change, as frozen data.

``config`` reads a chapter file into these types; the rest of ``rules`` holds only the *kinds* (a way to
settle, a plan step, a ranking) and asks the chapter for the numbers. Every part carries the citation the
law has it under.
"""

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum

from sabot.rules.frozen import frozen
from sabot.rules.payouts import Payout
from sabot.rules.paytables import Paytable, Under

# Stands where a citation would, so that nobody takes a rule of ours for the law's.
OUR_POLICY = "our policy"
# The method of a shoe that shuffles its cards again by itself, and so is a shuffler too (x.5(g)).
RESHUFFLES = "auto_shoe_reshuffle"
# What an approved reshuffling device may free a table of (x.5(g)).
EXEMPTIONS = ("cut", "recut", "idle")


class Fate(StrEnum):
    """The effect of an irregularity on a round."""

    VOID = "void"
    VOID_CONTEST = "void_contest"
    GOES_ON = "goes_on"


# Asked of each seat that is settled, and a member of an Enum is found by a call of its class each time.
VOID, VOID_CONTEST, GOES_ON = Fate.VOID, Fate.VOID_CONTEST, Fate.GOES_ON


@frozen
class RankingSpec:
    """A ranking as the chapter lists it."""

    name: str
    cite: str
    kind: str
    size: int = 0
    order: tuple[str, ...] = ()
    # A text is the name of the reading that decides it (R2).
    ace_low: bool | str = True
    own: int = 0


@frozen
class WagerTimes:
    """The sizes that a second wager may have, in multiples of the first."""

    least: int
    most: int
    whole: bool


@frozen
class OnFold:
    """The effect of a fold on an optional wager: it keeps it, loses it, or a reading decides."""

    cite: str
    # None: the chapter does not say, and the reading does (F1).
    keeps: bool | None
    reading: str = ""


@frozen
class Settles:
    """The way an optional wager is settled."""

    cite: str
    cards: tuple[str, ...]
    paytable: str
    kind: str = "posted"
    # A share of the meter is divided among all who made this wager (reading T7).
    shared: bool = False
    # The reading under which the house keeps the stake beside a fixed sum (Maryland's M2).
    keep_stake_reading: str = ""


@frozen
class OnBonusCard:
    """A bonus card of one rank moves a wager to another paytable (679a's 2)."""

    cite: str
    rank: int
    paytable: str


@frozen
class EnvyOf:
    """The envy paytable that a progressive wager gives a right to."""

    cite: str
    paytable: str


@frozen
class Wager:
    """One wager of the chapter."""

    name: str
    title: str
    cite: str
    optional: bool
    after_deal: bool = False
    # The wager that a second wager is a multiple of.
    of: str = ""
    times: WagerTimes | None = None
    # Groups: of each at least one wager must stand at the seat.
    requires: tuple[tuple[str, ...], ...] = ()
    # What takes it: chips on the felt, chips on a progressive spot, or a game account.
    device: str = ""
    on_fold: OnFold | None = None
    settles: Settles | None = None
    bonus_card: OnBonusCard | None = None
    envy: EnvyOf | None = None
    extras: tuple[str, ...] = ()


@frozen
class ContestAction:
    """The effect of a contest on one of its wagers: a fixed payout, a paytable, or the stake back."""

    cite: str
    pays: Payout | None = None
    paytable: str = ""
    returned: bool = False
    # Stands before the name of a row, so that a payout limit can leave out this outcome (``bad_beat:``).
    prefix: str = ""
    keep_stake_reading: str = ""


@frozen
class Bonus:
    """A payment on a wager's stake that has a line, but no stake, of its own."""

    line: str
    on: str
    paytable: str
    cite: str
    # Whether it is paid at all, whether it is paid on a tie, and whether "for 1" pays one less (P4).
    reading: str = ""
    tie_reading: str = ""
    for_reading: str = ""


@frozen
class ContestResult:
    """The treatment of the contest's wagers when it ends one way."""

    actions: Mapping[str, ContestAction]
    bonus: Bonus | None = None
    paytable: str = ""


@frozen
class Qualifies:
    """The least hand with which the dealer qualifies, and the phrase the sign must carry."""

    cite: str
    hand: str
    lead: int
    phrase: str


@frozen
class Phrase:
    """Words that the law wants posted."""

    cite: str
    phrase: str


@frozen
class ContestRule:
    """The main contest: against the dealer's hand, or against a paytable."""

    cite: str
    against_dealer: bool
    ranking: str
    cards: tuple[str, ...]
    wagers: tuple[str, ...]
    # One for each street that a player may fold on.
    forfeit_cites: tuple[str, ...]
    results: Mapping[str, ContestResult]
    qualifies: Qualifies | None = None
    ties: Phrase | None = None

    @property
    def opening(self) -> str:
        """The wager with which a seat enters the contest, the Ante of the five; the others are made on it."""
        return self.wagers[0]

    @property
    def opening_paytable(self) -> str:
        """The paytable by which a contest without a dealer's hand is won or lost."""
        return self.results["win"].actions[self.opening].paytable


@frozen
class EnvyTable:
    """Envy amounts: for each unit of the receiver's wager a paytable of fixed sums."""

    name: str
    # The progressive's paytable, whose letter is the default here (reading E5).
    follows: str
    by_unit: Mapping[int, Paytable]
    reads_as: Under[str] | None = None


@frozen
class MeterLevel:
    """The terms of one level of a progressive meter."""

    seed_for_1: int | None = None
    reseed_for_1: int | None = None
    primary_percent: int | None = None
    reserve_percent: int | None = None
    # Maryland names only the least; the amount is the operator's (reading T2).
    minimum_dollars: int | None = None


@frozen
class Meter:
    """A progressive meter: the wagers that feed and draw it, and its levels for each paytable letter."""

    name: str
    cite: str
    wagers: tuple[str, ...]
    paytable: str
    levels: Mapping[str, Mapping[str, MeterLevel]]


@frozen
class Extra:
    """A bonus drawn by the table game system (641a.12(g)(3))."""

    name: str
    title: str
    cite: str
    pays: Payout


@frozen
class Limit:
    """The payout limit an operator may set: what it covers, what it may not include, its least value."""

    cite: str
    least_dollars: int
    covers: frozenset[str]
    not_outcomes: frozenset[str] = frozenset()
    not_rows: frozenset[str] = frozenset()
    # The reading by which the limit covers more or less (682a: L1).
    covers_under: Under[frozenset[str]] | None = None


@frozen
class Part:
    """Cards taken out of a stack for one place."""

    to: str
    # An end of the stack (readings D1 and D2 say which is which), or the rest that other parts leave.
    take: str
    face_up: bool = False
    condition: str = ""
    # Where a card for a fourth goes at a seat that did not bet on a bonus card.
    otherwise: str = ""


@frozen
class PlanStep:
    """One step of a dealing plan: cards around places, or a stack divided into parts.

    ``by_hand``: the dealer deals it from the stub after an automated shoe has given its last stack.
    """

    around: tuple[str, ...] = ()
    cards: int = 1
    times: int = 1
    face_up: bool = False
    condition: str = ""
    readings: Mapping[str, str] = field(default_factory=dict)
    by_hand: bool = False
    stack: int = 0
    parts: tuple[Part, ...] = ()


@frozen
class PlanSpec:
    """A dealing method of the chapter."""

    method: str
    cite: str
    steps: tuple[PlanStep, ...]
    needs_shuffler: str = ""


@frozen
class IrregularityRule:
    """The chapter's rule for one kind of irregularity, with the places that it names."""

    kind: str
    cite: str
    fate: Fate
    removes_deck: bool = False
    # 682a.13(d) voids only what was seen before the raises.
    only_when: str = ""
    places: tuple[str, ...] = ()


@frozen
class Reading:
    """One ambiguity of the text, the answer taken and the answers that may be chosen instead."""

    name: str
    id: str
    cite: str
    about: str
    values: tuple[str, ...]

    @property
    def default(self) -> str:
        """The answer taken where nobody chose."""
        # The order in the chapter file decides: the first answer is the default.
        return self.values[0]


@frozen
class Rule:
    """A rule of the deck with its citation, and what it names where it names something."""

    cite: str
    words: tuple[str, ...] = ()


@frozen
class DeckRule:
    """Cards, decks, their life, and when they are shuffled, cut and counted."""

    pack: int
    decks: int
    decks_with_shuffler: int
    change_hours: Mapping[str, int]
    cut_least_from_top: int
    stub_count_every_rounds: int
    rules: Mapping[str, Rule]


@frozen
class Duties:
    """The paragraphs that ask something of a Rules Submission or of the posted sign and hold no number."""

    wagers: str
    adjacent_boxes: str
    sign: str
    sign_limit: str = ""
    meter_rates: str = ""
    meter_amounts: str = ""


@frozen
class Numbering:
    """A document's own numbers for the procedures that the live table names by their numbers in 641a.

    ``head`` stands before a number; where a document cites several numbers under one head it stands once.
    A procedure is named as it is done from a manual shoe; ``by_method`` has its paragraph by other ways.
    """

    head: str
    stands_once: bool = False
    numbers: Mapping[str, str] = field(default_factory=dict)
    by_method: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def cite(self, number: str, way: str = "") -> str:
        """Return the citation of a procedure, or of several, named by their numbers in 641a.

        Where the document has a paragraph of its own for a way of dealing, it is that one.
        """
        own = self.by_method.get(number, {}).get(way)
        pieces = [own] if own else [self.numbers.get(piece, piece) for piece in number.split(", ")]
        cited = [piece for piece in pieces if piece != OUR_POLICY]
        # A document may have no paragraph for what we do all the same.
        if not cited:
            return OUR_POLICY
        if self.stands_once:
            return self.head + ", ".join(cited)
        return ", ".join(f"{self.head}{piece}" for piece in cited)


@frozen
class HandSizes:
    """The number of cards of each place; ``dealer_first`` is how many of the dealer's count as his first."""

    cite: str
    places: Mapping[str, int]
    dealer_first: int = 0
    dealer_first_cite: str = ""


@frozen
class Chapter:
    """A chapter of the law, whole."""

    id: str
    game: str
    document: str
    cite: str
    seats: int
    seats_cite: str
    deck: DeckRule
    hands: HandSizes
    rankings: Mapping[str, RankingSpec]
    wagers: Mapping[str, Wager]
    order: tuple[str, ...]
    order_cite: str
    swap: Under[tuple[str, ...]] | None
    abandoned_cite: str
    contest: ContestRule
    limit: Limit | None
    paytables: Mapping[str, Paytable]
    extras: Mapping[str, Extra]
    envy: Mapping[str, EnvyTable]
    meters: Mapping[str, Meter]
    plans: Mapping[str, PlanSpec]
    irregularities: Mapping[str, IrregularityRule]
    out_of_order: Rule
    readings: Mapping[str, Reading]
    duties: Duties
    numbering: Numbering
    labels: Mapping[str, str] = field(default_factory=dict)

    def default_readings(self) -> dict[str, str]:
        """Return every reading with the answer taken where nobody chose."""
        return {name: reading.default for name, reading in self.readings.items()}

    def section(self, number: str, way: str = "") -> str:
        """Return the citation of procedures by a way of dealing, named by their numbers in 641a."""
        return self.numbering.cite(number, way)

    def progressive_units(self) -> frozenset[int]:
        """Return the wager amounts, in cents, for which the chapter has envy amounts."""
        return frozenset(unit for table in self.envy.values() for unit in table.by_unit)
