"""A chapter as a person wants to read it: every number, list and option with its paragraph.

One function a part, in the order in which a floor manager would look: the table, the wagers, what they pay,
how it is dealt, what goes wrong, what the text leaves open.
"""

from collections.abc import Callable, Iterator

from sabot.config.submission_problems import listed
from sabot.desk.chapter_payouts import envy, limit, meters, paytables, settlement
from sabot.desk.chapter_words import (
    DEVICES,
    FATES,
    area,
    cards_words,
    condition_words,
    end_words,
    hand_words,
    in_words,
    title,
    words,
)
from sabot.desk.diagram.trouble import then_words
from sabot.firmware.pages.text_page import Page
from sabot.rules.cards import RANKS
from sabot.rules.chapter import (
    Chapter,
    ContestAction,
    ContestResult,
    Part,
    PlanStep,
    RankingSpec,
    Wager,
    WagerTimes,
)
from sabot.statemachine.state.phases import ROWS

Section = Callable[[Page, Chapter], None]


def chapter_text(chapter: Chapter) -> str:
    """Return the whole chapter."""
    page = Page()
    page.title(chapter.game.upper(), chapter.id)
    page.note(chapter.document, 0)
    for part in PARTS:
        part(page, chapter)
    return str(page)


def chapter_list(chapters: list[Chapter]) -> str:
    """Return the list of the chapters there are."""
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
    sizes = [f"{number} to {area(chapter, place)}" for place, number in chapter.hands.places.items()]
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
        cards = "" if wager.settles.kind == "losing_hand" else f" {cards_words(chapter, wager.settles.cards)}"
        yield f"{paid}{cards}, paytable {wager.settles.paytable}", wager.settles.cite
    if wager.bonus_card:
        rank = RANKS[wager.bonus_card.rank - 2]
        yield f"on a bonus card {rank}, paytable {wager.bonus_card.paytable}", wager.bonus_card.cite
    if wager.envy:
        yield f"envy bonus by table {wager.envy.paytable}", wager.envy.cite
    for name in wager.extras:
        extra = chapter.extras[name]
        yield f"{extra.title} pays {extra.pays.text}", extra.cite


def _times(times: WagerTimes) -> str:
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
    page.fact(
        "Against", f"{against}, by the ranking {contest.ranking}, on {cards_words(chapter, contest.cards)}"
    )
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
    return end_words(chapter, end)


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


def _action(action: ContestAction) -> str:
    if action.returned:
        return "goes back"
    if action.pays:
        return action.pays.text
    kept = f" (stake by reading {action.keep_stake_reading})" if action.keep_stake_reading else ""
    return f"by paytable {action.paytable}{kept}"


# -------------------------------------------------------------------- what goes wrong, what is open


def _irregularities(page: Page, chapter: Chapter) -> None:
    page.section("Irregularities")
    for kind, each in chapter.irregularities.items():
        only = f" ({words(each.only_when)})" if each.only_when else ""
        page.fact(words(kind), f"{FATES[each.fate]}{only}; {then_words(each)}", each.cite)
    before = "covered or marked with a sign, before another method is used"
    page.fact("device out of order", before, chapter.out_of_order.cite)


def _readings(page: Page, chapter: Chapter) -> None:
    page.section("Readings: what the text leaves open")
    for reading in chapter.readings.values():
        # A reading with one value is a note on how the text was taken: nobody can choose, so it stands apart.
        if len(reading.values) > 1:
            about = reading.about[0].upper() + reading.about[1:]
            page.fact(reading.name, about, f"{reading.id}: {reading.cite}")
            page.fact("", f"▸ {reading.default}, or {listed(reading.values[1:], 'or')}")
    settled = [reading for reading in chapter.readings.values() if len(reading.values) == 1]
    if settled:
        page.section("Read in one way")
    for reading in settled:
        page.fact(reading.name, reading.about[0].upper() + reading.about[1:], reading.cite)


# -------------------------------------------------------------------- how it is dealt

_TAKES = {
    "top": "its top card",
    "bottom": "its bottom card",
    "next": "the next card",
    "rest": "the rest",
}


def _dealing(page: Page, chapter: Chapter) -> None:
    """List every dealing method with its steps."""
    page.section("Dealing")
    for method, plan in chapter.plans.items():
        page.fact(words(method), f"method {method}", plan.cite)
        if plan.needs_shuffler:
            page.fact("", "an automated shuffler must be used", plan.needs_shuffler)
        for number, step in enumerate(plan.steps, 1):
            page.fact("", f"{number}. {_step(chapter, step)}")


def _step(chapter: Chapter, step: PlanStep) -> str:
    round_ = [area(chapter, place) for place in step.around]
    if step.stack:
        where = f" for {', then '.join(round_)}" if round_ else ""
        text = f"a stack of {step.stack}{where}: {'; '.join(_part(chapter, part) for part in step.parts)}"
    else:
        cards = f"{step.cards} card{'s' if step.cards > 1 else ''}{' face up' if step.face_up else ''}"
        text = f"{cards} to {', then '.join(round_)}"
    if step.times > 1:
        text += f", {step.times} times round"
    conditions = [condition_words(chapter, step.condition)] if step.condition else []
    conditions += [f"under the reading {name} = {value}" for name, value in step.readings.items()]
    return ", ".join([text, *conditions])


def _part(chapter: Chapter, part: Part) -> str:
    up = " face up" if part.face_up else ""
    condition = f" {condition_words(chapter, part.condition)}" if part.condition else ""
    otherwise = f" (without that wager to {area(chapter, part.otherwise)})" if part.otherwise else ""
    return f"{_TAKES[part.take]}{up} to {area(chapter, part.to)}{otherwise}{condition}"


def _handling(page: Page, chapter: Chapter) -> None:
    """List opening, shuffle, cut and stub."""
    deck, rules = chapter.deck, chapter.deck.rules
    page.section("Opening, shuffle, cut and stub")
    for label, begins in (("Opening", "4"), ("Shuffle and cut", "5")):
        # The steps are the table's own rows, so that this page and the machine cannot differ; a section is
        # that of the chapter without its number (x.4, x.5).
        steps = [row for row in ROWS if row.section.startswith(begins)]
        for place, row in enumerate(steps):
            page.fact("" if place else label, row.words, chapter.section(row.section))
    page.fact("", "a shuffler counts wrong: the deck is removed", rules["wrong_count"].cite)
    page.fact("", f"the cover card at least {deck.cut_least_from_top} cards from the top", rules["cut"].cite)
    exempt = rules["reshuffler_exempt"]
    page.fact("Reshuffling shoe", f"free of {in_words(exempt.words)}", exempt.cite)
    stub = f"counted at least every {deck.stub_count_every_rounds} rounds, unless the shuffler counts"
    page.fact("Stub", stub, rules["stub"].cite)


# The order of the page.
PARTS: tuple[Section, ...] = (
    _table,
    _wagers,
    _rankings,
    _contest,
    paytables,
    envy,
    meters,
    settlement,
    limit,
    _dealing,
    _handling,
    _irregularities,
    _readings,
)
