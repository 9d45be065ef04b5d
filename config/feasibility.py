"""The refusal of impossible chapters: well written, and still not to be dealt or settled.

A typing slip in a chapter file is most often a row that no hand can reach, a plan that outruns the pack, a
lower hand that pays more, or a name that points nowhere. Each is found here by asking the chapter itself,
before anything is dealt.
"""

from collections.abc import Iterator
from itertools import pairwise

from sabot.config.asked_readings import all_paytables, verify_readings
from sabot.config.errors import ConfigError
from sabot.config.needed_parts import verify_parts
from sabot.rules.chapter import Chapter, EnvyTable, Meter, PlanSpec, RankingSpec, Wager
from sabot.rules.payouts import PayKind, Payout
from sabot.rules.paytables import ANY_HAND, PayRow, Paytable, Sheet
from sabot.rules.plan import bets_of, plan
from sabot.rules.rankings import HIGH
from sabot.rules.settlement.steps import contest_tables

Reference = tuple[str, str, set[str]]

# A share of a meter outranks any odds; a fixed sum is compared by its amount on a dollar.
_METER_WORTH = 10.0**9


def verify_possible(chapter: Chapter, file: str) -> None:
    """Raise ConfigError for the first thing in a chapter that cannot be."""
    # References first: the rest follows them, and would fail on a name that points nowhere.
    for place, name, known in _references(chapter):
        if name not in known:
            listed = " ".join(sorted(known))
            raise ConfigError("E-CONF-008", f"{file} [{place}]", key=place, value=name, known=listed)
    verify_parts(chapter, file)
    verify_readings(chapter, file)
    for name, paytable in all_paytables(chapter):
        for sheet in paytable.sheets:
            _verify_sheet(chapter, sheet, f"{file} [{name}]")
    for spec in chapter.plans.values():
        _verify_plan(chapter, spec, f"{file} [plans.{spec.method}]")


def _references(chapter: Chapter) -> Iterator[Reference]:
    """Yield every name by which one part of the chapter speaks of another, with the names there are."""
    rankings = set(chapter.rankings)
    yield "contest.ranking", chapter.contest.ranking, rankings
    yield from (("settlement.order", name, set(chapter.wagers)) for name in chapter.order)
    # Both ways: a wager that is left out of the order would never be settled.
    yield from (("wagers", name, set(chapter.order)) for name in chapter.wagers)
    for name, paytable in all_paytables(chapter):
        for sheet in paytable.sheets:
            yield f"{name}.ranking", sheet.ranking, rankings
            if sheet.ranks_as:
                yield f"{name}.ranks_as", sheet.ranks_as.instead, rankings
        yield from _row_references(name, paytable)
    for wager in chapter.wagers.values():
        yield from _wager_references(chapter, wager)
    yield from _contest_references(chapter)
    if chapter.swap:
        optional = set(chapter.order) - set(chapter.contest.wagers)
        yield from (("settlement.swap.wagers", name, optional) for name in chapter.swap.instead)
    for meter in chapter.meters.values():
        yield from _meter_references(chapter, meter)
    for envy in chapter.envy.values():
        yield from _envy_references(chapter, envy)


def _wager_references(chapter: Chapter, wager: Wager) -> Iterator[Reference]:
    place, paytables, places = f"wagers.{wager.name}", set(chapter.paytables), _places(chapter)
    for group in wager.requires:
        yield from ((f"{place}.requires", each, set(chapter.wagers)) for each in group)
    yield from ((f"{place}.extras", each, set(chapter.extras)) for each in wager.extras)
    if wager.settles:
        yield f"{place}.settles", wager.settles.paytable, paytables
        yield from ((f"{place}.settles.cards", each, places) for each in wager.settles.cards)
    if wager.envy:
        yield f"{place}.envy", wager.envy.paytable, set(chapter.envy)
    if wager.bonus_card:
        yield f"{place}.on_bonus_card", wager.bonus_card.paytable, paytables


def _places(chapter: Chapter) -> set[str]:
    # Two that are no places of the file: the player's own hand, and the first of the dealer's cards.
    return {"own", "dealer_first", *chapter.hands.places}


def _contest_references(chapter: Chapter) -> Iterator[Reference]:
    contest = chapter.contest
    yield from (("contest.cards", each, _places(chapter)) for each in contest.cards)
    for end, result in contest.results.items():
        for name in contest_tables({end: result}):
            yield f"contest.{end}", name, set(chapter.paytables)
        if result.bonus:
            # Of the contest: another wager need not stand at a seat that has won.
            yield f"contest.{end}.bonus.on", result.bonus.on, set(contest.wagers)


def _meter_references(chapter: Chapter, meter: Meter) -> Iterator[Reference]:
    place = f"meters.{meter.name}"
    yield f"{place}.paytable", meter.paytable, set(chapter.paytables)
    yield from ((f"{place}.wagers", name, set(chapter.wagers)) for name in meter.wagers)
    paytable = chapter.paytables.get(meter.paytable)
    letters = set(paytable.letters) if paytable else set()
    yield from ((f"{place}.levels", letter, letters) for letter in meter.levels)


def _envy_references(chapter: Chapter, envy: EnvyTable) -> Iterator[Reference]:
    place = f"envy.{envy.name}"
    yield f"{place}.follows", envy.follows, set(chapter.paytables)
    if envy.reads_as:
        letters = {letter for paytable in envy.by_unit.values() for letter in paytable.letters}
        yield from (
            (f"{place}.reads_as", each, letters) for each in (envy.reads_as.letter, envy.reads_as.instead)
        )


def _row_references(name: str, paytable: Paytable) -> Iterator[Reference]:
    for sheet in paytable.sheets:
        rows = {row.name for row in sheet.rows}
        for row in sheet.rows:
            if row.instead:
                yield f"{name}.rows.{row.name}.else", row.instead, rows


def _verify_sheet(chapter: Chapter, sheet: Sheet, place: str) -> None:
    spec = chapter.rankings[sheet.ranking]
    for number, row in enumerate(sheet.rows):
        why = _why_unreachable(spec, row, sheet.rows[:number])
        if why:
            raise ConfigError("E-CONF-005", place, row=row.name, why=why)
    for number, letter in enumerate(sheet.letters):
        _verify_falling(sheet, number, letter, place)


def _why_unreachable(spec: RankingSpec, row: PayRow, above: tuple[PayRow, ...]) -> str:
    # A row by colors names no hand: the cards of the player's own bound it.
    if row.own:
        return f"a hand has {spec.own} own cards" if row.own > spec.own else ""
    known = {*spec.order, HIGH, ANY_HAND}
    if not known & set(row.hands):
        return f"the ranking {spec.name} has no {' or '.join(row.hands)}"
    if row.lead and row.lead[0] > row.lead[1]:
        return "its span of ranks is empty"
    hiding = next((upper for upper in above if _hides(upper, row)), None)
    return f"{hiding.name} above it takes them all" if hiding else ""


def _hides(upper: PayRow, row: PayRow) -> bool:
    """Return whether every hand of a row certainly makes a row above it already."""
    if not set(row.hands) <= set(upper.hands) or upper.second or upper.own:
        return False
    if upper.suits and not set(row.suits or range(4)) <= set(upper.suits):
        return False
    lead = row.lead or (2, 14)
    return upper.lead is None or (upper.lead[0] <= lead[0] and lead[1] <= upper.lead[1])


def _worth(payout: Payout) -> float:
    match payout.kind:
        case PayKind.METER:
            return _METER_WORTH * float(payout.rate)
        case PayKind.FIXED:
            return payout.cents / 100
        case PayKind.LOSS:
            return -1.0
    # "To" and "for" alike, by their rate; a push has none, and is worth more than a loss.
    return float(payout.rate)


def _verify_falling(sheet: Sheet, number: int, letter: str, place: str) -> None:
    # Rows that the column does not have are passed over: they are no step down.
    cells = [(row, row.cells[number]) for row in sheet.rows if row.cells[number] is not None]
    for (higher, high_pays), (lower, low_pays) in pairwise(cells):
        assert high_pays is not None  # the list above left these out
        assert low_pays is not None
        if _worth(low_pays) > _worth(high_pays):
            raise ConfigError(
                "E-CONF-007",
                place,
                letter=letter,
                higher=higher.name,
                higher_pays=high_pays.text,
                lower=lower.name,
                lower_pays=low_pays.text,
            )


def _verify_plan(chapter: Chapter, spec: PlanSpec, place: str) -> None:
    """Deal to a full table with every wager placed, and raise where that takes more cards than there are."""
    seats = range(1, chapter.seats + 1)
    # With either Pair Bonus card: a house chooses one, and both must be possible.
    for card in ("own", "community"):
        bets = bets_of(chapter, dict.fromkeys(seats, chapter.wagers), card)
        needed = max((placed.position for placed in plan(chapter, spec.method, seats, bets)), default=0)
        if not 0 < needed <= chapter.deck.pack:
            facts = {"needed": needed, "seats": chapter.seats, "pack": chapter.deck.pack}
            raise ConfigError("E-CONF-006", place, **facts)
