"""A chapter's payouts, for people: paytables by letter, envy bonuses, meters, the order and the limit."""

from sabot.config.submission_problems import listed
from sabot.desk.chapter_words import title
from sabot.firmware.pages.text_page import Page
from sabot.rules.chapter import Chapter, Meter, MeterLevel
from sabot.rules.payouts import dollars, grouped
from sabot.rules.paytables import ONLY, Paytable


def paytables(page: Page, chapter: Chapter) -> None:
    """List every paytable, with a column for each letter."""
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


def envy(page: Page, chapter: Chapter) -> None:
    """List every envy table, for each amount of the wager."""
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


def meters(page: Page, chapter: Chapter) -> None:
    """List the terms of every progressive meter."""
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
    # Maryland's text (ch.12.D(3)) states only the least amounts and leaves the rest to the operator.
    return any(terms.minimum_dollars for levels in meter.levels.values() for terms in levels.values())


def _terms(terms: MeterLevel) -> list[str]:
    if terms.minimum_dollars:
        return [f"${grouped(terms.minimum_dollars)}"]
    money = [f"${grouped(amount or 0)} for 1" for amount in (terms.seed_for_1, terms.reseed_for_1)]
    return money + [f"{rate or 0}%" for rate in (terms.primary_percent, terms.reserve_percent)]


def settlement(page: Page, chapter: Chapter) -> None:
    """Say in which order seats and wagers are settled."""
    page.section("Settlement", chapter.order_cite)
    page.fact("Seats", "from the dealer's right, counterclockwise: the highest seat first")
    page.fact("Wagers", ", ".join(title(chapter, name) for name in chapter.order))
    if chapter.swap:
        first = title(chapter, chapter.swap.instead[1])
        page.fact("", f"{first} first under the reading {chapter.swap.reading} = {chapter.swap.value}")
    page.fact("Player left", "the wagers may be treated as losing", chapter.abandoned_cite)


def limit(page: Page, chapter: Chapter) -> None:
    """Say what a payout limit may be and what it covers."""
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
