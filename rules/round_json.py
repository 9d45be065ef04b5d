"""From the JSON of a round to a ``Round``: everything that cannot be is refused here, with its place.

The form is a contract with other programs (``docs/round-schema.md``). What may be wagered, in which
multiples, and how many cards each place has is the chapter's; what is read here is checked against it
before anything is settled.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from sabot.rules.cards import NAMES, Card, parse
from sabot.rules.chapter import Chapter, Fate, Wager
from sabot.rules.json_fields import (
    absent,
    cents,
    fields,
    flag,
    items,
    one_of,
    out_of_bounds,
    refuse,
    required,
    text,
    texts,
    whole,
)
from sabot.rules.json_fields import stake as read_stake
from sabot.rules.round import Options, Round, Seat, Stake
from sabot.rules.settlement import Settlement

ROUND_FIELDS = frozenset(
    {"chapter", "options", "meters", "seats", "draws", "irregularity", "deal"}
    | {"dealer", "community", "six_card", "all_six", "pair_bonus_card"}
)
OPTION_FIELDS = frozenset({"paytables", "progressive_unit", "readings"})
SEAT_FIELDS = frozenset({"seat", "player", "wagers", "decision", "cards", "abandoned"})
SHARED = ("dealer", "community", "six_card", "all_six", "pair_bonus_card")
LISTED = frozenset({"dealer", "community"})
WHEN = frozenset({"before_raise", "after_raise"})
DEFAULT_UNIT = 100
MOST_CARDS = 52

SettlementFor = Callable[[Chapter, Options], Settlement]


class Decision(NamedTuple):
    """A player's decision after the deal."""

    stakes: tuple[Stake, ...] = ()
    folded: bool = False


class _Pack:
    """The cards seen so far: none may come twice."""

    def __init__(self) -> None:
        self.places: dict[Card, str] = {}

    def card(self, value: object, place: str) -> Card:
        card = parse(text(value, place), place)
        if card in self.places:
            raise refuse(
                place,
                f"{NAMES[card]} is there twice",
                f"It stands already in {self.places[card]}",
                "Correct one of the two",
            )
        self.places[card] = place
        return card

    def cards(self, value: object, place: str) -> tuple[Card, ...]:
        return tuple(self.card(each, f"{place}[{n}]") for n, each in enumerate(items(value, place)))


def chapter_id(value: object) -> str:
    """Return the chapter that a round's JSON names (nothing else of it is looked at)."""
    known = value if isinstance(value, dict) else fields(value, "round", ROUND_FIELDS)
    return text(required(known, "chapter", ""), "chapter")


def read_round(
    value: object, chapter: Chapter, settlement_for: SettlementFor, readings: Mapping[str, str]
) -> tuple[Round, Settlement]:
    """Return a round, verified against its chapter, and the settlement that goes with its options."""
    reader = _Reader(fields(value, "round", ROUND_FIELDS), chapter)
    # Options first: the letters and readings chosen decide which cards, meters and decisions must be there.
    options = reader.options(readings)
    settlement = settlement_for(chapter, options)
    round_ = reader.round(options, settlement)
    settlement.verify(round_)
    return round_, settlement


class _Reader:
    """One round being read."""

    def __init__(self, data: Mapping[str, object], chapter: Chapter) -> None:
        self.data = data
        self.chapter = chapter
        self.pack = _Pack()
        self.base = chapter.contest.wagers
        self.before_deal = {name for name, wager in chapter.wagers.items() if not wager.after_deal}
        self.units = chapter.progressive_units()
        self.opening, self.second = self.base[0], self.base[1:]

    # ------------------------------------------------------------ options

    def options(self, readings: Mapping[str, str]) -> Options:
        """Return the operator's choices, with the readings of the command line on top."""
        known = OPTION_FIELDS | {"payout_limit", "meter_reset"}
        if "pair_bonus_card" in self.chapter.hands.places:
            known |= {"pair_bonus_card"}
        data = fields(self.data.get("options", {}), "options", known)
        unit = data.get("progressive_unit", DEFAULT_UNIT)
        return Options(
            paytables=texts(data.get("paytables", {}), "options.paytables"),
            progressive_unit=self._unit(unit, "options.progressive_unit"),
            meter_reset=self._meter_reset(data),
            payout_limit=self._payout_limit(data),
            pair_bonus_card=one_of(
                data.get("pair_bonus_card", "own"),
                "options.pair_bonus_card",
                frozenset({"own", "community"}),
            ),
            readings=texts(data.get("readings", {}), "options.readings") | dict(readings),
        )

    def _unit(self, value: object, place: str) -> int:
        unit = whole(value, place, "whole cents above 0", 1)
        if self.units and unit not in self.units:
            known = " or ".join(str(each) for each in sorted(self.units))
            raise out_of_bounds(place, unit, f"{known} cents, for which there are envy amounts")
        return unit

    def _payout_limit(self, data: Mapping[str, object]) -> int | None:
        if data.get("payout_limit") is None:
            return None
        if self.chapter.limit is None:
            raise refuse(
                "options.payout_limit",
                f"{self.chapter.id} knows no payout limit",
                "The chapter does not allow one",
                "Take it out",
            )
        return cents(data["payout_limit"], "options.payout_limit")

    def _meter_reset(self, data: Mapping[str, object]) -> dict[str, int]:
        if "meter_reset" not in data:
            return {}
        terms = [
            (level, each)
            for meter in self.chapter.meters.values()
            for column in meter.levels.values()
            for level, each in column.items()
        ]
        # Only Maryland leaves the amount to the operator (reading T2): elsewhere the law has the reseed.
        if not any(each.minimum_dollars for _, each in terms):
            raise refuse(
                "options.meter_reset",
                f"{self.chapter.id} does not let the operator choose reset amounts",
                "The chapter has its own",
                "Take it out",
            )
        place = "options.meter_reset"
        resets = fields(data["meter_reset"], place, {level for level, _ in terms})
        return {level: cents(value, f"{place}.{level}") for level, value in resets.items()}

    # ------------------------------------------------------------ round

    def round(self, options: Options, settlement: Settlement) -> Round:
        """Return the round under these options."""
        kind, when = self._irregularity()
        # Before cards and seats: what must be there depends on what the irregularity left to settle.
        fate, _ = settlement.fate(Round(self.chapter.id, options, (), irregularity=kind, when=when))
        magic, lucky = self._draws()
        return Round(
            chapter=self.chapter.id,
            options=options,
            seats=self._seats(fate),
            places=self._places(fate),
            meters=self._meters(settlement),
            magic_card=magic,
            lucky=lucky,
            irregularity=kind,
            when=when,
        )

    def _irregularity(self) -> tuple[str, str]:
        if self.data.get("irregularity") is None:
            return "", ""
        data = fields(self.data["irregularity"], "irregularity", {"kind", "when", "pos"})
        kinds = set(self.chapter.irregularities)
        kind = one_of(required(data, "kind", "irregularity"), "irregularity.kind", kinds)
        if "pos" in data:
            whole(data["pos"], "irregularity.pos", "a position in the deck, 1 to 52", 1, MOST_CARDS)
        when = data.get("when")
        return kind, "" if when is None else one_of(when, "irregularity.when", WHEN)

    def _meters(self, settlement: Settlement) -> dict[str, dict[str, int]]:
        data = fields(self.data.get("meters", {}), "meters", set(self.chapter.meters))
        meters: dict[str, dict[str, int]] = {}
        for name, value in data.items():
            meter = self.chapter.meters[name]
            letter = settlement.house.letters.get(meter.paytable, "")
            # Without a letter every level of the meter is let through: settling tells which of them it needs.
            columns = [meter.levels[letter]] if letter in meter.levels else list(meter.levels.values())
            known = {level for column in columns for level in column}
            levels = fields(value, f"meters.{name}", known)
            meters[name] = {level: cents(each, f"meters.{name}.{level}") for level, each in levels.items()}
        return meters

    def _draws(self) -> tuple[Card | None, int | str | None]:
        known = {"magic_card", "lucky"} if self.chapter.extras else set()
        data = fields(self.data.get("draws", {}), "draws", known)
        magic, lucky = data.get("magic_card"), data.get("lucky")
        if lucky is not None and lucky != "dealer":
            bound = f'a seat from 1 to {self.chapter.seats}, or "dealer"'
            lucky = whole(lucky, "draws.lucky", bound, 1, self.chapter.seats)
        # Not out of the pack: it is drawn by the game system, and wins where the same card lies on the felt.
        card = None if magic is None else parse(text(magic, "draws.magic_card"), "draws.magic_card")
        return card, lucky

    def _places(self, fate: Fate) -> dict[str, tuple[Card, ...]]:
        places: dict[str, tuple[Card, ...]] = {}
        sizes = self.chapter.hands.places
        for place in SHARED:
            if self.data.get(place) is None:
                continue
            if place not in sizes:
                raise refuse(
                    place,
                    f"{self.chapter.id} deals no such cards",
                    "The chapter has no place of this name",
                    "Take it out",
                )
            value = self.data[place]
            # A single card is written as itself, but where the contract has a list for every chapter.
            single = sizes[place] == 1 and place not in LISTED
            cards = (self.pack.card(value, place),) if single else self.pack.cards(value, place)
            self._verify_count(cards, sizes[place], place, fate)
            places[place] = cards
        first = self.chapter.hands.dealer_first
        if first and "dealer" in places:
            places["dealer_first"] = places["dealer"][:first]
        return places

    def _verify_count(self, cards: tuple[Card, ...], size: int, place: str, fate: Fate) -> None:
        """Raise at a wrong number of cards, save in a void round: it may be the very irregularity."""
        if fate is not Fate.VOID and len(cards) != size:
            raise refuse(
                place,
                f"{len(cards)} cards, expected {size}",
                f"{self.chapter.hands.cite} deals {size} there",
                "Give them all, in the order dealt",
            )

    # ------------------------------------------------------------ seats

    def _seats(self, fate: Fate) -> tuple[Seat, ...]:
        values = items(required(self.data, "seats", ""), "seats")
        if not values:
            raise refuse("seats", "nobody is seated", "A round has at least one wager", "Add a seat")
        seats = tuple(self._seat(value, f"seats[{n}]", fate) for n, value in enumerate(values))
        numbers = [seat.number for seat in seats]
        twice = next((n for n in numbers if numbers.count(n) > 1), None)
        if twice is not None:
            raise refuse("seats", f"seat {twice} is there twice", "A seat is one box", "Correct one")
        return seats

    def _seat(self, value: object, place: str, fate: Fate) -> Seat:
        known = SEAT_FIELDS | {"fourth"} if "fourth" in self.chapter.hands.places else SEAT_FIELDS
        data = fields(value, place, known)
        bound = f"a seat from 1 to {self.chapter.seats} ({self.chapter.seats_cite})"
        number = whole(required(data, "seat", place), f"{place}.seat", bound, 1, self.chapter.seats)
        stakes = self._wagers(required(data, "wagers", place), f"{place}.wagers")
        abandoned = flag(data.get("abandoned", False), f"{place}.abandoned")
        # A void may have come before the player was asked, and one who left was never asked.
        may_wait = abandoned or fate is not Fate.GOES_ON
        decision = self._decision(data.get("decision"), f"{place}.decision", stakes, may_wait=may_wait)
        # There may be fewer: a player folded on a later street, or was not asked yet.
        stakes |= zip(self.second, decision.stakes, strict=False)
        return Seat(
            number=number,
            player=self._player(data.get("player"), number, f"{place}.player"),
            stakes=stakes,
            cards=self._hand(data, place, fate),
            fourth=self._fourth(data, place),
            raises=len(decision.stakes),
            folded=decision.folded,
            abandoned=abandoned,
        )

    def _player(self, value: object, number: int, place: str) -> str:
        return f"seat{number}" if value is None else text(value, place)

    def _hand(self, data: Mapping[str, object], place: str, fate: Fate) -> tuple[Card, ...] | None:
        if data.get("cards") is None:
            return None
        cards = self.pack.cards(data["cards"], f"{place}.cards")
        self._verify_count(cards, self.chapter.hands.places["player"], f"{place}.cards", fate)
        return cards

    def _fourth(self, data: Mapping[str, object], place: str) -> Card | None:
        value = data.get("fourth")
        return None if value is None else self.pack.card(value, f"{place}.fourth")

    def _wagers(self, value: object, place: str) -> dict[str, Stake]:
        data = fields(value, place, self.before_deal)
        stakes = {name: read_stake(each, f"{place}.{name}") for name, each in data.items()}
        if not stakes:
            raise refuse(place, "no wager", "A seat is in the round by its wager", "Leave the seat out")
        for name, stake in stakes.items():
            self._verify_wager(self.chapter.wagers[name], stake, stakes, f"{place}.{name}")
        return stakes

    def _verify_wager(self, wager: Wager, stake: Stake, stakes: Mapping[str, Stake], place: str) -> None:
        for group in wager.requires:
            if stakes.keys().isdisjoint(group):
                titles = " or ".join(self.chapter.wagers[name].title for name in group)
                raise refuse(
                    place,
                    f"{wager.title} without {titles}",
                    f"{wager.cite} asks for it",
                    "Add that wager or take this one out",
                )
        # There are envy amounts for these units alone (reading E4).
        if wager.envy and stake is not None:
            self._unit(stake, place)

    # ------------------------------------------------------------ decisions

    def _decision(
        self, value: object, place: str, stakes: Mapping[str, Stake], *, may_wait: bool
    ) -> Decision:
        if value is None:
            if self.opening in stakes and not may_wait:
                raise absent(place)
            return Decision()
        if self.opening not in stakes:
            raise refuse(
                place,
                "a decision without an Ante",
                f"{self.chapter.contest.forfeit_cites[0]} asks only players with an Ante",
                "Take it out",
            )
        # Cajun Stud's raises are a list, street by street; the one second wager of the others is ``play``.
        several = len(self.second) > 1
        data = fields(value, place, {"raises", "fold"} if several else {"play", "fold"})
        folded = flag(data.get("fold", False), f"{place}.fold")
        made = self._raises(data, place) if several else self._play(data, place)
        self._verify_made(made, place, folded=folded, several=several, may_wait=may_wait)
        for name, stake in zip(self.second, made, strict=False):
            self._verify_multiple(self.chapter.wagers[name], stake, stakes[self.opening], place)
        return Decision(made, folded)

    def _raises(self, data: Mapping[str, object], place: str) -> tuple[Stake, ...]:
        listed = items(data.get("raises", []), f"{place}.raises")
        if len(listed) > len(self.second):
            raise out_of_bounds(f"{place}.raises", listed, f"at most {len(self.second)} raises")
        return tuple(read_stake(each, f"{place}.raises[{n}]") for n, each in enumerate(listed))

    def _play(self, data: Mapping[str, object], place: str) -> tuple[Stake, ...]:
        return (read_stake(data["play"], f"{place}.play"),) if "play" in data else ()

    def _verify_made(
        self, made: tuple[Stake, ...], place: str, *, folded: bool, several: bool, may_wait: bool
    ) -> None:
        full = len(made) == len(self.second)
        if folded and full:
            what = "all raises and a fold" if several else "a play and a fold"
            raise refuse(place, what, "A player does one or the other", "Take one out")
        if not folded and not full and not may_wait:
            what = f"{len(made)} of {len(self.second)} second wagers and no fold"
            raise refuse(place, what, "Each player who stays makes them all", "Add them, or the fold")

    def _verify_multiple(self, wager: Wager, stake: Stake, ante: Stake, place: str) -> None:
        times = wager.times
        # What nobody could sense has no multiple to be held to: such a wager is settled as odds.
        if times is None or stake is None or ante is None:
            return
        in_range = ante * times.least <= stake <= ante * times.most
        if not in_range or (times.whole and stake % ante):
            span = f"{times.least} to {times.most} times" if times.most > 1 else "exactly"
            exact = " in whole multiples" if times.whole and times.most > 1 else ""
            bound = f"{span} the Ante of {ante}{exact} ({wager.cite})"
            raise out_of_bounds(f"{place} {wager.name}", stake, bound)
