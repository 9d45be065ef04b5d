"""A chapter as a person wants to read it: every number, list and option with its paragraph.

One function a part, in the order in which a floor manager would look: the table, the wagers, what they pay,
how it is dealt, what goes wrong, what the text leaves open.
"""

from collections.abc import Callable, Iterator

from sabot.config.submission_problems import listed
from sabot.firmware.commands.chapter_dealing import dealing, handling
from sabot.firmware.commands.chapter_words import AREAS, DEVICES, FATES, hand_words, in_words, title, words
from sabot.firmware.commands.text_page import Page
from sabot.rules.cards import RANKS
from sabot.rules.chapter import (
    Action,
    Chapter,
    ContestResult,
    Meter,
    MeterLevel,
    RankingSpec,
    Times,
    Wager,
)
from sabot.rules.payouts import dollars, grouped
from sabot.rules.paytables import ONLY, Paytable

Part = Callable[[Page, Chapter], None]


def chapter_text(chapter: Chapter) -> str:
    """The whole chapter."""
    page = Page()
    page.title(chapter.game.upper(), chapter.id)
    page.note(chapter.document, 0)
    for part in PARTS:
        part(page, chapter)
    return str(page)


def chapter_list(chapters: list[Chapter]) -> str:
    """The chapters there are."""
    page = Page()
    page.title("CHAPTERS")
    for chapter in chapters:
        optional = [wager.title for wager in chapter.wagers.values() if wager.optional]
        page.fact(chapter.id, f"{chapter.document}, {chapter.seats} seats")
        page.fact("", f"optional: {', '.join(optional)}")
    page.lines += ["", "`sabot chapter ID` prints one, with every paytable and paragraph."]
    return str(page)


def _table(page: Page, chapter: Chapter) -> None:
    deck = chapter.deck
    page.section("Table and cards")
    page.fact("Seats", f"{chapter.seats} betting positions at the most", chapter.seats_cite)
    page.fact("Cards", f"{deck.decks} deck of {deck.pack}", deck.rules["cards"].cite)
    most = f"up to {deck.decks_with_shuffler} decks, alternated, with an automated shuffler"
    page.fact("", most, deck.rules["two_decks"].cite)
    hours = [f"every {number} hours from the {way}" for way, number in deck.change_hours.items()]
    page.fact("Decks changed", listed(hours), deck.rules["change"].cite)
    sizes = [f"{number} to {AREAS[place]}" for place, number in chapter.hands.places.items()]
    page.fact("Cards dealt", ", ".join(sizes), chapter.hands.cite)
    if chapter.hands.dealer_first:
        page.fact("", f"the dealer's first {chapter.hands.dealer_first} are a hand of their own")


# -------------------------------------------------------------------- wagers


def _wagers(page: Page, chapter: Chapter) -> None:
    page.section("Wagers")
    for wager in chapter.wagers.values():
        page.facts(wager.title, _wager_facts(chapter, wager))


def _wager_facts(chapter: Chapter, wager: Wager) -> Iterator[tuple[str, str]]:
    parts = ["if the Rules Submission offers it" if wager.optional else "at every table"]
    if wager.times:
        parts.append(f"after the deal, {_times(wager.times)} the {title(chapter, wager.of)}")
    parts += [f"needs {listed((title(chapter, name) for name in group), 'or')}" for group in wager.requires]
    parts += [DEVICES[wager.device]] if wager.device in DEVICES else []
    yield "; ".join(parts), wager.cite
    if wager.on_fold:
        keeps = wager.on_fold.keeps
        kept = f"by reading {wager.on_fold.reading}" if keeps is None else "kept" if keeps else "lost"
        yield f"on a fold: {kept}", wager.on_fold.cite
    if wager.settles:
        paid = "pays the losing hand" if wager.settles.kind == "losing_hand" else "settled on"
        cards = "" if wager.settles.kind == "losing_hand" else f" {in_words(wager.settles.cards)}"
        yield f"{paid}{cards}, paytable {wager.settles.paytable}", wager.settles.cite
    if wager.bonus_card:
        rank = RANKS[wager.bonus_card.rank - 2]
        yield f"on a bonus card {rank}, paytable {wager.bonus_card.paytable}", wager.bonus_card.cite
    if wager.envy:
        yield f"envy bonus by table {wager.envy.paytable}", wager.envy.cite
    for name in wager.extras:
        extra = chapter.extras[name]
        yield f"{extra.title} pays {extra.pays.text}", extra.cite


def _times(times: Times) -> str:
    if times.least == times.most:
        return "equal to" if times.most == 1 else f"{times.most} times"
    return f"{times.least} to {times.most} times" + (", in whole multiples of" if times.whole else "")


# -------------------------------------------------------------------- rankings and the contest


def _rankings(page: Page, chapter: Chapter) -> None:
    page.section("Rankings, highest first")
    for ranking in chapter.rankings.values():
        page.fact(ranking.name, _ranking(ranking), ranking.cite)


def _ranking(spec: RankingSpec) -> str:
    if spec.kind == "color":
        return f"how many of the {spec.own} cards share a color"
    order = ", ".join(hand_words(name) for name in spec.order)
    low = f"reading {spec.ace_low}" if isinstance(spec.ace_low, str) else "yes" if spec.ace_low else "no"
    return f"best {spec.size} cards: {order}, high card; ace low in a straight: {low}"


def _contest(page: Page, chapter: Chapter) -> None:
    contest = chapter.contest
    page.section("The contest", contest.cite)
    against = "the dealer's hand" if contest.against_dealer else "a paytable"
    page.fact("Against", f"{against}, by the ranking {contest.ranking}, on {in_words(contest.cards)}")
    if contest.qualifies:
        page.fact("Posted", f"“{contest.qualifies.phrase}”", contest.qualifies.cite)
    if contest.ties:
        page.fact("", f"“{contest.ties.phrase}”", contest.ties.cite)
    wagers = listed(title(chapter, name) for name in contest.wagers)
    page.fact("Fold", f"{wagers} forfeited, as far as placed", ", ".join(contest.forfeit_cites))
    for end, result in contest.results.items():
        label = end.replace("_", " ").capitalize()
        page.fact(label, _end(chapter, end))
        page.facts("", _result(chapter, result))


def _end(chapter: Chapter, end: str) -> str:
    if not chapter.contest.against_dealer:
        return f"the hand makes {'a' if end == 'win' else 'no'} row of the paytable"
    return words(end)


def _result(chapter: Chapter, result: ContestResult) -> Iterator[tuple[str, str]]:
    alike: dict[tuple[str, str], list[str]] = {}
    for name, action in result.actions.items():
        alike.setdefault((_action(action), action.cite), []).append(title(chapter, name))
    for (text, cite), titles in alike.items():
        yield f"{listed(titles)}: {text}", cite
    bonus = result.bonus
    if bonus:
        readings = [name for name in (bonus.reading, bonus.tie_reading, bonus.for_reading) if name]
        under = f" (readings {', '.join(readings)})" if readings else ""
        line, base = title(chapter, bonus.line), title(chapter, bonus.on)
        yield f"{line} on the {base} by paytable {bonus.paytable}{under}", bonus.cite


def _action(action: Action) -> str:
    if action.returned:
        return "goes back"
    if action.pays:
        return action.pays.text
    kept = f" (stake by reading {action.keep_stake_reading})" if action.keep_stake_reading else ""
    return f"by paytable {action.paytable}{kept}"


# -------------------------------------------------------------------- what is paid


def _paytables(page: Page, chapter: Chapter) -> None:
    page.section("Paytables")
    for paytable in chapter.paytables.values():
        _print_table(page, paytable, paytable.name, "")


def _print_table(page: Page, paytable: Paytable, name: str, what: str) -> None:
    for sheet in paytable.sheets:
        ranking = f"ranking {sheet.ranking}"
        if sheet.ranks_as:
            under = sheet.ranks_as
            ranking += f" ({under.instead} under the reading {under.reading} = {under.value})"
        heads = ["", *("pays" if letter == ONLY else letter for letter in sheet.letters)]
        rows = [[row.text, *(cell.text if cell else "" for cell in row.cells)] for row in sheet.rows]
        page.table(f"{name}{what}, {ranking}", sheet.cite, heads, rows)


def _envy(page: Page, chapter: Chapter) -> None:
    if not chapter.envy:
        return
    page.section("Envy bonuses")
    page.note("A fixed sum for each other holder of the hand, due to everyone with the wager.")
    for envy in chapter.envy.values():
        for unit, paytable in envy.by_unit.items():
            what = f" with a {dollars(unit)} wager, letter as {envy.follows} unless chosen"
            _print_table(page, paytable, envy.name, what)
        if envy.reads_as:
            under = envy.reads_as
            page.note(f"{under.letter} reads as {under.instead} under {under.reading} = {under.value}.", 4)


def _meters(page: Page, chapter: Chapter) -> None:
    if not chapter.meters:
        return
    page.section("Progressive meters")
    for meter in chapter.meters.values():
        heads = ["", "seed", "reseed", "primary", "reserve"]
        if _is_operators(meter):
            heads = ["", "initial and reset at least"]
        rows = [
            [f"{'' if letter == ONLY else letter} {level}".strip(), *_terms(terms)]
            for letter, levels in meter.levels.items()
            for level, terms in levels.items()
        ]
        fed = listed(title(chapter, name) for name in meter.wagers)
        page.table(f"{meter.name}, fed by {fed}", meter.cite, heads, rows)
    page.lines.append("")
    if any(_is_operators(meter) for meter in chapter.meters.values()):
        page.note("The operator names the amounts and all rates in its Rules Submission.")
    else:
        page.note("Seed and reseed are for a wager of 1: times the amount of the wager on offer.")


def _is_operators(meter: Meter) -> bool:
    return any(terms.minimum_dollars for levels in meter.levels.values() for terms in levels.values())


def _terms(terms: MeterLevel) -> list[str]:
    if terms.minimum_dollars:
        return [f"${grouped(terms.minimum_dollars)}"]
    money = [f"${grouped(amount or 0)} for 1" for amount in (terms.seed_for_1, terms.reseed_for_1)]
    return money + [f"{rate or 0}%" for rate in (terms.primary_percent, terms.reserve_percent)]


def _settlement(page: Page, chapter: Chapter) -> None:
    page.section("Settlement", chapter.order_cite)
    page.fact("Seats", "from the dealer's right, counterclockwise: the highest seat first")
    page.fact("Wagers", ", ".join(title(chapter, name) for name in chapter.order))
    if chapter.swap:
        first = title(chapter, chapter.swap.instead[1])
        page.fact("", f"{first} first under the reading {chapter.swap.reading} = {chapter.swap.value}")
    page.fact("Player left", "the wagers may be treated as losing", chapter.abandoned_cite)


def _limit(page: Page, chapter: Chapter) -> None:
    page.section("Payout limit")
    limit = chapter.limit
    if limit is None:
        page.note("The chapter allows none.")
        return
    covers = listed(title(chapter, name) for name in chapter.order if name in limit.covers)
    least = f"at least ${grouped(limit.least_dollars)}, and at least what one patron could win in a round"
    page.fact("Least", f"{least} at the minimum wagers, per player and round", limit.cite)
    page.fact("Covers", covers)
    if limit.covers_under:
        under = limit.covers_under
        page.fact("", f"everything under the reading {under.reading} = {under.value}")
    outside = [title(chapter, name) for name in limit.not_outcomes]
    outside += [row.replace("_", " ") for row in sorted(limit.not_rows)]
    if outside:
        page.fact("Never covers", listed(outside))


# -------------------------------------------------------------------- what goes wrong, what is open


def _irregularities(page: Page, chapter: Chapter) -> None:
    page.section("Irregularities")
    for kind, each in chapter.irregularities.items():
        only = f" ({words(each.only_when)})" if each.only_when else ""
        page.fact(words(kind), f"{FATES[each.fate]}{only}; {words(each.then)}", each.cite)
    steps = in_words(chapter.out_of_order.words, "or")
    page.fact("device out of order", f"{steps}, before another method is used", chapter.out_of_order.cite)


def _readings(page: Page, chapter: Chapter) -> None:
    page.section("Readings: what the text leaves open")
    for reading in chapter.readings.values():
        if len(reading.values) > 1:
            about = reading.about[0].upper() + reading.about[1:]
            page.fact(reading.name, about, f"{reading.id}: {reading.cite}")
            page.fact("", f"▸ {reading.default}, or {listed(reading.values[1:], 'or')}")
    settled = [reading for reading in chapter.readings.values() if len(reading.values) == 1]
    if settled:
        page.section("Read in one way")
    for reading in settled:
        page.fact(reading.name, reading.about[0].upper() + reading.about[1:], reading.cite)


PARTS: tuple[Part, ...] = (
    _table,
    _wagers,
    _rankings,
    _contest,
    _paytables,
    _envy,
    _meters,
    _settlement,
    _limit,
    dealing,
    handling,
    _irregularities,
    _readings,
)
